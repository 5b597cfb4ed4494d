/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proof-compare - what three programs say about each byte of code of an image
 *
 *	proof-compare addresses IMAGE STEP
 *		prints the addresses of every STEPth byte of the sections with code
 *	proof-compare [-i] i386|x86-64 OURS GNU LLVM SYMBOLS LINES STABS GNU2 LONG
 *		compares the answers to them of rossym-addr2line -af (on the final image), addr2line -af and
 *		llvm-addr2line -afi (on the one with debug information); with -i, of all three with -afi.  SYMBOLS is what nm
 *		prints, LINES what objdump --dwarf=decodedline does, STABS objdump -G; GNU2 is what addr2line answers when .stab
 *		is not there (/dev/null: there is none), LONG names of more than 255 bytes, each with a tab and its short form.
 *
 * It shares no code with the library, on purpose.  Each byte is of one of three kinds, and of one class of it:
 *
 *	line		a line is known: all frames are the same in both, but for these classes of differences
 *	  decoration	the names are, without the i386 decoration that GNU prints and a table leaves out
 *	  long		ours is GNU's name cut to 255 bytes, or in its short form
 *	  assembler	GNU has no name, for no function is described, or one without a name (gcc -flto); ours is the label, and LLVM's
 *	  file		GNU has another file in a DWARF 5 line table, which it begins with file 0 before 2.42; LLVM has ours
 *	  stabs-end	GNU goes on with a function of .stab behind its end, and without .stab says what ours does,
 *			but for the name in assembler, which LLVM has
 *	  stabs-line	GNU lost the line, for the next function stands before this one in .stab; there it is as ours
 *	  stabs-outside	GNU knows no lines outside of the functions of .stab, where assemblers put theirs; there it is as ours
 *	  end		the first byte after a sequence of lines, or function of .stab, for which GNU and LLVM have no line; ours
 *			is its last line, as it is after a call (tests/embed/cli-embed-ends.sh)
 *	name		only a symbol: LLVM has the same.  GNU knows no symbols.
 *	unknown		nobody knows
 *	  behind	LLVM has the symbol before it, but a sequence of lines, or function of .stab, ended between
 *	in the last two kinds
 *	  stabs-end	GNU goes on with a function of .stab behind its end
 *	  bias		GNU has a line of elsewhere; no line table and not LLVM has one here
 *	  guess		GNU guesses at a file
 *
 * Everything else is "different": the first few are printed to stderr, and the status is 1.  On stdout one line of
 * numbers: all bytes; line, equal, decoration, long, assembler, file, stabs-end, stabs-line, stabs-outside, end,
 * different; name, equal, different; unknown, to all, behind, different; stabs-end, bias, guess; inlined (of the bytes
 * with a line, says LLVM), lines that the line table confirms.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_MAX = 600, SHOWN_MAX = 6 };

#ifdef __GNUC__
__attribute__((format(printf, 1, 2)))
#endif
static void
die(const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	fputs("proof-compare: ", stderr);
	vfprintf(stderr, format, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(99);
}

static void *grown(void *array, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return array;
	*room = *room ? *room * 2 : 1024;
	array = realloc(array, *room * size);
	if (!array)
		die("out of memory");
	return array;
}

static FILE *opened(const char *path)
{
	FILE *file = fopen(path, "rb");
	if (!file)
		die("cannot open %s", path);
	return file;
}

/* The next line without its end, or NULL; valid until the next call with the same ROOM. */
struct line {
	char *text;
	size_t room;
};

static char *next_line(FILE *file, struct line *line)
{
	ssize_t length = getline(&line->text, &line->room, file);
	if (length < 0)
		return NULL;
	if (length > 0 && line->text[length - 1] == '\n')
		line->text[length - 1] = '\0';
	return line->text;
}

static char *copied(const char *text, size_t length)
{
	char *copy = malloc(length + 1);
	if (!copy)
		die("out of memory");
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

/* ------------------------------------------------------------------------------------------------ addresses */

static uint32_t le(const uint8_t *p, int bytes)
{
	uint32_t n = 0;
	while (bytes-- > 0)
		n = n << 8 | p[bytes];
	return n;
}

static int print_addresses(const char *path, uint32_t step)
{
	static uint8_t head[65536];
	FILE *file = opened(path);
	size_t size = fread(head, 1, sizeof head, file);
	fclose(file);
	size_t pe = size > 64 ? le(head + 60, 4) : 0;
	if (pe == 0 || pe + 24 + 112 > size || memcmp(head + pe, "PE\0\0", 4) != 0 || step == 0)
		die("%s is no image, or the step 0", path);
	const uint8_t *optional = head + pe + 24;
	uint64_t base = le(optional + 28, 4);
	if (le(optional, 2) == 0x20b)
		base = le(optional + 24, 4) | (uint64_t)le(optional + 28, 4) << 32;
	const uint8_t *section = optional + le(head + pe + 20, 2);
	for (uint32_t n = le(head + pe + 6, 2); n > 0 && section + 40 <= head + size; n--, section += 40) {
		uint32_t in_memory = le(section + 8, 4), rva = le(section + 12, 4), bytes = le(section + 16, 4);
		if (!(le(section + 36, 4) & 0x20000020))
			continue;
		if (in_memory != 0 && in_memory < bytes)
			bytes = in_memory;
		for (uint32_t at = 0; at < bytes; at += step)
			printf("%" PRIx64 "\n", base + rva + at);
	}
	return 0;
}

/* -------------------------------------------------------------------------------------------------- answers */

/* One program's answers, one after the other: an address, then for each frame a function, a file and a line. */
struct program {
	const char *path;
	FILE *file;
	struct line next;
	bool has_next;
	uint64_t address;
	int count;
	struct line functions[FRAMES_MAX], places[FRAMES_MAX];
};

static bool is_address(const char *text)
{
	return strncmp(text, "0x", 2) == 0 && text[2] && text[2 + strspn(text + 2, "0123456789abcdef")] == '\0';
}

static void keep(struct line *to, const char *text)
{
	size_t size = strlen(text) + 1;
	if (size > to->room) {
		free(to->text);
		to->text = malloc(to->room = 2 * size);
		if (!to->text)
			die("out of memory");
	}
	memcpy(to->text, text, size);
}

static bool next_answer(struct program *program)
{
	if (!program->file) {
		program->file = opened(program->path);
		program->has_next = next_line(program->file, &program->next) != NULL;
	}
	if (!program->has_next)
		return false;
	if (!is_address(program->next.text))
		die("%s: no address: %s", program->path, program->next.text);
	program->address = strtoull(program->next.text, NULL, 16);
	program->count = 0;
	struct line place = { NULL, 0 };
	while ((program->has_next = next_line(program->file, &program->next) != NULL) &&
	       !is_address(program->next.text)) {
		if (program->count == FRAMES_MAX || !next_line(program->file, &place))
			die("%s: half an answer", program->path);
		char *discriminator = strstr(place.text, " (discriminator ");
		if (discriminator)
			*discriminator = '\0';
		keep(&program->functions[program->count], program->next.text);
		keep(&program->places[program->count++], place.text);
	}
	free(place.text);
	if (program->count == 0)
		die("%s: an answer without text", program->path);
	return true;
}

static bool has_line(const struct program *p)
{
	const char *colon = strrchr(p->places[0].text, ':');
	return colon && colon[1] >= '1' && colon[1] <= '9';
}

static bool has_file(const struct program *p)
{
	return strncmp(p->places[0].text, "??:", 3) != 0;
}

static bool has_name(const struct program *p)
{
	return strcmp(p->functions[0].text, "??") != 0;
}

/* Whether two places are the same; a line that is not known is 0 in one program and ? in the other. */
static bool same_place(const char *a, const char *b)
{
	const char *x = strrchr(a, ':'), *y = strrchr(b, ':');
	if (!x || !y || x - a != y - b || memcmp(a, b, (size_t)(x - a)) != 0)
		return false;
	return strcmp(x, y) == 0 || ((x[1] == '?' || x[1] == '0') && (y[1] == '?' || y[1] == '0'));
}

static bool all_frames;

static bool same_places(const struct program *a, const struct program *b, int first)
{
	if (all_frames && a->count != b->count)
		return false;
	for (int i = first; i < (all_frames ? a->count : 1); i++)
		if (!same_place(a->places[i].text, b->places[i].text))
			return false;
	return true;
}

/* --------------------------------------------------------------------------------------------------- names */

static bool is_i386;

/* NAME without i386 decoration, in a buffer of its own until the next call but one. */
static const char *undecorated(const char *name)
{
	static struct line buffers[2];
	static int turn;
	struct line *buffer = &buffers[turn ^= 1];
	keep(buffer, name);
	char *text = buffer->text, *at = strrchr(text, '@');
	if (!is_i386 || !at || at == text || !at[1] || at[1 + strspn(at + 1, "0123456789")])
		return text;
	*at = '\0';
	return text[0] == '@' && text[1] ? text + 1 : text;
}

/* The name of a COFF symbol as a table has it. */
static const char *coff_name(const char *name)
{
	if (strcmp(name, "??") == 0)
		return name;
	const char *plain = undecorated(name);
	return is_i386 && plain[0] == '_' && plain[1] ? plain + 1 : plain;
}

/* How much work it takes to see that names are the same. */
enum sameness { NOT_SAME, SAME_SHORTENED, SAME_UNDECORATED, SAME };

enum { NAME_LENGTH_MAX = 255 };

static struct long_name {
	char *full, *brief;
} * long_names;
static size_t long_count, long_room;

static void read_long_names(const char *path)
{
	FILE *file = opened(path);
	struct line line = { NULL, 0 };
	while (next_line(file, &line)) {
		size_t full = strcspn(line.text, "\t");
		if (!line.text[full])
			continue;
		long_names = grown(long_names, long_count, &long_room, sizeof *long_names);
		long_names[long_count++] = (struct long_name){
			copied(line.text, full), copied(line.text + full + 1, strlen(line.text + full + 1))
		};
	}
	fclose(file);
	free(line.text);
}

static enum sameness same_name(const char *ours, const char *theirs)
{
	if (strcmp(ours, theirs) == 0)
		return SAME;
	const char *plain = undecorated(theirs);
	/* GCC's DWARF has stdcall names without their underscore, clang's has _name@12. */
	const bool is_cut = strlen(plain) < strlen(theirs);
	if (strcmp(ours, plain) == 0 || (is_cut && plain[0] == '_' && strcmp(ours, plain + 1) == 0))
		return SAME_UNDECORATED;
	if (strlen(plain) <= NAME_LENGTH_MAX || strlen(ours) > NAME_LENGTH_MAX)
		return NOT_SAME;
	if (strlen(ours) == NAME_LENGTH_MAX && strncmp(ours, plain, NAME_LENGTH_MAX) == 0)
		return SAME_SHORTENED;
	for (size_t i = 0; i < long_count; i++)
		if (strcmp(long_names[i].full, plain) == 0 && strcmp(long_names[i].brief, ours) == 0)
			return SAME_SHORTENED;
	return NOT_SAME;
}

static enum sameness same_names(const struct program *ours, const struct program *gnu)
{
	enum sameness all = SAME;
	for (int i = 0; i < (all_frames ? ours->count : 1); i++) {
		enum sameness one = same_name(ours->functions[i].text, gnu->functions[i].text);
		if (one < all)
			all = one;
	}
	return all;
}

/* Whether THEIRS is the symbol of a part of OURS that gcc has moved away.  Ours is the name of the whole function. */
static bool is_cold_part(const char *ours, const char *theirs)
{
	size_t length = strlen(ours);
	return length > 0 && strncmp(ours, theirs, length) == 0 && strcmp(theirs + length, ".cold") == 0;
}

/* LLVM takes the name of the outermost frame from the symbols. */
static bool llvm_has_names(const struct program *ours, const struct program *llvm)
{
	if (all_frames && llvm->count != ours->count)
		return false;
	for (int i = 0; i < ours->count; i++) {
		const char *name = llvm->functions[i].text;
		name = i == llvm->count - 1 ? coff_name(name) : undecorated(name);
		if (!is_cold_part(ours->functions[i].text, name) &&
		    same_name(ours->functions[i].text, name) == NOT_SAME)
			return false;
	}
	return true;
}

/* ----------------------------------------------------------------------------------- symbols, lines, .stab */

struct numbers {
	uint64_t *at;
	size_t count, room;
};

static void add_number(struct numbers *numbers, uint64_t number)
{
	numbers->at = grown(numbers->at, numbers->count, &numbers->room, sizeof *numbers->at);
	numbers->at[numbers->count++] = number;
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

static void sort_numbers(struct numbers *numbers)
{
	if (numbers->count)
		qsort(numbers->at, numbers->count, sizeof *numbers->at, by_number);
}

/* The greatest number at or below ADDRESS, or 0. */
static uint64_t at_or_below(const struct numbers *numbers, uint64_t address)
{
	size_t low = 0, high = numbers->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (numbers->at[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? numbers->at[low - 1] : 0;
}

static struct numbers symbols, ends; /* of code; of sequences and of functions in .stab */

static void read_symbols(const char *path)
{
	FILE *file = opened(path);
	struct line line = { NULL, 0 };
	while (next_line(file, &line)) {
		char *end;
		uint64_t address = strtoull(line.text, &end, 16);
		/* A section's own name is no name. */
		if (end != line.text && end[0] == ' ' && strchr("tTwWiI", end[1]) && end[2] == ' ' && end[3] != '.')
			add_number(&symbols, address);
	}
	fclose(file);
	free(line.text);
	sort_numbers(&symbols);
}

struct row {
	uint64_t address, end; /* the end of its sequence */
	uint32_t line;
	uint32_t order;
};
static struct row *rows;
static size_t row_count, row_room;

static int by_row(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Rows are "FILE LINE ADDRESS ...", ends "FILE - ADDRESS"; nothing else has an address in third place or later. */
static void read_lines(const char *path)
{
	FILE *file = opened(path);
	struct line line = { NULL, 0 };
	size_t begin = 0;
	while (next_line(file, &line)) {
		char *address = strstr(line.text, " 0x");
		if (!address)
			continue;
		char *number = address;
		while (number > line.text && number[-1] == ' ')
			number--;
		char *number_end = number;
		while (number > line.text && number[-1] != ' ')
			number--;
		bool is_end = number_end - number == 1 && *number == '-';
		if (number == line.text || (!is_end && !isdigit((unsigned char)*number)))
			continue;
		uint64_t at = strtoull(address, NULL, 16);
		if (is_end) {
			for (; begin < row_count; begin++)
				rows[begin].end = at;
			add_number(&ends, at);
			continue;
		}
		rows = grown(rows, row_count, &row_room, sizeof *rows);
		rows[row_count] = (struct row){ at, 0, (uint32_t)strtoul(number, NULL, 10), (uint32_t)row_count };
		row_count++;
	}
	fclose(file);
	free(line.text);
	row_count = begin; /* what has no end is nothing */
	if (row_count)
		qsort(rows, row_count, sizeof *rows, by_row);
}

/* The row that holds at ADDRESS, or NULL. */
static const struct row *row_at(uint64_t address)
{
	size_t low = 0, high = row_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (rows[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && rows[low - 1].end > address ? &rows[low - 1] : NULL;
}

/* A function of .stab: what belongs to it is the text of STABS from FIRST to LAST. */
struct mark {
	uint64_t address;
	uint32_t line;
	char *file; /* of a function's: or a line */
};
struct function {
	uint64_t start, end;
	uint32_t order;
	char *name, *directory, *file;
	struct mark *marks;
	size_t count, room;
};
static struct function *functions;
static size_t function_count, function_room;
static struct mark *outside; /* lines outside of functions */
static size_t outside_count, outside_room;

static int by_start(const void *a, const void *b)
{
	const struct function *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void add_mark(struct function *function, struct mark mark)
{
	function->marks = grown(function->marks, function->count, &function->room, sizeof *function->marks);
	function->marks[function->count++] = mark;
}

static void read_stabs(const char *path)
{
	FILE *file = opened(path);
	struct line line = { NULL, 0 };
	char *directory = copied("", 0), *source = directory, *last_unit = NULL;
	struct function *now = NULL;
	struct numbers units = { NULL, 0, 0 };
	while (next_line(file, &line)) {
		int number, other, text_at = 0;
		char type[16];
		uint32_t description, strx;
		uint64_t value;
		if (sscanf(line.text, "%d %15s %d %" SCNu32 " %" SCNx64 " %" SCNu32 " %n", &number, type, &other,
			   &description, &value, &strx, &text_at) < 6 ||
		    text_at == 0) {
			last_unit = NULL;
			continue;
		}
		const char *text = line.text + text_at;
		if (strcmp(type, "SO") == 0) {
			add_number(&units, value);
			if (now && now->end == 0 && value > now->start)
				now->end = value;
			now = NULL;
			directory = last_unit && *text ? last_unit : copied("", 0);
			source = copied(text, strlen(text));
			last_unit = last_unit || !*text ? NULL : source;
			continue;
		}
		last_unit = NULL;
		if (strcmp(type, "SOL") == 0) {
			source = copied(text, strlen(text));
			if (now)
				add_mark(now, (struct mark){ value, 0, source });
		} else if (strcmp(type, "FUN") == 0 && !*text) {
			if (now)
				now->end = now->start + value;
			now = NULL;
		} else if (strcmp(type, "FUN") == 0) {
			functions = grown(functions, function_count, &function_room, sizeof *functions);
			now = &functions[function_count];
			*now = (struct function){ .start = value,
						  .order = (uint32_t)function_count++,
						  .name = copied(text, strcspn(text, ":")),
						  .directory = directory,
						  .file = source };
		} else if (strcmp(type, "SLINE") == 0 && now) {
			add_mark(now, (struct mark){ now->start + value, description, NULL });
		} else if (strcmp(type, "SLINE") == 0) {
			outside = grown(outside, outside_count, &outside_room, sizeof *outside);
			char *joined = malloc(strlen(source) + strlen(directory) + 1);
			if (!joined)
				die("out of memory");
			sprintf(joined, "%s%s", source[0] == '/' ? "" : directory, source);
			outside[outside_count++] = (struct mark){ value, description, joined };
		}
	}
	fclose(file);
	free(line.text);
	if (function_count)
		qsort(functions, function_count, sizeof *functions, by_start);
	sort_numbers(&units);
	for (size_t i = 0; i < function_count; i++) {
		if (functions[i].end == 0)
			continue;
		/* Functions that have a part elsewhere may be said to be longer than their file. */
		uint64_t unit = at_or_below(&units, functions[i].end - 1);
		while (unit > functions[i].start) {
			functions[i].end = unit;
			unit = at_or_below(&units, unit - 1);
		}
		add_number(&ends, functions[i].end);
	}
	free(units.at);
}

/* Whether the last line outside of functions, at or below the address of OURS, is that. */
static bool outside_confirms(const struct program *ours)
{
	const struct mark *mark = NULL;
	for (size_t i = 0; i < outside_count; i++)
		if (outside[i].address <= ours->address && (!mark || outside[i].address >= mark->address))
			mark = &outside[i];
	char place[8192];
	if (!mark)
		return false;
	snprintf(place, sizeof place, "%s:%" PRIu32, mark->file, mark->line);
	return strcmp(ours->places[0].text, place) == 0;
}

/* The function of .stab with ADDRESS, or NULL. */
static const struct function *stab_at(uint64_t address)
{
	size_t low = 0, high = function_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (functions[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < functions[low - 1].end ? &functions[low - 1] : NULL;
}

/* Whether .stab, read here, has OURS at its address. */
static bool stab_confirms(const struct function *function, const struct program *ours)
{
	const char *file = function->file;
	uint32_t line = 0;
	bool any = false;
	for (size_t i = 0; i < function->count; i++) {
		const struct mark *mark = &function->marks[i];
		if (mark->address > ours->address && (any || mark->file))
			break;
		if (mark->file) {
			file = mark->file;
		} else {
			line = mark->line;
			any = true;
		}
	}
	char place[8192];
	snprintf(place, sizeof place, "%s%s:%" PRIu32, file[0] == '/' ? "" : function->directory, file, line);
	return strcmp(ours->places[0].text, place) == 0 &&
	       same_name(ours->functions[0].text, function->name) != NOT_SAME;
}

/* ------------------------------------------------------------------------------------------------ comparing */

enum {
	ALL,
	LINE,
	LINE_EQUAL,
	LINE_DECORATION,
	LINE_LONG,
	LINE_ASSEMBLER,
	LINE_FILE,
	LINE_STABS_END,
	LINE_STABS_LINE,
	LINE_STABS_OUTSIDE,
	LINE_END,
	LINE_DIFFERENT,
	NAME,
	NAME_EQUAL,
	NAME_DIFFERENT,
	UNKNOWN,
	UNKNOWN_ALL,
	UNKNOWN_BEHIND,
	UNKNOWN_DIFFERENT,
	GNU_STABS_END,
	GNU_BIAS,
	GNU_GUESS,
	INLINED,
	CONFIRMED,
	COUNTS,
};

static uint32_t line_of(const struct program *program)
{
	return (uint32_t)strtoul(strrchr(program->places[0].text, ':') + 1, NULL, 10);
}

/* Whether a sequence of lines, or a function of .stab, has just ended, and ours goes on with it. */
static bool is_after_end(const struct program *ours)
{
	const struct row *row = row_at(ours->address - 1);
	if (row)
		return row->end == ours->address && row->line == line_of(ours) && !row_at(ours->address);
	const struct function *stab = function_count ? stab_at(ours->address - 1) : NULL;
	return stab && stab->end == ours->address && !stab_at(ours->address) &&
	       same_name(ours->functions[0].text, stab->name) != NOT_SAME;
}

static int line_class(const struct program *ours, const struct program *gnu, const struct program *llvm,
		      const struct program *gnu2)
{
	const bool only_llvm_names = !has_name(gnu) && has_name(ours) && llvm_has_names(ours, llvm);
	if (!has_line(gnu) && !has_line(llvm) && is_after_end(ours))
		return LINE_END;
	if (same_places(ours, gnu, 0)) {
		switch (same_names(ours, gnu)) {
		case SAME:
			return LINE_EQUAL;
		case SAME_UNDECORATED:
			return LINE_DECORATION;
		case SAME_SHORTENED:
			return LINE_LONG;
		case NOT_SAME:
			break;
		}
		if (only_llvm_names && same_places(ours, llvm, 0))
			return LINE_ASSEMBLER;
		return LINE_DIFFERENT;
	}
	if (function_count) {
		const struct function *stab = stab_at(ours->address);
		if (!stab && gnu2->address == ours->address && same_places(ours, gnu2, 0) &&
		    (same_names(ours, gnu2) != NOT_SAME || (same_places(ours, llvm, 0) && llvm_has_names(ours, llvm))))
			return LINE_STABS_END;
		if (!stab && !has_line(gnu) && outside_confirms(ours) && llvm_has_names(ours, llvm))
			return LINE_STABS_OUTSIDE;
		if (!stab)
			return LINE_DIFFERENT;
		if (!has_line(gnu) && stab_confirms(stab, ours))
			return LINE_STABS_LINE;
	}
	if (same_places(ours, gnu, 1) && (only_llvm_names || same_names(ours, gnu) != NOT_SAME) &&
	    same_places(ours, llvm, 0))
		return LINE_FILE;
	return LINE_DIFFERENT;
}

/* Why GNU says something where there are no lines; 0 if that cannot be. */
static int gnu_class(const struct program *ours, const struct program *gnu, const struct program *llvm)
{
	if (function_count && !stab_at(ours->address) && (has_name(gnu) || has_line(gnu)))
		return GNU_STABS_END;
	if (has_line(gnu) || has_name(gnu))
		return !has_line(llvm) && !row_at(ours->address) ? GNU_BIAS : 0;
	return has_file(gnu) ? GNU_GUESS : ALL;
}

static int other_class(const struct program *ours, const struct program *llvm, bool gnu_is_settled)
{
	if (has_name(ours))
		return gnu_is_settled && !has_line(llvm) && llvm_has_names(ours, llvm) ? NAME_EQUAL : NAME_DIFFERENT;
	if (!gnu_is_settled || has_line(llvm))
		return UNKNOWN_DIFFERENT;
	if (!has_name(llvm))
		return UNKNOWN_ALL;
	uint64_t end = at_or_below(&ends, ours->address);
	return end > at_or_below(&symbols, end ? ours->address : 0) ? UNKNOWN_BEHIND : UNKNOWN_DIFFERENT;
}

static void show(const char *who, const struct program *program)
{
	fprintf(stderr, "  %s:", who);
	for (int i = 0; i < program->count; i++)
		fprintf(stderr, "%s %s %s", i ? "," : "", program->functions[i].text, program->places[i].text);
	fputc('\n', stderr);
}

static int compare(char **paths)
{
	static struct program ours, gnu, llvm, gnu2;
	static uint64_t counts[COUNTS];
	ours.path = paths[0];
	gnu.path = paths[1];
	llvm.path = paths[2];
	read_symbols(paths[3]);
	read_lines(paths[4]);
	read_stabs(paths[5]);
	gnu2.path = paths[6];
	bool has_stabs = next_answer(&gnu2);
	gnu2 = (struct program){ .path = paths[6] };
	read_long_names(paths[7]);
	sort_numbers(&ends);
	while (next_answer(&ours)) {
		if (!next_answer(&gnu) || !next_answer(&llvm) || gnu.address != ours.address ||
		    llvm.address != ours.address)
			die("0x%" PRIx64 ": not all have answered", ours.address);
		if (has_stabs && !next_answer(&gnu2))
			die("0x%" PRIx64 ": no answer without .stab", ours.address);
		counts[ALL]++;
		int class;
		if (has_line(&ours) || has_file(&ours)) {
			counts[LINE]++;
			class = line_class(&ours, &gnu, &llvm, &gnu2);
			const struct row *row = row_at(ours.address - (class == LINE_END));
			counts[CONFIRMED] += row && row->line == line_of(&ours);
			counts[INLINED] += llvm.count > 1;
		} else {
			int why = gnu_class(&ours, &gnu, &llvm);
			counts[has_name(&ours) ? NAME : UNKNOWN]++;
			class = other_class(&ours, &llvm, why != 0 || (!has_name(&gnu) && !has_line(&gnu)));
			if (why)
				counts[why]++;
		}
		counts[class]++;
		if ((class == LINE_DIFFERENT || class == NAME_DIFFERENT || class == UNKNOWN_DIFFERENT) &&
		    counts[class] <= SHOWN_MAX) {
			fprintf(stderr, "0x%" PRIx64 ":\n", ours.address);
			show("ours", &ours);
			show("GNU", &gnu);
			show("LLVM", &llvm);
		}
	}
	if (counts[ALL] == 0 || next_answer(&gnu) || next_answer(&llvm))
		die("no answers, or not all have the same number of them");
	for (int i = 0; i < COUNTS; i++)
		printf("%" PRIu64 "%c", counts[i], i + 1 < COUNTS ? '\t' : '\n');
	return counts[LINE_DIFFERENT] + counts[NAME_DIFFERENT] + counts[UNKNOWN_DIFFERENT] != 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], "addresses") == 0)
		return print_addresses(argv[2], (uint32_t)strtoul(argv[3], NULL, 10));
	if (argc > 1 && strcmp(argv[1], "-i") == 0) {
		all_frames = true;
		argc--;
		argv++;
	}
	if (argc != 10)
		die("wrong arguments: see the source");
	is_i386 = strcmp(argv[1], "i386") == 0;
	return compare(argv + 2);
}

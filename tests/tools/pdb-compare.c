/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pdb-compare - what rossym and llvm-symbolizer say about each byte of code of an image whose symbols are in a PDB
 *
 *	pdb-compare addresses IMAGE
 *		prints the RVA of each byte of the sections with code
 *	pdb-compare [-c] compare IMAGE DUMP WITNESS OURS
 *		IMAGE can be the section headers alone.
 *		Compares the answers for these RVAs: WITNESS of llvm-symbolizer (-a -f -i --no-demangle
 *		--output-style=GNU --relative-address), OURS of rossym-addr2line -a -f -i with the bare table.  DUMP is what
 *		"llvm-pdbutil dump" prints for --symbols, --publics, --l and --section-contribs.  With -c the compiler was
 *		Microsoft's, for which the witness loses inlined frames.
 *
 * It shares no code with the library, on purpose.  The witness has known faults, so a difference is not taken on trust:
 * DUMP must say that the witness is wrong in a way that is known, and that ours is right.  Each byte is counted once
 * for its name, that of the function which is not inlined, and once for its place, the lines of all frames and the
 * names of inlined ones.
 *
 * Names:
 *	name		ours is the witness's
 *	public		the witness has the public symbol at the procedure's address; ours is the procedure's name
 *	folded		several procedures begin there (identical code folding); each has one of their names
 *	label		no procedure is there; ours is the undecorated name of the nearest public symbol, which belongs to the same
 *			section contribution
 *	thunk		ours is the name of the thunk that is there, for which the witness has a public symbol
 *	beyond		no procedure is there, and what the nearest public symbol names has ended, with its procedure or section
 *			contribution: it is padding.  The witness has the nearest name, however far; ours is unknown
 *	data		the nearest public symbol is not of a function; ours is unknown
 *	after		the first byte after a range of lines, see "end" below: ours is the name of the byte before
 *	trampoline	a jump of an incremental link, which the witness does not know; ours is "@ILT+...", as debuggers have it
 *	unwitnessed	DUMP has no public symbols at all, for llvm-pdbutil cannot read those of /DEBUG:FASTLINK, and the
 *			witness has an empty line
 *	none		both know nothing, or the witness has an empty line (then DUMP has nothing either)
 *
 * Places:
 *	place		all frames are the witness's
 *	equal		two entries of the line table have this address; the witness has the first, ours is the last, which is
 *			also what the witness has for the next byte
 *	mixed		the range has lines of several files; ours is the last entry at or before the byte, the witness has
 *			that of another of the files alone
 *	before		the byte is before the first entry of its range; the witness has the first entry, ours is unknown
 *	other-range	several ranges of lines cover the byte (folding); each has the line of one of them
 *	hidden		the witness has 15732480 or 16707566, numbers for "no line"; ours is unknown
 *	end		the first byte after a range, for which the witness has no line; ours is the range's last line, as it is
 *			after a call (tests/embed/cli-embed-ends.sh)
 *	lines		with -c: the frames are the same but for lines of inlined functions (the witness applies a change of
 *			the line to the code before it)
 *	dropped		with -c: the frames of the witness are some of ours, in the same order
 *	unnamed		with -c: the frames are the same, but the witness has no names for inlined functions: older compilers
 *			have the ids among the types, where it does not look
 *	unknown		both know nothing
 *
 * All else is different: the first few are printed to stderr, and the status is 1.  On stdout is one line: pairs of a
 * case and a count, and at last "inlined": bytes with more than one frame in ours.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_MAX = 64, SHOWN_MAX = 8 };

static void die(const char *what, const char *which)
{
	fprintf(stderr, "pdb-compare: %s: %s\n", which, what);
	exit(2);
}

static void *grow(void *array, size_t count, size_t size)
{
	if ((count & (count + 1)) != 0 && count != 0) /* room is one less than a power of two */
		return array;
	array = realloc(array, (count + 1) * 2 * size);
	if (!array)
		die("out of memory", "array");
	return array;
}

static char *copy(const char *text, size_t length)
{
	char *own = malloc(length + 1);
	if (!own)
		die("out of memory", "string");
	memcpy(own, text, length);
	own[length] = '\0';
	return own;
}

static bool same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static FILE *open_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	if (!file)
		die("cannot be opened", path);
	return file;
}

/* -------------------------------------------------------------------------------------------- the image */

static struct section {
	uint32_t rva, size;
	bool code;
} sections[96];
static unsigned section_count;

static uint32_t u32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void read_image(const char *path)
{
	static uint8_t bytes[8192];
	FILE *file = open_file(path);
	size_t size = fread(bytes, 1, sizeof bytes, file), pe = size > 64 ? u32(bytes + 60) : size, at = 0,
	       count = size / 40;
	fclose(file);
	if (size > 2 && memcmp(bytes, "MZ", 2) == 0) {
		if (pe + 24 > size)
			die("no image", path);
		at = pe + 24 + bytes[pe + 20] + 256u * bytes[pe + 21];
		count = bytes[pe + 6];
	}
	for (size_t i = 0; i < count && i < 96 && at + 40 <= size; i++, at += 40)
		sections[section_count++] = (struct section){ u32(bytes + at + 12), u32(bytes + at + 8),
							      (u32(bytes + at + 36) & 0x20000020) != 0 };
}

/* The RVA of OFFSET in section NUMBER, which begins at 1; 0 if there is no such section. */
static uint32_t rva_of(unsigned number, uint32_t offset)
{
	return number >= 1 && number <= section_count ? sections[number - 1].rva + offset : 0;
}

static void print_addresses(void)
{
	for (unsigned i = 0; i < section_count; i++)
		for (uint32_t at = 0; sections[i].code && at < sections[i].size; at++)
			printf("0x%" PRIx32 "\n", sections[i].rva + at);
}

/* --------------------------------------------------------------------------------------------- the dump */

/* A procedure, a thunk, a public symbol (size 0), or a section contribution (no name). */
struct symbol {
	uint32_t begin, size;
	char *name;
	bool data; /* a public symbol that is not of a function */
};

struct symbols {
	struct symbol *list;
	size_t count;
};
static struct symbols procedures, thunks, trampolines, publics, contributions;

struct entry {
	uint32_t rva, line;
	const char *file;
};

/* Lines of a range of code: of several files, one after the other. */
static struct range {
	uint32_t begin, end;
	bool files; /* of more than one file */
	struct entry *entries;
	size_t count;
} * ranges;
static size_t range_count;

static void add_symbol(struct symbols *symbols, struct symbol symbol)
{
	symbols->list = grow(symbols->list, symbols->count, sizeof *symbols->list);
	symbols->list[symbols->count++] = symbol;
}

/* The address in "addr = 0001:0640", both decimal. */
static bool read_address(const char *line, uint32_t *rva)
{
	const char *at = strstr(line, "addr = ");
	unsigned section, offset;
	return at && sscanf(at, "addr = %u:%u", &section, &offset) == 2 && (*rva = rva_of(section, offset)) != 0;
}

static uint32_t number_after(const char *line, const char *what)
{
	const char *at = strstr(line, what);
	return at ? (uint32_t)strtoul(at + strlen(what), NULL, 10) : 0;
}

/* Read "  100 | S_GPROC32 [size = 60] `name`": the kind and the name are kept until a line with the address follows. */
static bool read_record(const char *line, char kind[32], char **name)
{
	if (sscanf(line, " %*u | %31s [size", kind) != 1)
		return false;
	const char *begin = strchr(line, '`'), *end = strrchr(line, '`');
	*name = begin && end > begin ? copy(begin + 1, (size_t)(end - begin - 1)) : NULL;
	return true;
}

static void read_symbol(const char *line, const char *kind, char *name)
{
	struct symbol symbol = { .name = name };
	const char *source = strstr(line, ", source = ");
	unsigned section, offset;
	if (strcmp(kind, "S_TRAMPOLINE") == 0 && source && sscanf(source, ", source = %u:%u", &section, &offset) == 2) {
		symbol.begin = rva_of(section, offset);
		symbol.size = number_after(line, ", size = ");
		add_symbol(&trampolines, symbol);
	}
	if (!name || !read_address(line, &symbol.begin))
		return;
	if (strcmp(kind, "S_GPROC32") == 0 || strcmp(kind, "S_LPROC32") == 0) {
		symbol.size = number_after(line, "code size = ");
		add_symbol(&procedures, symbol);
	} else if (strcmp(kind, "S_THUNK32") == 0) {
		symbol.size = number_after(line, ", size = ");
		add_symbol(&thunks, symbol);
	} else if (strcmp(kind, "S_PUB32") == 0) {
		symbol.data = !strstr(line, "function");
		add_symbol(&publics, symbol);
	}
}

static void read_contribution(const char *line)
{
	unsigned module, section, offset, size;
	struct symbol symbol = { .name = NULL };
	if (sscanf(line, " SC[%*[^]]] | mod = %u, %u:%u, size = %u", &module, &section, &offset, &size) != 4)
		return;
	symbol.begin = rva_of(section, offset);
	symbol.size = size;
	if (symbol.begin && size)
		add_symbol(&contributions, symbol);
}

/* Begin with the lines of FILE in a range of code: of a new one, or of another file in the last one.  Two ranges of one
   file are those of functions that were folded. */
static void add_range(uint32_t begin, uint32_t end, const char *file, bool new_module)
{
	struct range *last = range_count && !new_module ? &ranges[range_count - 1] : NULL;
	if (last && last->begin == begin && last->end == end && last->count &&
	    !same(last->entries[last->count - 1].file, file)) {
		last->files = true;
		return;
	}
	ranges = grow(ranges, range_count, sizeof *ranges);
	ranges[range_count++] = (struct range){ begin, end, false, NULL, 0 };
}

/* Lines are "   5 00000007 !   6 0000000A", many in a line; a "!" is left out by some compilers. */
static void read_entries(const char *line, unsigned section, const char *file)
{
	struct range *range = &ranges[range_count - 1];
	unsigned number, offset;
	int used;
	while (sscanf(line, " %u %8x%n", &number, &offset, &used) == 2) {
		range->entries = grow(range->entries, range->count, sizeof *range->entries);
		range->entries[range->count++] = (struct entry){ rva_of(section, offset), number, file };
		line += used;
		line += strspn(line, " !");
	}
}

static void read_dump(const char *path)
{
	static char line[1 << 16];
	char kind[32] = "", *name = NULL, *file_name = NULL;
	bool in_lines = false, new_module = false;
	unsigned section = 0, segment, begin, end, number;
	FILE *file = open_file(path);
	while (fgets(line, sizeof line, file)) {
		line[strcspn(line, "\r\n")] = '\0';
		if (line[0] == ' ' && line[1] == ' ' && isupper((unsigned char)line[strspn(line, " ")]) &&
		    strncmp(line, "  SC[", 5) != 0)
			in_lines = false;
		if (strstr(line, "    Lines    ")) {
			in_lines = true;
			section = 0;
		} else if (in_lines && strncmp(line, "Mod ", 4) == 0) {
			new_module = true;
		} else if (in_lines &&
			   sscanf(line, " %4u:%8x-%8x, line/addr entries = %u", &segment, &begin, &end, &number) == 4) {
			section = segment;
			add_range(rva_of(section, begin), rva_of(section, end), file_name, new_module);
			new_module = false;
		} else if (in_lines && line[0] != ' ' && strchr(line, '(')) {
			char *checksum = strstr(line, " (MD5: ");
			checksum = checksum ? checksum : strstr(line, " (SHA");
			checksum = checksum ? checksum : strstr(line, " (no checksum");
			file_name = copy(line, checksum ? (size_t)(checksum - line) : strlen(line));
		} else if (in_lines && line[0] == ' ' && section) {
			read_entries(line, section, file_name);
		} else if (strncmp(line, "  SC[", 5) == 0) {
			read_contribution(line);
		} else if (!read_record(line, kind, &name) && (name || strcmp(kind, "S_TRAMPOLINE") == 0)) {
			read_symbol(line, kind, name);
			name = strstr(line, "addr = ") ? NULL : name;
		}
	}
	fclose(file);
}

/* ------------------------------------------------------------------------------------------ the answers */

struct frame {
	char *function; /* NULL: unknown */
	char *file;	/* NULL: unknown */
	uint32_t line;
};

struct answer {
	struct frame frames[FRAMES_MAX];
	unsigned count;
};

struct answers {
	FILE *file;
	const char *path;
	bool begun;
	char line[1 << 16];
};

static bool next_line(struct answers *answers)
{
	if (!fgets(answers->line, sizeof answers->line, answers->file))
		return false;
	answers->line[strcspn(answers->line, "\r\n")] = '\0';
	return true;
}

static bool is_address(const char *line)
{
	return line[0] == '0' && line[1] == 'x' && isxdigit((unsigned char)line[2]) &&
	       line[2 + strspn(line + 2, "0123456789abcdefABCDEF")] == '\0';
}

static void read_place(struct answers *answers, struct frame *frame)
{
	char *colon = strrchr(answers->line, ':');
	if (!colon)
		die("no place", answers->path);
	*colon = '\0';
	frame->line = (uint32_t)strtoul(colon + 1, NULL, 10);
	frame->file = strcmp(answers->line, "??") == 0 ? NULL : copy(answers->line, strlen(answers->line));
}

static void clear_answer(struct answer *answer)
{
	for (unsigned i = 0; i < answer->count; i++) {
		free(answer->frames[i].function);
		free(answer->frames[i].file);
	}
	answer->count = 0;
}

/* Read the record for RVA.  False at the end of the file. */
static bool next_answer(struct answers *answers, struct answer *answer, uint32_t *rva)
{
	clear_answer(answer);
	if (!answers->begun && !next_line(answers))
		return false;
	if (!is_address(answers->line))
		die("an address is missing", answers->path);
	*rva = (uint32_t)strtoul(answers->line, NULL, 16);
	answers->begun = false;
	while (next_line(answers)) {
		if (is_address(answers->line)) {
			answers->begun = true;
			break;
		}
		if (answer->count == FRAMES_MAX)
			die("too many frames", answers->path);
		struct frame *frame = &answer->frames[answer->count++];
		bool unknown = strcmp(answers->line, "??") == 0 || answers->line[0] == '\0';
		frame->function = unknown ? NULL : copy(answers->line, strlen(answers->line));
		if (!next_line(answers))
			die("it ends early", answers->path);
		read_place(answers, frame);
	}
	if (answer->count == 0)
		die("a record is empty", answers->path);
	return true;
}

/* ------------------------------------------------------------------------------------------------ cases */

enum name_case {
	NAME,
	PUBLIC,
	FOLDED,
	LABEL,
	THUNK,
	BEYOND,
	DATA,
	AFTER,
	TRAMPOLINE,
	UNWITNESSED,
	NONE,
	NAME_DIFFERENT,
	NAME_CASES
};
enum place_case {
	PLACE,
	EQUAL,
	MIXED,
	BEFORE,
	OTHER_RANGE,
	HIDDEN,
	END,
	LINES,
	DROPPED,
	UNNAMED,
	UNKNOWN,
	PLACE_DIFFERENT,
	PLACE_CASES
};

static const char *const name_cases[] = { "name", "public", "folded",	  "label",	 "thunk", "beyond",
					  "data", "after",  "trampoline", "unwitnessed", "none",  "different-name" };
static const char *const place_cases[] = { "place", "equal", "mixed",	"before",  "other-range", "hidden",
					   "end",   "lines", "dropped", "unnamed", "unknown",	  "different-place" };

static bool covers(const struct symbol *symbol, uint32_t rva)
{
	return rva >= symbol->begin && rva - symbol->begin < symbol->size;
}

/* Whether NAME is DECORATED without what calling conventions add on i386: _f, _f@8, @f@8. */
static bool is_undecorated(const char *name, const char *decorated)
{
	size_t length = strlen(name);
	const char *begin = decorated;
	if (strcmp(name, decorated) == 0)
		return true;
	if (*begin == '_' || *begin == '@')
		begin++;
	if (strncmp(begin, name, length) != 0)
		begin = decorated;
	return strncmp(begin, name, length) == 0 &&
	       (begin[length] == '\0' ||
		(begin[length] == '@' && begin[length + 1 + strspn(begin + length + 1, "0123456789")] == '\0'));
}

/* Whether NAME is the name of SYMBOL.  Assemblers give symbols decorated names, such as @f@8; NAME is f then. */
static bool is_called(const struct symbol *symbol, const char *name)
{
	return same(symbol->name, name) ||
	       (symbol->name && name && strchr(symbol->name, '@') && is_undecorated(name, symbol->name));
}

/* Whether one of SYMBOLS that covers RVA is called NAME. */
static bool has_covering(const struct symbols *symbols, uint32_t rva, const char *name)
{
	for (size_t i = 0; i < symbols->count; i++)
		if (covers(&symbols->list[i], rva) && is_called(&symbols->list[i], name))
			return true;
	return false;
}

static const struct symbol *first_covering(const struct symbols *symbols, uint32_t rva)
{
	for (size_t i = 0; i < symbols->count; i++)
		if (covers(&symbols->list[i], rva))
			return &symbols->list[i];
	return NULL;
}

/* Whether a public symbol NAME is at RVA. */
static bool is_public_at(uint32_t rva, const char *name)
{
	for (size_t i = 0; i < publics.count; i++)
		if (publics.list[i].begin == rva && same(publics.list[i].name, name))
			return true;
	return false;
}

/* Whether a public symbol NAME is where one of SYMBOLS that cover RVA begins. */
static bool is_public_of(const struct symbols *symbols, uint32_t rva, const char *name)
{
	for (size_t i = 0; i < symbols->count; i++)
		if (covers(&symbols->list[i], rva) && is_public_at(symbols->list[i].begin, name))
			return true;
	return false;
}

/* The address of the nearest public symbol at or below RVA; 0 if there is none. */
static uint32_t nearest_public(uint32_t rva)
{
	uint32_t nearest = 0;
	for (size_t i = 0; i < publics.count; i++)
		if (publics.list[i].begin <= rva && publics.list[i].begin > nearest)
			nearest = publics.list[i].begin;
	return nearest;
}

static bool is_data_at(uint32_t rva)
{
	bool data = false;
	for (size_t i = 0; i < publics.count; i++)
		if (publics.list[i].begin == rva && !publics.list[i].data)
			return false;
		else
			data |= publics.list[i].begin == rva;
	return data;
}

/* Whether a range of lines ends at RVA. */
static bool is_end(uint32_t rva)
{
	for (size_t i = 0; i < range_count; i++)
		if (ranges[i].end == rva)
			return true;
	return false;
}

/* Whether NAME is a::b and the linkage name ?b@a@@...: what is around comes after what is in it. */
static bool is_qualified(const char *name, const char *linkage)
{
	size_t left = strlen(name);
	if (*linkage++ != '?')
		return false;
	for (;;) {
		size_t length = strcspn(linkage, "@");
		if (length > left || length == 0 || memcmp(name + left - length, linkage, length) != 0)
			return false;
		left -= length;
		linkage += length + (linkage[length] == '@');
		if (*linkage == '@')
			return left == 0;
		if (left < 2 || memcmp(name + left - 2, "::", 2) != 0)
			return false;
		left -= 2;
	}
}

static bool is_label(uint32_t at, const char *name)
{
	for (size_t i = 0; i < publics.count; i++)
		if (publics.list[i].begin == at &&
		    (is_undecorated(name, publics.list[i].name) || is_qualified(name, publics.list[i].name)))
			return true;
	return false;
}

/* Whether what the nearest public symbol names ends before RVA, where no procedure is. */
static bool is_beyond(uint32_t rva)
{
	const struct symbol *contribution = first_covering(&contributions, rva);
	uint32_t nearest = nearest_public(rva);
	for (size_t i = 0; i < procedures.count; i++)
		if (procedures.list[i].begin >= nearest && procedures.list[i].begin <= rva)
			return true;
	return !contribution || nearest < contribution->begin;
}

static enum name_case judge_name(uint32_t rva, const char *witness, const char *ours)
{
	const struct symbol *procedure = first_covering(&procedures, rva), *thunk = first_covering(&thunks, rva);
	if (procedure) {
		if (!has_covering(&procedures, rva, ours))
			return NAME_DIFFERENT;
		if (same(witness, ours))
			return NAME;
		if (is_public_at(procedure->begin, witness) && is_called(procedure, ours))
			return PUBLIC;
		return has_covering(&procedures, rva, witness) || is_public_of(&procedures, rva, witness)
			       ? FOLDED
			       : NAME_DIFFERENT;
	}
	if (!witness && ours && strncmp(ours, "@ILT+", 5) == 0 && first_covering(&trampolines, rva))
		return TRAMPOLINE;
	if (!witness && publics.count == 0)
		return ours ? UNWITNESSED : NONE;
	/* Without a procedure the witness has the nearest public symbol, or nothing if there is none. */
	uint32_t nearest = nearest_public(rva);
	if (witness ? !is_public_at(nearest, witness) : nearest && !thunk)
		return NAME_DIFFERENT;
	if (thunk && same(thunk->name, ours))
		return same(witness, ours) ? NAME : THUNK;
	if (!ours)
		return !witness ? NONE : is_beyond(rva) ? BEYOND : is_data_at(nearest) ? DATA : NAME_DIFFERENT;
	if (is_end(rva) && has_covering(&procedures, rva - 1, ours))
		return AFTER;
	if (!is_label(nearest, ours) || is_beyond(rva))
		return NAME_DIFFERENT;
	return same(witness, ours) ? NAME : LABEL;
}

/* What one range says about RVA: entries [*FIRST, *LAST] have the highest address at or below it.  False if it is not
   covered, or before the first. */
static bool entries_at(const struct range *range, uint32_t rva, size_t *first, size_t *last)
{
	bool found = false;
	if (rva < range->begin || rva >= range->end)
		return false;
	for (size_t i = 0; i < range->count; i++) {
		const struct entry *entry = &range->entries[i];
		if (entry->rva > rva || (found && entry->rva < range->entries[*last].rva))
			continue;
		if (!found || entry->rva > range->entries[*last].rva)
			*first = i;
		*last = i;
		found = true;
	}
	return found;
}

static bool is_entry(const struct range *range, size_t number, const struct frame *frame)
{
	const struct entry *entry = &range->entries[number];
	return frame->file && strcmp(frame->file, entry->file) == 0 && entry->line == frame->line;
}

/* Whether FRAME is an entry of the last address at or before RVA that its own file has, or the first if it has none. */
static bool is_of_file(const struct range *range, uint32_t rva, const struct frame *frame)
{
	const struct entry *last = NULL;
	for (size_t i = 0; i < range->count; i++) {
		const struct entry *entry = &range->entries[i];
		if (same(entry->file, frame->file) && (!last || (entry->rva <= rva && entry->rva >= last->rva)))
			last = entry;
	}
	for (size_t i = 0; last && i < range->count; i++)
		if (range->entries[i].rva == last->rva && is_entry(range, i, frame))
			return true;
	return false;
}

/* Which roles the place of FRAME has for RVA in the ranges of the dump. */
struct roles {
	bool first, last; /* the first or last of the entries with the nearest address */
	bool before;	  /* the first entry of a range, where RVA is before that */
	bool end;	  /* the last entry of a range that ends at RVA */
	bool of_file;	  /* the last entry of its file, in a range with several */
	bool ranges;	  /* more than one range covers RVA */
};

static struct roles roles_of(uint32_t rva, const struct frame *frame)
{
	struct roles roles = { .first = false };
	unsigned covering = 0;
	for (size_t i = 0; i < range_count; i++) {
		const struct range *range = &ranges[i];
		size_t first = 0, last = 0;
		if (range->count == 0)
			continue;
		covering += rva >= range->begin && rva < range->end;
		if (entries_at(range, rva, &first, &last)) {
			roles.first |= is_entry(range, first, frame);
			roles.last |= is_entry(range, last, frame);
			roles.of_file |= range->files && is_of_file(range, rva, frame);
		} else if (rva >= range->begin && rva < range->end) {
			roles.before |= is_entry(range, 0, frame);
		} else if (range->end == rva && entries_at(range, rva - 1, &first, &last)) {
			roles.end |= is_entry(range, last, frame);
		}
	}
	roles.ranges = covering > 1;
	return roles;
}

/* The places of the functions that are not inlined. */
static enum place_case judge_line(uint32_t rva, const struct frame *witness, const struct frame *ours)
{
	if (same(witness->file, ours->file) && witness->line == ours->line)
		return witness->line ? PLACE : UNKNOWN;
	struct roles its = roles_of(rva, witness), our = roles_of(rva, ours);
	if ((witness->line == 0xf00f00 || witness->line == 0xfeefee) && !ours->line)
		return HIDDEN;
	if (its.first && our.last && !its.ranges)
		return EQUAL;
	if (its.of_file && our.last)
		return MIXED;
	if (its.before && !ours->line)
		return BEFORE;
	if (!witness->line && our.end)
		return END;
	return its.ranges && (its.first || its.last) && our.last ? OTHER_RANGE : PLACE_DIFFERENT;
}

static bool same_frame(const struct frame *a, const struct frame *b)
{
	return same(a->function, b->function) && same(a->file, b->file) && a->line == b->line;
}

/* Whether the frames inside the outermost one are the same. */
static bool same_inner(const struct answer *witness, const struct answer *ours)
{
	if (witness->count != ours->count)
		return false;
	for (unsigned i = 0; i + 1 < ours->count; i++)
		if (!same_frame(&witness->frames[i], &ours->frames[i]))
			return false;
	return true;
}

/* Whether the witness's name of an inlined function can be ours: it has none where the ids are among the types. */
static bool may_be(const char *witness, const char *ours)
{
	return !witness || same(witness, ours);
}

/* Whether the inlined functions of the witness are some of ours, in the same order. */
static bool is_part(const struct answer *witness, const struct answer *ours)
{
	unsigned at = 0;
	for (unsigned i = 0; i + 1 < ours->count && at + 1 < witness->count; i++)
		at += may_be(witness->frames[at].function, ours->frames[i].function);
	return at + 1 >= witness->count && witness->count < ours->count;
}

/* Whether all frames have the same functions and files, and if LINES also the same lines. */
static bool is_alike(const struct answer *witness, const struct answer *ours, bool lines)
{
	bool equal = witness->count == ours->count;
	for (unsigned i = 0; equal && i + 1 < ours->count; i++) {
		const struct frame *a = &witness->frames[i], *b = &ours->frames[i];
		equal = may_be(a->function, b->function) && same(a->file, b->file) && (!lines || a->line == b->line);
	}
	return equal;
}

static bool by_microsoft;

static enum place_case judge_place(uint32_t rva, const struct answer *witness, const struct answer *ours)
{
	enum place_case outermost = judge_line(rva, &witness->frames[witness->count - 1],
					       &ours->frames[ours->count - 1]);
	if (outermost == PLACE_DIFFERENT || same_inner(witness, ours))
		return outermost;
	if (by_microsoft && is_alike(witness, ours, false))
		return is_alike(witness, ours, true) ? UNNAMED : LINES;
	return by_microsoft && is_part(witness, ours) ? DROPPED : PLACE_DIFFERENT;
}

/* ---------------------------------------------------------------------------------------------- the run */

static void show_answer(const char *who, const struct answer *answer)
{
	for (unsigned i = 0; i < answer->count; i++) {
		const struct frame *frame = &answer->frames[i];
		fprintf(stderr, "  %s %s %s:%" PRIu32 "\n", who, frame->function ? frame->function : "??",
			frame->file ? frame->file : "??", frame->line);
	}
}

static int compare(const char *witness_path, const char *ours_path)
{
	static struct answers theirs, ours;
	static struct answer witness, answer;
	unsigned long names[NAME_CASES] = { 0 }, places[PLACE_CASES] = { 0 }, bytes = 0, inlined = 0, shown = 0;
	uint32_t rva, again;
	theirs = (struct answers){ .file = open_file(witness_path), .path = witness_path };
	ours = (struct answers){ .file = open_file(ours_path), .path = ours_path };
	while (next_answer(&ours, &answer, &rva)) {
		if (!next_answer(&theirs, &witness, &again) || again != rva)
			die("it does not answer for the same addresses", witness_path);
		enum name_case name = judge_name(rva, witness.frames[witness.count - 1].function,
						 answer.frames[answer.count - 1].function);
		enum place_case place = judge_place(rva, &witness, &answer);
		bytes++;
		inlined += answer.count > 1;
		names[name]++;
		places[place]++;
		if ((name == NAME_DIFFERENT || place == PLACE_DIFFERENT) && shown++ < SHOWN_MAX) {
			fprintf(stderr, "0x%" PRIx32 ":\n", rva);
			show_answer("llvm", &witness);
			show_answer("ours", &answer);
		}
	}
	if (next_answer(&theirs, &witness, &again))
		die("it answers for more addresses", witness_path);
	printf("bytes %lu", bytes);
	for (int i = 0; i < NAME_CASES; i++)
		printf(" %s %lu", name_cases[i], names[i]);
	for (int i = 0; i < PLACE_CASES; i++)
		printf(" %s %lu", place_cases[i], places[i]);
	printf(" inlined %lu\n", inlined);
	return bytes == 0 || names[NAME_DIFFERENT] || places[PLACE_DIFFERENT];
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "-c") == 0) {
		by_microsoft = true;
		argv++;
		argc--;
	}
	if (argc == 3 && strcmp(argv[1], "addresses") == 0) {
		read_image(argv[2]);
		print_addresses();
		return 0;
	}
	if (argc != 6 || strcmp(argv[1], "compare") != 0)
		die("wrong arguments", "pdb-compare");
	read_image(argv[2]);
	read_dump(argv[3]);
	return compare(argv[4], argv[5]);
}

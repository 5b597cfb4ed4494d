/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debugcases.h - cases (cases.h) of what the readers of debug information make of an image: after the tab is what is checked, with the
 * name of the test, and in front of it an image, or what is expected of the image that was read last:
 *
 *	base 400000			a new image
 *	section .text 1000 100 code	name, RVA, size, code or data
 *	symbol _f 0 1 function external	name, value, section or "absolute", function or "-", external, static or label
 *		image f is read
 *	1000 f :0
 *		rows f has a row
 *
 * Numbers are hexadecimal, but those of warnings, functions, lines and stabs' descriptions.
 *
 * Other statements of images: "base BASE wide" is an image for 64 bits, and a size with "calls" after it is content of nothing but calls.
 * "options decorated data no_inlines no_frames wanted=RVA" of debuginfo_options; an image that begins with them is the last one, read
 * again.  "machine 1c4" changes the header.  "stabs" begins the sections for "stab TYPE DESC VALUE TEXT", where "+RVA" is an address, and
 * "shift N" is added to these from there on; "object" ends what is of one object file; "offset N" changes where the last text is said
 * to be, "half N" appends four bytes.
 *
 * Statements for DWARF; ITEMS are bytes in the language of bytetext.h, whose labels and lengths may span lines:
 *
 *	dwarf 5 4 8		a new image with .text from 1000 to 2000: DWARF version, bytes of an offset and of an address; and perhaps
 *				the image base
 *	encoding 5 4 4		others from here on
 *	line: ITEMS		the bytes go to .debug_line; ".rdata: ITEMS" to a section of that name; those of "info.dwo" and the like, and
 *				of "cu_index", to another file, for checks of one test
 *	abbrev 7 inlined+ name:string call_line:implicit_const=10	to .debug_abbrev; + is for children; the form "sec" is the one that
 *				the version has for offsets
 *	unit partial		the header of a unit, at the label "unit"; without a word of a compile unit.  "end" ends it
 *	rows 1000/1/5 1010	a sequence of .debug_line: RVA, file and line of each row, and its end
 *	put line LABEL+4 ITEMS	replaces bytes; all labels must be there already
 *	cut line 4		removes so many bytes from the end
 *	with NAME a b		the statements of the block of that name, in which $1 is "a" and $2 is "b"
 *	each NAME a b/c		the image is made and checked for each value, which takes the place of $NAME in the image, in what is
 *				expected and in the name of the test; $NAME.1 is "b", $NAME.2 is "c"
 *
 * Other checks:
 *
 *	block NAME		none: the statements, or rows, are for "with NAME" in images, or in what is expected
 *	made			none: the image is read by the checks that come next:
 *	answers N		it is read as often as "each" says, with N warnings; it has these rows, and each of them is found when its
 *				address alone is asked for
 *	partial N		it is read with N warnings; why its table is partial, or "no"
 *
 *	functions count length	what functions the last image has, how many, and how long the first is, or the one of the number in front
 *	warnings said contains	how many warnings, the warnings, a part of them
 *	frames units rejected unreadable	how many: units that are left out, sections that cannot be read
 *	without			no function has that text in its line
 *
 * debugcases_run() has a parameter for other checks of one test.
 */
#ifndef DEBUGCASES_H
#define DEBUGCASES_H

#include "debuginfo/read-rows.h"
#include "tests/lib/bytetext.h"
#include "tests/lib/cases.h"
#include "tests/lib/debugpe.h"
#include "tests/lib/tap.h"

#include <inttypes.h>

enum { DEBUGCASES_EACH = 4, DEBUGCASES_VALUES = 64, DEBUGCASES_BLOCKS = 32 };

struct debugcases {
	struct debugpe m;
	struct case_file cases;
	struct debugpe other; /* has only sections: those whose names end in ".dwo", and .debug_cu_index */
	struct debuginfo_options options;
	struct debuginfo di;
	struct bytes *stab, *texts;
	size_t texts_start; /* of this object file */
	uint64_t shift;
	uint32_t wanted;
	struct bytetext bytes;
	bool has_abbreviations; /* without an end */
	char image[16384];	/* the statements of the image that was made */
	struct debugcases_block {
		char name[32], text[16384];
	} blocks[DEBUGCASES_BLOCKS];
	unsigned block_count;
	struct debugcases_each {
		char name[16], *values[DEBUGCASES_VALUES], text[2048];
		unsigned count, now;
	} each[DEBUGCASES_EACH];
	unsigned each_count;
	char arguments[4096]; /* of the block whose statements are being read, after its name */
	const struct debugcases_kind {
		const char *kind;
		void (*check)(struct debugcases *d, const char *name);
	} * more; /* other checks of one test, up to one without a kind; or NULL */
};

static inline unsigned debugcases_word(const struct case_file *cases, const char *word, const char *const *words)
{
	for (unsigned i = 0; words[i]; i += 2)
		if (strcmp(words[i], word) == 0)
			return cases_hex(words[i + 1]);
	cases_refuse(cases, word);
	return 0;
}

static inline void debugcases_stab(struct debugcases *d, const char *type, const char *value, unsigned description,
				   const char *text)
{
	static const char *const types[] = { "UNDF", "0", "FUN", "24", "SLINE", "44", "SO", "64", "SOL", "84", NULL };
	const uint64_t number = strtoull(value + (*value == '+'), NULL, 16);
	put32(d->stab, text[0] ? (uint32_t)(d->texts->n - d->texts_start) : 0);
	put8(d->stab, debugcases_word(&d->cases, type, types));
	put8(d->stab, 0);
	put16(d->stab, description);
	put32(d->stab, (uint32_t)(*value == '+' ? d->m.base + d->shift + number : number));
	if (text[0])
		put_text(d->texts, text);
}

static inline void debugcases_options(struct debugcases *d, const char *line)
{
	const char *wanted = strstr(line, " wanted=");
	d->options = (struct debuginfo_options){ .decorated = strstr(line, " decorated") != NULL,
						 .data = strstr(line, " data") != NULL,
						 .no_inlines = strstr(line, " no_inlines") != NULL,
						 .no_frames = strstr(line, " no_frames") != NULL };
	if (wanted) {
		d->wanted = cases_hex(wanted + 8);
		d->options.wanted = &d->wanted;
		d->options.wanted_count = 1;
	}
}

/* The section NAME, or ".debug_NAME" if it does not begin with a dot. */
static inline struct bytes *debugcases_section(struct debugcases *d, const char *name)
{
	char whole[24];
	struct debugpe *file = strstr(name, ".dwo") || strcmp(name, "cu_index") == 0 ? &d->other : &d->m;
	snprintf(whole, sizeof whole, "%s%.15s", name[0] == '.' ? "" : ".debug_", name);
	for (unsigned i = 0; i < file->section_count; i++)
		if (strcmp(file->sections[i].name, whole) == 0)
			return &file->sections[i].content;
	return debugpe_content(file, whole, 0x8000 + 0x1000 * file->section_count);
}

static inline unsigned debugcases_constant(const struct case_file *cases, const char *prefix, const char *word)
{
	unsigned number = 0;
	if (!dwarf_find(prefix, word, &number)) {
		if (!bytetext_is_hex(word))
			cases_refuse(cases, word);
		number = cases_hex(word);
	}
	return number;
}

/* "CODE TAG+ NAME:FORM..." */
static inline void debugcases_abbreviation(struct debugcases *d, char *text)
{
	struct bytes *b = debugcases_section(d, "abbrev");
	d->has_abbreviations = true;
	char *code = strtok(text, " "), *tag = strtok(NULL, " ");
	if (!tag)
		cases_refuse(&d->cases, "abbrev");
	const bool children = strchr(tag, '+') != NULL;
	tag[strcspn(tag, "+")] = '\0';
	bytetext_uleb(b, strtoul(code, NULL, 16));
	bytetext_uleb(b, debugcases_constant(&d->cases, "tag_", tag));
	put8(b, children);
	for (char *pair; (pair = strtok(NULL, " ")) != NULL;) {
		char *form = pair + strcspn(pair, ":"), *constant = strchr(pair, '=');
		*form = '\0';
		form += form < pair + 60;
		if (constant)
			*constant++ = '\0';
		bytetext_uleb(b, debugcases_constant(&d->cases, "at_", pair));
		bytetext_uleb(b, strcmp(form, "sec") == 0 ? d->bytes.version >= 4	? (unsigned)FORM_SEC_OFFSET
							    : d->bytes.offset_size == 8 ? (unsigned)FORM_DATA8
											: (unsigned)FORM_DATA4
							  : debugcases_constant(&d->cases, "form_", form));
		if (constant)
			bytetext_line(&d->bytes, b, constant);
	}
	put16(b, 0);
}

static inline void debugcases_unit(struct debugcases *d, const char *kind)
{
	struct bytes *b = debugcases_section(d, "info");
	const bool is_new = d->bytes.version >= 5;
	const unsigned number = debugcases_constant(&d->cases, "ut_", kind[0] ? kind : "compile");
	bytetext_label(&d->bytes, "unit", b->n);
	bytetext_line(&d->bytes, b, "{");
	put16(b, d->bytes.version);
	if (is_new)
		put8(b, number), put8(b, d->bytes.address_size);
	bytetext_put(b, 0, d->bytes.offset_size);
	if (!is_new)
		put8(b, d->bytes.address_size);
}

/* "RVA/FILE/LINE, RVA/FILE/LINE, RVA" */
static inline void debugcases_rows(struct debugcases *d, char *text)
{
	struct bytes *b = debugcases_section(d, "line");
	long before = 1;
	for (char *row = strtok(text, " ,"); row; row = strtok(NULL, " ,")) {
		char items[128];
		unsigned long rva = 0, file = 0;
		long line = 0;
		const int parts = sscanf(row, "%lx/%lx/%ld", &rva, &file, &line);
		snprintf(items, sizeof items, "0 %x 2 @%lx", d->bytes.address_size + 1, rva);
		bytetext_line(&d->bytes, b, items);
		snprintf(items, sizeof items, "4 u%lx 3 s%s%lx 1", file, line < before ? "-" : "",
			 (unsigned long)labs(line - before));
		bytetext_line(&d->bytes, b, parts == 3 ? items : "0 1 1");
		before = line;
	}
}

/* "SECTION PLACE ITEMS": PLACE is a number, or as bytetext_value() reads it. */
static inline void debugcases_put(struct debugcases *d, const char *text)
{
	static struct bytes items;
	char section[24], place[64];
	int n = 0;
	uint64_t at = 0;
	items.n = 0;
	if (sscanf(text, "%23s %63s %n", section, place, &n) < 2)
		cases_refuse(&d->cases, "put");
	struct bytes *b = debugcases_section(d, section);
	bytetext_finish(&d->bytes);
	bytetext_line(&d->bytes, &items, text + n);
	if (!bytetext_value(&d->bytes, place, &at))
		at = strtoull(place, NULL, 16);
	if (at + items.n > b->n)
		cases_refuse(&d->cases, "put: not inside the section");
	memcpy(b->b + at, items.b, items.n);
}

static inline void debugcases_statements(struct debugcases *d, const char *text);

/* The text of the block whose name TEXT begins with. */
static inline const char *debugcases_block_text(const struct debugcases *d, const char *text)
{
	const size_t n = strcspn(text, " ");
	unsigned i = 0;
	while (i < d->block_count && (strncmp(d->blocks[i].name, text, n) != 0 || d->blocks[i].name[n]))
		i++;
	if (i == d->block_count)
		cases_refuse(&d->cases, text);
	return d->blocks[i].text;
}

static inline void debugcases_encoding(struct debugcases *d, const char *text)
{
	sscanf(text, "%u%*c%u%*c%u", &d->bytes.version, &d->bytes.offset_size, &d->bytes.address_size);
}

/* Statements for DWARF and for bytes.  Returns whether VERB is one. */
static inline bool debugcases_dwarf_statement(struct debugcases *d, const char *verb, const char *rest)
{
	char text[4096];
	const size_t n = strlen(verb);
	snprintf(text, sizeof text, "%s", rest);
	if (verb[n - 1] == ':') {
		snprintf(text, sizeof text, "%.*s", (int)n - 1, verb);
		bytetext_line(&d->bytes, debugcases_section(d, text), rest);
	} else if (strcmp(verb, "dwarf") == 0) {
		bytetext_start(&d->bytes, &d->cases);
		debugcases_encoding(d, rest);
		const bool wide = d->bytes.address_size == 8;
		uint64_t base = wide ? UINT64_C(0x140000000) : 0x400000;
		sscanf(rest, "%*u %*u %*u %" SCNx64, &base);
		debugpe_start(&d->m, base);
		debugpe_start(&d->other, 0);
		d->m.wide = wide;
		d->bytes.base = d->m.base;
		d->shift = 0;
		debugcases_options(d, "");
		debugpe_section(&d->m, ".text", 0x1000, 0x1000, DEBUGPE_CODE);
	} else if (strcmp(verb, "encoding") == 0) {
		debugcases_encoding(d, rest);
	} else if (strcmp(verb, "abbrev") == 0) {
		debugcases_abbreviation(d, text);
	} else if (strcmp(verb, "unit") == 0) {
		debugcases_unit(d, text);
	} else if (strcmp(verb, "end") == 0) {
		bytetext_line(&d->bytes, debugcases_section(d, "info"), "0 }");
	} else if (strcmp(verb, "rows") == 0) {
		debugcases_rows(d, text);
	} else if (strcmp(verb, "put") == 0) {
		debugcases_put(d, rest);
	} else if (strcmp(verb, "cut") == 0) {
		char *section = strtok(text, " ");
		debugcases_section(d, section)->n -= strtoul(strtok(NULL, " "), NULL, 16);
	} else if (strcmp(verb, "with") == 0) { /* "NAME ARGUMENT..." */
		char before[sizeof d->arguments];
		memcpy(before, d->arguments, sizeof before);
		snprintf(d->arguments, sizeof d->arguments, "%s", text);
		debugcases_statements(d, debugcases_block_text(d, text));
		memcpy(d->arguments, before, sizeof before);
	} else if (strcmp(verb, "machine") == 0) {
		d->m.machine = cases_hex(rest);
	} else {
		return false;
	}
	return true;
}

static inline void debugcases_statement(struct debugcases *d, const char *line)
{
	static const char *const kinds[] = { "-",      "0", "function", "20", "external", "2",
					     "static", "3", "label",	"6",  NULL };
	static const char *const flags[] = { "code", "60000020", "data", "40000040", NULL };
	char verb[24] = "", a[64] = "", b[32] = "", c[32] = "", e[32] = "", f[32] = "";
	int text = 0;
	const char *const rest = line + strcspn(line, " ");
	sscanf(line, "%23s %63s %31s %31s %n%31s %31s", verb, a, b, c, &text, e, f);
	const uint32_t number = cases_hex(a);
	if (debugcases_dwarf_statement(d, verb, rest + strspn(rest, " "))) {
		return;
	} else if (strcmp(verb, "base") == 0) {
		debugpe_start(&d->m, strtoull(a, NULL, 16));
		d->m.wide = strcmp(b, "wide") == 0;
		d->shift = 0;
		debugcases_options(d, "");
	} else if (strcmp(verb, "section") == 0) {
		struct bytes *content = debugpe_section(&d->m, a, cases_hex(b), cases_hex(c),
							debugcases_word(&d->cases, e, flags));
		while (f[0] && content->n < strtoul(c, NULL, 16))
			put16(content, 0xd0ff); /* call *%eax */
	} else if (strcmp(verb, "symbol") == 0) {
		debugpe_symbol(&d->m, a, cases_hex(b), strcmp(c, "absolute") == 0 ? 0xffff : cases_hex(c),
			       debugcases_word(&d->cases, e, kinds), debugcases_word(&d->cases, f, kinds));
	} else if (strcmp(verb, "options") == 0) {
		debugcases_options(d, line);
	} else if (strcmp(verb, "stabs") == 0) {
		d->stab = debugpe_content(&d->m, ".stab", 0x8000);
		d->texts = debugpe_content(&d->m, ".stabstr", 0x9000);
		put8(d->texts, 0);
		d->texts_start = 0;
	} else if (strcmp(verb, "shift") == 0) {
		d->shift = strtoull(a, NULL, 16);
	} else if (strcmp(verb, "stab") == 0) {
		debugcases_stab(d, a, c, (unsigned)strtoul(b, NULL, 10), text ? line + text : "");
	} else if (strcmp(verb, "object") == 0) {
		set32(d->stab, 8, (uint32_t)d->texts->n); /* how many bytes of strings this one has */
		d->texts_start = d->texts->n;
		put8(d->texts, 0);
	} else if (strcmp(verb, "offset") == 0) {
		set32(d->stab, d->stab->n - 12, number);
	} else if (strcmp(verb, "half") == 0) {
		put32(d->stab, number);
	} else {
		cases_refuse(&d->cases, line);
	}
}

/* TEXT, which ends with a newline, without it. */
static inline const char *debugcases_trimmed(const char *text)
{
	static char trimmed[16384];
	snprintf(trimmed, sizeof trimmed, "%s", text);
	if (trimmed[0])
		trimmed[strlen(trimmed) - 1] = '\0';
	return trimmed;
}

/* Read "each NAME VALUE..." of the image. */
static inline void debugcases_read_each(struct debugcases *d)
{
	d->each_count = 0;
	for (const char *line = d->image; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		if (strncmp(line, "each ", 5) != 0)
			continue;
		if (d->each_count == DEBUGCASES_EACH)
			cases_refuse(&d->cases, "too many of each");
		struct debugcases_each *each = &d->each[d->each_count++];
		snprintf(each->text, sizeof each->text, "%.*s", (int)strcspn(line, "\n"), line);
		strtok(each->text, " ");
		snprintf(each->name, sizeof each->name, "%s", strtok(NULL, " "));
		each->count = each->now = 0;
		for (char *value; each->count < DEBUGCASES_VALUES && (value = strtok(NULL, " ")) != NULL;)
			each->values[each->count++] = value;
	}
}

/* Go to the next values.  Returns false after the last ones. */
static inline bool debugcases_next_each(struct debugcases *d)
{
	for (unsigned i = d->each_count; i-- > 0;) {
		if (++d->each[i].now < d->each[i].count)
			return true;
		d->each[i].now = 0;
	}
	return false;
}

/* The value that "NAME", "NAME.2" or, of an argument, "1" at TEXT is; or NULL.  Stores the lengths of both. */
static inline const char *debugcases_variable(const struct debugcases *d, const char *text, size_t *n, size_t *length)
{
	if (isdigit((unsigned char)*text)) {
		const char *value = d->arguments;
		for (int i = *text - '0'; i > 0 && *value; i--)
			value += strcspn(value, " "), value += strspn(value, " ");
		*n = 1;
		*length = strcspn(value, " ");
		return value;
	}
	for (unsigned i = 0; i < d->each_count; i++) {
		const char *value = d->each[i].values[d->each[i].now];
		*n = strlen(d->each[i].name);
		*length = strlen(value);
		if (strncmp(text, d->each[i].name, *n) != 0)
			continue;
		if (text[*n] != '.' || !isdigit((unsigned char)text[*n + 1]))
			return value;
		for (int part = text[*n + 1] - '1'; part > 0 && *value; part--)
			value += strcspn(value, "/"), value += *value == '/';
		*n += 2;
		*length = strcspn(value, "/");
		return value;
	}
	return NULL;
}

/* TEXT with the values of "each". */
static inline void debugcases_expand(const struct debugcases *d, const char *text, char *to, size_t size)
{
	size_t at = 0, n, length;
	while (*text && at + 1 < size) {
		const char *value = *text == '$' ? debugcases_variable(d, text + 1, &n, &length) : NULL;
		if (!value) {
			to[at++] = *text++;
			continue;
		}
		at += (size_t)snprintf(to + at, size - at, "%.*s", (int)length, value);
		text += 1 + n;
	}
	to[at < size ? at : size - 1] = '\0';
}

/* Append the rows of TEXT to ROWS, with the values of "each"; those of a block in place of "with NAME". */
static inline void debugcases_add_rows(const struct debugcases *d, const char *text, char *rows, size_t size)
{
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		char one[4096];
		snprintf(one, sizeof one, "%.*s", (int)strcspn(line, "\n"), line);
		if (strncmp(one, "with ", 5) == 0) {
			debugcases_add_rows(d, debugcases_block_text(d, one + 5), rows, size);
			continue;
		}
		const size_t n = strlen(rows), newline = n > 0;
		rows[n] = '\n';
		debugcases_expand(d, one, rows + n + newline, size - n - newline);
	}
}

/* The rows that the case expects. */
static inline const char *debugcases_wanted(const struct debugcases *d)
{
	static char rows[16384];
	rows[0] = '\0';
	debugcases_add_rows(d, d->cases.input, rows, sizeof rows);
	return rows;
}

/* All statements of TEXT, but those of "each". */
static inline void debugcases_statements(struct debugcases *d, const char *text)
{
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		char one[4096], expanded[4096];
		snprintf(one, sizeof one, "%.*s", (int)strcspn(line, "\n"), line);
		debugcases_expand(d, one, expanded, sizeof expanded);
		if (strncmp(one, "each ", 5) != 0)
			debugcases_statement(d, expanded);
	}
}

/* Make the image of the statements TEXT. */
static inline void debugcases_make(struct debugcases *d, const char *text)
{
	d->m.warning_count = 0;
	d->m.warnings[0] = '\0';
	debugcases_statements(d, text);
	bytetext_finish(&d->bytes);
	if (d->has_abbreviations)
		put8(debugcases_section(d, "abbrev"), 0);
	d->has_abbreviations = false;
}

static inline void debugcases_free(struct debugcases *d)
{
	if (d->di.draft)
		draft_free(&d->di);
}

/* Whether the row at the beginning of TEXT is there when its address alone is asked for. */
static inline bool debugcases_has_row(struct debugcases *d, const char *text, size_t length)
{
	char row[4096];
	const uint32_t wanted = cases_hex(text);
	struct debuginfo_options options = d->options;
	struct debuginfo di;
	bool has = false;
	snprintf(row, sizeof row, "%.*s", (int)length, text);
	options.wanted = &wanted, options.wanted_count = 1;
	if (debugpe_read(&d->m, &options, &di) != 0)
		return false;
	has = strstr(debugpe_rows(&di), row) != NULL;
	if (!has)
		diag("for 0x%x alone: %s", (unsigned)wanted, debugpe_rows(&di));
	draft_free(&di);
	return has;
}

/* Leave an image in the directory that CASES_KEEP names, under the name of its test. */
static inline void debugcases_keep(struct debugcases *d, const char *what)
{
	char name[512];
	size_t size;
	if (!getenv("CASES_KEEP"))
		return;
	snprintf(name, sizeof name, "%s", what);
	for (size_t at = 0; name[at]; at++)
		name[at] = isalnum((unsigned char)name[at]) ? name[at] : '-';
	uint8_t *bytes = debugpe_build(&d->m, &size);
	if (bytes)
		files_keep("CASES_KEEP", name, bytes, size);
	free(bytes);
}

/* Read the image that was made, once.  It has ROWS and as many WARNINGS. */
static inline void debugcases_answer(struct debugcases *d, const char *rows, unsigned warnings, const char *what)
{
	static char warned[sizeof d->m.warnings];
	unsigned missing = 0;
	debugcases_free(d);
	if (ok(debugpe_read(&d->m, &d->options, &d->di) == 0, "%s: read", what)) {
		is_str(debugcases_trimmed(debugpe_rows(&d->di)), rows, what);
		if (!ok(d->m.warning_count == warnings, "%s: %u warnings", what, warnings))
			diag("%s", d->m.warnings);
	}
	if (warnings == 0)
		debugcases_keep(d, what);
	const unsigned count = d->m.warning_count;
	d->m.unkept = true;
	memcpy(warned, d->m.warnings, sizeof warned);
	for (const char *at = rows; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		const char *end = strstr(at, "_rossym_end__");
		const size_t length = strcspn(at, "\n");
		if (!end || end > at + length)
			missing += !debugcases_has_row(d, at, length);
	}
	d->m.warning_count = count;
	d->m.unkept = false;
	memcpy(d->m.warnings, warned, sizeof warned);
	ok(missing == 0, "%s: the same for each address alone", what);
}

static inline void debugcases_answers(struct debugcases *d, const char *name)
{
	char what[256];
	debugcases_read_each(d);
	do {
		const char *rows = debugcases_wanted(d);
		debugcases_expand(d, name + strcspn(name, " ") + 1, what, sizeof what);
		debugcases_make(d, d->image);
		debugcases_answer(d, rows, (unsigned)strtoul(name, NULL, 10), what);
	} while (debugcases_next_each(d));
}

/* "WARNINGS NAME" */
static inline void debugcases_partial(struct debugcases *d, const char *name)
{
	char why[128] = "no";
	const char *what = name + strcspn(name, " ") + 1;
	d->each_count = 0;
	debugcases_free(d);
	debugcases_make(d, d->image);
	ok(debugpe_read(&d->m, &d->options, &d->di) == 0, "%s: read", what);
	is_uint(d->m.warning_count, strtoul(name, NULL, 10), what);
	rs_debuginfo_is_partial(&d->di.counts, why, sizeof why);
	is_str(why, d->cases.input, what);
}

static inline void debugcases_check(struct debugcases *d)
{
	const char *name = strchr(d->cases.expected, ' '), *kind = d->cases.expected;
	const size_t n = name ? (size_t)(name++ - kind) : 0;
	for (const struct debugcases_kind *more = d->more; name && more && more->kind; more++)
		if (strlen(more->kind) == n && strncmp(kind, more->kind, n) == 0) {
			more->check(d, name);
			return;
		}
	if (!name && strcmp(kind, "made") == 0) {
		snprintf(d->image, sizeof d->image, "%s", d->cases.input);
	} else if (!name) {
		cases_refuse(&d->cases, "the check has no name");
	} else if (strncmp(kind, "block", n) == 0) {
		if (d->block_count == DEBUGCASES_BLOCKS)
			cases_refuse(&d->cases, "too many blocks");
		struct debugcases_block *block = &d->blocks[d->block_count++];
		snprintf(block->name, sizeof block->name, "%s", name);
		snprintf(block->text, sizeof block->text, "%s", d->cases.input);
	} else if (strncmp(kind, "answers", n) == 0) {
		debugcases_answers(d, name);
	} else if (strncmp(kind, "image", n) == 0) {
		debugcases_free(d);
		d->each_count = 0;
		debugcases_make(d, d->cases.input);
		ok(debugpe_read(&d->m, &d->options, &d->di) == 0, "%s", name);
	} else if (strncmp(kind, "said", n) == 0) {
		is_str(debugcases_trimmed(d->m.warnings), d->cases.input, name);
	} else if (strncmp(kind, "warnings", n) == 0) {
		is_uint(d->m.warning_count, strtoul(d->cases.input, NULL, 10), name);
	} else if (strncmp(kind, "units", n) == 0) {
		is_uint(d->di.counts.dwarf_units, strtoul(d->cases.input, NULL, 10), name);
	} else if (strncmp(kind, "rejected", n) == 0) {
		is_uint(d->di.counts.dwarf_units_rejected, strtoul(d->cases.input, NULL, 10), name);
	} else if (strncmp(kind, "unreadable", n) == 0) {
		is_uint(d->di.counts.unreadable, strtoul(d->cases.input, NULL, 10), name);
	} else if (strncmp(kind, "frames", n) == 0) {
		is_uint(d->di.draft->frames.count, strtoul(d->cases.input, NULL, 10), name);
	} else if (strncmp(kind, "contains", n) == 0) {
		ok(strstr(d->m.warnings, d->cases.input) != NULL, "%s", name);
	} else if (strncmp(kind, "partial", n) == 0) {
		debugcases_partial(d, name);
	} else if (strncmp(kind, "count", n) == 0) {
		is_uint(d->di.draft->function_count, strtoul(d->cases.input, NULL, 10), name);
	} else if (strncmp(kind, "length", n) == 0) {
		const char *length = strchr(d->cases.input, ' ');
		const unsigned long number = length ? strtoul(d->cases.input, NULL, 10) : 0;
		if (number >= d->di.draft->function_count)
			cases_refuse(&d->cases, "there is no such function");
		is_uint(d->di.draft->functions[number].length, strtoul(length ? length : d->cases.input, NULL, 16),
			name);
	} else if (strncmp(kind, "without", n) == 0) {
		ok(!strstr(debugpe_functions(&d->di), d->cases.input), "%s", name);
	} else if (strncmp(kind, "rows", n) == 0) {
		is_str(debugcases_trimmed(debugpe_rows(&d->di)), debugcases_wanted(d), name);
	} else if (strncmp(kind, "functions", n) == 0) {
		is_str(debugcases_trimmed(debugpe_functions(&d->di)), d->cases.input, name);
	} else {
		cases_refuse(&d->cases, "what is checked?");
	}
}

/* All cases of section SECTION of the file PATH, with MORE checks (or NULL).  Returns the status of the test. */
static inline int debugcases_run(const char *path, const char *section, const struct debugcases_kind *more)
{
	static struct debugcases d;
	d.more = more;
	cases_open(&d.cases, path);
	while (cases_next(&d.cases, section))
		debugcases_check(&d);
	cases_close(&d.cases);
	debugcases_free(&d);
	return done_testing();
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mkimage - builds PE images and bare .rossym tables from a text description, for the tests.
 *
 *	mkimage [TEXT [IMAGE]]		"-" or nothing: standard input, standard output
 *
 * It shares no code with the library on purpose: a layout that both sides got wrong in the same way would pass every
 * test.  And it never judges what it writes: a broken image is described like a good one.
 *
 * A description is a list of statements, one a line or separated by ';'.  '#' at the start of a word begins a comment.
 * Words may be quoted as a whole or in part, with \n \t \r \\ \" and \xHH inside.  Numbers are C's.
 *
 *   pe32 [KEY=N...]      pe64 [KEY=N...]      one of the three comes first
 *	base machine salign falign stamp entry subsystem characteristics dllcharacteristics checksum
 *	magic			of the optional header, when it is to contradict the statement
 *	lfanew			where the PE header stands (0x80)
 *	opthdr			SizeOfOptionalHeader, really reserved: the section table moves with it
 *	dirs			NumberOfRvaAndSizes (16)
 *	sections imagesize headersize symptr nsyms	what the header says, instead of what is true
 *   bare [table keys]    no image, only the table
 *   section NAME [KEY=N...]
 *	rva			next free one, rounded up to salign
 *	size			VirtualSize, as written in the header
 *	raw			SizeOfRawData, really written (size rounded up to falign)
 *	off			PointerToRawData, next free one, rounded up to falign; 0 when there is no raw data
 *	flags			number or names joined by ',': code data rdata bss rossym; cnt-code exec read write
 *	fill			byte value of the raw data (0xcc in code, else 0)
 *	A name longer than 8 bytes is put into a COFF string table at the end of the file.
 *   rossym [KEY=N...] [table keys]	the table's section, here in section order; may be said twice.  Keys of
 *				`section' and name=TEXT; default size and raw come from the table's length
 *     table keys:
 *	width			bytes an entry: 16 20 24
 *	gap strings-gap		unused bytes (0xaa) before the entries, before the strings
 *	trailing		unused bytes (0xbb) after the strings
 *	unterminated=1		the last string has no NUL
 *	symbols-offset symbols-length strings-offset strings-length	what the header says, instead of what is true
 *   row RVA FUNCTION FILE LINE	an entry of the table begun last; "" is string offset 0
 *   row-raw ADDRESS FUNCTION-OFFSET FILE-OFFSET LINE [PAD]	an offset may be =TEXT: where TEXT stands
 *   string TEXT		a string nothing refers to.  Strings stand in order of first use, from offset 1
 *   tail BYTE...		bytes after the strings (and after those of `trailing')
 *   generate rows=N [rva=N step=N rows-per-function=N functions-per-file=N]	see generate()
 *   The rest edits the finished file, in the order given.  AT is a file offset or one of: pe opt headers (the section
 *   table) header:SECTION data:SECTION rossym symbols strings strings.last end, then +N or -N.  rossym2,
 *   symbols2, strings2: those of the second table.
 *   poke AT [=] BYTE...	BYTE is two hex digits, 0xN, or u16=N u32=N u64=N
 *   truncate AT
 *   append BYTE...		or zeros=N
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

enum { WORDS_MAX = 4096, SECTIONS_MAX = 256, TABLES_MAX = 8, EDITS_MAX = 256, NAME_SIZE = 8, SECTION_HEADER = 40 };
#define FILE_MAX UINT64_C(0x7fffffff)

static const char *input_name = "-";
static unsigned long line_number;

#ifdef __GNUC__
__attribute__((format(printf, 1, 2)))
#endif
_Noreturn static void
die(const char *format, ...)
{
	va_list ap;
	fprintf(stderr, "mkimage: %s:%lu: ", input_name, line_number);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	putc('\n', stderr);
	exit(1);
}

/* ---- bytes ---- */

struct buf {
	uint8_t *p;
	size_t len, cap;
};

static void *xrealloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);
	if (!p)
		die("out of memory");
	return p;
}

static void buf_reserve(struct buf *b, size_t more)
{
	size_t cap = b->cap ? b->cap : 256;
	if (more > FILE_MAX || b->len + more > FILE_MAX)
		die("more than 2 GiB");
	while (cap < b->len + more)
		cap *= 2;
	if (cap != b->cap) {
		b->p = xrealloc(b->p, cap);
		b->cap = cap;
	}
}

static void buf_add(struct buf *b, const void *p, size_t n)
{
	buf_reserve(b, n);
	if (n)
		memcpy(b->p + b->len, p, n);
	b->len += n;
}

static void buf_fill(struct buf *b, uint8_t byte, uint64_t n)
{
	if (n > FILE_MAX)
		die("more than 2 GiB");
	buf_reserve(b, (size_t)n);
	memset(b->p + b->len, byte, (size_t)n);
	b->len += (size_t)n;
}

static void put_le(uint8_t *p, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		p[i] = (uint8_t)(value >> (8 * i));
}

static void buf_le(struct buf *b, uint64_t value, unsigned bytes)
{
	buf_reserve(b, bytes);
	put_le(b->p + b->len, value, bytes);
	b->len += bytes;
}

/* Write N bytes at AT, which may be beyond the end: the hole reads as zeros. */
static void buf_write_at(struct buf *b, uint64_t at, const void *p, size_t n)
{
	if (at > FILE_MAX)
		die("more than 2 GiB");
	if (b->len < at + n)
		buf_fill(b, 0, at + n - b->len);
	if (n)
		memcpy(b->p + at, p, n);
}

static uint64_t round_up(uint64_t value, uint64_t to)
{
	return to > 1 ? (value + to - 1) / to * to : value;
}

/* ---- the description in memory ---- */

/* A number that may have been given; what it is otherwise, layout decides. */
struct given {
	bool is;
	uint64_t value;
};

static uint64_t given_or(struct given g, uint64_t otherwise)
{
	return g.is ? g.value : otherwise;
}

struct table {
	struct given width, gap, strings_gap, trailing, unterminated;
	struct given symbols_offset, symbols_length, strings_offset, strings_length;
	struct buf symbols, strings, tail;
	size_t last[2];	  /* the strings that were used last */
	uint64_t file_at; /* set by layout */
};

struct section {
	char *name;
	struct given rva, size, raw, off, flags, fill;
	struct table *table;
	uint64_t header_at, data_at; /* set by layout */
};

enum { POKE, TRUNCATE, APPEND };

struct edit {
	int kind; /* POKE, TRUNCATE, APPEND */
	unsigned long line;
	char *at;
	struct buf bytes;
};

static struct {
	enum { NOTHING_YET, PE32, PE64, BARE } kind;
	struct given base, machine, salign, falign, stamp, entry, subsystem, characteristics, dllcharacteristics;
	struct given checksum, magic, lfanew, opthdr, dirs, sections, imagesize, headersize, symptr, nsyms;
	struct section section[SECTIONS_MAX];
	size_t section_count;
	struct table table[TABLES_MAX];
	size_t table_count;
	struct edit edit[EDITS_MAX];
	size_t edit_count;
	uint64_t headers_at; /* the section table; set by layout */
} image;

/* ---- words ---- */

static int hex_digit(int c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, tolower(c)) : NULL;
	return at ? (int)(at - digits) : -1;
}

static char unescape(char **text)
{
	char c = *(*text)++;
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	case '\\':
	case '"':
		return c;
	case 'x':
		if (hex_digit((*text)[0]) >= 0 && hex_digit((*text)[1]) >= 0) {
			c = (char)(hex_digit((*text)[0]) * 16 + hex_digit((*text)[1]));
			*text += 2;
			if (c)
				return c;
		}
		die("\\x wants two hex digits, not 00 (poke can write a NUL)");
	default:
		die("unknown escape \\%c", c);
	}
}

/* Split the next statement at *TEXT into WORDS, in place; returns their number. */
static size_t next_statement(char **text, char **words)
{
	char *in = *text, *out = in; /* a word never grows, so it is unquoted where it stands */
	size_t count = 0;
	for (;;) {
		while (*in == ' ' || *in == '\t' || *in == '\r')
			in++;
		if (*in == '#')
			while (*in && *in != '\n')
				in++;
		if (!*in || *in == '\n' || *in == ';')
			break;
		if (count == WORDS_MAX)
			die("too many words");
		words[count++] = out;
		bool quoted = false;
		while (*in && *in != '\n' && (quoted || !strchr(" \t\r;", *in))) {
			char c = *in++;
			if (c == '"')
				quoted = !quoted;
			else if (c == '\\' && quoted)
				*out++ = unescape(&in);
			else
				*out++ = c;
		}
		if (quoted)
			die("a quote is not closed");
		/* nothing was unquoted: the NUL falls on the separator, which must be seen first */
		if (out == in) {
			char end = *in;
			*out++ = '\0';
			if (!end || end == '\n' || end == ';') {
				*text = in + (end != '\0');
				line_number += end == '\n';
				return count;
			}
			in++;
		} else {
			*out++ = '\0';
		}
	}
	line_number += *in == '\n';
	*text = in + (*in != '\0');
	return count;
}

static uint64_t number(const char *word, uint64_t max)
{
	char *end;
	unsigned long long value;
	errno = 0;
	value = strtoull(word, &end, 0);
	if (!isdigit((unsigned char)*word) || *end || errno)
		die("not a number: '%s'", word);
	if (value > max)
		die("too big: '%s'", word);
	return value;
}

static uint64_t section_flags(const char *word)
{
	static const struct {
		const char *name;
		uint32_t value;
	} names[] = {
		{ "code", 0x60000020 }, { "data", 0xc0000040 },	  { "rdata", 0x40000040 },
		{ "bss", 0xc0000080 },	{ "rossym", 0x42000802 }, { "cnt-code", 0x20 },
		{ "exec", 0x20000000 }, { "read", 0x40000000 },	  { "write", 0x80000000 },
	};
	uint64_t flags = 0;
	if (isdigit((unsigned char)*word))
		return number(word, UINT32_MAX);
	for (;;) {
		size_t length = strcspn(word, ","), i;
		for (i = 0; i < sizeof names / sizeof *names; i++)
			if (strlen(names[i].name) == length && !memcmp(names[i].name, word, length))
				break;
		if (i == sizeof names / sizeof *names)
			die("unknown flag in '%s'", word);
		flags |= names[i].value;
		if (!word[length])
			return flags;
		word += length + 1;
	}
}

struct key {
	const char *name;
	uint64_t max;
	struct given *number;
	char **text; /* instead of a number */
};

/* KEYS end with a NULL name. */
static void parse_keys(const struct key *keys, char **words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *equals = strchr(words[i], '=');
		const struct key *k = keys;
		if (!equals)
			die("not KEY=VALUE: '%s'", words[i]);
		*equals = '\0';
		while (k->name && strcmp(k->name, words[i]))
			k++;
		if (!k->name)
			die("unknown key '%s'", words[i]);
		if (k->text) {
			*k->text = equals + 1;
			continue;
		}
		k->number->is = true;
		k->number->value = strcmp(k->name, "flags") ? number(equals + 1, k->max) : section_flags(equals + 1);
	}
}

static void parse_bytes(struct buf *b, char **words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *w = words[i];
		if (!strncmp(w, "u16=", 4))
			buf_le(b, number(w + 4, UINT16_MAX), 2);
		else if (!strncmp(w, "u32=", 4))
			buf_le(b, number(w + 4, UINT32_MAX), 4);
		else if (!strncmp(w, "u64=", 4))
			buf_le(b, number(w + 4, UINT64_MAX), 8);
		else if (!strncmp(w, "zeros=", 6))
			buf_fill(b, 0, number(w + 6, FILE_MAX));
		else if (!strncmp(w, "0x", 2))
			buf_le(b, number(w, UINT8_MAX), 1);
		else if (strlen(w) == 2 && hex_digit(w[0]) >= 0 && hex_digit(w[1]) >= 0)
			buf_le(b, (uint64_t)(hex_digit(w[0]) * 16 + hex_digit(w[1])), 1);
		else
			die("not a byte: '%s'", w);
	}
}

/* ---- the table ---- */

static uint32_t add_string(struct table *t, const char *text)
{
	size_t at = t->strings.len;
	buf_add(&t->strings, text, strlen(text) + 1);
	return (uint32_t)at;
}

/* The offset of TEXT in the strings of T; appends it the first time.  Most rows have the strings of the one before. */
static uint32_t intern(struct table *t, const char *text)
{
	const char *strings = (const char *)t->strings.p;
	size_t at = 0;
	for (int i = 0; i < 2; i++)
		if (!strcmp(strings + t->last[i], text))
			return (uint32_t)t->last[i];
	while (at < t->strings.len && strcmp(strings + at, text))
		at += strlen(strings + at) + 1;
	t->last[1] = t->last[0];
	return (uint32_t)(t->last[0] = at < t->strings.len ? at : add_string(t, text));
}

static void add_row(struct table *t, uint64_t address, const uint32_t field[3], uint32_t pad)
{
	unsigned width = (unsigned)t->width.value;
	if (width == 16 && address > UINT32_MAX)
		die("an address of more than 32 bits in a 16-byte entry");
	buf_le(&t->symbols, address, width == 16 ? 4 : 8);
	for (int i = 0; i < 3; i++)
		buf_le(&t->symbols, field[i], 4);
	if (width == 24)
		buf_le(&t->symbols, pad, 4);
}

static struct table *current_table(void)
{
	if (!image.table_count)
		die("no table yet: say rossym or bare first");
	return &image.table[image.table_count - 1];
}

/*
 * A big table whose contents a test can predict.  Row i (from 0) has address rva + i * step and belongs to function
 * f = i / rows-per-function, which belongs to file g = f / functions-per-file; its line is
 * 20 * (f % functions-per-file) + i % rows-per-function + 1.  Names look like those of a kernel, because the length of
 * strings is what a benchmark of a reader measures.
 */
static void generate(int kind, char **words, size_t count)
{
	static const char *const prefix[] = { "Ke", "Mm", "Io", "Obp", "Rtl", "Ps", "Cc", "Ex", "FsRtl", "Cm" };
	static const char *const verb[] = { "Query",  "Set",	"Acquire",    "Release",
					    "Insert", "Remove", "Initialize", "Free" };
	static const char *const noun[] = {
		"Thread", "QueueEntry", "SectionObject", "Irp", "SpinLock", "Timer", "Page"
	};
	static const char *const dir[] = { "ke", "mm", "io/iomgr", "ob", "rtl", "ps", "cc", "ex", "fsrtl", "config" };
	struct given rows = { 0 }, rva = { 0 }, step = { 0 }, per_function = { 0 }, per_file = { 0 };
	const struct key keys[] = {
		{ "rows", 100000000, &rows, NULL },
		{ "rva", UINT32_MAX, &rva, NULL },
		{ "step", UINT32_MAX, &step, NULL },
		{ "rows-per-function", UINT32_MAX, &per_function, NULL },
		{ "functions-per-file", UINT32_MAX, &per_file, NULL },
		{ NULL, 0, NULL, NULL },
	};
	struct table *t = current_table();
	(void)kind;
	parse_keys(keys, words, count);
	uint64_t first = given_or(rva, 0x1000), each = given_or(step, 8);
	uint64_t in_function = given_or(per_function, 13), in_file = given_or(per_file, 30);
	if (!rows.is || !in_function || !in_file)
		die("generate wants rows=N, and no other number to be 0");
	buf_reserve(&t->symbols, (size_t)(rows.value * t->width.value));
	uint32_t field[3] = { 0, 0, 0 };
	for (uint64_t i = 0; i < rows.value; i++) {
		uint64_t f = i / in_function, g = f / in_file;
		char name[128];
		if (i % in_function == 0) {
			snprintf(name, sizeof name, "%s%s%s%llu", prefix[g % 10], verb[f % 8], noun[f % 7],
				 (unsigned long long)f);
			field[0] = add_string(t, name);
		}
		if (i % (in_function * in_file) == 0) {
			snprintf(name, sizeof name, "ntoskrnl/%s/%s%llu.c", dir[g % 10], noun[g % 7],
				 (unsigned long long)g);
			field[1] = add_string(t, name);
		}
		field[2] = (uint32_t)(20 * (f % in_file) + i % in_function + 1);
		add_row(t, first + i * each, field, 0);
	}
}

/* Appends the bytes of T, header to tail, to OUT. */
static void write_table(struct buf *out, struct table *t)
{
	uint64_t symbols_at = 16 + given_or(t->gap, 0);
	uint64_t strings_at = symbols_at + t->symbols.len + given_or(t->strings_gap, 0);
	size_t strings = t->strings.len - (given_or(t->unterminated, 0) && t->strings.len ? 1 : 0);
	t->file_at = out->len;
	buf_le(out, given_or(t->symbols_offset, symbols_at), 4);
	buf_le(out, given_or(t->symbols_length, t->symbols.len), 4);
	buf_le(out, given_or(t->strings_offset, strings_at), 4);
	buf_le(out, given_or(t->strings_length, strings), 4);
	buf_fill(out, 0xaa, given_or(t->gap, 0));
	buf_add(out, t->symbols.p, t->symbols.len);
	buf_fill(out, 0xaa, given_or(t->strings_gap, 0));
	buf_add(out, t->strings.p, strings);
	buf_fill(out, 0xbb, given_or(t->trailing, 0));
	buf_add(out, t->tail.p, t->tail.len);
}

/* ---- the image ---- */

/* SIZE may be any: what does not fit is cut, what is left over reads as zeros. */
static void write_optional_header(struct buf *out, uint64_t size, uint64_t headers_size, uint64_t image_size)
{
	bool wide = image.kind == PE64;
	unsigned word = wide ? 8 : 4;
	uint64_t totals[3] = { 0, 0, 0 }, base_of_code = 0;
	struct buf h = { NULL, 0, 0 };
	for (size_t i = 0; i < image.section_count; i++) {
		const struct section *s = &image.section[i];
		/* CNT_CODE, CNT_INITIALIZED_DATA, CNT_UNINITIALIZED_DATA */
		for (unsigned bit = 0; bit < 3; bit++)
			if (s->flags.value >> (5 + bit) & 1)
				totals[bit] += bit < 2 ? s->raw.value : s->size.value;
		if ((s->flags.value & 0x20) && !base_of_code)
			base_of_code = s->rva.value;
	}
	buf_le(&h, given_or(image.magic, wide ? 0x20b : 0x10b), 2);
	buf_le(&h, 0x2802, 2); /* linker 2.40 */
	for (int i = 0; i < 3; i++)
		buf_le(&h, totals[i], 4);
	buf_le(&h, given_or(image.entry, base_of_code), 4);
	buf_le(&h, base_of_code, 4);
	if (!wide)
		buf_le(&h, 0, 4); /* BaseOfData */
	buf_le(&h, given_or(image.base, wide ? UINT64_C(0x140000000) : 0x400000), word);
	buf_le(&h, given_or(image.salign, 0x1000), 4);
	buf_le(&h, given_or(image.falign, 0x200), 4);
	buf_le(&h, 4, 4); /* operating system 4.0, image 0.0 */
	buf_le(&h, 0, 4);
	buf_le(&h, 4, 4); /* subsystem 4.0 */
	buf_le(&h, 0, 4);
	buf_le(&h, given_or(image.imagesize, image_size), 4);
	buf_le(&h, given_or(image.headersize, headers_size), 4);
	buf_le(&h, given_or(image.checksum, 0), 4);
	buf_le(&h, given_or(image.subsystem, 3), 2);
	buf_le(&h, given_or(image.dllcharacteristics, 0), 2);
	buf_le(&h, 0x200000, word); /* stack reserve and commit, heap reserve and commit */
	buf_le(&h, 0x1000, word);
	buf_le(&h, 0x100000, word);
	buf_le(&h, 0x1000, word);
	buf_le(&h, 0, 4); /* LoaderFlags */
	buf_le(&h, given_or(image.dirs, 16), 4);
	if (h.len < size)
		buf_fill(&h, 0, size - h.len); /* the directories, all empty */
	buf_add(out, h.p, (size_t)size);
	free(h.p);
}

static void write_section_header(struct buf *out, const struct section *s, struct buf *coff_strings)
{
	char name[32] = "";
	uint8_t h[SECTION_HEADER] = { 0 };
	if (strlen(s->name) > NAME_SIZE) {
		snprintf(name, sizeof name, "/%lu", (unsigned long)coff_strings->len);
		buf_add(coff_strings, s->name, strlen(s->name) + 1);
	} else {
		memcpy(name, s->name, strlen(s->name));
	}
	memcpy(h, name, NAME_SIZE);
	put_le(h + 8, s->size.value, 4);
	put_le(h + 12, s->rva.value, 4);
	put_le(h + 16, s->raw.value, 4);
	put_le(h + 20, s->off.value, 4);
	put_le(h + 36, s->flags.value, 4);
	buf_write_at(out, s->header_at, h, sizeof h);
}

static void build_image(struct buf *out)
{
	uint64_t lfanew = given_or(image.lfanew, 0x80), salign = given_or(image.salign, 0x1000);
	uint64_t falign = given_or(image.falign, 0x200), dirs = given_or(image.dirs, 16);
	uint64_t opthdr = given_or(image.opthdr, (image.kind == PE64 ? 112 : 96) + 8 * (dirs < 16 ? dirs : 16));
	uint64_t rva, off, headers_size;
	uint8_t dos[64] = { 'M', 'Z' }, coff[24] = { 'P', 'E' };
	struct buf coff_strings = { NULL, 0, 0 };
	struct buf *tables[SECTIONS_MAX] = { NULL };
	image.headers_at = lfanew + sizeof coff + opthdr;
	headers_size = round_up(image.headers_at + image.section_count * SECTION_HEADER, falign);
	rva = round_up(headers_size, salign);
	off = headers_size;
	for (size_t i = 0; i < image.section_count; i++) {
		struct section *s = &image.section[i];
		s->header_at = image.headers_at + i * SECTION_HEADER;
		if (s->table) {
			tables[i] = xrealloc(NULL, sizeof **tables);
			memset(tables[i], 0, sizeof **tables);
			write_table(tables[i], s->table);
			s->size.value = given_or(s->size, tables[i]->len);
			s->raw.value = given_or(s->raw, round_up(tables[i]->len, falign));
		} else {
			s->size.value = given_or(s->size, given_or(s->raw, 0x1000));
			s->raw.value = given_or(s->raw, s->flags.value & 0x80 ? 0 : round_up(s->size.value, falign));
		}
		s->rva.value = given_or(s->rva, rva);
		s->off.value = given_or(s->off, s->raw.value ? round_up(off, falign) : 0);
		s->data_at = s->off.value;
		if (s->table)
			s->table->file_at = s->data_at;
		rva = round_up(s->rva.value + (s->size.value > s->raw.value ? s->size.value : s->raw.value), salign);
		if (s->raw.value && s->off.value + s->raw.value > off)
			off = s->off.value + s->raw.value;
	}

	put_le(dos + 0x3c, lfanew, 4);
	buf_write_at(out, 0, dos, sizeof dos);
	buf_fill(out, 0, headers_size > out->len ? headers_size - out->len : 0);
	buf_le(&coff_strings, 0, 4); /* its own length, known at the end */
	for (size_t i = 0; i < image.section_count; i++)
		write_section_header(out, &image.section[i], &coff_strings);
	put_le(coff_strings.p, coff_strings.len, 4);

	put_le(coff + 4, given_or(image.machine, image.kind == PE64 ? 0x8664 : 0x14c), 2);
	put_le(coff + 6, given_or(image.sections, image.section_count), 2);
	put_le(coff + 8, given_or(image.stamp, 0), 4);
	put_le(coff + 12, given_or(image.symptr, coff_strings.len > 4 ? off : 0), 4);
	put_le(coff + 16, given_or(image.nsyms, 0), 4);
	put_le(coff + 20, opthdr, 2);
	put_le(coff + 22, given_or(image.characteristics, image.kind == PE64 ? 0x22e : 0x10e), 2);
	buf_write_at(out, lfanew, coff, sizeof coff);
	struct buf optional = { NULL, 0, 0 };
	write_optional_header(&optional, opthdr, headers_size, rva);
	buf_write_at(out, lfanew + sizeof coff, optional.p, optional.len);
	free(optional.p);

	for (size_t i = 0; i < image.section_count; i++) {
		const struct section *s = &image.section[i];
		struct buf data = { NULL, 0, 0 };
		if (tables[i]) { /* more or less raw data than table is what raw= is for */
			data = *tables[i];
			free(tables[i]);
		}
		if (data.len > s->raw.value)
			data.len = (size_t)s->raw.value;
		buf_fill(&data, (uint8_t)given_or(s->fill, s->flags.value & 0x20 ? 0xcc : 0), s->raw.value - data.len);
		buf_write_at(out, s->off.value, data.p, data.len);
		free(data.p);
	}
	if (coff_strings.len > 4)
		buf_write_at(out, off, coff_strings.p, coff_strings.len);
	free(coff_strings.p);
}

/* ---- edits of the finished file ---- */

static const struct section *find_section(const char *name)
{
	for (size_t i = 0; i < image.section_count; i++)
		if (!strcmp(image.section[i].name, name))
			return &image.section[i];
	die("no section '%s'", name);
}

/* The file offset an AT word means. */
static uint64_t resolve(char *word, const struct buf *out)
{
	char *sign = isdigit((unsigned char)*word) ? NULL : strpbrk(word, "+-");
	uint64_t at, offset = sign ? number(sign + 1, FILE_MAX) : 0;
	bool minus = sign && *sign == '-';
	uint64_t lfanew = given_or(image.lfanew, 0x80);
	if (sign)
		*sign = '\0';
	size_t length = strlen(word), which = 0;
	if (length > 1 && isdigit((unsigned char)word[length - 1]) && !isdigit((unsigned char)*word) &&
	    !strchr(word, ':')) {
		which = (size_t)(word[length - 1] - '1');
		word[length - 1] = '\0';
	}
	const struct table *t = which < image.table_count ? &image.table[which] : NULL;
	if (isdigit((unsigned char)*word)) {
		at = number(word, FILE_MAX);
	} else if (!strcmp(word, "end")) {
		at = out->len;
	} else if (image.kind != BARE && !strcmp(word, "pe")) {
		at = lfanew;
	} else if (image.kind != BARE && !strcmp(word, "opt")) {
		at = lfanew + 24;
	} else if (image.kind != BARE && !strcmp(word, "headers")) {
		at = image.headers_at;
	} else if (!strncmp(word, "header:", 7)) {
		at = find_section(word + 7)->header_at;
	} else if (!strncmp(word, "data:", 5)) {
		at = find_section(word + 5)->data_at;
	} else if (t) {
		uint64_t symbols = 16 + given_or(t->gap, 0);
		uint64_t strings = symbols + t->symbols.len + given_or(t->strings_gap, 0);
		if (!strcmp(word, "rossym"))
			at = t->file_at;
		else if (!strcmp(word, "symbols"))
			at = t->file_at + symbols;
		else if (!strcmp(word, "strings"))
			at = t->file_at + strings;
		else if (!strcmp(word, "strings.last"))
			at = t->file_at + strings + t->strings.len - 1;
		else
			die("unknown place '%s'", word);
	} else {
		die("unknown place '%s'", word);
	}
	if (minus && offset > at)
		die("before the start of the file");
	return minus ? at - offset : at + offset;
}

static void apply(struct edit *e, struct buf *out)
{
	line_number = e->line;
	if (e->kind == APPEND) {
		buf_add(out, e->bytes.p, e->bytes.len);
		return;
	}
	uint64_t at = resolve(e->at, out);
	if (at > out->len || e->bytes.len > out->len - at)
		die("beyond the end of the file, 0x%lx", (unsigned long)out->len);
	if (e->kind == TRUNCATE)
		out->len = (size_t)at;
	else
		memcpy(out->p + at, e->bytes.p, e->bytes.len);
}

/* ---- statements ---- */

static struct table *new_table(void)
{
	struct table *t;
	if (image.table_count == TABLES_MAX)
		die("too many tables");
	t = &image.table[image.table_count++];
	buf_le(&t->strings, 0, 1);
	return t;
}

/* A key that has the name of a field. */
#define KEY(object, field, max) \
	{ \
#field, max, &(object).field, NULL \
	}

#define TABLE_KEYS(t) \
	KEY(*t, width, 24), KEY(*t, gap, FILE_MAX), { "strings-gap", FILE_MAX, &(t)->strings_gap, NULL }, \
		KEY(*t, trailing, FILE_MAX), KEY(*t, unterminated, 1), \
		{ "symbols-offset", UINT32_MAX, &(t)->symbols_offset, NULL }, \
		{ "symbols-length", UINT32_MAX, &(t)->symbols_length, NULL }, \
		{ "strings-offset", UINT32_MAX, &(t)->strings_offset, NULL }, \
	{ \
		"strings-length", UINT32_MAX, &(t)->strings_length, NULL \
	}

#define SECTION_KEYS(s) \
	KEY(*s, rva, UINT32_MAX), KEY(*s, size, UINT32_MAX), KEY(*s, raw, UINT32_MAX), KEY(*s, off, UINT32_MAX), \
		KEY(*s, flags, UINT32_MAX), KEY(*s, fill, UINT8_MAX)

static void check_width(struct table *t)
{
	t->width.value = given_or(t->width, 16);
	if (t->width.value != 16 && t->width.value != 20 && t->width.value != 24)
		die("width is 16, 20 or 24");
}

static void say_image(int kind, char **words, size_t count)
{
	const struct key keys[] = {
		KEY(image, base, kind == PE64 ? UINT64_MAX : UINT32_MAX),
		KEY(image, machine, UINT16_MAX),
		KEY(image, salign, UINT32_MAX),
		KEY(image, falign, UINT32_MAX),
		KEY(image, stamp, UINT32_MAX),
		KEY(image, entry, UINT32_MAX),
		KEY(image, subsystem, UINT16_MAX),
		KEY(image, characteristics, UINT16_MAX),
		KEY(image, dllcharacteristics, UINT16_MAX),
		KEY(image, checksum, UINT32_MAX),
		KEY(image, magic, UINT16_MAX),
		KEY(image, lfanew, UINT32_MAX),
		KEY(image, opthdr, UINT16_MAX),
		KEY(image, dirs, UINT32_MAX),
		KEY(image, sections, UINT16_MAX),
		KEY(image, imagesize, UINT32_MAX),
		KEY(image, headersize, UINT32_MAX),
		KEY(image, symptr, UINT32_MAX),
		KEY(image, nsyms, UINT32_MAX),
		{ NULL, 0, NULL, NULL },
	};

	if (image.kind != NOTHING_YET)
		die("the kind of file is already said");
	image.kind = kind == PE64 ? PE64 : PE32;
	parse_keys(keys, words, count);
}

static void say_bare(int kind, char **words, size_t count)
{
	struct table *t = new_table();
	const struct key keys[] = { TABLE_KEYS(t), { NULL, 0, NULL, NULL } };
	(void)kind;
	if (image.kind != NOTHING_YET)
		die("the kind of file is already said");
	image.kind = BARE;
	parse_keys(keys, words, count);
	check_width(t);
}

static struct section *new_section(char *name)
{
	struct section *s;
	if (image.kind != PE32 && image.kind != PE64)
		die("a section wants pe32 or pe64 first");
	if (image.section_count == SECTIONS_MAX)
		die("too many sections");
	s = &image.section[image.section_count++];
	s->name = name;
	return s;
}

static void say_section(int kind, char **words, size_t count)
{
	struct section *s = new_section(words[0]);
	const struct key keys[] = { SECTION_KEYS(s), { NULL, 0, NULL, NULL } };
	(void)kind;
	parse_keys(keys, words + 1, count - 1);
	s->flags.value = given_or(s->flags, 0x60000020);
}

static void say_rossym(int kind, char **words, size_t count)
{
	static char name[] = ".rossym";
	struct section *s = new_section(name);
	struct table *t = new_table();
	const struct key keys[] = {
		SECTION_KEYS(s),
		TABLE_KEYS(t),
		{ "name", 0, NULL, &s->name },
		{ NULL, 0, NULL, NULL },
	};

	(void)kind;
	parse_keys(keys, words, count);
	s->flags.value = given_or(s->flags, 0x42000802);
	s->table = t;
	check_width(t);
}

/* RAW: fields are numbers, or texts after a "=". */
static void say_row(int raw, char **words, size_t count)
{
	struct table *t = current_table();
	uint32_t field[3];
	for (int i = 0; i < 3; i++) {
		char *word = words[i + 1];
		const bool is_text = raw ? word[0] == '=' : i < 2;
		field[i] = is_text ? intern(t, word + raw) : (uint32_t)number(word, UINT32_MAX);
	}
	add_row(t, number(words[0], UINT64_MAX), field, count > 4 ? (uint32_t)number(words[4], UINT32_MAX) : 0);
}

static void say_string(int kind, char **words, size_t count)
{
	(void)kind, (void)count;
	intern(current_table(), words[0]);
}

static void say_tail(int kind, char **words, size_t count)
{
	(void)kind;
	parse_bytes(&current_table()->tail, words, count);
}

static void say_edit(int kind, char **words, size_t count)
{
	struct edit *e;
	if (image.edit_count == EDITS_MAX)
		die("too many edits");
	e = &image.edit[image.edit_count++];
	e->kind = kind;
	e->line = line_number;
	if (kind != APPEND) {
		e->at = words[0];
		words++, count--;
	}
	if (kind == POKE && count && !strcmp(words[0], "="))
		words++, count--;
	parse_bytes(&e->bytes, words, count);
}

static void statement(char **words, size_t count)
{
	static const struct {
		const char *name;
		size_t min, max; /* words after the name */
		void (*say)(int kind, char **words, size_t count);
		int kind;
	} known[] = {
		{ "pe32", 0, WORDS_MAX, say_image, PE32 },    { "pe64", 0, WORDS_MAX, say_image, PE64 },
		{ "bare", 0, WORDS_MAX, say_bare, 0 },	      { "section", 1, WORDS_MAX, say_section, 0 },
		{ "rossym", 0, WORDS_MAX, say_rossym, 0 },    { "row", 4, 4, say_row, false },
		{ "row-raw", 4, 5, say_row, true },	      { "string", 1, 1, say_string, 0 },
		{ "tail", 1, WORDS_MAX, say_tail, 0 },	      { "generate", 1, WORDS_MAX, generate, 0 },
		{ "poke", 2, WORDS_MAX, say_edit, POKE },     { "truncate", 1, 1, say_edit, TRUNCATE },
		{ "append", 1, WORDS_MAX, say_edit, APPEND },
	};
	size_t i = 0;
	while (i < sizeof known / sizeof *known && strcmp(known[i].name, words[0]))
		i++;
	if (i == sizeof known / sizeof *known)
		die("unknown statement '%s'", words[0]);
	if (image.kind == NOTHING_YET && i > 2)
		die("pe32, pe64 or bare comes first");
	words++, count--;
	if (count < known[i].min || count > known[i].max)
		die("%s: wrong number of words", known[i].name);
	known[i].say(known[i].kind, words, count);
}

static FILE *open_or(const char *path, const char *mode, FILE *standard)
{
	FILE *f = path && strcmp(path, "-") ? fopen(path, mode) : standard;
	if (!f)
		die("%s: %s", path, strerror(errno));
#ifdef _WIN32
	_setmode(_fileno(f), _O_BINARY);
#endif
	return f;
}

int main(int argc, char **argv)
{
	static struct buf text, out; /* static: a leak checker must find nothing at the end of the process */
	static char *words[WORDS_MAX];
	FILE *f;
	size_t got;
	if (argc > 3) {
		fputs("Usage: mkimage [TEXT [IMAGE]]\n", stderr);
		return 1;
	}
	if (argc > 1)
		input_name = argv[1];
	f = open_or(argc > 1 ? argv[1] : NULL, "rb", stdin);
	do {
		buf_reserve(&text, 65536);
		got = fread(text.p + text.len, 1, 65536, f);
		text.len += got;
	} while (got);
	if (ferror(f))
		die("cannot read");
	if (memchr(text.p, '\0', text.len))
		die("a NUL byte: not a text");
	buf_le(&text, 0, 1);

	char *rest = (char *)text.p;
	line_number = 1;
	while (*rest) {
		/* An error in a statement names the line the statement stands on, not the one after it. */
		unsigned long line = line_number;
		size_t count = next_statement(&rest, words);
		unsigned long next = line_number;
		line_number = line;
		if (count)
			statement(words, count);
		line_number = next;
	}
	if (image.kind == NOTHING_YET)
		die("nothing described");
	if (image.kind == BARE)
		write_table(&out, &image.table[0]);
	else
		build_image(&out);
	for (size_t i = 0; i < image.edit_count; i++)
		apply(&image.edit[i], &out);

	f = open_or(argc > 2 ? argv[2] : NULL, "wb", stdout);
	if (fwrite(out.p, 1, out.len, f) != out.len || fclose(f))
		die("cannot write: %s", strerror(errno));
	return 0;
}

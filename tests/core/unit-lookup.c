/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rossym_lookup() against the rules of the format, written a second time: no search, no index, no order of checks,
 * only the text of the rules over all rows, for every address where an answer can change.
 */
#include "config.h"

#include "tests/lib/makepe.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"
#include "rossym.h"

static struct makepe m;
static uint8_t *bytes;
static size_t size;

/* ------------------------------------------------------------------------------------------- the rules */

struct entry {
	uint64_t address;
	uint32_t function_offset, file_offset, line;
	const char *function, *file; /* NULL: unknown */
	bool is_constant;	     /* its function is a linker constant */
	bool exists;		     /* for the rules */
};

struct region {
	uint64_t begin, end;
	bool code;
};

struct answer {
	bool known;
	const char *function, *file;
	uint32_t line;
	uint64_t at;
};

static struct entry entries[MAKEPE_ROWS_MAX * 2];
static size_t entry_count;
static char text[MAKEPE_STRINGS_MAX + 1]; /* the strings and the NUL that is assumed */
static size_t text_size;
static struct region regions[MAKEPE_SECTIONS_MAX];
static size_t region_count;

/* What the linker names so, of the names in the tables below and of their ends; cli-symbols.sh has GNU ld's
   own list. */
static bool names_a_constant(const char *name)
{
	static const char *const list[] = { "ImageBase", "subsystem__", "size_of_heap_commit__", "dll__",
					    "image_base__" };
	const char *core = name + strspn(name, "_");

	for (size_t i = 0; core > name && i < sizeof list / sizeof *list; i++)
		if (strcmp(core, list[i]) == 0)
			return true;
	return false;
}

static const char *text_at(uint32_t offset)
{
	return offset == 0 || offset >= text_size || text[offset] == '\0' ? NULL : text + offset;
}

/* Take the rows out of the file as rows of WIDTH bytes.  False: they are not of that size, for the addresses do not
   ascend, the padding is not 0, or an offset is outside the strings. */
static bool take_entries(unsigned width)
{
	const uint8_t *table = bytes + m.table_at;
	size_t length = makepe_get(table + 4, 4);
	unsigned wide = width == 16 ? 0 : 4;
	bool fits = length % width == 0;

	entry_count = length / width;
	for (size_t i = 0; i < entry_count; i++) {
		const uint8_t *p = table + 16 + i * width;
		struct entry *e = &entries[i];

		e->address = makepe_get(p, 4 + wide);
		e->function_offset = (uint32_t)makepe_get(p + 4 + wide, 4);
		e->file_offset = (uint32_t)makepe_get(p + 8 + wide, 4);
		e->line = (uint32_t)makepe_get(p + 12 + wide, 4);
		fits &= i == 0 || e->address >= e[-1].address;
		fits &= width != 24 || makepe_get(p + 20, 4) == 0;
		fits &= e->function_offset == 0 || e->function_offset < text_size;
		fits &= e->file_offset == 0 || e->file_offset < text_size;
	}
	return fits;
}

/* Read the file that has been built.  Returns the size of a row: the first one that fits without a flaw, else the one
   that the table was made with; then *RET_FLAWED. */
static unsigned take_file(bool *ret_flawed)
{
	static const unsigned widths[] = { 16, 24, 20 };
	const uint8_t *table = bytes + m.table_at;
	unsigned width = 0;

	text_size = makepe_get(table + 12, 4);
	memcpy(text, table + makepe_get(table + 8, 4), text_size);
	text[text_size] = '\0';
	for (unsigned i = 0; m.kind == MAKEPE_64 && i < 3 && width == 0; i++)
		width = take_entries(widths[i]) ? widths[i] : 0;
	*ret_flawed = m.kind == MAKEPE_64 && width == 0;
	if (width == 0)
		take_entries(width = m.width);
	for (size_t i = 0; i < entry_count; i++) {
		struct entry *e = &entries[i];

		e->function = text_at(e->function_offset);
		e->file = text_at(e->file_offset);
		e->is_constant = e->function && names_a_constant(e->function);
		e->exists = !(e->is_constant && !e->file && e->line == 0);
	}

	region_count = m.kind == MAKEPE_BARE ? 0 : makepe_get(bytes + MAKEPE_PE + 6, 2);
	for (size_t i = 0; i < region_count; i++) {
		const uint8_t *header = bytes + MAKEPE_HEADERS + 40 * i;
		uint64_t length = makepe_get(header + 16, 4), virtual_size = makepe_get(header + 8, 4);

		if (length == 0 || (virtual_size != 0 && virtual_size < length))
			length = virtual_size;
		regions[i].begin = makepe_get(header + 12, 4);
		regions[i].end = regions[i].begin + length;
		regions[i].code = makepe_get(header + 36, 4) & 0x20000020;
	}
	return width;
}

static const struct region *region_of(uint64_t rva)
{
	for (size_t i = 0; i < region_count; i++)
		if (rva >= regions[i].begin && rva < regions[i].end)
			return &regions[i];
	return NULL;
}

static struct answer answer_by_rules(uint64_t rva, bool data)
{
	const struct answer unknown = { false, NULL, NULL, 0, 0 };
	const struct region *region = region_of(rva);

	/* An RVA has 32 bits, even where a section says that it is longer. */
	if (rva > UINT32_MAX)
		return unknown;

	/* 1, 2.  A bare table has no sections. */
	if (m.kind != MAKEPE_BARE && (!region || (!region->code && !data)))
		return unknown;

	/* 3 */
	uint64_t greatest = 0;
	bool any = false;
	for (size_t i = 0; i < entry_count; i++)
		if (entries[i].exists && entries[i].address <= rva && (!any || entries[i].address > greatest)) {
			greatest = entries[i].address;
			any = true;
		}
	if (!any || (m.kind != MAKEPE_BARE && region_of(greatest) != region))
		return unknown;

	/* 4 */
	const struct entry *with_line = NULL, *with_file = NULL, *with_function = NULL;
	const char *other = NULL;
	for (size_t i = entry_count; i-- > 0;) { /* backwards: what is found last is the first */
		const struct entry *e = &entries[i];

		if (!e->exists || e->address != greatest)
			continue;
		if (e->line)
			with_line = e;
		if (e->file)
			with_file = e;
		if (e->function)
			with_function = e;
		if (e->function && !e->is_constant)
			other = e->function;
	}
	const struct entry *speaker = with_line ? with_line : with_file ? with_file : with_function;
	if (!speaker)
		return unknown;

	/* 5 */
	struct answer a = { true, speaker->is_constant ? other : speaker->function, speaker->file, speaker->line,
			    greatest };
	if (a.function && strcmp(a.function, "_rossym_end__") == 0)
		return unknown;
	return a.function || a.file || a.line ? a : unknown;
}

/* ---------------------------------------------------------------------------------------- the comparison */

static const char *shown(const char *s)
{
	return s ? s : "(unknown)";
}

static bool compare_one(struct rossym_image *image, uint64_t rva, unsigned flags, const char *when)
{
	struct rossym_frame frame = { .function = "untouched", .file = "untouched", .line = 77, .row_rva = 77 };
	struct rossym_error err = { ROSSYM_OK, 0, 0, "" };
	struct answer want = answer_by_rules(rva, flags == ROSSYM_LOOKUP_DATA);
	int r = rossym_lookup(image, rva, flags, &frame, &err);

	if (r == 0 && !want.known)
		return true;
	if (r == 1 && want.known && tap_same_str(frame.function, want.function) &&
	    tap_same_str(frame.file, want.file) && frame.line == want.line && frame.row_rva == want.at)
		return true;
	diag("0x%llx, flags %u, %s: expected %d, %s %s:%u from 0x%llx", (unsigned long long)rva, flags, when,
	     want.known, shown(want.function), shown(want.file), (unsigned)want.line, (unsigned long long)want.at);
	diag("  seen %d, %s %s:%u from 0x%llx; code %d at 0x%llx: %s", r, shown(frame.function), shown(frame.file),
	     (unsigned)frame.line, (unsigned long long)frame.row_rva, (int)err.code, (unsigned long long)err.offset,
	     err.what);
	return false;
}

static bool compare_around(struct rossym_image *image, uint64_t rva, const char *when)
{
	for (uint64_t i = rva - 1; i != rva + 2; i++) /* below 0 is the highest address */
		if (!compare_one(image, i, 0, when) || !compare_one(image, i, ROSSYM_LOOKUP_DATA, when))
			return false;
	return true;
}

static bool compare_all(struct rossym_image *image, const char *when)
{
	for (size_t i = 0; i < entry_count; i++)
		if ((i == 0 || entries[i].address != entries[i - 1].address) &&
		    !compare_around(image, entries[i].address, when))
			return false;
	for (size_t i = 0; i < region_count; i++)
		if (!compare_around(image, regions[i].begin, when) || !compare_around(image, regions[i].end, when))
			return false;
	return compare_around(image, 0, when) && compare_around(image, UINT32_MAX, when) &&
	       compare_around(image, (uint64_t)UINT32_MAX + 2, when);
}

/* ------------------------------------------------------------------------------------------- the tables */

static const char *const files[] = { "a.c", "b.c", "ntoskrnl/ke/bug.c", "" };

static uint32_t random_offset(uint32_t good, bool damaged)
{
	if (!damaged)
		return good;
	switch (random_below(4)) {
	case 0:
		return (uint32_t)m.strings_size;
	case 1:
		return (uint32_t)m.strings_size - 1; /* inside, or just outside without the last NUL */
	case 2:
		return UINT32_MAX;
	default:
		return random_below((uint32_t)m.strings_size + 8);
	}
}

static void random_sections(bool tidy)
{
	uint32_t count = random_one_in(10) ? 0 : 1 + random_below(5), at = random_below(0x80);

	for (uint32_t i = 0; i < count; i++) {
		static const uint32_t flags[] = {
			MAKEPE_CODE, MAKEPE_CODE, MAKEPE_CODE, MAKEPE_DATA, 0x20, 0x20000000, 0, 0xdfffffdf,
		};
		uint32_t virtual_size = random_one_in(4) ? 0 : random_below(0x200);
		uint32_t raw_size = random_one_in(4) ? 0 : random_below(0x200);

		if (!tidy)
			at = random_below(0x400);
		if (random_one_in(40)) {
			at = UINT32_MAX - random_below(0x100);
			tidy = false;
		}
		makepe_section(&m, "s", at, virtual_size, raw_size, flags[random_below(8)]);
		at += (virtual_size > raw_size ? virtual_size : raw_size) + random_below(0x40);
	}
	m.rossym_rva = tidy || random_one_in(2) ? 0x80000000 : random_below(0x400);
}

/* LIKE_REAL: rows mostly have the strings of the one before them, and a line and an address of their own. */
static void random_rows(uint32_t count, bool like_real)
{
	const char *function = "", *file = "";
	uint64_t address = random_one_in(4) ? 0 : random_below(0x100);
	uint32_t step = 1 + random_below(random_one_in(2) ? 8 : 0x60),
		 damage = random_one_in(3) ? 1 + random_below(8) : 0;
	uint32_t constants = random_one_in(3) ? 2 : 16;

	if (damage && m.kind == MAKEPE_64)
		damage = random_one_in(2) ? 0 : 400; /* more than one in a hundred would decide the size of a row */
	for (uint32_t i = 0; i < count; i++) {
		uint32_t line = random_one_in(like_real ? 20 : 3) ? 0
				: random_one_in(20)		  ? UINT32_MAX
								  : 1 + random_below(99);

		if (!like_real || random_one_in(12)) {
			function = makepe_functions[random_below(random_one_in(constants) ? MAKEPE_FUNCTIONS : 9)];
			file = random_one_in(3) ? "" : files[random_below(4)];
		}
		if (random_one_in(like_real ? 50 : 4)) /* the same name a second time in the strings */
			makepe_new_string(&m, function);
		makepe_raw_row(&m, address, random_offset(makepe_string(&m, function), damage && random_one_in(damage)),
			       random_offset(makepe_string(&m, file), damage && random_one_in(damage)), line);
		if (!random_one_in(like_real ? 15 : 3))
			address += random_one_in(30) ? 0x200 : random_below(step);
		if (random_one_in(400) && address < UINT32_MAX - 2)
			address = m.width > 16 && random_one_in(2) ? (uint64_t)UINT32_MAX + random_below(4)
								   : UINT32_MAX - 2;
		if (m.width == 16 && address > UINT32_MAX)
			address = UINT32_MAX;
	}
}

static void random_table(enum makepe_kind kind, unsigned width, bool like_real)
{
	static const uint32_t counts[] = { 0, 1, 2, 8, 40, 64, 65, 66, 130, 300 };
	uint32_t most = counts[random_below(10)];

	makepe_start(&m, kind);
	m.width = width;
	m.unterminated = random_one_in(4);
	if (kind != MAKEPE_BARE)
		random_sections(random_one_in(2));
	/* So that reading it with another size is likely to fail, as with real tables: what fits first wins. */
	random_rows(random_one_in(3) ? most : random_below(most + 1), like_real);
}

/* True if there is nothing to say against the table that has been built. */
static bool compare_table(bool by_file, unsigned *refused)
{
	struct rossym_image *image = NULL;
	struct rossym_error err = { ROSSYM_OK, 0, 0, "" };
	struct rossym_info info = { .size = sizeof info };
	char path[4096];
	bool flawed, good = false;
	unsigned width = take_file(&flawed);
	int r;

	if (by_file) {
		if (!makepe_file(path, bytes, size))
			return false;
		r = rossym_open(path, NULL, &image, &err);
		unlink(path);
	} else {
		r = rossym_open_memory(bytes, size, NULL, &image, &err);
	}
	if (r < 0 && flawed) {
		++*refused;
		good = err.code == ROSSYM_EDAMAGED;
	} else if (r < 0) {
		diag("refused: at 0x%llx: %s", (unsigned long long)err.offset, err.what);
	} else {
		rossym_get_info(image, &info, NULL);
		if (info.row_size != width || info.rows != entry_count)
			diag("rows of %u bytes, expected %u", (unsigned)info.row_size, width);
		else if (compare_all(image, "before rossym_prepare")) {
			if (rossym_prepare(image, &err) < 0)
				diag("rossym_prepare: at 0x%llx: %s", (unsigned long long)err.offset, err.what);
			else
				good = compare_all(image, "after rossym_prepare");
		}
	}
	rossym_close(image);
	return good;
}

static void show_table(unsigned number)
{
	diag("table %u: %u rows of %u bytes, %u bytes of strings", number, (unsigned)m.row_count, m.width,
	     (unsigned)text_size);
	for (size_t i = 0; i < region_count; i++)
		diag("  section 0x%llx-0x%llx%s", (unsigned long long)regions[i].begin,
		     (unsigned long long)regions[i].end, regions[i].code ? " code" : "");
	for (size_t i = 0; i < entry_count && i < 30; i++)
		diag("  row 0x%llx %s %s:%u", (unsigned long long)entries[i].address, shown(entries[i].function),
		     shown(entries[i].file), (unsigned)entries[i].line);
}

static void compare_tables(enum makepe_kind kind, unsigned width, bool like_real, unsigned tables, const char *name)
{
	unsigned number, refused = 0;

	random_start((unsigned)kind * 100 + width);
	for (number = 0; number < tables; number++) {
		random_table(kind, width, like_real);
		bytes = makepe_build(&m, &size);
		bool good = compare_table(number % 16 == 0, &refused);
		free(bytes);
		if (!good) {
			show_table(number);
			break;
		}
	}
	ok(number == tables, "%s: %u tables of pseudo-random rows%s", name, tables,
	   like_real ? ", runs of one function" : "");
	if (refused)
		diag("%u of them were refused", refused);
}

/* Two offsets of a hundred rows may be outside the strings, and three are too many to believe the size of a row. */
static void flaws(void)
{
	for (uint32_t bad = 0; bad < 5; bad++) {
		struct rossym_image *image = NULL;
		struct rossym_error err = { ROSSYM_OK, 0, 0, "" };
		struct rossym_info info = { .size = sizeof info };

		makepe_start(&m, MAKEPE_64);
		m.width = 20;
		makepe_section(&m, ".text", 0x1000, 0x1000, 0x1000, MAKEPE_CODE);
		for (uint32_t i = 0; i < 100; i++)
			makepe_raw_row(&m, 0x1000 + i, makepe_string(&m, "f"), i < bad ? UINT32_MAX : 0, 1 + i);
		bytes = makepe_build(&m, &size);
		int r = rossym_open_memory(bytes, size, NULL, &image, &err);
		if (r == 0)
			rossym_get_info(image, &info, NULL);
		if (bad <= 2)
			ok(r == 0 && info.row_size == 20, "%u of 100 rows have a file outside the strings",
			   (unsigned)bad);
		else
			ok(r < 0 && err.code == ROSSYM_EDAMAGED, "%u of 100 rows do, which is too many", (unsigned)bad);
		rossym_close(image);
		free(bytes);
	}
}

/* ------------------------------------------------------------------------- what pseudo-random tables are not */

static void no_order(void)
{
	unsigned wrong = 0, refused = 0;

	random_start(4711);
	for (unsigned number = 0; number < 500; number++) {
		struct rossym_image *image = NULL;
		struct rossym_error err = { ROSSYM_OK, 0, 0, "" };
		struct rossym_frame frame;

		makepe_start(&m, random_one_in(2) ? MAKEPE_BARE : MAKEPE_32);
		makepe_section(&m, ".text", 0, 0, 0x10000, MAKEPE_CODE);
		uint32_t count = 2 + random_below(400);
		for (uint32_t i = 0; i < count; i++)
			makepe_row(&m, 0x10 + 4 * i, "f", "f.c", i);
		uint32_t broken = 1 + random_below(count - 1);
		m.rows[broken].address = random_below(0x10 + 4 * (broken - 1));
		bytes = makepe_build(&m, &size);
		uint64_t at = m.table_at + 16 + 16 * broken;

		if (rossym_open_memory(bytes, size, NULL, &image, &err) < 0)
			abort();
		for (uint32_t i = 0; i < count; i += 7)
			if (rossym_lookup(image, 0x10 + 4 * i, 0, &frame, &err) < 0) {
				wrong += err.code != ROSSYM_EDAMAGED || err.offset != at;
				refused++;
			}
		memset(&err, 0, sizeof err);
		wrong += rossym_prepare(image, &err) != -1 || err.code != ROSSYM_EDAMAGED || err.offset != at;
		memset(&err, 0, sizeof err);
		wrong += rossym_find_function(image, "f", &(struct rossym_function){ .name = NULL }, &err) != -1 ||
			 err.code != ROSSYM_EDAMAGED || err.offset != at;
		rossym_close(image);
		free(bytes);
	}
	is_uint(wrong, 0, "rows out of order: whoever notices names the first of them");
	ok(refused > 500, "single look-ups notice it often");
}

/* A section that is longer than there are RVAs, and rows that go on there. */
static void beyond_rvas(void)
{
	unsigned refused = 0;

	makepe_start(&m, MAKEPE_64);
	m.width = 20;
	makepe_section(&m, ".text", 0xffffff00, 0x1000, 0x1000, MAKEPE_CODE);
	m.rossym_rva = 0x1000;
	for (uint32_t i = 0; i < 64; i++)
		makepe_row(&m, UINT64_C(0xffffff10) + 0x10 * i, "f", "f.c", 1 + i);
	bytes = makepe_build(&m, &size);
	/* In order: .rossym first. */
	uint8_t header[40], *headers = bytes + MAKEPE_HEADERS;
	memcpy(header, headers, sizeof header);
	memcpy(headers, headers + sizeof header, sizeof header);
	memcpy(headers + sizeof header, header, sizeof header);
	ok(compare_table(false, &refused), "rows beyond the last RVA");
	is_uint(refused, 0, "of an image that can be opened");
	free(bytes);
}

/* An address at which so many rows stand that no window holds them, with the best row first or last. */
static void many_of_one_address(void)
{
	for (unsigned last = 0; last < 2; last++) {
		struct rossym_image *image = NULL;
		struct rossym_error err;
		struct rossym_frame frame = { .function = NULL };

		makepe_start(&m, MAKEPE_BARE);
		makepe_row(&m, 0x10, "below", "below.c", 1);
		for (unsigned i = 0; i < 1000; i++)
			makepe_row(&m, 0x20, i ? "alias" : "first", i == (last ? 999u : 0u) ? "right.c" : "wrong.c",
				   i == (last ? 999u : 0u) ? 5 : 0);
		for (unsigned i = 0; i < 1000; i++)
			makepe_row(&m, 0x30, "_subsystem__", "", 0);
		bytes = makepe_build(&m, &size);
		ok(rossym_open_memory(bytes, size, NULL, &image, &err) == 0 &&
			   rossym_lookup(image, 0x35, 0, &frame, &err) == 1 && frame.line == 5 &&
			   tap_same_str(frame.file, "right.c") &&
			   tap_same_str(frame.function, last ? "alias" : "first") && frame.row_rva == 0x20,
		   "a thousand rows of one address below a thousand constants, the best %s", last ? "last" : "first");
		rossym_close(image);
		free(bytes);
	}
}

int main(void)
{
	for (int like_real = 0; like_real < 2; like_real++) {
		compare_tables(MAKEPE_32, 16, like_real, amount(3000, 600), "PE32");
		compare_tables(MAKEPE_64, 16, like_real, amount(1000, 200), "PE32+, 16 bytes");
		compare_tables(MAKEPE_64, 20, like_real, amount(1500, 300), "PE32+, 20 bytes");
		compare_tables(MAKEPE_64, 24, like_real, amount(1500, 300), "PE32+, 24 bytes");
		compare_tables(MAKEPE_BARE, 16, like_real, amount(1000, 200), "bare");
	}
	flaws();
	no_order();
	beyond_rvas();
	many_of_one_address();
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/lib/base/pe-memory.c, through the public interface: what the headers say, names and sizes of sections, and headers that
   are refused. */
#include "config.h"

#include "tests/lib/cases.h"
#include "tests/lib/makepe.h"
#include "tests/lib/memory.h"
#include "tests/lib/tap.h"
#include "rossym.h"

static struct makepe m;
static uint8_t *bytes;
static size_t size;
static struct rossym_image *image;
static struct rossym_error err;

static void start(enum makepe_kind kind)
{
	makepe_start(&m, kind);
	makepe_section(&m, ".text", 0x1000, 0x123, 0x200, MAKEPE_CODE);
}

static void build(void)
{
	makepe_row(&m, 0x1000, "main", "main.c", 3);
	bytes = makepe_build(&m, &size);
}

static bool open_bytes(void)
{
	image = NULL;
	memset(&err, 0, sizeof err);
	return rossym_open_memory(bytes, size, NULL, &image, &err) == 0;
}

static void drop(void)
{
	rossym_close(image);
	image = NULL;
	free(bytes);
	bytes = NULL;
}

static void info_is(enum rossym_kind kind, uint16_t machine, uint64_t base, uint32_t row_size, const char *name)
{
	struct rossym_info info = { .size = sizeof info };

	if (!ok(open_bytes(), "%s opens", name)) {
		diag("at 0x%llx: %s", (unsigned long long)err.offset, err.what);
		return;
	}
	rossym_get_info(image, &info, NULL);
	ok(info.kind == kind && info.machine == machine && info.image_base == base && info.row_size == row_size &&
		   info.rows == m.row_count && info.table_offset == m.table_at && info.strings_size == m.strings_size,
	   "%s: what the headers say", name);
	if (kind == ROSSYM_BARE)
		ok(info.sections == 0 && info.size_of_image == 0 && info.time_date_stamp == 0, "%s has no headers",
		   name);
	else
		ok(info.sections == m.section_count + 1 && info.size_of_image == 0x90000000 &&
			   info.time_date_stamp == 0x12345678,
		   "%s: stamp, size, sections", name);
}

static void kinds(void)
{
	start(MAKEPE_32);
	build();
	info_is(ROSSYM_PE32, 0x14c, 0x400000, 16, "PE32");
	drop();

	start(MAKEPE_64);
	m.base = UINT64_C(0xfffff80123456000);
	m.width = 24;
	makepe_row(&m, 0x800, "f", "f.c", 1);
	build();
	info_is(ROSSYM_PE32PLUS, 0x8664, m.base, 24, "PE32+");
	drop();

	start(MAKEPE_BARE);
	build();
	info_is(ROSSYM_BARE, 0, 0, 16, "a bare table");
	struct rossym_section section;
	is_int(rossym_get_section(image, 0, &section, &err), 0, "a bare table has no sections");
	drop();
}

/* The machine decides the layout where it is one of the two that everybody knows, else the magic does. */
static void layouts(void)
{
	struct case_file cases;

	start(MAKEPE_32);
	build();
	cases_open(&cases, "tests/core/unit-pe.cases");
	while (cases_next(&cases, "layouts")) {
		struct rossym_info info = { .size = sizeof info };
		const char *kind = "none";
		unsigned machine = 0, magic = 0;

		sscanf(cases.input, "%x %x", &machine, &magic);
		makepe_put(bytes + MAKEPE_PE + 4, machine, 2);
		makepe_put(bytes + MAKEPE_OPT, magic, 2);
		if (open_bytes()) {
			rossym_get_info(image, &info, NULL);
			kind = info.kind == ROSSYM_PE32 ? "PE32" : info.kind == ROSSYM_PE32PLUS ? "PE32+" : "another";
		} else if (err.code != ROSSYM_ENOTPE) {
			kind = "another error";
		}
		ok(strcmp(kind, cases.expected) == 0, "machine 0x%x, magic 0x%x", machine, magic);
		rossym_close(image);
	}
	cases_close(&cases);
	free(bytes);
}

static void section_is(uint32_t index, const char *name, uint32_t wanted_size)
{
	struct rossym_section section = { NULL, 0, 0, 0, 0, 0, 0 };

	is_int(rossym_get_section(image, index, &section, &err), 1, "a section is there");
	is_str(section.name, name, "its name");
	is_uint(section.size, wanted_size, name);
}

static void names(void)
{
	struct case_file cases;

	start(MAKEPE_32);
	m.long_names = "paged_code_of_the_driver\0unterminated";
	m.long_names_size = 25 + 12;
	cases_open(&cases, "tests/core/unit-pe.cases");
	for (uint32_t i = 0; cases_next(&cases, "names"); i++)
		makepe_section(&m, cases.input, 0x2000 + 0x100 * i, 1, 1, MAKEPE_CODE);
	build();
	if (ok(open_bytes(), "an image with long names")) {
		struct rossym_section section;
		uint32_t count = 1;

		section_is(0, ".text", 0x123);
		for (; cases_next(&cases, "names"); count++)
			section_is(count, cases.expected, 1);
		section_is(count, ".rossym", (uint32_t)makepe_table_size(&m));
		memset(&section, 0x5a, sizeof section);
		is_int(rossym_get_section(image, count + 1, &section, &err), 0, "no section is left");
		is_uint(section.rva, 0x5a5a5a5a, "and none is stored");
		is_int(rossym_get_section(image, UINT32_MAX, &section, &err), 0, "nor has it the highest number");
	}
	cases_close(&cases);
	rossym_close(image);

	/* The same names where the string table is not in the file: they stay. */
	const size_t table = m.table_at + makepe_table_size(&m);
	const struct {
		size_t at;
		uint64_t value;
		unsigned width;
		uint32_t section;
		const char *name, *what;
	} changes[] = {
		{ table, 40, 4, 3, "unterminate", "a shorter string table" }, /* the last byte goes */
		{ table, UINT32_MAX, 4, 2, "/4", "a string table that claims more than there is" },
		{ table, 3, 4, 2, "/4", "a string table shorter than its own length field" },
		{ MAKEPE_PE + 12, size - 3, 4, 2, "/4", "a string table cut inside its length field" },
		{ MAKEPE_PE + 12, UINT64_C(0xfffffffffffffff0), 8, 2, "/4", "symbols far behind the end of the file" },
	};
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		makepe_put(bytes + changes[i].at, changes[i].value, changes[i].width);
		ok(open_bytes(), "%s", changes[i].what);
		section_is(changes[i].section, changes[i].name, 1);
		rossym_close(image);
	}
	free(bytes);
}

/* Offsets of more than seven decimal digits are in base64.  Here they are smaller: a small file shows that all digits
   count. */
static void base64_names(void)
{
	enum { SIZE = 0x5afff };
	struct case_file cases;
	static char strings[SIZE];
	start(MAKEPE_32);
	m.long_names = strings;
	m.long_names_size = SIZE - 4;
	strcpy(strings, ".debug_first");
	strcpy(strings + 0xf73 - 4, "of_0xf73");
	strcpy(strings + 0x5afbf - 4, "of_0x5afbf");
	cases_open(&cases, "tests/core/unit-pe.cases");
	for (uint32_t i = 0; cases_next(&cases, "base64"); i++)
		makepe_section(&m, cases.input, 0x2000 + 0x100 * i, 1, 1, MAKEPE_DATA);
	build();
	ok(open_bytes(), "an image with names in base64");
	for (uint32_t i = 1; cases_next(&cases, "base64"); i++)
		section_is(i, cases.expected, 1);
	cases_close(&cases);
	drop();
}

static void sizes(void)
{
	static const struct {
		uint32_t virtual_size, raw_size, want;
	} rows[] = {
		{ 0x100, 0x200, 0x100 }, { 0x200, 0x200, 0x200 },
		{ 0x300, 0x200, 0x200 }, { 0, 0x200, 0x200 },
		{ 0x300, 0, 0x300 },	 { 0, 0, 0 },
		{ 1, UINT32_MAX, 1 },	 { UINT32_MAX, UINT32_MAX, UINT32_MAX },
	};

	makepe_start(&m, MAKEPE_32);
	for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
		makepe_section(&m, "s", 0x1000 * i, rows[i].virtual_size, rows[i].raw_size, MAKEPE_CODE);
	build();
	ok(open_bytes(), "sections of all sizes");
	for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rossym_section section;

		ok(rossym_get_section(image, i, &section, &err) == 1 && section.size == rows[i].want &&
			   section.rva == 0x1000 * i && section.virtual_size == rows[i].virtual_size &&
			   section.raw_size == rows[i].raw_size && section.raw_offset == 0 &&
			   section.characteristics == MAKEPE_CODE,
		   "virtual 0x%x, raw 0x%x: 0x%x", rows[i].virtual_size, rows[i].raw_size, rows[i].want);
	}
	drop();

	struct rossym_section section = { "", 0, 0, 0, 0, 0, 0x20 };
	ok(rossym_section_is_code(&section), "CNT_CODE is code");
	section.characteristics = 0x20000000;
	ok(rossym_section_is_code(&section), "MEM_EXECUTE is code");
	section.characteristics = ~0x20000020u;
	ok(!rossym_section_is_code(&section), "nothing else is");
}

/* The optional header may end anywhere behind the image base. */
static void optional_headers(void)
{
	start(MAKEPE_32);
	build();
	makepe_put(bytes + MAKEPE_OPT + 92, UINT32_MAX, 4);
	ok(open_bytes(), "a number of data directories that nobody believes");
	drop();

	static const unsigned lengths[] = { 0, 31, 32, 56, 59, 60, 224, 240, 241, 0xffff };
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		start(MAKEPE_32);
		build();
		/* The section table follows the optional header: move the rest of the file, the table with it. */
		size_t rest = size - MAKEPE_HEADERS, moved = MAKEPE_OPT + lengths[i];
		uint8_t *b = needed(calloc(1, moved + rest));
		memcpy(b, bytes, moved < MAKEPE_HEADERS ? moved : MAKEPE_HEADERS);
		memcpy(b + moved, bytes + MAKEPE_HEADERS, rest);
		makepe_put(b + MAKEPE_PE + 20, lengths[i], 2);
		makepe_put(b + moved + 40 + 20, moved + 80, 4);
		free(bytes);
		bytes = b;
		size = moved + rest;
		bool opened = open_bytes();
		ok(opened == (lengths[i] >= 32) && (opened || err.code == ROSSYM_ENOTPE),
		   "an optional header of %u bytes", lengths[i]);
		if (opened) {
			struct rossym_info info = { .size = sizeof info };
			struct rossym_frame frame;

			rossym_get_info(image, &info, NULL);
			is_uint(info.image_base, 0x400000, "its image base");
			is_uint(info.size_of_image, lengths[i] >= 60 ? 0x90000000 : 0x80000000 + makepe_table_size(&m),
				"its size of image, or the end of the last section");
			is_int(rossym_lookup(image, 0x1000, 0, &frame, &err), 1, "its table");
		}
		drop();
	}
}

/* Each prefix of an image is an error with a place inside it. */
static void cuts(void)
{
	unsigned wrong = 0;

	start(MAKEPE_32);
	build();
	for (size_t cut = 0; cut < size; cut++) {
		uint8_t *part = needed(malloc(cut + 1));
		struct rossym_image *untouched = (struct rossym_image *)(void *)&m;
		memcpy(part + 1, bytes, cut);
		memset(&err, 0, sizeof err);
		int r = rossym_open_memory(part + 1, cut, NULL, &untouched, &err);
		enum rossym_code want = cut < MAKEPE_HEADERS + 80 ? ROSSYM_ENOTPE : ROSSYM_EDAMAGED;
		if (r != -1 || err.code != want || err.offset > cut + 64 || !err.what[0] ||
		    untouched != (struct rossym_image *)(void *)&m) {
			wrong++;
			diag("cut at %u: %d, code %d, offset %u, \"%s\"", (unsigned)cut, r, (int)err.code,
			     (unsigned)err.offset, err.what);
		}
		free(part);
	}
	is_uint(wrong, 0, "an image cut anywhere");
	free(bytes);
}

/* Files of other kinds: each is named as soon as enough of it is there, and no byte behind the end is read. */
static void other_kinds(void)
{
	static const struct {
		const char *bytes;
		size_t size, needed;
		const char *what;
	} kinds_of_files[] = {
		{ "\177ELF\2\1\1", 7, 4, "an ELF file" },
		{ "Microsoft C/C++ MSF 7.00\r\n\032DS\0\0\0", 32, 29, "a PDB file" },
		{ "\x64\x86\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0.text", 25, 20, "a COFF object for machine 0x8664" },
		{ "\0\0\xff\xff\0\0\x4c\1\0\0\0\0\0\0\0\0\0\0\0\0f", 21, 20, "a COFF import object for machine 0x14c" },
		{ "\0\0\xff\xff\2\0\x64\xaa\0\0\0\0\0\0\0\0\0\0\0\0f", 21, 20, "a COFF object for machine 0xaa64" },
	};
	for (size_t i = 0; i < sizeof kinds_of_files / sizeof *kinds_of_files; i++) {
		unsigned wrong = 0;
		for (size_t cut = 1; cut <= kinds_of_files[i].size; cut++) {
			struct rossym_image *none = NULL;
			void *part = exact_copy(kinds_of_files[i].bytes, cut);
			const char *want = cut < kinds_of_files[i].needed ? "no MZ header" : kinds_of_files[i].what;
			wrong += rossym_open_memory(part, cut, NULL, &none, &err) != -1 || err.code != ROSSYM_ENOTPE ||
				 err.offset != 0 || strcmp(err.what, want) != 0;
			free(part);
		}
		is_uint(wrong, 0, kinds_of_files[i].what);
	}
}

static void others(void)
{
	struct rossym_image *none = NULL;

	is_int(rossym_open_memory(NULL, 0, NULL, &none, &err), -1, "nothing at all");
	is_int(err.code, ROSSYM_ENOTPE, "is no image");
	is_int(rossym_open_memory("!<arch>\n", 8, NULL, &none, &err), -1, "an archive");
	is_int(err.code, ROSSYM_EARCHIVE, "is said to be one");
	is_int(rossym_open_memory("!<thin>\n....", 12, NULL, &none, &err), -1, "a thin archive");
	is_int(err.code, ROSSYM_EARCHIVE, "as well");
	is_int(rossym_open_memory("!<arch>", 7, NULL, &none, &err), -1, "seven bytes of an archive");
	is_int(err.code, ROSSYM_ENOTPE, "are nothing");
	is_int(rossym_open_memory("\x10\0\0", 4, NULL, &none, NULL), -1, "the first word of a bare table");
	ok(!none, "nothing was stored");
	rossym_close(NULL);

	start(MAKEPE_32);
	build();
	memcpy(bytes + MAKEPE_HEADERS + 40, ".rossyms", 8);
	ok(!open_bytes() && err.code == ROSSYM_ENOSYMS, "a section whose name only begins like the table's");
	memcpy(bytes + MAKEPE_HEADERS + 40, ".rossym\0", 8);
	memcpy(bytes + MAKEPE_PE, "NE\0\0", 4);
	ok(!open_bytes() && err.code == ROSSYM_ENOTPE && err.offset == MAKEPE_PE, "no PE signature, and where");
	free(bytes);
	char version[32];
	snprintf(version, sizeof version, "%d.%d.%d", ROSSYM_VERSION_MAJOR, ROSSYM_VERSION_MINOR, ROSSYM_VERSION_PATCH);
	is_str(rossym_version(), version, "the header and the library have the same version");
}

int main(void)
{
	kinds();
	layouts();
	names();
	base64_names();
	sizes();
	optional_headers();
	cuts();
	other_kinds();
	others();
	return done_testing();
}

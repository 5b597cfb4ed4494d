// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows from units whose entries are in another file, both made by hand; and what damaged files of that kind cost. */
#include "config.h"
#include "debuginfo/read-rows.h"
#include "tests/lib/tap.h"
#include "tests/lib/debugpe.h"
#include "tests/lib/dwarf.h"
#include "tests/lib/random.h"

enum { BASE = 0x400000 };

enum { END_OF_LIST, STARTX_LENGTH = 3 };

static struct debugpe m;
static struct debuginfo_options options;
static struct debuginfo di;

static void end(struct bytes *b)
{
	set32(b, 0, (uint32_t)(b->n - 4));
}

/* ---------------------------------------------------------------------------------------------------- the image */

/* A skeleton with id ID, and lines: 1 from 1000 on, 2 from 1010 on, up to 1040. */
static void make_image(const char *dwo_name, unsigned id)
{
	debugpe_start(&m, BASE);
	debugpe_section(&m, ".text", 0x1000, 0x1000, DEBUGPE_CODE);
	struct bytes *info = debugpe_content(&m, ".debug_info", 0x8000);
	struct bytes *abbrevs = debugpe_content(&m, ".debug_abbrev", 0x9000);
	struct bytes *line = debugpe_content(&m, ".debug_line", 0xa000);
	struct bytes *addresses = debugpe_content(&m, ".debug_addr", 0xb000);
	PUT(abbrevs, 1, TAG_SKELETON_UNIT, 0, AT_STMT_LIST, FORM_SEC_OFFSET, AT_DWO_NAME, FORM_STRING, AT_COMP_DIR,
	    FORM_STRING, AT_ADDR_BASE, FORM_SEC_OFFSET, 0, 0, 0);
	put32(info, 0);
	PUT(info, 5, 0, UT_SKELETON, 4);
	put32(info, 0), put32(info, id), put32(info, 0x1234567a);
	put8(info, 1), put32(info, 0), put_text(info, dwo_name), put_text(info, "/src"), put32(info, 12);
	end(info);

	/* One address of another unit, then those of this one. */
	put32(addresses, 0);
	PUT(addresses, 5, 0, 4, 0);
	put32(addresses, BASE + 0x1500);
	put32(addresses, BASE + 0x1000), put32(addresses, BASE + 0x1010), put32(addresses, BASE + 0x1030);
	end(addresses);

	put32(line, 0);
	PUT(line, 5, 0, 4, 0, 30, 0, 0, 0, 1, 1, 1, 0xff, 4, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1);
	PUT(line, 1, 1, FORM_STRING, 1, '/', 0, 1, 1, FORM_STRING, 1, '/', 'a', '.', 'c', 0);
	PUT(line, 0, 5, 2, 0x00, 0x10, 0x40, 0x00, 4, 0, 1);
	PUT(line, 3, 1, 2, 0x10, 1, 2, 0x30, 0, 1, 1);
	end(line);
}

/* ------------------------------------------------------------------------------------------------- the .dwo file */

enum { SECTIONS_MAX = 6, HEADER = 20, SECTION_HEADER = 40 };
static struct bytes dwo, dwo_names;

/* NAME goes into the string table. */
static void put_section(unsigned number, const char *name, const struct bytes *content)
{
	size_t at = HEADER + SECTION_HEADER * number;
	snprintf((char *)dwo.b + at, 8, "/%u", (unsigned)dwo_names.n);
	put_text(&dwo_names, name);
	set32(&dwo, at + 16, (uint32_t)content->n);
	set32(&dwo, at + 20, (uint32_t)dwo.n);
	memcpy(dwo.b + dwo.n, content->b, content->n);
	dwo.n += content->n;
}

static struct bytes info, abbrevs, lists, texts, text_offsets;

/* Function f from 1000 to 1010 and from 1030 to 1038, by a range list; g from 1010 to 1030, with f inlined at 1010. */
static void make_unit(unsigned id)
{
	info.n = abbrevs.n = lists.n = 0;
	PUT(&abbrevs, 1, TAG_UNIT, 1, AT_NAME, FORM_STRING, 0, 0);
	PUT(&abbrevs, 2, TAG_SUBPROGRAM, 0, AT_NAME, FORM_STRING, AT_RANGES, FORM_RNGLISTX, 0, 0);
	PUT(&abbrevs, 3, TAG_SUBPROGRAM, 1, AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDRX, AT_HIGH_PC, FORM_UDATA, 0, 0);
	PUT(&abbrevs, 4, TAG_INLINED, 0, AT_ORIGIN, FORM_REF4, AT_LOW_PC, FORM_ADDRX, AT_HIGH_PC, FORM_UDATA,
	    AT_CALL_FILE, FORM_DATA1, AT_CALL_LINE, FORM_DATA1, 0, 0, 0);
	put32(&info, 0);
	PUT(&info, 5, 0, UT_SPLIT_COMPILE, 4);
	put32(&info, 0), put32(&info, id), put32(&info, 0x1234567a);
	PUT(&info, 1, 'a', 0);
	uint32_t f = (uint32_t)info.n;
	PUT(&info, 2, 'f', 0, 0, 3, 'g', 0, 1, 0x20, 4);
	put32(&info, f);
	PUT(&info, 1, 8, 0, 7, 0, 0);
	end(&info);
	put32(&lists, 0);
	PUT(&lists, 5, 0, 4, 0, 1, 0, 0, 0, 4, 0, 0, 0, STARTX_LENGTH, 0, 0x10, STARTX_LENGTH, 2, 8, END_OF_LIST);
	end(&lists);
}

/* The sections of a unit, and INDEX if it is not NULL. */
static void make_file(const struct bytes *index)
{
	const unsigned sections = index ? SECTIONS_MAX : SECTIONS_MAX - 1;
	unsigned number = 0;
	memset(&dwo, 0, sizeof dwo);
	dwo.b[0] = 0x4c, dwo.b[1] = 1;
	dwo.b[2] = (uint8_t)sections;
	dwo.n = HEADER + sections * SECTION_HEADER;
	dwo_names.n = 0;
	put32(&dwo_names, 0);
	put_section(number++, ".debug_info.dwo", &info);
	put_section(number++, ".debug_abbrev.dwo", &abbrevs);
	put_section(number++, ".debug_rnglists.dwo", &lists);
	put_section(number++, ".debug_str.dwo", &texts);
	put_section(number++, ".debug_str_offsets.dwo", &text_offsets);
	if (index)
		put_section(number, ".debug_cu_index", index);
	end(&dwo_names);
	set32(&dwo_names, 0, (uint32_t)dwo_names.n);
	set32(&dwo, 8, (uint32_t)dwo.n);
	memcpy(dwo.b + dwo.n, dwo_names.b, dwo_names.n);
	dwo.n += dwo_names.n;
}

/* A unit of a type before that, whose signature is the id. */
static void make_dwo(unsigned id)
{
	struct bytes type = { .n = 0 };
	put32(&type, 0);
	PUT(&type, 5, 0, UT_SPLIT_TYPE, 4);
	put32(&type, 0), put32(&type, id), put32(&type, 0x1234567a), put32(&type, 24), PUT(&type, 1, 'a', 0, 0);
	end(&type);
	make_unit(id);
	memmove(info.b + type.n, info.b, info.n);
	memcpy(info.b, type.b, type.n);
	info.n += type.n;
	make_file(NULL);
}

/* ------------------------------------------------------------------------------------------------- the .dwp file */

enum { COLUMNS = 3, UNITS = 2, SLOTS = 4 };
static struct bytes cu_index;

/* Put COUNT bytes, of which no reader makes sense, before PART.  Returns the offset of the part. */
static uint32_t put_before(struct bytes *part, unsigned count)
{
	memmove(part->b + count, part->b, part->n);
	memset(part->b, 0x7f, count);
	part->n += count;
	return count;
}

/* The unit as the second of two.  The slot for its id has the other one, so a second slot must be tried. */
static void make_package(unsigned id, unsigned version)
{
	make_unit(id);
	const uint32_t sizes[COLUMNS] = { (uint32_t)info.n, (uint32_t)abbrevs.n, (uint32_t)lists.n };
	const uint32_t offsets[COLUMNS] = { put_before(&info, 5), put_before(&abbrevs, 7), put_before(&lists, 3) };
	static const uint32_t kinds[COLUMNS] = { 1, 3, 8 };
	const unsigned first = id % SLOTS, second = (first + (0x1234567a | 1)) % SLOTS;
	cu_index.n = 0;
	put32(&cu_index, version), put32(&cu_index, COLUMNS), put32(&cu_index, UNITS), put32(&cu_index, SLOTS);
	for (unsigned i = 0; i < SLOTS; i++)
		put32(&cu_index, i == first ? id + SLOTS : i == second ? id : 0), put32(&cu_index, 0x1234567a);
	for (unsigned i = 0; i < SLOTS; i++)
		put32(&cu_index, i == first ? 1 : i == second ? 2 : 0);
	for (unsigned i = 0; i < COLUMNS; i++)
		put32(&cu_index, kinds[i]);
	for (unsigned i = 0; i < COLUMNS; i++)
		put32(&cu_index, 0);
	for (unsigned i = 0; i < COLUMNS; i++)
		put32(&cu_index, offsets[i]);
	for (unsigned i = 0; i < COLUMNS; i++)
		put32(&cu_index, 1);
	for (unsigned i = 0; i < COLUMNS; i++)
		put32(&cu_index, sizes[i]);
	make_file(&cu_index);
}

/* -------------------------------------------------------------------------------------------------------- tests */

static const char without[] = "1000  /a.c:1\n1010  /a.c:2\n1040 _rossym_end__ :0\n";

static void rows_are(const char *rows, const char *warnings, const char *what)
{
	if (ok(debugpe_read(&m, &options, &di) == 0, "%s: read", what)) {
		is_str(debugpe_rows(&di), rows, what);
		is_str(m.warnings, warnings, what);
	}
	draft_free(&di);
}

static void found(void *context, const char *name)
{
	(void)context;
	is_str(name, "x.dwo", "the last part of a name");
}

static void good(void)
{
	struct debuginfo_file files[] = {
		{ .path = "dir/a.dwo", .source = rs_source_in("", 0) },
		{ .path = "dir/x.dwo", .source = rs_source_in(dwo.b, 0) },
		{ .path = "b\\x.dwo", .source = rs_source_in(dwo.b, dwo.n) },
		{ .path = "y.dwo", .source = rs_source_in("", 0) },
	};
	options.dwos = files;
	options.dwo_count = 4;
	make_image("../else/x.dwo", 7);
	rows_are("1000 f /a.c:1\n1010 f /a.c:2 < g /a.c:7\n1018 g /a.c:2\n1030 f /a.c:2\n1038  /a.c:2\n1040 "
		 "_rossym_end__ :0\n",
		 "DWARF unit at 0x0: dir/x.dwo is no .dwo file\n", "the second file of that name");
	make_image("x.dwo", 8);
	rows_are(without,
		 "DWARF unit at 0x0: dir/x.dwo is no .dwo file\n"
		 "DWARF unit at 0x0: b\\x.dwo is of another build, and not read\n"
		 "DWARF unit at 0x0: its functions and inlined calls are in x.dwo, which was not found; see "
		 "rossym-embed --debug-directory\n",
		 "another build");
	make_image("z.dwo", 7);
	rows_are(without,
		 "DWARF unit at 0x0: its functions and inlined calls are in z.dwo, which was not found; see "
		 "rossym-embed --debug-directory\n",
		 "no file");
	make_image("d:\\x\\", 7);
	rows_are(without,
		 "DWARF unit at 0x0: its functions and inlined calls are in , which was not found; see "
		 "rossym-embed --debug-directory\n",
		 "no name");

	make_image("//host/share\\x.dwo", 7);
	options.wants_dwo = found;
	rows_are("", "", "only the names");
	options.wants_dwo = NULL;
}

static const char whole[] = "1000 f /a.c:1\n1010 f /a.c:2 < g /a.c:7\n1018 g /a.c:2\n1030 f /a.c:2\n1038  /a.c:2\n1040 "
			    "_rossym_end__ :0\n";
#define NOT_FOUND \
	"DWARF unit at 0x0: its functions and inlined calls are in x.dwo, which was not found; see " \
	"rossym-embed --debug-directory\n"

/* Set the number at AT of the index to VALUE, and read the image with the package. */
static void damaged_index(size_t at, uint32_t value, const char *warning, const char *what)
{
	make_package(7, 5);
	set32(&cu_index, at, value);
	make_file(&cu_index);
	struct debuginfo_file file = { .path = "x.exe.dwp", .source = rs_source_in(dwo.b, dwo.n) };
	options.dwos = &file;
	options.dwo_count = 1;
	make_image("x.dwo", 7);
	rows_are(without, warning, what);
}

static void packages(void)
{
	enum { IDS = 16, ROWS = IDS + 8 * SLOTS, KINDS = ROWS + 4 * SLOTS, OFFSETS = KINDS + 4 * COLUMNS };
	enum { SECOND = OFFSETS + 4 * COLUMNS, SIZES = OFFSETS + 2 * 4 * COLUMNS };
	make_package(7, 5);
	struct debuginfo_file file = { .path = "x.exe.dwp", .source = rs_source_in(dwo.b, dwo.n) };
	options.dwos = &file;
	options.dwo_count = 1;
	make_image("x.dwo", 7);
	rows_are(whole, "", "a unit in a package");
	make_image("x.dwo", 6);
	rows_are(without, NOT_FOUND, "one that it does not have");
	make_dwo(7);
	file.source.size = dwo.n;
	make_image("x.dwo", 7);
	rows_are(without, "DWARF unit at 0x0: x.exe.dwp is no .dwp file\n" NOT_FOUND, "a package without an index");
	damaged_index(0, 3, "x.exe.dwp: .debug_cu_index: it is of an unknown version\n" NOT_FOUND, "version 3");
	damaged_index(12, 6, "x.exe.dwp: .debug_cu_index: the number of its slots is no power of two\n" NOT_FOUND,
		      "6 slots");
	damaged_index(12, 0, NOT_FOUND, "no slots");
	damaged_index(8, 1 << 30, "x.exe.dwp: .debug_cu_index: it is longer than the section\n" NOT_FOUND,
		      "many units");
	damaged_index(4, UINT32_MAX, "x.exe.dwp: .debug_cu_index: it is longer than the section\n" NOT_FOUND,
		      "many columns");
#define IN_UNIT "DWARF unit at 0x0: x.exe.dwp: .debug_cu_index: "
	const size_t slot = ROWS + 4 * ((7 % SLOTS + (0x1234567a | 1)) % SLOTS);
	damaged_index(slot, 3, IN_UNIT "the row of a unit is not there\n" NOT_FOUND, "a row that is not there");
	damaged_index(SECOND, 1 << 20, IN_UNIT "a part ends past the end of its section\n" NOT_FOUND, "a part outside");
	damaged_index(KINDS, 2, IN_UNIT "a unit has no part of .debug_info\n" NOT_FOUND, "no part of .debug_info");
}

/* ------------------------------------------------------------------------------------------------ GNU's, of DWARF 4 */

/* An attribute and a form with numbers of vendors. */
#define VENDOR(number) ((number)&0x7f) | 0x80, (number) >> 7

/* A skeleton as make_image() makes, of DWARF 4. */
static void make_gnu_image(unsigned id)
{
	make_image("x.dwo", id);
	struct bytes *skeleton = &m.sections[1].content, *forms = &m.sections[2].content,
		     *line = &m.sections[3].content;
	struct bytes *ranges = debugpe_content(&m, ".debug_ranges", 0xc000);
	skeleton->n = forms->n = line->n = 0;
	m.sections[4].content.n = 0;
	/* One address of another unit, then those of this one. */
	for (unsigned i = 0; i < 4; i++)
		put32(&m.sections[4].content, BASE + (const unsigned[]){ 0x1500, 0x1000, 0x1010, 0x1030 }[i]);
	/* A list of another unit, then those of this one: an empty one, and that of f, which is at 16 from them. */
	put32(ranges, BASE + 0x1500), put32(ranges, BASE + 0x1510), put64(ranges, 0);
	put32(ranges, 1), put32(ranges, 1), put64(ranges, 0);
	put32(ranges, BASE + 0x1000), put32(ranges, BASE + 0x1010), put32(ranges, BASE + 0x1030);
	put32(ranges, BASE + 0x1038), put64(ranges, 0);
	/* That of the skeleton does not count from there; if it did, it would be the one after it. */
	put32(ranges, BASE + 0x1000), put32(ranges, BASE + 0x1040), put64(ranges, 0);
	put32(ranges, BASE + 0x1500), put32(ranges, BASE + 0x1510), put64(ranges, 0);
	PUT(forms, 1, TAG_UNIT, 0, AT_STMT_LIST, FORM_SEC_OFFSET, VENDOR(AT_GNU_DWO_NAME), FORM_STRING, AT_COMP_DIR,
	    FORM_STRING, VENDOR(AT_GNU_ADDR_BASE), FORM_SEC_OFFSET, VENDOR(AT_GNU_RANGES_BASE), FORM_SEC_OFFSET,
	    VENDOR(AT_GNU_DWO_ID), FORM_DATA8, AT_RANGES, FORM_SEC_OFFSET, 0, 0, 0);
	put32(skeleton, 0);
	PUT(skeleton, 4, 0, 0, 0, 0, 0, 4, 1);
	put32(skeleton, 0), put_text(skeleton, "x.dwo"), put_text(skeleton, "/src");
	put32(skeleton, 4), put32(skeleton, 16), put32(skeleton, id), put32(skeleton, 0x1234567a);
	put32(skeleton, 56);
	end(skeleton);
	put32(line, 0);
	PUT(line, 4, 0, 26, 0, 0, 0, 1, 1, 1, 0xff, 4, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, '/', 'a', '.', 'c', 0, 0, 0, 0,
	    0);
	set32(line, 6, (uint32_t)line->n - 10);
	PUT(line, 0, 5, 2, 0x00, 0x10, 0x40, 0x00, 1);
	PUT(line, 3, 1, 2, 0x10, 1, 2, 0x30, 0, 1, 1);
	end(line);
}

/* The unit of that, or one of another VERSION or ADDRESS_SIZE. */
static void make_gnu_unit(unsigned id, unsigned version, unsigned address_size)
{
	const size_t start = info.n;
	put32(&info, 0);
	PUT(&info, (uint8_t)version, 0, 0, 0, 0, 0, (uint8_t)address_size, 1);
	put32(&info, id), put32(&info, 0x1234567a);
	const uint32_t f = (uint32_t)(info.n - start);
	PUT(&info, 2, 1);
	put32(&info, 16);
	PUT(&info, 3, 0, 1, 0x20, 4);
	put32(&info, f);
	PUT(&info, 1, 8, 1, 7, 0, 0);
	set32(&info, start, (uint32_t)(info.n - start - 4));
}

static void make_gnu_sections(void)
{
	info.n = abbrevs.n = lists.n = texts.n = text_offsets.n = 0;
	PUT(&abbrevs, 1, TAG_UNIT, 1, VENDOR(AT_GNU_DWO_ID), FORM_DATA8, 0, 0);
	PUT(&abbrevs, 2, TAG_SUBPROGRAM, 0, AT_NAME, VENDOR(FORM_GNU_STR_INDEX), AT_RANGES, FORM_SEC_OFFSET, 0, 0);
	PUT(&abbrevs, 3, TAG_SUBPROGRAM, 1, AT_NAME, VENDOR(FORM_GNU_STR_INDEX), AT_LOW_PC, VENDOR(FORM_GNU_ADDR_INDEX),
	    AT_HIGH_PC, FORM_UDATA, 0, 0);
	PUT(&abbrevs, 4, TAG_INLINED, 0, AT_ORIGIN, FORM_REF4, AT_LOW_PC, VENDOR(FORM_GNU_ADDR_INDEX), AT_HIGH_PC,
	    FORM_UDATA, AT_CALL_FILE, FORM_DATA1, AT_CALL_LINE, FORM_DATA1, 0, 0, 0);
	put_text(&texts, "pad"), put_text(&texts, "g"), put_text(&texts, "f");
	put32(&text_offsets, 4), put32(&text_offsets, 6);
}

/* That unit as the second of a package of GNU's version 2, in which kind 8 is of another section. */
static void make_gnu_package(unsigned id)
{
	enum { KINDS = 4 };
	static const uint32_t kinds[KINDS] = { 1, 3, 6, 8 };
	make_gnu_sections();
	make_gnu_unit(id, 4, 4);
	const uint32_t sizes[KINDS] = { (uint32_t)info.n, (uint32_t)abbrevs.n, (uint32_t)text_offsets.n, 4 };
	const uint32_t parts[KINDS] = { put_before(&info, 5), put_before(&abbrevs, 7), put_before(&text_offsets, 4),
					1 << 20 };
	cu_index.n = 0;
	put32(&cu_index, 2), put32(&cu_index, KINDS), put32(&cu_index, UNITS), put32(&cu_index, SLOTS);
	for (unsigned i = 0; i < SLOTS; i++)
		put32(&cu_index, i == id % SLOTS ? id : 0), put32(&cu_index, i == id % SLOTS ? 0x1234567a : 0);
	for (unsigned i = 0; i < SLOTS; i++)
		put32(&cu_index, i == id % SLOTS ? 2 : 0);
	for (unsigned i = 0; i < KINDS; i++)
		put32(&cu_index, kinds[i]);
	for (unsigned i = 0; i < 2 * KINDS; i++)
		put32(&cu_index, i < KINDS ? 0 : parts[i - KINDS]);
	for (unsigned i = 0; i < 2 * KINDS; i++)
		put32(&cu_index, i < KINDS ? 1 : sizes[i - KINDS]);
	make_file(&cu_index);
}

static void gnu(void)
{
	struct debuginfo_file file = { .path = "x.dwo", .source = { .memory = dwo.b, .fd = -1 } };
	options.dwos = &file;
	options.dwo_count = 1;
	make_gnu_sections();
	make_gnu_unit(7, 4, 4);
	make_file(NULL), file.source.size = dwo.n;
	make_gnu_image(7);
	rows_are(whole, "", "GNU's split units of DWARF 4");
	make_gnu_image(8);
	rows_are(without, "DWARF unit at 0x0: x.dwo is of another build, and not read\n" NOT_FOUND,
		 "... of another build");

	/* Units of another version or address size with that id, and an empty one, are passed over. */
	make_gnu_sections();
	make_gnu_unit(7, 3, 4), make_gnu_unit(7, 4, 8), put32(&info, 0), make_gnu_unit(7, 4, 4);
	make_file(NULL), file.source.size = dwo.n;
	make_gnu_image(7);
	rows_are(whole, "", "... after others with its id");
	make_gnu_sections();
	make_gnu_unit(7, 3, 4);
	make_file(NULL), file.source.size = dwo.n;
	make_gnu_image(7);
	rows_are(without, "DWARF unit at 0x0: x.dwo is of another build, and not read\n" NOT_FOUND,
		 "... of another version");
	make_gnu_sections();
	make_gnu_unit(7, 4, 8);
	make_file(NULL), file.source.size = dwo.n;
	make_gnu_image(7);
	rows_are(without, "DWARF unit at 0x0: x.dwo is of another build, and not read\n" NOT_FOUND,
		 "... with other addresses");

	make_gnu_package(7);
	file.path = "x.exe.dwp", file.source.size = dwo.n;
	make_gnu_image(7);
	rows_are(whole, "", "GNU's package");
	texts.n = text_offsets.n = 0;
}

/* A unit that is damaged after its first function: code without a function may have a symbol's name. */
static void damaged_unit(void)
{
	struct debuginfo_file file = { .path = "x.dwo", .source = { .memory = dwo.b, .fd = -1 } };
	options.dwos = &file;
	options.dwo_count = 1;
	make_unit(7);
	/* The abbreviation of g. */
	for (size_t i = 0; i + 2 < info.n; i++)
		if (info.b[i] == 3 && info.b[i + 1] == 'g')
			info.b[i] = 99;
	make_file(NULL), file.source.size = dwo.n;
	make_image("x.dwo", 7);
	debugpe_symbol(&m, "_label", 0x18, 1, 0x20, 2);
	rows_are("1000 f /a.c:1\n1010  /a.c:2\n1018 label /a.c:2\n1030 f /a.c:2\n1038 label /a.c:2\n1040 "
		 "_rossym_end__ :0\n",
		 "DWARF unit at 0x0: functions and inlined calls around and after the entry at 0x1b of its .dwo file "
		 "are left "
		 "out: .debug_info+0x1b: an entry has an unknown abbreviation\n",
		 "a damaged unit");
	char why[128] = "no";
	ok(debugpe_read(&m, &options, &di) == 0, "... read again");
	rs_debuginfo_is_partial(&di.counts, why, sizeof why);
	is_str(why, "40 of 64 bytes of code in its DWARF units are left out", "... counts as left out");
	draft_free(&di);
}

/* Each byte of the file changed in some ways, and the file cut off: lines stay, and nothing breaks. */
static void damage(const char *path)
{
	size_t size = dwo.n;
	unsigned lost = 0;
	for (size_t i = 0; i < 4 * size; i++) {
		uint8_t *bytes = malloc(size);
		struct debuginfo_file file = { .path = path,
					       .source = rs_source_in(bytes, i < 3 * size ? size : i - 3 * size) };
		if (!bytes)
			break;
		memcpy(bytes, dwo.b, size);
		if (i < 3 * size)
			bytes[i % size] = (uint8_t)(i < size ? 0xff : i < 2 * size ? 0 : random_u32());
		options.dwos = &file;
		options.dwo_count = 1;
		make_image("x.dwo", 7);
		bool kept = debugpe_read(&m, &options, &di) == 0 && strstr(debugpe_rows(&di), "/a.c:1") != NULL &&
			    strstr(debugpe_rows(&di), "/a.c:2") != NULL;
		lost += !kept;
		draft_free(&di);
		free(bytes);
	}
	is_uint(lost, 0, "damaged files cost no lines");
}

int main(void)
{
	random_start(1);
	make_dwo(7);
	good();
	damage("x.dwo");
	packages();
	gnu();
	damaged_unit();
	make_package(7, 5);
	damage("x.exe.dwp");
	return done_testing();
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the DWARF standard allows, piece by piece, in all versions, with offsets and addresses of 4 and of 8 bytes: forms, headers
 * of units, abbreviations, bases, references, range lists, opcodes of line programs.
 *
 * Each image is also read for one address at a time, which must give the same row.  With the environment variable STANDARD_KEEP
 * images without faults are left in that directory, for tests/witness/witness-dwarf.sh to ask libdwarf about them.
 */
#include "config.h"
#include "debuginfo/read-rows.h"
#include "tests/lib/debugpe.h"
#include "tests/lib/dwarf.h"
#include "tests/lib/tap.h"

static struct debugpe m;
static struct bytes *info, *abbreviations, *line, *strings, *line_strings, *offsets, *addresses, *ranges, *lists;
static struct debuginfo_options options;
static struct debuginfo di;
static unsigned version, offset_size, address_size;
static size_t unit_start;

/* ------------------------------------------------------------------------------------------------ numbers */

static void put(struct bytes *b, uint64_t value, unsigned size)
{
	for (; size > 0; size--, value >>= 8)
		put8(b, value & 255);
}

static void set(struct bytes *b, size_t at, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		b->b[at + i] = (uint8_t)(value >> 8 * i);
}

static void put_uleb(struct bytes *b, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		put8(b, (value & 0x7f) | 0x80);
	put8(b, value & 0x7f);
}

static void put_address(struct bytes *b, uint32_t rva)
{
	put(b, m.base + rva, address_size);
}

static uint64_t offset_of(struct bytes *b, const char *text)
{
	const size_t at = b->n;
	put_text(b, text);
	return at;
}

/* A length; end_length() sets the one that ends AT. */
static size_t put_length(struct bytes *b)
{
	if (offset_size == 8)
		put32(b, UINT32_MAX);
	put(b, 0, offset_size);
	return b->n;
}

static void end_length(struct bytes *b, size_t at)
{
	set(b, at - offset_size, b->n - at, offset_size);
}

/* ------------------------------------------------------------------------------------------------ units */

static size_t addr_base, str_offsets_base, rnglists_base;

/* An image of DWARF VERSION.  Its .debug_str_offsets has the strings "x0" to "x3", .debug_addr the RVAs 1000, 1010 ... */
static void start(unsigned of_version, unsigned of_offset, unsigned of_address)
{
	version = of_version, offset_size = of_offset, address_size = of_address;
	debugpe_start(&m, address_size == 8 ? UINT64_C(0x140000000) : 0x400000);
	m.wide = address_size == 8;
	debugpe_section(&m, ".text", 0x1000, 0x1000, DEBUGPE_CODE);
	info = debugpe_content(&m, ".debug_info", 0x8000);
	abbreviations = debugpe_content(&m, ".debug_abbrev", 0x9000);
	line = debugpe_content(&m, ".debug_line", 0xa000);
	strings = debugpe_content(&m, ".debug_str", 0xb000);
	line_strings = debugpe_content(&m, ".debug_line_str", 0xc000);
	offsets = debugpe_content(&m, ".debug_str_offsets", 0xd000);
	addresses = debugpe_content(&m, ".debug_addr", 0xe000);
	ranges = debugpe_content(&m, ".debug_ranges", 0xf000);
	lists = debugpe_content(&m, ".debug_rnglists", 0x10000);
	put_text(strings, "pad"), put_text(line_strings, "pad");
	const size_t of_offsets = put_length(offsets), of_addresses = put_length(addresses);
	put16(offsets, 5), put16(offsets, 0);
	put16(addresses, 5), put8(addresses, address_size), put8(addresses, 0);
	str_offsets_base = version >= 5 ? offsets->n : 0, addr_base = version >= 5 ? addresses->n : 0;
	if (version < 5)
		offsets->n = addresses->n = 0;
	for (unsigned i = 0; i < 4; i++) {
		put(offsets, offset_of(strings, (const char *[]){ "x0", "x1", "x2", "x3" }[i]), offset_size);
		put_address(addresses, 0x1000 + 0x10 * i);
	}
	if (version >= 5)
		end_length(offsets, of_offsets), end_length(addresses, of_addresses);
	put(ranges, 1, address_size), put(ranges, 1, address_size), put(ranges, 0, 8), put(ranges, 0, 8);
}

/* An abbreviation: pairs of an attribute and a form, and after DW_FORM_implicit_const its value; 0 ends them. */
static void abbreviation(unsigned code, unsigned tag, bool children, const unsigned *pairs)
{
	put_uleb(abbreviations, code), put_uleb(abbreviations, tag), put8(abbreviations, children);
	for (; *pairs; pairs += 2) {
		put_uleb(abbreviations, pairs[0]), put_uleb(abbreviations, pairs[1]);
		if (pairs[1] == FORM_IMPLICIT_CONST) {
			put8(abbreviations, pairs[2]);
			pairs++;
		}
	}
	put16(abbreviations, 0);
}

#define ABBREVIATION(code, tag, children, ...) abbreviation(code, tag, children, (const unsigned[]){ __VA_ARGS__, 0 })

/* The header of a unit whose abbreviations are at AT. */
static void begin_unit(unsigned kind, size_t at)
{
	unit_start = info->n;
	put_length(info);
	put16(info, version);
	if (version >= 5)
		put8(info, kind), put8(info, address_size);
	put(info, at, offset_size);
	if (version < 5)
		put8(info, address_size);
	if (kind == UT_TYPE || kind == UT_SPLIT_TYPE)
		put64(info, 7), put(info, 40, offset_size);
}

static void end_unit(void)
{
	put8(info, 0);
	end_length(info, unit_start + (offset_size == 8 ? 12 : 4));
}

/* Abbreviations that many images have: a unit with an address, so that its own ranges do not limit it; a function. */
enum { A_UNIT = 1, A_FUNCTION, A_ABSTRACT, A_UNIT_5, A_OTHER };

static void usual_abbreviations(void)
{
	ABBREVIATION(A_UNIT, TAG_UNIT, true, AT_NAME, FORM_STRING);
	ABBREVIATION(A_FUNCTION, TAG_SUBPROGRAM, false, AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC,
		     FORM_ADDR);
	ABBREVIATION(A_ABSTRACT, TAG_SUBPROGRAM, false, AT_NAME, FORM_STRING);
	ABBREVIATION(A_UNIT_5, TAG_UNIT, true, AT_NAME, FORM_STRX1, AT_STR_OFFSETS_BASE,
		     version < 4 ? FORM_DATA4 : FORM_SEC_OFFSET, AT_ADDR_BASE,
		     version < 4 ? FORM_DATA4 : FORM_SEC_OFFSET, AT_RNGLISTS_BASE,
		     version < 4 ? FORM_DATA4 : FORM_SEC_OFFSET);
}

static void function(const char *name, uint32_t begin, uint32_t end)
{
	put_uleb(info, A_FUNCTION), put_text(info, name), put_address(info, begin), put_address(info, end);
}

/* The unit's entry, without or with bases. */
static void plain_entry(void)
{
	put8(info, A_UNIT), put_text(info, "unit");
}

static void based_entry(void)
{
	put8(info, A_UNIT_5), put8(info, 3);
	put(info, str_offsets_base, offset_size), put(info, addr_base, offset_size),
		put(info, rnglists_base, offset_size);
}

/* ------------------------------------------------------------------------------------------------ what is read */

/* Whether the row at the beginning of LINE is there when its address alone is asked for. */
static bool has_row(const char *text, size_t length)
{
	char row[256];
	const uint32_t wanted = (uint32_t)strtoul(text, NULL, 16);
	bool has = false;
	snprintf(row, sizeof row, "%.*s", (int)length, text);
	options.wanted = &wanted, options.wanted_count = 1;
	if (debugpe_read(&m, &options, &di) == 0)
		has = strstr(debugpe_rows(&di), row) != NULL;
	if (!has)
		diag("for 0x%x alone: %s", (unsigned)wanted, debugpe_rows(&di));
	draft_free(&di);
	options.wanted = NULL, options.wanted_count = 0;
	return has;
}

static void keep(void)
{
	static unsigned number;
	const char *directory = getenv("STANDARD_KEEP");
	char path[512];
	size_t size;
	snprintf(path, sizeof path, "%s/%03u", directory ? directory : "", ++number);
	uint8_t *bytes = directory ? debugpe_build(&m, &size) : NULL;
	FILE *file = bytes ? fopen(path, "wb") : NULL;
	if (file) {
		ok(fwrite(bytes, 1, size, file) == size, "%s is written", path);
		fclose(file);
	}
	free(bytes);
}

TAP_PRINTF(3, 4) static void rows_are(const char *rows, unsigned warnings, const char *format, ...)
{
	char what[128];
	unsigned missing = 0;
	va_list args;
	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	if (ok(debugpe_read(&m, &options, &di) == 0, "%s: read", what)) {
		is_str(debugpe_rows(&di), rows, what);
		if (!ok(m.warning_count == warnings, "%s: %u warnings", what, warnings))
			diag("%s", m.warnings);
	}
	draft_free(&di);
	if (warnings == 0)
		keep();
	for (const char *at = rows; *at; at = strchr(at, '\n') + 1)
		if (!strstr(at, "_rossym_end__") || strstr(at, "_rossym_end__") > strchr(at, '\n'))
			missing += !has_row(at, (size_t)(strchr(at, '\n') - at));
	ok(missing == 0, "%s: the same for each address alone", what);
}

/* All versions with offsets and addresses of both sizes, one after the other from *SHAPE 0 on.  Returns false at the end. */
static bool next_shape(unsigned *shape)
{
	static const unsigned shapes[][3] = { { 2, 4, 4 }, { 2, 4, 8 }, { 3, 4, 4 }, { 3, 8, 8 },
					      { 4, 4, 4 }, { 4, 8, 4 }, { 4, 4, 8 }, { 5, 4, 4 },
					      { 5, 8, 4 }, { 5, 4, 8 }, { 5, 8, 8 } };
	if (*shape == sizeof shapes / sizeof *shapes)
		return false;
	start(shapes[*shape][0], shapes[*shape][1], shapes[*shape][2]);
	++*shape;
	return true;
}

#define SHAPE "DWARF %u, offsets of %u bytes, addresses of %u"

/* ------------------------------------------------------------------------------------------------ forms */

/* The size of a value: a number of bytes, or of what it consists. */
enum { OFFSET = 100, ADDRESS, REFERENCE, LEB, TEXT, WITH_SIZE_1, WITH_SIZE_2, WITH_SIZE_4, WITH_LEB, LEB_AND_4 };
static const struct {
	unsigned form, size, since;
} all_forms[] = {
	{ FORM_ADDR, ADDRESS, 2 },
	{ FORM_BLOCK2, WITH_SIZE_2, 2 },
	{ FORM_BLOCK4, WITH_SIZE_4, 2 },
	{ FORM_DATA2, 2, 2 },
	{ FORM_DATA4, 4, 2 },
	{ FORM_DATA8, 8, 2 },
	{ FORM_STRING, TEXT, 2 },
	{ FORM_BLOCK, WITH_LEB, 2 },
	{ FORM_BLOCK1, WITH_SIZE_1, 2 },
	{ FORM_DATA1, 1, 2 },
	{ FORM_FLAG, 1, 2 },
	{ FORM_SDATA, LEB, 2 },
	{ FORM_STRP, OFFSET, 2 },
	{ FORM_UDATA, LEB, 2 },
	{ FORM_REF_ADDR, REFERENCE, 2 },
	{ FORM_REF1, 1, 2 },
	{ FORM_REF2, 2, 2 },
	{ FORM_REF4, 4, 2 },
	{ FORM_REF8, 8, 2 },
	{ FORM_REF_UDATA, LEB, 2 },
	{ FORM_SEC_OFFSET, OFFSET, 4 },
	{ FORM_EXPRLOC, WITH_LEB, 4 },
	{ FORM_FLAG_PRESENT, 0, 4 },
	{ FORM_STRX, LEB, 5 },
	{ FORM_ADDRX, LEB, 5 },
	{ FORM_REF_SUP4, 4, 5 },
	{ FORM_STRP_SUP, OFFSET, 5 },
	{ FORM_DATA16, 16, 5 },
	{ FORM_LINE_STRP, OFFSET, 5 },
	{ FORM_REF_SIG8, 8, 4 },
	{ FORM_LOCLISTX, LEB, 5 },
	{ FORM_RNGLISTX, LEB, 5 },
	{ FORM_REF_SUP8, 8, 5 },
	{ FORM_STRX1, 1, 5 },
	{ FORM_STRX2, 2, 5 },
	{ FORM_STRX3, 3, 5 },
	{ FORM_STRX4, 4, 5 },
	{ FORM_ADDRX1, 1, 5 },
	{ FORM_ADDRX2, 2, 5 },
	{ FORM_ADDRX3, 3, 5 },
	{ FORM_ADDRX4, 4, 5 },
	{ FORM_GNU_ADDR_INDEX, LEB, 4 },
	{ FORM_GNU_STR_INDEX, LEB, 4 },
	{ FORM_GNU_REF_ALT, OFFSET, 4 },
	{ FORM_GNU_STRP_ALT, OFFSET, 4 },
	{ FORM_LLVM_ADDRX_OFFSET, LEB_AND_4, 5 },
};
enum { FORMS = sizeof all_forms / sizeof *all_forms };

static void put_any_value(unsigned size)
{
	static const unsigned counts[] = { [WITH_SIZE_1] = 1, [WITH_SIZE_2] = 2, [WITH_SIZE_4] = 4 };
	switch (size) {
	case OFFSET:
		put(info, 0, offset_size);
		break;
	case ADDRESS:
		put_address(info, 0x1000);
		break;
	case REFERENCE:
		put(info, 11, version == 2 ? address_size : offset_size);
		break;
	case LEB:
		put8(info, 0x81), put8(info, 0x81), put8(info, 0);
		break;
	case TEXT:
		put_text(info, "text");
		break;
	case WITH_SIZE_1:
	case WITH_SIZE_2:
	case WITH_SIZE_4:
		put(info, 3, counts[size]), put(info, 0x010101, 3);
		break;
	case WITH_LEB:
		put8(info, 0x83), put8(info, 0), put(info, 0x010101, 3);
		break;
	case LEB_AND_4:
		put8(info, 0x81), put8(info, 0), put32(info, 0);
		break;
	default:
		put(info, 1, size);
		break;
	}
}

/* Values of all forms, in attributes that say nothing, between those that do; with INDIRECT, the entry names the form. */
static void sizes(bool indirect)
{
	enum { FIRST = 10 };
	static char want[8192];
	for (unsigned shape = 0; next_shape(&shape);) {
		uint32_t rva = 0x1000;
		want[0] = '\0';
		usual_abbreviations();
		begin_unit(UT_COMPILE, 0);
		plain_entry();
		for (unsigned i = 0; i < FORMS; i++) {
			if (all_forms[i].since > version)
				continue;
			const unsigned form = indirect ? (unsigned)FORM_INDIRECT : all_forms[i].form;
			ABBREVIATION(FIRST + 2 * i, TAG_SUBPROGRAM, false, AT_NAME, FORM_STRING, AT_VENDOR, form,
				     AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_ADDR);
			ABBREVIATION(FIRST + 2 * i + 1, TAG_VARIABLE, false, AT_NAME, FORM_STRING, AT_VENDOR, form,
				     AT_VENDOR, FORM_DATA1);
			char name[16];
			snprintf(name, sizeof name, "f%x", all_forms[i].form);
			for (unsigned k = 0; k < 2; k++) {
				put_uleb(info, FIRST + 2 * i + k), put_text(info, name);
				if (indirect)
					put_uleb(info, all_forms[i].form);
				put_any_value(all_forms[i].size);
				if (k > 0)
					put8(info, 0xff);
				else
					put_address(info, rva), put_address(info, rva + 8);
			}
			snprintf(want + strlen(want), sizeof want - strlen(want), "%x %s :0\n", (unsigned)rva, name);
			rva += 8;
		}
		put8(abbreviations, 0);
		function("last", rva, rva + 8);
		end_unit();
		snprintf(want + strlen(want), sizeof want - strlen(want), "%x last :0\n", (unsigned)rva);
		rva += 8;
		snprintf(want + strlen(want), sizeof want - strlen(want), "%x _rossym_end__ :0\n", (unsigned)rva);
		rows_are(want, 0, SHAPE ": values of all forms%s", version, offset_size, address_size,
			 indirect ? ", named in the entry" : "");
	}
}

/* ---------------------------------------------------------------------------------------- forms of an attribute */

/* A function with a name in FORM, whose value is VALUE in SIZE bytes, or as LEB, OFFSET or TEXT. */
static void named_by(unsigned form, unsigned size, uint64_t value, const char *name)
{
	char want[64];
	start(5, 4, 4);
	usual_abbreviations();
	ABBREVIATION(A_OTHER, TAG_SUBPROGRAM, false, AT_NAME, form, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_ADDR);
	put8(abbreviations, 0);
	const uint64_t text = offset_of(strings, "strp"), line_text = offset_of(line_strings, "line");
	begin_unit(UT_COMPILE, 0), based_entry();
	put8(info, A_OTHER);
	if (size == TEXT)
		put_text(info, "text");
	else if (size == OFFSET)
		put(info, form == FORM_LINE_STRP ? line_text : text, offset_size);
	else if (size == LEB)
		put_uleb(info, value);
	else
		put(info, value, size);
	put_address(info, 0x1000), put_address(info, 0x1010);
	end_unit();
	snprintf(want, sizeof want, "1000 %s :0\n1010 _rossym_end__ :0\n", name);
	rows_are(want, 0, "a name in form 0x%x", form);
}

static void names(void)
{
	named_by(FORM_STRING, TEXT, 0, "text");
	named_by(FORM_STRP, OFFSET, 0, "strp");
	named_by(FORM_LINE_STRP, OFFSET, 0, "line");
	named_by(FORM_STRX, LEB, 1, "x1");
	named_by(FORM_STRX1, 1, 1, "x1");
	named_by(FORM_STRX2, 2, 2, "x2");
	named_by(FORM_STRX3, 3, 3, "x3");
	named_by(FORM_STRX4, 4, 1, "x1");
	named_by(FORM_GNU_STR_INDEX, LEB, 2, "x2");
	/* They are in another file, which is not read. */
	named_by(FORM_STRP_SUP, OFFSET, 0, "");
	named_by(FORM_GNU_STRP_ALT, OFFSET, 0, "");
	named_by(FORM_DATA4, 4, 0, "");
	named_by(FORM_STRX, LEB, 4, "");
}

/* Functions from 1010 to 1020, whose low_pc is in one form, and high_pc in the other. */
static void code_by(unsigned low, unsigned low_size, uint64_t low_value, unsigned high, unsigned high_size,
		    uint64_t high_value, bool has_code)
{
	start(5, 4, 4);
	usual_abbreviations();
	if (high == FORM_IMPLICIT_CONST)
		ABBREVIATION(A_OTHER, TAG_SUBPROGRAM, false, AT_NAME, FORM_STRING, AT_LOW_PC, low, AT_HIGH_PC, high,
			     (unsigned)high_value);
	else
		ABBREVIATION(A_OTHER, TAG_SUBPROGRAM, false, AT_NAME, FORM_STRING, AT_LOW_PC, low, AT_HIGH_PC, high);
	put8(abbreviations, 0);
	begin_unit(UT_COMPILE, 0), based_entry();
	put8(info, A_OTHER), put_text(info, "f");
	if (low_size == LEB_AND_4)
		put_uleb(info, low_value), put32(info, 8);
	else if (low_size == LEB)
		put_uleb(info, low_value);
	else
		put(info, low_value, low_size);
	if (high_size == LEB)
		put_uleb(info, high_value);
	else
		put(info, high_value, high_size);
	function("last", 0x1100, 0x1110);
	end_unit();
	const char *want = !has_code ? "1100 last :0\n1110 _rossym_end__ :0\n"
			   : low == FORM_LLVM_ADDRX_OFFSET
				   ? "1018 f :0\n1020 _rossym_end__ :0\n1100 last :0\n1110 _rossym_end__ :0\n"
				   : "1010 f :0\n1020 _rossym_end__ :0\n1100 last :0\n1110 _rossym_end__ :0\n";
	rows_are(want, 0, "code from form 0x%x to form 0x%x", low, high);
}

static void code(void)
{
	static const unsigned lows[][3] = { { FORM_ADDR, 4, 0x401010 },	    { FORM_ADDRX, LEB, 1 },
					    { FORM_ADDRX1, 1, 1 },	    { FORM_ADDRX2, 2, 1 },
					    { FORM_ADDRX3, 3, 1 },	    { FORM_ADDRX4, 4, 1 },
					    { FORM_GNU_ADDR_INDEX, LEB, 1 } };
	static const unsigned highs[][3] = { { FORM_DATA1, 1, 16 },	     { FORM_DATA2, 2, 16 },
					     { FORM_DATA4, 4, 16 },	     { FORM_DATA8, 8, 16 },
					     { FORM_UDATA, LEB, 16 },	     { FORM_SDATA, LEB, 16 },
					     { FORM_ADDRX, LEB, 2 },	     { FORM_ADDR, 4, 0x401020 },
					     { FORM_IMPLICIT_CONST, 0, 16 }, { FORM_ADDRX1, 1, 2 } };
	for (unsigned i = 0; i < sizeof lows / sizeof *lows; i++)
		for (unsigned k = 0; k < sizeof highs / sizeof *highs; k++)
			code_by(lows[i][0], lows[i][1], lows[i][2], highs[k][0], highs[k][1], highs[k][2], true);
	code_by(FORM_LLVM_ADDRX_OFFSET, LEB_AND_4, 1, FORM_DATA1, 1, 8, true);
	/* These are no addresses and no lengths. */
	code_by(FORM_ADDR, 4, 0x401010, FORM_DATA16, 16, 16, false);
	code_by(FORM_ADDR, 4, 0x401010, FORM_FLAG, 1, 16, false);
	code_by(FORM_ADDR, 4, 0x401010, FORM_FLAG_PRESENT, 0, 0, false);
	code_by(FORM_ADDR, 4, 0x401010, FORM_SDATA, LEB, 0x70, false);
	code_by(FORM_ADDR, 4, 0x401010, FORM_REF_SIG8, 8, 16, false);
	code_by(FORM_ADDR, 4, 0x401010, FORM_STRP_SUP, 4, 16, false);
	code_by(FORM_ADDR, 4, 0x401010, FORM_REF_SUP4, 4, 16, false);
	code_by(FORM_ADDR, 4, 0x401010, FORM_REF_SUP8, 8, 16, false);
	code_by(FORM_ADDR, 4, 0x401010, FORM_GNU_REF_ALT, 4, 16, false);
	code_by(FORM_ADDR, 4, 0x401010, FORM_GNU_STRP_ALT, 4, 16, false);
	code_by(FORM_ADDRX, LEB, 9, FORM_DATA4, 4, 16, false);
	code_by(FORM_DATA4, 4, 0x401010, FORM_DATA4, 4, 16, false);
}

/* A function that has its name from an entry to which it refers in FORM: of its own unit, of the unit after it, or of the one
   before, where the same number would lead from the beginning of the section. */
static void named_from(unsigned form, unsigned size, int unit, const char *name)
{
	char want[128];
	start(5, 4, 4);
	usual_abbreviations();
	ABBREVIATION(A_OTHER, TAG_SUBPROGRAM, false, AT_ORIGIN, form, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_ADDR);
	put8(abbreviations, 0);
	begin_unit(UT_COMPILE, 0), plain_entry();
	const size_t before = info->n;
	put8(info, A_ABSTRACT), put_text(info, "before");
	end_unit();
	begin_unit(UT_COMPILE, 0), plain_entry();
	const size_t own = info->n;
	put8(info, A_ABSTRACT), put_text(info, "origin");
	put8(info, A_OTHER);
	const size_t at = info->n;
	put(info, 0, size), put_address(info, 0x1000), put_address(info, 0x1010);
	const size_t second = unit_start;
	end_unit();
	begin_unit(UT_COMPILE, 0), plain_entry();
	const size_t after = info->n;
	put8(info, A_ABSTRACT), put_text(info, "after");
	end_unit();
	const bool absolute = form == FORM_REF_ADDR || form == FORM_REF_SUP4 || form == FORM_GNU_REF_ALT ||
			      form == FORM_REF_SIG8 || form == FORM_REF_SUP8;
	set(info, at, (unit < 0 ? before : unit > 0 ? after : own) - (absolute ? 0 : second), size);
	snprintf(want, sizeof want, "1000 %s :0\n1010 _rossym_end__ :0\n", name);
	rows_are(want, 0, "a reference in form 0x%x to %s unit", form,
		 unit < 0   ? "an earlier"
		 : unit > 0 ? "a later"
			    : "its own");
}

static void references(void)
{
	named_from(FORM_REF1, 1, 0, "origin");
	named_from(FORM_REF2, 2, 0, "origin");
	named_from(FORM_REF4, 4, 0, "origin");
	named_from(FORM_REF8, 8, 0, "origin");
	named_from(FORM_REF_UDATA, 1, 0, "origin");
	named_from(FORM_REF_ADDR, 4, 0, "origin");
	named_from(FORM_REF_ADDR, 4, -1, "before");
	named_from(FORM_REF_ADDR, 4, 1, "after");
	/* A reference within the unit never leads out of it. */
	named_from(FORM_REF4, 4, 1, "");
	/* A type, and entries of another file. */
	named_from(FORM_REF_SIG8, 8, 0, "");
	named_from(FORM_REF_SUP4, 4, 0, "");
	named_from(FORM_REF_SUP8, 8, 0, "");
	named_from(FORM_GNU_REF_ALT, 4, 0, "");
}

/* ------------------------------------------------------------------------------------------------ names and places */

/* f is named by ORIGIN, which has its name from a declaration: "plain", and a linkage name. */
static void chains(void)
{
	static const unsigned linkages[] = { AT_LINKAGE, AT_MIPS_LINKAGE };
	for (unsigned i = 0; i < 2; i++) {
		start(5, 4, 4);
		usual_abbreviations();
		ABBREVIATION(A_OTHER, TAG_SUBPROGRAM, false, linkages[i], FORM_STRING, AT_NAME, FORM_STRING);
		ABBREVIATION(20, TAG_SUBPROGRAM, false, AT_NAME, FORM_STRING, AT_SPECIFICATION, FORM_REF4);
		ABBREVIATION(21, TAG_SUBPROGRAM, true, AT_ORIGIN, FORM_REF4, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC,
			     FORM_DATA1);
		ABBREVIATION(22, TAG_INLINED, false, AT_ORIGIN, FORM_REF4, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA1,
			     AT_CALL_LINE, FORM_DATA8);
		ABBREVIATION(23, TAG_INLINED, false, AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA1,
			     AT_CALL_LINE, FORM_SDATA);
		ABBREVIATION(24, TAG_ENTRY_POINT, false, AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC,
			     FORM_DATA1);
		/* Of attributes and tags with these numbers, the lowest 16 bits would be of a name and of a function. */
		ABBREVIATION(25, TAG_SUBPROGRAM, false, 0x10003, FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC,
			     FORM_DATA1);
		ABBREVIATION(26, 0x1002e, false, AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA1);
		put8(abbreviations, 0);
		begin_unit(UT_COMPILE, 0), plain_entry();
		const size_t declaration = info->n;
		put8(info, A_OTHER), put_text(info, "_Z5plainv"), put_text(info, "plain");
		const size_t abstract = info->n;
		put8(info, 20), put_text(info, "abstract"), put32(info, (uint32_t)declaration);
		put8(info, 21), put32(info, (uint32_t)abstract), put_address(info, 0x1000), put8(info, 0x40);
		put8(info, 22), put32(info, (uint32_t)declaration), put_address(info, 0x1008), put8(info, 8);
		put64(info, UINT64_C(0x100000007));
		put8(info, 23), put_text(info, "in"), put_address(info, 0x1018), put8(info, 8), put8(info, 0x79);
		put8(info, 0);
		put8(info, 24), put_text(info, "entry"), put_address(info, 0x1040), put8(info, 0x10);
		put8(info, 25), put_text(info, "no name"), put_address(info, 0x1050), put8(info, 0x10);
		put8(info, 26), put_text(info, "no function"), put_address(info, 0x1060), put8(info, 0x10);
		end_unit();
		rows_are("1000 _Z5plainv :0\n1008 _Z5plainv :0 < _Z5plainv :0\n1010 _Z5plainv :0\n1018 in :0 < "
			 "_Z5plainv "
			 ":0\n1020 _Z5plainv :0\n1040 entry :0\n1050  :0\n1060 _rossym_end__ :0\n",
			 0, "names by linkage attribute 0x%x of a declaration", linkages[i]);
	}
}

/* ------------------------------------------------------------------------------------------------ headers of units */

/* An image of one unit of this KIND, version and address size, and of a usual unit. */
static void unit_of(unsigned kind, unsigned of_version, unsigned of_address, const char *rows, unsigned warnings)
{
	start(5, 4, 4);
	usual_abbreviations(), put8(abbreviations, 0);
	version = of_version, address_size = of_address;
	begin_unit(kind, 0);
	if (kind == UT_SKELETON || kind == UT_SPLIT_COMPILE)
		put64(info, 1);
	plain_entry(), function("odd", 0x1000, 0x1010), end_unit();
	version = 5, address_size = 4;
	begin_unit(UT_COMPILE, 0), plain_entry(), function("good", 0x1100, 0x1110), end_unit();
	rows_are(rows, warnings, "a unit of type %u, DWARF %u, addresses of %u bytes", kind, of_version, of_address);
}

static void headers(void)
{
	static const char both[] = "1000 odd :0\n1010 _rossym_end__ :0\n1100 good :0\n1110 _rossym_end__ :0\n";
	static const char second[] = "1100 good :0\n1110 _rossym_end__ :0\n";
	unit_of(UT_COMPILE, 5, 4, both, 0);
	unit_of(UT_PARTIAL, 5, 4, both, 0);
	unit_of(UT_SKELETON, 5, 4, both, 0);
	unit_of(UT_SPLIT_COMPILE, 5, 4, both, 0);
	/* Types have no code. */
	unit_of(UT_TYPE, 5, 4, second, 0);
	unit_of(UT_SPLIT_TYPE, 5, 4, second, 0);
	unit_of(0, 5, 4, second, 1);
	unit_of(7, 5, 4, second, 1);
	unit_of(UT_COMPILE, 1, 4, second, 1);
	unit_of(UT_COMPILE, 6, 4, second, 1);
	unit_of(UT_COMPILE, 0, 4, second, 1);
	unit_of(UT_COMPILE, 5, 8, both, 0);
	unit_of(UT_COMPILE, 5, 2, second, 1);
	unit_of(UT_COMPILE, 5, 0, second, 1);

	/* Lengths of zero between units, which some linkers leave: no units. */
	start(4, 4, 4);
	usual_abbreviations(), put8(abbreviations, 0);
	put32(info, 0);
	begin_unit(UT_COMPILE, 0), plain_entry(), function("f", 0x1000, 0x1010), end_unit();
	put32(info, 0), put32(info, 0);
	begin_unit(UT_COMPILE, 0), plain_entry(), function("g", 0x1010, 0x1020), end_unit();
	put32(info, 0);
	rows_are("1000 f :0\n1010 g :0\n1020 _rossym_end__ :0\n", 0, "units of no length");
	ok(debugpe_read(&m, &options, &di) == 0 && di.counts.dwarf_units == 2, "... are not counted");
	draft_free(&di);

	/* A unit with no entry but the end of a list. */
	start(4, 4, 4);
	usual_abbreviations(), put8(abbreviations, 0);
	begin_unit(UT_COMPILE, 0), end_unit();
	begin_unit(UT_COMPILE, 0), plain_entry(), function("g", 0x1010, 0x1020), end_unit();
	rows_are("1010 g :0\n1020 _rossym_end__ :0\n", 0, "a unit without entries");

	/* An inlined call refers to a partial unit, which the unit of the call imports. */
	start(5, 4, 4);
	usual_abbreviations();
	ABBREVIATION(20, TAG_PARTIAL_UNIT, true, AT_NAME, FORM_STRING);
	ABBREVIATION(21, TAG_IMPORTED_UNIT, false, AT_IMPORT, FORM_REF_ADDR);
	ABBREVIATION(22, TAG_SUBPROGRAM, true, AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_ADDR);
	ABBREVIATION(23, TAG_INLINED, false, AT_ORIGIN, FORM_REF_ADDR, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_ADDR);
	put8(abbreviations, 0);
	begin_unit(UT_PARTIAL, 0);
	const size_t partial = info->n;
	put8(info, 20), put_text(info, "partial");
	const size_t abstract = info->n;
	put8(info, A_ABSTRACT), put_text(info, "in_partial"), end_unit();
	begin_unit(UT_COMPILE, 0), plain_entry();
	put8(info, 21), put32(info, (uint32_t)partial);
	put8(info, 22), put_text(info, "f"), put_address(info, 0x1000), put_address(info, 0x1010);
	put8(info, 23), put32(info, (uint32_t)abstract), put_address(info, 0x1008), put_address(info, 0x1010),
		put8(info, 0);
	end_unit();
	rows_are("1000 f :0\n1008 in_partial :0 < f :0\n1010 _rossym_end__ :0\n", 0, "a partial unit that is imported");
}

/* A line table of version 4 with line 1 of a.c, from RVA on for 16 bytes.  Returns its offset. */
static uint32_t line_of(uint32_t rva)
{
	const size_t at = line->n, begin = put_length(line);
	put16(line, 4), put32(line, 15), put8(line, 1), put8(line, 1), put8(line, 1), put8(line, 0), put8(line, 1),
		put8(line, 1);
	put8(line, 0), put_text(line, "a.c"), put8(line, 0), put16(line, 0), put8(line, 0);
	put8(line, 0), put8(line, 5), put8(line, 2), put_address(line, rva), put8(line, 1);
	put8(line, 0), put8(line, 5), put8(line, 2), put_address(line, rva + 0x10), put8(line, 0), put8(line, 1),
		put8(line, 1);
	end_length(line, begin);
	return (uint32_t)at;
}

/* An inlined call takes its name from a unit with other code, as LTO leaves it: that unit must be read for the name. */
static void other_units(void)
{
	start(4, 4, 4);
	usual_abbreviations();
	ABBREVIATION(20, TAG_UNIT, true, AT_STMT_LIST, FORM_SEC_OFFSET, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA1);
	ABBREVIATION(21, TAG_SUBPROGRAM, true, AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA1);
	ABBREVIATION(22, TAG_INLINED, false, AT_ORIGIN, FORM_REF_ADDR, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA1);
	put8(abbreviations, 0);
	begin_unit(UT_COMPILE, 0);
	put8(info, 20), put32(info, line_of(0x1000)), put_address(info, 0x1000), put8(info, 0x10);
	put8(info, 21), put_text(info, "f"), put_address(info, 0x1000), put8(info, 0x10);
	put8(info, 22);
	const size_t at = info->n;
	put32(info, 0), put_address(info, 0x1008), put8(info, 8), put8(info, 0), end_unit();
	begin_unit(UT_COMPILE, 0);
	put8(info, 20), put32(info, line_of(0x1100)), put_address(info, 0x1100), put8(info, 0x10);
	function("g", 0x1100, 0x1110);
	set32(info, at, (uint32_t)info->n);
	put8(info, A_ABSTRACT), put_text(info, "of_other"), end_unit();
	rows_are("1000 f a.c:1\n1008 of_other a.c:1 < f :0\n1010 _rossym_end__ :0\n1100 g a.c:1\n1110 _rossym_end__ "
		 ":0\n",
		 0, "a name of another unit");
}

/* The bases, which may come after the attributes that need them, or not at all. */
static void bases(void)
{
	static const unsigned sizes_of_offsets[] = { 4, 8 };
	for (unsigned i = 0; i < 4; i++) {
		const bool has_bases = i < 2;
		start(5, sizes_of_offsets[i % 2], 4);
		usual_abbreviations();
		ABBREVIATION(20, TAG_SUBPROGRAM, false, AT_NAME, FORM_STRX1, AT_RANGES, FORM_RNGLISTX);
		put8(abbreviations, 0);
		/* Another unit's part comes first, if there are bases. */
		for (unsigned part = has_bases ? 0 : 1; part < 2; part++) {
			const size_t begin = put_length(lists);
			put16(lists, 5), put8(lists, 4), put8(lists, 0), put32(lists, 2);
			rnglists_base = lists->n;
			put(lists, 2 * offset_size, offset_size), put(lists, 2 * offset_size + 1, offset_size);
			put8(lists, 0), put8(lists, 3 + 4 * (part == 0)), put8(lists, 0), put8(lists, 0x18),
				put8(lists, 0);
			end_length(lists, begin);
		}
		begin_unit(UT_COMPILE, 0);
		if (has_bases)
			based_entry();
		else
			plain_entry();
		/* Without a base for addresses, there are none. */
		put8(info, 20), put8(info, 1), put8(info, 1);
		function("last", 0x1100, 0x1110);
		end_unit();
		rows_are(has_bases ? "1000 x1 :0\n1018 _rossym_end__ :0\n1100 last :0\n1110 _rossym_end__ :0\n"
				   : "1100 last :0\n1110 _rossym_end__ :0\n",
			 0, "%s bases, offsets of %u bytes", has_bases ? "with" : "without", offset_size);
	}
}

/* Without bases: the parts of the sections begin after their headers. */
static void no_bases(void)
{
	static const unsigned sizes_of_offsets[] = { 4, 8 };
	for (unsigned i = 0; i < 2; i++) {
		start(5, sizes_of_offsets[i], 4);
		usual_abbreviations();
		ABBREVIATION(20, TAG_SUBPROGRAM, false, AT_NAME, FORM_STRX1, AT_RANGES, FORM_RNGLISTX);
		put8(abbreviations, 0);
		const size_t begin = put_length(lists);
		put16(lists, 5), put8(lists, 4), put8(lists, 0), put32(lists, 2);
		put(lists, 2 * offset_size, offset_size), put(lists, 2 * offset_size + 1, offset_size);
		put8(lists, 0), put8(lists, 7), put_address(lists, 0x1000), put8(lists, 0x18), put8(lists, 0);
		end_length(lists, begin);
		begin_unit(UT_COMPILE, 0), plain_entry();
		put8(info, 20), put8(info, 2), put8(info, 1);
		end_unit();
		rows_are("1000 x2 :0\n1018 _rossym_end__ :0\n", 0, "no bases, offsets of %u bytes", offset_size);
	}
}

/* ------------------------------------------------------------------------------------------------ abbreviations */

static void abbreviation_tables(void)
{
	/* Out of order, and two with one code, of which the first counts. */
	start(4, 4, 4);
	ABBREVIATION(7, TAG_SUBPROGRAM, false, AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA1);
	ABBREVIATION(300, TAG_SUBPROGRAM, false, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA1, AT_NAME, FORM_STRING);
	ABBREVIATION(7, TAG_SUBPROGRAM, false, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_DATA1, AT_NAME, FORM_STRING);
	ABBREVIATION(2, TAG_UNIT, true, AT_NAME, FORM_STRING);
	put8(abbreviations, 0);
	begin_unit(UT_COMPILE, 0);
	put8(info, 2), put_text(info, "unit");
	put8(info, 7), put_text(info, "f"), put_address(info, 0x1000), put8(info, 0x10);
	put_uleb(info, 300), put_address(info, 0x1010), put8(info, 0x10), put_text(info, "g");
	end_unit();
	rows_are("1000 f :0\n1010 g :0\n1020 _rossym_end__ :0\n", 0, "abbreviations out of order");

	/* Units with one table, in which forms have different sizes for each. */
	start(4, 4, 4);
	usual_abbreviations();
	ABBREVIATION(A_OTHER, TAG_SUBPROGRAM, false, AT_VENDOR, FORM_STRP, AT_VENDOR, FORM_REF_ADDR, AT_NAME,
		     FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_ADDR);
	put8(abbreviations, 0);
	static const unsigned encodings[][3] = { { 4, 4, 4 }, { 4, 8, 4 }, { 4, 8, 8 },
						 { 2, 4, 8 }, { 4, 4, 8 }, { 2, 4, 4 } };
	for (unsigned i = 0; i < 6; i++) {
		version = encodings[i][0], offset_size = encodings[i][1], address_size = encodings[i][2];
		begin_unit(UT_COMPILE, 0), plain_entry();
		put8(info, A_OTHER), put(info, 0, offset_size), put(info, 0, version == 2 ? address_size : offset_size);
		put_text(info, (const char *[]){ "a", "b", "c", "d", "e", "f" }[i]);
		put_address(info, 0x1000 + 0x10 * i), put_address(info, 0x1010 + 0x10 * i);
		end_unit();
	}
	rows_are("1000 a :0\n1010 b :0\n1020 c :0\n1030 d :0\n1040 e :0\n1050 f :0\n1060 _rossym_end__ :0\n", 0,
		 "units that share abbreviations");

	/* Forms that there are not, and two that cannot be named in an entry. */
	static const struct {
		unsigned form;
		uint8_t bytes[4];
		unsigned count;
	} bad[] = { { 0, { 0 }, 0 },
		    { 2, { 0 }, 0 },
		    { 0x2d, { 0 }, 0 },
		    { FORM_INDIRECT, { FORM_INDIRECT, FORM_DATA1, 1 }, 3 },
		    { FORM_INDIRECT, { FORM_IMPLICIT_CONST }, 1 },
		    { FORM_INDIRECT, { 2 }, 1 } };
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		start(5, 4, 4);
		usual_abbreviations();
		ABBREVIATION(A_OTHER, TAG_VARIABLE, false, AT_VENDOR, bad[i].form);
		put8(abbreviations, 0);
		begin_unit(UT_COMPILE, 0), plain_entry();
		function("f", 0x1000, 0x1010);
		put8(info, A_OTHER);
		for (unsigned k = 0; k < bad[i].count; k++)
			put8(info, bad[i].bytes[k]);
		function("g", 0x1010, 0x1020);
		end_unit();
		rows_are("1000 f :0\n1010 _rossym_end__ :0\n", 1, "form 0x%x that cannot be read, %u", bad[i].form, i);
	}
}

/* ------------------------------------------------------------------------------------------------ range lists */

static void range_lists(void)
{
	for (unsigned shape = 0; next_shape(&shape);) {
		/* Offsets from the unit's low_pc; a base for those after it; adjacent ranges, which count as one: so the call in
		   the middle, which is larger than each of them, is the inner one. */
		usual_abbreviations();
		ABBREVIATION(20, TAG_UNIT, true, AT_LOW_PC, FORM_ADDR);
		ABBREVIATION(21, TAG_SUBPROGRAM, true, AT_NAME, FORM_STRING, AT_RANGES,
			     version >= 4	? (unsigned)FORM_SEC_OFFSET
			     : offset_size == 8 ? (unsigned)FORM_DATA8
						: (unsigned)FORM_DATA4);
		ABBREVIATION(22, TAG_INLINED, false, AT_NAME, FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_ADDR);
		put8(abbreviations, 0);
		struct bytes *b = version >= 5 ? lists : ranges;
		const uint64_t at = b->n;
		if (version >= 5) {
			put8(b, 4), put8(b, 0x00), put8(b, 0x08), put8(b, 4), put8(b, 0x08), put8(b, 0x10);
			put8(b, 5), put_address(b, 0x1100), put8(b, 4), put8(b, 0), put8(b, 8), put8(b, 0);
		} else {
			static const unsigned pairs[] = { 0x00, 0x08, 0x08, 0x10 };
			for (unsigned i = 0; i < 4; i++)
				put(b, pairs[i], address_size);
			put(b, UINT64_MAX, address_size), put_address(b, 0x1100);
			put(b, 0, address_size), put(b, 8, address_size);
			put(b, 0, address_size), put(b, 0, address_size);
		}
		begin_unit(UT_COMPILE, 0);
		put8(info, 20), put_address(info, 0x1000);
		put8(info, 21), put_text(info, "f"), put(info, at, offset_size);
		put8(info, 22), put_text(info, "in"), put_address(info, 0x1002), put_address(info, 0x100e),
			put8(info, 0);
		end_unit();
		rows_are("1000 f :0\n1002 in :0 < f :0\n100e f :0\n1010 _rossym_end__ :0\n1100 f :0\n1108 "
			 "_rossym_end__ :0\n",
			 0, SHAPE ": a range list", version, offset_size, address_size);
	}

	/* Addresses of 4 bytes that overflow: from a base at the end of the address space. */
	start(4, 4, 4);
	usual_abbreviations();
	ABBREVIATION(20, TAG_SUBPROGRAM, false, AT_NAME, FORM_STRING, AT_RANGES, FORM_SEC_OFFSET);
	put8(abbreviations, 0);
	const uint64_t at = ranges->n;
	put32(ranges, UINT32_MAX), put32(ranges, 0xfffff000);
	put32(ranges, 0x402000), put32(ranges, 0x402010), put64(ranges, 0);
	begin_unit(UT_COMPILE, 0), plain_entry();
	put8(info, 20), put_text(info, "f"), put(info, at, 4);
	end_unit();
	rows_are("1000 f :0\n1010 _rossym_end__ :0\n", 0, "offsets that overflow");

	/* The number of a location list names no range list. */
	start(5, 4, 4);
	usual_abbreviations();
	ABBREVIATION(20, TAG_SUBPROGRAM, false, AT_NAME, FORM_STRING, AT_RANGES, FORM_LOCLISTX);
	put8(abbreviations, 0);
	put(lists, 0, 12), put32(lists, 4), put8(lists, 7), put_address(lists, 0x1000), put8(lists, 8), put8(lists, 0);
	begin_unit(UT_COMPILE, 0), plain_entry();
	put8(info, 20), put_text(info, "f"), put8(info, 0);
	end_unit();
	rows_are("", 1, "a location list for a range list");
}

/* ------------------------------------------------------------------------------------------------ line programs */

static size_t table_start, header_start;
static unsigned operations;
/* Where the unit's function begins.  It ends at 0x1200, or at 0x2000 if it begins after 0x1200. */
static uint32_t code_begin = 0x1000;

/* A line table of version 4, or of 2, with instructions of 4 bytes.  OTHERS are the numbers of operands of opcodes 5, 6, 7, 10, 11. */
static void begin_lines(const uint8_t others[5])
{
	static const uint8_t usual[] = { 1, 0, 0, 0, 0 };
	if (!others)
		others = usual;
	table_start = put_length(line);
	put16(line, operations ? 4 : 2);
	header_start = line->n;
	put(line, 0, offset_size);
	const size_t after = line->n;
	put8(line, 4);
	if (operations)
		put8(line, operations);
	put8(line, 1), put8(line, 0), put8(line, 4), put8(line, 12);
	put8(line, 0), put8(line, 1), put8(line, 1), put8(line, 1), put8(line, others[0]), put8(line, others[1]);
	put8(line, others[2]), put8(line, 0), put8(line, 1), put8(line, others[3]), put8(line, others[4]);
	put8(line, 0), put_text(line, "a.c"), put8(line, 0), put16(line, 0), put8(line, 0);
	set(line, header_start, line->n - after, offset_size);
	/* The unit of the table. */
	usual_abbreviations();
	ABBREVIATION(20, TAG_UNIT, true, AT_STMT_LIST,
		     version >= 4	? (unsigned)FORM_SEC_OFFSET
		     : offset_size == 8 ? (unsigned)FORM_DATA8
					: (unsigned)FORM_DATA4,
		     AT_COMP_DIR, FORM_STRING, AT_LOW_PC, FORM_ADDR, AT_HIGH_PC, FORM_ADDR);
	put8(abbreviations, 0);
	begin_unit(UT_COMPILE, 0);
	put8(info, 20), put(info, 0, offset_size), put_text(info, "/src");
	const uint32_t end = code_begin < 0x1200 ? 0x1200 : 0x2000;
	put_address(info, code_begin), put_address(info, end), function("f", code_begin, end), end_unit();
}

static void set_address(uint32_t rva)
{
	put8(line, 0), put8(line, 1 + address_size), put8(line, 2), put_address(line, rva);
}

static void end_sequence(void)
{
	put8(line, 0), put8(line, 1), put8(line, 1);
}

static void end_lines(void)
{
	end_length(line, table_start);
}

static void line_programs(void)
{
	static const uint8_t odd_operands[] = { 2, 1, 3, 2, 1 };
	for (unsigned shape = 0; next_shape(&shape);) {
		operations = version >= 4;
		begin_lines(NULL);
		set_address(0x1000), put8(line, 1);
		put8(line, 5), put8(line, 0x85), put8(line, 0), put8(line, 6),
			put8(line, 7); /* column, statement, block */
		put8(line, 2), put8(line, 4), put8(line, 3), put8(line, 0x7f), put8(line, 3), put8(line, 2),
			put8(line, 1);
		put8(line, 10); /* prologue */
		put8(line, 9), put16(line, 0x10), put8(line, 12 + 1);
		put8(line, 8), put8(line, 12 + 4 * 2 + 2); /* const_add_pc: 60 instructions; two more, and two lines */
		put8(line, 0), put8(line, 3), put8(line, 0x80), put16(line, 0x5555);	      /* a vendor's */
		put8(line, 0), put8(line, 3), put8(line, 4), put8(line, 0x85), put8(line, 0); /* discriminator */
		put8(line, 4), put8(line, 2), put8(line, 0), put8(line, 1 + 4 + 3), put8(line, 3),
			put_text(line, "b.c");
		put8(line, 0), put16(line, 0); /* define_file, and a row of that file */
		put8(line, 9), put16(line, 4), put8(line, 1);
		put8(line, 2), put8(line, 1), end_sequence();
		/* The registers begin anew. */
		set_address(0x11f0), put8(line, 1), put8(line, 2), put8(line, 1), end_sequence();
		end_lines();
		rows_are("1000 f /src/a.c:1\n1010 f /src/a.c:2\n1020 f /src/a.c:3\n1118 f /src/a.c:5\n111c f "
			 "/src/b.c:5\n"
			 "1120 f :0\n11f0 f /src/a.c:1\n11f4 f :0\n1200 _rossym_end__ :0\n",
			 0, SHAPE ": all opcodes", version, offset_size, address_size);
	}

	/* Opcodes with other numbers of operands than usual. */
	start(4, 4, 4), operations = 1;
	begin_lines(odd_operands);
	set_address(0x1000), put8(line, 1);
	put8(line, 5), put8(line, 1), put8(line, 0x81), put8(line, 1), put8(line, 6), put8(line, 1);
	put8(line, 7), put8(line, 1), put8(line, 1), put8(line, 1), put8(line, 10), put16(line, 0x101), put8(line, 11),
		put8(line, 1);
	put8(line, 2), put8(line, 4), put8(line, 12 + 1), put8(line, 2), put8(line, 60), end_sequence(), end_lines();
	rows_are("1000 f /src/a.c:1\n1010 f /src/a.c:2\n1100 f :0\n1200 _rossym_end__ :0\n", 0,
		 "other numbers of operands");

	/* Sequences outside of the range that the unit's entry has: they are found without running all of the program. */
	for (unsigned i = 0; i < 2; i++) {
		start(4, 4, 4), operations = 1;
		code_begin = 0x1ff0;
		begin_lines(odd_operands);
		set_address(0x1000), put8(line, 1);
		put8(line, 5), put8(line, 1), put8(line, 0x89), put8(line, 1), put8(line, 6), put8(line, 1);
		put8(line, 7), put8(line, 1), put8(line, 1), put8(line, 1), put8(line, 10), put16(line, 0x101),
			put8(line, 11);
		put8(line, 1);
		if (i == 0)
			put8(line, 9), put16(line, 0x100), put8(line, 12 + 1), put8(line, 2), put8(line, 64);
		else
			set_address(0xff0), put8(line, 12 + 1), set_address(0x1800), put8(line, 12 + 1),
				set_address(0x1200);
		end_sequence();
		if (i > 0)
			set_address(0x1600), put8(line, 1), set_address(0x1500), put8(line, 12 + 1),
				set_address(0x1700), end_sequence();
		end_lines();
		rows_are(i == 0 ? "1000  /src/a.c:1\n1100  /src/a.c:2\n1200 _rossym_end__ :0\n1ff0 f :0\n2000 "
				  "_rossym_end__ :0\n"
				: "1500  /src/a.c:2\n1600  /src/a.c:1\n1700 _rossym_end__ :0\n1ff0 f :0\n2000 "
				  "_rossym_end__ :0\n",
			 0, i == 0 ? "sequences elsewhere" : "a sequence that goes back out of the code");
		code_begin = 0x1000;
	}

	/* Several operations an instruction: an address that is set, and a fixed advance, begin an instruction. */
	start(4, 4, 4), operations = 3;
	begin_lines(NULL);
	set_address(0x1000), put8(line, 1), put8(line, 11) /* epilogue */, put8(line, 2), put8(line, 2);
	set_address(0x1010), put8(line, 2), put8(line, 2), put8(line, 12 + 1); /* not yet the next instruction */
	put8(line, 9), put16(line, 8), put8(line, 2), put8(line, 2), put8(line, 12 + 1);
	put8(line, 2), put_uleb(line, 1 + 3 * 57), end_sequence(), end_lines();
	rows_are("1000 f /src/a.c:1\n1010 f /src/a.c:2\n1018 f /src/a.c:3\n1100 f :0\n1200 _rossym_end__ :0\n", 0,
		 "addresses that are set in the middle of an instruction");

	/* Addresses that descend. */
	start(4, 4, 4), operations = 1;
	begin_lines(NULL);
	set_address(0x1080), put8(line, 1), set_address(0x1040), put8(line, 12 + 1), set_address(0x1010),
		put8(line, 12 + 1);
	set_address(0x1100), end_sequence(), end_lines();
	rows_are("1000 f :0\n1010 f /src/a.c:3\n1040 f /src/a.c:2\n1080 f /src/a.c:1\n1100 f :0\n1200 _rossym_end__ "
		 ":0\n",
		 0, "addresses that descend");
}

/* A line table of DWARF 5, whose unit has its directory before the base that this needs; BIAS is added to references to names,
   as linkers do that take them for addresses. */
static void names_of_files(uint64_t bias)
{
	start(5, 4, 8);
	usual_abbreviations();
	ABBREVIATION(20, TAG_UNIT, true, AT_COMP_DIR, FORM_STRX1, AT_STMT_LIST, FORM_SEC_OFFSET, AT_STR_OFFSETS_BASE,
		     FORM_SEC_OFFSET);
	put8(abbreviations, 0);
	const size_t part = put_length(offsets);
	put16(offsets, 5), put16(offsets, 0);
	str_offsets_base = offsets->n;
	put32(offsets, (uint32_t)offset_of(strings, "/dir"));
	end_length(offsets, part);
	begin_unit(UT_COMPILE, 0);
	put8(info, 20), put8(info, 0), put32(info, 0), put32(info, (uint32_t)str_offsets_base);
	function("f", 0x1000, 0x1010), end_unit();
	table_start = put_length(line);
	put16(line, 5), put8(line, 8), put8(line, 0), put32(line, 0);
	header_start = line->n;
	put8(line, 1), put8(line, 1), put8(line, 1), put8(line, 0), put8(line, 4), put8(line, 1);
	put8(line, 1), put8(line, 1), put8(line, FORM_LINE_STRP), put8(line, 1);
	put32(line, (uint32_t)(offset_of(line_strings, "inc") + bias));
	put8(line, 2), put8(line, 1), put8(line, FORM_LINE_STRP), put8(line, 2), put8(line, FORM_DATA1), put8(line, 2);
	put32(line, (uint32_t)(offset_of(line_strings, "a.c") + bias)), put8(line, 0);
	put32(line, (uint32_t)(offset_of(line_strings, "b.c") + bias)), put8(line, 0);
	set32(line, header_start - 4, (uint32_t)(line->n - header_start));
	set_address(0x1000), put8(line, 4), set_address(0x1010), end_sequence();
	end_lines();
	rows_are("1000 f /dir/inc/b.c:4\n1010 _rossym_end__ :0\n", 0, "names of files, moved by 0x%x", (unsigned)bias);
}

int main(void)
{
	sizes(false);
	sizes(true);
	names();
	code();
	references();
	chains();
	headers();
	other_units();
	bases();
	no_bases();
	abbreviation_tables();
	range_lists();
	line_programs();
	names_of_files(0);
	names_of_files(UINT64_C(0x14000c000));
	return done_testing();
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Entries of DWARF units with attributes and forms that no compiler writes: what is read, and what is left out. */
#include "config.h"
#include "tests/lib/tap.h"
#include "debuginfo/base/debuginfo.h"
#include "tests/lib/debugpe.h"

#include <stdlib.h>

static char warnings[1024]; /* of the last image that was read */

static void keep_warning(void *context, const char *text)
{
	size_t at = strlen(warnings);
	(void)context;
	snprintf(warnings + at, sizeof warnings - at, "%s; ", text);
}

/* Read the SIZE bytes of an image at BYTES, and write its rows as "RVA name, ..." to TEXT, which has ROOM. */
static void read_rows(const uint8_t *bytes, size_t size, char *text, size_t room)
{
	const struct debuginfo_options options = { .warn = keep_warning };
	struct rs_source source = { .memory = bytes, .fd = -1, .size = size };
	struct rossym_error err;
	struct rs_pe pe = { 0 };
	struct debuginfo di = { 0 };
	warnings[0] = text[0] = '\0';
	if (rs_pe_read(&pe, &source, &err) < 0 || draft_read(&di, &pe, &source, &options, &err) < 0)
		snprintf(text, room, "error: %s", err.what);
	for (uint32_t i = 0; i < di.draft->rows.count; i++) {
		size_t at = strlen(text);
		snprintf(text + at, room - at, "%s%x %s", i ? ", " : "", (unsigned)di.draft->rows.items[i].rva,
			 rs_string(di.draft->strings, di.draft->rows.items[i].function));
	}
	draft_free(&di);
	rs_pe_clear(&pe);
}

/* ----------------------------------------------------------------------------------------- abbreviations */

/* Tags, attributes and forms as the standard numbers them. */
enum { COMPILE_UNIT = 0x11, SUBPROGRAM = 0x2e, VARIABLE = 0x34 };
enum {
	SIBLING = 0x01,
	NAME = 0x03,
	LOW_PC = 0x11,
	HIGH_PC = 0x12,
	ORIGIN = 0x31,
	DECL_LINE = 0x3b,
	RANGES = 0x55,
	CALL_LINE = 0x59
};
enum {
	ADDR = 0x01,
	BLOCK2 = 0x03,
	BLOCK4 = 0x04,
	DATA4 = 0x06,
	DATA8 = 0x07,
	STRING = 0x08,
	BLOCK = 0x09,
	DATA1 = 0x0b,
	SDATA = 0x0d,
	STRP = 0x0e,
	UDATA = 0x0f,
	REF_ADDR = 0x10,
	REF4 = 0x13,
	REF8 = 0x14,
	REF_UDATA = 0x15,
	INDIRECT = 0x16,
	SEC_OFFSET = 0x17,
	EXPRLOC = 0x18,
	DATA16 = 0x1e,
	REF_SIG8 = 0x20,
	IMPLICIT_CONST = 0x21,
	LOCLISTX = 0x22,
	RNGLISTX = 0x23,
	ADDRX = 0x1b,
	STRX = 0x1a
};
#define MORE 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80

/* The attributes of an entry after LOW_PC, and their values.  With SIBLING_AFTER in SIZE, a reference to the next entry
   comes after these: of 4 bytes, or as REF_ADDR. */
enum { SIBLING_AFTER = 0x100 };

/* The entry, as a function, cannot be read, so what is around and after it is left out.  UNREADABLE_ANYHOW: also as
   a variable. */
enum { UNREADABLE = 1, UNREADABLE_ANYHOW, ENDS_ALL };
static const struct odd {
	const char *name;
	uint8_t attributes[40], values[24];
	unsigned size; /* of the values */
	unsigned end;  /* where a function with these attributes ends; 0 = it has no code */
} odds[] = {
	{ "a length", { HIGH_PC, DATA4 }, { 0x10 }, 4, 0x1010 },
	{ "an end and then a length", { HIGH_PC, ADDR, HIGH_PC, DATA4 }, { 0x10, 0x10, 0x40, 0, 0x20 }, 8, 0x1020 },
	{ "a length and then an end",
	  { HIGH_PC, DATA4, HIGH_PC, ADDR },
	  { 0x20, 0, 0, 0, 0x10, 0x10, 0x40, 0 },
	  8,
	  0x1010 },
	{ "two beginnings", { LOW_PC, ADDR, HIGH_PC, DATA4 }, { 0x20, 0x10, 0x40, 0, 0x20 }, 8, 0x1040 },
	{ "a constant of 9 bytes", { HIGH_PC, DATA4, DECL_LINE, IMPLICIT_CONST, MORE, 1 }, { 0x10 }, 4, 0x1010 },
	{ "one of 10 bytes", { HIGH_PC, DATA4, DECL_LINE, IMPLICIT_CONST, MORE, 0x80, 1 }, { 0x10 }, 4, 0x1010 },
	{ "one of 11 bytes", { HIGH_PC, DATA4, DECL_LINE, IMPLICIT_CONST, MORE, 0x80, 0x80, 1 }, { 0x10 }, 4, 0x1010 },
	{ "one of 17 bytes", { HIGH_PC, DATA4, DECL_LINE, IMPLICIT_CONST, MORE, MORE, 1 }, { 0x10 }, 4, 0x1010 },
	{ "a constant length", { HIGH_PC, IMPLICIT_CONST, 0x10 }, { 0 }, 0, 0x1010 },
	{ "a negative one", { HIGH_PC, IMPLICIT_CONST, 0x70 }, { 0 }, 0, 0 },
	{ "a length of 8 bytes", { HIGH_PC, DATA8 }, { 0x10 }, 8, 0x1010 },
	{ "one of 16 bytes", { HIGH_PC, DATA16 }, { 0x10 }, 16, 0 },
	{ "one with a sign", { HIGH_PC, SDATA }, { 0x10 }, 1, 0x1010 },
	{ "a negative one", { HIGH_PC, SDATA }, { 0x70 }, 1, 0 },
	{ "one of 10 bytes", { HIGH_PC, UDATA }, { 0x90, MORE, 0 }, 10, 0x1010 },
	{ "one of 17 bytes",
	  { HIGH_PC, UDATA },
	  { 0x90, MORE, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0 },
	  17,
	  0x1010 },
	{ "a form in the entry", { HIGH_PC, INDIRECT }, { DATA4, 0x10 }, 5, 0x1010 },
	{ "a constant form in the entry", { HIGH_PC, INDIRECT }, { IMPLICIT_CONST, 0x10 }, 2, UNREADABLE_ANYHOW },
	{ "a form that does not exist", { HIGH_PC, 0x7f }, { 0x10 }, 4, UNREADABLE_ANYHOW },
	{ "a sibling", { HIGH_PC, DATA4, SIBLING, REF4 }, { 0x10 }, 4 | SIBLING_AFTER, 0x1010 },
	{ "a sibling in the whole section",
	  { HIGH_PC, DATA4, SIBLING, REF_ADDR },
	  { 0x10 },
	  4 | SIBLING_AFTER,
	  0x1010 },
	{ "a sibling at 0", { HIGH_PC, DATA4, SIBLING, REF4 }, { 0x10 }, 8, 0x1010 },
	{ "one of 8 bytes", { HIGH_PC, DATA4, SIBLING, REF8 }, { 0x10 }, 12, 0x1010 },
	{ "one far away", { HIGH_PC, DATA4, SIBLING, REF4 }, { 0x10, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f }, 8, 0x1010 },
	{ "a sibling by its signature", { HIGH_PC, DATA4, SIBLING, REF_SIG8 }, { 0x10 }, 12, 0x1010 },
	{ "a sibling that is a number", { HIGH_PC, DATA4, SIBLING, DATA4 }, { 0x10 }, 8, 0x1010 },
	{ "a range list too", { HIGH_PC, DATA4, RANGES, SEC_OFFSET }, { 0x10 }, 8, UNREADABLE },
	{ "a range list that is not there",
	  { HIGH_PC, DATA4, RANGES, DATA4 },
	  { 0x10, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f },
	  8,
	  UNREADABLE },
	{ "a number of a range list", { HIGH_PC, DATA4, RANGES, RNGLISTX }, { 0x10 }, 5, UNREADABLE },
	{ "a number of an address", { HIGH_PC, ADDRX }, { 0 }, 1, 0 },
	{ "a name", { HIGH_PC, DATA4, NAME, STRING }, { 0x10, 0, 0, 0, 'f', 0 }, 6, 0x1010 },
	{ "a name that is not there", { HIGH_PC, DATA4, NAME, STRP }, { 0x10, 0, 0, 0, 0xff, 0xff }, 8, 0x1010 },
	{ "a number of a name", { HIGH_PC, DATA4, NAME, STRX }, { 0x10 }, 5, 0x1010 },
	{ "a number for a name", { HIGH_PC, DATA4, NAME, DATA1 }, { 0x10 }, 5, 0x1010 },
	{ "an origin outside the unit",
	  { HIGH_PC, DATA4, ORIGIN, REF4 },
	  { 0x10, 0, 0, 0, 0xff, 0xff, 0xff, 0xff },
	  8,
	  0x1010 },
	{ "an origin at the end", { HIGH_PC, DATA4, ORIGIN, REF_ADDR }, { 0x10, 0, 0, 0, 0xff }, 8, 0x1010 },
	{ "an origin by its signature", { HIGH_PC, DATA4, ORIGIN, REF_SIG8 }, { 0x10, 0, 0, 0, 1 }, 12, 0x1010 },
	{ "an origin of 17 bytes",
	  { HIGH_PC, DATA4, ORIGIN, REF_UDATA },
	  { 0x10, 0, 0, 0, MORE, MORE, 0 },
	  21,
	  0x1010 },
	{ "a block", { HIGH_PC, DATA4, 2, BLOCK }, { 0x10, 0, 0, 0, 2, 1, 1 }, 7, 0x1010 },
	{ "the code of no entry in two bytes", { HIGH_PC, DATA4 }, { 0x10, 0, 0, 0, 0x80, 0 }, 6, ENDS_ALL },
	{ "a block longer than the unit",
	  { HIGH_PC, DATA4, 2, BLOCK4 },
	  { 0x10, 0, 0, 0, 0xff, 0xff, 0xff, 0xff },
	  8,
	  UNREADABLE_ANYHOW },
	{ "an expression longer than any",
	  { HIGH_PC, DATA4, 2, EXPRLOC },
	  { 0x10, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f },
	  12,
	  UNREADABLE_ANYHOW },
	{ "a location list", { HIGH_PC, DATA4, 2, LOCLISTX }, { 0x10, 0, 0, 0, 0x90, 1 }, 6, 0x1010 },
	{ "a line that is too large",
	  { HIGH_PC, DATA4, CALL_LINE, DATA8 },
	  { 0x10, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff },
	  12,
	  0x1010 },
	{ "nothing of value", { 0 }, { 0 }, 0, 0 },
};

/* Abbreviation CODE with TAG: LOW_PC, and the SIZE bytes of ATTRIBUTES. */
static void put_abbreviation(struct bytes *to, unsigned code, unsigned tag, bool children, const uint8_t *attributes,
			     unsigned size)
{
	put8(to, code), put8(to, tag), put8(to, children);
	put8(to, LOW_PC), put8(to, ADDR);
	put_bytes(to, attributes, size);
	put16(to, 0);
}

static unsigned used(const uint8_t *bytes, unsigned size)
{
	while (size > 0 && bytes[size - 1] == 0)
		size--;
	return size;
}

/* A shape of the image around the odd entry. */
struct shape {
	unsigned version, tag, length; /* LENGTH: 4 or 8, as DWARF's offsets */
	bool children;		       /* the odd entry has one inside */
};

static void put_function(struct bytes *info, uint32_t address, const char *name)
{
	put8(info, 2), put32(info, address), put32(info, 0x10), put_text(info, name);
}

static void put_odd(struct bytes *info, const struct odd *odd, const struct shape *shape)
{
	put8(info, 3), put32(info, 0x401000), put_bytes(info, odd->values, odd->size % SIBLING_AFTER);
	const bool sibling = odd->size & SIBLING_AFTER;
	size_t at = info->n;
	if (sibling)
		put32(info, 0);
	if (sibling && odd->attributes[3] == REF_ADDR && shape->version > 2 && shape->length == 8)
		put32(info, 0);
	if (shape->children)
		put_function(info, 0x401008, "inside"), put8(info, 0);
	if (sibling)
		set32(info, at, (uint32_t)info->n);
}

/* The image: a unit with the odd entry between two functions. */
static uint8_t *odd_image(const struct odd *odd, const struct shape *shape, size_t *size)
{
	static const uint8_t plain[] = { HIGH_PC, DATA4, NAME, STRING }, zeros[8] = { 0 };
	static struct debugpe m;
	debugpe_start(&m, 0x400000);
	debugpe_section(&m, ".text", 0x1000, 0x1000, DEBUGPE_CODE);
	struct bytes *info = debugpe_content(&m, ".debug_info", 0x8000),
		     *abbreviations = debugpe_content(&m, ".debug_abbrev", 0x9000);
	put_text(debugpe_content(&m, ".debug_str", 0xa000), "text");
	put_abbreviation(abbreviations, 1, COMPILE_UNIT, true, NULL, 0);
	put_abbreviation(abbreviations, 2, SUBPROGRAM, false, plain, sizeof plain);
	put_abbreviation(abbreviations, 3, shape->tag, shape->children, odd->attributes,
			 used(odd->attributes, sizeof odd->attributes));
	put8(abbreviations, 0);
	if (shape->length == 8)
		put32(info, 0xffffffff);
	size_t start = info->n;
	put_bytes(info, zeros, shape->length);
	put16(info, shape->version);
	if (shape->version >= 5)
		put8(info, 1), put8(info, 4);
	put_bytes(info, zeros, shape->length);
	if (shape->version < 5)
		put8(info, 4);
	put8(info, 1), put32(info, 0x401000);
	put_function(info, 0x401100, "before");
	put_odd(info, odd, shape);
	put_function(info, 0x401200, "after");
	put8(info, 0);
	set32(info, start, (uint32_t)(info->n - start - shape->length));
	return debugpe_build(&m, size);
}

/* The rows that an image with ODD in SHAPE must have. */
static void expect(const struct odd *odd, const struct shape *shape, char *text, size_t room)
{
	const bool function = shape->tag == SUBPROGRAM;
	const bool unreadable = odd->end == UNREADABLE_ANYHOW || (odd->end == UNREADABLE && function);
	const unsigned begin = strcmp(odd->name, "two beginnings") == 0 ? 0x1020 : 0x1000;
	unsigned end = odd->end == ENDS_ALL ? 0x1010 : odd->end;
	text[0] = '\0';
	if (function && end > UNREADABLE_ANYHOW)
		snprintf(text, room, "%x %s, %x _rossym_end__, ", begin, strcmp(odd->name, "a name") == 0 ? "f" : "",
			 end);
	snprintf(text + strlen(text), room - strlen(text), "1100 before, 1110 _rossym_end__%s",
		 unreadable || odd->end == ENDS_ALL ? "" : ", 1200 after, 1210 _rossym_end__");
}

static void test_odd(const struct odd *odd)
{
	static const unsigned versions[] = { 2, 4, 5 }, tags[] = { SUBPROGRAM, VARIABLE };
	unsigned wrong = 0;
	for (unsigned i = 0; i < 24; i++) {
		const struct shape shape = { versions[i % 3], tags[i / 3 % 2], i / 6 % 2 ? 8 : 4, i >= 12 };
		char rows[512], want[512];
		size_t size = 0;
		uint8_t *bytes = odd_image(odd, &shape, &size);
		read_rows(bytes, size, rows, sizeof rows);
		expect(odd, &shape, want, sizeof want);
		/* In the other shapes the values of some forms have other sizes; what comes before them stays. */
		bool good = i < 6 ? strcmp(rows, want) == 0 : strstr(rows, "1100 before") != NULL;
		if (!good)
			diag("DWARF %u, tag 0x%x, offsets of %u bytes, %s children: %s, not %s; %s", shape.version,
			     shape.tag, shape.length, shape.children ? "with" : "no", rows, want, warnings);
		wrong += !good;
		if (bytes && i == 0)
			debugpe_keep(bytes, size);
		free(bytes);
	}
	ok(wrong == 0, "%s", odd->name);
}

int main(void)
{
	for (unsigned i = 0; i < sizeof odds / sizeof *odds; i++)
		test_odd(&odds[i]);
	return done_testing();
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fast walk through the entries of DWARF units gives what libdwarf's walk gives: see twins.h.
 *
 *	unit-dwarf-entries [IMAGE...]
 *
 * Each image (default: those of tests/data) is read as it is, and with a few bytes of its DWARF changed; whole, and for a few
 * addresses.  Environment: MUTATIONS, how many mutants in all (3000; a fraction of that is made), and SEED, which ones.  Then
 * images with abbreviations that no compiler makes.
 */
#include "config.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"
#include "tests/lib/debugpe.h"

#include <stdlib.h>

enum { MOST_PARTS = 8, ASKED = 3, SHARE = 20 };

/* An image, and where its DWARF sections are. */
struct subject {
	uint8_t *bytes;
	size_t size;
	struct { size_t from, size; } parts[MOST_PARTS];
	uint32_t part_count;
};

static unsigned damaged;	/* mutants with a warning */

/* ----------------------------------------------------------------------------------------------- mutants */

/* Note where the sections are that walks read. */
static void find_parts(struct subject *subject)
{
	static const char *const names[] = { ".debug_info", ".debug_abbrev", ".debug_str", ".debug_ranges", ".debug_rnglists" };
	struct rs_source source = { .memory = subject->bytes, .fd = -1, .size = subject->size };
	struct rossym_error err;
	struct rs_pe pe = { 0 };
	if (rs_pe_read(&pe, &source, &err) < 0)
		goto out;
	for (uint32_t i = 0; i < pe.section_count && subject->part_count < MOST_PARTS; i++) {
		const struct rs_section *section = &pe.sections[i];
		const char *name = rs_pe_section_name(&pe, section, &source, &err);
		for (size_t k = 0; name && section->raw_size && k < sizeof names / sizeof *names; k++)
			if (strcmp(name, names[k]) == 0) {
				subject->parts[subject->part_count].from = section->raw_offset;
				subject->parts[subject->part_count++].size = section->raw_size;
			}
	}
out:
	rs_pe_clear(&pe);
}

/* Change one byte.  The part is drawn first, then a byte of that part.  A byte drawn from all parts together would mostly be in
   .debug_info, because that is by far the largest; but a byte of the other parts has more effect. */
static void mutate_byte(const struct subject *subject, uint8_t *bytes)
{
	static const uint8_t values[] = { 0, 1, 2, 0x7f, 0x80, 0xff };
	uint32_t part = random_below(subject->part_count);
	uint8_t *at = bytes + subject->parts[part].from + random_below((uint32_t)subject->parts[part].size);
	switch (random_below(3)) {
	case 0:
		*at = values[random_below(sizeof values)];
		break;
	case 1:
		*at = (uint8_t)random_below(0x40);	/* most codes, tags, attributes and forms are below 0x40 */
		break;
	default:
		*at = (uint8_t)random_u32();
		break;
	}
}

/* ------------------------------------------------------------------------------------------------- reading */

/* Read BYTES both ways.  Returns whether they differ, after a message. */
static bool differ(const uint8_t *bytes, size_t size, const struct debuginfo_options *options, const char *what)
{
	static struct twin fast, plain;
	twin_read(&fast, bytes, size, *options, false);
	twin_read(&plain, bytes, size, *options, true);
	const char *difference = twins_difference(&fast, &plain);
	if (difference)
		diag("%s: other %s; fast: %s plain: %s", what, difference, fast.warnings, plain.warnings);
	damaged += plain.warnings[0] != '\0';
	debuginfo_clear(&fast.di);
	debuginfo_clear(&plain.di);
	return difference != NULL;
}

/* The same, for the whole image and for a few addresses. */
static bool differ_anyhow(const struct subject *subject, const uint8_t *bytes, const char *what)
{
	uint32_t asked[ASKED] = { 0x1000 + random_below(0x800), 0x1800 + random_below(0x4000), 0x5800 + random_below(0x10000) };
	const struct debuginfo_options whole = { .no_inlines = false };
	const struct debuginfo_options few = { .wanted = asked, .wanted_count = ASKED };
	bool wrong = differ(bytes, subject->size, &whole, what);
	return differ(bytes, subject->size, &few, what) || wrong;
}

static void test_mutants(const char *name, const struct subject *subject, unsigned long mutants)
{
	uint8_t *bytes = malloc(subject->size);
	unsigned wrong = 0;
	damaged = 0;
	for (unsigned long i = 0; bytes && i < mutants; i++) {
		char what[32];
		snprintf(what, sizeof what, "mutant %lu", i);
		memcpy(bytes, subject->bytes, subject->size);
		for (uint32_t n = 1 + random_below(3); n > 0; n--)
			mutate_byte(subject, bytes);
		wrong += differ_anyhow(subject, bytes, what);
	}
	ok(bytes && wrong == 0, "%s: %lu mutants are read alike", name, mutants);
	diag("%u of %lu readings gave warnings", damaged, 2 * mutants);
	free(bytes);
}

static uint8_t *read_whole(const char *path, size_t *ret_size)
{
	enum { MOST = 64 << 20 };
	FILE *file = fopen(path, "rb");
	uint8_t *bytes = file ? malloc(MOST) : NULL;
	if (bytes)
		*ret_size = fread(bytes, 1, MOST, file);
	if (file)
		fclose(file);
	return bytes;
}

static void test_image(const char *path, unsigned long mutants)
{
	struct subject subject = { .size = 0 };
	subject.bytes = read_whole(path, &subject.size);
	if (subject.bytes)
		find_parts(&subject);
	ok(subject.part_count > 0, "%s has DWARF", path);
	if (subject.part_count > 0) {
		ok(!differ_anyhow(&subject, subject.bytes, path), "%s is read alike", path);
		test_mutants(path, &subject, mutants);
	}
	free(subject.bytes);
}

/* ----------------------------------------------------------------------------------------- abbreviations */

/* Tags, attributes and forms as the standard numbers them. */
enum { COMPILE_UNIT = 0x11, SUBPROGRAM = 0x2e, VARIABLE = 0x34 };
enum { SIBLING = 0x01, NAME = 0x03, LOW_PC = 0x11, HIGH_PC = 0x12, ORIGIN = 0x31, DECL_LINE = 0x3b, RANGES = 0x55, CALL_LINE = 0x59 };
enum { ADDR = 0x01, BLOCK2 = 0x03, BLOCK4 = 0x04, DATA4 = 0x06, DATA8 = 0x07, STRING = 0x08, BLOCK = 0x09, DATA1 = 0x0b, SDATA = 0x0d,
       STRP = 0x0e, UDATA = 0x0f, REF_ADDR = 0x10, REF4 = 0x13, REF8 = 0x14, REF_UDATA = 0x15, INDIRECT = 0x16, SEC_OFFSET = 0x17, EXPRLOC = 0x18,
       DATA16 = 0x1e, REF_SIG8 = 0x20, IMPLICIT_CONST = 0x21, LOCLISTX = 0x22, RNGLISTX = 0x23, ADDRX = 0x1b, STRX = 0x1a };
#define MORE 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80

/* The attributes of an entry after LOW_PC, and their values.  With SIBLING_AFTER in SIZE, a reference to the next entry comes after
   these: of 4 bytes, or as REF_ADDR. */
enum { SIBLING_AFTER = 0x100 };
static const struct odd {
	const char *name;
	uint8_t attributes[40], values[24];
	unsigned size;		/* of the values */
} odds[] = {
	{ "a length", { HIGH_PC, DATA4 }, { 0x10 }, 4 },
	{ "an end and then a length", { HIGH_PC, ADDR, HIGH_PC, DATA4 }, { 0x10, 0x10, 0x40, 0, 0x20 }, 8 },
	{ "a length and then an end", { HIGH_PC, DATA4, HIGH_PC, ADDR }, { 0x20, 0, 0, 0, 0x10, 0x10, 0x40, 0 }, 8 },
	{ "two beginnings", { LOW_PC, ADDR, HIGH_PC, DATA4 }, { 0x20, 0x10, 0x40, 0, 0x20 }, 8 },
	{ "a constant of 9 bytes", { HIGH_PC, DATA4, DECL_LINE, IMPLICIT_CONST, MORE, 1 }, { 0x10 }, 4 },
	{ "one of 10 bytes", { HIGH_PC, DATA4, DECL_LINE, IMPLICIT_CONST, MORE, 0x80, 1 }, { 0x10 }, 4 },
	{ "one of 11 bytes", { HIGH_PC, DATA4, DECL_LINE, IMPLICIT_CONST, MORE, 0x80, 0x80, 1 }, { 0x10 }, 4 },
	{ "one of 17 bytes", { HIGH_PC, DATA4, DECL_LINE, IMPLICIT_CONST, MORE, MORE, 1 }, { 0x10 }, 4 },
	{ "a constant length", { HIGH_PC, IMPLICIT_CONST, 0x10 }, { 0 }, 0 },
	{ "a negative one", { HIGH_PC, IMPLICIT_CONST, 0x70 }, { 0 }, 0 },
	{ "a length of 8 bytes", { HIGH_PC, DATA8 }, { 0x10 }, 8 },
	{ "one of 16 bytes", { HIGH_PC, DATA16 }, { 0x10 }, 16 },
	{ "one with a sign", { HIGH_PC, SDATA }, { 0x10 }, 1 },
	{ "a negative one", { HIGH_PC, SDATA }, { 0x70 }, 1 },
	{ "one of 10 bytes", { HIGH_PC, UDATA }, { 0x90, MORE, 0 }, 10 },
	{ "one of 17 bytes", { HIGH_PC, UDATA }, { 0x90, MORE, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0 }, 17 },
	{ "a form in the entry", { HIGH_PC, INDIRECT }, { DATA4, 0x10 }, 5 },
	{ "a constant form in the entry", { HIGH_PC, INDIRECT }, { IMPLICIT_CONST, 0x10 }, 2 },
	{ "a form that does not exist", { HIGH_PC, 0x7f }, { 0x10 }, 4 },
	{ "a sibling", { HIGH_PC, DATA4, SIBLING, REF4 }, { 0x10 }, 4 | SIBLING_AFTER },
	{ "a sibling in the whole section", { HIGH_PC, DATA4, SIBLING, REF_ADDR }, { 0x10 }, 4 | SIBLING_AFTER },
	{ "a sibling at 0", { HIGH_PC, DATA4, SIBLING, REF4 }, { 0x10 }, 8 },
	{ "one of 8 bytes", { HIGH_PC, DATA4, SIBLING, REF8 }, { 0x10 }, 12 },
	{ "one far away", { HIGH_PC, DATA4, SIBLING, REF4 }, { 0x10, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f }, 8 },
	{ "a sibling by its signature", { HIGH_PC, DATA4, SIBLING, REF_SIG8 }, { 0x10 }, 12 },
	{ "a sibling that is a number", { HIGH_PC, DATA4, SIBLING, DATA4 }, { 0x10 }, 8 },
	{ "a range list too", { HIGH_PC, DATA4, RANGES, SEC_OFFSET }, { 0x10 }, 8 },
	{ "a range list that is not there", { HIGH_PC, DATA4, RANGES, DATA4 }, { 0x10, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f }, 8 },
	{ "a number of a range list", { HIGH_PC, DATA4, RANGES, RNGLISTX }, { 0x10 }, 5 },
	{ "a number of an address", { HIGH_PC, ADDRX }, { 0 }, 1 },
	{ "a name", { HIGH_PC, DATA4, NAME, STRING }, { 0x10, 0, 0, 0, 'f', 0 }, 6 },
	{ "a name that is not there", { HIGH_PC, DATA4, NAME, STRP }, { 0x10, 0, 0, 0, 0xff, 0xff }, 8 },
	{ "a number of a name", { HIGH_PC, DATA4, NAME, STRX }, { 0x10 }, 5 },
	{ "a number for a name", { HIGH_PC, DATA4, NAME, DATA1 }, { 0x10 }, 5 },
	{ "an origin outside the unit", { HIGH_PC, DATA4, ORIGIN, REF4 }, { 0x10, 0, 0, 0, 0xff, 0xff, 0xff, 0xff }, 8 },
	{ "an origin at the end", { HIGH_PC, DATA4, ORIGIN, REF_ADDR }, { 0x10, 0, 0, 0, 0xff }, 8 },
	{ "an origin by its signature", { HIGH_PC, DATA4, ORIGIN, REF_SIG8 }, { 0x10, 0, 0, 0, 1 }, 12 },
	{ "an origin of 17 bytes", { HIGH_PC, DATA4, ORIGIN, REF_UDATA }, { 0x10, 0, 0, 0, MORE, MORE, 0 }, 21 },
	{ "a block", { HIGH_PC, DATA4, 2, BLOCK }, { 0x10, 0, 0, 0, 2, 1, 1 }, 7 },
	{ "the code of no entry in two bytes", { HIGH_PC, DATA4 }, { 0x10, 0, 0, 0, 0x80, 0 }, 6 },
	{ "a block longer than the unit", { HIGH_PC, DATA4, 2, BLOCK4 }, { 0x10, 0, 0, 0, 0xff, 0xff, 0xff, 0xff }, 8 },
	{ "an expression longer than any", { HIGH_PC, DATA4, 2, EXPRLOC }, { 0x10, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f }, 12 },
	{ "a location list", { HIGH_PC, DATA4, 2, LOCLISTX }, { 0x10, 0, 0, 0, 0x90, 1 }, 6 },
	{ "a line that is too large", { HIGH_PC, DATA4, CALL_LINE, DATA8 }, { 0x10, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff }, 12 },
	{ "nothing of value", { 0 }, { 0 }, 0 },
};

static void put_bytes(struct bytes *to, const uint8_t *bytes, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		put8(to, bytes[i]);
}

/* Abbreviation CODE with TAG: LOW_PC, and the SIZE bytes of ATTRIBUTES. */
static void put_abbreviation(struct bytes *to, unsigned code, unsigned tag, bool children, const uint8_t *attributes, unsigned size)
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
	unsigned version, tag, length;	/* LENGTH: 4 or 8, as DWARF's offsets */
	bool children;			/* the odd entry has one inside */
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
	struct bytes *info = debugpe_content(&m, ".debug_info", 0x8000), *abbreviations = debugpe_content(&m, ".debug_abbrev", 0x9000);
	put_text(debugpe_content(&m, ".debug_str", 0xa000), "text");
	put_abbreviation(abbreviations, 1, COMPILE_UNIT, true, NULL, 0);
	put_abbreviation(abbreviations, 2, SUBPROGRAM, false, plain, sizeof plain);
	put_abbreviation(abbreviations, 3, shape->tag, shape->children, odd->attributes, used(odd->attributes, sizeof odd->attributes));
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

static void test_odd(const struct odd *odd)
{
	static const unsigned versions[] = { 2, 4, 5 }, tags[] = { SUBPROGRAM, VARIABLE };
	const struct debuginfo_options options = { .no_inlines = false };
	unsigned wrong = 0;
	for (unsigned i = 0; i < 24; i++) {
		const struct shape shape = { versions[i % 3], tags[i / 3 % 2], i / 6 % 2 ? 8 : 4, i >= 12 };
		char what[80];
		size_t size = 0;
		uint8_t *bytes = odd_image(odd, &shape, &size);
		snprintf(what, sizeof what, "DWARF %u, tag 0x%x, offsets of %u bytes, %s children", shape.version, shape.tag,
			 shape.length, shape.children ? "with" : "no");
		wrong += !bytes || differ(bytes, size, &options, what);
		if (bytes && i == 0)
			debugpe_keep(bytes, size);
		free(bytes);
	}
	ok(wrong == 0, "%s: both walks agree", odd->name);
}

int main(int argc, char **argv)
{
#ifndef HAVE_LIBDWARF
	return skip_all("built without libdwarf");
#endif
	static const char *const images[] = {
		"tests/data/dwarf32.nostrip.exe", "tests/data/dwarf64.nostrip.exe", "tests/data/driver/driver.nostrip.sys",
	};
	enum { IMAGES = sizeof images / sizeof *images };
	const char *srcdir = getenv("srcdir"), *mutations = getenv("MUTATIONS"), *seed = getenv("SEED");
	unsigned long mutants = (mutations ? strtoul(mutations, NULL, 10) : 3000) / SHARE;
	random_start(seed ? strtoul(seed, NULL, 10) : 1);
	for (int i = 1; i < argc; i++)
		test_image(argv[i], mutants);
	for (unsigned i = 0; argc < 2 && i < IMAGES; i++) {
		char path[1024];
		snprintf(path, sizeof path, "%s/%s", srcdir ? srcdir : ".", images[i]);
		test_image(path, mutants / IMAGES);
	}
	for (unsigned i = 0; argc < 2 && i < sizeof odds / sizeof *odds; i++)
		test_odd(&odds[i]);
	return done_testing();
}

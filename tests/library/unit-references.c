/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an image says about files that have its symbols: CodeView's records, .gnu_debuglink, and damage in both. */
#include "tests/lib/makepe.h"
#include "tests/lib/tap.h"
#include "rossym.h"

/* Section .rdata has the debug directory, and from RECORDS on what its entries point to. */
enum { RDATA_RVA = 0x2000, LINK_RVA = 0x4000, RDATA_SIZE = 0x1000, LINK_SIZE = 0x800 };
enum { RECORDS = 0x200, ENTRY_SIZE = 28 };

static struct makepe m;
static uint8_t *bytes;
static size_t size, rdata, debuglink;
static struct rossym_image *image;
static struct rossym_error err;
static struct rossym_debug_reference reference;

/* An image of 32 or 64 bits, its two sections empty. */
static void start(enum makepe_kind kind)
{
	makepe_start(&m, kind);
	m.long_names = ".gnu_debuglink";
	m.long_names_size = sizeof ".gnu_debuglink";
	makepe_section(&m, ".rdata", RDATA_RVA, RDATA_SIZE, RDATA_SIZE, MAKEPE_DATA);
	makepe_section(&m, "/4", LINK_RVA, LINK_SIZE, LINK_SIZE, MAKEPE_DATA);
	free(bytes);
	bytes = makepe_build(&m, &size);
	rdata = size;
	debuglink = rdata + RDATA_SIZE;
	size = debuglink + LINK_SIZE;
	bytes = realloc(bytes, size);
	makepe_need(bytes != NULL);
	memset(bytes + rdata, 0, size - rdata);
	makepe_put(bytes + MAKEPE_HEADERS + 20, rdata, 4);
	makepe_put(bytes + MAKEPE_HEADERS + 40 + 20, debuglink, 4);
}

/* Where the header has the address and the size of the debug directory, after the number of directories. */
static uint8_t *directory(void)
{
	uint8_t *directories = bytes + MAKEPE_OPT + (m.kind == MAKEPE_64 ? 112 : 96);
	makepe_put(directories - 4, 16, 4);
	return directories + 6 * 8;
}

/* Add a CodeView record of LENGTH bytes as entry NUMBER of the debug directory. */
static void add_record(unsigned number, const void *record, size_t length)
{
	uint8_t *entry = bytes + rdata + number * ENTRY_SIZE;
	size_t at = RECORDS + number * 0x400;
	makepe_put(directory(), RDATA_RVA, 4);
	makepe_put(directory() + 4, (number + 1) * ENTRY_SIZE, 4);
	makepe_put(entry + 12, 2, 4);
	makepe_put(entry + 16, length, 4);
	makepe_put(entry + 20, RDATA_RVA + at, 4);
	makepe_put(entry + 24, rdata + at, 4);
	memcpy(bytes + rdata + at, record, length);
}

/* The result for number NUMBER in SIZE bytes. */
static int get(uint32_t number, unsigned flags)
{
	const struct rossym_open_options options = { .size = sizeof options, .flags = flags };
	memset(&reference, 0x55, sizeof reference);
	reference.size = sizeof reference;
	memset(&err, 0, sizeof err);
	image = NULL;
	int found = rossym_open_memory(bytes, size, &options, &image, &err);
	if (found == 0)
		found = rossym_get_debug_reference(image, number, &reference, &err);
	rossym_close(image);
	return found;
}

#define RSDS \
	"RSDS" \
	"0123456789abcdef" \
	"\3\0\0\0"
#define NB10 \
	"NB10" \
	"\0\0\0\0" \
	"\x78\x56\x34\x12" \
	"\2\0\0\0"

static void kinds(enum makepe_kind kind, const char *name)
{
	start(kind);
	is_int(get(0, 0), 0, name);
	add_record(0, RSDS "C:\\x\\y.pdb", sizeof RSDS "C:\\x\\y.pdb");
	add_record(1, NB10 "old.pdb", sizeof NB10 "old.pdb");
	add_record(2, RSDS, sizeof RSDS);
	memcpy(bytes + debuglink, "x.debug\0\x44\x33\x22\x11", 12);

	ok(get(0, 0) == 1 && reference.kind == ROSSYM_REFERENCE_PDB &&
		   memcmp(reference.guid, "0123456789abcdef", 16) == 0 && reference.age == 3 &&
		   reference.offset == rdata + RECORDS && reference.crc == 0,
	   "the first is a PDB file");
	is_str(reference.name, "C:\\x\\y.pdb", "whose name is recorded");
	ok(get(1, ROSSYM_OPEN_HEADERS) == 1 && reference.kind == ROSSYM_REFERENCE_PDB_2 && reference.age == 2 &&
		   reference.time_date_stamp == 0x12345678 && reference.guid[0] == 0,
	   "the second is an old PDB file");
	is_str(reference.name, "old.pdb", "its name");
	ok(get(2, 0) == 1 && reference.kind == ROSSYM_REFERENCE_BUILD_ID && reference.age == 3 &&
		   reference.guid[15] == 'f' && reference.name[0] == '\0',
	   "the third is a build-id");
	ok(get(3, 0) == 1 && reference.kind == ROSSYM_REFERENCE_DEBUGLINK && reference.crc == 0x11223344 &&
		   reference.offset == debuglink,
	   "the fourth is a debug link");
	is_str(reference.name, "x.debug", "its name");
	ok(get(4, 0) == 0 && get(UINT32_MAX, 0) == 0, "there is no fifth");
}

/* The bytes of a loaded image: the record is at its RVA, wherever the file had it. */
static void loaded(void)
{
	start(MAKEPE_32);
	add_record(0, RSDS "y.pdb", sizeof RSDS "y.pdb");
	makepe_put(bytes + rdata + 24, 0, 4);
	is_int(get(0, 0), 0, "a record without an offset in the file");
	uint8_t *memory = calloc(1, 0x5000);
	makepe_need(memory != NULL && rdata < RDATA_RVA);
	memcpy(memory, bytes, rdata);
	memcpy(memory + RDATA_RVA, bytes + rdata, RDATA_SIZE);
	free(bytes);
	bytes = memory;
	size = 0x5000;
	ok(get(0, ROSSYM_OPEN_LOADED | ROSSYM_OPEN_HEADERS) == 1 && reference.offset == RDATA_RVA + RECORDS,
	   "it is found in a loaded image");
	is_str(reference.name, "y.pdb", "with its name");
}

static void names(void)
{
	uint8_t record[24 + 1100];
	start(MAKEPE_32);
	memcpy(record, RSDS, 24);
	memset(record + 24, 'n', sizeof record - 24);
	add_record(0, record, 24 + 1023);
	ok(get(0, 0) == 1 && strlen(reference.name) == 1023, "a name of 1023 bytes, without its NUL");
	add_record(0, record, sizeof record);
	is_int(get(0, 0), 0, "a longer one is not counted");
	memcpy(record + 24, "\n\377\\\0x", 5);
	add_record(0, record, sizeof record);
	get(0, 0);
	is_str(reference.name, "\n\377\\", "any bytes, to the first NUL");
	for (unsigned number = 0; number < 4; number++) {
		start(MAKEPE_32);
		memcpy(bytes + debuglink, "abcdefgh", number);
		makepe_put(bytes + debuglink + (number + 4) / 4 * 4, 0xabcd, 4);
		is_int(get(0, 0), number > 0, "a debug link");
		ok(number == 0 || (reference.crc == 0xabcd && strlen(reference.name) == number),
		   "its name has %u bytes", number);
	}
	memset(bytes + debuglink, 'n', LINK_SIZE);
	is_int(get(0, 0), 0, "a debug link without an end");
}

/* With the number VALUE at AT, the first result is FOUND. */
static void put_and_get(size_t at, uint64_t value, int found, const char *name)
{
	makepe_put(bytes + at, value, 4);
	is_int(get(0, 0), found, name);
}

/* No damage reads outside of the file, which the allocator checks in some builds. */
static void damage(void)
{
	start(MAKEPE_32);
	add_record(0, RSDS "y.pdb", sizeof RSDS "y.pdb");
	put_and_get(rdata + 24, size - 10, 0, "a record at the end of the file");
	put_and_get(rdata + 24, 0xfffffff0, 0, "a record after it");
	for (unsigned length = 0; length <= 24; length++) {
		add_record(0, RSDS, length);
		is_int(get(0, 0), length == 24, "a short record");
		add_record(0, NB10, length < 16 ? length : 16);
		is_int(get(0, 0), length >= 16, "a short record of the old kind");
	}
	put_and_get(rdata + 12, 3, 0, "an entry of another kind");
	makepe_put(bytes + rdata + 12, 2, 4);
	const size_t in_header = (size_t)(directory() - bytes), link = MAKEPE_HEADERS + 40;
	put_and_get(in_header + 4, 27, 0, "a directory without an entry");
	put_and_get(in_header + 4, UINT32_MAX, 1, "a directory that is too large is searched as far as linkers write");
	put_and_get(in_header, 0x7000, 0, "a directory in no section");
	memcpy(bytes + debuglink, "x.debug", 8);
	makepe_put(bytes + link + 8, 0, 4);
	put_and_get(link + 16, 12, 1, "a debug link of 12 bytes");
	put_and_get(link + 16, 11, 0, "one without a whole CRC");
	size = debuglink + 11;
	put_and_get(link + 16, 12, 0, "one that the file cuts");
}

static void sizes(void)
{
	struct {
		struct rossym_debug_reference known;
		char added;
	} newer = { .added = 'x' };
	start(MAKEPE_32);
	memcpy(bytes + debuglink, "x.debug", 8);
	ok(rossym_open_memory(bytes, size, NULL, &image, &err) == 0, "an image");
	newer.known.size = sizeof newer;
	ok(rossym_get_debug_reference(image, 0, &newer.known, &err) == 1 && newer.added == 0 &&
		   newer.known.size == sizeof newer,
	   "a later version's structure");
	newer.known.size = sizeof newer.known - 1;
	ok(rossym_get_debug_reference(image, 0, &newer.known, &err) == -1 && err.code == ROSSYM_EREFUSED,
	   "a short one");
	rossym_close(image);
}

int main(void)
{
	kinds(MAKEPE_32, "PE32: an image without references");
	kinds(MAKEPE_64, "PE32+: an image without references");
	loaded();
	names();
	damage();
	sizes();
	free(bytes);
	return done_testing();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit-embed.c - rossym_embed() as a program calls it
 *
 * Its results and its refusals, each allocation failing in turn, and the parts that need no image: runs and
 * relocations.  tests/embed/cli-embed-image.sh tests what it does to images of all kinds.
 */
#include "core/bytes.h"
#include "rossym-write.h"
#include "write/pe-edit.h"
#include "write/ranges.h"
#include "tests/lib/failing.h"
#include "tests/lib/files.h"
#include "tests/lib/maketable.h"
#include "tests/lib/memory.h"
#include "tests/lib/tap.h"

struct bytes {
	void *p;
	size_t size;
};

static struct bytes image, table;
static struct rossym_embed_report report = { .size = sizeof report };
static struct rossym_error err;

/* Put TABLE_BYTES into IMAGE_BYTES; *NEW is the result. */
static int embed(struct bytes image_bytes, struct bytes table_bytes, const struct rossym_embed_options *options,
		 struct bytes *new)
{
	return rossym_embed(image_bytes.p, image_bytes.size, table_bytes.p, table_bytes.size, options, &new->p,
			    &new->size, &report, &err);
}

static uint32_t section_count(const uint8_t *bytes)
{
	return rs_le16(bytes + rs_le32(bytes + 60) + 6);
}

static void test_embed(void)
{
	uint8_t *copy = exact_copy(image.p, image.size);
	struct bytes new = { NULL, 0 }, again = { NULL, 0 };
	is_int(embed(image, table, NULL, &new), 0, "a table goes into an image");
	is_mem(image.p, copy, image.size, "which is not changed");
	is_uint(report.sections, 9, "debug sections that went");
	ok(report.section_bytes > 60000 && new.size < image.size - 60000, "their bytes");
	is_uint(report.symbols, 1311, "symbols that went");
	is_uint(report.tables + report.certificate + report.header_growth + report.holes, 0, "nothing else happened");

	struct rossym_image *opened = NULL;
	struct rossym_frame frame;
	is_int(rossym_open_memory(new.p, new.size, NULL, &opened, &err), 0, "the new image can be opened");
	is_int(rossym_lookup(opened, 0x1601, 0, &frame, &err), 1, "and asked");
	is_str(frame.function, "f", "it knows the function");
	struct rossym_info info = { .size = sizeof info };
	rossym_get_info(opened, &info, NULL);
	is_uint(report.table_offset, info.table_offset, "the table is where the report says");
	rossym_close(opened);

	is_int(embed(new, table, NULL, &again), 0, "a table takes the place of another one");
	is_uint(report.tables, 1, "which is told");
	is_uint(again.size, new.size, "the image has the same size");
	is_mem(again.p, new.p, new.size, "and the same bytes");
	rossym_free(again.p);

	is_int(rossym_embed(new.p, new.size, NULL, 0, NULL, &again.p, &again.size, &report, NULL), 0,
	       "without a table");
	is_uint(again.size, new.size, "the old one stays");
	is_mem(again.p, new.p, new.size, "as it is");
	is_uint(report.table_rva + report.table_offset, 0, "and no new one is told of");
	rossym_free(again.p);

	is_int(rossym_embed(image.p, image.size, NULL, 0, NULL, &again.p, &again.size, NULL, NULL), 0,
	       "without a table and without a report");
	is_uint(section_count(again.p), section_count(new.p) - 1, "debug information goes");
	rossym_free(again.p);
	rossym_free(new.p);
	free(copy);
}

/* NEW has a section before .rossym with a debug link, whose SIZE bytes are CONTENT; its header, until the image is closed. */
static struct rossym_image *check_link(const struct bytes *new, const char *content, size_t size,
				       struct rossym_section *section)
{
	struct rossym_image *opened = NULL;
	is_int(rossym_open_memory(new->p, new->size, NULL, &opened, &err), 0, "the image can be opened");
	is_int(rossym_get_section(opened, section_count(new->p) - 2, section, &err), 1, "it has the section");
	is_mem((uint8_t *)new->p + section->raw_offset, content, size, "its content");
	return opened;
}

static void test_link(void)
{
	struct rossym_embed_options options = { .size = sizeof options,
						.debuglink = "x.debug",
						.debuglink_crc = 0x12345678 };
	struct rossym_section section = { .name = "" };
	struct bytes new = { NULL, 0 }, again = { NULL, 0 };
	is_int(embed(image, table, &options, &new), 0, "with a debug link");
	struct rossym_image *opened = check_link(&new, "x.debug\0\x78\x56\x34\x12", 12, &section);
	is_str(section.name, ".gnu_debuglink", "of that name, before .rossym");
	is_uint(section.virtual_size, 12, "its size");
	rossym_close(opened);

	options.debuglink = "another.debug";
	is_int(embed(new, table, &options, &again), 0, "another one");
	is_uint(section_count(again.p), section_count(new.p), "takes its place");
	rossym_close(check_link(&again, "another.debug\0\0\0\x78\x56\x34\x12", 20, &section));
	rossym_free(again.p);
	rossym_free(new.p);

	options.flags = ROSSYM_EMBED_KEEP_DEBUG;
	is_int(embed(image, table, &options, &new), -1, "not where debug information stays");
	is_int(err.code, ROSSYM_EREFUSED, "with that code");
	options.flags = 0;
	options.debuglink = "";
	is_int(embed(image, table, &options, &new), -1, "nor without a name");
	is_uint(rossym_debuglink_crc(0, "123456789", 9), 0xcbf43926, "the CRC is the usual one");
	is_uint(rossym_debuglink_crc(rossym_debuglink_crc(0, "1234", 4), "56789", 5), 0xcbf43926, "also in two parts");
	is_uint(rossym_debuglink_crc(0, NULL, 0), 0, "and of nothing 0");
}

static void test_refusals(void)
{
	uint8_t bad[64] = { 16, 0, 0, 0, 5 };
	const struct bytes bad_bytes = { bad, sizeof bad }, nothing = { NULL, 0 };
	char archive[] = "!<arch>\n";
	struct bytes new = { NULL, 7 };
	is_int(embed(image, bad_bytes, NULL, &new), -1, "a damaged table is refused");
	is_int(err.code, ROSSYM_EDAMAGED, "with that code");
	is_int(rossym_embed(image.p, image.size, bad, 3, NULL, &new.p, &new.size, NULL, NULL), -1, "so is a short one");
	is_int(embed(bad_bytes, table, NULL, &new), -1, "what is no image is refused");
	is_int(err.code, ROSSYM_ENOTPE, "with that code");
	is_int(embed(nothing, table, NULL, &new), -1, "so is nothing");
	is_int(embed((struct bytes){ archive, 8 }, table, NULL, &new), -1, "and an archive");
	is_int(err.code, ROSSYM_EARCHIVE, "with that code");
	ok(new.p == NULL &&new.size == 7, "nothing is stored then");
}

static void test_memory(void)
{
	const struct rossym_embed_options options = { .size = sizeof options, .debuglink = "x.debug" };
	unsigned failures = 0, good = 0, codes = 0;
	struct sweep sweep = { 0 };
	while (sweep_next(&sweep)) {
		struct bytes new = { NULL, 0 };
		if (embed(image, table, &options, &new) == 0) {
			good++;
			rossym_free(new.p);
		} else {
			failures++;
			codes += err.code != ROSSYM_ENOMEM;
		}
	}
	ok(failures > 10, "each allocation was made to fail");
	is_uint(good, 1, "until none did");
	is_uint(codes, 0, "each was called what it was");
	is_uint(sweep.leaks, 0, "without a leak");
}

/* ------------------------------------------------------------------------------------------------ parts */

static void test_ranges(void)
{
	struct rs_cuts cuts;
	struct rs_ranges left;
	rs_cuts_begin(&cuts, 8, NULL);
	rs_cuts_add(&cuts, 50, 10, false);
	rs_cuts_add(&cuts, 10, 20, false);
	rs_cuts_add(&cuts, 20, 20, false);
	rs_cuts_add(&cuts, 70, 0, false);
	rs_cuts_add(&cuts, 60, 5, false);
	rs_cuts_add(&cuts, 15, 2, true);
	rs_cuts_add(&cuts, 0, 11, true);
	rs_cuts_add(&cuts, 38, 4, true);
	is_int(rs_cuts_end(&cuts, &left, NULL), 0, "ranges are subtracted");
	is_uint(left.count, 3, "overlapping and touching ones are one");
	static const struct rs_range want[] = { { 11, 15 }, { 17, 38 }, { 50, 65 } };
	is_mem(left.list, want, sizeof want, "they are what is left");
	bool right = true;
	for (uint64_t at = 0; at < 80; at++)
		right &= rs_ranges_contain(&left, at) ==
			 ((at >= 11 && at < 15) || (at >= 17 && at < 38) || (at >= 50 && at < 65));
	ok(right, "and contain what they should");

	/* A file of 80 bytes without them, its headers 5 bytes, its tail from 45 on. */
	uint8_t file[80];
	memset(file, 1, sizeof file);
	memset(file + 65, 0, 3);
	struct rs_runs runs;
	const struct rs_runs_file input = { file, sizeof file, 5, 45, 4 };
	is_int(rs_runs_make(&runs, &input, &left, NULL), 0, "runs are made");
	is_uint(rs_runs_place(&runs, false, 8, 3), 25, "and placed: at 9, 15 and 18");
	is_uint(rs_runs_find_new_offset(&runs, 5), 9, "a run keeps its offset modulo 4");
	is_uint(rs_runs_find_new_offset(&runs, 4), 0, "what is before them has no place");
	is_uint(rs_runs_find_new_offset(&runs, 11), 0, "nor has what is gone");
	is_uint(rs_runs_find_new_offset(&runs, 16) % 4, 0, "the next run too");
	rs_runs_place(&runs, true, 100, 0);
	is_uint(rs_runs_find_new_offset(&runs, 44), rs_runs_find_new_offset(&runs, 38) + 6,
		"what is together stays together up to the tail");
	is_uint(rs_runs_find_new_offset(&runs, 45), 100, "which is elsewhere");
	is_uint(rs_runs_find_new_offset(&runs, 49), 104, "and without gaps");
	is_uint(rs_runs_find_new_offset(&runs, 68), 105, "nor padding behind what went");
	is_uint(rs_runs_find_new_offset(&runs, 79), 116, "to its end");
	is_uint(rs_runs_find_new_offset(&runs, 80), 0, "where nothing is");
	rs_runs_clear(&runs);
	rs_ranges_clear(&left);
}

static void test_relocations(void)
{
	struct rs_range range = { 0x2000, 0x3000 };
	struct rs_ranges gone = { &range, 1 };
	/* HIGHADJ at 0x1ffc and 0x2004, whose arguments look like other entries; an ARM pair; padding. */
	static const uint8_t from[] = {
		0x00, 0x10, 0, 0, 16, 0, 0, 0, 0xfc, 0x4f, 0x34, 0x30, 0xf8, 0x3f, 0,	 0,
		0x00, 0x20, 0, 0, 16, 0, 0, 0, 0x04, 0x40, 0x34, 0x30, 0x00, 0x30, 0,	 0,
		0x80, 0x1f, 0, 0, 16, 0, 0, 0, 0x7c, 0x30, 0x80, 0x30, 0x90, 0xa0, 0x40, 0x30,
	};
	static const uint8_t want[] = {
		0x00, 0x10, 0,	  0,	16, 0, 0,  0, 0xfc, 0x4f, 0x34, 0x30, 0xf8, 0x3f,
		0,    0,    0x80, 0x1f, 0,  0, 12, 0, 0,    0,	  0x7c, 0x30, 0x40, 0x30,
	};
	uint8_t bytes[sizeof from];
	struct rs_relocations to = { .bytes = bytes };
	is_int(rs_relocations_filter(from, sizeof from, 0, &gone, &to, NULL), 0, "relocations");
	is_uint(to.size, sizeof want, "fewer are left");
	is_mem(bytes, want, sizeof want, "which are these");
	is_uint(to.dropped, 4, "that is how many went");
}

int main(void)
{
	struct rossym_built built;
	maketable("row 1600 f f.c 7", 0, &built, NULL);
	table = (struct bytes){ built.bytes, built.bytes_size };
	image.p = files_data("dwarf32.nostrip.exe", &image.size);
	if (!ok(image.p && table.p, "an image and a table"))
		return done_testing();
	test_embed();
	test_link();
	test_refusals();
	test_memory();
	test_ranges();
	test_relocations();
	rossym_free(built.bytes);
	free(image.p);
	return done_testing();
}

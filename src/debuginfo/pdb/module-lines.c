// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * module-lines.c - reads the lines of a module (an object file that was linked)
 *
 * A subsection DEBUG_S_LINES has the lines of one range of code.  The subsection is divided into blocks, one for each
 * stretch of lines from one file.  The entries of a block ascend, but the blocks of a range may overlap.  An entry is
 * valid up to the next one, or to the end of the range.
 *
 * Microsoft's documents do not say what to do in the following cases.  Our rules are:
 *   - Of several entries at one address, the last one counts, as in Microsoft's DIA, because the others have no code.
 *   - Code before the first entry of a range has no line: it can be padding of an assembler.  But if a procedure begins
 *     with an inlined call, the first entry that clang writes is for the code after the call.  So if code before the
 *     first entry was inlined, the first entry has the line of the call (struct pdb_line, "lead").
 *   - Entries after the end of the range are dropped.
 *   - The lines 0xf00f00 and 0xfeefee tell a debugger to step into or over code that has no line.  Such code gets its
 *     file, and no line.
 *   - If a module has two ranges for one address, the one that comes first in the stream counts.
 */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"
#include "lib/base/array.h"

enum { SUBSECTION_LINES = 0xf2 };

enum { LINES_OFFSET = 0, LINES_SEGMENT = 4, LINES_FLAGS = 6, LINES_LENGTH = 8, LINES_HEADER = 12 };
enum { FLAG_COLUMNS = 1 };

enum { BLOCK_HEADER = 12, LINE_SIZE = 8 };

/* LINE_MASK: the bits of a line number.  The two others are line numbers that stand for no line (see above). */
enum { LINE_MASK = 0xffffff, LINE_STEP_INTO = 0xf00f00, LINE_STEP_OVER = 0xfeefee };

/* The range of code of a subsection DEBUG_S_LINES. */
struct line_range {
	uint32_t begin, end;
	const uint8_t *at, *limit; /* the bytes of the subsection, from AT up to LIMIT */
};

/* Make the array *RANGES of all wanted ranges that begin in a contribution (linked code) of the module, each cut at its
   end.  Other ranges are of functions that the linker has replaced by equal functions of other modules. */
static int find_ranges(struct pdb_module *module, struct line_range **ranges, uint32_t *count)
{
	struct decoder c13 = pdb_subsection_decoder(module), lines;
	uint32_t room = 0;
	while (rs_pdb_next_subsection(&c13, SUBSECTION_LINES, &lines)) {
		const uint8_t *header = decoder_take(&lines, LINES_HEADER);
		if (!header)
			continue;
		uint32_t length = rs_le32(header + LINES_LENGTH);
		uint32_t begin = rs_pdb_source_address(module->pdb, header + LINES_SEGMENT, header + LINES_OFFSET);
		const uint32_t end = rs_pdb_find_end(module, begin, length);
		if (end == 0 || !pdb_is_wanted(module->pdb, begin, end))
			continue;
		if (RS_ARRAY_ADD(*ranges, room, *count, module->pdb->reading->err,
				 (struct line_range){ begin, end, header, lines.end }) < 0)
			return -1;
	}
	rs_stable_sort(*ranges, *count, sizeof **ranges, rs_compare_one_number);
	return 0;
}

/* Add the entries of all blocks of RANGE to module->lines; their ends are set later. */
static int add_range_lines(struct pdb_module *module, const struct line_range *range)
{
	struct reading *reading = module->pdb->reading;
	bool columns = rs_le16(range->at + LINES_FLAGS) & FLAG_COLUMNS;
	struct decoder blocks = { .at = range->at + LINES_HEADER, .end = range->limit };
	while (decoder_left(&blocks) >= BLOCK_HEADER) {
		uint32_t file = decoder_u32(&blocks), count = decoder_u32(&blocks), number;
		decoder_u32(&blocks); /* the size of the block, which follows from COUNT */
		const uint8_t *entry = decoder_take(&blocks, (uint64_t)count * LINE_SIZE);
		if (columns)
			decoder_take(&blocks, (uint64_t)count * 4);
		if (!entry) {
			rs_pdb_warn(module->pdb, module->entry->stream, (uint64_t)(range->at - module->stream.bytes),
				    "more lines than their subsection can have");
			return 0;
		}
		if (rs_pdb_find_module_file(module, file, &number) < 0)
			return -1;
		reading->di->counts.pdb_lines += count;
		for (; count > 0; count--, entry += LINE_SIZE) {
			uint32_t offset = rs_le32(entry), line = rs_le32(entry + 4) & LINE_MASK;
			if (offset >= range->end - range->begin)
				continue;
			if (line == LINE_STEP_INTO || line == LINE_STEP_OVER)
				line = 0;
			if (RS_ARRAY_ADD(module->lines, module->line_room, module->line_count, reading->err,
					 (struct pdb_line){
						 .begin = range->begin + offset, .file = number, .line = line }) < 0)
				return -1;
		}
	}
	return 0;
}

/* Sort the lines of RANGE, from index FIRST of module->lines on, and set their ends.  Cuts off the code below FROM,
   because an earlier range has lines for it. */
static void sort_and_end_lines(struct pdb_module *module, const struct line_range *range, uint32_t first, uint32_t from)
{
	uint32_t count = module->line_count - first, kept = 0;
	if (count == 0)
		return; /* module->lines may be NULL */
	struct pdb_line *lines = module->lines + first;
	rs_stable_sort(lines, count, sizeof *lines, rs_compare_one_number);
	for (uint32_t i = 0; i < count && count > 1; i++) { /* if there is only the lead line, drop it */
		struct pdb_line line = lines[i];
		line.end = i + 1 < count ? lines[i + 1].begin : range->end;
		if (line.begin < from)
			line.begin = from;
		if (line.begin < line.end)
			lines[kept++] = line;
	}
	if (kept > 0 && lines[0].lead) {
		lines[0].file = lines[1].file;
		lines[0].line = lines[1].line;
	}
	module->line_count = first + kept;
}

int rs_pdb_read_lines(struct pdb_module *module)
{
	struct line_range *ranges = NULL;
	uint32_t count = 0, from = 0;
	int ret = find_ranges(module, &ranges, &count);
	for (uint32_t i = 0; ret == 0 && i < count; i++) {
		uint32_t first = module->line_count;
		if (ranges[i].end <= from)
			continue;
		/* The lead line is for the code before the first entry. */
		ret = RS_ARRAY_ADD(module->lines, module->line_room, module->line_count, module->pdb->reading->err,
				   (struct pdb_line){ .begin = ranges[i].begin, .lead = true });
		if (ret == 0)
			ret = add_range_lines(module, &ranges[i]);
		sort_and_end_lines(module, &ranges[i], first, from);
		from = ranges[i].end;
	}
	rs_free(ranges);
	return ret;
}

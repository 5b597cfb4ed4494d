// SPDX-License-Identifier: GPL-2.0-or-later
/* inspect.c - --dump prints a table, --check validates it.  Both read the extension block, too: the part of a .rossym
   section after the table that has inlined calls, whole names and the ends of functions. */
#include "config.h"
#include "addr2line/jobs.h"
#include "tool/diag.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------- dump */

struct dump {
	struct rossym_image *image;
	struct out *out;
	bool entry_outer; /* rows are outermost frames, not innermost ones (struct rossym_block) */
	uint64_t left;	  /* how many bytes may still be printed */
	bool full;	  /* a line was not printed because too few bytes were left */
	struct rossym_functions functions;
	struct rossym_function function;
	/* The last result of rossym_functions_next().  1: print `function` next; 0: there are no more; -1: an error. */
	int function_status;
};

/* Print TEXT with escapes for tabs, newlines and backslashes, so that each line of the dump is a row, and each tab
   ends a column. */
static void print_escaped(struct out *out, const char *text)
{
	for (;;) {
		size_t plain = strcspn(text, "\t\n\\");
		out_bytes(out, text, plain);
		text += plain;
		if (!*text)
			return;
		out_char(out, '\\');
		out_char(out, *text == '\t' ? 't' : *text == '\n' ? 'n' : '\\');
		text++;
	}
}

enum { DEPTH_FUNCTION = -1, DEPTH_INNERMOST };

/* Print a line of --dump.  DEPTH is how many frames are inside the frame that the line shows: 0 for the innermost
   frame, and for a row without frames.  For a function of the extension block, it is DEPTH_FUNCTION. */
static void print_dump_line(struct dump *dump, const struct rossym_row *row, uint64_t size, int depth)
{
	enum { NUMBERS = 40 }; /* about the length of a line without its strings */
	struct out *out = dump->out;
	uint64_t length = NUMBERS + (uint64_t)strlen(row->function) + strlen(row->file);
	dump->full |= length > dump->left;
	if (dump->full)
		return;
	dump->left -= length;
	out_text(out, "0x");
	out_hex(out, row->rva, row->rva > UINT32_MAX ? 16 : 8);
	out_char(out, '\t');
	out_decimal(out, size);
	out_char(out, '\t');
	print_escaped(out, row->function);
	out_char(out, '\t');
	print_escaped(out, row->file);
	out_char(out, '\t');
	out_decimal(out, row->line);
	out_char(out, '\t');
	if (depth == DEPTH_FUNCTION)
		out_text(out, "-1");
	else
		out_decimal(out, (uint64_t)depth);
	out_char(out, '\n');
}

/* Print a line for each frame of row NUMBER, from the innermost function to the outermost.  ENTRY is the row in the
   table: the outermost frame if dump->entry_outer, else the innermost.  Prints the strings of ENTRY as the table has
   them, not as the library would answer.  Returns 0 or -1. */
static int print_frames(struct dump *dump, uint32_t number, const struct rossym_row *entry, uint64_t size,
			struct rossym_error *err)
{
	struct rossym_frames frames;
	struct rossym_frame frame;
	if (rossym_frames_begin_row(dump->image, number, &frames, err) < 0)
		return -1;
	int more = rossym_frames_next(&frames, &frame);
	for (int depth = DEPTH_INNERMOST; more && !dump->full; depth++) {
		struct rossym_row row = { .rva = entry->rva,
					  .function = frame.function ? frame.function : "",
					  .file = frame.file ? frame.file : "",
					  .line = frame.line };
		more = rossym_frames_next(&frames, &frame);
		bool is_entry = dump->entry_outer ? !more : depth == DEPTH_INNERMOST;
		print_dump_line(dump, is_entry ? entry : &row, size, depth);
	}
	return 0;
}

static int find_next_function(struct dump *dump, struct rossym_error *err)
{
	dump->function_status = rossym_functions_next(&dump->functions, &dump->function, err);
	return dump->function_status;
}

/* Print the functions of the extension block at or below RVA that are not printed yet.  Returns 0; -1: an error. */
static int print_functions(struct dump *dump, uint64_t rva, struct rossym_error *err)
{
	while (!dump->full && dump->function_status > 0 && dump->function.rva <= rva) {
		struct rossym_row row = { .rva = dump->function.rva, .function = dump->function.name, .file = "" };
		print_dump_line(dump, &row, dump->function.length, DEPTH_FUNCTION);
		if (find_next_function(dump, err) < 0)
			return -1;
	}
	return 0;
}

/* Store in *SIZE the size of the row at RVA.  The row ends at NEXT, the next higher address of a row (UINT64_MAX: there
   is none), or at the end of its section, if that is lower.  A row outside every section has the size 0, and so has the
   last row of a bare table, which has no sections.  Returns 0 or -1. */
static int find_row_size(struct rossym_image *image, uint64_t rva, uint64_t next, bool bare, uint64_t *size,
			 struct rossym_error *err)
{
	struct rossym_section section;
	uint64_t end = bare && next != UINT64_MAX ? next : rva;
	int found = bare ? 0 : rossym_section_at(image, rva, &section, err);
	if (found < 0)
		return -1;
	if (found > 0)
		end = (uint64_t)section.rva + section.size;
	*size = (next < end ? next : end) - rva;
	return 0;
}

/* A second reader of the rows, ahead of the first one.  It finds the next higher address, on which the size of a row
   depends.  That address may be many rows further on; with two readers, all rows are read only twice. */
struct ahead {
	struct rossym_rows rows;
	struct rossym_row row; /* after the last row, its address is UINT64_MAX */
	int more;	       /* the last result of rossym_rows_next() */
};

/* Move AHEAD to the first row above RVA.  Returns 1; 0: there is none; -1: an error. */
static int skip_to_row_above(struct ahead *ahead, uint64_t rva, struct rossym_error *err)
{
	while (ahead->more > 0 && ahead->row.rva <= rva)
		if ((ahead->more = rossym_rows_next(&ahead->rows, &ahead->row, err)) == 0)
			ahead->row.rva = UINT64_MAX;
	return ahead->more;
}

/* Print all rows and, with INLINES, the functions of the extension block, in the order of addresses.  BARE: the file
   is a table alone, without sections.  Adds to *DAMAGED how many rows have damaged strings.  Returns 0 or -1. */
static int print_rows(struct dump *dump, bool bare, bool inlines, uint32_t *damaged, struct rossym_error *err)
{
	struct rossym_rows rows;
	struct rossym_row row;
	struct ahead ahead = { .more = 1 };
	uint64_t last = 0, size = 0;
	int more;
	rossym_rows_begin(dump->image, 0, &rows);
	rossym_rows_begin(dump->image, 0, &ahead.rows);
	for (uint32_t number = 0; (more = rossym_rows_next(&rows, &row, err)) > 0 && !dump->out->error && !dump->full;
	     number++) {
		if (row.rva < last) {
			struct rossym_report report = { .size = sizeof report };
			rossym_check(dump->image, &report, err); /* stores in *ERR that rows are out of order */
			return -1;
		}
		if ((number == 0 || row.rva != last) &&
		    (skip_to_row_above(&ahead, row.rva, err) < 0 ||
		     find_row_size(dump->image, row.rva, ahead.row.rva, bare, &size, err) < 0))
			return -1;
		last = row.rva;
		*damaged += row.damage != 0;
		if (inlines && print_functions(dump, row.rva, err) < 0)
			return -1;
		if (!inlines || row.damage)
			print_dump_line(dump, &row, size, DEPTH_INNERMOST);
		else if (print_frames(dump, number, &row, size, err) < 0)
			return -1;
	}
	return more < 0 || (inlines && print_functions(dump, UINT64_MAX, err) < 0) ? -1 : 0;
}

int inspect_dump(struct rossym_image *image, const char *path, struct out *out)
{
	/* Rows share strings and frames, so the dump of a small hostile image could have terabytes.  Dumps of real
	   tables have 1 to 4 bytes for each byte of the table and its extension block. */
	enum { BYTES_A_BYTE = 64, BYTES_OF_ANY = 256 << 20 };
	struct rossym_info info = { .size = sizeof info };
	struct rossym_block block = { .size = sizeof block };
	struct rossym_error err;
	uint32_t damaged = 0;
	const int inlines = read_block_or_warn(image, path);
	if (inlines < 0)
		return 1;
	if (inlines)
		rossym_read_block(image, &block, NULL);
	rossym_get_info(image, &info, NULL);
	const uint64_t size = (uint64_t)info.rows * info.row_size + info.strings_size + block.length;
	struct dump dump = {
		.image = image, .out = out, .entry_outer = block.entry_outer, .left = BYTES_OF_ANY + BYTES_A_BYTE * size
	};
	rossym_functions_begin(image, &dump.functions);
	if ((inlines && find_next_function(&dump, &err) < 0) ||
	    print_rows(&dump, info.kind == ROSSYM_BARE, inlines, &damaged, &err) < 0) {
		return !diag_image_error(path, &err);
	}
	if (damaged > 0)
		diag("%s: %" PRIu32 " rows have strings outside the table; they were left empty", path, damaged);
	if (dump.full)
		diag("%s: the dump is longer than that of any real table; the rest is left out", path);
	return damaged > 0 || dump.full;
}

/* ------------------------------------------------------------------------------------------------ check */

/* Print a note with COUNT and the text ONE, or MANY if COUNT is not 1; nothing if COUNT is 0. */
static void print_note_with_count(struct out *out, const char *path, uint32_t count, const char *one, const char *many)
{
	if (count == 0)
		return;
	out_text(out, path);
	out_text(out, ": note: ");
	out_decimal(out, count);
	out_text(out, count == 1 ? one : many);
	out_char(out, '\n');
}

static void print_table_facts(struct out *out, const char *path, const struct rossym_info *info)
{
	char line[256];
	out_text(out, path);
	if (info->kind == ROSSYM_BARE)
		out_text(out, ": bare table");
	else {
		snprintf(line, sizeof line, ": %s, machine 0x%x, image base 0x%" PRIx64 ", time stamp %08" PRIx32,
			 info->kind == ROSSYM_PE32 ? "PE32" : "PE32+", (unsigned)info->machine, info->image_base,
			 info->time_date_stamp);
		out_text(out, line);
	}
	snprintf(line, sizeof line, ": %" PRIu32 " rows of %" PRIu32 " bytes, %" PRIu32 " bytes of strings\n",
		 info->rows, info->row_size, info->strings_size);
	out_text(out, line);
}

static void print_block_facts(struct out *out, const char *path, const struct rossym_block *block)
{
	char line[256];
	out_text(out, path);
	snprintf(line, sizeof line,
		 ": inlined calls: %" PRIu32 " bytes: %" PRIu32 " frames %s the rows, %" PRIu32 " runs, %" PRIu32
		 " functions, %" PRIu32 " other names, %" PRIu32 " whole names, %" PRIu32 " bytes of strings\n",
		 block->length, block->frames, block->entry_outer ? "inside" : "around", block->runs, block->functions,
		 block->names, block->long_strings, block->strings_size);
	out_text(out, line);
}

int inspect_check(struct rossym_image *image, const char *path, struct out *out)
{
	struct rossym_info info = { .size = sizeof info };
	struct rossym_report report = { .size = sizeof report };
	struct rossym_block block = { .size = sizeof block };
	struct rossym_error err;
	rossym_get_info(image, &info, NULL);
	print_table_facts(out, path, &info);
	if (rossym_check(image, &report, &err) < 0)
		return !diag_image_error(path, &err);
	if (rossym_read_block(image, &block, NULL) > 0)
		print_block_facts(out, path, &block);
	print_note_with_count(out, path, report.linker_constants, " row is a linker constant and never answers",
			      " rows are linker constants and never answer");
	print_note_with_count(out, path, report.outside, " row lies outside every section and never answers",
			      " rows lie outside every section and never answer");
	print_note_with_count(out, path, report.in_data, " row lies outside code and answers only with --data",
			      " rows lie outside code and answer only with --data");
	print_note_with_count(out, path, report.duplicates, " row has the address of the row before it",
			      " rows have the address of the row before them");
	print_note_with_count(out, path, report.shadowed, " row is hidden by a better one of the same address",
			      " rows are hidden by a better one of the same address");
	print_note_with_count(out, path, report.constant_names, " line is named after a linker constant",
			      " lines are named after linker constants");
	print_note_with_count(out, path, report.line_without_file, " row has a line but no file",
			      " rows have a line but no file");
	print_note_with_count(out, path, report.file_without_line, " row has a file but no line",
			      " rows have a file but no line");
	print_note_with_count(out, path, report.too_long,
			      " string is longer than 255 bytes, too long for the ReactOS kernel debugger",
			      " strings are longer than 255 bytes, too long for the ReactOS kernel debugger");
	print_note_with_count(out, path, report.unterminated, " string, the last, has no NUL at its end", "");
	print_note_with_count(out, path, report.first_not_empty, " string stands at offset 0, which means unknown", "");
	out_text(out, path);
	out_text(out, ": no errors\n");
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* embed-report.c - prints the report of -v: what was found, added and removed */
#include "config.h"
#include "embed/job.h"
#include "tool/diag.h"
#include "tool/out.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* Print a line of the report: on standard output, after the name of the output file; or as a message, if the table goes
   to standard output. */
COMPAT_PRINTF(2, 3) static void print_line(const struct embed_command *command, const char *format, ...)
{
	char line[512];
	va_list args;
	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	if (command->to_stdout) {
		diag("%s", line);
		return;
	}
	out_text(command->out, command->output);
	out_text(command->out, ": ");
	out_text(command->out, line);
	out_char(command->out, '\n');
}

/* Print the path of file number FILE, counted from 1, which has the debug information; 0: it is in no other file.  FILE
   is from the untrusted child, so it is checked. */
static void print_debug_file(const struct embed_command *command, uint32_t file)
{
	if (file > 0 && file <= command->debuginfo.file_count)
		print_line(command, "debug information is in %s", command->debuginfo.files[file - 1].path);
}

static void print_found_debug_info(const struct embed_command *command, const struct debuginfo_counts *n)
{
	print_debug_file(command, n->file);
	if (n->dwarf_units)
		print_line(command,
			   "found DWARF: %" PRIu32 " units, %" PRIu32 " of them rejected, %" PRIu32 " lines, %" PRIu32
			   " functions",
			   n->dwarf_units, n->dwarf_units_rejected, n->dwarf_rows, n->dwarf_functions);
	if (n->stabs_units || n->stabs_rows)
		print_line(command, "found stabs: %" PRIu32 " units, %" PRIu32 " lines, %" PRIu32 " functions",
			   n->stabs_units, n->stabs_rows, n->stabs_functions);
	print_debug_file(command, n->pdb_file);
	if (n->pdb_modules)
		print_line(command,
			   "found PDB: %" PRIu32 " modules, %" PRIu32 " lines, %" PRIu32 " functions, %" PRIu32
			   " publics",
			   n->pdb_modules, n->pdb_lines, n->pdb_functions, n->pdb_publics);
	if (n->pdb_inlines)
		print_line(command,
			   "found PDB inlined calls: %" PRIu32 ", %" PRIu32 " without a name, %" PRIu32
			   " damaged; %" PRIu32 " ranges, %" PRIu32 " cut",
			   n->pdb_inlines, n->pdb_inlines_unnamed, n->pdb_inlines_damaged, n->pdb_inline_rows,
			   n->pdb_inline_cut);
	if (n->coff_symbols)
		print_line(command, "found COFF: %" PRIu32 " symbols", n->coff_symbols);
	if (n->elf_symbols)
		print_line(command, "found ELF: %" PRIu32 " symbols", n->elf_symbols);
	if (n->duplicates || n->outside || n->merged)
		print_line(command,
			   "dropped rows: %" PRIu32 " of the same address as others, %" PRIu32
			   " outside the image, %" PRIu32 " that say nothing new",
			   n->duplicates, n->outside, n->merged);
}

static void print_table_sizes(const struct embed_command *command, const struct rossym_built *table)
{
	if (command->packed) {
		print_line(command, "packed table: %zu bytes, %" PRIu32 " rows", table->bytes_size, table->rows);
		return;
	}
	print_line(command, "table: %zu bytes, %" PRIu32 " rows, %" PRIu32 " bytes of strings", table->bytes_size,
		   table->rows, table->strings_size);
	if (table->block_size) {
		size_t rest = table->bytes_size - table->block_size;
		print_line(command,
			   "inlined calls: %" PRIu32 " bytes, %.1f%% of the rest: %" PRIu32 " frames, %" PRIu32
			   " runs, %" PRIu32 " functions, %" PRIu32 " other names, %" PRIu32 " whole names",
			   table->block_size, 100.0 * table->block_size / (double)rest, table->frames, table->runs,
			   table->functions, table->names, table->long_strings);
	}
	if (table->cut_functions || table->cut_files)
		print_line(command, "shortened to 255 bytes: %" PRIu32 " function names, %" PRIu32 " paths",
			   table->cut_functions, table->cut_files);
}

static void print_image_changes(const struct embed_command *command, const struct rossym_embed_report *n)
{
	if (n->table_offset)
		print_line(command, "added: .rossym at RVA 0x%" PRIx32 ", file offset 0x%" PRIx32 "%s", n->table_rva,
			   n->table_offset, n->tables ? ", in place of an older one" : "");
	if (n->sections || n->symbols)
		print_line(command,
			   "taken out: %" PRIu32 " debug sections of %" PRIu64 " bytes, %" PRIu32 " COFF symbols",
			   n->sections, n->section_bytes, n->symbols);
	if (n->relocations || n->debug_entries)
		print_line(command,
			   "taken out: %" PRIu32 " base relocations and %" PRIu32 " debug directory entries for them",
			   n->relocations, n->debug_entries);
	if (n->holes)
		print_line(command, "closed: %" PRIu32 " gaps in the address space where sections were taken out",
			   n->holes);
	if (n->header_growth)
		print_line(command, "headers: 0x%" PRIx32 " bytes longer, to have room", n->header_growth);
	if (n->overlay)
		print_line(command, "kept: %" PRIu64 " bytes after the sections", n->overlay);
}

void embed_print_report(const struct job *job)
{
	const struct embed_command *command = job->command;
	if (job->dwos.count)
		print_line(command, "found .dwo files: %" PRIu32 " of %" PRIu64 " bytes", job->dwos.count,
			   job->dwos.together);
	print_found_debug_info(command, &job->made.counts);
	print_table_sizes(command, &job->made.table);
	if (!command->table_only)
		print_image_changes(command, &job->report);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rossym-embed - replace the debug information of an image by a .rossym table
 *
 * Under the name rsym it has the command line of ReactOS's rsym.  run() is the way of an image: read it, make the table
 * in a child, put the table in, write the file.
 */
#include "config.h"
#include "embed/wanted-addresses.h"
#include "embed/dwo.h"
#include "embed/job.h"
#include "embed/serve.h"
#include "embed/store.h"
#include "embed/subsystem.h"
#include "rossym-write.h"
#include "tool/command/argv0.h"
#include "tool/command/common.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "tool/files/file.h"
#include "tool/command/options.h"
#include "tool/out.h"
#include "tool/paths.h"
#include "embed/progress.h"
#include "tool/command/response.h"
#include "tool/process/sandbox.h"
#include "tool/command/std-streams.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---------------------------------------------------------------------------------------------- options */

enum { BROKEN_STATUS = 2 }; /* exit status: the child crashed, hung, or lied */

enum {
	OPT_PATH_MAP = 256,
	OPT_KEEP_DEBUG,
	OPT_DEBUGLINK,
	OPT_TABLE_ONLY,
	OPT_FOR,
	OPT_FROM_DUMP,
	OPT_DECORATED,
	OPT_DATA,
	OPT_DWO_DIRECTORY,
	OPT_PDB,
	OPT_DEBUG_DIRECTORY,
	OPT_RECORDED_PATHS,
	OPT_NO_INLINES,
	OPT_ENTRY_FRAME,
	OPT_ALLOW_EMPTY,
	OPT_ALLOW_PARTIAL,
	OPT_STORE,
};

static const char letters[] = "s:vhV";

static const struct option_row option_rows[] = {
	{ 's', "source-root", "=DIR", "Make file names below DIR relative to it" },
	{ OPT_PATH_MAP, "path-map", "=OLD=NEW", "Replace OLD at the beginning of file names by NEW" },
	{ OPT_DECORATED, "decorated", NULL, "Keep the decoration of names, such as _f@4" },
	{ OPT_DATA, "data", NULL, "Add the names of data" },
	{ OPT_NO_INLINES, "no-inlines", NULL, "Write rows and strings only, nothing about inlined calls" },
	{ OPT_ENTRY_FRAME, "entry-frame", "=FRAME", "Let rows be the inner or the outer frame of inlined calls" },
	{ OPT_FOR, "for", "=FILE", "Answer only for the addresses that FILE lists" },
	{ OPT_PDB, "pdb", "=FILE", "Take the symbols from FILE, the image's PDB or debug file" },
	{ OPT_DEBUG_DIRECTORY, "debug-directory", "=DIR", "Look for PDB and debug files in DIR, too" },
	{ OPT_RECORDED_PATHS, "recorded-paths", NULL, "Look for them also at the paths that INPUT records" },
	{ OPT_DWO_DIRECTORY, "dwo-directory", "=DIR", "Look for .dwo files in DIR, too" },
	{ OPT_FROM_DUMP, "from-dump", "=FILE", "Take the rows from FILE, as rossym-addr2line --dump prints them" },
	{ OPT_KEEP_DEBUG, "keep-debug", NULL, "Add the table, and leave the debug information" },
	{ OPT_DEBUGLINK, "debuglink", "=FILE", "Let debuggers find FILE, the image with debug information" },
	{ OPT_TABLE_ONLY, "table-only", NULL, "Write the table alone, not an image" },
	{ OPT_ALLOW_EMPTY, "allow-empty", NULL, "Write the output also if there is nothing for a table" },
	{ OPT_ALLOW_PARTIAL, "allow-partial", NULL, "Write the output also if much debug information is left out" },
	{ OPT_STORE, "store", "=DIR", "Add finished images and PDB files to the symbol store DIR" },
	{ 'v', "verbose", NULL, "Say what was found, added and taken out" },
	{ 'h', "help", NULL, "Display this information" },
	{ 'V', "version", NULL, "Display the program's version" },
	{ 0, NULL, NULL, NULL },
};
static const struct option_heading headings[] = {
	{ "source-root", " What the table says:" },
	{ "pdb", " Where the symbols come from:" },
	{ "keep-debug", " What is written:" },
	{ NULL, NULL },
};
static const struct option_row no_rows[] = { { 0, NULL, NULL, NULL } };
static const struct option_row synonyms[] = {
	{ OPT_PDB, "debug-file", "=FILE", NULL },
	{ 0, NULL, NULL, NULL },
};

struct arguments { /* of an option that can be repeated */
	const char **items;
	uint32_t count;
};

struct embed_request {
	const char *input;     /* NULL: rows and table only */
	const char *output;    /* of -v, too; NULL with --serve */
	const char *debuglink; /* the argument of --debuglink, or NULL */
	const char *dump;      /* that of --from-dump, or NULL */
	struct paths paths;
	struct debuginfo_options debuginfo;
	struct arguments dwo_directories, debug_directories;
	struct arguments pdbs; /* those of --pdb; only with --store there can be several */
	const char *asked;     /* that of --for, or NULL */
	const char *store;     /* that of --store, or NULL: then pdbs and verbose count, and nothing else */
	int for_tables;	       /* the last other option, or 0 */
	char **images;	       /* what --store adds */
	size_t image_count;
	bool recorded_paths, keep_debug, table_only, allow_empty, allow_partial, verbose;
	bool to_stdout; /* the output is standard output */
	bool as_rsym;	/* called as rsym */
	bool serve;	/* --serve: perhaps no input, and no output file */
	struct out *out;
};

static void put_usage(struct out *out)
{
	out_text(out, "Usage: ");
	out_text(out, diag_program());
	out_text(out, " [option(s)] INPUT OUTPUT\n"
		      "       ");
	out_text(out, diag_program());
	out_text(out, " --table-only --from-dump=FILE OUTPUT\n"
		      "       ");
	out_text(out, diag_program());
	out_text(out, " --store=DIR [--pdb=FILE] [IMAGE...]\n"
		      " Replace the debug information of a PE image by a .rossym table made of it.\n"
		      " INPUT and OUTPUT may be the same file.\n"
		      " The options are:\n"
		      "  @<file>                Read options from <file>\n");
	options_help(out, option_rows, headings);
}

static void put_version(struct out *out)
{
	common_version(out, "rossym-embed");
#ifdef HAVE_ZLIB
	out_text(out, "Compressed sections: zlib\n");
#else
	out_text(out, "Compressed sections: none\n");
#endif
	out_text(out, "Built in: DWARF 2 to 5, stabs, COFF symbols, PDB 7.00 of i386, x86-64 and ARM64\n");
	out_text(out, demangle_available ? "Demangler: libiberty\n" : "Demangler: none\n");
}

/* Add an argument.  Returns -1 to go on, else the exit status. */
static int add_argument(struct arguments *arguments, const char *argument)
{
	const char **items = realloc(arguments->items, (arguments->count + (size_t)1) * sizeof *items);
	if (!items)
		return diag_no_memory();
	arguments->items = items;
	items[arguments->count++] = argument;
	return -1;
}

/* The one that holds, or NULL: of repeated options the last. */
static const char *last_argument(const struct arguments *arguments)
{
	return arguments->count ? arguments->items[arguments->count - 1] : NULL;
}

/* Take one option.  Returns -1 to go on, else the exit status. */
static int take_option(void *context, int option, char *argument)
{
	struct embed_request *rq = context;
	if (option != OPT_STORE && option != OPT_PDB && option != 'v')
		rq->for_tables = option;
	switch (option) {
	case 's':
		return paths_add_root(&rq->paths, argument) ? -1 : diag_no_memory();
	case OPT_PATH_MAP:
		return common_path_map(&rq->paths, argument);
	case OPT_KEEP_DEBUG:
		rq->keep_debug = true;
		return -1;
	case OPT_DEBUGLINK:
		rq->debuglink = argument;
		return -1;
	case OPT_TABLE_ONLY:
		rq->table_only = true;
		return -1;
	case OPT_FOR:
		rq->asked = argument;
		return -1;
	case OPT_FROM_DUMP:
		rq->dump = argument;
		return -1;
	case OPT_DECORATED:
		rq->debuginfo.decorated = true;
		return -1;
	case OPT_DATA:
		rq->debuginfo.data = true;
		return -1;
	case OPT_DWO_DIRECTORY:
		return add_argument(&rq->dwo_directories, argument);
	case OPT_DEBUG_DIRECTORY:
		return add_argument(&rq->debug_directories, argument);
	case OPT_RECORDED_PATHS:
		rq->recorded_paths = true;
		return -1;
	case OPT_PDB:
		return add_argument(&rq->pdbs, argument);
	case OPT_STORE:
		rq->store = argument;
		return -1;
	case OPT_NO_INLINES:
		rq->debuginfo.no_inlines = true;
		return -1;
	case OPT_ENTRY_FRAME:
		rq->debuginfo.entry_outer = strcmp(argument, "outer") == 0;
		if (rq->debuginfo.entry_outer || strcmp(argument, "inner") == 0)
			return -1;
		diag("--entry-frame: '%s' is neither inner nor outer", argument);
		return 1;
	case OPT_ALLOW_EMPTY:
		rq->allow_empty = true;
		return -1;
	case OPT_ALLOW_PARTIAL:
		rq->allow_partial = true;
		return -1;
	case 'v':
		rq->verbose = true;
		return -1;
	case 'h':
		put_usage(rq->out);
		return 0;
	case 'V':
		put_version(rq->out);
		return 0;
	default:
		return common_try("--help");
	}
}

/* Take the output "-".  An image is not written there: nobody could take back what was written before an error.
   Returns -1 to go on, else the exit status. */
static int take_standard_output(struct embed_request *rq)
{
	if (!rq->table_only) {
		diag("an image cannot be written to standard output; a file of this name is ./-");
		return 1;
	}
	if (isatty(STDOUT_FILENO)) {
		diag("a table is not written to a terminal");
		return 1;
	}
	rq->to_stdout = true;
	rq->output = "standard output";
	return -1;
}

/* Take the operands of --serve.  Returns -1 to go on, else the exit status. */
static int take_served(struct embed_request *rq, char **operands, int count)
{
	if (count > 1 || rq->store || rq->dump || rq->table_only || rq->keep_debug || rq->debuglink)
		return common_usage_error(put_usage);
	rq->input = count ? operands[0] : NULL;
	rq->to_stdout = true;
	return -1;
}

/* Take the operands of --store.  Returns -1 to go on, else the exit status. */
static int take_files(struct embed_request *rq, char **operands, int count)
{
	const struct option_row *row = option_rows;
	if (count == 0 && rq->pdbs.count == 0)
		return common_usage_error(put_usage);
	while (row->name && row->value != rq->for_tables)
		row++;
	if (row->name) {
		diag("--store and --%s exclude each other", row->name);
		return 1;
	}
	rq->images = operands;
	rq->image_count = (size_t)count;
	return -1;
}

/* Take the operands, and refuse options that exclude each other.  Returns -1 to go on, else the exit status. */
static int take_operands(struct embed_request *rq, char **operands, int count)
{
	if (rq->serve)
		return take_served(rq, operands, count);
	if (rq->store)
		return take_files(rq, operands, count);
	bool needs_input = !rq->table_only || !rq->dump;
	if (count != (needs_input ? 2 : 1))
		return common_usage_error(put_usage);
	rq->input = needs_input ? operands[0] : NULL;
	rq->output = operands[count - 1];
	if (rq->keep_debug && rq->debuglink) {
		diag("--debuglink and --keep-debug exclude each other");
		return 1;
	}
	if (rq->table_only && (rq->keep_debug || rq->debuglink)) {
		diag("--table-only and %s exclude each other", rq->keep_debug ? "--keep-debug" : "--debuglink");
		return 1;
	}
	if (rq->asked && !rq->table_only) {
		diag("--for needs --table-only");
		return 1;
	}
	if (rq->asked && rq->dump) {
		diag("--for and --from-dump exclude each other");
		return 1;
	}
	if (rq->debuglink && file_is_same(rq->debuglink, rq->output)) {
		diag("--debuglink: %s is the output", rq->debuglink);
		return 1;
	}
	return strcmp(rq->output, "-") == 0 ? take_standard_output(rq) : -1;
}

static int parse(struct embed_request *rq, int argc, char **argv)
{
	struct options options = { .argc = argc,
				   .argv = argv,
				   .letters = letters,
				   .first = option_rows,
				   .second = no_rows,
				   .synonyms = synonyms };
	int operands, status = common_options(&options, take_option, rq, &operands);
	return status >= 0 ? status : take_operands(rq, argv + operands, argc - operands);
}

/* Parse the command line of rsym: [-s <sources>] <input> <output>.  rsym accepts an input without symbols, or with some
   that it cannot read, so this does.  It accepts more than one -s: a build has sources in two trees, one of which it
   makes itself. */
static int parse_rsym(struct embed_request *rq, int argc, char **argv)
{
	int at = 1;
	rq->as_rsym = rq->allow_empty = rq->allow_partial = true;
	for (; at < argc && strcmp(argv[at], "-s") == 0; at += 2)
		if (at + 1 < argc && !paths_add_root(&rq->paths, argv[at + 1]))
			return diag_no_memory();
	if (argc - at != 2 || argv[at][0] == '-') {
		diag_plain("Usage: rsym [-s <sources>] <input> <output>");
		return 1;
	}
	rq->input = argv[at];
	rq->output = argv[at + 1];
	return -1;
}

/* ----------------------------------------------------------------------------------------------- making */

/* An image on its way through run(). */
struct embed_job {
	struct embed_request *rq;
	struct file_content input, dump;
	struct files files, dwos;
	uint32_t *asked; /* the addresses that --for lists; NULL: all */
	uint32_t wanted_addresses_count;
	struct job job;
	struct made made;
	void *result;
	size_t result_size;
	struct rossym_embed_report report;
	bool broken; /* the child crashed, hung or lied */
};

/* Report an error of the library.  Returns false. */
static bool fail(const char *path, const struct rossym_error *err)
{
	progress_hide();
	diag_image(path, err);
	return false;
}

static void describe_job(struct embed_job *job)
{
	struct embed_request *rq = job->rq;
	job->job = (struct job){ .source = rq->dump ? rq->dump : rq->input,
				 .image = job->input.bytes,
				 .image_size = job->input.size,
				 .file = &job->input,
				 .dump = (char *)job->dump.bytes,
				 .dump_size = job->dump.size,
				 .paths = &rq->paths,
				 .debuginfo = &rq->debuginfo,
				 .spare = rq->keep_debug || job->input.mapped ? NULL : job->input.bytes };
}

static int serve_job(struct embed_job *job, bool good)
{
	describe_job(job);
	return good ? serve(&job->job) : serve_failure();
}

/* Make the table.  False after a message. */
static bool make_table(struct embed_job *job)
{
	struct embed_request *rq = job->rq;
	const char *source = rq->dump ? rq->dump : rq->input;
	const struct wanted_rvas wanted = { job->asked, job->wanted_addresses_count };
	struct rossym_error err;
	progress(source, rq->dump ? "reading rows" : "reading debug information");
	if (rq->dump && !file_read_text(rq->dump, &job->dump))
		return false;
	describe_job(job);
	switch (job_make(&job->job, &wanted, &job->made, &err)) {
	case MADE:
		return true;
	case MADE_BROKEN:
		job->broken = true;
		progress_hide();
		diag("%s: %s; nothing was written", source, err.what);
		return false;
	case MADE_NOTHING:
		break;
	}
	const char *pdb = last_argument(&rq->pdbs);
	if (!rq->dump || err.offset == 0)
		/* Reading gives this code only to a file that was named and does not belong to the image. */
		return fail(pdb && err.code == ROSSYM_ENOSYMS ? pdb : source, &err);
	progress_hide();
	diag("%s:%" PRIu64 ": %s", source, err.offset, err.what);
	return false;
}

/* Whether to go on: the table has what the debug information has, but for a little, or the user allows one that lacks
   much.  False after a message.  Where answers are wanted for some addresses only, the rest of the debug information
   was not read. */
static bool check_partial(const struct embed_job *job)
{
	const struct embed_request *rq = job->rq;
	char why[128];
	if (job->asked || !debuginfo_is_partial(&job->made.counts, why, sizeof why))
		return true;
	progress_hide();
	if (rq->allow_partial)
		diag_warning("%s: %s", job->job.source, why);
	else
		diag("%s: %s; nothing was written (--allow-partial writes the table)", job->job.source, why);
	return rq->allow_partial;
}

/* Whether to go on: there are rows, or the user allows a table without rows.  False after a message. */
static bool check_empty(const struct embed_job *job)
{
	struct embed_request *rq = job->rq;
	if (job->made.table.rows > 0)
		return true;
	const char *source = job->job.source;
	struct rossym_error err;
	progress_hide();
	if (!rq->allow_empty) {
		job_describe_empty(&job->job, &job->made, &err);
		diag("%s: nothing to embed: %s", source, err.what);
		return false;
	}
	if (rq->as_rsym)
		diag_warning("%s: nothing to embed", source);
	return true;
}

/* Set the debug link to the file at PATH; a debugger finds the file by its name and proves it by its CRC. */
static bool link_crc(const char *path, struct rossym_embed_options *options)
{
	struct file_content file;
	if (!file_read(path, &file))
		return false;
	options->debuglink_crc = rossym_debuglink_crc(0, file.bytes, file.size);
	options->debuglink = paths_base(path);
	free(file.bytes);
	return true;
}

/* Put the table into the image, and take out what it replaces.  False after a message. */
static bool make_image(struct embed_job *job)
{
	struct embed_request *rq = job->rq;
	struct rossym_embed_options options = { .size = sizeof options,
						.flags = rq->keep_debug ? ROSSYM_EMBED_KEEP_DEBUG : 0 };
	struct rossym_error err;
	progress(rq->output, "making the image");
	if (rq->debuglink && !link_crc(rq->debuglink, &options))
		return false;
	const struct rossym_built *table = &job->made.table;
	if (rossym_embed(job->input.bytes, job->input.size, table->rows ? table->bytes : NULL, table->bytes_size,
			 &options, &job->result, &job->result_size, &job->report, &err) < 0)
		return fail(rq->input, &err);
	if (job->report.certificate > 0) {
		progress_hide();
		diag_warning("%s: the certificates, %" PRIu32
			     " bytes, were dropped: they do not hold for a changed image",
			     rq->input, job->report.certificate);
	}
	return true;
}

/* ------------------------------------------------------------------------------------------- what was done */

/* Print a line of -v on standard output, after the name of the output; or as a message, if the output is there. */
DIAG_PRINTF(2, 3) static void say(const struct embed_request *rq, const char *format, ...)
{
	char line[512];
	va_list args;
	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	if (rq->to_stdout) {
		diag("%s", line);
		return;
	}
	out_text(rq->out, rq->output);
	out_text(rq->out, ": ");
	out_text(rq->out, line);
	out_char(rq->out, '\n');
}

/* Name the file of debug information, if the child counts one. */
static void say_file(const struct embed_request *rq, uint32_t file)
{
	if (file > 0 && file <= rq->debuginfo.file_count)
		say(rq, "debug information is in %s", rq->debuginfo.files[file - 1].path);
}

static void say_found(const struct embed_request *rq, const struct debuginfo_counts *n)
{
	say_file(rq, n->file);
	if (n->dwarf_units || n->dwarf_units_rejected)
		say(rq,
		    "found DWARF: %" PRIu32 " units, %" PRIu32 " of them rejected, %" PRIu32 " lines, %" PRIu32
		    " functions",
		    n->dwarf_units + n->dwarf_units_rejected, n->dwarf_units_rejected, n->dwarf_rows,
		    n->dwarf_functions);
	if (n->stabs_units || n->stabs_rows)
		say(rq, "found stabs: %" PRIu32 " units, %" PRIu32 " lines, %" PRIu32 " functions", n->stabs_units,
		    n->stabs_rows, n->stabs_functions);
	say_file(rq, n->pdb_file);
	if (n->pdb_modules)
		say(rq, "found PDB: %" PRIu32 " modules, %" PRIu32 " lines, %" PRIu32 " functions, %" PRIu32 " publics",
		    n->pdb_modules, n->pdb_lines, n->pdb_functions, n->pdb_publics);
	if (n->pdb_inlines)
		say(rq,
		    "found PDB inlined calls: %" PRIu32 ", %" PRIu32 " without a name, %" PRIu32 " damaged; %" PRIu32
		    " ranges, %" PRIu32 " cut",
		    n->pdb_inlines, n->pdb_inlines_unnamed, n->pdb_inlines_damaged, n->pdb_inline_rows,
		    n->pdb_inline_cut);
	if (n->coff_symbols)
		say(rq, "found COFF: %" PRIu32 " symbols", n->coff_symbols);
	if (n->elf_symbols)
		say(rq, "found ELF: %" PRIu32 " symbols", n->elf_symbols);
	if (n->duplicates || n->outside || n->merged)
		say(rq,
		    "dropped rows: %" PRIu32 " of the same address as others, %" PRIu32 " outside the image, %" PRIu32
		    " that say nothing new",
		    n->duplicates, n->outside, n->merged);
}

static void say_dwos(const struct embed_request *rq, const struct files *dwos)
{
	if (dwos->count)
		say(rq, "found .dwo files: %" PRIu32 " of %" PRIu64 " bytes", dwos->count, dwos->size);
}

static void say_table(const struct embed_request *rq, const struct rossym_built *table)
{
	say(rq, "table: %zu bytes, %" PRIu32 " rows, %" PRIu32 " bytes of strings", table->bytes_size, table->rows,
	    table->strings_size);
	if (table->block_size) {
		size_t rest = table->bytes_size - table->block_size;
		say(rq,
		    "inlined calls: %" PRIu32 " bytes, %.1f%% of the rest: %" PRIu32 " frames, %" PRIu32
		    " runs, %" PRIu32 " functions, %" PRIu32 " other names, %" PRIu32 " whole names",
		    table->block_size, 100.0 * table->block_size / (double)rest, table->frames, table->runs,
		    table->functions, table->names, table->long_strings);
	}
	if (table->cut_functions || table->cut_files)
		say(rq, "shortened to 255 bytes: %" PRIu32 " function names, %" PRIu32 " paths", table->cut_functions,
		    table->cut_files);
}

static void say_image(const struct embed_request *rq, const struct rossym_embed_report *n)
{
	if (n->table_offset)
		say(rq, "added: .rossym at RVA 0x%" PRIx32 ", file offset 0x%" PRIx32 "%s", n->table_rva,
		    n->table_offset, n->tables ? ", in place of an older one" : "");
	if (n->sections || n->symbols)
		say(rq, "taken out: %" PRIu32 " debug sections of %" PRIu64 " bytes, %" PRIu32 " COFF symbols",
		    n->sections, n->section_bytes, n->symbols);
	if (n->relocations || n->debug_entries)
		say(rq, "taken out: %" PRIu32 " base relocations and %" PRIu32 " debug directory entries for them",
		    n->relocations, n->debug_entries);
	if (n->holes)
		say(rq, "closed: %" PRIu32 " gaps in the address space where sections were taken out", n->holes);
	if (n->header_growth)
		say(rq, "headers: 0x%" PRIx32 " bytes longer, to have room", n->header_growth);
	if (n->overlay)
		say(rq, "kept: %" PRIu64 " bytes after the sections", n->overlay);
}

static void say_done(const struct embed_job *job)
{
	if (!job->rq->verbose)
		return;
	say_dwos(job->rq, &job->dwos);
	say_found(job->rq, &job->made.counts);
	say_table(job->rq, &job->made.table);
	if (!job->rq->table_only)
		say_image(job->rq, &job->report);
}

/* -------------------------------------------------------------------------------------------------- run */

static bool write_output(struct embed_job *job)
{
	struct embed_request *rq = job->rq;
	progress(rq->output, "writing");
	if (!rq->table_only)
		return file_write(rq->output, job->result, job->result_size, job->input.st.st_mode);
	const struct rossym_built *table = &job->made.table;
	if (rq->to_stdout) {
		/* A failure is found when the program ends, as for all that it prints. */
		out_bytes(rq->out, table->bytes, table->bytes_size);
		return true;
	}
	/* A bare table is not a program, so it gets no permission to be executed. */
	mode_t mode = rq->input ? job->input.st.st_mode : 0666;
	return file_write(rq->output, table->bytes, table->bytes_size, mode & 0666);
}

static bool is_elf(const struct file_content *file)
{
	return file->size >= 4 && memcmp(file->bytes, "\177ELF", 4) == 0;
}

/* Read the list of addresses.  False after a message. */
static bool read_asked(struct embed_job *job)
{
	const struct embed_request *rq = job->rq;
	if (!rq->asked)
		return true;
	return wanted_addresses_read(rq->asked, &job->asked, &job->wanted_addresses_count);
}

/* Read the files that may have the debug information, or parts of it.  False after a message. */
static bool read_files(struct embed_job *job)
{
	struct embed_request *rq = job->rq;
	struct places places = { rq->input, rq->debug_directories.items, rq->debug_directories.count,
				 rq->recorded_paths };
	if (rq->dump || !rq->input)
		return true;
	/* ReactOS's rsym looks for no other files, so under that name nor do we. */
	const char *pdb = last_argument(&rq->pdbs);
	bool good = pdb ? files_add_named(&job->files, pdb)
			: rq->as_rsym || files_find(&job->files, &job->input, &places);
	places.directories = rq->dwo_directories.items;
	places.directory_count = rq->dwo_directories.count;
	good = good && dwo_read(&job->dwos, &job->input, &job->files, &places);
	rq->debuginfo.files = job->files.items;
	rq->debuginfo.file_count = job->files.count;
	rq->debuginfo.dwos = job->dwos.items;
	rq->debuginfo.dwo_count = job->dwos.count;
	return good;
}

static int add_to_store(const struct embed_request *rq)
{
	const struct store_request request = {
		.directory = rq->store,
		.images = (const char *const *)rq->images,
		.image_count = rq->image_count,
		.pdbs = rq->pdbs.items,
		.pdb_count = rq->pdbs.count,
		.verbose = rq->verbose,
		.out = rq->out,
	};
	return store_add(&request);
}

static int run(struct embed_request *rq)
{
	struct embed_job job = { .rq = rq, .report = { .size = sizeof job.report } };
	int status = 1;
	if (rq->input && !(rq->serve ? file_map : file_read)(rq->input, &job.input))
		return rq->serve ? serve_failure() : 1;
	/* dbghelp reads the tables of user-mode modules.  It takes the first row of a name for the beginning of that
	   function, so names of inlined functions must not be in rows. */
	if (rq->as_rsym)
		rq->debuginfo.entry_outer = !subsystem_is_native(job.input.bytes, job.input.size);
	/* Do this before the sandbox: after it, no file that the image names can be opened. */
	bool good = read_asked(&job) && read_files(&job);
	const char *still_read[] = { rq->dump && strcmp(rq->dump, "-") != 0 ? rq->dump : NULL, rq->debuglink };
	sandbox_writer(still_read, sizeof still_read / sizeof *still_read, rq->to_stdout ? NULL : rq->output);
	if (rq->serve)
		status = serve_job(&job, good);
	/* Builds give all their programs to rsym, also those for the build system. */
	else if (rq->as_rsym && is_elf(&job.input))
		status = 0;
	else if (good && make_table(&job) && check_partial(&job) && check_empty(&job) &&
		 (rq->table_only || make_image(&job)) && write_output(&job))
		status = 0;
	if (job.broken)
		status = BROKEN_STATUS;
	progress_end();
	if (status == 0 && job.made.table.bytes)
		say_done(&job);
	files_clear(&job.dwos);
	files_clear(&job.files);
	made_free(&job.made);
	rossym_free(job.result);
	free(job.dump.bytes);
	free(job.asked);
	file_free(&job.input);
	return status;
}

int main(int argc, char **argv)
{
	static struct out out;
	struct embed_request rq = { .out = &out };
	struct response *response = NULL;
	int status = 0;

	std_streams_open();
	argv0_shorten(argv);
	diag_start(argc > 0 ? argv[0] : "rossym-embed", &out);
	if (argv0_is(argv[0], "rsym")) {
		status = parse_rsym(&rq, argc, argv);
	} else if (argc > 1 && strcmp(argv[1], "--serve") == 0) {
		/* Programs use this, so their words are taken as they are: a path may begin with '@'. */
		rq.serve = true;
		argv[1] = argv[0];
		status = parse(&rq, argc - 1, argv + 1);
	} else {
		status = response_arguments(&argc, &argv, &response);
		if (status == 0)
			status = parse(&rq, argc, argv);
	}
	if (status < 0)
		status = rq.store ? add_to_store(&rq) : run(&rq);
	paths_clear(&rq.paths);
	free(rq.dwo_directories.items);
	free(rq.debug_directories.items);
	free(rq.pdbs.items);
	status = diag_finish(status, 1);
	response_free(response);
	return status;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * run.c - the steps of rossym-embed: read the image, make the table in a child process, put it into the image, write
 * the file
 */
#include "config.h"
#include "embed/command.h"
#include "embed/job.h"
#include "embed/progress.h"
#include "embed/subsystem.h"
#include "rossym-write.h"
#include "tool/ascii.h"
#include "tool/diag.h"
#include "tool/out.h"
#include "search/path.h"
#include "tool/process/sandbox.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BROKEN_STATUS = 2 }; /* the exit status if job->broken */

/* Make the table.  False after a message. */
static bool make_table(struct job *job)
{
	struct embed_command *command = job->command;
	const char *source = job->source;
	struct rossym_error err;
	progress_show(source, command->dump ? "reading rows" : "reading debug information");
	if (command->dump && !file_read_text(command->dump, &job->dump))
		return false;
	if (job_make_table(job, &err))
		return true;
	const char *pdb = embed_get_debug_file(command);
	if (job->broken)
		return diag("%s: %s; nothing was written", source, err.what);
	if (command->dump && err.offset > 0)
		return diag("%s:%" PRIu64 ": %s", source, err.offset, err.what);
	/* Readers return ROSSYM_ENOSYMS only if the file of --debug-file is not the image's, so name that file. */
	return diag_image_error(pdb && err.code == ROSSYM_ENOSYMS ? pdb : source, &err);
}

/* Whether the output may be written: most of the debug information was read; or --allow-partial is given; or --for,
   which reads only parts of it on purpose.  Returns false after an error message, but true after a warning. */
static bool check_complete_or_allowed(const struct job *job)
{
	const struct embed_command *command = job->command;
	char why[128];
	if (job->wanted || !rs_debuginfo_is_partial(&job->made.counts, why, sizeof why))
		return true;
	if (!command->allow_partial)
		return diag("%s: %s; nothing was written (--allow-partial writes the table)", job->source, why);
	diag_warning("%s: %s", job->source, why);
	return true;
}

/* Print why there are no symbols, or which file has them.  Returns false. */
static bool explain_no_symbols(const struct job *job)
{
	struct rossym_image *image = NULL;
	struct rossym_error err;
	const bool other = job->made.counts.pdb_file > 0 || job->made.counts.file > 0;
	/* If the image names a PDB file that was not read, that file has the symbols.  Open the image only for its
	   error, which contains the name of that file. */
	if (!job->dump.bytes && !other &&
	    rossym_open_memory(job->image.bytes, job->image.size, NULL, &image, &err) < 0 &&
	    err.code == ROSSYM_ENOSYMS && err.offset)
		return diag("%s: nothing to embed: %s", job->source, err.what);
	diag("%s: nothing to embed: %s%s", job->source, image ? "it has a table already; " : "",
	     rs_debuginfo_why_empty(&job->made.counts));
	rossym_close(image);
	return false;
}

/* Whether the output may be written: the table has rows, or --allow-empty is given.  Returns false after an error
   message, but true after a warning. */
static bool check_rows_or_allowed(const struct job *job)
{
	struct embed_command *command = job->command;
	if (job->made.table.rows > 0)
		return true;
	if (!command->allow_empty)
		return explain_no_symbols(job);
	if (command->as_rsym)
		diag_warning("%s: nothing to embed", job->source);
	return true;
}

/* Make the output's debug link name the file at PATH: debuggers find that file by its name, and check its CRC.  Returns
   false after a message. */
static bool set_debuglink(const char *path, struct rossym_embed_options *options)
{
	struct file_content file;
	if (!file_read(path, &file))
		return false;
	options->debuglink_crc = rossym_debuglink_crc(0, file.bytes, file.size);
	options->debuglink = rs_path_base(path);
	free(file.bytes);
	return true;
}

/* Put the table into the image; remove the debug information unless --keep-debug is given.  False after a message. */
static bool make_image(struct job *job)
{
	struct embed_command *command = job->command;
	struct rossym_embed_options options = { .size = sizeof options,
						.flags = command->keep_debug ? ROSSYM_EMBED_KEEP_DEBUG : 0 };
	struct rossym_error err;
	progress_show(command->output, "making the image");
	if (command->debuglink && !set_debuglink(command->debuglink, &options))
		return false;
	const struct rossym_built *table = &job->made.table;
	if (rossym_embed(job->image.bytes, job->image.size, table->rows ? table->bytes : NULL, table->bytes_size,
			 &options, &job->result, &job->result_size, &job->report, &err) < 0)
		return diag_image_error(command->input, &err);
	if (job->report.certificate > 0)
		diag_warning("%s: the certificates, %" PRIu32
			     " bytes, were dropped: they do not hold for a changed image",
			     command->input, job->report.certificate);
	return true;
}

/* ------------------------------------------------------------------------------------------- --for */

/* The file of --for lists addresses: one hexadecimal RVA on each line.  Lines may be in any order and may repeat an
   address.  An address may have 0x before it, and spaces around it. */

/* Parse LINE, which ends with a NUL, and store its address in *RET.  Returns NULL, or what is wrong with LINE. */
static const char *parse_address(char *line, uint32_t *ret)
{
	char *at = skip_spaces(line), *end;
	if (!is_hex(*at))
		return *at ? "not a hexadecimal number" : "no address";
	const unsigned long long number = strtoull(at, &end, 16);
	if (*skip_spaces(end))
		return "not a hexadecimal number";
	*ret = (uint32_t)number;
	return number > UINT32_MAX ? "not an RVA: larger than ffffffff" : NULL;
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* Sort the COUNT NUMBERS, at least one, and remove those that are repeated.  Returns how many are left. */
static uint32_t sort_and_remove_repeated(uint32_t *numbers, uint32_t count)
{
	uint32_t kept = 1;
	qsort(numbers, count, sizeof *numbers, compare_numbers);
	for (uint32_t i = 1; i < count; i++)
		if (numbers[i] != numbers[kept - 1])
			numbers[kept++] = numbers[i];
	return kept;
}

/* Parse the lines of FILE into NUMBERS, which has room for all.  NAME is the name of the file for messages.  Returns
   false after a message. */
static bool parse_address_lines(const char *name, struct file_content *file, uint32_t *numbers, uint32_t *count)
{
	char *line = (char *)file->bytes, *end = line + file->size, *next;
	for (*count = 0; line < end; line = next + 1) {
		next = memchr(line, '\n', (size_t)(end - line));
		if (!next)
			next = end;
		*next = '\0';
		const char *wrong = strlen(line) < (size_t)(next - line) ? "a NUL in the line"
									 : parse_address(line, &numbers[*count]);
		++*count;
		if (wrong)
			return diag("%s:%" PRIu32 ": %s: '%s'", name, *count, wrong, line);
	}
	return true;
}

/* Read the list of --for, if it is given, into job->wanted, in ascending order, each address once.  Returns false after
   a message: the file cannot be read, one of its lines is no RVA, it has no lines, or there is no memory. */
static bool read_wanted_addresses(struct job *job)
{
	const char *path = job->command->wanted;
	struct debuginfo_options *options = &job->command->debuginfo;
	struct file_content file;
	if (!path)
		return true;
	if (!file_read_text(path, &file))
		return false;
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
	/* A line with an address has at least two bytes; the last line may lack its newline. */
	job->wanted = malloc((file.size / 2 + 1) * sizeof *job->wanted);
	uint32_t count = 0;
	bool good = job->wanted ? parse_address_lines(name, &file, job->wanted, &count) : diag_report_no_memory();
	if (good && count == 0)
		good = diag("%s: no addresses", name);
	free(file.bytes);
	options->wanted = job->wanted;
	options->wanted_count = good ? sort_and_remove_repeated(job->wanted, count) : 0;
	return good;
}

/* ------------------------------------------------------------------------------------------- from file to file */

static bool write_output(struct job *job)
{
	struct embed_command *command = job->command;
	progress_show(command->output, "writing");
	if (!command->table_only)
		return file_write(command->output, job->result, job->result_size, job->image.st.st_mode);
	const struct rossym_built *table = &job->made.table;
	if (command->to_stdout) {
		/* diag_finish_output() reports a write error, as for everything on standard output. */
		out_bytes(command->out, table->bytes, table->bytes_size);
		return true;
	}
	/* A bare table is not a program, so its file is not executable. */
	mode_t mode = command->input ? job->image.st.st_mode : 0666;
	return file_write(command->output, table->bytes, table->bytes_size, mode & 0666);
}

/* Open the file PATH of --debug-file.  False after a message. */
static bool open_debug_file(struct job *job, const char *path)
{
	struct rossym_error err;
	job->chosen = file_open_regular(path);
	const struct rossym_debug_file file = { .path = path, .fd = job->chosen, .flags = ROSSYM_DEBUG_FILE_CHOSEN };
	if (job->chosen < 0 || (rs_debug_files_add(&job->files, &file, &err) < 0 && !diag_image_error(path, &err)))
		return false;
	job->files.items[0].forced = job->command->force;
	return true;
}

/* Open the files that may have the debug information of the image, unless it has a table.  Returns 0 or -1. */
static int find_debug_files(struct job *job, const struct rs_debug_places *places, struct rossym_error *err)
{
	const struct rossym_open_options options = { .size = sizeof options, .flags = ROSSYM_OPEN_HEADERS };
	struct rossym_image *image;
	struct rossym_section section;
	/* Ignore errors here: making the table will fail for the same reason, with a message. */
	if (rossym_open_memory(job->image.bytes, job->image.size, &options, &image, NULL) < 0)
		return 0;
	const int result = rossym_find_section(image, ".rossym", &section, NULL) > 0
				   ? 0
				   : rs_debug_files_find(&job->files, image, places, err);
	rossym_close(image);
	return result;
}

/* Read the files that may have the debug information, or parts of it.  False after a message. */
static bool find_and_read_debug_files(struct job *job)
{
	struct embed_command *command = job->command;
	struct rossym_error err;
	struct rs_debug_places places = { .image = command->input,
					  .directories = (const char *const *)command->debug_directories.items,
					  .directory_count = command->debug_directories.count,
					  .recorded = command->recorded_paths,
					  .reading = RS_ALL,
					  .warnings = &job->warnings };
	job->warnings.warn = diag_print_warning;
	job->warnings.context = (char *)command->input;
	if (command->dump || !command->input || command->unpacked)
		return true;
	/* ReactOS's rsym looks for no PDB or debug files, so under that name this program does not either.  But
	   under any name it reads the .dwo files that the image refers to. */
	const char *pdb = embed_get_debug_file(command);
	if (pdb && !open_debug_file(job, pdb))
		return false;
	if ((!pdb && !command->as_rsym && find_debug_files(job, &places, &err) < 0) ||
	    rs_debug_files_load(&job->files, &places, &err) < 0)
		return diag_image_error(pdb ? pdb : command->input, &err);
	places.directories = (const char *const *)command->dwo_directories.items;
	places.directory_count = command->dwo_directories.count;
	command->debuginfo.files = job->files.items;
	command->debuginfo.file_count = job->files.count;
	const bool good = job_open_dwos(job, &places);
	command->debuginfo.dwos = job->dwos.items;
	command->debuginfo.dwo_count = job->dwos.count;
	return good;
}

int embed_run(struct embed_command *command)
{
	struct job job = { .command = command,
			   .source = command->dump ? command->dump : command->input,
			   .report = { .size = sizeof job.report },
			   .chosen = -1 };
	if (command->input && !file_read(command->input, &job.image))
		return 1;
	/* ReactOS's dbghelp, which reads tables of user-mode modules, assumes that a function begins at the first row
	   with its name.  So rows of such modules must not have names of inlined functions. */
	if (command->as_rsym)
		command->debuginfo.entry_outer = !subsystem_is_native(job.image.bytes, job.image.size);
	/* Read all files before sandbox_restrict_writer(): after it, only the files in its arguments can be opened. */
	bool good = read_wanted_addresses(&job) && find_and_read_debug_files(&job);
	const char *still_read[] = { command->dump && strcmp(command->dump, "-") != 0 ? command->dump : NULL,
				     command->debuglink };
	/* If some sections may be compressed, load the libraries that decompress them: the sandbox will forbid that. */
	if (job.dwos.count > 0 || job_has_source(&job, rs_debuginfo_may_be_compressed))
		rs_decompressors_load(&job.decompressors);
	sandbox_restrict_writer(still_read, sizeof still_read / sizeof *still_read,
				command->to_stdout ? NULL : command->output);
	/* Builds of ReactOS call rsym for all programs, also for those that run on the build host.  So an ELF file is
	   left as it is, without an error. */
	if (command->as_rsym && job.image.size >= 4 && memcmp(job.image.bytes, "\177ELF", 4) == 0)
		good = true;
	else
		good = good && make_table(&job) && check_complete_or_allowed(&job) && check_rows_or_allowed(&job) &&
		       (command->table_only || make_image(&job)) && write_output(&job);
	progress_end();
	if (good && command->verbose && job.made.table.bytes)
		embed_print_report(&job);
	rs_decompressors_unload(&job.decompressors);
	rs_debug_files_clear(&job.dwos);
	rs_debug_files_clear(&job.files);
	if (job.chosen >= 0)
		close(job.chosen);
	rossym_free(job.made.table.bytes);
	rossym_free(job.result);
	free(job.dump.bytes);
	free(job.wanted);
	free(job.image.bytes);
	return job.broken ? BROKEN_STATUS : !good;
}

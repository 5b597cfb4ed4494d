// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * host.c - ReactOS's host tools rsym and raddr2line
 *
 *	rsym [-s SOURCES]... INPUT OUTPUT
 *
 * This rsym does what rossym-embed does under the name rsym (src/embed), for builds that trust their own files: in one
 * process, without a sandbox, and without PDB files, debug files and .dwo files.
 *
 *	raddr2line FILE ADDRESS		(src/addr2line/raddr2line.h)
 */
#include "config.h"
#include "rossym-host.h"
#include "addr2line/raddr2line.h"
#include "debuginfo/base/decompress.h"
#include "debuginfo/read-rows.h"
#include "embed/subsystem.h"
#include "lib/base/alloc.h"
#include "rossym-write.h"
#include "tool/diag.h"
#include "tool/files/file.h"
#include "tool/paths.h"

#include <string.h>

/* The command line, and the data of all steps. */
struct rsym {
	const char *input, *output;
	struct paths paths;
	struct file_content image;
	struct rossym_built table;
	void *result;
	size_t result_size;
};

/* Parse the command line.  Returns -1 to go on; or, if it is wrong, prints a message and returns the exit status. */
static int parse_command_line(struct rsym *rsym, int argc, char **argv)
{
	int at = 1;
	for (; at < argc && strcmp(argv[at], "-s") == 0; at += 2)
		if (at + 1 < argc && !paths_add_root(&rsym->paths, argv[at + 1]))
			return diag_memory_exit_status();
	if (argc - at != 2 || argv[at][0] == '-') {
		diag_print_plain("Usage: rsym [-s <sources>] <input> <output>");
		return 1;
	}
	rsym->input = argv[at];
	rsym->output = argv[at + 1];
	return -1;
}

static const char *map_path(void *context, const char *path)
{
	struct rsym *rsym = context;
	return paths_shown_path(&rsym->paths, path);
}

static void warn(void *context, const char *text)
{
	const struct rsym *rsym = context;
	diag_warning("%s: %s", rsym->input, text);
}

/* Make the table from the image's debug information.  Returns 0; or -1 after storing *ERR. */
static int make_table(struct rsym *rsym, struct rossym_error *err)
{
	/* ReactOS's dbghelp, which reads tables of user-mode modules, assumes that a function begins at the first row
	   with its name.  So rows of such modules must not have names of inlined functions. */
	const bool outer = !subsystem_is_native(rsym->image.bytes, rsym->image.size);
	const struct rossym_builder_options options = { .size = sizeof options,
							.flags = outer ? ROSSYM_BUILD_ENTRY_OUTER : 0 };
	struct debuginfo_options reading = {
		.map_path = map_path, .warn = warn, .context = rsym, .entry_outer = outer
	};
	struct debuginfo_counts counts;
	struct rossym_builder *builder = NULL;
	char why[128];
	if (rossym_builder_create(&options, &builder, err) < 0)
		return -1;
	int status = rs_debuginfo_add_rows(rsym->image.bytes, rsym->image.size, &reading, builder, &counts, err);
	if (status == 0)
		status = rossym_builder_finish(builder, &rsym->table, err);
	rossym_builder_destroy(builder);
	if (status == 0 && rs_debuginfo_is_partial(&counts, why, sizeof why))
		diag_warning("%s: %s", rsym->input, why);
	if (status == 0 && rsym->table.rows == 0)
		diag_warning("%s: nothing to embed", rsym->input);
	return status;
}

/* Write the output: the image with its table.  Returns the exit status. */
static int write_embedded_image(struct rsym *rsym)
{
	const struct rossym_embed_options options = { .size = sizeof options };
	struct rossym_embed_report report = { .size = sizeof report };
	struct rossym_error err;
	if (!file_read(rsym->input, &rsym->image))
		return 1;
	/* Builds call rsym for all programs, also for those of the build host, so an ELF file is left as it is. */
	if (rsym->image.size >= 4 && memcmp(rsym->image.bytes, "\177ELF", 4) == 0)
		return 0;
	if (make_table(rsym, &err) < 0 ||
	    rossym_embed(rsym->image.bytes, rsym->image.size, rsym->table.rows ? rsym->table.bytes : NULL,
			 rsym->table.bytes_size, &options, &rsym->result, &rsym->result_size, &report, &err) < 0) {
		diag_image_error(rsym->input, &err);
		return 1;
	}
	if (report.certificate > 0)
		diag_warning("%s: the certificates, %u bytes, were dropped: they do not hold for a changed image",
			     rsym->input, (unsigned)report.certificate);
	return file_write(rsym->output, rsym->result, rsym->result_size, rsym->image.st.st_mode) ? 0 : 1;
}

int rossym_host_rsym(int argc, char **argv)
{
	static struct out out;
	struct rsym rsym = { .table = { .size = sizeof rsym.table } };
	diag_start(argc > 0 ? argv[0] : "rsym", &out);
	int status = parse_command_line(&rsym, argc, argv);
	if (status < 0)
		status = write_embedded_image(&rsym);
	rs_free(rsym.result);
	rs_free(rsym.table.bytes);
	free(rsym.image.bytes);
	paths_clear(&rsym.paths);
	return diag_finish_output(status, 1);
}

int rossym_host_raddr2line(int argc, char **argv)
{
	static struct out out;
	diag_start(argc > 0 ? argv[0] : "raddr2line", &out);
	return diag_finish_output(run_raddr2line(argc, argv, &out), 1);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wanted-files.h - missing files that would help to answer more: images, PDB files and debug files
 *
 * Each file has the key under which a symbol store has it (symbol-store.h), so that another program can fetch it.
 * These are the kind, the name and the key of three files:
 *
 *	image	app.exe	app.exe/5DB9029312000/app.exe
 *	pdb	app.pdb	app.pdb/3844DBB920174967BE7AA4A2C20430FA2/app.pdb
 *	debug	app.dbg	b9db4438172067497be7aa4a2c20430f
 *
 * The key of a debug file is its build-id, which debuginfod servers use.  In the key of an image, an asterisk stands
 * for the numbers that are not known.  A key is empty if no store can have the file.
 *
 * Names come from logs and from images.  A name that is not a plain file name on every system (debug-names.h) is left
 * out, because it could lead the other program out of its directory.
 */
#ifndef TOOL_FILES_WANTED_FILES_H
#define TOOL_FILES_WANTED_FILES_H

#include "rossym.h"
#include "tool/out.h"

#include <stdbool.h>

struct wanted_file;

/* All zeros is an empty list. */
struct wanted_files {
	struct wanted_file **items; /* the files, sorted, each once */
	size_t count, room;
	bool too_many;	/* some files were left out, because there were too many */
	bool no_memory; /* some files were left out, because there was no memory */
};

/* Add the image NAME, with its time stamp and its size in memory; each is 0 if it is not known.  Of two elements for
   one image, keeps the one with more known numbers. */
void wanted_files_add_image(struct wanted_files *files, const char *name, uint32_t stamp, uint64_t size);

/* Add the files with symbols that IMAGE, whose path is PATH, names.  Adds none if IMAGE itself has a .rossym table,
   DWARF or stabs. */
void wanted_files_add_symbols(struct wanted_files *files, struct rossym_image *image, const char *path);

/* Print a line for each file: kind, name and key, separated by tabs; or, if JSON is true, a JSON object of them. */
void wanted_files_print(const struct wanted_files *files, struct out *out, bool json);

void wanted_files_clear(struct wanted_files *files);

#endif

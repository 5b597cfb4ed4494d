/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.h - the command lines of rossym-embed and of rsym: the table of options, and the parsed command line */
#ifndef EMBED_COMMAND_H
#define EMBED_COMMAND_H

#include "debuginfo/read-rows.h"
#include "tool/files/search-path.h"
#include "tool/out.h"
#include "tool/paths.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct embed_command {
	const char *input;     /* path of the input; NULL: the command needs none, as with --table-only --from-dump */
	const char *output;    /* path of the output, or "standard output"; NULL with --store */
	bool in_place;	       /* the output replaces the input file */
	const char *debuglink; /* the argument of --debuglink, or NULL */
	const char *dump;      /* the argument of --from-dump, or NULL */
	struct paths paths;
	struct debuginfo_options debuginfo;
	struct search_path dwo_directories;   /* where to search for .dwo files; all debug_directories come last */
	struct search_path debug_directories; /* where to search for debug files; those of _NT_SYMBOL_PATH come last */
	struct search_path pdbs;  /* the arguments of --debug-file; without --store only the last one counts */
	const char *wanted;	  /* the argument of --for, or NULL */
	const char *store;	  /* the argument of --store, or NULL */
	const char *table_option; /* the last option that --store excludes, or NULL */
	char **stored;		  /* the operands of --store */
	size_t stored_count;
	bool packed, unpacked, recorded_paths, keep_debug, table_only, allow_empty, allow_partial, force, verbose;
	bool to_stdout; /* the output goes to standard output */
	bool as_rsym;	/* the program was called as rsym */
	struct out *out;
};

/* The functions that parse the command line return this, not an exit status, if the command is to be run. */
enum { EMBED_RUN = -1 };

/* Parse the command line.  Returns EMBED_RUN; or an exit status, after a message if that is not 0.  COMMAND refers to
   strings of ARGV, which must outlive it. */
int embed_command_parse(struct embed_command *command, int argc, char **argv);

/* Parse the command line of rsym: [-s <sources>] <input> <output>.  Returns what embed_command_parse() does.  Sets
   allow_empty and allow_partial, because rsym accepts an input without symbols, or with some that it cannot read.
   Unlike rsym, accepts several -s, because a build has a second tree, with sources that it generates. */
int embed_command_parse_rsym(struct embed_command *command, int argc, char **argv);

/* Returns the argument of the last --debug-file, or NULL. */
const char *embed_get_debug_file(const struct embed_command *command);

void embed_command_clear(struct embed_command *command);

/* Run COMMAND, which has no --store.  Returns the exit status, after a message if it is not 0. */
int embed_run(struct embed_command *command);

/*
 * Run --store: add the files, and print the path of each in the store.  A file that is in the store already is not
 * replaced; it is an error if its bytes differ.  All files are checked before the first one is added, so most errors
 * leave the store unchanged.  After a later error, such as a full disk, the remaining files are not added.  Drops the
 * privilege to open any other files.  Returns the exit status: 0, or 1 after an error.
 */
int store_add_files(const struct embed_command *command);

#endif

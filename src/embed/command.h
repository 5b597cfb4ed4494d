/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.h - the command lines of rossym-embed and of rsym: the option table, and what is asked for */
#ifndef EMBED_COMMAND_H
#define EMBED_COMMAND_H

#include "debuginfo/read-rows.h"
#include "tool/out.h"
#include "tool/paths.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct embed_arguments { /* of an option that can be repeated */
	const char **items;
	uint32_t count;
	size_t room;
};

struct embed_command {
	const char *input;     /* NULL: rows and table only */
	const char *output;    /* of -v, too; NULL with --serve */
	const char *debuglink; /* the argument of --debuglink, or NULL */
	const char *dump;      /* that of --from-dump, or NULL */
	struct paths paths;
	struct debuginfo_options debuginfo;
	struct embed_arguments dwo_directories, debug_directories;
	struct embed_arguments pdbs; /* those of --pdb; only with --store there can be several */
	const char *wanted;	     /* that of --for, or NULL */
	const char *store;	     /* that of --store, or NULL: then pdbs and verbose count, and nothing else */
	const char *for_tables;	     /* the name of the last other option, or NULL */
	char **images;		     /* what --store adds */
	size_t image_count;
	bool packed, unpacked, recorded_paths, keep_debug, table_only, allow_empty, allow_partial, verbose;
	bool to_stdout; /* the output is standard output */
	bool as_rsym;	/* called as rsym */
	bool serve;	/* --serve: perhaps no input, and no output file */
	struct out *out;
};

/* Parsing has gone well: do what is asked for. */
enum { EMBED_RUN = -1 };

/* Parse the command line.  Returns EMBED_RUN, or the exit status, after a message if it is not 0.  COMMAND borrows the strings
   of ARGV. */
int embed_command_parse(struct embed_command *command, int argc, char **argv);

/* Parse the command line of rsym: [-s <sources>] <input> <output>.  rsym accepts an input without symbols, or with some
   that it cannot read, so this does.  It accepts more than one -s: a build has sources in two trees, one of which it
   makes itself. */
int embed_command_parse_rsym(struct embed_command *command, int argc, char **argv);

/* The argument that holds, or NULL: of repeated options the last. */
const char *embed_last_argument(const struct embed_arguments *arguments);

void embed_command_clear(struct embed_command *command);

#endif

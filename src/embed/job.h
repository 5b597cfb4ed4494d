/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job.h - makes a table in a child process, from the bytes of an image, or of a dump of rows (--from-dump)
 *
 * libiberty and the readers of debug information parse untrusted bytes, and a malicious file may exploit a bug in them.
 * So a child process reads the debug information and makes the table.  It has the bytes that the parent has read,
 * pipes, and limits of time and memory, but no privilege to open anything.  The parent receives a finished table and
 * checks it like a table in any file.  On a system without fork() there is no child, and the same code runs in the
 * program itself.
 *
 * Some images need .dwo files (lib/open/debug-files.h).  Then another child first reads their names in the image, and
 * the parent opens these files, before it drops the privilege to open any.
 */
#ifndef EMBED_JOB_H
#define EMBED_JOB_H

#include "debuginfo/base/decompress.h"
#include "embed/command.h"
#include "lib/open/debug-files.h"
#include "rossym-write.h"
#include "tool/files/file.h"
#include "tool/process/worker.h"

/* What the child sends.  The parent checks the bytes of the table and its number of rows, but no other field. */
struct made {
	struct debuginfo_counts counts;
	struct rossym_built table; /* rossym_free() frees its bytes */
};

/* A run of rossym-embed. */
struct job {
	struct embed_command *command; /* job_make_table() stores its own callbacks in command->debuginfo */
	const char *source;	       /* the path of the image or the dump, for messages */
	/* The input files; all zeros: there is none.  With command->keep_debug the bytes of `image` must not change.
	   `dump` has the rows to use in place of the debug information; tsv_add_lines() changes its bytes. */
	struct file_content image, dump;
	struct made made;
	bool broken; /* the child has crashed, has taken too long, or has sent a damaged table */

	/* These belong to run.c. */
	struct rs_debug_files files, dwos;
	struct rs_warnings warnings; /* warnings about opening files with debug information */
	int chosen;		     /* descriptor of the file of --debug-file; -1: none */
	uint32_t *wanted;	     /* the addresses that --for lists; NULL: all */
	void *result;		     /* the new image */
	size_t result_size;
	struct rossym_embed_report report;
	struct rs_decompressors decompressors;

	/* These belong to job.c. */
	size_t input;		      /* how many bytes the child reads; its limits of time and memory depend on it */
	struct rs_split_names *names; /* where to collect the names of .dwo files, if the child lists them; else NULL */
	struct channel *channel;      /* in the child; NULL: this is not the child */
	struct rs_warnings reading_warnings; /* warnings about reading the debug information */
	size_t given_back; /* in the child: how many bytes of .debug_info it has given back to the system */
	char *shortened;   /* in the child: the last result of shorten_name() */
};

/* Whether TEST is true for the image, or for one of its files with debug information. */
bool job_has_source(const struct job *job, bool (*test)(const struct rs_source *source));

/* Add to job->dwos the .dwp files of the image, and those .dwo files that exist and that the image or one of
   job->command->debuginfo.files names.  Returns false after a message. */
bool job_open_dwos(struct job *job, const struct rs_debug_places *places);

/* Make the table in a child process, and store it in job->made, which must be zeros.  Shows warnings.  False: there is
   no table; *ERR says why.  If the child has crashed, hung or sent a damaged table, this also sets job->broken. */
bool job_make_table(struct job *job, struct rossym_error *err);

/* Print the report of -v on standard output; or as messages, if the table goes to standard output. */
void embed_print_report(const struct job *job);

#endif

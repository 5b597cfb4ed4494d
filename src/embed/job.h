/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job.h - from the bytes of an image, or of a dump, to a table
 *
 * rossym-embed makes all tables in this way: for the file on its command line, and for each request of another program
 * (serve.h).
 */
#ifndef EMBED_JOB_H
#define EMBED_JOB_H

#include "embed/apart.h"
#include "tool/paths.h"

/* The hashes of the warnings that were shown last.  All zeros: none.  A helper makes several tables for one image, and each time
   the same warnings come. */
struct job_shown {
	uint64_t hashes[1024];
	size_t count;
};

struct job {
	const char *source;	/* the file that the table is made from, for messages */
	const void *image;	/* its bytes */
	size_t image_size;
	void *spare;		/* the same bytes, if the job may destroy the debug sections in them; else NULL */
	char *dump;		/* NULL, or the rows to use in place of the debug information; tsv.h changes them */
	size_t dump_size;
	struct paths *paths;	/* what becomes of the paths in it */
	struct debuginfo_options *debuginfo;	/* job_make() stores its own callbacks here */
	struct job_shown *shown;	/* NULL, or the warnings that are not shown again */
	char *shortened;	/* zero at the start; used in the child */
};

/* Make the table in a child process, where there are any.  Warnings are shown as they come.  The result, *MADE and *ERR
   are those of make_apart(). */
enum made_how job_make(struct job *job, struct made *made, struct rossym_error *err);

/* Returns how many bytes the child may read; its limits depend on it. */
size_t job_input_size(const struct job *job);

/* Describe in *ERR what an image has in place of symbols, after job_make() has stored a table without rows in *MADE. */
void job_describe_empty(const struct job *job, const struct made *made, struct rossym_error *err);

#endif

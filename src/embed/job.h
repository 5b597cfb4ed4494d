/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job.h - makes a table from the bytes of an image, or of a dump of rows (--from-dump), in a child process */
#ifndef EMBED_JOB_H
#define EMBED_JOB_H

#include "embed/child-table.h"
#include "tool/paths.h"

struct job {
	const char *source; /* the path of the image or the dump, for messages */
	const void *image;  /* NULL, or the bytes of the image */
	size_t image_size;
	void *disposable; /* `image`, if the job may overwrite the debug sections in it; else NULL */
	char *dump;	  /* NULL, or the text of rows to use in place of the debug information; tsv.h changes it */
	size_t dump_size;
	struct paths *paths;		     /* how to change paths of source files */
	struct debuginfo_options *debuginfo; /* job_make() stores its own callbacks here */
	bool packed;	 /* make a packed table; if there is no debug information, pack the table that the image has */
	bool unpacked;	 /* do not make a table, but unpack the one that the image has */
	char *shortened; /* in the child: the last result of shorten() */
};

/* Make the table for WANTED in a child process, on systems that have fork().  Shows warnings.  The result, *MADE and
   *ERR are those of child_table_make(). */
enum made_how job_make(struct job *job, const struct wanted_rvas *wanted, struct made *made, struct rossym_error *err);

/* job_make() has stored a table without rows in *MADE: store in *ERR why the image has no symbols, or
   which file has them. */
void job_describe_empty(const struct job *job, const struct made *made, struct rossym_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job.h - from the bytes of an image, or of a dump, to a table
 *
 * rossym-embed makes all tables in this way: for the file on its command line, and for each request of another
 * program (serve.h).  For these the child stays: what it has made for all addresses serves all later requests for the
 * same image.
 */
#ifndef EMBED_JOB_H
#define EMBED_JOB_H

#include "embed/child-table.h"
#include "tool/files/file.h"
#include "tool/paths.h"

#include <time.h>

/* The hashes of the warnings that were shown last.  All zeros: none.  A helper makes several tables for one image, and
   each time the same warnings come. */
struct job_shown {
	uint64_t hashes[1024];
	size_t count;
};

struct job {
	const char *source; /* the file that the table is made from, for messages */
	const void *image;  /* its bytes; those of a job that stays are needed only until the child has them */
	size_t image_size;
	const struct file_content *file; /* NULL, or the same bytes as a file that may be mapped */
	void *disposable; /* the same bytes, if the job may destroy the debug sections in them; else NULL */
	char *dump;	  /* NULL, or the rows to use in place of the debug information; tsv.h changes them */
	size_t dump_size;
	struct paths *paths;		     /* what becomes of the paths in it */
	struct debuginfo_options *debuginfo; /* job_make() stores its own callbacks here */
	struct job_shown *shown;	     /* NULL, or the warnings that are not shown again */
	bool packed;   /* the table is packed; if there is no debug information, the one that the image has */
	bool unpacked; /* the table is the one that the image has */
	bool stays;    /* more than one table may be made; give it to job_end(), and do not move it before */

	/* Zero at the start. */
	size_t input_size; /* what job_input_size() has found; 0: it has not looked yet */
	struct making making;
	struct child_table child;
	char *shortened;	    /* the next four are used in the child */
	bool last;		    /* no other table will be made from the files */
	struct made all;	    /* the table for all addresses, if it was made and is kept */
	clock_t spent;		    /* on tables for some addresses */
	struct debuginfo_keep keep; /* what a child that stays has found out about the image */
};

/* Make the table for WANTED in a child process, where there are any.  Warnings are shown as they come.  The
   result, *MADE and *ERR are those of child_table_make().  A job that stays may give a table for more addresses
   than are wanted. */
enum made_how job_make(struct job *job, const struct wanted_rvas *wanted, struct made *made, struct rossym_error *err);

/* End the child of a job that stays, if there is one. */
void job_end(struct job *job);

/* Returns how many bytes the child may read, compressed sections uncompressed; its limits depend on it. */
size_t job_input_size(struct job *job);

/* Describe in *ERR what an image has in place of symbols, after job_make() has stored a table without rows in *MADE. */
void job_describe_empty(const struct job *job, const struct made *made, struct rossym_error *err);

#endif

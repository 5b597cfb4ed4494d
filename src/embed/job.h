/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job.h - makes tables from the bytes of an image, or of a dump of rows (--from-dump)
 *
 * rossym-embed makes all tables in this way: for the file on its command line, and for each request of another program
 * (serve.h).  For requests the child stays: once it has made a table for all addresses, this table answers all later
 * requests for the same image.
 */
#ifndef EMBED_JOB_H
#define EMBED_JOB_H

#include "embed/child-table.h"
#include "tool/files/file.h"
#include "tool/paths.h"

#include <time.h>

/* The hashes of the warnings that were shown last; all zeros at the start.  Each table that is made of an image causes
   the same warnings again, which should be shown once. */
struct job_shown {
	uint64_t hashes[1024];
	size_t count;
};

struct job {
	const char *source; /* the path of the image or the dump, for messages */
	/* NULL, or the bytes of the image; if `stays`, they can be freed when the child has been started */
	const void *image;
	size_t image_size;
	const struct file_content *file; /* NULL, or the file that `image` was read from or is mapped from */
	void *disposable;		 /* `image`, if the job may overwrite the debug sections in it; else NULL */
	char *dump; /* NULL, or the text of rows to use in place of the debug information; tsv.h changes it */
	size_t dump_size;
	struct paths *paths;		     /* how to change paths of source files */
	struct debuginfo_options *debuginfo; /* job_make() stores its own callbacks here */
	struct job_shown *shown;	     /* NULL, or warnings that are not shown again */
	bool packed;   /* make a packed table; if there is no debug information, pack the table that the image has */
	bool unpacked; /* do not make a table, but unpack the one that the image has */
	/* keep the child for more tables; call job_end() after the last one, and do not move the job before */
	bool stays;

	/* The caller sets the following to zeros at the start. */
	size_t input_size; /* the result of job_input_size(); 0 before its first call */
	struct making making;
	struct child_table child;
	/* The next five are used in the child: */
	char *shortened;	    /* the last result of shorten() */
	bool last;		    /* no other table will be made from the files, so their memory can be given back */
	struct made all;	    /* the table for all addresses, if a child that stays has made it */
	clock_t spent;		    /* processor time spent on tables that were not for all addresses */
	struct debuginfo_keep keep; /* facts about the image that later requests use */
};

/* Make the table for WANTED in a child process, on systems that have fork().  Shows warnings.  The result, *MADE and
   *ERR are those of child_table_make().  A job that stays may make a table for more addresses than WANTED. */
enum made_how job_make(struct job *job, const struct wanted_rvas *wanted, struct made *made, struct rossym_error *err);

/* End the child of a job that stays, if it is running. */
void job_end(struct job *job);

/* Returns how many bytes the child will read at most, with compressed sections uncompressed; its
   limits depend on that. */
size_t job_input_size(struct job *job);

/* job_make() has stored a table without rows in *MADE: store in *ERR why the image has no symbols, or
   which file has them. */
void job_describe_empty(const struct job *job, const struct made *made, struct rossym_error *err);

#endif

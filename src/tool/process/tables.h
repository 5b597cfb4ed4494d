/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables.h - tables for images that have none, from a helper: `rossym-embed --serve`
 *
 * rossym-embed is the only program that reads debug information.  The helper starts before this program gives up its
 * rights, and lives as long.  It gets files as bytes, or has opened an image at its start; what comes back is a
 * finished table, or why there is none.  All that comes back is checked, and the table must be opened with the library,
 * which trusts no table.  The helper cannot block this program: there is a deadline, and its end is noticed.
 *
 * What crosses the pipes.  Both programs are of one build, so structures are sent as they are:
 *
 *	to the helper		for each request: struct tables_question; its files, if they are sent, the image first, each as
 *				struct tables_part, the path, the bytes; then the RVAs, each a uint32_t
 *	from the helper		once, when it has opened its files: struct tables_greeting
 *				for each request: struct tables_reply, then the bytes of the table
 */
#ifndef TOOL_PROCESS_TABLES_H
#define TOOL_PROCESS_TABLES_H

#include "rossym.h"
#include "tool/process/process.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits that both sides check. */
enum { TABLES_MOST_FILES = 4096, TABLES_LONGEST_PATH = 1 << 16, TABLES_MOST_RVAS = 1 << 20 };

#define TABLES_FAILED UINT64_MAX

struct tables_greeting {
	char build[24]; /* the version */
	/* bytes of the files that the helper has opened; TABLES_FAILED: it could not, has reported why, and ends */
	uint64_t opened;
};

/* The number of the image that the helper has opened.  The client numbers the others as it likes. */
enum { TABLES_OWN_IMAGE = 0 };

struct tables_question {
	uint64_t image; /* its number */
	/* 0: no files are sent: the helper has opened them, or has got them with an earlier request */
	uint32_t has_image;
	uint32_t file_count; /* without the image */
	uint32_t partial;    /* 0: a whole table */
	uint32_t rva_count;
};

struct tables_part {
	uint64_t size;
	uint32_t path_length; /* without a NUL */
	uint32_t zero;
};

struct tables_reply {
	uint32_t code; /* ROSSYM_OK: a table of `size` bytes follows */
	uint32_t whole;
	uint64_t size;
	uint32_t origin;
	uint32_t again; /* 1: the helper has the files no more, or needs another try; `code` says nothing */
	char why[160];
};

/* ------------------------------------------------------------------------------------------------ the client */

struct tables {
	struct process process;
	bool running, greeted;
	bool reported;	  /* it does not run, and has reported why itself */
	unsigned timeout; /* ms that an answer may take; 0: as long as an honest helper can need, see tables.c */
	uint64_t opened;  /* as in the greeting */
	char why[160];	  /* why it does not run */
};

struct tables_file {
	const char *path;
	const void *bytes;
	size_t size;
};

struct tables_request {
	/* of the image: never the same for two; TABLES_OWN_IMAGE: the one named at start, which the helper has opened,
	   with its debug files */
	uint64_t number;
	const struct tables_file *image; /* NULL: it was in an earlier request; then there are no files */
	const struct tables_file *files; /* files with debug information of it: debug files, PDBs, .dwo files */
	size_t file_count;
	/* How many bytes all files of the image have.  Used only if IMAGE is NULL and NUMBER is not TABLES_OWN_IMAGE. */
	uint64_t size;
	const uint32_t *rvas; /* ascending; NULL: a whole table */
	size_t rva_count;
};

struct tables_answer {
	void *table; /* on the heap, the caller frees it; NULL: there is none */
	size_t size;
	bool whole; /* the table answers for all addresses, although perhaps only some were asked for */
	/* which file has the debug information: 0: the image, else 1 + its number among the request's files, .dwo files
	   not counted */
	size_t origin;
	/* there is no table because the helper has the image no more: send it again, with its files */
	bool again;
	enum rossym_code code; /* without a table: ROSSYM_ENOSYMS: the image has nothing; else making one failed */
	char why[160];	       /* the reason in words, without a file name */
};

/*
 * Start the helper, in the directory of this program or where it is installed.  OPTIONS: options of rossym-embed,
 * NULL at the end; NULL: none.  IMAGE: a path of an image that the helper opens, or NULL.  This does not wait for it.
 * Call it before rights are given up, and tables_end() at the end.  Returns false, and the reason in tables->why, if there is
 * no helper.
 */
bool tables_start(struct tables *tables, const char *const *options, const char *image);

/* Start the helper for a program that may need no table: nothing is run before the first request, unless the system
   cannot do that. */
bool tables_start_idle(struct tables *tables);

/* As tables_start(), with the program at PATH as the helper. */
bool tables_start_at(struct tables *tables, const char *path, const char *const *options, const char *image);

/*
 * Get a table.  At most one thread may be in here.  What the user should know about the debug information, the helper
 * prints on standard error, under the name of this program.  Returns false if the helper failed, with the reason in
 * answer->why, now and from then on: warn once, and answer as for an image without symbols.
 */
bool tables_ask(struct tables *tables, const struct tables_request *request, struct tables_answer *answer);

/* Let the helper end.  May be called again, and for all zeros. */
void tables_end(struct tables *tables);

/* ------------------------------------------------------------------------------------------------ for the library */

/* Tables that an image uses, which must stay until it is closed.  All zeros: none. */
struct tables_kept {
	void **items;
	size_t count, room;
};

/*
 * Give the table of ANSWER to the library: the end of a `make` of struct rossym_open_options.  KEPT owns the table from
 * then on.  Returns 0; or -1 with ROSSYM_ENOMEM, and the table has been freed.
 */
int tables_give(struct tables_kept *kept, const struct tables_answer *answer, struct rossym_made *made,
		struct rossym_error *err);

/* Free all tables.  Close the image before. */
void tables_free_kept(struct tables_kept *kept);

#endif

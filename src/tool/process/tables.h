/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tables.h - gets tables from a helper process, `rossym-embed --serve`, for images that have none
 *
 * Only rossym-embed makes tables from debug information.  The helper starts before this program drops its
 * privileges, and runs as long as this program.  It gets the bytes of files, or has opened an image at its start; it
 * sends back a finished table, or the reason why there is none.  Replies are checked, and the library, which opens the
 * table, trusts no table.  The helper cannot block this program, because each reply has a deadline.
 *
 * The messages.  Both programs are of one build, so structures are sent as they are in memory:
 *
 *	to the helper		for each request: struct tables_question; its files, if they are sent, the image first,
 *				each as struct tables_part, the path, the bytes; then the RVAs, each a uint32_t
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
enum { TABLES_FILES_MAX = 4096, TABLES_PATH_LENGTH_MAX = 1 << 16, TABLES_RVAS_MAX = 1 << 20 };

#define TABLES_FAILED UINT64_MAX

struct tables_greeting {
	char build[24]; /* the version of rossym-embed */
	/* The size of all files together that the helper has opened, in bytes.  TABLES_FAILED: it could not open them;
	   it has printed the reason, and ends. */
	uint64_t opened;
};

/* The number of the image that the helper has opened at its start.  The client chooses the numbers of other images. */
enum { TABLES_OWN_IMAGE = 0 };

struct tables_question {
	uint64_t image; /* the number of the image */
	/* 1: the image and its files follow; 0: the helper has opened them, or has got them with an earlier request */
	uint32_t has_image;
	uint32_t file_count; /* how many files follow the image */
	uint32_t partial;    /* 1: a table for the RVAs that follow; 0: for all of the image */
	uint32_t rva_count;
};

/* A file: its path and its bytes follow. */
struct tables_part {
	uint64_t size;	      /* of the file's content, in bytes */
	uint32_t path_length; /* of the path, which has no NUL */
	uint32_t zero;	      /* padding */
};

/* Members mean the same as in struct tables_answer. */
struct tables_reply {
	uint32_t code; /* ROSSYM_OK: a table of `size` bytes follows */
	uint32_t whole;
	uint64_t size;
	uint32_t origin;
	uint32_t again; /* 1: the helper no longer has the files, or needs another try; ignore `code` */
	char why[160];
};

/* ------------------------------------------------------------------------------------------------ the client */

struct tables {
	struct process process;
	bool running;	  /* the helper has been started, and has not failed */
	bool greeted;	  /* the greeting has been received */
	bool reported;	  /* the helper has failed, and has printed the reason itself */
	unsigned timeout; /* ms that an answer may take; 0: as long as an honest helper can need (set_deadline()) */
	uint64_t opened;  /* bytes of the files that the helper has opened; until `greeted`, of the image alone */
	char why[160];	  /* why the helper could not be started, or has failed */
};

struct tables_file {
	const char *path;
	const void *bytes;
	size_t size;
};

struct tables_request {
	/* A number that no other image has.  TABLES_OWN_IMAGE: the image that the helper has opened at its start, with
	   its debug files. */
	uint64_t number;
	const struct tables_file *image; /* NULL: an earlier request has sent it; then there are no files either */
	const struct tables_file *files; /* debug files, PDB files and .dwo files of the image */
	size_t file_count;
	/* The size of the image and all its files in bytes, for the deadline; used only if IMAGE is NULL and NUMBER is
	   not TABLES_OWN_IMAGE. */
	uint64_t size;
	const uint32_t *rvas; /* get a table for these, in ascending order; NULL: for all of the image */
	size_t rva_count;
};

struct tables_answer {
	void *table; /* the caller frees it; NULL: there is none */
	size_t size; /* of the table, in bytes */
	bool whole;  /* the table is for all addresses of the image, even if the request was for some */
	/* The file with the debug information.  0: the image; else 1 + the index of the file in the request's files,
	   where .dwo and .dwp files are not counted. */
	size_t origin;
	bool again;	       /* the helper no longer has the image: repeat the request with the image and its files */
	enum rossym_code code; /* no table: ROSSYM_ENOSYMS if no symbols were found, another code if making it failed */
	char why[160];	       /* the reason in words, without a file name */
};

/*
 * Start the helper: rossym-embed in the directory of this program, or where it is installed.  OPTIONS: options of
 * rossym-embed, then NULL; or NULL: none.  IMAGE: the path of an image that the helper opens; or NULL.  Does not wait
 * for the helper.  Call this before privileges are dropped, and tables_end() at the end.  Returns false, with the
 * reason in tables->why, if the helper cannot be started.
 */
bool tables_start(struct tables *tables, const char *const *options, const char *image);

/* Start the helper for a program that may need no table: rossym-embed runs only when the first request comes, unless
   the system lacks fork(). */
bool tables_start_idle(struct tables *tables);

/* As tables_start(), with the program at PATH as the helper. */
bool tables_start_at(struct tables *tables, const char *path, const char *const *options, const char *image);

/*
 * Get a table.  Only one thread at a time may call this.  The helper prints messages about the debug information on
 * standard error, under the name of this program.  Returns false if the helper has failed, with the reason in
 * answer->why; all later calls then return false, too.  The caller should warn once, and answer as for
 * an image without symbols.
 */
bool tables_ask(struct tables *tables, const struct tables_request *request, struct tables_answer *answer);

/* Close the pipes, which makes the helper end.  May be called again, and for a structure of zeros. */
void tables_end(struct tables *tables);

/* ------------------------------------------------------------------------------------------------ for the library */

/* Tables that an image uses, which must stay valid until it is closed.  All zeros: none. */
struct tables_kept {
	void **items;
	size_t count, room;
};

/*
 * Store the table of ANSWER in *MADE, for the `make` function of struct rossym_open_options.  KEPT owns the table from
 * then on.  Returns 0; or -1 and ROSSYM_ENOMEM in *ERR, and then the table has been freed.
 */
int tables_hand_over(struct tables_kept *kept, const struct tables_answer *answer, struct rossym_made *made,
		     struct rossym_error *err);

/* Free all tables, after the image has been closed. */
void tables_free_kept(struct tables_kept *kept);

#endif

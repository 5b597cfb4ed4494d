/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * set-files.h - the files that a set has looked into, and those of them that are open
 *
 * What was once found out about a file is kept.  Its image is opened when it is wanted.  Open images are few at a time
 * and hold a limited amount of memory; what was not used for the longest time makes way.
 */
#ifndef RS_SET_FILES_H
#define RS_SET_FILES_H

#include "rossym-set.h"
#include "lib/set/set-keys.h"

#include <stdbool.h>

struct rs_set_file {
	char *path;		   /* for rossym_open(), or NULL: */
	void *handle;		   /* for the callback `open` */
	bool known;		   /* why, error, stamp, size_of_image and guid are valid */
	enum rossym_why why;	   /* ANSWERED: it has a table; else NO_SYMBOLS or BROKEN */
	struct rossym_error error; /* why it has none */
	uint32_t stamp;
	uint32_t size_of_image;
	uint8_t guid[16]; /* of its PDB file or build-id; zeros: it has none */
	uint32_t grade;	  /* as `open` has told it */
	/* it has sections of code, but not their bytes: a debug file of the module's name */
	bool debug_only;
	struct rossym_opened opened;	   /* the image is NULL while it is closed */
	size_t made_bytes;		   /* of the tables that look-ups had made for the image */
	size_t lookups;			   /* since it was opened */
	struct rs_set_file *newer, *older; /* while it is open */
	struct rs_set_file *next;
};

struct rs_set_files {
	struct rossym_set_options options; /* limits and callbacks, none of the limits 0 */
	struct rs_keys keys;
	struct rs_set_file *first;
	struct rs_set_file *open; /* the most recently used one */
	uint32_t open_count;	  /* images that keep a file open */
	size_t open_bytes;	  /* held by the others, and by tables that were made */
};

/* The file at PATH, or, if that is NULL, of HANDLE.  NULL: no memory. */
struct rs_set_file *rs_set_file(struct rs_set_files *files, const char *path, void *handle);

/*
 * Open FILE, if it is not open and not known to be of no use, and count it as the most recently used one.
 * KEEP: do not close other files to make room for it, whatever the limits are.  Returns 0: then the image is open, or
 * `why` tells why it is not.  Returns -1 for ROSSYM_ENOMEM.
 */
int rs_set_file_open(struct rs_set_files *files, struct rs_set_file *file, bool keep, struct rossym_error *err);

/* COUNT look-ups are to come: build the index if that pays.  Returns as rs_set_file_open(). */
int rs_set_file_expect(struct rs_set_files *files, struct rs_set_file *file, size_t count, struct rossym_error *err);

/* Look-ups in the image of FILE may have had tables made: count their bytes, and let other images make way. */
void rs_set_file_count(struct rs_set_files *files, struct rs_set_file *file);

/* Read the whole table and the block, so that no look-up reads anything later.  Returns as rs_set_file_open(). */
int rs_set_file_prepare(struct rs_set_files *files, struct rs_set_file *file, struct rossym_error *err);

/* The image of FILE has failed with REASON.  Returns 0, and FILE is broken from now on; or -1 if that was
   ROSSYM_ENOMEM, which decides nothing. */
int rs_set_file_failed(struct rs_set_files *files, struct rs_set_file *file, const struct rossym_error *reason,
		       struct rossym_error *err);

/* Close the image of FILE, if it is open. */
void rs_set_file_close(struct rs_set_files *files, struct rs_set_file *file);

void rs_set_files_clear(struct rs_set_files *files);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * set-files.h - the files that a set has opened once, and which of them are open
 *
 * The facts about a file stay.  Its image is opened when it is needed.  The number of open images and their memory are
 * limited: if a limit is exceeded, the least recently used images are closed.
 */
#ifndef RS_SET_FILES_H
#define RS_SET_FILES_H

#include "rossym-set.h"
#include "lib/set/set-keys.h"

#include <stdbool.h>

struct rs_set_file {
	char *path;		   /* for rossym_open(); NULL: the callback `open` opens the file */
	void *handle;		   /* what was offered as `file`, for `open`; NULL if there is a path */
	bool known;		   /* the file has been opened once, or opening has failed: the next fields are valid */
	enum rossym_why why;	   /* ANSWERED: it has a table; else NO_SYMBOLS or BROKEN */
	struct rossym_error error; /* for NO_SYMBOLS and BROKEN: what is wrong with the file */
	uint32_t stamp;
	uint32_t size_of_image;
	uint16_t machine;
	uint8_t guid[16];		   /* GUID of its PDB file, or its build-id; zeros: it has neither */
	uint32_t grade;			   /* as in struct rossym_opened */
	bool debug_only;		   /* the file has sections of code, but not their bytes: it is a debug file */
	struct rossym_opened opened;	   /* opened.image is NULL while the image is closed */
	size_t made_bytes;		   /* bytes of the tables or answers that were made on demand for the image */
	size_t lookups;			   /* how many look-ups were announced since the image was opened */
	struct rs_set_file *newer, *older; /* the list of open images, by when they were last used */
	struct rs_set_file *next;	   /* the list of all files */
};

struct rs_set_files {
	struct rossym_set_options options; /* limits and callbacks; a limit of 0 has been replaced by its default */
	char **directories;		   /* copies of those that the options name: options.directory_count of them */
	struct rs_keys keys;		   /* files by path or handle */
	struct rs_set_file *first;	   /* the head of the list of all files */
	struct rs_set_file *open;	   /* the most recently used open image */
	uint32_t open_count;		   /* how many images keep a file open */
	size_t open_bytes;		   /* bytes of images that keep no file open, and of what was made on demand */
};

/* Returns the record of the file at PATH or, if PATH is NULL, of HANDLE; makes one if there is none.  NULL:
   there is no memory. */
struct rs_set_file *rs_set_file(struct rs_set_files *files, const char *path, void *handle);

/*
 * Open the image of FILE, unless it is open or `why` says that it has none, and make it the most recently used one.
 * KEEP: do not close other images, even if a limit is exceeded.  Returns 0: then the image is open, or `why` says why
 * not.  Returns -1 for ROSSYM_ENOMEM.
 */
int rs_set_file_open(struct rs_set_files *files, struct rs_set_file *file, bool keep, struct rossym_error *err);

/* COUNT look-ups in the image of FILE come next: build its index if that saves time.  Returns as rs_set_file_open(). */
int rs_set_file_expect(struct rs_set_files *files, struct rs_set_file *file, size_t count, struct rossym_error *err);

/* Look up the COUNT addresses RVAS in FILE, whose image is open: store the answers in FRAMES as rossym_lookup_many()
   does and, if opened.look_up gives them, all frames in FOUND.  Returns 0 or -1. */
int rs_set_file_look_up(struct rs_set_file *file, const uint64_t *rvas, size_t count, unsigned flags,
			struct rossym_frame *frames, struct rossym_found *found, struct rossym_error *err);

/* Call this after look-ups in the image of FILE: counts the bytes of the tables or answers that were made for these
   look-ups, and closes other images if the limit is exceeded. */
void rs_set_file_count(struct rs_set_files *files, struct rs_set_file *file);

/* Read the whole table and the block, so that no look-up reads anything later.  Returns as rs_set_file_open(). */
int rs_set_file_prepare(struct rs_set_files *files, struct rs_set_file *file, struct rossym_error *err);

/* Opening or reading the image of FILE has failed with REASON.  If REASON is ROSSYM_ENOMEM, returns -1: opening FILE
   again can succeed.  Else stores REASON, so that FILE is not opened again, and returns 0. */
int rs_set_file_failed(struct rs_set_files *files, struct rs_set_file *file, const struct rossym_error *reason,
		       struct rossym_error *err);

/* Close the image of FILE, if it is open. */
void rs_set_file_close(struct rs_set_files *files, struct rs_set_file *file);

void rs_set_files_clear(struct rs_set_files *files);

#endif

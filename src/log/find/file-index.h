/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file-index.h - finds files by their names, without regard to case; reads their bytes, or the headers of images
 *
 * The index is made once, from the files, directories and archives that the user named (-e, -d), or from
 * the default places.  A name in a log can only select a file of the index: rossym-log never opens a path from a log.
 *
 * With index->discs, the ISOs that are directly in one of these directories are read as if the user had named them.
 * ISOs in a build directory are not: they have the same modules as the directory.
 */
#ifndef LOG_FIND_FILE_INDEX_H
#define LOG_FIND_FILE_INDEX_H

#include "log/archive/archives.h"
#include "rossym-set.h"
#include "search/listings.h"
#include "tool/files/search-path.h"

#include <stdbool.h>
#include <stddef.h>

struct file {
	char *path;   /* the path of the file, or of the outermost archive that holds it */
	char *inside; /* the path in the innermost archive; NULL if the file is in none */
	char *name;   /* the name of the file without its path, in lower case */
	char *label;  /* the file's name for messages: "PATH" or "PATH: INSIDE", with control characters masked */
	struct archives_place place; /* where the file is in its archive, if `inside` is not NULL */
	/* 0: the user named the file itself.  Otherwise the number of the directory or archive that it is from, counted
	   from 1: index->places.items[order - 1] */
	unsigned order;
	struct image_place *image_place; /* the place (builds.h) that the file is from, or NULL */
	/* the file whose debug information has answered for this image, perhaps the image itself; NULL: none has */
	const struct file *debug_file;
	bool outside;	   /* the file is not in the index: it is from index_get_outside_file() */
	bool machine_read; /* candidates.c has tried to read `machine` */
	uint16_t machine;  /* the image's processor, as PE headers number it; 0: it could not be read */
	/* a message has been printed: that the file is broken; that names in its .rossym table are cut */
	bool reported_broken, reported_short;
};

struct index {
	struct file **files;
	size_t count, room;
	struct search_path places; /* the directories and archives that the user named, or the default places */
	/* How many of `places` index_read_places() reads whole.  In the directories after them, which can be large
	   symbol stores, files are only looked for by name. */
	size_t whole_count;
	bool discs;			/* read the ISOs that are directly in a directory of `places`, too */
	bool read;			/* index_read_places() has added the files in `places` */
	bool failed;			/* index_read_places() could not read all places */
	struct search_path debug_files; /* PDB and debug files that the user named */
	struct file **others;		/* files that are not in the index: index_get_outside_file() has made them */
	size_t other_count, other_room;
	struct listings listings;     /* directories in which files were looked for without regard to case */
	struct archives *archives;    /* NULL until index_get_archives() has made it */
	struct budget budget;	      /* the budget for all archives together */
	struct worker_table *workers; /* the workers that read archives */
	bool sorted;		      /* `files` is sorted, and stays so when a file is added */
};

/* Add a file that the user named.  NAME: the name of its module; NULL: the name of the file.  Returns false after a
   message if there is no memory. */
bool index_add_file(struct index *index, const char *path, const char *name);

/* Add the file PATH, called NAME in lower case, from index->places.items[PLACE] before index_read_places() reads that
   place, unless it is in the index already.  Returns false after a message if there is no memory. */
bool index_add_if_missing(struct index *index, const char *name, const char *path, size_t place);

/* Add the files whose name is NAME, without regard to case, that are directly in a directory in which files are only
   looked for by name.  Returns false after a message if there is no memory. */
bool index_add_files_called(struct index *index, const char *name);

/* For a run without -e and -d, add to index->places the directories and archives that the environment variable
   ROSSYM_PATH lists.  If it names none, add the current directory, but only if it looks like a build directory of
   ReactOS or like the content of an ISO of ReactOS.  The work to find that out is limited, because the current
   directory may be any directory.  A message names the places, if there are any.  DEBUG_INFO: a build directory also
   counts if its images have debug information in place of tables.  Returns false after a message if there is no memory.
   */
bool index_add_default_places(struct index *index, bool debug_info);

/* Add all files below the directories and inside the archives in index->places; only the first call does so.  A place
   or file that cannot be read is left out, after a message, and index->failed is set. */
void index_read_places(struct index *index);

/* Returns the struct file for PATH, which is made at the first call and is no part of the index: index_find() does not
   find it.  It is valid until index_clear().  Returns NULL if there is no memory. */
struct file *index_get_outside_file(struct index *index, const char *path);

/* Find the files whose names begin with the LENGTH bytes at PREFIX, without regard to case.  If the last byte is the
   NUL, these are the files with exactly this name.  Returns a pointer to the first of *COUNT files, sorted by name and
   order, then files outside of archives before those inside, then by path.  The list is valid until something is added,
   the files until index_clear(). */
struct file **index_find(struct index *index, const char *prefix, size_t length, size_t *count);

/* If PATH ends like the path of a file in a symbol store, NAME/KEY/NAME, returns where KEY begins, and stores in *END
   where it ends; else both are 0. */
size_t file_find_store_key(const char *path, size_t *end);

/* Whether the archive PATH, whose files have this ORDER, is a place of its own (builds.h): the user named it, or it is
   an ISO.  Otherwise it is a cabinet in a directory. */
bool index_is_archive_a_place(const struct index *index, const char *path, unsigned order);

void index_clear(struct index *index);

/* Returns index->archives, which the first call makes.  Returns NULL if there is no memory. */
struct archives *index_get_archives(struct index *index);

struct file_bytes {
	const void *bytes;
	size_t size;
	void *own;		 /* a file outside of archives: the bytes, to be freed; else NULL */
	struct content *content; /* a file in an archive: the content to which the bytes belong; else NULL */
};

/* Read all of FILE, a regular file or one in an archive, if it has at most MOST bytes.  Returns false if that fails;
   the reason is in *ERR if FILE is in an archive. */
bool file_bytes_read(struct index *index, const struct file *file, uint64_t most, struct file_bytes *whole,
		     struct archives_error *err);

/* Free the bytes of WHOLE, which may be all zeros. */
void file_bytes_clear(struct index *index, struct file_bytes *whole);

/* Open FILE.  CONTENT has its bytes if FILE is in an archive; else CONTENT is NULL.  Returns 0 or -1. */
int file_image_open(const struct file *file, const struct content *content, const struct rossym_open_options *options,
		    struct rossym_image **image, struct rossym_error *err);

/* Open FILE.  FLAGS are those of struct rossym_open_options.  Fills *OPENED as the function `open` of a set must
   (rossym-set.h); opened->content is a struct content.  Returns false, without a message, if FILE cannot be opened.  In
   that case, *OVER_BUDGET tells whether the only reason is that the budget for archives is used up.  OVER_BUDGET may be
   NULL.  After success, call file_image_close(). */
bool file_image_unpack_and_open(struct index *index, const struct file *file, unsigned flags,
				struct rossym_opened *opened, bool *over_budget);

/* Close what file_image_unpack_and_open() has opened.  KEEP: the bytes of a file in an archive stay in memory until
   others need the room. */
void file_image_close(struct index *index, struct rossym_opened *opened, bool keep);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * builds.h - which build of ReactOS each directory, archive or ISO of images has
 *
 * A *place* is a directory, an archive or an ISO whose images are of one build, which its kernel names.  The user named
 * it (-d), or it is an ISO in a directory that the user named.  A directory with kernels of several builds is divided:
 * each highest directory below it that has kernels of only one build is a place; if one directory has kernels of
 * several builds, each of these kernels is a place alone.  A directory or archive that the user named and that has no
 * kernel is one place, of an unknown build.  A file outside of all places is of an unknown build.
 */
#ifndef LOG_FIND_BUILDS_H
#define LOG_FIND_BUILDS_H

#include "log/read/build-name.h"
#include "log/find/file-index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The file names of kernels, in lower case.  The last one is NULL. */
extern const char *const kernel_names[];

enum { KERNELS_TRIED = 8 }; /* the most kernels of an archive that are read to find its build */

struct image_place {
	char *path;
	unsigned order;	    /* the member `order` of the place's files (file-index.h) */
	struct build build; /* the build of the images; empty if unknown */
	bool mixed;	    /* an archive with several ISOs, which may be of several builds: its build stays unknown */
	struct file *kernels[KERNELS_TRIED]; /* the kernels of an archive; unused for a directory */
	unsigned kernel_count;
};

struct builds {
	struct image_place **places; /* all places, sorted by path */
	size_t count, room;
	struct build wanted; /* the build whose images are preferred; empty: none */
	bool read;	     /* builds_find_places() was called */
	/* If not NULL, prefer the images of this place, whose build is unknown; else those of the build `wanted`. */
	const struct image_place *chosen;
	bool out_of_memory;
	uint64_t kernel_bytes_left; /* how many bytes of kernels may still be read */
};

void builds_init(struct builds *builds);
void builds_clear(struct builds *builds);

/* Find the places among the files of INDEX, which has been read, and their builds.  Later calls do nothing. */
void builds_find_places(struct builds *builds, struct index *index);

/* Prefer files of BUILD from now on; or, if PLACE is not NULL, files of PLACE, whose build is unknown.  An empty BUILD
   prefers none.  Returns whether this differs from what was preferred. */
bool builds_set_wanted(struct builds *builds, const struct build *build, const struct image_place *place);

/* Whether one of the places has the wanted build, or a place is chosen. */
bool builds_have_preferred(const struct builds *builds);

/* Compare the build of FILE's place with the wanted build.  If a place is chosen, returns BUILD_SAME for its files, and
   BUILD_OTHER for files of other places.  Returns BUILD_UNKNOWN for a file outside of all places. */
enum build_same builds_compare_file(const struct builds *builds, const struct file *file);

/* Whether the places are of more than one known build.  Call it after builds_find_places(). */
bool builds_are_several(const struct builds *builds);

/* Returns the build of the place that FILE is from; NULL if it is unknown, or if FILE is NULL. */
const struct build *builds_get_build(const struct file *file);

#endif

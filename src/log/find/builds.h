/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * builds.h - which build each place has
 *
 * A *place* holds images of one build, which its kernel names.  It is a directory or an archive that the user named, or
 * a disc in a directory of discs.  A directory with kernels of several builds is divided: each highest directory below
 * it with kernels of only one build is a place.  A directory or archive that the user named and that has no kernel is
 * one place, of an unknown build.  A file outside of all places is of an unknown build.
 */
#ifndef LOG_FIND_BUILDS_H
#define LOG_FIND_BUILDS_H

#include "log/read/build-name.h"
#include "log/find/file-index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KERNELS_TRIED = 8 }; /* of an archive */

struct built_place {
	char *path;
	unsigned order;	    /* the `order` of its files */
	struct build build; /* empty if unknown */
	/* an archive with several discs, which may be of several builds: no build counts */
	bool mixed;
	struct file *kernels[KERNELS_TRIED]; /* of an archive */
	unsigned kernel_count;
};

struct builds {
	struct built_place **places; /* sorted by path */
	size_t count, room;
	struct build wanted; /* the build that is preferred; empty: none */
	bool read, settled;
	bool has_wanted; /* one of the places has the wanted build */
	/* the place of an unknown build that is preferred in place of one of a wanted build; or NULL */
	const struct built_place *chosen;
	bool out_of_memory;
	uint64_t left; /* how many bytes of kernels may still be read */
};

void builds_init(struct builds *builds);
void builds_clear(struct builds *builds);

/* Find the places of INDEX, which has been read, and their builds.  Later calls do nothing. */
void builds_read(struct builds *builds, struct index *index);

/* Prefer files of BUILD from now on; an empty BUILD prefers none.  Returns whether that changes anything. */
bool builds_want(struct builds *builds, const struct build *build);

/* Prefer files of PLACE from now on, which is of an unknown build, until another build is wanted. */
void builds_choose(struct builds *builds, const struct built_place *place);

/* Prepare builds_fit(): find the places, and whether one has the wanted build. */
void builds_settle(struct builds *builds, struct index *index);

/* Whether FILE is of the wanted build. */
enum build_same builds_fit(const struct builds *builds, const struct file *file);

/* Whether the places, which have been read, are of several builds. */
bool builds_are_several(const struct builds *builds);

/* Returns the build of the place that FILE is from; NULL: unknown, or FILE is NULL. */
const struct build *builds_of(const struct file *file);

#endif

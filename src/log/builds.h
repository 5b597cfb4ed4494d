/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * builds.h - which build each place has
 *
 * A *place* is what has images of one build, as its kernel tells it: a directory or an archive that the user named, or a disc in a
 * directory of discs.  If kernels of several builds are below one directory, a place is the highest directory below it that has
 * kernels of one build only.  A file that is in no place is of an unknown build.
 *
 * Out of a cabinet, reading a kernel costs unpacking what is before it.  So what was found out about archives can be kept in a file
 * (cache.h).  What that file says is a *claim*: it only tells which archives to look into.  A claim that would decide which build
 * an answer is from is always checked.
 */
#ifndef LOG_BUILDS_H
#define LOG_BUILDS_H

#include "log/build.h"
#include "log/cache.h"
#include "log/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KERNELS_TRIED = 8 };	/* of an archive */

struct built_place {
	char *path;
	unsigned order;			/* as that of its files */
	struct build build;		/* empty: unknown */
	bool claimed;			/* `build` is a claim */
	bool mixed;			/* an archive with several discs, which may be of several builds: no build counts */
	struct file *kernels[KERNELS_TRIED];	/* of an archive */
	unsigned kernel_count;
};

struct builds {
	struct built_place **places;	/* sorted by path */
	size_t count, room;
	struct build wanted;		/* the build that is preferred; empty: none */
	struct cache *cache;		/* or NULL */
	bool read, settled;
	bool has_wanted;		/* one of the places has the wanted build */
	bool out_of_memory;
	uint64_t left;			/* how many bytes of kernels may still be read */
};

void builds_init(struct builds *builds);
void builds_clear(struct builds *builds);

/* Find the places of INDEX, which has been read, and their builds; only the first call does so.  TRUST: claims will do. */
void builds_read(struct builds *builds, struct index *index, bool trust);

/* Prefer files of BUILD from now on; NULL: of none.  False: that was so before. */
bool builds_want(struct builds *builds, const struct build *build);

/* Find the places, if that has not been done, and check claims, so that builds_fit() can tell. */
void builds_settle(struct builds *builds, struct index *index);

/* Whether FILE is of the wanted build. */
enum build_same builds_fit(const struct builds *builds, const struct file *file);

/* Returns the build of the place that FILE is from; NULL: unknown. */
const struct build *builds_of(struct builds *builds, struct index *index, const struct file *file);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidates.h - which files of the index are offered to the set as images of a module (rossym-set.h)
 *
 * To open a file in an archive can take seconds.  So files that the set would not choose are not offered: those that
 * firmware.h leaves out; those of most ISOs if nothing can decide between several; and those of other builds than the
 * log's, unless the log tells the DateStamp, or no place has the log's build.
 */
#ifndef LOG_FIND_CANDIDATES_H
#define LOG_FIND_CANDIDATES_H

#include "log/find/builds.h"
#include "log/find/firmware.h"
#include "rossym-set.h"

/* Offer to CANDIDATES the files that have the WANTED name: wanted->name itself; or if wanted->suffix is not NULL, a
   name that begins with wanted->name and ends with that suffix.  Leaves out the files for which firmware_leaves_out()
   returns true.  If a build is wanted, builds_settle() must have been called.  Returns 0, or -1 with *ERR. */
int candidates_offer(struct index *index, const struct builds *builds, struct firmware *firmware,
		     const struct rossym_wanted *wanted, struct rossym_candidates *candidates,
		     struct rossym_error *err);

/* Like candidates_offer(), but offer all files of PLACE that have the name, and no others.  Builds and
   machines do not matter. */
int candidates_offer_from(struct index *index, const struct image_place *place, const struct rossym_wanted *wanted,
			  struct rossym_candidates *candidates, struct rossym_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidates.h - which files of the index are offered to the set as images of a module (rossym-set.h)
 *
 * To open a file in an archive can take seconds.  So files that the set would not choose are not offered: those of
 * other builds than the log's, and those of most ISOs if nothing can decide between several; nor are files that
 * firmware.h leaves out.
 */
#ifndef LOG_FIND_CANDIDATES_H
#define LOG_FIND_CANDIDATES_H

#include "log/find/builds.h"
#include "log/find/firmware.h"
#include "rossym-set.h"

/* Offer to CANDIDATES the files with the name that is WANTED: wanted->name itself; or if there is a wanted->suffix, a
   name that begins with wanted->name and ends with the suffix.  Leaves out the files for which firmware_leaves_out()
   returns true.  If a build is wanted, builds_settle() must have been called.  Returns 0, or -1 with *ERR. */
int candidates_offer(struct index *index, const struct builds *builds, struct firmware *firmware,
		     const struct rossym_wanted *wanted, struct rossym_candidates *candidates,
		     struct rossym_error *err);

/* As candidates_offer(), but offer all files of PLACE with that name and no others, whatever build is wanted,
   and firmware of any machine. */
int candidates_offer_from(struct index *index, const struct image_place *place, const struct rossym_wanted *wanted,
			  struct rossym_candidates *candidates, struct rossym_error *err);

#endif

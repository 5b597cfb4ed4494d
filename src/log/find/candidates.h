/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidates.h - which files of the index the set may choose from, as images of a module
 *
 * To open a file in an archive can take seconds.  So files that cannot win are not offered: those of other builds than
 * the log's, and those of many discs if nothing can decide between them.
 */
#ifndef LOG_FIND_CANDIDATES_H
#define LOG_FIND_CANDIDATES_H

#include "log/find/builds.h"
#include "rossym-set.h"

/* Offer to CANDIDATES the files whose names are as WANTED says: wanted->name itself, or a name that begins with it and
   ends with wanted->suffix.  BUILDS must be settled if a build is wanted.  Returns as rossym_set_offer(). */
int candidates_offer(struct index *index, const struct builds *builds, const struct rossym_wanted *wanted,
		     struct rossym_candidates *candidates, struct rossym_error *err);

/* Likewise, but offer the files of PLACE alone, whatever build is wanted. */
int candidates_offer_of(struct index *index, const struct built_place *place, const struct rossym_wanted *wanted,
			struct rossym_candidates *candidates, struct rossym_error *err);

#endif

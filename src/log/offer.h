/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * offer.h - which files of the index the set may choose from, as images of a module
 *
 * Opening a file out of an archive can take seconds.  So files from which nothing good can come are not offered: of other builds
 * than the log's, and of many discs between which nothing can decide.
 */
#ifndef LOG_OFFER_H
#define LOG_OFFER_H

#include "log/builds.h"
#include "rossym-set.h"

/* Offer to CANDIDATES the files whose names are as WANTED says: NAME itself, or beginning with NAME and ending with SUFFIX.  BUILDS
   must be settled if a build is wanted.  Returns as rossym_set_offer(). */
int offer_files(struct index *index, const struct builds *builds, const struct rossym_wanted *wanted,
		struct rossym_candidates *candidates, struct rossym_error *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * boots.h - the build of each boot in the logs
 *
 * A log can have several boots, and each may be of another build of ReactOS.  A banner (build-name.h), which the system
 * prints when it boots, begins a boot.  It names the build for the lines up to the next boot or the end of the log, and
 * says nothing about the lines before it.
 *
 * Other texts name only a commit, such as the names of discs: "0.4.15-dev-1397-g19779b3".  Such a text is a *mark*.  It
 * is weaker than a banner, because people write about other builds, too.  So marks count only in a boot without a
 * banner, and only if all of them name the same build.
 */
#ifndef LOG_RESOLVE_BOOTS_H
#define LOG_RESOLVE_BOOTS_H

#include "log/read/build-name.h"

#include <stdbool.h>
#include <stddef.h>

enum { BOOTS_BUILDS = 32 }; /* elements of `counts`; the last one counts all builds that found no free element */

struct boots {
	struct build build; /* of the current boot; empty: not known */
	bool several;	    /* the current boot has no banner, but marks of several builds: so `build` is empty */
	/* For each build that the logs name, or that return addresses have shown: how many boots the logs tell of, how
	   many addresses were in them, and how many of these were answered from an image of another build. */
	struct boots_count {
		struct build build;
		unsigned long long boots, tokens, other;
	} counts[BOOTS_BUILDS];
	size_t count;
	struct boots_count *current; /* the counts for `build`; NULL: the build is not known */
};

/* End the current boot, because another log begins, or the machine boots. */
void boots_end(struct boots *boots);

/* Set the build of the current boot from the LENGTH bytes at TEXT, a banner or a mark.  IS_NEW: it is a banner that
   begins the boot.  Returns whether that changed what is known of the build. */
bool boots_take(struct boots *boots, const char *text, size_t length, bool is_new);

/* Set the build of the current boot, in which the log names none, after its return addresses have shown it (fit.h). */
void boots_set_found_build(struct boots *boots, const struct build *build);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * boots.h - of which builds the boots in the logs are
 *
 * A log can have several boots, and each may be of another build.  A banner (build-name.h) begins a boot: it tells the build
 * of what follows, up to the next boot or the end of the log, and nothing about what comes before it.
 *
 * Other texts tell the commit only: names of discs, "0.4.15-dev-1397-g19779b3".  Such a mark tells less than the system
 * itself, and people speak of several builds: marks count where there is no banner, and only if all are of one build.
 */
#ifndef LOG_RESOLVE_BOOTS_H
#define LOG_RESOLVE_BOOTS_H

#include "log/read/build-name.h"

#include <stdbool.h>
#include <stddef.h>

enum { BOOTS_BUILDS = 32 }; /* counts; the last one is for all further builds together */

struct boots {
	struct build build; /* of the current boot; empty if the log has not named it */
	bool several;	    /* no banner, but marks (names of discs and the like) of several builds: BUILD is empty */
	/* One for each build that the logs have named. */
	struct boots_count {
		struct build build;
		unsigned long long boots, tokens, other;
	} counts[BOOTS_BUILDS];
	size_t count;
	struct boots_count *current; /* NULL: the build is not known */
};

/* The current boot ends: another log begins, or the machine boots. */
void boots_end(struct boots *boots);

/* Take the build of the current boot from the LENGTH bytes at TEXT; IS_NEW: the boot begins here.  Returns false if the
   text names no build, or tells nothing new. */
bool boots_take(struct boots *boots, const char *text, size_t length, bool is_new);

/* The addresses of the current boot, which names no build, have shown that it is of BUILD. */
void boots_found(struct boots *boots, const struct build *build);

/* Count an address in the current boot.  OTHER: its answer is from another build. */
void boots_count_token(struct boots *boots, bool other);

/* Print the counts on standard error. */
void boots_statistics(const struct boots *boots);

#endif

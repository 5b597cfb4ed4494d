/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * boots.h - of which builds the boots in the logs are
 *
 * A log can have several boots, each of another build.  A banner (build.h) begins a boot, so it holds for what follows it, up to
 * the next one or to the end of the log, and tells nothing about what comes before it.
 */
#ifndef LOG_BOOTS_H
#define LOG_BOOTS_H

#include "log/build.h"

#include <stdbool.h>
#include <stddef.h>

enum { BOOTS_BUILDS = 32 };		/* how many builds are counted, each for itself but the last */

struct boots {
	struct build build;		/* of the current boot; empty if the log has not named it */
	/* For each build that the logs have named; the last one is for all that have no room. */
	struct boots_count { struct build build; unsigned long long boots, tokens, other; } counts[BOOTS_BUILDS];
	size_t count;
	struct boots_count *current;	/* NULL: the build is not known */
};

/* The current boot ends: another log begins, or the machine boots. */
void boots_end(struct boots *boots);

/* The log names the build of the current boot in the LENGTH bytes at TEXT; of one that begins here if it IS_NEW.  Returns whether
   this is news.  It is not if the text names no build, or says nothing that was not known: the banner says more than others. */
bool boots_take(struct boots *boots, const char *text, size_t length, bool is_new);

/* Count an address in the current boot.  OTHER: its answer is from another build. */
void boots_count_token(struct boots *boots, bool other);

/* Print the counts on standard error. */
void boots_statistics(const struct boots *boots);

#endif

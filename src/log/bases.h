/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bases.h - where modules are loaded, as the log and the user have said
 *
 * What the log says holds until the system boots again, until something else is loaded at that place, and for user
 * mode addresses until the dump of another process begins.  What the user says holds always, and first.
 */
#ifndef LOG_BASES_H
#define LOG_BASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BASES_NAME_MAX = 128 };

struct base {
	char name[BASES_NAME_MAX];	/* as it was given, without path, cut if it is longer */
	uint64_t address;
	uint64_t size;			/* bytes, or 0: not known */
	bool fixed;			/* the user said so */
};

struct bases {
	struct base *list;		/* by address */
	size_t count, size;
};

/* NAME is at ADDRESS; it may be a path.  False: no memory. */
bool bases_add(struct bases *bases, const char *name, size_t length, uint64_t address, uint64_t size, bool fixed);

/* Drop what the log said: all of it, or only what is in a process. */
void bases_forget(struct bases *bases, bool user_only);

/* The entry with the greatest address not above ADDRESS, if its size does not say that ADDRESS is behind it. */
const struct base *bases_find(const struct bases *bases, uint64_t address);

void bases_clear(struct bases *bases);

#endif

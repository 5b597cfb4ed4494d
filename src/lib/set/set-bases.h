/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * set-bases.h - where modules are loaded
 *
 * Bases are sorted by address.  A module whose length is not known reaches up to the next base, but at most 4 GiB, and
 * not from user-mode addresses to others.  When a base is added, those that it overlaps are removed, except fixed ones,
 * which always stay.
 */
#ifndef RS_SET_BASES_H
#define RS_SET_BASES_H

#include <stdbool.h>
#include <stdint.h>

struct rs_set_module;

struct rs_base {
	uint64_t address;
	uint64_t size; /* bytes, or 0: not known */
	struct rs_set_module *module;
	bool fixed;
	bool user; /* the module is in a process, even if `address` is no user-mode address */
};

struct rs_bases {
	struct rs_base *list; /* ascending by address */
	uint32_t count, room;
};

/* Returns the base with the greatest address at or below ADDRESS; NULL if there is none, or if its module ends at or
   below ADDRESS. */
const struct rs_base *rs_bases_find(const struct rs_bases *bases, uint64_t address);

/* Returns the base that begins at ADDRESS, or NULL. */
struct rs_base *rs_bases_at(const struct rs_bases *bases, uint64_t address);

/* A module of SIZE bytes has been loaded at ADDRESS: remove all bases that overlap it and are not fixed. */
void rs_bases_make_way(struct rs_bases *bases, uint64_t address, uint64_t size);

/* Set the size of BASE, which is in the list, and remove all bases that begin in its SIZE bytes and are not fixed. */
void rs_bases_resize(struct rs_bases *bases, struct rs_base *base, uint64_t size);

/* Insert BASE.  False: there is no memory. */
bool rs_bases_insert(struct rs_bases *bases, const struct rs_base *base);

/* Remove all bases that are not fixed.  USER_ONLY: remove only those at user-mode addresses, and those with `user`. */
void rs_bases_forget(struct rs_bases *bases, bool user_only);

void rs_bases_clear(struct rs_bases *bases);

#endif

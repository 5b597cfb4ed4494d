/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * set-bases.h - where modules are loaded
 *
 * Bases are sorted by address.  A base may have an unknown size: then it reaches to the next base, but not from the
 * addresses of processes to those of the kernel.  Bases never overlap, but for fixed ones, which never make way.
 */
#ifndef RS_SET_BASES_H
#define RS_SET_BASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rs_set_module;

struct rs_base {
	uint64_t address;
	uint64_t size; /* bytes, or 0: not known */
	struct rs_set_module *module;
	bool fixed;
};

struct rs_bases {
	struct rs_base *list; /* by address */
	uint32_t count, room;
};

/* The base with the greatest address not above ADDRESS; NULL if there is none, or its size does not reach ADDRESS. */
const struct rs_base *rs_bases_find(const struct rs_bases *bases, uint64_t address);

/* The base that begins at ADDRESS, or NULL. */
struct rs_base *rs_bases_at(const struct rs_bases *bases, uint64_t address);

/* Remove what cannot be there any more, now that SIZE bytes at ADDRESS are taken by another module. */
void rs_bases_make_way(struct rs_bases *bases, uint64_t address, uint64_t size);

/* BASE, one of the list, has SIZE bytes.  Remove what begins in them and cannot be there any more. */
void rs_bases_resize(struct rs_bases *bases, struct rs_base *base, uint64_t size);

/* Insert BASE.  False: no memory. */
bool rs_bases_insert(struct rs_bases *bases, const struct rs_base *base);

/* Remove all bases that are not fixed, or only those in a process. */
void rs_bases_forget(struct rs_bases *bases, bool user_only);

void rs_bases_clear(struct rs_bases *bases);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * set-keys.h - the hash table of a set: from a module's name, a path or a handle to a pointer
 *
 * Keys are never removed.  Keys of different kinds are different, even if their bytes are equal.
 */
#ifndef RS_SET_KEYS_H
#define RS_SET_KEYS_H

#include "compat/hash.h"

enum rs_key_kind { RS_KEY_NAME, RS_KEY_PATH, RS_KEY_FILE };

struct rs_keys {
	struct rs_key **items; /* number N is items[N - 1] */
	uint32_t count, room;
	struct hash_table table;
};

/* Returns where the pointer for the key is stored; the caller may change the pointer.  NULL: there is no such key. */
void **rs_keys_find(const struct rs_keys *keys, enum rs_key_kind kind, const void *bytes, size_t length);

/* As rs_keys_find(), but adds the key with the pointer NULL if it is new.  Returns NULL if there is no memory. */
void **rs_keys_get(struct rs_keys *keys, enum rs_key_kind kind, const void *bytes, size_t length);

void rs_keys_clear(struct rs_keys *keys);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wanted-addresses.h - reads the file of --for=FILE, which lists addresses: one hexadecimal RVA on each line
 *
 * Lines may be in any order and may repeat an address.  An address may have 0x before it, and spaces around it.
 */
#ifndef EMBED_WANTED_ADDRESSES_H
#define EMBED_WANTED_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

/* Read the list in the file at PATH, or on standard input if PATH is "-".  Stores in *RET, which must be NULL, an array
   of *COUNT addresses, ascending, each once; the caller must free() it, also after a failure.  Returns false after a
   message: the file cannot be read, one of its lines is no RVA, it has no lines, or there is no memory. */
bool wanted_addresses_read(const char *path, uint32_t **ret, uint32_t *count);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wanted-addresses.h - the addresses that a table must answer for, as --for=FILE lists them: one hexadecimal RVA a line
 *
 * Lines may be in any order, may repeat an address, and may have 0x before it and spaces around it.
 */
#ifndef EMBED_WANTED_ADDRESSES_H
#define EMBED_WANTED_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

/* Read the list in the file at PATH, or on standard input if PATH is "-".  Stores in *RET an array of *COUNT addresses,
   ascending, each once, at least one; the caller frees it.  Returns false after a message: the file cannot be read, one
   of its lines is no RVA, it has none, or memory runs out. */
bool wanted_addresses_read(const char *path, uint32_t **ret, uint32_t *count);

#endif

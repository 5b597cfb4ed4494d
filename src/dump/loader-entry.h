/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loader-entry.h - what the kernel knows about a module: an entry of its list of modules (KLDR_DATA_TABLE_ENTRY) */
#ifndef DUMP_LOADER_ENTRY_H
#define DUMP_LOADER_ENTRY_H

#include "dump/dump-module.h"

enum { LOADER_ENTRY_SIZE_MAX = 0x88 }; /* bytes: the largest rs_loader_entry_size() */

/* Returns how many bytes of an entry the functions below need.  In all functions, WIDE says that the entry is of a
   64-bit system. */
uint32_t rs_loader_entry_size(bool wide);

/* Store in MODULE base, size, checksum and DateStamp; all else becomes zeros. */
void rs_loader_entry_read_module(bool wide, const uint8_t *entry, struct dump_module *module);

/* Find the module's file name, or its path if FULL.  Store in *ADDRESS the virtual address of its UTF-16 units, and
   return their size in bytes. */
uint32_t rs_loader_entry_read_name(bool wide, const uint8_t *entry, bool full, uint64_t *address);

#endif

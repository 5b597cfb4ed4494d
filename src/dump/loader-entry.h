/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loader-entry.h - what the kernel knows about a module: an entry of its list of modules (KLDR_DATA_TABLE_ENTRY) */
#ifndef DUMP_LOADER_ENTRY_H
#define DUMP_LOADER_ENTRY_H

#include "dump/dump-module.h"

enum { LOADER_ENTRY_MOST = 0x88, LOADER_ENTRY_LINK = 0 };

/* In all functions: WIDE: of a 64-bit system; its first rs_loader_entry_size() bytes are at ENTRY. */
uint32_t rs_loader_entry_size(bool wide);

/* Store in MODULE what ENTRY has, but the name. */
void rs_loader_entry_module(bool wide, const uint8_t *entry, struct dump_module *module);

/* A name: of the file, or the full one, if FULL.  Returns its length in bytes and stores where its UTF-16 units are. */
uint32_t rs_loader_entry_name(bool wide, const uint8_t *entry, bool full, uint64_t *address);

#endif

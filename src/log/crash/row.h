/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row.h - whether a line is a row of a stack, by its form
 *
 *     <ntoskrnl.exe:89b21>
 *     [FFFFF88003CFB490] <ntoskrnl.exe:7bdd0>
 *     =>0 0x7c92f0a0 in ntdll (+0xf0a0) (0x0033fed8)
 *     f793e190 80889b00 00000000 00000000 00000000 btrfs+0x2200
 *     f793e0ec 80545357 f793e114 00000000 f793e234 nt!KiDispatchException+0x25		a symbol, and no address
 *
 * Before the address or the symbol, a row has only numbers and punctuation.  The own text of a line is what follows
 * time stamps and other prefixes (front.h).
 */
#ifndef LOG_CRASH_ROW_H
#define LOG_CRASH_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the address from BEGIN up to END of the line TEXT is in a row.  START: where the line's own text begins, or
   where the address before this one ends. */
bool row_has_address(const char *text, size_t length, size_t start, size_t begin, size_t end);

/* Whether TEXT, the own text of a line, is a row with a symbol; *RET: the offset of the symbol. */
bool row_has_symbol(const char *text, size_t length, size_t *ret);

/* Whether TEXT, the own text of a line, is winedbg's row for an address in no module: "=>0 0x82cd9360 (0x0080f2c8)".
   *RET: the address. */
bool row_has_number(const char *text, size_t length, uint64_t *ret);

#endif

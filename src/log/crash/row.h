/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row.h - whether a line is a row of a stack
 *
 *     <ntoskrnl.exe:89b21>
 *     [FFFFF88003CFB490] <ntoskrnl.exe:7bdd0>
 *     =>0 0x7c92f0a0 in ntdll (+0xf0a0) (0x0033fed8)
 *     f793e190 80889b00 00000000 00000000 00000000 btrfs+0x2200
 *     f793e0ec 80545357 f793e114 00000000 f793e234 nt!KiDispatchException+0x25		a symbol, and no address
 *
 * Before the address, or the symbol, a row has numbers and marks only.
 */
#ifndef LOG_CRASH_ROW_H
#define LOG_CRASH_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the address from BEGIN up to END of the line, whose own text begins at START, is that of a row. */
bool row_has_address(const char *text, size_t length, size_t start, size_t begin, size_t end);

/* Whether the own text of a line is a row with a symbol, which begins at *RET. */
bool row_has_symbol(const char *text, size_t length, size_t *ret);

/* Whether the own text of a line is winedbg's row of an address in no module: "=>0 0x82cd9360 (0x0080f2c8)". */
bool row_has_number(const char *text, size_t length, uint64_t *ret);

#endif

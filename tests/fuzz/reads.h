/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must hold for the text of any log: what is found in it does not depend on how it arrives, in one piece or in
 * many; no annotation would come too late; and skipping lines loses nothing.  Lines are read in blocks of exactly
 * their size.
 */
#ifndef FUZZ_READS_H
#define FUZZ_READS_H

#include <stddef.h>

/* NULL, or what is wrong with the LENGTH bytes at TEXT, read whole and in pieces of PIECE bytes.  With FUZZ_VERBOSE in
   the environment the findings are printed then. */
const char *reads_wrong(const char *text, size_t length, size_t piece);

#endif

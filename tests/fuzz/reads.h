/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must hold for the text of any log: skipping lines loses nothing; with a note after each token the same is found, and
 * each token has its note.  Lines are read in blocks of exactly their size.
 */
#ifndef FUZZ_READS_H
#define FUZZ_READS_H

#include <stddef.h>

/* Returns what is wrong with the LENGTH bytes at TEXT; NULL if nothing is.  With FUZZ_VERBOSE in the environment, prints what
   was found then. */
const char *reads_wrong(const char *text, size_t length);

#endif

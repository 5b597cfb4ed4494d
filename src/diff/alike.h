/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alike.h - whether two texts name the same function, or the same file
 *
 * One function has many names: _foo@8, @foo@8 and foo; foo.part.0; _ZN2io3Irp8completeEi and, as ReactOS's rsym
 * writes it, Irp::complete.  And one file has many paths: they depend on the directory in which the compiler ran.
 */
#ifndef DIFF_ALIKE_H
#define DIFF_ALIKE_H

#include <stdbool.h>

enum name_match {
	NAME_SAME,
	NAME_DECORATED, /* the same function, named differently */
	NAME_CUT,	/* A is B cut to the longest name that a table can have */
	NAME_OTHER,
};

/* A is the table's name.  X86_32: one underscore before a name may be decoration.  SHOWN: names with the same demangled
   form are the same. */
enum name_match name_match(const char *a, const char *b, bool x86_32, bool shown);

enum path_match {
	PATH_SAME,
	PATH_CUT,	      /* A is the end of B, cut to the longest path that a table can have */
	PATH_OTHER_ROOT,      /* one is the end of the other, apart from "." and ".." and the kind of slash */
	PATH_OTHER_DIRECTORY, /* the last part is the same */
	PATH_OTHER_FILE,
};

/* A is the table's path. */
enum path_match path_match(const char *a, const char *b);

#endif

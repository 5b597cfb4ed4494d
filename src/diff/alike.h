/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alike.h - whether two texts name the same function, or the same file
 *
 * A function can have many names: _foo@8, @foo@8 and foo; foo.part.0; _ZN2io3Irp8completeEi and, as ReactOS's rsym
 * writes it, Irp::complete.  A file can have many paths, which depend on the directory in which the compiler ran.
 */
#ifndef DIFF_ALIKE_H
#define DIFF_ALIKE_H

#include <stdbool.h>

enum name_match {
	NAME_SAME,
	NAME_DECORATED, /* the same function, with a name of another form */
	NAME_CUT,	/* B is too long for a table, and A is its cut form */
	NAME_OTHER,
};

/* Compare A, the table's name, with B, the reference's.  X86_32: an underscore before a name may be decoration.
   DEMANGLED: names are printed demangled, so names with equal demangled forms are the same. */
enum name_match name_match(const char *a, const char *b, bool x86_32, bool demangled);

enum path_match {
	PATH_SAME,
	PATH_CUT,	      /* B is too long for a table, and A is the end of B that fits */
	PATH_OTHER_ROOT,      /* one is the end of the other, if "." and ".." and the kind of slash are ignored */
	PATH_OTHER_DIRECTORY, /* only the last part, or some of the last ones, are the same */
	PATH_OTHER_FILE,
};

/* Compare A, the table's path, with B, the reference's. */
enum path_match path_match(const char *a, const char *b);

#endif

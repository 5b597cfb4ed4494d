/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare.h - finds in what ways two answers for one address differ
 *
 * "Here" is the answer of the .rossym table, "there" that of the reference.
 */
#ifndef DIFF_COMPARE_H
#define DIFF_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum diff_class {
	DIFF_FUNCTION,	 /* another function */
	DIFF_DECORATION, /* the same function, with a name of another form */
	DIFF_LINE,	 /* another line, or a file of another name */
	/* two paths of which only the last parts are the same: in other directories, or under other roots */
	DIFF_PATH,
	DIFF_SOURCE_ROOT,   /* two forms of one path, or one path is the end of the other */
	DIFF_CUT,	    /* the same function or file, whose name was cut because it is too long for a table */
	DIFF_INLINED,	    /* the table has an outer frame in place of the innermost, or outer frames differ */
	DIFF_MISSING_HERE,  /* the table lacks something that the reference has */
	DIFF_MISSING_THERE, /* the reference lacks a part of what the table has */
	DIFF_NOTHING_THERE, /* the reference has no answer, but the table has one */
	DIFF_END,	    /* the table has a line for one more byte, on purpose: may_be_added_byte() in diff.c */
	DIFF_CLASSES,
};

#define DIFF_BIT(class) (1u << (class))

/* The names of the classes, in options and output. */
extern const char *const diff_class_names[DIFF_CLASSES];

/* A frame of an answer; NULL and 0 mean unknown. */
struct diff_frame {
	const char *function;
	const char *file;
	uint32_t line;
};

/* The frames of an answer, the innermost first.  COUNT is 0 if nothing is known. */
struct diff_answer {
	const struct diff_frame *frames;
	size_t count;
};

/* What to compare: the options of rossym-addr2line. */
struct diff_focus {
	bool functions; /* -f */
	bool inlines;	/* -i; without it only the innermost frames are compared */
	bool demangle;	/* -C: names are printed demangled */
	bool x86_32;	/* the image is for 32-bit x86, whose compilers decorate names */
};

/* Returns the classes of all differences as a sum of DIFF_BIT()s; 0 if the answers agree. */
unsigned diff_compare(const struct diff_focus *focus, const struct diff_answer *here, const struct diff_answer *there);

#endif

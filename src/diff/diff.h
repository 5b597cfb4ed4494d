/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff.h - rossym-addr2line --diff: looks addresses up in the table and with another program, the reference, and prints
 * where the answers differ
 */
#ifndef DIFF_DIFF_H
#define DIFF_DIFF_H

#include "diff/targets.h"
#include "answer/query.h"
#include "answer/record.h"
#include "tool/input.h"

/* Exit statuses, those of diff(1). */
enum { DIFF_SAME, DIFF_DIFFERENT, DIFF_TROUBLE };

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
	DIFF_END,	    /* the table has a line for a byte that rossym-embed added: may_be_added_byte() in run.c */
	DIFF_CLASSES,
};

#define DIFF_BIT(class) (1u << (class))

/* The names of the classes, in options and output. */
extern const char *const diff_class_names[DIFF_CLASSES];

/* The classes that are ignored by default. */
#define DIFF_IGNORED \
	(DIFF_BIT(DIFF_DECORATION) | DIFF_BIT(DIFF_SOURCE_ROOT) | DIFF_BIT(DIFF_CUT) | DIFF_BIT(DIFF_NOTHING_THERE) | \
	 DIFF_BIT(DIFF_END))

/* What the options ask for. */
struct diff_request {
	const char *nostrip;   /* path of the image with debug information, for the reference */
	const char *reference; /* the reference's command; NULL: the default one */
	unsigned ignored;      /* classes to ignore, as a sum of DIFF_BIT()s */
	bool brief;	       /* print only the summary */
	/* The addresses to compare: those of the input, all of the code, both ends of each row, or SPREAD of all. */
	enum { DIFF_GIVEN, DIFF_BYTES, DIFF_ROWS, DIFF_SPREAD } all;
	uint32_t spread;  /* how many addresses, spread evenly over the code, DIFF_SPREAD compares */
	unsigned timeout; /* after how many seconds without input and output the reference fails; 0: never */
};

enum { DIFF_I386 = 0x14c, DIFF_AMD64 = 0x8664 }; /* Machine of an image */

struct diff {
	const struct diff_request *request;
	const struct query_rules *rules; /* the rules for the input; they also have the image and its path */
	unsigned lookup_flags;
	bool inlines; /* compare and print all frames */
	struct record_style *style;
	struct out *out;
	/* The caller sets these to all zeros: */
	struct targets targets;
	struct query_seen seen;
	/* Set by diff_run(): facts about the image, and whether the symbols to compare with are in a PDB file. */
	struct rossym_info info;
	bool pdb;
};

/*
 * "Here" is the answer of the .rossym table, "there" that of the reference.  A function can have many names: _foo@8,
 * @foo@8 and foo; foo.part.0; _ZN2io3Irp8completeEi and, as ReactOS's rsym writes it, Irp::complete.  A file can have
 * many paths, which depend on the directory in which the compiler ran.
 */

/* The frames of an answer, the innermost first.  COUNT is 0 if nothing is known.  Of each frame, only function, file
   and line are used; NULL and 0 mean unknown. */
struct diff_answer {
	const struct rossym_frame *frames;
	size_t count;
};

/* Compare HERE and THERE in what the options ask for.  Returns the sum of DIFF_BIT()s of all differences; 0: none. */
unsigned diff_compare_answers(const struct diff *diff, const struct diff_answer *here, const struct diff_answer *there);

/* Compare the addresses of INPUT, whose visitor this function sets, or the addresses that request->all selects.
   Returns the exit status; DIFF_TROUBLE after a message. */
int diff_run(struct diff *diff, struct input *input);

#endif

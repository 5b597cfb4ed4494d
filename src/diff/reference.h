/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reference.h - the other opinion: a program that speaks addr2line's protocol
 *
 * It is run as "COMMAND -a -f -i -e FILE" and asked one address a line.  With -a every record begins with its
 * address, so that records have an end although nothing says how many frames they will have:
 *
 *     record   = address , frame , { frame }
 *     address  = "0x" digits "\n"
 *     frame    = ( name | "??" ) "\n" ( file | "??" ) ":" ( line | "?" ) [ " (discriminator " n ")" ] "\n"
 *
 * Whatever is not just that, one record for each address and in their order, ends the comparison.
 */
#ifndef DIFF_REFERENCE_H
#define DIFF_REFERENCE_H

#include "diff/compare.h"
#include "diff/targets.h"
#include "tool/child.h"

struct reference {
	struct child child;
	bool running;
	char *command;
	const struct targets *targets;
	uint64_t image_base;
	bool short_addresses;		/* the reference may cut them to 32 bits */
	size_t asked, answered;
	bool begun;			/* the address line of the next record has been read */
	char *text;			/* the lines of the current record, a NUL behind each */
	size_t text_length, text_size, lines;
	struct diff_frame *frames;	/* the same, with strings in the text */
	size_t frames_size;
};

/*
 * Start the reference on FILE, to be asked about TARGETS.  COMMAND is a program, or, if it has white space, a shell
 * command to which arguments are added; NULL: our own, from beside this program or where it is installed, else
 * "addr2line".  TIMEOUT as for child_start().  False: a message has been printed.
 * REFERENCE is big, and must be all zeros.
 */
bool reference_start(struct reference *reference, const char *command, const char *file, const struct targets *targets,
		     uint64_t image_base, bool wide, unsigned timeout);

/* Its answer for the next of the targets, valid until the next call.  False: a message has been printed. */
bool reference_next(struct reference *reference, struct diff_answer *answer);

/* After the last answer: false if there was something wrong with how it ended; a message has been printed. */
bool reference_finish(struct reference *reference);

/* At any time, also when it was not started. */
void reference_clear(struct reference *reference);

#endif

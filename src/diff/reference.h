/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reference.h - the answers to compare with: a program that speaks addr2line's protocol
 *
 * The program is run as "COMMAND -a -f -i -e FILE" and gets one address a line.  Nothing says how many frames a record
 * will have; but with -a every record begins with its address, and so the record before it ends there:
 *
 *     record   = address , frame , { frame }
 *     address  = "0x" digits "\n"
 *     frame    = ( name | "??" ) "\n" ( file | "??" ) ":" ( line | "?" ) [ " (discriminator " n ")" ] "\n"
 *
 * Anything but one record for each address, in the order of the addresses, ends the comparison with a message.
 */
#ifndef DIFF_REFERENCE_H
#define DIFF_REFERENCE_H

#include "diff/compare.h"
#include "diff/targets.h"
#include "tool/process/child.h"

struct reference {
	const struct targets *targets;
	uint64_t image_base;
	bool short_addresses; /* the reference may print their lowest 32 bits only */
	struct child child;
	bool running;
	char *command;
	size_t sent, answered;
	bool begun; /* the address line of the next record has been read */
	char *text; /* the lines of the current record, a NUL after each */
	size_t text_length, text_size, lines;
	struct diff_frame *frames; /* the frames of the current record; their strings are in the text */
	size_t frames_size;
};

/*
 * Start the reference for FILE.  COMMAND is a program or, if it has white space, a shell command to which
 * arguments are added.  NULL means rossym-bfd-reference, from the directory of this program or where it is installed;
 * if there is none, "addr2line".  TIMEOUT as for child_start().  The caller has stored the first three members of
 * REFERENCE; the others must be zeros.  It is too big for the stack.  False after a message.
 */
bool reference_start(struct reference *reference, const char *command, const char *file, unsigned timeout);

/* Returns the command for an image whose symbols are in a PDB file, which only LLVM reads: llvm-symbolizer, the newest
   in PATH; on the heap.  NULL: there is none, or no memory. */
char *reference_for_pdb(void);

/* Read the answer for the next target; *ANSWER is valid until the next call.  False after a message. */
bool reference_next(struct reference *reference, struct diff_answer *answer);

/* Call this after the last answer.  False after a message, if the program did not end with status 0. */
bool reference_finish(struct reference *reference);

/* May be called at any time, also if the reference was not started. */
void reference_clear(struct reference *reference);

#endif

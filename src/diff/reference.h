/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reference.h - gets the answers to compare with from another program, the reference, by addr2line's protocol
 *
 * The program is run as "COMMAND -a -f -i -e FILE", and gets one address a line.  Its answers are records, which do not
 * begin with the number of their frames.  But because of -a each record begins with its address, which ends the record
 * before it:
 *
 *     record   = address , frame , { frame }
 *     address  = "0x" digits "\n"
 *     frame    = ( name | "??" ) "\n" ( file | "??" ) ":" ( line | "?" ) [ " (discriminator " n ")" ] "\n"
 *
 * There must be one record for each address, in their order; anything else ends the comparison with a message.
 */
#ifndef DIFF_REFERENCE_H
#define DIFF_REFERENCE_H

#include "diff/diff.h"
#include "tool/process/child.h"
#include "tool/strbuf.h"

struct reference {
	const struct diff *diff;
	struct child child;
	char *command;
	size_t sent, answered;	     /* how many targets were sent to the program, and answered by it */
	bool begun;		     /* the address of the next record has been read */
	struct strbuf text;	     /* the lines of the current record after its address, with a NUL after each */
	size_t lines;		     /* how many lines are in TEXT */
	struct rossym_frame *frames; /* the frames of the current record, whose strings are in TEXT */
	size_t frame_room;
};

/*
 * Start the reference for the targets of DIFF.  COMMAND is a program or, with white space, a shell command to which
 * arguments are added.  NULL means rossym-bfd-reference, from the directory of this program or where it is installed;
 * if there is none, "addr2line".  REFERENCE, too big for the stack, must be all zeros.  False after a message.
 */
bool reference_start(struct reference *reference, const struct diff *diff, const char *command);

/* Returns a command for an image whose symbols are in a PDB file, which only LLVM can read: the newest llvm-symbolizer
   in PATH.  The caller frees it.  NULL: there is none, or no memory. */
char *reference_find_for_pdb(void);

/* Read the reference's answer for the next address; *ANSWER is valid until the next call.  False after a message. */
bool reference_read_answer(struct reference *reference, struct diff_answer *answer);

/* Call this after the last answer.  False, after a message, if the program does not end with status 0. */
bool reference_end_and_check(struct reference *reference);

/* End the program and free everything.  May be called after reference_start() has failed. */
void reference_clear(struct reference *reference);

#endif

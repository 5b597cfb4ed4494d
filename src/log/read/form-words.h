/* SPDX-License-Identifier: GPL-2.0-or-later */
/* form-words.h - the words that can follow a pattern for lines of logs, in forms.txt or a file of --forms (form.h) */
#ifndef LOG_READ_FORM_WORDS_H
#define LOG_READ_FORM_WORDS_H

#include "log/read/match.h"

/* What a word can mean for a line with the form, and what the word's `value` is, if it has one. */
enum form_effect {
	MAKES, /* a token of this kind: enum is_return, or KIND_TRACE and so on (below) */
	/* Words from here to KEEPS are about a state of the log: a form with "if:windbg" counts only in the state that
	   "heading:windbg" sets.  A form with an "if:" word before WANTS_FRAME needs no sign (form.h). */
	SETS_HEADING,	/* enum heading */
	SETS_TABLE,	/* enum table */
	SETS_LINE,	/* enum line_state */
	WANTS_BUGCHECK, /* the form counts if the line before has the code of a bugcheck; 1: and some parameters */
	WANTS_FRAME,	/* the form counts if a line with SETS_FRAME is at most `value` lines before it */
	KEEPS,		/* stores the module's name and an enum kept in the context; 0: only the name */
	WANTS_FIELD,	/* the form counts if the line is the field with this number after KEPT_DATA */
	SETS_PLACE,	/* the place of a crash follows; enum is_return: the kind of its address; or PLACE_REGISTERS */
	ENDS_PC,	/* a token directly after the text of this form is exact (tokens.pc_end) */
	SETS_FRAMES,	/* the heading is HEADING_USER_FRAMES after HEADING_ADDRESS, else HEADING_FRAMES */
	SETS_FRAME,	/* stores the number of a row of Breakpad's stack (context.frame): the row's registers follow */
	COUNTS_ROW,   /* counts a row of a stack that has no address, or needs no answer: WinDbg's "nt!KiTrap0E+0x8f" */
	BREAKS,	      /* rows of WinDbg's stack after this line may be of another stack than those before it */
	ENDS_TABLES,  /* the last heading and table are forgotten */
	WRAPS,	      /* if the line ends inside the form, the next line has the rest */
	BEGINS_DUMP,  /* which faults begin a dump (DUMP_ALWAYS and so on, below) */
	SETS_FAULT,   /* stores the address of the fault (context.fault) */
	COUNTS_FIELD, /* the line is a field after KEPT_DATA (context.kept_fields) */
	BEGINS_BOOT,  /* a boot begins, if the line names a build; 1: also if it names none, so the build is unknown */
	SETS_INT3,    /* the address is that of a breakpoint at which KDBG was entered */
	TELLS_BUILD,  /* the line names a build; `value`: at this byte of the form */
	TELLS_MACHINE,	/* the machine: one of the values of fact.machine */
	TELLS_USER,	/* the module belongs to a user-mode process (fact.user) */
	OF_KEPT,	/* the module is context.kept_name; if that is empty, the RVA is an address */
	TELLS_BASED,	/* the RVA may be an RVA plus the image base (token.may_have_base) */
	TELLS_MODULE,	/* the line gets a note about the module's symbols (token.is_module) */
	READS_BUGCHECK, /* how many lines after this one can have further parameters of the bugcheck */
	IS_PREFIX,	/* enum prefix: the form comes before the line's own text */
	SAYS,		/* enum statement_kind: the line says this about a crash */
};

/* What a form with the word "prefix" is: a text before a line's own text. */
enum prefix {
	PREFIX_PLAIN,
	PREFIX_STAMP,	    /* a time stamp: a blank must follow */
	PREFIX_AFTER_STAMP, /* a text that counts only after PREFIX_STAMP */
	PREFIX_COLUMNS,	    /* columns of DebugView: no token begins in them */
	PREFIX_PROMPT,	    /* a debugger's prompt */
	PREFIX_STRING,	    /* JSON: the line's own text is the string that begins after this prefix */
};

/* Values of BEGINS_DUMP: whether a dump begins at each fault, or only at some (record_fault()). */
enum { DUMP_ALWAYS, DUMP_ONCE, DUMP_ANNOUNCES, DUMP_ANNOUNCED };

/* A value of SETS_PLACE, for WinDbg's registers: the segment registers are on the next line; after that comes the place
   of the crash, an exact address with the instruction there. */
enum { PLACE_REGISTERS = IS_RETURN + 1 };

/* Values of MAKES besides enum is_return: kinds of tokens, whose enum is_return make_token() determines. */
enum { KIND_TRACE = IS_RETURN + 1, KIND_ROW, KIND_WRITTEN, KIND_THREAD, KIND_FRAME, KIND_CALL_SITE, KIND_LOADED };

struct form_word {
	const char *word;
	enum form_effect effect;
	unsigned value;
};

/* The words that a form can have (match_key.c); the last is NULL. */
extern const struct form_word form_words[];

/* Read a prefix, a form with the word "prefix", at C, and move the cursor after it.  AFTER_STAMP: the prefix before C
   is a time stamp.  Stores the kind of the new prefix in *RET_KIND.  Returns false if there is none. */
bool match_prefix(const struct tokens *t, struct cursor *c, bool after_stamp, enum prefix *ret_kind);

#endif

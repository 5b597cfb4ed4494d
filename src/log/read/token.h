/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * token.h - what is found in a line of a log, and the state of the search
 *
 * A code address with its surrounding form is a *token*: "<ntoskrnl.exe:89b21>".  A statement about modules is a
 * *fact*: "ntoskrnl.exe is loaded at 80400000".  tokens.h finds them; the matchers (match.h) fill in the state.
 */
#ifndef LOG_READ_TOKEN_H
#define LOG_READ_TOKEN_H

#include "log/read/context.h"
#include "log/read/note.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A code address.  Positions are bytes from the start of the plain text of the line; plain_locate() makes them those of
   the raw line. */
struct token {
	size_t begin, end; /* the token without its annotation */
	size_t note;	   /* where to insert an annotation; if the line has one already, where that begins */
	size_t note_end;   /* where the annotation in the line ends; equal to `note` if there is none */
	/* the annotation says that it is from another build; when it is removed, the token stays, without one */
	bool removable;
	const char *module; /* points into the line; unused if absolute */
	size_t module_length;
	bool absolute; /* NUMBER is an address in memory; otherwise it is an RVA of MODULE */
	uint64_t number;
	enum is_return is_return;
	/* of an exact address: so many bytes the program has subtracted from a return address; 0: it has not, or it is
	   not known */
	unsigned subtracted;
	bool tentative; /* may be something else that has this form: do not complain if no module fits */
	/* it is no address, but the row of a module: the annotation says where its symbols come from; note.h */
	bool is_module;
};

/* The beginning of a line that was wrapped, as far as it has been read, and how the lines are read together. */
enum { JOINED_MOST = 2 * NOTE_LONGEST }; /* with the annotations of the last line */
struct joined {
	size_t length; /* of the lines before the current one, in joined_text; 0: they are no beginning */
	size_t all;    /* with the current one */
	uint64_t line; /* the number of the last of these lines */
	unsigned lines;
	bool first;	       /* the lines are read together, whatever the current one says alone */
	struct context before; /* as it was before them */
	/* joined_text is being read: what is at OWN of the current line is at AT in that */
	bool is_read;
	size_t own, at;
};

enum fact_kind {
	FACT_LOADED, /* MODULE is loaded at BASE */
	FACT_STAMP,  /* MODULE has this DateStamp; where it is loaded is not known */
	FACT_BOOT,   /* the system starts; TEXT names its build.  All load addresses are forgotten */
	FACT_BUILD,  /* TEXT names the build of the system */
	FACT_USER,   /* the dump of a process starts.  Load addresses of user-mode modules are forgotten */
};

struct fact {
	enum fact_kind kind;
	const char *module; /* a name or a path; points into the line, or to a constant */
	size_t module_length;
	uint64_t base;
	uint64_t size;	  /* bytes, or 0 if unknown */
	uint32_t stamp;	  /* DateStamp, or 0 if unknown */
	const char *text; /* for build_parse(); points into the line; empty if no build is known */
	size_t text_length;
};

struct tokens {
	/* The caller sets these four before the first call, and again when more of the line has arrived. */
	const char *text; /* the plain text of the line (plain.h) */
	size_t length;	  /* without the newline */
	bool complete;	  /* the newline or the end of the input follows, so no more text arrives */
	bool strings;	  /* the line is JSON or CSV (plain.h) */

	size_t begin;	       /* where the line's own text begins (front.h), after time stamps and the like */
	bool begin_known;      /* false: more text may show that something else comes before it */
	size_t columns_end;    /* the end of DebugView's columns; numbers in them are none of rows */
	bool after_prompt;     /* a prompt comes before it */
	size_t string_read;    /* the string has no quotation mark before this */
	bool in_string;	       /* the line's own text is a string, which ends with a quotation mark */
	size_t at;	       /* the text before this position has been read */
	size_t token_end;      /* the end of the last token and its annotation */
	size_t token_note;     /* where that annotation begins, if it comes after the token; else token_end */
	size_t hold;	       /* after FOUND_MORE and FOUND_END: the caller may print the text up to here */
	bool begun;	       /* the forms that only count at the start of a line have been tried */
	bool numbers;	       /* bare numbers in this line are addresses, as on FreeLoader's screen */
	unsigned pair_numbers; /* how many numbers of pairs have been read */
	size_t pc_end;	       /* the end of the last CS:EIP, whose place may follow as a token; 0: none */
	size_t exception_end;  /* the end of the address of Wine's exception; 0: none */
	bool code;	       /* the line is one of KDBG's disassembly */
	bool place;	       /* "win32k+1a230" counts in this line: the RVA has no "0x" */
	bool transfer;	       /* the line is WinDbg's LAST_CONTROL_TRANSFER */
	bool dump_row;	       /* the line is a row of WinDbg's memory dumps: its numbers are data */
	bool stack_row;	       /* the line is a row of WinDbg's stack, whose address has been read */
	bool stack_cut;	       /* the line is the beginning of such a row, which was wrapped before its address */
	bool is_begun;	       /* `before` is that of this line */
	bool continues;	       /* it may continue the line before */
	bool is_tried;	       /* ... and was read together with that */
	bool is_something;     /* it has a token or a fact, or what changed the context */
	bool has_queued_token; /* the next call returns `token` */
	bool has_queued;       /* the call after that returns `queued` */

	/* tokens_begin() leaves these as they are */
	struct fact queued;
	struct token token;
	struct fact fact;
	struct joined joined;
	struct context before; /* as the context was when the line began */
	char joined_text[JOINED_MOST];
};

#endif

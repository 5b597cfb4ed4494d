/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * token.h - what is found in a line of a log, and the state of the search
 *
 * A code address, with the text around it that marks it as one, is a *token*: "<ntoskrnl.exe:89b21>".  A statement
 * about modules or the system is a *fact*: "ntoskrnl.exe is loaded at 80400000".  tokens_next() (tokens.h) returns the
 * tokens and facts of a line one by one; the matchers (match.h), which it calls, fill in struct token and struct fact.
 */
#ifndef LOG_READ_TOKEN_H
#define LOG_READ_TOKEN_H

#include "log/read/context.h"
#include "log/read/note.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number that the rules (rules/rules.h) propose as an address counts only if the module's image shows this: */
enum proof {
	PROOF_NONE,  /* nothing: the text around the number shows what it is */
	PROOF_NAMED, /* it is in code of the module that the line names, loaded at the log's or the preferred base */
	PROOF_CODE,  /* it is in the code of a module */
	PROOF_CALL,  /* it is in the code of a module, directly after a call */
};

/* A code address.  Positions are bytes from the start of the line's plain text; plain_locate_token() changes them to
   positions in the raw line. */
struct token {
	size_t begin, end;
	size_t note;	 /* where its annotation (note.h) is, or is to be inserted */
	size_t note_end; /* set by plain_locate_token(): where the annotation ends; equal to `note` if there is none */
	/* The name of the module; points into the line or the context.  If `absolute`, the module is the one at NUMBER,
	   and NULL means that the line does not name it. */
	const char *module;
	size_t module_length;
	bool absolute; /* NUMBER is an address in memory; otherwise it is an RVA of MODULE */
	uint64_t number;
	enum is_return is_return;
	/* how many bytes the program (KDBG) may have subtracted from a return address to print NUMBER; else 0 */
	unsigned subtracted;
	bool may_have_base; /* NUMBER may be the sum of an RVA and the module's base, or the image's preferred base */
	bool tentative;	    /* ordinary text can look like this token: if no module fits, do not report this */
	enum proof proof;
	/* the token is no address, but a module in a dump's report: the annotation is about the module's symbols */
	bool is_module;
};

enum fact_kind {
	FACT_LOADED,  /* MODULE is loaded at BASE */
	FACT_STAMP,   /* MODULE has the DateStamp STAMP; its load address is unknown */
	FACT_BOOT,    /* the system boots; TEXT names its build.  The load addresses on earlier lines become invalid */
	FACT_BUILD,   /* TEXT names the build of the system */
	FACT_MACHINE, /* firmware reports an exception, on a processor of the kind MACHINE */
	FACT_USER,    /* the dump of a process begins.  User-mode load addresses on earlier lines become invalid */
};

/* Values of fact.machine. */
enum { MACHINE_I386 = 0x14c, MACHINE_AMD64 = 0x8664, MACHINE_ARM64 = 0xaa64, MACHINE_RISCV64 = 0x5064 };

struct fact {
	enum fact_kind kind;
	const char *module; /* a name or a path; points into the line or the context, or to a constant */
	size_t module_length;
	uint64_t base;
	uint64_t code;	  /* where the module's code begins, if BASE was only guessed from that; else 0 */
	uint64_t size;	  /* of the module, in bytes; 0: unknown */
	uint32_t stamp;	  /* DateStamp, or 0 if unknown */
	bool user;	  /* the module belongs to a user-mode process, even if BASE looks like a kernel address */
	uint16_t machine; /* FACT_MACHINE: the value of the field Machine in PE images for that machine */
	/* FACT_BOOT, FACT_BUILD: text of the line that names a build (build_find_name()); empty if no build is known */
	const char *text;
	size_t text_length;
};

struct wrapped;

enum line_state {
	LINE_PLAIN,
	LINE_PLACE,	/* the place of a crash may follow: "win32k+1a230" is a token, although it has no "0x" */
	LINE_TRANSFER,	/* the line is WinDbg's LAST_CONTROL_TRANSFER */
	LINE_EXCEPTION, /* the line is Wine's dispatch_exception, and "ip=" follows */
};

/* A line, and the state of the search for tokens and facts in it. */
struct tokens {
	const char *text; /* the plain text of the line (plain.h) */
	size_t length;	  /* of `text`, without the newline */
	bool strings;	  /* the line is JSON or CSV (plain.h) */
	unsigned users;	  /* who must read the line: FOR_MATCHERS, FOR_RULES or both (sieve.h) */

	size_t begin;	    /* where the line's own text begins (front.c), after time stamps and the like */
	bool after_prompt;  /* a debugger's prompt comes before the line's own text */
	size_t string_read; /* from `begin` up to here, no quotation mark is in the text: search for one from here on */
	bool in_string;	    /* the line's own text is inside a string of JSON or CSV, and ends where the string ends */
	size_t at;	    /* the text before this position has been read */
	size_t token_end;   /* where the text of the last token ended */
	bool start_tried;   /* the forms that only count at the start of a line have been tried */
	bool numbers;	    /* bare numbers in this line are addresses, as on FreeLoader's screen */
	/* where the last "CS:EIP 8:89b21" or "CS:EIP 8:" ends; a token right after this is exact; 0: none */
	size_t pc_end;
	bool code;		    /* the line is one of KDBG's disassembly */
	enum line_state line_state; /* what a form in the line has shown about the rest of the line */
	bool dump_row;		    /* the line is a row of WinDbg's memory dumps (dq, dps): its numbers are data */
	bool stack_row;		    /* the line is a row of WinDbg's stack, whose address has been read */
	bool stack_cut;	 /* the line ends inside a form that a mailer may wrap, such as a row of WinDbg's stack */
	bool line_form;	 /* a token or fact of a form that only counts at the start of a line was found */
	bool joined;	 /* the line is being read together with the lines before it (tokens.h) */
	bool recognized; /* the line has a token or a fact, or has changed the context */
	bool known;	 /* a matcher has recognized the line, so the rules (rules/rules.h) propose nothing for it */
	size_t found;	 /* 1 + the position where the last token or fact found in the line begins; 0: none yet */
	/* where the form around `token` ends, if text of the form follows the token; else 0 (tokens.c) */
	size_t form_end;
	bool has_queued_token; /* the next call of tokens_next() returns `token`, which was found with `fact` */
	/* the next call of tokens_next(), or the one after that if has_queued_token, returns `queued` as a fact */
	bool has_queued;

	/* tokens_begin() does not clear the members from here on */
	struct fact queued;
	struct token token;
	struct fact fact;
	/* the lines before, which the line may continue; the caller sets this once */
	struct wrapped *wrapped;
};

#endif

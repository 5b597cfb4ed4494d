/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * context.h - which addresses are return addresses, by the heading and the table before a line
 *
 * An address in a stack trace is *exact*, or it is a *return address*: the first byte after a call.  That byte may
 * belong to another source line, even to another function, so a return address is looked up one byte lower.  The two
 * kinds look alike; the program that printed the trace has chosen one.  Two things show the kind, in this order: the
 * form of the line, and the heading before the line, which people often do not copy.  If neither does, the address is
 * *open*, and the code of the image decides: after a call it is a return address, else exact (resolve.c).
 *
 * In forms.txt, a word after the pattern of a form shows the kind: exact, return, row, ...  A number in KeRosDump's
 * form, "<name: 0001A2B3>" with 8 or 16 digits or "<path: 1a2b3>", is a return address.  A token right after "CS:EIP
 * 8:89b21" is exact, and so is each in a row of KDBG's x or disasm: "<token>: 90909090", "<token>: call <token>".
 *
 * The headings mean:
 *
 *     KDBG bt, i386	"Eip:" exact; "Frames:" exact, because KDBG has subtracted 5 already, but bare numbers are
 *			return addresses; the first after "[Parent TSS ...]" exact
 *     KDBG bt, x64	"Frames:", then "[stack pointer] token" on each line: row 0 exact, the others return addresses
 *     kernel32		"Address:" exact; "Frames:" return addresses, each with " (path@base)" after it
 *     before 2010	"Frames:" with all tokens on the same line, or "<name: offset>" after it: return addresses
 *     FreeLoader	"Frames:" and bare numbers on one line: return addresses
 *     WinDbg k, Java, ...	first row exact, the others return addresses (forms.txt: heading:windbg, heading:trace)
 *
 * In WinDbg's stacks the address in the row after a trap handler's is open, even after a heading: an interrupted
 * instruction is exact, but the place of a system call is a return address.  resolve.c does the same in all traces,
 * after a row whose address it has found to be in a trap handler.
 *
 * Lines that do not belong to the trace may come between a heading and its rows: another processor's output, a pager's
 * prompt.  So a heading stays valid for a few such lines.
 */
#ifndef LOG_READ_CONTEXT_H
#define LOG_READ_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The last heading of a stack: it shows which of the addresses after it are exact, and which are return addresses. */
enum heading {
	HEADING_NONE,
	HEADING_EIP,	     /* KDBG's "Eip:": one exact address follows */
	HEADING_ADDRESS,     /* kernel32's "Address:": one exact address follows */
	HEADING_TSS,	     /* "[Parent TSS 0x0028 @ 0x8009C000]", "[Active TSS": one exact address, then frames */
	HEADING_USER_FRAMES, /* "Frames:" after "Address:" */
	HEADING_FRAMES,	     /* any other "Frames:" */
	/* Up to here, rows of a stack of KDBG, kernel32 or an unknown program follow. */
	HEADING_PAIRS,	     /* PspDumpThreads: every second number is an address */
	HEADING_WINDBG,	     /* "ChildEBP RetAddr", "Child-SP RetAddr" for 64 bits, or "STACK_TEXT:" */
	HEADING_WINDBG_ROWS, /* no heading: a row of WinDbg's stack came before, or a blank line after such rows */
	HEADING_TRACE,	     /* a heading of another program: the first row is exact, the others are return addresses */
};

/* The kind of a code address. */
enum is_return {
	IS_OPEN,   /* it is exact or a return address, but it is not known which of the two */
	IS_EXACT,  /* the address of the instruction itself */
	IS_RETURN, /* a return address: that of the byte after a call */
};

/* The table that the current line may be in, and what prints it.  Its rows mean something only after its heading. */
enum table {
	TABLE_NONE,
	TABLE_MOD,     /* KDBG "mod" */
	TABLE_LM,      /* WinDbg "lm" */
	TABLE_THREADS, /* KDBG "thread list" */
	TABLE_WINE,    /* winedbg "info share", as in the reports of winedbg */
	TABLE_JAVA,    /* "Dynamic libraries:" */
	TABLE_WATSON_MODULES,
	TABLE_VERSION,	    /* `ver`: its second line has the build */
	TABLE_NT_DRIVERS,   /* NT 4's screen: drivers */
	TABLE_NT_STACK,	    /* NT 4's screen: words of the stack */
	TABLE_EUREKA_STACK, /* EurekaLog */
	TABLE_EUREKA_MODULES,
	TABLE_EVENT_PROGRAM, /* event 1000 of Windows: the line with the program */
	TABLE_EVENT_MODULE,  /* the line with the module that is at fault */
	TABLE_EVENT_CODE,    /* the line with the exception code; the RVA is on the next line */
};

/* What an earlier line was, for forms that count only after it.  A form can accept a sum of several values. */
enum kept {
	KEPT_SIGNATURE = 0x8,	/* the line of a problem signature that names the module */
	KEPT_DATA = 0x10,	/* "<EventData>": numbered fields follow */
	KEPT_APPCRASH = 0x20,	/* the heading of a report of the type APPCRASH: fields with numbers follow */
	KEPT_BEX = 0x40,	/* the same for the type BEX, whose fields have the RVA before the exception code */
	KEPT_WATSON = 0x80,	/* a report of Dr. Watson has begun, and its module list has not been read yet */
	KEPT_SIGNAL = 0x100,	/* a row of Go for a signal handler */
	KEPT_LIST = 0x200,	/* the module list of a report of Dr. Watson has been read */
	KEPT_ARGUMENTS = 0x400, /* WinDbg's "Arguments:", the heading of the arguments of a bugcheck */
};

/* What earlier lines mean for the addresses on the current one. */
struct context {
	uint64_t line; /* the number of the current line */
	enum heading heading;
	uint64_t heading_last_line; /* the line of the heading, or the last line so far that belongs to it */
	bool on_heading_line;	    /* the heading is on the current line */
	unsigned seen;		    /* how many addresses followed the heading so far */
	bool windbg_trap;	    /* the last row of WinDbg's stack was in a trap handler */
	enum table table;
	uint64_t half_line;  /* HEADING_PAIRS: the line of the last number, if its pair lacks the second one; else 0 */
	uint64_t wraps_line; /* the last line that a mailer may have wrapped (tokens.c); 0: none */
	bool int3;	     /* KDBG was entered at the breakpoint int3_address, and no trace has been read since */
	uint64_t int3_address;
	/* parameters of the bugcheck can be on this many lines after bugcheck_line; 0: none are expected */
	unsigned bugcheck_lines;
	uint64_t bugcheck_code, bugcheck_line;
	unsigned bugcheck_read;	 /* how many of the bugcheck's parameters were on the lines before */
	uint64_t bugcheck_first; /* the bugcheck's first parameter, or 0 if it has not been read */
	/* the line of WinDbg's FAULTING_IP or FOLLOWUP_IP, 0: none; the place of the crash is on one of the next two */
	uint64_t place_line;
	unsigned place_wraps;	   /* how many lines after place_line may be the rest of a wrapped line */
	enum is_return place_kind; /* the kind of the address of that place */
	uint64_t place_rva; /* RVA of that place in the module kept_name, from the first of the two lines; 0: unknown */
	/* the line of Breakpad's last row of a stack (0: none), and the number in that row */
	uint64_t frame_line;
	unsigned frame;
	unsigned kept;	      /* what an earlier line was, of enum kept; 0: nothing */
	uint64_t kept_line;   /* the line that set `kept` */
	unsigned kept_fields; /* how many fields after KEPT_DATA have been read */
	char kept_name[128];  /* the name of the module that is at fault */
	size_t kept_length;
	/* the last fault: its line; its address; its process, or 0; whether a second report of it begins no new dump */
	uint64_t fault_line, fault, fault_process;
	bool fault_is_new;
};

/* How a token is spelled: this shows which program printed it. */
struct spelling {
	bool bare;	  /* no module: "<80953369>" */
	bool space;	  /* a blank after the colon: "<name: offset>" */
	bool padded;	  /* 8 or 16 digits, leading zeros included */
	bool path;	  /* the module is a path */
	bool has_pointer; /* "[FFFFF88003CFB490] " comes before it */
	bool loaded;	  /* " (path@base)" follows it, or it is "7c920000+f0a1   path" */
	bool colon;	  /* ": " follows it, as in KDBG's disassembly */
	bool exact;	  /* the text before it shows that its address is exact */
	bool row;	  /* the line has only the token, and what the other members describe */
};

/* Begin a new line: count it, and forget a heading or a bugcheck that is too many lines before it. */
void context_begin_line(struct context *context);

/* Record a heading on the current line. */
void context_record_heading(struct context *context, enum heading heading);

/* Record the heading of a table. */
void context_record_table(struct context *context, enum table table);

/* Store STATE, one of enum kept, and NAME, a module's name of LENGTH bytes or NULL.  If STATE is 0, store only NAME. */
void context_keep_state(struct context *context, unsigned state, const char *name, size_t length);

/* Whether the state that context_keep_state() stored last is one of STATES, and not too many lines old for its kind. */
bool context_has_kept_state(const struct context *context, unsigned states);

/* Treat what is on line FIRST as if it were on the current line: a mailer has wrapped one line into these lines. */
void context_join_lines(struct context *context, uint64_t first);

/* Record that the current line, in which nothing was found, seems to be the rest of the line before, which a mailer has
   wrapped.  Allows one more line between an announcement and the place of a crash.  BEFORE is the context before the
   current line: if that was in WinDbg's table of modules, the table continues. */
void context_record_wrapped_line(struct context *context, const struct context *before);

/* Forget the last heading and table, because something else begins in the log, such as another dump. */
void context_reset(struct context *context);

/* Whether the current line can have a meaning even if it has no key word and no token: as a row or the end of a table
   or stack, or as the line with the parameters of a bugcheck or with the place of a crash. */
bool context_expects_rows(const struct context *context);

/* Whether tokens_next() must read each line now: rows are expected, or a mailer may have wrapped the line before. */
bool context_needs_every_line(const struct context *context);

/* Count an address after the heading, "<...>" or "7c920000+f0a1 path".  Returns the kind of the address. */
enum is_return context_count_token(struct context *context, const struct spelling *spelling);

/* What KDBG subtracts from a return address on i386: the length of most call instructions, in bytes. */
enum { KDBG_SUBTRACTS = 5 };

/* Whether KDBG may have subtracted KDBG_SUBTRACTS from an address that context_count_token() has just called exact. */
bool context_is_corrected(const struct context *context, const struct spelling *spelling);

/* Record that the current line announces the place of a crash (FAULTING_IP).  The place is on one of the next two
   lines, and its address is of this KIND. */
void context_announce_place(struct context *context, enum is_return kind);

/* Whether the announced place of a crash can be on the current line. */
bool context_may_have_place(const struct context *context);

/* Whether parameters of a bugcheck whose number was on a line before can be on the current line. */
bool context_may_have_parameters(const struct context *context);

/* If the heading is HEADING_TRACE, count the line as a row and return the kind of its address; else return IS_OPEN. */
enum is_return context_count_trace_row(struct context *context);

/* Count a row of WinDbg's stack.  NUMBERED: the row begins with ROW, the frame's number.  Returns the kind of the call
   site, the address in the row. */
enum is_return context_count_call_site(struct context *context, bool numbered, uint64_t row);

/* Whether the current line can have rows of a stack, because a line before it is the heading of a stack of KDBG,
   kernel32 or an unknown program. */
bool context_may_have_frames(const struct context *context);

#endif

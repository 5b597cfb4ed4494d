/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match.h - one matcher for each form of token or fact; to be used by tokens.c, sieve.c and the matchers only
 *
 * A matcher compares the text at tokens->at, and sometimes the text before it, with its form.  If they agree, it stores
 * what it read in tokens->token or tokens->fact and sets tokens->at to the first byte after it.
 */
#ifndef LOG_READ_MATCH_H
#define LOG_READ_MATCH_H

#include "log/read/cursor.h"
#include "log/read/token.h"

enum {
	LONGEST_NAME = 300,   /* of a module, path included */
	LONGEST_FACT = 1024,  /* from the key word of a fact to its end */
	LONGEST_BANNER = 400, /* from "ReactOS" to the end of the commit (build-name.h) */
	LONGEST_ROW = 4096,   /* a longer line is no row of a table */
	/* digits of an RVA that somebody wrote by hand: no code is in the first page of a module */
	LEAST_WRITTEN = 4,
};

/* The result of a matcher. */
enum match {
	MATCH_NONE, /* the text does not have this form */
	MATCH_TOKEN,
	MATCH_FACT,
	MATCH_QUIET, /* the text has the form; it changed the context, and there is nothing to return */
	MATCH_MORE,  /* the text ends too early to decide */
};

enum match match_angle(struct tokens *t, struct context *context);    /* "<module:rva>", "<80953369>" */
enum match match_bare_row(struct tokens *t, struct context *context); /* the whole line, as a row without brackets */
enum match match_loaded_path(struct tokens *t);			      /* "(path@base)" after such a token */
enum match match_plus(struct tokens *t, struct context *context);     /* "module+0xrva", "7c920000+f0a1   path" */
enum match match_key(struct tokens *t, struct context *context);      /* forms that begin with a key word */
enum match match_number(struct tokens *t, struct context *context);   /* "fffff800`02a61000", FreeLoader's frames */
/* the whole line, as a row of the current table */
enum match match_row(struct tokens *t, struct context *context);
enum match match_stack_row(struct tokens *t, struct context *context); /* the whole line, as a row of WinDbg's stack */

/* The bugcheck number at AT.  Its parameters follow it, or are on the next line, where match_stop_line() finds them. */
enum match match_stop(struct tokens *t, struct context *context, size_t at);
enum match match_bugcheck(struct tokens *t, struct context *context, size_t at); /* WinDbg's "D5, {...}" */
enum match match_bugcheck_code(struct tokens *t, struct context *context, size_t at);
enum match match_bugcheck_parameter(struct tokens *t, struct context *context, size_t at, unsigned index);
enum match match_stop_line(struct tokens *t, struct context *context);

/* "module - Address X base at Y, DateStamp Z": AT is the position after "Address".  The line after one that was wrapped
   in it goes to match_address_line(). */
enum match match_address(struct tokens *t, struct context *context, size_t at);
enum match match_has_base(struct tokens *t, size_t at); /* NT 4's "X has base at Y - module" */
enum match match_address_line(struct tokens *t, struct context *context);

/* Key words of other programs' reports (match_foreign.c). */
enum match match_wine_fault(struct tokens *t, size_t at);
enum match match_fault_at(struct tokens *t, size_t at, const char *word); /* WORD comes after the address */
enum match match_exception(struct tokens *t, size_t at);
enum match match_wine_loaded(struct tokens *t, size_t at);
enum match match_edk2_loading(struct tokens *t, size_t at);
enum match match_edk2_image(struct tokens *t, size_t at);
enum match match_edk2_base(struct tokens *t, size_t at);
enum match match_edk2_pc(struct tokens *t, struct context *context, size_t at);
enum match match_systemd(struct tokens *t, size_t at);
enum match match_delphi(struct tokens *t, size_t at);
enum match match_rust(struct tokens *t, size_t at);
enum match match_wine_unwind(struct tokens *t, size_t at);
enum match match_symbol_file(struct tokens *t, size_t at);

/* Rows of other programs' stacks.  The "+" at tokens->at has no module before it, or EDK2's base, which begins
   at BEGIN. */
enum match match_bare_plus(struct tokens *t, struct context *context);
enum match match_edk2(struct tokens *t, struct context *context, size_t begin);
enum match match_unreal(struct tokens *t, struct context *context, size_t at);
enum match match_unity(struct tokens *t, struct context *context, size_t at);
enum match match_unity_loaded(struct tokens *t, size_t at);
enum match match_jcl(struct tokens *t, struct context *context, size_t at);
enum match match_boost(struct tokens *t, size_t at);
enum match match_base_pointer(struct tokens *t, struct context *context, size_t at);
enum match match_madexcept(struct tokens *t, struct context *context); /* the whole line, as a row */
enum match match_drmingw(struct tokens *t, struct context *context, size_t at);

/* ... that have no offset in a module (match_trace.c) */
enum match match_wine_export(struct tokens *t, size_t at);
enum match match_chromedriver(struct tokens *t, struct context *context, size_t at);
enum match match_nvse(struct tokens *t, struct context *context, size_t at);
enum match match_breakpad_register(struct tokens *t, struct context *context, struct cursor c);
enum match match_exception_ip(struct tokens *t, size_t at);
enum match match_go_exception(struct tokens *t, struct context *context, size_t at);
enum match match_go_unknown(struct tokens *t, struct context *context, size_t at);
enum match match_go_row(struct tokens *t, struct context *context, size_t at);

/* The base that ADDRESS and OFFSET tell, by the rule at the head of match_place.c.  *CORRECTED: the offset is that of the byte
   before a return address. */
bool match_sort_place(uint64_t address, uint64_t offset, uint64_t *base, bool *corrected);

/* MATCH, the result of match_relative().  If it is a token, its module is loaded at BASE. */
enum match match_with_base(struct tokens *t, enum match match, uint64_t base);

/* Read the number that ends at END; if its annotation ends at END, the number before that.  It must have at least 8
   digits, or "0x" and 5.  Returns where it begins, or END if there is none. */
size_t match_address_before(const struct tokens *t, size_t end, struct number *number);

/* The number of the row before END, at the beginning of the line: "=>0 ", " 12 ", "3: ", or "[ 1] ", which may have
   been taken for a time stamp.  False: there is none. */
bool match_row_number(const struct tokens *t, size_t end, unsigned *row);
enum is_return match_row_is_return(unsigned row, bool corrected);

/* Whether the module is one of Linux: "libc.so.6", "<elf>". */
bool match_is_elf(const char *name, size_t length);

/* MATCH, the result of match_absolute() or match_relative(), for a row without number. */
enum match match_trace_row(struct tokens *t, struct context *context, enum match match);

/* MATCH, the result of a matcher for "module+offset"; what comes before the token may tell its kind and the
   module's base. */
enum match match_listed(struct tokens *t, struct context *context, enum match match);

/* Windows' events about crashes.  AT is the position after the key word; match_event_line() reads a line between those
   with a name. */
enum match match_event_module(struct tokens *t, struct context *context, size_t at);
enum match match_event_line(struct tokens *t, struct context *context);
/* the heading of fields; EVENT is an enum event */
enum match match_event_fields(struct tokens *t, struct context *context, size_t at, unsigned event);
enum match match_event_data(struct tokens *t, struct context *context, size_t at);
enum match match_event_parameter(struct tokens *t, struct context *context, size_t at, unsigned field);
enum match match_event_xp(struct tokens *t, size_t at);
enum match match_fault_module(struct tokens *t, struct context *context, size_t at);
enum match match_fault_number(struct tokens *t, struct context *context, size_t at, unsigned rva);

/* What WinDbg's !analyze says.  AT is the position after the key word; C that after NUMBER, which is at tokens->at. */
enum match match_argument(struct tokens *t, struct context *context, size_t at);
enum match match_faulting_module(struct tokens *t, size_t at);
enum match match_transfer(struct tokens *t, struct cursor *c, const struct number *number);
/* the whole line, as a row of a disassembly */
enum match match_instruction(struct tokens *t, struct context *context);

/* Whether the line, as far as it has arrived, may be a row of a table.  If not, it need not be held back: a prompt that
   follows a table is printed at once. */
bool match_may_be_row(const struct tokens *t);

/* Whether the line consists of addresses with blanks between them, and nothing else. */
bool match_is_all_numbers(const struct tokens *t);

/* The end of the line's text, without the blanks and the carriage return at its end. */
size_t match_text_end(const struct tokens *t);

/* Set tokens->hold and return MATCH_MORE.  HOLD must be right even if the text turns out to have another form: no
   annotation may ever be inserted before it. */
enum match match_more(struct tokens *t, size_t hold);

/* Make a token of the absolute address NUMBER, which is the text from BEGIN to END, and find the annotation after it.
   0 is no address of code: MATCH_NONE. */
enum match match_absolute(struct tokens *t, size_t begin, size_t end, uint64_t number, enum is_return is_return);

/* As match_absolute(), but only if WORD follows, after the annotation if there is one.  The line may end before the blank that ends
   WORD. */
enum match match_before(struct tokens *t, size_t begin, size_t end, uint64_t number, enum is_return is_return,
			const char *word);

/* MATCH, the result of such a function that was called at AT, if the line ends after the token and its annotation. */
enum match match_last(struct tokens *t, size_t at, enum match match);

/* Make a token of an RVA that somebody wrote by hand.  It is no token if a longer word goes on after
   it, and it is tentative. */
enum match match_written(struct tokens *t, size_t begin, size_t end, const char *module, size_t length, uint64_t rva);

/* Whether C may be next to a word without being a part of it. */
bool match_may_surround(char c);

/* Whether a token with an annotation is `removable` (token.h).  The annotation has NOTE_LENGTH bytes at NOTE and ends
   its line.  If the text between FROM and NOTE ends with an annotation, too, the token is not removable. */
bool match_is_removable(const struct tokens *t, size_t from, size_t note, size_t note_length);

/* Make the fact that a module is loaded, and set tokens->at to AT, the end of its text. */
enum match match_loaded(struct tokens *t, size_t at, const char *module, size_t length, uint64_t base, uint64_t size);

/* Make a fact of KIND from the text at BEGIN, which names a build, and set tokens->at to the end of that text, but not
   before AT.  MUST: there is no fact if the text names no build. */
enum match match_build(struct tokens *t, enum fact_kind kind, size_t begin, size_t at, bool must);

/* Match "80400000 809d1000   nt" at AT: start address, end address, name. */
enum match match_start_end_name(struct tokens *t, size_t at);

bool match_has_separator(const char *text, size_t length);

/* Whether TEXT begins as an absolute path does.  Text of another kind is no path: it may hold other tokens. */
bool match_is_path(const char *text, size_t length);
bool match_has_extension(const char *name, size_t length);

/* Whether NAME ends with an extension that modules have: ".exe", ".sys" and so on. */
bool match_is_module(const char *name, size_t length);

struct module_offset {
	const char *module;
	size_t module_length;
	uint64_t rva;
};

static inline struct module_offset in_module(const char *module, size_t length, uint64_t rva)
{
	return (struct module_offset){ module, length, rva };
}

/* Make a token of PLACE, like match_absolute(). */
enum match match_relative(struct tokens *t, size_t begin, size_t end, struct module_offset place,
			  enum is_return is_return);

/* The key word with this index, counted from 0; NULL after the last.  It only counts where no character of a word comes
   before it. */
const char *match_key_word(size_t index);

/* For sieve.c: text that the line always has where that key word counts.  Most often it is the word itself; around
   common words it is more.  NULL: it only counts while context_every_line_counts(). */
const char *match_key_sign(size_t index);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * form.h - forms of logs as rows of text, which are in forms.txt, and in files that --forms names
 *
 *     form   "...BPX {address}" exact
 *     sample "BPX 0x8094136a" "@8094136a"
 *
 * A form has a *pattern* for text of lines, and *words* that say what such text means.  rossym-forms(7) explains both.
 * A pattern is a list of *parts*, which are read from left to right, each once: so the time for a form is linear.
 */
#ifndef LOG_READ_FORM_H
#define LOG_READ_FORM_H

#include "log/read/form-words.h"

enum {
	FORMS_MAX = 320,	/* the most forms of a file */
	FORM_LENGTH_MAX = 1000, /* the most bytes of a line in a file of forms */
	FORM_PARTS_MAX = 80,	/* the most parts of a pattern */
	ALL_PARTS_MAX = 8000,	/* the most parts of all patterns */
	FORM_WORDS_MAX = 6,	/* the most words after a pattern */
	SIGN_MOST = 30,		/* the most bytes of a sign, a text by which sieve.c finds lines with a form */
};

/* What a part of a pattern reads. */
enum part_kind {
	PART_TEXT,   /* the `length` bytes at `text` */
	PART_CHOICE, /* one of the texts of the next `length` parts: the first that is there */
	PART_BLANKS, /* at least `length` blanks, or a tab, or the end of the line */
	PART_NUMBER, /* a hexadecimal number; `role` is what it means */
	PART_DECIMAL,
	PART_NUMBERS,	/* up to four hexadecimal numbers: the parameters of a bugcheck */
	PART_ARGUMENTS, /* hexadecimal numbers without "0x", and colons, each with blanks after it */
	PART_NAME,
	PART_SKIP,     /* anything up to the parts that follow */
	PART_LINE_END, /* blanks up to the end of the line */
	PART_BEGIN,    /* nothing: here the token begins */
	PART_END,      /* nothing: here the token ends */
	PART_OPTION,   /* the next `length` parts may be missing */
};

/* What the number or the name that a part reads is in a log. */
enum role {
	ROLE_ADDRESS,
	ROLE_RVA,
	ROLE_BASE, /* where the module is loaded */
	ROLE_LAST, /* where the module ends */
	ROLE_SIZE,
	ROLE_PAGES, /* the size of the module in pages */
	ROLE_STAMP,
	ROLE_CODE, /* where the code of the module begins */
	ROLE_SAME, /* ROLE_ADDRESS again: the line has the address twice */
	ROLE_PROCESS,
	ROLE_ROW,    /* the number of a stack's row */
	ROLE_STATUS, /* the code of a bugcheck or an exception */
	ROLE_INDEX,  /* which parameter of a bugcheck, from 1 */
	ROLE_ANY,    /* nothing: its value is not used */
	ROLE_COUNT,

	ROLE_NAME = ROLE_COUNT, /* characters of modules' names */
	ROLE_PATH,		/* anything up to the parts that follow, or to the end of the line */
	ROLE_FILE,		/* a name up to the extension of a module; without one, one word or an absolute path */
	ROLE_IMAGE,		/* a path, of which the file's name without its extension counts */
	ROLE_WORD,		/* nothing: the word is not used */
	ROLE_TEXT,		/* what a line says about a crash; read like ROLE_PATH */
};

/* What a number or a name must also be: the word after ":" in braces. */
enum spec {
	SPEC_LEAST,    /* at least `length` digits; if `length` is 8, 5 digits after "0x" are enough */
	SPEC_PREFIX,   /* at least `length` digits, after "0x" */
	SPEC_FULL,     /* 8 or 16 digits, without "0x" */
	SPEC_GRAVE,    /* 16 digits with a grave accent between the halves, by which sieve.c finds the line */
	SPEC_TWO,      /* 2 digits, without "0x" */
	SPEC_CODE,     /* an RVA, or an offset from where the module's code begins */
	SPEC_MODULE,   /* a name with an extension that modules have */
	SPEC_ABSOLUTE, /* an absolute path */
	SPEC_ALIGNED,  /* at most 6 digits; these and the blanks before them have at least 6 columns */
	SPEC_UPPER,    /* at least 4 characters, no small letter */
};

struct form_part {
	unsigned char kind, role, spec, length; /* the enums above; KIND or SPEC says what `length` is */
	unsigned char most; /* the most digits of a decimal number; no other digit may follow; 0: see read_decimal() */
	const char *text;
};

/* A form: its pattern, its words, and what has been derived from them. */
struct log_form {
	unsigned line; /* the number of the line with the form in its file */
	bool matched;  /* some text that has been read has this form */
	const struct form_part *parts;
	unsigned short count; /* how many parts it has */
	bool anywhere;	      /* the form need not begin the line */
	unsigned char word_count;
	const struct form_word *words[FORM_WORDS_MAX];
	const struct form_word *says;	/* the word for what a line says about a crash; NULL: it says nothing */
	const struct form_word *prefix; /* the word prefix or prefix:...; NULL: the form is no prefix of lines */
	bool only_says;			/* the form has no other meaning than `says` */
	const struct form_word *wants;	/* the form counts only in the state that this word describes; NULL: always */
	const char *module;		/* the module that all lines of this form are about; NULL: none */
	size_t module_length;
	/* each line with this form has this text, or one of the texts of this choice, by which sieve.c finds the line;
	   NULL: none is needed */
	const struct form_part *sign;
	bool has_mark; /* each line with this form has a mark, a character by which sieve.c finds the line */
};

struct form_error {
	unsigned line, column;
	const char *what;
};

/* Add the forms in TEXT, which must stay in memory.  Forms that are added first are tried first.  If a row is wrong,
   returns false, and stores in *ERROR what and where. */
bool forms_add(const char *text, size_t length, struct form_error *error);

/*
 * Check that each sample in TEXT, sample "LINES" "FOUND", is right, and that each form in TEXT has a sample.  If not,
 * returns false, and stores in *ERROR what and where.  Call forms_add() with TEXT first.
 *
 * FOUND lists what is found in LINES: "@8094136a" and "a.sys+1e80" for addresses, with "-" after a return address, "?"
 * after an open one, and "/a.sys" if the line names the module of an address; "{a.sys@80400000,1000,5db90293}" for a
 * module, its base, size and DateStamp; "{boot}", "{build}", "{dump}", "{machine}"; and after all that is
 * found in a line, "crash:exception,c0000005:Page Fault" for what the line says about a crash.
 */
bool samples_check(const char *text, size_t length, struct form_error *error);

/* Add the program's own forms, unless that was done before.  Returns how many forms there are. */
size_t forms_load_and_count(void);
struct log_form *form_get(size_t index);

/* Returns the sign of PART, a text, or of text N of PART, a choice: the longest piece of the text by which sieve.c can
   find lines.  Stores its length in *RET_LENGTH.  Returns NULL if there is no text N; a text has only text 0. */
const char *form_find_sign(const struct form_part *part, unsigned n, size_t *ret_length);

/* Returns the first word of FORM that has this EFFECT; NULL if there is none. */
const struct form_word *form_find_word(const struct log_form *form, enum form_effect effect);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resolve.h - looks up tokens, the addresses in a log: finds the source line of each
 *
 * It also counts tokens and answers, and prints the counts (-s).
 *
 * A log can have several boots, and each may be of another build of ReactOS.  A banner (build-name.h), which the system
 * prints when it boots, begins a boot.  It names the build for the lines up to the next boot or the end of the log, and
 * says nothing about the lines before it.
 *
 * Other texts name only a commit, such as the names of discs: "0.4.15-dev-1397-g19779b3".  Such a text is a *mark*.  It
 * is weaker than a banner, because people write about other builds, too.  So marks count only in a boot without a
 * banner, and only if all of them name the same build.
 */
#ifndef LOG_RESOLVE_RESOLVE_H
#define LOG_RESOLVE_RESOLVE_H

#include "log/resolve/evidence.h"
#include "log/find/call-site.h"
#include "log/find/modules.h"
#include "log/resolve/scout.h"
#include "log/scan/settings.h"
#include "log/read/token.h"

/* The reason that is printed for a refused answer. */
#define RESOLVE_REFUSED "the image is of another build"

enum { BOOTS_BUILDS = 32 }; /* elements of `counts`; the last one is for all builds for which no element was free */

/* The build of each boot in the logs. */
struct boots {
	struct build build; /* the build of the current boot; empty: not known */
	bool several;	    /* the current boot has no banner, but marks of several builds: so `build` is empty */
	/* For each build that the logs name, or that return addresses have shown: how many boots the logs have, how
	   many addresses were in them, and how many of these were answered from an image of another build. */
	struct boots_count {
		struct build build;
		unsigned long long boots, tokens, other;
	} counts[BOOTS_BUILDS];
	size_t count;
	struct boots_count *current; /* the counts for `build`; NULL: the build is not known */
};

struct resolver {
	const struct settings *settings;
	char *path; /* the only image of this resolver, which an operand names; NULL: all images may answer */
	struct resolver *next; /* the resolver of the next image that an operand names; NULL: none */
	struct modules modules;
	struct scout scout;
	struct boots boots;
	const char *log;	  /* the name of the current log; NULL: standard input */
	struct scanner *evidence; /* reads the log ahead to find its build, once; NULL: done, or the log is no file */
	bool reported_build;	  /* the warning about answers from another build has been printed */
	enum code_entry after;	  /* how the function of the last frame, on line `function_line`, is entered */
	uint64_t line;		  /* the current line of the log, which the caller sets */
	uint64_t function_line;
	struct token_counts {
		unsigned long long tokens;  /* tokens that were looked up */
		unsigned long long skipped; /* tokens not looked up, because their note in the log stays */
		unsigned long long undone;  /* tokens whose note was removed */
		unsigned long long why[ROSSYM_WHY_UNKNOWN + 1]; /* `tokens` by result, without `refused` */
		unsigned long long refused;			/* tokens with an answer that --strict refuses */
	} counts;
};

struct answer {
	uint64_t rva;		    /* the RVA of the address, before 1 is subtracted for IS_RETURN */
	enum is_return is_return;   /* IS_RETURN: the byte before the address was looked up */
	struct rossym_answer found; /* what was found at `rva`; the module is NULL if none is known */
	/* the module that the line names, if it has an image, and the log has no load address for it; else NULL */
	const struct rossym_module *unplaced;
	const char *why;       /* in words, why there is no answer: found.why, or why the answer is refused */
	enum build_same build; /* how the build of the image compares with that of the log */
	/* --strict has refused the answer, which is, or may be, from another build; so found.why is not ANSWERED */
	bool refused;
	bool no_call;	    /* no call is before the address, though it should be a return address */
	bool differs;	    /* only with settings->both: `before` differs from `found` */
	const char *commit; /* the commit of the log; that of the image, if its build is another; "": unknown */
	/* only with settings->both: the answer for the byte before; its strings belong to the same image */
	struct rossym_frame before;
};

/* Look TOKEN up, store the result in *ANSWER, and count TOKEN unless resolve_is_no_address() is true.  Strings of
   *ANSWER are valid until the next call, `commit` until the next fact. */
void resolve_token(struct resolver *resolver, const struct token *token, struct answer *answer);

/* Count a token that is not looked up, because its note in the log stays.  FUNCTION is the function in that note. */
void resolve_count_noted(struct resolver *resolver, const char *function);

/* Look for the symbols of the module that TOKEN names in a dump's report.  ANSWER->found.why is ROSSYM_WHY_ANSWERED if
   they were found and --strict does not refuse them.  ANSWER gets no function, file or line. */
void resolve_find_symbols(struct resolver *resolver, const struct token *token, struct answer *answer);

/* Returns the module of TOKEN without looking TOKEN up; NULL: none is known. */
const struct rossym_module *resolve_find_module(struct resolver *resolver, const struct token *token);

/* Whether TOKEN is no address after all.  A tentative token can be any number or word, so it counts only if its module
   exists, or if a module is at its address. */
static inline bool resolve_is_no_address(const struct token *token, const struct answer *answer)
{
	enum rossym_why why = answer->found.why;
	return token->tentative && (why == ROSSYM_WHY_NO_MODULE || why == ROSSYM_WHY_NO_BASE ||
				    (token->absolute && token->proof != PROOF_NONE && why != ROSSYM_WHY_ANSWERED));
}

/* Store FACT, what the log says about a module, the machine or the build.  Returns whether a boot begins or the log has
   named another build.  Without settings->builds, always returns false. */
bool resolve_store_fact(struct resolver *resolver, const struct fact *fact);

/* Begin the log NAME, which SCANNER reads: forget the build and all load addresses, except those of --module.  SCANNER
   is NULL if no lines can be read ahead. */
void resolve_begin_log(struct resolver *resolver, const struct scanner *scanner, const char *name);

/* Print the counts and the modules of RESOLVER, and of all resolvers after it (`next`), on standard error. */
void statistics_print(const struct resolver *resolver);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resolve.h - from a token to a place in the source
 *
 * Only this asks the modules.  It also counts tokens and answers, for the statistics at the end.
 */
#ifndef LOG_RESOLVE_RESOLVE_H
#define LOG_RESOLVE_RESOLVE_H

#include "log/resolve/boots.h"
#include "log/resolve/evidence.h"
#include "log/find/modules.h"
#include "log/resolve/scout.h"
#include "log/read/settings.h"
#include "log/read/token.h"

/* Why an answer is refused. */
#define RESOLVE_REFUSED "the image is of another build"

struct resolver {
	const struct settings *settings;
	struct modules modules;
	struct scout scout;
	struct boots boots;
	struct evidence_log log; /* is no file if its return addresses have been asked already of which build it is */
	bool reported_build;	 /* it was explained what it means that a build differs */
	/* the last answer is a function that the processor enters at a fault; also at an interrupt or a system call */
	bool after_trap, after_entry;
	struct counts {
		/* Those that were looked up; that had a note, which stays; and whose note was removed. */
		unsigned long long tokens, skipped, undone;
		unsigned long long why[ROSSYM_WHY_UNKNOWN + 1]; /* of `tokens`, by the result */
		unsigned long long refused; /* of `tokens`: answers from another build, which are not wanted */
	} counts;
};

struct answer {
	uint64_t rva;		    /* in the module, of the address as it was printed */
	enum is_return is_return;   /* of a return address, the byte before it was looked up */
	struct rossym_answer found; /* what was found there; the module is NULL if none is known */
	const char *why;	    /* found.why as a phrase */
	enum build_same build;	    /* whether the image's place is of the build that the log names */
	/* with settings->strict: there is an answer, from another build; found.why is not ANSWERED */
	bool refused;
	bool no_call;		    /* it is said to be a return address, but there is no call before it */
	bool differs;		    /* only with settings->both: `before` is another place than `found` */
	const char *commit;	    /* of the build that the log names, or ""; valid until the next fact */
	struct rossym_frame before; /* the answer for one byte less; its strings belong to the same image */
};

/* Look TOKEN up, and count it.  Strings of *ANSWER are valid until the next call. */
void resolve(struct resolver *resolver, const struct token *token, struct answer *answer);

/* Look for the symbols of the module whose row TOKEN is.  ANSWER->found.why is ROSSYM_WHY_ANSWERED if there are
   any; ANSWER has no place. */
void resolve_symbols(struct resolver *resolver, const struct token *token, struct answer *answer);

/* Returns the module that TOKEN, which is not looked up, belongs to; NULL: none is known. */
const struct rossym_module *resolve_module(struct resolver *resolver, const struct token *token);

/* Whether TOKEN is no token after all.  A tentative token, which may be any number or word, counts only if there is
   such a module, or a module at that address. */
static inline bool resolve_is_nothing(const struct token *token, const struct answer *answer)
{
	enum rossym_why why = answer->found.why;
	return token->tentative && (why == ROSSYM_WHY_NO_MODULE || why == ROSSYM_WHY_NO_BASE);
}

/* Take note of what a log says about modules, boots and builds.  Returns whether the build is another one now, or a
   boot begins. */
bool resolve_fact(struct resolver *resolver, const struct fact *fact);

/* Forget where modules are loaded, except those of --module: another log begins, or the machine boots. */
void resolve_log(struct resolver *resolver, int fd, const char *name);

/* Print the counts on standard error. */
void resolve_statistics(const struct resolver *resolver);

#endif

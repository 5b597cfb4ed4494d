/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resolve.h - from a token to a place in the source: the one door to the modules, and the counts */
#ifndef LOG_RESOLVE_H
#define LOG_RESOLVE_H

#include "log/modules.h"
#include "log/settings.h"
#include "log/tokens.h"

struct resolver {
	const struct settings *settings;
	struct modules modules;
	struct counts {
		unsigned long long tokens, skipped, undone;
		unsigned long long why[ROSSYM_WHY_UNKNOWN + 1];
	} counts;
};

struct answer {
	uint64_t rva;			/* in the module, as it was printed */
	bool is_return;			/* the byte before was looked up */
	struct rossym_answer found;	/* what was found there; the module is NULL if none is known */
	bool differs;			/* settings->both, and: */
	struct rossym_frame before;	/* what the byte before says; its strings are those of the same image */
};

void resolve(struct resolver *resolver, const struct token *token, struct answer *answer);

/* What may be anything is a token only if there is such a module, or a module there. */
static inline bool resolve_is_nothing(const struct token *token, const struct answer *answer)
{
	enum rossym_why why = answer->found.why;
	return token->tentative && (why == ROSSYM_WHY_NO_MODULE || why == ROSSYM_WHY_NO_BASE);
}

void resolve_fact(struct resolver *resolver, const struct fact *fact);

/* Another log begins. */
void resolve_forget(struct resolver *resolver);

/* What was counted, on standard error. */
void resolve_statistics(const struct resolver *resolver);

#endif

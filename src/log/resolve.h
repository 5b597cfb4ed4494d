/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resolve.h - from a token to a place in the source: the one door to bases and modules, and the counts */
#ifndef LOG_RESOLVE_H
#define LOG_RESOLVE_H

#include "log/bases.h"
#include "log/modules.h"
#include "log/settings.h"
#include "log/tokens.h"

struct resolver {
	const struct settings *settings;
	struct bases bases;
	struct modules modules;
	struct counts {
		unsigned long long tokens, skipped, undone;
		unsigned long long why[WHY_COUNT];
	} counts;
	bool out_of_memory;
};

struct answer {
	enum why why;			/* WHY_ANSWERED: the rest is valid */
	const struct module *module;	/* or NULL: none is known */
	uint64_t rva;			/* in the module, as it was printed */
	bool is_return;			/* it was looked up one byte before */
	struct rossym_frame frame;
	bool differs;			/* settings->both, and: */
	struct rossym_frame before;	/* what the byte before says; its strings are those of the same image */
};

void resolve(struct resolver *resolver, const struct token *token, struct answer *answer);

/* What may be anything is a token only if there is such a module, or a module there. */
static inline bool resolve_is_nothing(const struct token *token, const struct answer *answer)
{
	return token->tentative && (answer->why == WHY_NO_MODULE || answer->why == WHY_NO_BASE);
}

void resolve_fact(struct resolver *resolver, const struct fact *fact);

/* Another log begins. */
void resolve_forget(struct resolver *resolver);

/* What was counted, on standard error. */
void resolve_statistics(const struct resolver *resolver);

#endif

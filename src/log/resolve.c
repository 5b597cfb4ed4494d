// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/resolve.h"
#include "tool/diag.h"

#include <stdio.h>
#include <string.h>

/* Find the token's module and its place there. */
static struct module *locate(struct resolver *resolver, const struct token *token, uint64_t *rva)
{
	*rva = token->number;
	if (!token->absolute)
		return modules_get(&resolver->modules, token->module, token->module_length);
	const struct base *base = bases_find(&resolver->bases, token->number);
	if (!base)
		return NULL;
	*rva = token->number - base->address;
	return modules_get(&resolver->modules, base->name, strlen(base->name));
}

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && strncmp(a, b, ROSSYM_LENGTH_MAX) == 0);
}

static enum why look_up(struct resolver *resolver, struct module *module, const struct token *token,
			struct answer *answer)
{
	uint64_t rva = answer->rva;
	if (answer->is_return && rva-- == 0)
		return WHY_UNKNOWN;
	enum why why = modules_lookup(&resolver->modules, module, rva, token->tentative, &answer->frame);
	if (why != WHY_ANSWERED || !resolver->settings->both || rva == 0)
		return why;
	enum why before = modules_lookup(&resolver->modules, module, rva - 1, true, &answer->before);
	if (before == WHY_ANSWERED)
		answer->differs = !same(answer->frame.function, answer->before.function) ||
				  !same(answer->frame.file, answer->before.file) ||
				  answer->frame.line != answer->before.line;
	/* The image has been closed, and the first answer's strings with it. */
	return before == WHY_BROKEN ? before : why;
}

void resolve(struct resolver *resolver, const struct token *token, struct answer *answer)
{
	uint64_t rva;
	struct module *module = locate(resolver, token, &rva);
	*answer = (struct answer){ .why = token->absolute ? WHY_NO_BASE : WHY_NO_MODULE, .module = module, .rva = rva };
	answer->is_return = resolver->settings->assume == ASSUME_RETURN ||
			    (token->is_return && resolver->settings->assume == ASSUME_NOTHING);
	if (module)
		answer->why = look_up(resolver, module, token, answer);
	if (resolve_is_nothing(token, answer))
		return;
	resolver->counts.tokens++;
	resolver->counts.why[answer->why]++;
	if (module) {
		module->tokens++;
		module->answered += answer->why == WHY_ANSWERED;
	}
}

static void learn(struct resolver *resolver, const char *name, size_t length, const struct fact *fact)
{
	struct module *module = modules_get(&resolver->modules, name, length);
	if (module)
		modules_learn(module, fact->stamp, fact->size);
}

void resolve_fact(struct resolver *resolver, const struct fact *fact)
{
	switch (fact->kind) {
	case FACT_LOADED:
		break;
	case FACT_BOOT:
		bases_forget(&resolver->bases, false);
		modules_forget(&resolver->modules);
		return;
	case FACT_USER:
		bases_forget(&resolver->bases, true);
		return;
	}
	if (!bases_add(&resolver->bases, fact->module, fact->module_length, fact->base, fact->size, false))
		resolver->out_of_memory = true;
	if (!fact->stamp && !fact->size)
		return;
	learn(resolver, fact->module, fact->module_length, fact);
	/* And for the short name, which WinDbg uses. */
	for (size_t length = fact->module_length; length-- > 1;)
		if (fact->module[length] == '.') {
			learn(resolver, fact->module, length, fact);
			break;
		}
	if (modules_is_name(fact->module, fact->module_length, "ntoskrnl.exe"))
		learn(resolver, "nt", 2, fact);
}

void resolve_forget(struct resolver *resolver)
{
	bases_forget(&resolver->bases, false);
	modules_forget(&resolver->modules);
}

void resolve_statistics(const struct resolver *resolver)
{
	const struct counts *counts = &resolver->counts;
	char skipped[48] = "", undone[48] = "";
	if (counts->skipped)
		snprintf(skipped, sizeof skipped, ", already annotated: %llu", counts->skipped);
	if (counts->undone)
		snprintf(undone, sizeof undone, ", annotations removed: %llu", counts->undone);
	diag_plain("tokens: %llu, resolved: %llu%s%s", counts->tokens, counts->why[WHY_ANSWERED], skipped, undone);
	for (enum why why = WHY_ANSWERED + 1; why < WHY_COUNT; why++)
		if (counts->why[why])
			diag_plain("unresolved: %llu: %s", counts->why[why], why_text(why));
	const struct module *module;
	for (size_t at = 0; (module = modules_next(&resolver->modules, &at)) != NULL;) {
		char label[600];
		const char *file = modules_file(module, label, sizeof label);
		if (module->tokens)
			diag_plain("%s: %llu of %llu, %s", module->name, module->answered, module->tokens,
				   file ? file : why_text(module->why));
	}
}

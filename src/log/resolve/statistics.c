// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/resolve/statistics.h"
#include "tool/diag.h"
#include "tool/strbuf.h"

#include <inttypes.h>
#include <stdio.h>

/* Append to TEXT what is known of a module from the log: "; loaded: DateStamp 1, size 2, base 3". */
static void add_loaded(struct strbuf *text, const struct module_notes *notes)
{
	const struct {
		const char *what;
		uint64_t number;
	} facts[] = {
		{ "DateStamp ", notes->stamp },
		{ "size ", notes->length },
		{ "base ", notes->base },
	};
	const char *before = "; loaded: ";
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
		if (!facts[i].number)
			continue;
		strbuf_addf(text, "%s%s%" PRIx64, before, facts[i].what, facts[i].number);
		before = ", ";
	}
}

/* Write to TEXT which file has answered for the module with NOTES, or why none has, and what the log tells of it. */
static void describe_module(struct strbuf *text, const struct resolver *resolver, const struct module_notes *notes)
{
	char label[1300];
	strbuf_add(text, modules_answered_by(notes, label, sizeof label));
	if (resolver->settings->builds)
		add_loaded(text, notes);
}

static void print_counts(const struct token_counts *counts)
{
	char skipped[48] = "", undone[48] = "";
	if (counts->skipped)
		snprintf(skipped, sizeof skipped, ", already annotated: %llu", counts->skipped);
	if (counts->undone)
		snprintf(undone, sizeof undone, ", annotations removed: %llu", counts->undone);
	diag_plain("tokens: %llu, resolved: %llu%s%s", counts->tokens, counts->why[ROSSYM_WHY_ANSWERED], skipped,
		   undone);
	for (unsigned why = ROSSYM_WHY_ANSWERED + 1; why <= ROSSYM_WHY_UNKNOWN; why++)
		if (counts->why[why])
			diag_plain("unresolved: %llu: %s", counts->why[why], rossym_why_text((enum rossym_why)why));
	if (counts->refused)
		diag_plain("unresolved: %llu: %s", counts->refused, RESOLVE_REFUSED);
}

/* Print a row for each module of RESOLVER in which an address was looked up. */
static void print_modules(const struct resolver *resolver)
{
	const struct modules *modules = &resolver->modules;
	const struct rossym_module *module;
	struct strbuf text = { .bytes = NULL };
	for (uint32_t i = 0; i < modules->note_room && rossym_set_get_module(modules->set, i, &module); i++) {
		const struct module_notes *notes = &modules->notes[i];
		if (!notes->tokens)
			continue;
		text.length = 0;
		describe_module(&text, resolver, notes);
		diag_plain("%s: %llu of %llu, %s", module->name, notes->answered, notes->tokens,
			   text.bytes ? text.bytes : "");
	}
	strbuf_clear(&text);
}

void statistics_print(const struct resolver *resolver)
{
	struct token_counts sum = resolver->counts;
	for (const struct resolver *other = resolver->next; other; other = other->next) {
		sum.tokens += other->counts.tokens;
		sum.refused += other->counts.refused;
		for (unsigned why = 0; why <= ROSSYM_WHY_UNKNOWN; why++)
			sum.why[why] += other->counts.why[why];
	}
	print_counts(&sum);
	boots_statistics(&resolver->boots);
	for (const struct resolver *each = resolver; each; each = each->next)
		print_modules(each);
	if (resolver->modules.says_builds)
		modules_say_builds(&resolver->modules, diag_plain);
}

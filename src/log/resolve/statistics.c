// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/resolve/statistics.h"
#include "tool/array.h"
#include "tool/diag.h"
#include "tool/strbuf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct statistics_row {
	char *name; /* the module's */
	char *text; /* which file answered, or why there is no answer; what the log tells of the module */
	unsigned long long tokens, answered;
};

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
static void describe(struct strbuf *text, const struct resolver *resolver, const struct module_notes *notes)
{
	char label[1300];
	strbuf_add(text, modules_answered_by(notes, label, sizeof label));
	if (resolver->settings->builds)
		add_loaded(text, notes);
}

/* Returns the first module from number *NUMBER on in which an address was looked up, and sets *NUMBER to
   its number; NULL: there is none. */
static const struct rossym_module *next_module(const struct modules *modules, uint32_t *number)
{
	const struct rossym_module *module;
	for (; *number < modules->note_room && rossym_set_get_module(modules->set, *number, &module); ++*number)
		if (modules->notes[*number].tokens)
			return module;
	return NULL;
}

/* --------------------------------------------------------------------------------------- resolvers that are closed */

/* Returns the row that has NAME and TEXT; NULL: there is none.  A linear search suffices: opening the files of the
   operands takes longer. */
static struct statistics_row *find_row(const struct statistics *statistics, const char *name, const char *text)
{
	for (size_t i = 0; i < statistics->count; i++)
		if (strcmp(statistics->rows[i].name, name) == 0 && strcmp(statistics->rows[i].text, text) == 0)
			return &statistics->rows[i];
	return NULL;
}

/* Append a row with NAME and TEXT.  Returns NULL if there is no memory. */
static struct statistics_row *append_row(struct statistics *statistics, const char *name, const struct strbuf *text)
{
	struct statistics_row *rows = array_with_room(statistics->rows, &statistics->room, statistics->count,
						      sizeof *rows);
	if (!rows)
		return NULL;
	statistics->rows = rows;
	rows += statistics->count;
	*rows = (struct statistics_row){ copy_text(name, strlen(name)), copy_text(text->bytes, text->length), 0, 0 };
	if (!rows->name || !rows->text) {
		free(rows->name);
		free(rows->text);
		return NULL;
	}
	statistics->count++;
	return rows;
}

/* Add the counts of NOTES to the row for MODULE, which is appended if there is none.  Returns false if
   there is no memory. */
static bool add_module(struct statistics *statistics, const struct resolver *resolver,
		       const struct rossym_module *module, const struct module_notes *notes)
{
	struct strbuf text = { .bytes = NULL };
	describe(&text, resolver, notes);
	struct statistics_row *row = NULL;
	if (text.bytes && !text.no_memory) {
		row = find_row(statistics, module->name, text.bytes);
		row = row ? row : append_row(statistics, module->name, &text);
	}
	if (row) {
		row->tokens += notes->tokens;
		row->answered += notes->answered;
	}
	strbuf_clear(&text);
	return row != NULL;
}

bool statistics_add(struct statistics *statistics, struct resolver *resolver, const struct resolver *closing)
{
	struct token_counts *counts = &resolver->counts;
	const struct modules *modules = &closing->modules;
	const struct rossym_module *module;
	bool good = true;
	counts->tokens += closing->counts.tokens;
	counts->refused += closing->counts.refused;
	for (unsigned why = 0; why <= ROSSYM_WHY_UNKNOWN; why++)
		counts->why[why] += closing->counts.why[why];
	for (uint32_t i = 0; good && (module = next_module(modules, &i)) != NULL; i++)
		good = add_module(statistics, closing, module, &modules->notes[i]);
	return good;
}

void statistics_clear(struct statistics *statistics)
{
	for (size_t i = 0; i < statistics->count; i++) {
		free(statistics->rows[i].name);
		free(statistics->rows[i].text);
	}
	free(statistics->rows);
	*statistics = (struct statistics){ .rows = NULL };
}

/* ----------------------------------------------------------------------------------------------------- printing */

static void print_row(const char *name, unsigned long long answered, unsigned long long tokens, const char *text)
{
	diag_plain("%s: %llu of %llu, %s", name, answered, tokens, text ? text : "");
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

void statistics_print(const struct statistics *statistics, const struct resolver *resolver)
{
	const struct modules *modules = &resolver->modules;
	const struct rossym_module *module;
	struct strbuf text = { .bytes = NULL };
	print_counts(&resolver->counts);
	boots_statistics(&resolver->boots);
	for (uint32_t i = 0; (module = next_module(modules, &i)) != NULL; i++) {
		text.length = 0;
		describe(&text, resolver, &modules->notes[i]);
		print_row(module->name, modules->notes[i].answered, modules->notes[i].tokens, text.bytes);
	}
	strbuf_clear(&text);
	for (size_t i = 0; i < statistics->count; i++) {
		const struct statistics_row *row = &statistics->rows[i];
		print_row(row->name, row->answered, row->tokens, row->text);
	}
	if (modules->says_builds)
		modules_say_builds(modules, diag_plain);
}

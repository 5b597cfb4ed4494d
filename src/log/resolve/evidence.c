// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/resolve/evidence.h"
#include "log/find/modules.h"
#include "log/read/chars.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state of evidence_compare(). */
struct evidence_reader {
	struct fit_frames frames;
	bool has_build; /* the log names its build or a module's DateStamp */
	bool no_memory;
	const struct settings *settings;
	struct rossym_set *loaded; /* the modules whose load addresses the log has given so far */
	/* the last address, less 1 if it is a return address; used only if last_line is not 0 */
	struct fit_address last;
	uint64_t last_line; /* the line of `last`, if it looks like a row of a stack of KDBG, a debugger; else 0 */
};

/* Store the module and the RVA of TOKEN in *ADDRESS.  Returns false if they are not known. */
static bool locate_token(const struct evidence_reader *w, const struct token *token, struct fit_address *address)
{
	const struct rossym_module *module;
	const char *name = token->module;
	size_t length = token->module_length;
	address->rva = token->number;
	if (token->absolute) {
		if (rossym_set_locate(w->loaded, token->number, &module, &address->rva) <= 0 || !module->length ||
		    !module_name_fits(module, name, length))
			return false;
		name = module->name;
		length = strlen(name);
	}
	name = base_name(name, &length);
	snprintf(address->module, sizeof address->module, "%.*s", (int)(length < FIT_NAME ? length : FIT_NAME - 1),
		 name);
	for (char *c = address->module; *c; c++)
		*c = to_lower(*c);
	return true;
}

/* Returns 1 if TOKEN is a return address; N > 1 if it is one from which the program that printed it may have subtracted
   N; 0 if it is exact, or if the log leaves that open.  FOLLOWS: TOKEN and the address on the line before both look
   like rows of KDBG; so TOKEN is not in the first row of a stack, whose address may be exact. */
static unsigned classify_return_address(const struct evidence_reader *w, const struct token *token, bool follows)
{
	if (w->settings->assume != ASSUME_NOTHING)
		return w->settings->assume == ASSUME_RETURN;
	if (token->is_return == IS_RETURN)
		return 1;
	if (token->is_return == IS_EXACT && token->subtracted > 0)
		return token->subtracted;
	return token->is_return == IS_OPEN && follows && !token->absolute ? KDBG_SUBTRACTS : 0;
}

/* Add the return address SITE, unless it is in the list or the list is full.  RETURNS: classify_return_address() of
   SITE.  CALLEE: the address on the line before, in the function that was called, to be stored with SITE; or NULL. */
static void add_return_address(struct fit_frames *frames, const struct fit_address *site, unsigned returns,
			       const struct fit_address *callee)
{
	size_t i = 0;
	while (i < frames->count &&
	       (frames->list[i].site.rva != site->rva || strcmp(frames->list[i].site.module, site->module) != 0))
		i++;
	if (i == FIT_FRAMES)
		return;
	struct fit_frame *frame = &frames->list[i];
	if (i == frames->count) {
		frames->count++;
		*frame = (struct fit_frame){ .site = *site, .subtracted = returns > 1 ? returns : 0 };
	}
	if (callee && !frame->has_callee) {
		frame->has_callee = true;
		frame->callee = *callee;
	}
}

/* Add the token EVENT, on line number LINE, if it is a return address; in any case, store its address in w->last. */
static void add_token(struct evidence_reader *w, const struct event *event, uint64_t line)
{
	const struct token *token = &event->token;
	const bool follows = event->in_angle && w->last_line > 0 && w->last_line + 1 == line;
	const unsigned returns = classify_return_address(w, token, follows);
	struct fit_address site;
	if (token->tentative || !locate_token(w, token, &site)) {
		w->last_line = 0;
		return;
	}
	if (returns > 0)
		add_return_address(&w->frames, &site, returns, follows ? &w->last : NULL);
	w->last = site;
	w->last.rva -= returns == 1 && site.rva > 0;
	w->last_line = event->in_angle && w->last_line != line ? line : 0;
}

static void add_loaded_module(struct evidence_reader *w, const struct fact *fact)
{
	size_t length = fact->module_length;
	const struct rossym_loaded loaded = { .size = sizeof loaded,
					      .flags = fact->user ? ROSSYM_LOADED_USER : 0,
					      .name = base_name(fact->module, &length),
					      .name_length = length,
					      .base = fact->base,
					      .length = fact->size };
	/* A module that the set refuses, because its range is not possible, is ignored. */
	struct rossym_error err;
	w->no_memory |= rossym_set_add(w->loaded, &loaded, &err) < 0 && err.code == ROSSYM_ENOMEM;
}

/* Apply FACT to w->loaded, and record whether it names a build or a DateStamp. */
static void add_fact(struct evidence_reader *w, const struct fact *fact)
{
	switch (fact->kind) {
	case FACT_LOADED:
		add_loaded_module(w, fact);
		w->has_build |= fact->stamp != 0;
		break;
	case FACT_STAMP:
		w->has_build = true;
		break;
	case FACT_BOOT:
		rossym_set_forget(w->loaded, 0, NULL);
		w->has_build |= fact->text_length > 0;
		break;
	case FACT_BUILD:
		w->has_build |= fact->text_length > 0;
		break;
	case FACT_MACHINE:
		break;
	case FACT_USER:
		rossym_set_forget(w->loaded, ROSSYM_FORGET_USER, NULL);
		break;
	}
}

/* Add the events of the line at index LINE of EVENTS.  NAME is a buffer for events_get(). */
static void add_line(struct evidence_reader *w, const struct events *events, size_t line, struct strbuf *name)
{
	for (size_t i = events->lines[line].first; i < events_find_end_of_line(events, line); i++) {
		const struct event event = events_get(events, i, name);
		if (event.is_fact)
			add_fact(w, &event.fact);
		else
			add_token(w, &event, events->lines[line].number);
	}
}

/* Add the events of AHEAD, and of the lines that it can still read, until there are enough frames. */
static void collect_evidence(struct evidence_reader *w, struct scanner *ahead, bool past_build)
{
	const struct events *events = &ahead->events;
	struct strbuf name = { .bytes = NULL };
	for (size_t line = 0; (past_build || !w->has_build) && w->frames.count < FIT_FRAMES &&
			      scanner_get_line_offset(ahead) <= EVIDENCE_REACH;) {
		if (line < events->line_count)
			add_line(w, events, line++, &name);
		else if (!scanner_read_more_lines(ahead))
			break;
	}
	w->no_memory |= name.no_memory || ahead->line.plain.no_memory;
	strbuf_clear(&name);
}

bool evidence_compare(struct build_fit *fit, struct modules *modules, struct scanner *ahead,
		      const struct settings *settings, bool past_build)
{
	const struct rossym_set_options options = { .size = sizeof options };
	struct evidence_reader *w = calloc(1, sizeof *w);
	bool good = w && rossym_set_create(&options, &w->loaded, NULL) == 0;
	modules->out_of_memory |= !good;
	if (good) {
		w->settings = settings;
		collect_evidence(w, ahead, past_build);
		modules->out_of_memory |= w->no_memory;
		rossym_set_destroy(w->loaded);
		good = ahead->error == 0 && (past_build || !w->has_build);
	}
	if (good)
		fit_compare(fit, modules, &w->frames);
	free(w);
	return good;
}

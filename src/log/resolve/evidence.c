// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/resolve/evidence.h"
#include "log/find/module-name.h"
#include "log/read/chars.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The state of evidence_read(). */
struct evidence_reader {
	struct evidence *evidence;
	struct scanner scanner;
	struct settings settings;
	struct rossym_set *loaded; /* where modules are loaded */
	/* the last address, less 1 if it is a return address; used only if last_line is not 0 */
	struct fit_address last;
	uint64_t last_line; /* the line of `last`, if that looks like a row of a stack of KDBG; else 0 */
	bool past_build;
};

/* Store the module and the RVA of TOKEN in *ADDRESS.  False: they are not known. */
static bool locate(const struct evidence_reader *w, const struct token *token, struct fit_address *address)
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

/* Returns 1 if TOKEN is a return address; N > 1 if it is one, but its printer may have subtracted N from it; 0 if it is
   exact, or that is not known.  FOLLOWS: both TOKEN and the address on the line before look like rows of KDBG.  So
   TOKEN is not in the first row of a stack, which may be exact. */
static unsigned may_return(const struct evidence_reader *w, const struct token *token, bool follows)
{
	if (w->settings.assume != ASSUME_NOTHING)
		return w->settings.assume == ASSUME_RETURN;
	if (token->is_return == IS_RETURN)
		return 1;
	if (token->is_return == IS_EXACT && token->subtracted > 0)
		return token->subtracted;
	return token->is_return == IS_OPEN && follows && !token->absolute ? KDBG_SUBTRACTS : 0;
}

static struct fit_frame *find_frame(struct fit_frames *frames, const struct fit_address *site)
{
	for (size_t i = 0; i < frames->count; i++)
		if (frames->list[i].site.rva == site->rva && strcmp(frames->list[i].site.module, site->module) == 0)
			return &frames->list[i];
	return NULL;
}

/* Add the return address SITE, unless it is in the list or the list is full.  RETURNS is the result of may_return().
   CALLEE: the address on the line before it, which is in the function that was called; or NULL. */
static void add_site(struct fit_frames *frames, const struct fit_address *site, unsigned returns,
		     const struct fit_address *callee)
{
	struct fit_frame *frame = find_frame(frames, site);
	if (!frame && frames->count == FIT_FRAMES)
		return;
	if (!frame) {
		frame = &frames->list[frames->count++];
		*frame = (struct fit_frame){ .site = *site, .subtracted = returns > 1 ? returns : 0 };
	}
	if (callee && !frame->has_callee) {
		frame->has_callee = true;
		frame->callee = *callee;
	}
}

static bool visit_token(void *context, const struct found_token *found)
{
	struct evidence_reader *w = context;
	const struct token *token = &found->token;
	const uint64_t line = w->scanner.line.number;
	const bool bracket = w->scanner.line.plain.text[found->begin] == '<';
	const bool follows = bracket && w->last_line > 0 && w->last_line + 1 == line;
	const unsigned returns = may_return(w, token, follows);
	struct fit_address site;
	if (token->tentative || !locate(w, token, &site)) {
		w->last_line = 0;
		return false;
	}
	if (returns > 0)
		add_site(&w->evidence->frames, &site, returns, follows ? &w->last : NULL);
	w->last = site;
	w->last.rva -= returns == 1 && site.rva > 0;
	w->last_line = bracket && w->last_line != line ? line : 0;
	return false;
}

static void add_loaded(struct evidence_reader *w, const struct fact *fact)
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
	w->evidence->no_memory |= rossym_set_add(w->loaded, &loaded, &err) < 0 && err.code == ROSSYM_ENOMEM;
}

static bool visit_fact(void *context, const struct fact *fact)
{
	struct evidence_reader *w = context;
	switch (fact->kind) {
	case FACT_LOADED:
		add_loaded(w, fact);
		w->evidence->has_build |= fact->stamp != 0;
		break;
	case FACT_STAMP:
		w->evidence->has_build = true;
		break;
	case FACT_BOOT:
		rossym_set_forget(w->loaded, 0, NULL);
		w->evidence->has_build |= fact->text_length > 0;
		break;
	case FACT_BUILD:
		w->evidence->has_build |= fact->text_length > 0;
		break;
	case FACT_MACHINE:
		break;
	case FACT_USER:
		rossym_set_forget(w->loaded, ROSSYM_FORGET_USER, NULL);
		break;
	}
	return w->past_build || !w->evidence->has_build;
}

void evidence_begin(struct evidence_log *log, int fd, const char *name)
{
	struct stat st;
	log->fd = fd;
	log->name = name;
	log->begin = fd >= 0 ? lseek(fd, 0, SEEK_CUR) : -1;
	log->is_file = log->begin >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

/* Whether reading can stop: a fact has stopped it, the list is full, or EVIDENCE_REACH bytes have been searched. */
static bool is_enough(const struct evidence_reader *w)
{
	return w->scanner.stop || w->evidence->frames.count == FIT_FRAMES || scanner_line(&w->scanner) > EVIDENCE_REACH;
}

bool evidence_read(struct evidence *evidence, const struct evidence_log *log, const struct settings *settings,
		   bool past_build)
{
	static const struct scanner_visitor visitor = { .token = visit_token, .fact = visit_fact };
	const struct rossym_set_options options = { .size = sizeof options };
	int status = 1;
	struct evidence_reader *w = calloc(1, sizeof *w);
	*evidence = (struct evidence){ .has_build = false };
	evidence->no_memory = !w || rossym_set_create(&options, &w->loaded, NULL) < 0;
	if (evidence->no_memory)
		goto out;
	w->evidence = evidence;
	w->past_build = past_build;
	w->settings = *settings;
	w->settings.html = w->settings.crashes = w->settings.mark_answered = w->settings.mark_unanswered = false;
	if (!scanner_open(&w->scanner, &w->settings, &visitor, w)) {
		evidence->no_memory = true;
		goto out;
	}
	scanner_start(&w->scanner);
	w->scanner.at_offset = true;
	w->scanner.offset = log->begin;
	while (status > 0 && !is_enough(w)) {
		status = scanner_fill(&w->scanner, log->fd);
		scanner_read(&w->scanner, status <= 0);
	}
	evidence->no_memory |= w->scanner.line.plain.no_memory;
out:
	if (w) {
		scanner_close(&w->scanner);
		rossym_set_destroy(w->loaded);
	}
	free(w);
	return status >= 0;
}

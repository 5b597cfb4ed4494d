// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/record-style.h"
#include "tool/demangle.h"
#include "tool/strbuf.h"

#include <string.h>
#include <strings.h>
#include <stdlib.h>

/* ------------------------------------------------------------------------------------------------ names that are made */

enum { SLOTS = 1024 };

struct display_slot {
	const char *of;		   /* the string in the table; NULL: the slot is free */
	struct display_name shown; /* the result for it */
	char *own;		   /* memory of the result; NULL: the result is `of` */
};

static void clear_cache(struct display_cache *cache)
{
	for (int i = 0; cache->slots && i < SLOTS; i++)
		free(cache->slots[i].own);
	free(cache->slots);
	cache->slots = NULL;
}

static struct display_slot *find_display_slot(struct display_cache *cache, const char *of)
{
	if (!cache->slots)
		cache->slots = calloc(SLOTS, sizeof *cache->slots);
	if (!cache->slots)
		return NULL;
	/* Multiplicative hashing: the factor is 2^32 divided by the golden ratio, and the upper 10 bits of the product
	   select one of 1024 slots. */
	uint32_t mixed = (uint32_t)(uintptr_t)of * UINT32_C(2654435769);
	return &cache->slots[mixed >> 22];
}

static const struct display_name no_memory = { NULL, 0 };

/* Store OWN, or OF itself if OWN is NULL, in SLOT as the result for the string OF.  The slot then owns OWN. */
static struct display_name fill_slot(struct display_slot *slot, const char *of, size_t of_length, char *own)
{
	free(slot->own);
	*slot = (struct display_slot){ of, { own ? own : of, own ? strlen(own) : of_length }, own };
	return slot->shown;
}

struct display_name find_shown_function(struct display_cache *cache, const struct rossym_frame *frame, bool base_only,
					bool no_recursion_limit)
{
	struct display_slot *slot = find_display_slot(cache, frame->function);
	if (!slot)
		return no_memory;
	if (slot->of == frame->function)
		return slot->shown;
	bool whole = frame->function_length < ROSSYM_LENGTH_MAX;
	char *(*engine)(const char *name, bool no_limit) = base_only ? demangle_to_base_name : demangle;
	char *demangled = whole ? engine(frame->function, no_recursion_limit) : NULL;
	return fill_slot(slot, frame->function, frame->function_length, demangled);
}

struct display_name find_shown_file(struct display_cache *cache, const struct rossym_frame *frame, struct paths *paths)
{
	struct display_slot *slot = find_display_slot(cache, frame->file);
	if (!slot)
		return no_memory;
	if (slot->of == frame->file)
		return slot->shown;
	const char *shown = paths_shown_path(paths, frame->file);
	if (!shown)
		return no_memory;
	char *own = NULL;
	if (shown != frame->file) {
		own = copy_text(shown, strnlen(shown, ROSSYM_LENGTH_MAX));
		if (!own)
			return no_memory;
	}
	return fill_slot(slot, frame->file, frame->file_length, own);
}

/* ------------------------------------------------------------------------------------------------ styles */

bool record_form_by_name(const char *name, enum record_form *form)
{
	static const char *const names[] = { [RECORD_GNU] = "GNU", [RECORD_LLVM] = "LLVM", [RECORD_JSON] = "JSON" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcasecmp(name, names[i]) == 0) {
			*form = (enum record_form)i;
			return true;
		}
	/* LLVM's tools read any other word as LLVM.  Here it is an error, because a mistyped "GNU" or "JSON" does not mean LLVM. */
	return false;
}

void record_style_copy_for_thread(struct record_style *fork, const struct record_style *style)
{
	*fork = *style;
	fork->paths.buffer = NULL;
	fork->shown_functions.slots = NULL;
	fork->shown_files.slots = NULL;
}

void record_style_clear(struct record_style *style)
{
	clear_cache(&style->shown_functions);
	clear_cache(&style->shown_files);
	paths_free_buffer(&style->paths);
}

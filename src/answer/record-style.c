// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/record-style.h"
#include "tool/demangle.h"
#include "tool/strbuf.h"

#include <string.h>
#include <strings.h>
#include <stdlib.h>

/* ------------------------------------------------------------------------------------------------ names that are made */

enum { SLOTS = 1024 }; /* for functions; as many follow for files */

struct display_slot {
	const char *of;		   /* the string in the table; NULL: the slot is free */
	struct display_name shown; /* the result for it */
	char *own;		   /* memory of the result; NULL: the result is `of` */
};

struct display_name record_find_shown(struct record_style *style, bool is_file, const char *text, size_t length)
{
	static const struct display_name no_memory = { NULL, 0 };
	if (!style->shown)
		style->shown = calloc((size_t)SLOTS * 2, sizeof *style->shown);
	if (!style->shown)
		return no_memory;
	/* Multiplicative hashing: the factor is 2^32 divided by the golden ratio, and the upper 10 bits of the product
	   select one of 1024 slots. */
	const uint32_t mixed = (uint32_t)(uintptr_t)text * UINT32_C(2654435769);
	struct display_slot *slot = &style->shown[(is_file ? SLOTS : 0) + (mixed >> 22)];
	if (slot->of == text)
		return slot->shown;
	const char *shown = is_file ? paths_shown_path(&style->paths, text) : text;
	char *own = NULL;
	if (is_file && shown != text)
		own = shown ? copy_text(shown, strnlen(shown, ROSSYM_LENGTH_MAX)) : NULL;
	else if (!is_file && length < ROSSYM_LENGTH_MAX)
		own = (style->base_names ? demangle_to_base_name : demangle)(text, style->no_recursion_limit);
	if (shown != text && !own)
		return no_memory;
	free(slot->own);
	*slot = (struct display_slot){ text, { own ? own : text, own ? strlen(own) : length }, own };
	return slot->shown;
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
	fork->shown = NULL;
}

void record_style_clear(struct record_style *style)
{
	for (int i = 0; style->shown && i < SLOTS * 2; i++)
		free(style->shown[i].own);
	free(style->shown);
	style->shown = NULL;
	paths_free_buffer(&style->paths);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/symbols/functions.h"
#include "core/layout.h"
#include "lib/base/alloc.h"

#include <string.h>

/* Where the code with a certain name is. */
struct named_place {
	uint32_t rva;
	bool known, function; /* KNOWN: something has the name; FUNCTION: a function has it */
	bool several;	      /* the name is at more than one RVA; RVA is one of them */
};

static void add_place(struct named_place *place, const struct rs_new_function *function)
{
	place->several |= place->known && place->rva != function->rva;
	place->known = true;
	place->rva = function->rva;
	place->function |= function->length > 0;
}

/* Store in *RET the string number of what follows RS_OWN_SECTION in the name of FUNCTION; 0 if the name does not begin
   with RS_OWN_SECTION, or if FUNCTION has a length, as all but further names do.  Returns 0 or -1. */
static int function_of_section(struct reading *reading, const struct rs_new_function *function, uint32_t *ret)
{
	const size_t prefix = strlen(RS_OWN_SECTION);
	const char *name = rs_string(reading->di->draft->strings, function->name);
	*ret = 0;
	if (function->length > 0 || strncmp(name, RS_OWN_SECTION, prefix) != 0)
		return 0;
	return rs_strings_add_text(reading->di->draft->strings, name + prefix, ret, reading->err);
}

/* Whether FUNCTION, a further name, can be dropped, because look-ups by name find its code without it.  PLACES has an
   item for each of the first COUNT string numbers.  Returns 1 or 0; or -1 as rs_functions_finish(). */
static int is_needless(struct reading *reading, const struct rs_new_function *function,
		       const struct named_place *places, uint32_t count)
{
	const struct named_place *place = &places[function->name];
	uint32_t other;
	if (place->several)
		return 0;
	if (place->function)
		return 1;
	if (function_of_section(reading, function, &other) < 0)
		return -1;
	return other > 0 && other < count && places[other].known && !places[other].several &&
	       places[other].rva == function->rva;
}

int rs_functions_finish(struct reading *reading)
{
	struct rs_draft *draft = reading->di->draft;
	struct rs_new_function *functions = draft->functions;
	const uint32_t count = draft->strings->count;
	uint32_t kept = 0;
	int ret = -1;
	if (draft->function_count == 0)
		return 0;
	rs_draft_sort_functions(draft);
	struct named_place *places = rs_alloc(count, sizeof *places);
	if (!places)
		return rs_fail_memory(reading->err);
	for (uint32_t i = 0; i < draft->function_count; i++)
		add_place(&places[functions[i].name], &functions[i]);
	for (uint32_t i = 0; i < draft->function_count; i++) {
		int needless = functions[i].length > 0 ? 0 : is_needless(reading, &functions[i], places, count);
		if (needless < 0)
			goto out;
		if (!needless)
			functions[kept++] = functions[i];
	}
	draft->function_count = kept;
	ret = 0;
out:
	rs_free(places);
	return ret;
}

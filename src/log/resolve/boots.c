// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/resolve/boots.h"

void boots_end(struct boots *boots)
{
	boots->build = (struct build){ .name = "" };
	boots->several = false;
	boots->current = NULL;
}

/* Returns the counts for BUILD, which are added if there are none; if no element is free, the last one. */
static struct boots_count *counts_for(struct boots *boots, const struct build *build)
{
	for (size_t i = 0; i < boots->count; i++)
		if (build_is_equal(&boots->counts[i].build, build))
			return &boots->counts[i];
	if (boots->count == BOOTS_BUILDS)
		return &boots->counts[BOOTS_BUILDS - 1];
	boots->counts[boots->count].build = *build;
	return &boots->counts[boots->count++];
}

/* Whether B is the same build as A, and names neither a commit nor a version that A lacks. */
static bool adds_nothing(const struct build *a, const struct build *b)
{
	return build_compare(a, b) == BUILD_SAME && (*a->commit || !*b->commit) && (*a->version || !*b->version);
}

bool boots_take(struct boots *boots, const char *text, size_t length, bool is_new)
{
	struct build build;
	if (!build_parse(text, length, &build) || adds_nothing(&boots->build, &build))
		return false;
	const bool is_mark = !is_new && !*build.name;
	if (is_mark && (*boots->build.name || boots->several))
		return false;
	if (is_mark && build_compare(&boots->build, &build) == BUILD_OTHER) {
		boots_end(boots);
		boots->several = true;
		return true;
	}
	boots->several = false;
	boots->build = build;
	boots->current = counts_for(boots, &build);
	boots->current->boots += is_new;
	return true;
}

void boots_set_found_build(struct boots *boots, const struct build *build)
{
	boots->build = *build;
	boots->current = counts_for(boots, build);
}

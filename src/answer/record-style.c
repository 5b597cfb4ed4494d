// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/record-style.h"

#include <string.h>
#include <strings.h>

bool record_form_by_name(const char *name, enum record_form *form)
{
	static const char *const names[] = { [RECORD_GNU] = "GNU", [RECORD_LLVM] = "LLVM", [RECORD_JSON] = "JSON" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcasecmp(name, names[i]) == 0) {
			*form = (enum record_form)i;
			return true;
		}
	/* For LLVM's tools, every other word means LLVM, even "gnu" and "json".  Nobody who writes these means LLVM. */
	return false;
}

void record_style_fork(struct record_style *fork, const struct record_style *style)
{
	*fork = *style;
	fork->paths.buffer = NULL;
	fork->shown_functions.slots = NULL;
	fork->shown_files.slots = NULL;
}

void record_style_clear(struct record_style *style)
{
	display_cache_clear(&style->shown_functions);
	display_cache_clear(&style->shown_files);
	paths_forget(&style->paths);
}

const struct rossym_frame *record_join(struct record_subject subject, struct rossym_frame *joined)
{
	if (subject.count < 2)
		return subject.count > 0 ? subject.frames : NULL;
	const struct rossym_frame *outermost = &subject.frames[subject.count - 1];
	*joined = subject.frames[0];
	joined->function = outermost->function;
	joined->function_length = outermost->function_length;
	return joined;
}

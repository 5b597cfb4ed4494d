/* SPDX-License-Identifier: GPL-2.0-or-later */
/* drafts.h - debug information, read into a draft of its own */
#ifndef TESTS_LIB_DRAFTS_H
#define TESTS_LIB_DRAFTS_H

#include "debuginfo/base/debuginfo.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"

/* Free what draft_open() or draft_read() has made. */
static inline void draft_free(struct debuginfo *di)
{
	rs_strings_clear(di->draft->strings);
	rs_free(di->draft->strings);
	rs_draft_clear(di->draft);
	rs_free(di->draft);
	di->draft = NULL;
}

/* Give DI an empty draft with strings of its own.  Returns 0 or -1. */
static inline int draft_open(struct debuginfo *di, struct rossym_error *err)
{
	struct rs_string_table *strings = rs_alloc(1, sizeof *strings);
	*di = (struct debuginfo){ .draft = rs_alloc(1, sizeof *di->draft) };
	if (strings && di->draft && rs_strings_open(strings, UINT32_MAX, err) == 0) {
		di->draft->strings = strings;
		return 0;
	}
	rs_free(strings);
	rs_free(di->draft);
	di->draft = NULL;
	return rs_fail_memory(err);
}

/* As rs_debuginfo_read(); but after a failure there is no draft. */
static inline int draft_read(struct debuginfo *di, struct rs_pe *pe, const struct rs_source *source,
			     const struct debuginfo_options *options, struct rossym_error *err)
{
	if (draft_open(di, err) < 0)
		return -1;
	if (rs_debuginfo_read(di, pe, source, options, err) == 0)
		return 0;
	draft_free(di);
	return -1;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * missed.h - what is said at the end of addresses without an answer: how many lines name modules that are not there, and
 * which lines look like addresses, but have none of the forms that are read
 */
#ifndef LOG_MISSED_H
#define LOG_MISSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	MISSED_MODULES = 256, /* those that are counted one by one */
	MISSED_NAMED = 8,     /* ... of which so many are named */
	MISSED_LINES = 10,    /* so many lines are named */
};

struct missed {
	struct missed_module {
		const char *name; /* not copied */
		unsigned long long lines;
		uint64_t last_line; /* counted last */
		unsigned last_log;
	} modules[MISSED_MODULES];
	size_t module_count;
	unsigned long long other_lines; /* with further modules */
	struct {
		const char *log; /* not copied */
		uint64_t line;
	} lines[MISSED_LINES];
	unsigned long long line_count;
};

/* Count an address in the module NAME, for which there is no image.  It is on LINE of the log with the number LOG.  NAME
   must stay valid. */
void missed_module(struct missed *missed, const char *name, unsigned log, uint64_t line);

/* Count LINE of LOG, which looks as if it had an address, but none was read.  LOG must stay valid. */
void missed_line(struct missed *missed, const char *log, uint64_t line);

/* Say on standard error what was missed, if anything was.  SEVERAL: there are several logs. */
void missed_say(const struct missed *missed, bool several);

#endif

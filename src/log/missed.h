/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * missed.h - reports at the end which addresses of the logs had no answer
 *
 * The report says how many lines have an address in a module without an image.  It also gives the numbers of the first
 * lines with text that looks like an address but that log/read/match*.c did not recognize.
 */
#ifndef LOG_MISSED_H
#define LOG_MISSED_H

#include "tool/strbuf.h"

enum {
	MISSED_MODULES = 256, /* the most modules whose lines are counted separately */
	MISSED_NAMED = 8,     /* the most modules that the report names */
	MISSED_LINES = 10,    /* the most lines whose numbers the report gives */
};

/* Modules, each with the number of lines that have an address in it without an answer. */
struct missed_modules {
	struct missed_module {
		const char *name; /* the module's name, which is not copied */
		unsigned long long lines;
		uint64_t last_line; /* the line that was counted last */
	} modules[MISSED_MODULES];
	size_t count;
	unsigned long long lines; /* how many lines were counted in all, also for modules that are not in `modules` */
	uint64_t last_line;	  /* the line that `lines` counted last */
};

struct missed {
	struct missed_modules images;  /* modules for which there is no image */
	struct missed_modules bases;   /* modules whose load addresses are not in the log */
	struct strbuf lines;	       /* the numbers of the first lines that were not understood */
	unsigned long long line_count; /* how many lines were not understood */
};

/* Count an address in the module NAME on LINE, a number that identifies the line among those of all logs, and is not 0.
   Several addresses of a module on one line count once.  NAME must stay valid until missed_report(). */
void missed_count_module(struct missed_modules *missed, const char *name, uint64_t line);

/* Count line number LINE, which has text that looks like an address but was not recognized.  LOG: the name of its log,
   for the report; or NULL. */
void missed_count_line(struct missed *missed, const char *log, uint64_t line);

/* Print the report on standard error, if anything was missed.  Free the strings of MISSED. */
void missed_report(struct missed *missed);

#endif

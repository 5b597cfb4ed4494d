/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * asks.h - questions to an image, for tests in which something breaks meanwhile; answers are texts, so that two can be compared
 *
 *	const struct asked before = ask(image, ASK_ROWS, &err);
 *	ok(asked_same(ask(image, ASK_ROWS, &err), before), "the same again");
 */
#ifndef TESTS_ASKS_H
#define TESTS_ASKS_H

#include "rossym.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum asks { ASK_LOOKUP, ASK_SECTION, ASK_ROWS, ASK_FIND, ASK_CHECK, ASK_PREPARE, ASKS };
static const char *const ask_names[ASKS] = { "look-up", "section names", "rows", "functions", "check", "prepare" };

struct asked {
	int returned; /* what the function returned */
	char text[256];
};

/* Ask for 0x10c8, section 1, the rows from number 1 on, the function g, a check, or the index. */
static inline struct asked ask(struct rossym_image *image, enum asks what, struct rossym_error *err)
{
	struct rossym_frame frame = { .function = NULL };
	struct rossym_section section = { .name = NULL };
	struct rossym_function function = { .name = NULL };
	struct rossym_report report = { .size = sizeof report };
	struct rossym_rows rows;
	struct rossym_row row = { .function = NULL };
	struct asked asked = { .returned = 1 };
	const char *a = NULL, *b = NULL;
	unsigned long number = 0, count = 0;
	switch (what) {
	case ASK_LOOKUP:
		asked.returned = rossym_lookup(image, 0x10c8, 0, &frame, err);
		a = frame.function, b = frame.file, number = frame.line;
		break;
	case ASK_SECTION:
		asked.returned = rossym_get_section(image, 1, &section, err);
		a = section.name, number = section.rva;
		break;
	case ASK_ROWS:
		rossym_rows_begin(image, 1, &rows);
		for (; (asked.returned = rossym_rows_next(&rows, &row, err)) > 0; count++)
			a = row.function, b = row.file, number = row.line;
		break;
	case ASK_FIND:
		asked.returned = rossym_find_function(image, "g", &function, err);
		a = function.name, number = function.rva;
		break;
	case ASK_CHECK:
		asked.returned = rossym_check(image, &report, err);
		number = report.rows;
		break;
	case ASK_PREPARE:
	case ASKS:
		asked.returned = rossym_prepare(image, err);
		break;
	}
	snprintf(asked.text, sizeof asked.text, "%s %s %lu %lu", a ? a : "-", b ? b : "-", number, count);
	return asked;
}

static inline bool asked_same(struct asked a, struct asked b)
{
	return a.returned == b.returned && strcmp(a.text, b.text) == 0;
}

#endif

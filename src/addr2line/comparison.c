// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * comparison.c - --diff: collect the addresses that were asked for, then compare the answers for all of them
 */
#include "config.h"
#include "addr2line/request.h"
#include "diff/diff.h"
#include "tool/diag.h"
#include "tool/lines.h"

#include <errno.h>
#include <string.h>

struct collection {
	const struct query_rules *rules;
	struct targets *targets;
	struct query_seen seen;
};

/* False on an error that has been reported. */
static bool collect(struct collection *collection, const char *text)
{
	struct query query;
	if (!query_text(collection->rules, text, &query, &collection->seen))
		return false;
	bool present = query.kind == QUERY_ADDRESS && query.rva != UINT64_MAX;
	if (targets_add(collection->targets, query.shown, query.rva, present))
		return true;
	diag_no_memory();
	return false;
}

static bool collect_operands(struct collection *collection, const struct request *rq)
{
	for (int i = 0; i < rq->operand_count; i++)
		if (!collect(collection, rq->operands[i]))
			return false;
	return true;
}

static bool collect_lines(struct collection *collection, struct out *out)
{
	struct lines lines;
	char *line;
	bool good = true, more = true;
	lines_open(&lines, out);
	while (good && more) {
		switch (lines_next(&lines, &line)) {
		case LINES_LINE:
			good = collect(collection, line);
			break;
		case LINES_TOO_LONG:
			warn_too_long();
			good = collect(collection, "");
			break;
		case LINES_NO_MEMORY:
			diag_no_memory();
			good = false;
			break;
		case LINES_ERROR:
			diag("cannot read standard input: %s", strerror(errno));
			good = false;
			break;
		case LINES_END:
			more = false;
			break;
		}
	}
	lines_close(&lines);
	return good;
}

int comparison_run(struct request *rq, const struct query_rules *rules)
{
	struct diff diff = { .request = &rq->diff, .image = rules->image, .path = rq->path,
			     .lookup_flags = rq->lookup_flags, .inlines = rq->inlines, .style = &rq->style, .out = rq->out };
	struct collection collection = { .rules = rules, .targets = &diff.targets };
	int status = DIFF_TROUBLE;
	if (rq->diff.all ||
	    (rq->operand_count > 0 ? collect_operands(&collection, rq) : collect_lines(&collection, rq->out))) {
		if (!rq->diff.all)
			give_hint(rules, &collection.seen);
		status = diff_run(&diff);
	}
	targets_clear(&diff.targets);
	return status;
}

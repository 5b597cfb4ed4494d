// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/missed.h"
#include "tool/diag.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void missed_count_module(struct missed_modules *missed, const char *name, uint64_t line)
{
	size_t i = 0;
	missed->lines += missed->last_line != line;
	missed->last_line = line;
	while (i < missed->count && strcmp(missed->modules[i].name, name) != 0)
		i++;
	if (i == MISSED_MODULES)
		return;
	struct missed_module *module = &missed->modules[i];
	if (i == missed->count)
		*module = (struct missed_module){ .name = name };
	missed->count += i == missed->count;
	module->lines += module->last_line != line;
	module->last_line = line;
}

void missed_count_line(struct missed *missed, const char *log, uint64_t line)
{
	if (missed->line_count++ >= MISSED_LINES)
		return;
	strbuf_add(&missed->lines, missed->line_count > 1 ? ", " : "");
	if (log)
		strbuf_addf(&missed->lines, "%s:", log);
	strbuf_addf(&missed->lines, "%" PRIu64, line);
}

static int compare_by_line_count(const void *a, const void *b)
{
	const struct missed_module *first = a, *second = b;
	if (first->lines != second->lines)
		return first->lines > second->lines ? -1 : 1;
	return strcmp(first->name, second->name);
}

/* Report how many lines MISSED has, and what is wrong with them: ONE is the text for one line, MANY that for several.
   Then name the modules, those with the most lines first, and HELPS, the option that would help. */
static void report_missed_modules(const struct missed_modules *missed, const char *one, const char *many,
				  const char *helps)
{
	struct missed_modules sorted = *missed;
	struct strbuf names = { .bytes = NULL };
	qsort(sorted.modules, sorted.count, sizeof *sorted.modules, compare_by_line_count);
	for (size_t i = 0; i < sorted.count && i < MISSED_NAMED; i++)
		strbuf_addf(&names, "%s%s (%llu)", i > 0 ? ", " : "", sorted.modules[i].name, sorted.modules[i].lines);
	if (sorted.count > MISSED_NAMED)
		strbuf_add(&names, " and others");
	if (missed->lines > 0 && !names.no_memory)
		diag("%llu %s: %.*s; see %s", missed->lines, missed->lines == 1 ? one : many, (int)names.length,
		     names.bytes, helps);
	strbuf_clear(&names);
}

void missed_report(struct missed *missed)
{
	report_missed_modules(&missed->images, "line looks like a code address of a module that is not there",
			      "lines look like code addresses of modules that are not there", "-d");
	report_missed_modules(
		&missed->bases, "line has an address in a module, but the log does not tell where that is loaded",
		"lines have addresses in modules, but the log does not tell where these are loaded", "--module");
	if (missed->line_count > MISSED_LINES)
		strbuf_add(&missed->lines, " ...");
	if (missed->line_count > 0 && !missed->lines.no_memory)
		diag(missed->line_count == 1
			     ? "%llu line looks like an address but was not understood: %.*s (-v shows it)"
			     : "%llu lines look like addresses but were not understood: %.*s (-v shows them)",
		     missed->line_count, (int)missed->lines.length, missed->lines.bytes);
	strbuf_clear(&missed->lines);
}

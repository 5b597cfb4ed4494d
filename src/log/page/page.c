// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/page/page.h"
#include "log/page/crash-print.h"
#include "tool/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The head of the page up to the title, in pieces: C11 guarantees only 4095 bytes for a string literal. */
static const char *const head[] = {
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n"
	"<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
	"base-uri 'none'; "
	"form-action 'none'\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta name=\"color-scheme\" content=\"light dark\">\n"
	"<meta name=\"referrer\" content=\"no-referrer\">\n",
	"<style>\n"
	":root { color-scheme: light dark; --text: #1f2328; --page: #fff; --dim: #59636e; --line: #d1d9e0; --log: "
	"#f6f8fa; --link: #0550ae; "
	"--note: #6639ba; --good: #dafbe1; --doubt: #ffdf9e; --bad: #ffe2e0; --here: #cfe5ff }\n"
	"@media (prefers-color-scheme: dark) {\n"
	":root { --text: #e6edf3; --page: #0d1117; --dim: #9198a1; --line: #3d444d; --log: #151b23; --link: #79b8ff; "
	"--note: #d2a8ff; --good: #12391f; --doubt: #5a3f00; --bad: #5c1f20; --here: #17406d }\n"
	"}\n"
	"html { scroll-padding-top: 30vh }\n"
	"body { display: flex; flex-direction: column; margin: 0 auto; padding: 1rem; max-width: 100rem; "
	"font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--page) }\n",
	"header, #crashes { order: -2 }\n"
	"#summary { order: -1 }\n"
	"h1 { font-size: 1.5rem; margin: 0 }\n"
	"h2 { font-size: 1.125rem; margin: 1.5rem 0 .5rem }\n"
	"h3 { font-size: 1rem; margin: 1rem 0 .25rem }\n"
	"h1, h2, h3, td, dd, article li { overflow-wrap: anywhere }\n"
	"dl { display: grid; grid-template-columns: max-content 1fr; column-gap: 1rem; margin: 0; font-size: .875rem "
	"}\n"
	"dt { grid-column: 1; font-weight: 600 }\n"
	"dd { grid-column: 2; margin: 0 }\n"
	"ol { margin: .5rem 0; padding-left: 2.5rem; font-size: .875rem }\n"
	"article > ol, article dd { font-family: ui-monospace, Consolas, monospace }\n"
	"a { color: var(--link) }\n"
	"nav a:not(:focus) { position: absolute; left: -100rem }\n"
	"ul { margin: 0; padding-left: 1.25rem }\n"
	"table { border-collapse: collapse; margin-top: 1rem; font-size: .875rem }\n"
	"caption { text-align: left; font-weight: 600 }\n"
	"th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top }\n",
	".log { font: .8125rem/1.6 ui-monospace, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; "
	"tab-size: 8; "
	"padding: .75rem; border: 1px solid var(--line); border-radius: .375rem; background: var(--log) }\n"
	".log > a, .lines > a { padding-right: 1em; color: var(--dim); text-decoration: none; user-select: none }\n"
	".log > a::before, .lines > a::before { content: attr(id); display: inline-block; min-width: 4ch; text-align: "
	"right }\n"
	".r { background: var(--good) }\n"
	".o { background: var(--doubt) }\n"
	"p.o { padding: .25rem .5rem }\n"
	".u { background: var(--bad); text-decoration: underline dotted }\n"
	".note { color: var(--note) }\n"
	"strong { background: var(--line) }\n"
	":target { background: var(--here); outline: 2px solid }\n"
	"#summary:target { background: none; outline: none }\n"
	".previous, .next { display: none; padding: 0 .5em; text-decoration: none }\n"
	":target > .previous, :target > .next { display: inline }\n"
	".u:target::after { content: attr(title) }\n"
	".previous::before { content: \"\\2190\" }\n"
	".next::before { content: \"\\2192\" }\n",
	"details, summary { display: inline }\n"
	"details.copy, .copy > summary, .copy > pre { display: block }\n"
	"details.copy:not([open]) > summary::after { content: none }\n"
	".lines { display: block }\n"
	".lines > summary { padding-left: calc(4ch + 1em); color: var(--dim); user-select: none }\n"
	".lines:not([open]) > summary::after { content: none }\n"
	"details::details-content { display: inline-block }\n"
	"details[open]::details-content { display: contents }\n"
	"summary { cursor: pointer; text-decoration: underline dotted }\n"
	"details:not([open]) > summary::after { content: \"\\2026  \" attr(data-last) }\n"
	"@media (max-width: 40rem) {\n"
	".log > a, .lines > a { padding-right: .5em; font-size: .625rem }\n"
	".log > a::before, .lines > a::before { min-width: 0 }\n"
	".lines > summary { padding-left: 0 }\n"
	"body { padding: .5rem }\n"
	"thead { position: absolute; left: -100rem }\n"
	"tr { display: block; padding: .25rem 0; border-top: 1px solid var(--line) }\n"
	"th, td { display: block; border: 0; padding: 0 }\n"
	"td[data-head]:not(:empty)::before { content: attr(data-head) \": \"; color: var(--dim) }\n"
	"}\n"
	"</style>\n",
};

static void add_escaped_string(struct strbuf *text, const char *string)
{
	html_add_escaped(text, string, strlen(string));
}

/* Print TEXT and free it.  Returns false if there was no memory for a part of it. */
static bool print_and_clear_text(struct out *out, struct strbuf *text)
{
	const bool good = !text->no_memory;
	if (text->length > 0)
		out_bytes(out, text->bytes, text->length);
	strbuf_clear(text);
	return good;
}

/* ------------------------------------------------------------------------------------------------- logs */

bool page_begin(struct out *out, char *const *logs, int count)
{
	struct strbuf title = { .bytes = NULL };
	if (count > 1)
		strbuf_add_decimal(&title, (uint64_t)count);
	if (count > 1)
		strbuf_add(&title, " logs");
	else
		add_escaped_string(&title, count == 0 || strcmp(*logs, "-") == 0 ? "standard input" : *logs);
	const char *shown = title.bytes ? title.bytes : ""; /* NULL: there was no memory */
	for (size_t i = 0; i < sizeof head / sizeof *head; i++)
		out_text(out, head[i]);
	out_text(out, "<title>");
	out_text(out, shown);
	out_text(out, " - rossym-log</title>\n</head>\n<body>\n<header>\n<h1>");
	out_text(out, shown);
	out_text(out, "</h1>\n<nav aria-label=\"Summary and addresses\"><a href=\"#summary\">Summary</a> "
		      "<a href=\"#r1\">First resolved address</a> <a href=\"#o1\">First uncertain answer</a> "
		      "<a href=\"#u1\">First unresolved address</a></nav>\n</header>\n<main>\n");
	const bool good = !title.no_memory;
	strbuf_clear(&title);
	return good;
}

bool page_log_begin(struct out *out, const char *name)
{
	struct strbuf text = { .bytes = NULL };
	strbuf_add(&text, "<section>\n<h2>");
	add_escaped_string(&text, name ? name : "Log");
	strbuf_add(&text, "</h2>\n<div class=\"log\">");
	return print_and_clear_text(out, &text);
}

/* ------------------------------------------------------------------------------------------------ folds */

/* Print the buffered lines.  If at least FOLD_LEAST of them come before the last VISIBLE ones, fold those earlier
   ones. */
static void print_buffered_lines(struct fold *fold, struct out *out, unsigned visible)
{
	const uint64_t folded = fold->lines > visible ? fold->lines - visible : 0;
	size_t at = 0;
	if (folded >= FOLD_LEAST) {
		struct strbuf summary = { .bytes = NULL };
		at = visible > 0 ? fold->begins[folded % (FOLD_CONTEXT + 1)] : fold->held.length;
		strbuf_addf(&summary, "<details class=\"lines\"><summary>%" PRIu64 " lines</summary>", folded);
		fold->held.no_memory |= !print_and_clear_text(out, &summary);
		out_bytes(out, fold->held.bytes, at);
		out_text(out, "</details>");
	}
	if (at < fold->held.length)
		out_bytes(out, fold->held.bytes + at, fold->held.length - at);
	fold->held.length = 0;
	fold->lines = 0;
}

void fold_begin_line(struct fold *fold, struct out *out)
{
	fold->is_shown = fold->context > 0;
	if (fold->is_shown) {
		fold->context--;
		return;
	}
	if (fold->held.length >= FOLD_BYTES)
		print_buffered_lines(fold, out, 0);
	fold->begins[fold->lines++ % (FOLD_CONTEXT + 1)] = fold->held.length;
}

void fold_add(struct fold *fold, struct out *out, const char *bytes, size_t length)
{
	/* A very long line would make the buffer exceed 2 * FOLD_BYTES: print it without buffering. */
	if (!fold->is_shown && length > (size_t)2 * FOLD_BYTES - fold->held.length)
		fold_show_line(fold, out);
	if (fold->is_shown)
		out_bytes(out, bytes, length);
	else
		strbuf_add_bytes(&fold->held, bytes, length);
}

void fold_show_line(struct fold *fold, struct out *out)
{
	if (!fold->is_shown)
		print_buffered_lines(fold, out, FOLD_CONTEXT + 1);
	fold->is_shown = true;
	fold->context = FOLD_CONTEXT;
}

bool fold_end(struct fold *fold, struct out *out)
{
	print_buffered_lines(fold, out, FOLD_CONTEXT);
	fold->context = 0;
	return !fold->held.no_memory;
}

/* ----------------------------------------------------------------------------------------------- counts */

void page_clear(struct page *page)
{
	strbuf_clear(&page->fold.held);
	free(page->modules);
}

bool page_count_address(struct page *page, const struct boots *boots, const struct rossym_module *module,
			enum html_kind kind, const char *why)
{
	struct page_counts *of_build = boots->current ? &page->builds[boots->current - boots->counts] : &page->no_build;
	const uint32_t number = module ? module->number : 0;
	const bool good = ARRAY_REACH(page->modules, page->module_room, number);
	page->counts[kind]++;
	of_build->of[kind]++;
	if (!module)
		page->no_module.of[kind]++;
	else if (good)
		page->modules[number].of[kind]++;
	if (!why)
		return good;
	struct page_reason *reason = page->reasons, *last = reason + PAGE_REASONS - 1;
	while (reason < last && reason->why && strcmp(reason->why, why) != 0)
		reason++;
	reason->why = reason == last ? "other reasons" : why;
	reason->count++;
	return good;
}

static unsigned long long sum_counts(const struct page_counts *counts)
{
	unsigned long long all = 0;
	for (size_t kind = 0; kind < HTML_KINDS; kind++)
		all += counts->of[kind];
	return all;
}

/* ---------------------------------------------------------------------------------------------- summary */

/* Append how many addresses of KIND there are, as a link to the first.  The element has the id that an address after
   the last would have, so that the link "next" of the last address leads here. */
static void add_address_count(struct strbuf *text, enum html_kind kind, unsigned long long count, const char *what)
{
	char prefix = html_get_kind_letter(kind);
	strbuf_addf(text, "<li><a class=\"%c\" id=\"%c%llu\"", prefix, prefix, count + 1);
	if (count > 0)
		strbuf_addf(text, " href=\"#%c1\"", prefix);
	strbuf_addf(text, ">%llu address%s %s</a>", count, count == 1 ? "" : "es", what);
}

static void add_reasons(struct strbuf *text, const struct page *page)
{
	const struct page_reason *reason = page->reasons, *end = reason + PAGE_REASONS;
	strbuf_add(text, "\n<ul>\n");
	for (; reason < end && reason->why; reason++) {
		strbuf_addf(text, "<li>%llu: ", (unsigned long long)reason->count);
		add_escaped_string(text, reason->why);
		strbuf_add(text, "</li>\n");
	}
	strbuf_add(text, "</ul>\n");
}

static void add_summary_counts(struct strbuf *text, const struct page *page, const struct crashes *crashes)
{
	const unsigned long long *counts = page->counts;
	if (counts[HTML_UNCERTAIN] > 0)
		strbuf_add(text,
			   "<p class=\"o\">Uncertain answers are from images of another build than the log, or may be: "
			   "they can be wrong.</p>\n");
	strbuf_add(text, "<ul>\n");
	if (crashes->count > 0)
		strbuf_addf(text, "<li><a href=\"#crash1\">%" PRIu64 " crash%s</a></li>\n", (uint64_t)crashes->count,
			    crashes->count == 1 ? "" : "es");
	add_address_count(text, HTML_RESOLVED, counts[HTML_RESOLVED], "resolved");
	strbuf_add(text, "</li>\n");
	add_address_count(text, HTML_UNCERTAIN, counts[HTML_UNCERTAIN], "with an uncertain answer");
	strbuf_add(text, "</li>\n");
	add_address_count(text, HTML_UNRESOLVED, counts[HTML_UNRESOLVED], "unresolved");
	if (page->reasons[0].why)
		add_reasons(text, page);
	strbuf_add(text, "</li>\n</ul>\n");
}

/* Begin a table.  COLUMNS: the names of its columns, then NULL. */
static void begin_table(struct strbuf *text, const char *caption, const char *const *columns)
{
	strbuf_addf(text, "<table>\n<caption>%s</caption>\n<thead><tr>", caption);
	for (; *columns; columns++)
		strbuf_addf(text, "<th scope=\"col\">%s</th>", *columns);
	strbuf_add(text, "</tr></thead>\n<tbody>\n");
}

/* Add a row with the CELLS, as many as there are columns. */
static void add_table_row(struct strbuf *text, const char *const *columns, const char *const *cells)
{
	strbuf_add(text, "<tr>");
	for (size_t i = 0; columns[i]; i++) {
		if (i == 0)
			strbuf_add(text, "<th scope=\"row\">");
		else
			strbuf_addf(text, "<td data-head=\"%s\">", columns[i]);
		add_escaped_string(text, cells[i]);
		strbuf_add(text, i == 0 ? "</th>" : "</td>");
	}
	strbuf_add(text, "</tr>\n");
}

static void end_table(struct strbuf *text)
{
	strbuf_add(text, "</tbody>\n</table>\n");
}

/* The most cells of a row before its three counts, and the most after them. */
enum { OTHER_CELLS = 4 };

#define COUNT_COLUMNS "Addresses", "Resolved", "Uncertain"

/* Add a row: the cells FIRST, those of COUNTS, and the cells LAST.  FIRST and LAST each end with NULL. */
static void add_counted_row(struct strbuf *text, const char *const *columns, const char *const *first,
			    const struct page_counts *counts, const char *const *last)
{
	char numbers[3][24];
	const char *cells[OTHER_CELLS + 3 + OTHER_CELLS];
	size_t count = 0;
	snprintf(numbers[0], sizeof *numbers, "%llu", sum_counts(counts));
	snprintf(numbers[1], sizeof *numbers, "%llu", counts->of[HTML_RESOLVED]);
	snprintf(numbers[2], sizeof *numbers, "%llu", counts->of[HTML_UNCERTAIN]);
	while (*first)
		cells[count++] = *first++;
	for (size_t i = 0; i < 3; i++)
		cells[count++] = numbers[i];
	while (*last)
		cells[count++] = *last++;
	add_table_row(text, columns, cells);
}

static void add_builds_table(struct strbuf *text, const struct page *page, const struct boots *boots)
{
	static const char *const columns[] = { "Build", "Version", "Commit", "Boots", COUNT_COLUMNS, NULL };
	static const char *const unnamed[] = { "before the log names one", "", "", "", NULL }, *const none[] = { NULL };
	if (boots->count == 0)
		return;
	begin_table(text, "Builds that the log names", columns);
	for (size_t i = 0; i < boots->count; i++) {
		const struct build *build = &boots->counts[i].build;
		char times[24];
		snprintf(times, sizeof times, "%llu", boots->counts[i].boots);
		const char *const cells[] = { i == BOOTS_BUILDS - 1 ? "further builds"
					      : *build->name	    ? build->name
								    : build->version,
					      build->version, build->commit, times, NULL };
		add_counted_row(text, columns, cells, &page->builds[i], none);
	}
	if (sum_counts(&page->no_build) > 0)
		add_counted_row(text, columns, unnamed, &page->no_build, none);
	end_table(text);
}

static void add_module_row(struct strbuf *text, const char *const *columns, const struct page_counts *counts,
			   struct modules *modules, const struct rossym_module *module)
{
	char label[1300], stamp[80] = "";
	const struct module_notes *notes = modules_get_notes(modules, module);
	if (!notes)
		return;
	if (notes->stamp && notes->image_stamp)
		snprintf(stamp, sizeof stamp, "%08lX, but the image has %08lX", (unsigned long)notes->stamp,
			 (unsigned long)notes->image_stamp);
	else if (notes->stamp)
		snprintf(stamp, sizeof stamp, "%08lX", (unsigned long)notes->stamp);
	const struct build *build = builds_get_build(notes->image);
	const char *const name[] = { module->name, NULL };
	const char *const cells[] = { stamp,
				      notes->tokens ? modules_describe_answers(notes, label, sizeof label)
						    : "the log itself",
				      !build	     ? ""
				      : *build->name ? build->name
						     : build->version,
				      NULL };
	add_counted_row(text, columns, name, counts, cells);
}

static void add_modules_table(struct strbuf *text, const struct page *page, struct modules *modules)
{
	static const char *const columns[] = { "Module", COUNT_COLUMNS, "DateStamp", "Answers from", "Build", NULL };
	static const char *const unknown[] = { "not known", NULL }, *const none[] = { "", "", "", NULL };
	const struct rossym_module *module;
	const unsigned long long *counts = page->counts;
	if (counts[HTML_RESOLVED] + counts[HTML_UNCERTAIN] + counts[HTML_UNRESOLVED] == 0)
		return;
	begin_table(text, "Modules", columns);
	for (uint32_t i = 0; i < page->module_room && rossym_set_get_module(modules->set, i, &module); i++)
		if (sum_counts(&page->modules[i]) > 0)
			add_module_row(text, columns, &page->modules[i], modules, module);
	if (sum_counts(&page->no_module) > 0)
		add_counted_row(text, columns, unknown, &page->no_module, none);
	end_table(text);
}

bool page_end(const struct page *page, struct out *out, struct resolver *resolver, struct crashes *crashes)
{
	struct strbuf text = { .bytes = NULL };
	strbuf_add(&text, "</main>\n");
	crashes_add_html(&text, crashes);
	strbuf_add(&text, "<section id=\"summary\">\n<h2>Summary</h2>\n");
	add_summary_counts(&text, page, crashes);
	add_builds_table(&text, page, &resolver->boots);
	add_modules_table(&text, page, &resolver->modules);
	strbuf_add(&text, "</section>\n</body>\n</html>\n");
	return print_and_clear_text(out, &text);
}

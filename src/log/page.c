// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/page.h"

#include <stdio.h>
#include <string.h>

/* One string could be longer than compilers must support. */
static const char *const head[] = {
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n"
	"<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
		"form-action 'none'\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta name=\"color-scheme\" content=\"light dark\">\n"
	"<meta name=\"referrer\" content=\"no-referrer\">\n",
	"<style>\n"
	":root { color-scheme: light dark; --text: #1f2328; --page: #fff; --dim: #59636e; --line: #d1d9e0; --log: #f6f8fa; --link: #0550ae; "
		"--note: #6639ba; --good: #dafbe1; --bad: #ffe2e0; --here: #fff3b0 }\n"
	"@media (prefers-color-scheme: dark) {\n"
	":root { --text: #e6edf3; --page: #0d1117; --dim: #9198a1; --line: #3d444d; --log: #151b23; --link: #79b8ff; "
		"--note: #d2a8ff; --good: #12391f; --bad: #5c1f20; --here: #5a4a00 }\n"
	"}\n"
	"html { scroll-padding-top: 30vh }\n"
	"body { display: flex; flex-direction: column; margin: 0 auto; padding: 1rem; max-width: 100rem; "
		"font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--page) }\n",
	"header { order: -2 }\n"
	"#summary { order: -1 }\n"
	"h1 { font-size: 1.5rem; margin: 0 }\n"
	"h2 { font-size: 1.125rem; margin: 1.5rem 0 .5rem }\n"
	"h1, h2, td { overflow-wrap: anywhere }\n"
	"a { color: var(--link) }\n"
	"nav a:not(:focus) { position: absolute; left: -100rem }\n"
	"ul { margin: 0; padding-left: 1.25rem }\n"
	"table { border-collapse: collapse; margin-top: 1rem; font-size: .875rem }\n"
	"caption { text-align: left; font-weight: 600 }\n"
	"th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top }\n",
	".log { font: .8125rem/1.6 ui-monospace, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 8; "
		"padding: .75rem; border: 1px solid var(--line); border-radius: .375rem; background: var(--log) }\n"
	".r { background: var(--good) }\n"
	".u { background: var(--bad); text-decoration: underline dotted }\n"
	".note { color: var(--note) }\n"
	":target { background: var(--here); outline: 2px solid }\n"
	"#summary:target { background: none; outline: none }\n"
	".previous, .next { display: none; padding: 0 .5em; text-decoration: none }\n"
	":target > .previous, :target > .next { display: inline }\n"
	".u:target::after { content: attr(title) }\n"
	".previous::before { content: \"\\2190\" }\n"
	".next::before { content: \"\\2192\" }\n",
	"details, summary { display: inline }\n"
	"details::details-content { display: inline-block }\n"
	"details[open]::details-content { display: contents }\n"
	"summary { cursor: pointer; text-decoration: underline dotted }\n"
	"details:not([open]) > summary::after { content: \"\\2026  \" attr(data-last) }\n"
	"@media (max-width: 40rem) {\n"
	"body { padding: .5rem }\n"
	"thead { position: absolute; left: -100rem }\n"
	"tr { display: block; padding: .25rem 0; border-top: 1px solid var(--line) }\n"
	"th, td { display: block; border: 0; padding: 0 }\n"
	"td[data-head]:not(:empty)::before { content: attr(data-head) \": \"; color: var(--dim) }\n"
	"}\n"
	"</style>\n"
};

static void add_string(struct text *text, const char *string)
{
	html_string(text, string, strlen(string));
}

static void put(struct out *out, struct text *text)
{
	if (text->length > 0)
		out_bytes(out, text->bytes, text->length);
	text->length = 0;
}

/* ------------------------------------------------------------------------------------------------- logs */

void page_begin(struct out *out, char *const *logs, int count)
{
	struct text title = { .bytes = NULL };
	if (count > 1)
		text_add_decimal(&title, (uint64_t)count);
	if (count > 1)
		text_add(&title, " logs");
	else
		add_string(&title, count == 0 || strcmp(*logs, "-") == 0 ? "standard input" : *logs);
	const char *shown = title.bytes ? title.bytes : "";	/* it has no NUL; without memory it is empty */
	for (size_t i = 0; i < sizeof head / sizeof *head; i++)
		out_text(out, head[i]);
	out_text(out, "<title>");
	out_text(out, shown);
	out_text(out, " - rossym-log</title>\n</head>\n<body>\n<header>\n<h1>");
	out_text(out, shown);
	out_text(out, "</h1>\n<nav aria-label=\"Summary and addresses\"><a href=\"#summary\">Summary</a> "
		 "<a href=\"#r1\">First resolved address</a> <a href=\"#u1\">First unresolved address</a></nav>\n</header>\n<main>\n");
	text_clear(&title);
}

void page_log_begin(struct out *out, const char *name)
{
	struct text text = { .bytes = NULL };
	text_add(&text, "<section>\n<h2>");
	add_string(&text, name ? name : "Log");
	text_add(&text, "</h2>\n<div class=\"log\">");
	put(out, &text);
	text_clear(&text);
}

void page_log_end(struct out *out)
{
	out_text(out, "</div>\n</section>\n");
}

/* ---------------------------------------------------------------------------------------------- summary */

/* Append how many addresses there are, as a link to the first.  The one after the last has its place here. */
static void add_addresses(struct text *text, char prefix, unsigned long long count, const char *what)
{
	text_add(text, "<li><a class=\"");
	text_add_char(text, prefix);
	text_add(text, "\" id=\"");
	text_add_char(text, prefix);
	text_add_decimal(text, count + 1);
	if (count > 0) {
		text_add(text, "\" href=\"#");
		text_add_char(text, prefix);
		text_add_char(text, '1');
	}
	text_add(text, "\">");
	text_add_decimal(text, count);
	text_add(text, count == 1 ? " address " : " addresses ");
	text_add(text, what);
	text_add(text, "</a>");
}

static void add_reason(struct text *text, unsigned long long count, const char *why, bool *list)
{
	if (count == 0)
		return;
	text_add(text, *list ? "<li>" : "\n<ul>\n<li>");
	text_add_decimal(text, count);
	text_add(text, ": ");
	add_string(text, why);
	text_add(text, "</li>\n");
	*list = true;
}

static void add_counts(struct text *text, const struct html *html, const struct counts *counts)
{
	bool list = false;
	text_add(text, "<ul>\n");
	add_addresses(text, 'r', html->resolved, "resolved");
	text_add(text, "</li>\n");
	add_addresses(text, 'u', html->unresolved, "unresolved");
	for (unsigned why = ROSSYM_WHY_ANSWERED + 1; why <= ROSSYM_WHY_UNKNOWN; why++)
		add_reason(text, counts->why[why], rossym_why_text((enum rossym_why)why), &list);
	add_reason(text, counts->refused, RESOLVE_REFUSED, &list);
	text_add(text, list ? "</ul>\n</li>\n</ul>\n" : "</li>\n</ul>\n");
}

/* Begin a table whose columns have these names; the last one is NULL. */
static void begin_table(struct text *text, const char *caption, const char *const *columns)
{
	text_add(text, "<table>\n<caption>");
	text_add(text, caption);
	text_add(text, "</caption>\n<thead><tr>");
	for (; *columns; columns++) {
		text_add(text, "<th scope=\"col\">");
		text_add(text, *columns);
		text_add(text, "</th>");
	}
	text_add(text, "</tr></thead>\n<tbody>\n");
}

/* Add a row with the CELLS, as many as there are columns. */
static void add_row(struct text *text, const char *const *columns, const char *const *cells)
{
	text_add(text, "<tr>");
	for (size_t i = 0; columns[i]; i++) {
		text_add(text, i == 0 ? "<th scope=\"row\">" : "<td data-head=\"");
		if (i > 0) {
			text_add(text, columns[i]);
			text_add(text, "\">");
		}
		add_string(text, cells[i]);
		text_add(text, i == 0 ? "</th>" : "</td>");
	}
	text_add(text, "</tr>\n");
}

static void end_table(struct text *text)
{
	text_add(text, "</tbody>\n</table>\n");
}

static void add_builds(struct text *text, const struct boots *boots)
{
	static const char *const columns[] = { "Build", "Version", "Commit", "Boots", "Addresses", "Answers from another build", NULL };
	if (boots->count == 0)
		return;
	begin_table(text, "Builds that the log names", columns);
	for (size_t i = 0; i < boots->count; i++) {
		const struct boots_count *count = &boots->counts[i];
		const struct build *build = &count->build;
		char numbers[3][24];
		snprintf(numbers[0], sizeof *numbers, "%llu", count->boots);
		snprintf(numbers[1], sizeof *numbers, "%llu", count->tokens);
		snprintf(numbers[2], sizeof *numbers, "%llu", count->other);
		const char *const cells[] = { i == BOOTS_BUILDS - 1 ? "further builds" : *build->name ? build->name : build->version,
					      build->version, build->commit, numbers[0], numbers[1], numbers[2] };
		add_row(text, columns, cells);
	}
	end_table(text);
}

static void add_module(struct text *text, struct resolver *resolver, const struct rossym_module *module,
		       const char *const *columns)
{
	const struct modules *modules = &resolver->modules;
	const struct module_notes *notes = &modules->notes[module->number];
	char label[1200], count[64], stamp[80] = "";
	const char *sources = modules_sources(module, label, sizeof label);
	snprintf(count, sizeof count, "%llu of %llu", notes->answered, notes->tokens);
	if (module->time_date_stamp && module->other_stamp)
		snprintf(stamp, sizeof stamp, "%08lX, but the image has %08lX", (unsigned long)module->time_date_stamp,
			 (unsigned long)module->image_stamp);
	else if (module->time_date_stamp)
		snprintf(stamp, sizeof stamp, "%08lX", (unsigned long)module->time_date_stamp);
	const struct build *build = modules_build(&resolver->modules, module);
	const char *const cells[] = { module->name, count, stamp, sources ? sources : modules_why(modules, module, module->why),
				      !build ? "" : *build->name ? build->name : build->version };
	add_row(text, columns, cells);
}

static bool has_modules(const struct modules *modules)
{
	for (size_t i = 0; i < modules->note_count; i++)
		if (modules->notes[i].tokens)
			return true;
	return false;
}

bool page_end(const struct html *html, struct out *out, struct resolver *resolver)
{
	static const char *const columns[] = { "Module", "Resolved", "DateStamp", "Answers from", "Build", NULL };
	const struct modules *modules = &resolver->modules;
	const struct rossym_module *module;
	struct text text = { .bytes = NULL };
	text_add(&text, "</main>\n<section id=\"summary\">\n<h2>Summary</h2>\n");
	add_counts(&text, html, &resolver->counts);
	add_builds(&text, &resolver->boots);
	if (has_modules(modules)) {
		begin_table(&text, "Modules", columns);
		for (uint32_t i = 0; i < modules->note_count && rossym_set_get_module(modules->set, i, &module); i++)
			if (modules->notes[i].tokens)
				add_module(&text, resolver, module, columns);
		end_table(&text);
	}
	text_add(&text, "</section>\n</body>\n</html>\n");
	put(out, &text);
	bool good = !text.no_memory;
	text_clear(&text);
	return good;
}

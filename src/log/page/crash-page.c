// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/page/crash-page.h"
#include "log/crash/crash-block.h"
#include "log/crash/crash-table.h"
#include "log/page/html.h"

#include <inttypes.h>
#include <string.h>

static void add_string(struct strbuf *text, const char *string)
{
	html_add_escaped(text, string, strlen(string));
}

void crash_page_count(struct strbuf *text, const struct crashes *crashes)
{
	if (crashes->count == 0)
		return;
	strbuf_addf(text, "<li><a href=\"#crash1\">%" PRIu64 " crash%s</a></li>\n", (uint64_t)crashes->count,
		    crashes->count == 1 ? "" : "es");
}

/* ------------------------------------------------------------------------------------------------ fields */

/* Begin the field NAME; with "", another value of the field before it. */
static void begin_field(struct strbuf *text, const char *name)
{
	if (*name)
		strbuf_addf(text, "<dt>%s</dt>", name);
	strbuf_add(text, "<dd>");
}

static void end_field(struct strbuf *text)
{
	strbuf_add(text, "</dd>\n");
}

static void add_field(struct strbuf *text, const char *name, const char *value)
{
	begin_field(text, name);
	add_string(text, value);
	end_field(text);
}

static void add_places(struct strbuf *text, const struct crashes *crashes, const struct crash *crash)
{
	struct strbuf place = { .bytes = NULL };
	const size_t shown = crash->count < CRASH_PLACES ? (size_t)crash->count : CRASH_PLACES;
	for (size_t i = 0; i < shown; i++) {
		place.length = 0;
		block_add_place(&place, crashes, &crash->places[i]);
		begin_field(text, i == 0 ? "Where" : "");
		strbuf_add(text, "<a href=\"#");
		html_line_id(text, crash->places[i].log, crash->places[i].line);
		strbuf_add(text, "\">");
		add_string(text, place.bytes ? place.bytes : "");
		strbuf_add(text, "</a>");
		end_field(text);
	}
	if (crash->count > shown) {
		begin_field(text, "");
		strbuf_addf(text, "and %" PRIu64 " more", (uint64_t)(crash->count - shown));
		end_field(text);
	}
	text->no_memory |= place.no_memory;
	strbuf_clear(&place);
}

/* ------------------------------------------------------------------------------------------------ frames */

static void add_call(struct strbuf *text, const struct stack *stack, const struct stack_call *call)
{
	const char *url = stack_string(stack, call->url);
	add_string(text, call->function ? stack_string(stack, call->function) : "??");
	if (!call->file)
		return;
	strbuf_add(text, " (");
	if (*url)
		html_link_begin(text, url, strlen(url));
	add_string(text, stack_string(stack, call->file));
	if (call->line)
		strbuf_addf(text, ":%" PRIu32, call->line);
	if (*url)
		html_link_end(text);
	strbuf_add_char(text, ')');
}

/* Add the kind of FRAME, as a link to its address in the log. */
static void add_kind(struct strbuf *text, const struct stack_frame *frame)
{
	if (frame->letter)
		strbuf_addf(text, "<a class=\"%c\" href=\"#%c%" PRIu64 "\">", frame->letter, frame->letter,
			    (uint64_t)frame->id);
	strbuf_addf(text, "%s%s ", block_kind(frame), frame->letter ? "</a>" : "");
}

static void add_frame(struct strbuf *text, const struct stack *stack, size_t number)
{
	const struct stack_frame *frame = &stack->frames[number];
	add_kind(text, frame);
	if (frame->call_count > 0) {
		add_call(text, stack, &stack->calls[frame->calls]);
		strbuf_add(text, frame->module ? " in " : "");
		add_string(text, stack_string(stack, frame->module));
		add_string(text, stack_string(stack, frame->remark));
	} else {
		struct strbuf where = { .bytes = NULL };
		block_add_frame(&where, stack, number);
		add_string(text, where.bytes ? where.bytes : "");
		text->no_memory |= where.no_memory;
		strbuf_clear(&where);
	}
	for (size_t i = 1; i < frame->call_count; i++) {
		strbuf_add(text, i == 1 ? "<ul>\n<li>inlined by " : "<li>inlined by ");
		add_call(text, stack, &stack->calls[frame->calls + i]);
		strbuf_add(text, i + 1 == frame->call_count ? "</li>\n</ul>" : "</li>\n");
	}
}

static void add_stack(struct strbuf *text, const struct stack *stack)
{
	if (stack->frame_count == 0)
		return;
	strbuf_add(text, "<ol start=\"0\">\n");
	for (size_t i = 0; i < stack->frame_count; i++) {
		strbuf_add(text, "<li>");
		add_frame(text, stack, i);
		strbuf_add(text, "</li>\n");
	}
	strbuf_add(text, "</ol>\n");
}

/* ------------------------------------------------------------------------------------------------ blocks */

static void add_place(struct strbuf *text, const struct crash *crash)
{
	if (crash->place.frame_count == 0 || crashes_place_is_first(crash))
		return;
	begin_field(text, "Place");
	add_frame(text, &crash->place, 0);
	end_field(text);
}

/* Add crash NUMBER as Markdown, for the clipboard. */
static void add_markdown(struct strbuf *text, const struct crashes *crashes, size_t number)
{
	struct strbuf block = { .bytes = NULL }, fenced = { .bytes = NULL };
	block_add(&block, crashes, number);
	block_add_fenced(&fenced, &block);
	strbuf_add(text, "<details class=\"copy\"><summary>Markdown</summary><pre class=\"log\">");
	add_string(text, fenced.bytes ? fenced.bytes : "");
	strbuf_add(text, "</pre></details>\n");
	text->no_memory |= block.no_memory || fenced.no_memory;
	strbuf_clear(&block);
	strbuf_clear(&fenced);
}

static void add_crash(struct strbuf *text, const struct crashes *crashes, size_t number)
{
	const struct crash *crash = &crashes->items[number];
	struct strbuf title = { .bytes = NULL };
	block_add_heading(&title, crashes, number);
	strbuf_addf(text, "<article id=\"crash%" PRIu64 "\">\n<h3>", (uint64_t)number + 1);
	add_string(text, title.bytes ? title.bytes : "");
	strbuf_add(text, "</h3>\n<dl>\n");
	add_places(text, crashes, crash);
	block_add_fields(text, crash, add_field);
	add_place(text, crash);
	strbuf_add(text, "</dl>\n");
	add_stack(text, &crash->stack);
	add_markdown(text, crashes, number);
	strbuf_add(text, "</article>\n");
	text->no_memory |= title.no_memory;
	strbuf_clear(&title);
}

/* Add the NUMBERS of crashes, "1, 4", as links to their blocks. */
static void add_blocks(struct strbuf *text, const char *numbers)
{
	while (*numbers) {
		const int length = (int)strcspn(numbers, ",");
		strbuf_addf(text, "<a href=\"#crash%.*s\">%.*s</a>", length, numbers, length, numbers);
		numbers += length;
		if (*numbers)
			strbuf_add(text, " ");
		numbers += strspn(numbers, ", ");
	}
}

static void add_table(struct strbuf *text, struct crashes *crashes)
{
	size_t count;
	struct crash_row *rows = table_make(crashes, &count);
	strbuf_add(text, "<table>\n<caption>By code and first frames</caption>\n<thead><tr><th scope=\"col\">Crash</th>"
			 "<th scope=\"col\">Count</th><th scope=\"col\">Blocks</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < count; i++) {
		strbuf_add(text, "<tr><th scope=\"row\">");
		add_string(text, rows[i].what.bytes ? rows[i].what.bytes : "");
		strbuf_addf(text, "</th><td data-head=\"Count\">%" PRIu64 "</td><td data-head=\"Blocks\">",
			    (uint64_t)rows[i].count);
		add_blocks(text, rows[i].blocks.bytes ? rows[i].blocks.bytes : "");
		strbuf_add(text, "</td></tr>\n");
	}
	strbuf_add(text, "</tbody>\n</table>\n");
	table_free(rows, count);
}

void crash_page_add(struct strbuf *text, struct crashes *crashes)
{
	if (crashes->count == 0)
		return;
	strbuf_add(text, "<section id=\"crashes\">\n<h2>Crashes</h2>\n");
	if (crashes->log_count > 1)
		add_table(text, crashes);
	for (size_t i = 0; i < crashes->count; i++)
		add_crash(text, crashes, i);
	strbuf_add(text, "</section>\n");
}

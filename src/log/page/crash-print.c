// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/page/crash-print.h"
#include "log/page/html.h"
#include "report/code-names.h"
#include "tool/json.h"
#include "tool/mask.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Where and how a crash is printed. */
struct crash_printer {
	struct strbuf *text;
	bool html; /* print HTML; else plain text */
};

static void add_crash_text(const struct crash_printer *p, const char *string)
{
	if (p->html)
		html_add_escaped(p->text, string, strlen(string));
	else
		strbuf_add(p->text, string);
}

/* Append HTML if crashes are printed as HTML; else append TEXT. */
static void add_html_or_text(const struct crash_printer *p, const char *html, const char *text)
{
	strbuf_add(p->text, p->html ? html : text);
}

/* ------------------------------------------------------------------------------------------------ what is known */

/* Append NUMBER as Microsoft writes bugcheck codes and parameters: 8 or 16 digits, upper case. */
static void add_code_number(const struct crash_printer *p, uint64_t number)
{
	strbuf_addf(p->text, number > UINT32_MAX ? "0x%016" PRIX64 : "0x%08" PRIX64, number);
}

/* Returns the name of the bugcheck code or exception code of CRASH; NULL if it is not known. */
static const char *find_code_name(const struct crash *crash)
{
	if (crash->kind == CRASH_EXCEPTION)
		return find_exception_name(crash->code);
	return crash->kind == CRASH_BUGCHECK ? find_bugcheck_name(crash->code) : NULL;
}

/* Returns what parameter number PARAMETER, counted from 0, means if CRASH is a bugcheck; NULL if that is not known. */
static const char *find_parameter_meaning(const struct crash *crash, unsigned parameter)
{
	return crash->kind == CRASH_BUGCHECK ? find_bugcheck_meaning(crash->code, parameter) : NULL;
}

/* Returns the module that the log says is at fault; else the module of the place of the crash, if that is known; else,
   for an exception, the module of the first frame; "" if none is known. */
static const char *find_module_at_fault(const struct crash *crash)
{
	const struct stack *place = &crash->place, *stack = &crash->stack;
	if (crash->module)
		return stack_string(stack, crash->module);
	if (place->frame_count > 0)
		return stack_string(place, place->frames[0].module);
	return crash->kind == CRASH_EXCEPTION && stack->frame_count > 0 ? stack_string(stack, stack->frames[0].module)
									: "";
}

static const char *const kinds[] = { [CRASH_BUGCHECK] = "bugcheck",
				     [CRASH_EXCEPTION] = "exception",
				     [CRASH_ASSERTION] = "assertion",
				     [CRASH_STACK] = "stack" };

/* Append the title of CRASH: "bugcheck 0x0000000A NAME". */
static void add_title(const struct crash_printer *p, const struct crash *crash)
{
	const char *name = find_code_name(crash);
	add_crash_text(p, crash->kind == CRASH_STACK ? "a stack without its beginning" : kinds[crash->kind]);
	if (crash->has_code) {
		add_crash_text(p, " ");
		add_code_number(p, crash->code);
	}
	if (name) {
		add_crash_text(p, " ");
		add_crash_text(p, name);
	}
	if (crash->text) {
		add_crash_text(p, crash->has_code ? ", " : " ");
		add_crash_text(p, stack_string(&crash->stack, crash->text));
	}
}

/* ------------------------------------------------------------------------------------------------ fields */

/* Begin the field NAME.  If NAME is "", begin another value of the field before it. */
static void begin_field(const struct crash_printer *p, const char *name)
{
	enum { WIDTH = 12 };
	if (!p->html)
		strbuf_addf(p->text, "  %s%-*s", name, WIDTH - (int)strlen(name), *name ? ":" : "");
	else
		strbuf_addf(p->text, *name ? "<dt>%s</dt><dd>" : "<dd>", name);
}

static void end_field(const struct crash_printer *p)
{
	add_html_or_text(p, "</dd>\n", "\n");
}

/* Add the field NAME with VALUE; nothing if VALUE is "". */
static void add_field(const struct crash_printer *p, const char *name, const char *value)
{
	if (!*value)
		return;
	begin_field(p, name);
	add_crash_text(p, value);
	end_field(p);
}

/* Add where CRASH and the crashes that are equal to it are: log, line and boot of each. */
static void add_place_fields(const struct crash_printer *p, const struct crashes *crashes, const struct crash *crash)
{
	const size_t shown = crash->count < CRASH_PLACES ? (size_t)crash->count : CRASH_PLACES;
	struct strbuf name = { .bytes = NULL };
	for (size_t i = 0; i < shown; i++) {
		const struct crash_place *place = &crash->places[i];
		const char *log = crashes->logs[place->log].name;
		const unsigned boots = crashes->logs[place->log].boots;
		begin_field(p, i == 0 ? "Where" : "");
		if (p->html) {
			add_html_or_text(p, "<a href=\"#", "");
			html_add_line_id(p->text, place->log, place->line);
			add_html_or_text(p, "\">", "");
		}
		if (log) {
			name.length = 0;
			strbuf_add_masked(&name, log, strlen(log));
			strbuf_add(&name, ", ");
			add_crash_text(p, name.bytes ? name.bytes : "");
		}
		strbuf_addf(p->text, "line %" PRIu64, place->line);
		if (boots > 0 && place->boot == 0)
			add_crash_text(p, ", before the first boot");
		else if (boots > 0)
			strbuf_addf(p->text, ", boot %u of %u", place->boot, boots);
		add_html_or_text(p, "</a>", "");
		end_field(p);
	}
	if (crash->count > shown) {
		begin_field(p, "");
		strbuf_addf(p->text, "and %" PRIu64 " more", (uint64_t)(crash->count - shown));
		end_field(p);
	}
	p->text->no_memory |= name.no_memory;
	strbuf_clear(&name);
}

/* Add the bugcheck's parameters with their meanings.  If the first one is an exception code, add its name, too. */
static void add_parameter_fields(const struct crash_printer *p, const struct crash *crash)
{
	for (unsigned i = 0; i < crash->parameter_count; i++) {
		const char *meaning = find_parameter_meaning(crash, i), *name = NULL;
		if (i == 0 && bugcheck_has_exception(crash->code))
			name = find_exception_name((uint32_t)crash->parameters[0]);
		begin_field(p, i == 0 ? "Parameters" : "");
		add_code_number(p, crash->parameters[i]);
		add_crash_text(p, meaning ? "  " : "");
		add_crash_text(p, meaning ? meaning : "");
		add_crash_text(p, name ? ", " : "");
		add_crash_text(p, name ? name : "");
		end_field(p);
	}
}

/* Add where the symbols of the modules come from: "a.sys: FILES" or "a.sys: none, WHY". */
static void add_symbols_fields(const struct crash_printer *p, const struct crash *crash)
{
	for (size_t i = 0; i < crash->symbols.count; i++) {
		begin_field(p, i == 0 ? "Symbols" : "");
		add_crash_text(p, stack_string(&crash->stack, crash->symbols.list[i].module));
		add_crash_text(p, crash->symbols.list[i].found ? ": " : ": none, ");
		add_crash_text(p, stack_string(&crash->stack, crash->symbols.list[i].text));
		end_field(p);
	}
}

/* ------------------------------------------------------------------------------------------------ frames */

static void add_call(const struct crash_printer *p, const struct stack *stack, const struct stack_call *call)
{
	const char *url = p->html ? stack_string(stack, call->url) : "";
	add_crash_text(p, call->function ? stack_string(stack, call->function) : "??");
	if (!call->file)
		return;
	add_crash_text(p, " (");
	if (*url)
		html_link_begin(p->text, url, strlen(url));
	add_crash_text(p, stack_string(stack, call->file));
	if (call->line)
		strbuf_addf(p->text, ":%" PRIu32, call->line);
	if (*url)
		strbuf_add(p->text, "</a>");
	add_crash_text(p, ")");
}

/* Add the kind of FRAME's address, "exact", "return" or "open"; in HTML, as a link to the address in the log. */
static void add_address_kind(const struct crash_printer *p, const struct stack_frame *frame)
{
	const char *kind = frame->is_return == IS_EXACT ? "exact" : frame->is_return == IS_RETURN ? "return" : "open";
	if (!p->html)
		strbuf_addf(p->text, "%-8s", kind);
	else if (frame->letter)
		strbuf_addf(p->text, "<a class=\"%c\" href=\"#%c%" PRIu64 "\">%s</a> ", frame->letter, frame->letter,
			    (uint64_t)frame->id, kind);
	else
		strbuf_addf(p->text, "%s ", kind);
}

/* Add the kind of FRAME and the frame: "return  f (a.c:7) in a.sys", "a.sys+0x1230" or "0x1230"; then the callers of
   inlined calls.  In text, each caller has a line of its own, which begins with INDENT blanks. */
static void add_frame(const struct crash_printer *p, const struct stack *stack, const struct stack_frame *frame,
		      int indent)
{
	add_address_kind(p, frame);
	if (frame->call_count > 0)
		add_call(p, stack, &stack->calls[frame->calls]);
	if (frame->call_count > 0 && frame->module)
		add_crash_text(p, " in ");
	add_crash_text(p, stack_string(stack, frame->module));
	if (frame->call_count == 0)
		strbuf_addf(p->text, frame->module ? "+0x%" PRIx64 : "0x%" PRIx64, frame->number);
	add_crash_text(p, stack_string(stack, frame->remark));
	for (size_t i = 1; i < frame->call_count; i++) {
		add_html_or_text(p, i == 1 ? "<ul>\n<li>" : "\n<li>", "\n");
		strbuf_addf(p->text, "%*sinlined by ", p->html ? 0 : indent, "");
		add_call(p, stack, &stack->calls[frame->calls + i]);
		add_html_or_text(p, i + 1 < frame->call_count ? "</li>" : "</li>\n</ul>", "");
	}
}

static void add_stack(const struct crash_printer *p, const struct stack *stack)
{
	if (stack->frame_count == 0)
		return;
	add_html_or_text(p, "<ol start=\"0\">\n", "  Stack:\n");
	for (size_t i = 0; i < stack->frame_count; i++) {
		if (p->html)
			strbuf_add(p->text, "<li>");
		else
			strbuf_addf(p->text, "%6u  ", (unsigned)i);
		add_frame(p, stack, &stack->frames[i], 18);
		add_html_or_text(p, "</li>\n", "\n");
	}
	add_html_or_text(p, "</ol>\n",
			 stack->frame_count == STACK_FRAMES ? "          (the log may have more frames)\n" : "");
}

/* ------------------------------------------------------------------------------------------------ blocks */

/* Append BLOCK as a fenced code block of Markdown.  The fence is longer than any run of grave accents in BLOCK, so that
   no text in BLOCK ends the code block. */
static void add_fenced_block(const struct crash_printer *p, const struct strbuf *block)
{
	size_t run = 0, longest = 2;
	for (size_t i = 0; i < block->length; i++) {
		run = block->bytes[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	for (size_t i = 0; i <= longest; i++)
		add_crash_text(p, "`");
	add_crash_text(p, "text\n");
	add_crash_text(p, block->bytes ? block->bytes : "");
	for (size_t i = 0; i <= longest; i++)
		add_crash_text(p, "`");
	add_crash_text(p, "\n");
}

static void add_crash_block(const struct crash_printer *p, const struct crashes *crashes, size_t number);

/* Add to the HTML the Markdown of crash NUMBER, so that a reader can copy it. */
static void add_markdown_copy(const struct crash_printer *p, const struct crashes *crashes, size_t number)
{
	struct strbuf block = { .bytes = NULL };
	add_crash_block(&(const struct crash_printer){ &block, false }, crashes, number);
	strbuf_add(p->text, "<details class=\"copy\"><summary>Markdown</summary><pre class=\"log\">");
	add_fenced_block(p, &block);
	strbuf_add(p->text, "</pre></details>\n");
	p->text->no_memory |= block.no_memory;
	strbuf_clear(&block);
}

/* Append the block about crash NUMBER, counted from 0. */
static void add_crash_block(const struct crash_printer *p, const struct crashes *crashes, size_t number)
{
	const struct crash *crash = &crashes->items[number];
	const struct stack *stack = &crash->stack;
	if (p->html)
		strbuf_addf(p->text, "<article id=\"crash%" PRIu64 "\">\n<h3>", (uint64_t)number + 1);
	strbuf_addf(p->text, "Crash %" PRIu64 " of %" PRIu64, (uint64_t)number + 1, (uint64_t)crashes->count);
	if (crash->count > 1)
		strbuf_addf(p->text, ", %" PRIu64 " times", (uint64_t)crash->count);
	add_crash_text(p, ": ");
	add_title(p, crash);
	add_html_or_text(p, "</h3>\n<dl>\n", "\n");
	add_place_fields(p, crashes, crash);
	add_field(p, "Build", stack_string(stack, crash->build));
	add_parameter_fields(p, crash);
	add_field(p, "Source", stack_string(stack, crash->source));
	add_field(p, "Detail", stack_string(stack, crash->detail));
	add_field(p, "Module", find_module_at_fault(crash));
	add_field(p, "Process", stack_string(stack, crash->process));
	add_symbols_fields(p, crash);
	if (crash->place.frame_count > 0 && !crashes_place_is_first(crash)) {
		begin_field(p, "Place");
		add_frame(p, &crash->place, crash->place.frames, 24);
		end_field(p);
	}
	add_html_or_text(p, "</dl>\n", "");
	add_stack(p, stack);
	if (p->html)
		add_markdown_copy(p, crashes, number);
	add_html_or_text(p, "</article>\n", "");
}

/* ------------------------------------------------------------------------------------------------ the table */

struct table_row {
	struct strbuf what;   /* the title and the first frames, which its crashes share */
	struct strbuf blocks; /* which crash blocks it stands for, as text: "1, 4"; in HTML, links to these blocks */
	size_t first;	      /* the number of its first crash, from 0 */
	bool several;	      /* it has several blocks */
	unsigned long long count; /* how many crashes these blocks are about */
};

/* Whether FRAME is in a function with which the system reports a crash or enters a debugger. */
static bool is_reporting_frame(const struct stack *stack, const struct stack_frame *frame)
{
	static const char *const names[] = { "RtlpBreakWithStatusInstruction",
					     "DbgBreakPoint",
					     "RtlAssert",
					     "KiDispatchException",
					     "KiExceptionDispatch",
					     "KeBugCheck",
					     "KiBugCheck",
					     "KiTrap",
					     "KiPageFault",
					     "KiDoubleFault",
					     "KiGeneralProtectionFault" };
	const char *function = frame->call_count ? stack_string(stack, stack->calls[frame->calls].function) : "";
	const char *module_end = strchr(function, '!'); /* "nt!KeBugCheckEx+0x104", in a row of WinDbg */
	function = module_end ? module_end + 1 : function;
	function += strspn(function, "_@");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(function, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/* Append the title of CRASH, and the first frames after the reporting ones: ": a.sys!f, a.sys+0x1230, 0x1230". */
static void add_title_and_frames(struct strbuf *text, const struct crash *crash)
{
	enum { TOP_FRAMES = 3 };
	const struct stack *stack = crash->stack.frame_count > 0 ? &crash->stack : &crash->place;
	size_t first = 0;
	add_title(&(const struct crash_printer){ text, false }, crash);
	while (first < stack->frame_count && is_reporting_frame(stack, &stack->frames[first]))
		first++;
	for (size_t i = first; i < stack->frame_count && i < first + TOP_FRAMES; i++) {
		const struct stack_frame *frame = &stack->frames[i];
		const char *function = frame->call_count ? stack_string(stack, stack->calls[frame->calls].function)
							 : "";
		strbuf_add(text, i == first ? ": " : ", ");
		strbuf_add(text, stack_string(stack, frame->module));
		if (*function)
			strbuf_addf(text, "%s%s", frame->module ? "!" : "", function);
		else
			strbuf_addf(text, "%s0x%" PRIx64, frame->module ? "+" : "", frame->number);
	}
}

/* Count crash NUMBER in the row that has its title and first frames.  If none of the *COUNT ROWS has, add a row. */
static void count_crash_in_row(const struct crash_printer *p, struct table_row *rows, size_t *count,
			       const struct crashes *crashes, size_t number)
{
	size_t i = 0;
	struct strbuf what = { .bytes = NULL };
	add_title_and_frames(&what, &crashes->items[number]);
	while (i < *count && !strbuf_is_same(&rows[i].what, &what))
		i++;
	struct table_row *row = &rows[i];
	const uint64_t block = number + 1;
	if (i == *count) {
		*row = (struct table_row){ .what = what, .first = number };
		++*count;
	} else {
		strbuf_clear(&what);
		strbuf_add(&row->blocks, p->html ? " " : ", ");
		row->several = true;
	}
	if (p->html)
		strbuf_addf(&row->blocks, "<a href=\"#crash%" PRIu64 "\">%" PRIu64 "</a>", block, block);
	else
		strbuf_add_decimal(&row->blocks, block);
	row->count += crashes->items[number].count;
}

/* For qsort(): the most frequent first; among equally frequent ones, the one whose first block has the lower number. */
static int compare_table_rows(const void *a, const void *b)
{
	const struct table_row *x = a, *y = b;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

static void add_table_row(const struct crash_printer *p, const struct table_row *row)
{
	const char *blocks = row->blocks.bytes ? row->blocks.bytes : "";
	if (p->html)
		strbuf_add(p->text, "<tr><th scope=\"row\">");
	else
		strbuf_addf(p->text, "%5llu  ", row->count);
	add_crash_text(p, row->what.bytes ? row->what.bytes : "");
	if (p->html)
		strbuf_addf(p->text, "</th><td data-head=\"Count\">%llu</td><td data-head=\"Blocks\">%s</td></tr>\n",
			    row->count, blocks);
	else
		strbuf_addf(p->text, " (block%s %s)\n", row->several ? "s" : "", blocks);
}

/* Append the table of all crashes; nothing if there are none. */
static void add_crash_table(const struct crash_printer *p, struct crashes *crashes)
{
	size_t count = 0;
	struct table_row *rows = crashes->count ? calloc(crashes->count, sizeof *rows) : NULL;
	crashes->no_memory |= !rows && crashes->count;
	if (!rows)
		return;
	for (size_t i = 0; i < crashes->count; i++)
		count_crash_in_row(p, rows, &count, crashes, i);
	qsort(rows, count, sizeof *rows, compare_table_rows);
	add_html_or_text(p,
			 "<table>\n<caption>By code and first frames</caption>\n<thead><tr><th scope=\"col\">Crash</th>"
			 "<th scope=\"col\">Count</th><th scope=\"col\">Blocks</th></tr></thead>\n<tbody>\n",
			 "Count  Crash\n");
	for (size_t i = 0; i < count; i++) {
		add_table_row(p, &rows[i]);
		crashes->no_memory |= rows[i].what.no_memory || rows[i].blocks.no_memory;
		strbuf_clear(&rows[i].what);
		strbuf_clear(&rows[i].blocks);
	}
	add_html_or_text(p, "</tbody>\n</table>\n", "");
	free(rows);
}

/* ------------------------------------------------------------------------------------------------ all crashes */

static void print_block(struct out *out, struct strbuf *block, bool markdown)
{
	struct strbuf fenced = { .bytes = NULL };
	if (block->length > 0 && markdown)
		add_fenced_block(&(const struct crash_printer){ &fenced, false }, block);
	const struct strbuf *shown = markdown ? &fenced : block;
	if (shown->length > 0)
		out_bytes(out, shown->bytes, shown->length);
	block->no_memory |= fenced.no_memory;
	block->length = 0;
	strbuf_clear(&fenced);
}

void crashes_print(struct out *out, struct crashes *crashes, bool markdown)
{
	struct strbuf block = { .bytes = NULL };
	const struct crash_printer p = { &block, false };
	if (crashes->log_count > 1)
		add_crash_table(&p, crashes);
	print_block(out, &block, markdown);
	for (size_t i = 0; i < crashes->count; i++) {
		if (i > 0 || crashes->log_count > 1)
			out_char(out, '\n');
		add_crash_block(&p, crashes, i);
		print_block(out, &block, markdown);
	}
	crashes->no_memory |= block.no_memory;
	strbuf_clear(&block);
}

void crashes_add_html(struct strbuf *text, struct crashes *crashes)
{
	const struct crash_printer p = { text, true };
	if (crashes->count == 0)
		return;
	strbuf_add(text, "<section id=\"crashes\">\n<h2>Crashes</h2>\n");
	if (crashes->log_count > 1)
		add_crash_table(&p, crashes);
	for (size_t i = 0; i < crashes->count; i++)
		add_crash_block(&p, crashes, i);
	strbuf_add(text, "</section>\n");
}

/* ------------------------------------------------------------------------------------------------ JSON */

/* Write the member KEY: STRING, or null if STRING is NULL or empty. */
static void write_string(struct json *json, const char *key, const char *string)
{
	json_write_text(json, key, string && *string ? string : NULL);
}

/* Write the member KEY: STRING, or nothing if STRING is NULL or empty. */
static void write_string_if_known(struct json *json, const char *key, const char *string)
{
	if (string && *string)
		write_string(json, key, string);
}

static void write_call(struct json *json, const struct stack *stack, const struct stack_call *call)
{
	json_open(json, NULL, '{');
	if (call->line)
		json_write_number(json, "line", call->line);
	else
		write_string(json, "line", NULL);
	write_string(json, "file", stack_string(stack, call->file));
	write_string(json, "function", stack_string(stack, call->function));
	write_string_if_known(json, "url", stack_string(stack, call->url));
	json_close(json, '}');
}

static void write_frame(struct json *json, const char *key, const struct stack *stack, const struct stack_frame *frame)
{
	const char *module = stack_string(stack, frame->module), *remark = stack_string(stack, frame->remark);
	json_open(json, key, '{');
	json_write_number(json, "line", frame->line);
	write_string(json, "module", module);
	if (*module)
		json_write_hex(json, "rva", frame->number);
	else if (frame->number)
		json_write_hex(json, "address", frame->number);
	json_write_word(json, "return_address",
			frame->is_return == IS_OPEN	? "null"
			: frame->is_return == IS_RETURN ? "true"
							: "false");
	write_string_if_known(json, "remark", *remark ? remark + sizeof " - " - 1 : NULL);
	json_open(json, "frames", '[');
	for (size_t i = 0; i < frame->call_count; i++)
		write_call(json, stack, &stack->calls[frame->calls + i]);
	json_close(json, ']');
	json_close(json, '}');
}

static void write_places(struct json *json, const struct crashes *crashes, const struct crash *crash)
{
	json_open(json, "places", '[');
	for (size_t i = 0; i < CRASH_PLACES && i < crash->count; i++) {
		const struct crash_place *place = &crash->places[i];
		json_open(json, NULL, '{');
		const struct crash_log *log = &crashes->logs[place->log];
		write_string_if_known(json, "log", log->name);
		json_write_number(json, "line", place->line);
		if (log->boots) {
			json_write_number(json, "boot", place->boot);
			json_write_number(json, "boots", log->boots);
		}
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void write_parameters(struct json *json, const struct crash *crash)
{
	json_open(json, "parameters", '[');
	for (unsigned i = 0; i < crash->parameter_count; i++) {
		json_open(json, NULL, '{');
		json_write_hex(json, "value", crash->parameters[i]);
		write_string(json, "meaning", find_parameter_meaning(crash, i));
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void write_symbols(struct json *json, const struct crash *crash)
{
	json_open(json, "symbols", '[');
	for (size_t i = 0; i < crash->symbols.count; i++) {
		json_open(json, NULL, '{');
		write_string(json, "module", stack_string(&crash->stack, crash->symbols.list[i].module));
		write_string(json, crash->symbols.list[i].found ? "files" : "why",
			     stack_string(&crash->stack, crash->symbols.list[i].text));
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void write_crash(struct json *json, const struct crashes *crashes, size_t number)
{
	const struct crash *crash = &crashes->items[number];
	const struct stack *stack = &crash->stack;
	json_open(json, NULL, '{');
	json_write_number(json, "crash", number + 1);
	json_write_number(json, "count", crash->count);
	write_places(json, crashes, crash);
	write_string(json, "kind", kinds[crash->kind]);
	if (crash->has_code)
		json_write_hex(json, "code", crash->code);
	write_string_if_known(json, "name", find_code_name(crash));
	write_string_if_known(json, "text", stack_string(stack, crash->text));
	write_string_if_known(json, "source", stack_string(stack, crash->source));
	write_string_if_known(json, "detail", stack_string(stack, crash->detail));
	write_string_if_known(json, "build", stack_string(stack, crash->build));
	write_string_if_known(json, "module", find_module_at_fault(crash));
	write_string_if_known(json, "process", stack_string(stack, crash->process));
	if (crash->symbols.count > 0)
		write_symbols(json, crash);
	if (crash->kind == CRASH_BUGCHECK)
		write_parameters(json, crash);
	if (crash->place.frame_count > 0)
		write_frame(json, "place", &crash->place, &crash->place.frames[0]);
	json_open(json, "stack", '[');
	for (size_t i = 0; i < stack->frame_count; i++)
		write_frame(json, NULL, stack, &stack->frames[i]);
	json_close(json, ']');
	json_close(json, '}');
	json_end(json);
}

void crashes_print_json(struct out *out, const struct crashes *crashes)
{
	for (size_t i = 0; i < crashes->count; i++) {
		struct json json = { .out = out };
		write_crash(&json, crashes, i);
	}
}

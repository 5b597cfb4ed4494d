// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/crash/crash-block.h"
#include "report/bugcheck-names.h"
#include "report/exception-names.h"
#include "tool/mask.h"

#include <inttypes.h>
#include <string.h>

/* Append NUMBER as Microsoft writes bugcheck codes and parameters: 8 or 16 digits, upper case. */
static void add_number(struct strbuf *text, uint64_t number)
{
	strbuf_addf(text, number > UINT32_MAX ? "0x%016" PRIX64 : "0x%08" PRIX64, number);
}

/* ------------------------------------------------------------------------------------------------ title and place */

const char *block_code_name(const struct crash *crash)
{
	if (crash->kind == CRASH_EXCEPTION)
		return exception_name(crash->code);
	return crash->kind == CRASH_BUGCHECK ? bugcheck_name(crash->code) : NULL;
}

const char *block_meaning(const struct crash *crash, unsigned parameter)
{
	return crash->kind == CRASH_BUGCHECK ? bugcheck_meaning(crash->code, parameter) : NULL;
}

void block_add_title(struct strbuf *text, const struct crash *crash)
{
	static const char *const kinds[] = { [CRASH_BUGCHECK] = "bugcheck",
					     [CRASH_EXCEPTION] = "exception",
					     [CRASH_ASSERTION] = "assertion",
					     [CRASH_STACK] = "a stack without its beginning" };
	const char *name = block_code_name(crash);
	strbuf_add(text, kinds[crash->kind]);
	if (crash->has_code) {
		strbuf_add_char(text, ' ');
		add_number(text, crash->code);
	}
	if (name) {
		strbuf_add_char(text, ' ');
		strbuf_add(text, name);
	}
	if (crash->text) {
		strbuf_add(text, crash->has_code ? ", " : " ");
		strbuf_add(text, stack_string(&crash->stack, crash->text));
	}
}

const char *block_module(const struct crash *crash)
{
	const struct stack *place = &crash->place, *stack = &crash->stack;
	if (crash->module)
		return stack_string(stack, crash->module);
	if (place->frame_count > 0)
		return stack_string(place, place->frames[0].module);
	return crash->kind == CRASH_EXCEPTION && stack->frame_count > 0 ? stack_string(stack, stack->frames[0].module)
									: "";
}

void block_add_place(struct strbuf *text, const struct crashes *crashes, const struct crash_place *place)
{
	const char *log = crashes_log_name(crashes, place);
	if (log) {
		strbuf_add_masked(text, log, strlen(log));
		strbuf_add(text, ", ");
	}
	strbuf_addf(text, "line %" PRIu64, (uint64_t)place->line);
	if (place->of_boots > 0 && place->boot == 0)
		strbuf_add(text, ", before the first boot");
	else if (place->of_boots > 0)
		strbuf_addf(text, ", boot %" PRIu64 " of %" PRIu64, (uint64_t)place->boot, (uint64_t)place->of_boots);
}

/* ------------------------------------------------------------------------------------------------ frames */

const char *block_kind(const struct stack_frame *frame)
{
	return frame->is_return == IS_EXACT ? "exact" : frame->is_return == IS_RETURN ? "return" : "open";
}

static void add_call(struct strbuf *text, const struct stack *stack, const struct stack_call *call)
{
	strbuf_add(text, call->function ? stack_string(stack, call->function) : "??");
	if (!call->file)
		return;
	strbuf_addf(text, " (%s", stack_string(stack, call->file));
	if (call->line)
		strbuf_addf(text, ":%" PRIu32, call->line);
	strbuf_add_char(text, ')');
}

void block_add_frame(struct strbuf *text, const struct stack *stack, size_t number)
{
	const struct stack_frame *frame = &stack->frames[number];
	if (frame->call_count > 0) {
		add_call(text, stack, &stack->calls[frame->calls]);
		if (frame->module)
			strbuf_addf(text, " in %s", stack_string(stack, frame->module));
	} else {
		if (frame->module)
			strbuf_addf(text, "%s+", stack_string(stack, frame->module));
		strbuf_addf(text, "0x%" PRIx64, frame->number);
	}
	strbuf_add(text, stack_string(stack, frame->remark));
}

/* Add the kind of frame NUMBER and the frame; then the callers of inlined calls, each on a line of its
   own after INDENT blanks. */
static void add_frame(struct strbuf *text, const struct stack *stack, size_t number, int indent)
{
	const struct stack_frame *frame = &stack->frames[number];
	strbuf_addf(text, "%-8s", block_kind(frame));
	block_add_frame(text, stack, number);
	strbuf_add_char(text, '\n');
	for (size_t i = 1; i < frame->call_count; i++) {
		strbuf_addf(text, "%*sinlined by ", indent, "");
		add_call(text, stack, &stack->calls[frame->calls + i]);
		strbuf_add_char(text, '\n');
	}
}

static void add_stack(struct strbuf *text, const struct stack *stack)
{
	if (stack->frame_count == 0)
		return;
	strbuf_add(text, "  Stack:\n");
	for (size_t i = 0; i < stack->frame_count; i++) {
		strbuf_addf(text, "%6u  ", (unsigned)i);
		add_frame(text, stack, i, 18);
	}
	if (stack->frame_count == STACK_FRAMES)
		strbuf_add(text, "          (the log may have more frames)\n");
}

/* ------------------------------------------------------------------------------------------------ the block */

static void add_field(struct strbuf *text, const char *name, const char *value)
{
	strbuf_addf(text, "  %s%-*s%s\n", name, (int)(12 - strlen(name)), *name ? ":" : "", value);
}

static void add_places(struct strbuf *text, const struct crashes *crashes, const struct crash *crash)
{
	struct strbuf value = { .bytes = NULL };
	const size_t shown = crash->count < CRASH_PLACES ? (size_t)crash->count : CRASH_PLACES;
	for (size_t i = 0; i < shown; i++) {
		value.length = 0;
		block_add_place(&value, crashes, &crash->places[i]);
		add_field(text, i == 0 ? "Where" : "", value.bytes ? value.bytes : "");
	}
	if (crash->count > shown) {
		value.length = 0;
		strbuf_addf(&value, "and %" PRIu64 " more", (uint64_t)(crash->count - shown));
		add_field(text, "", value.bytes ? value.bytes : "");
	}
	text->no_memory |= value.no_memory;
	strbuf_clear(&value);
}

/* Append value and meaning of the bugcheck's parameter number PARAMETER, from 0; and if the value is an exception code,
   its name. */
static void add_parameter(struct strbuf *text, const struct crash *crash, size_t parameter)
{
	const char *meaning = block_meaning(crash, (unsigned)parameter), *name = NULL;
	if (parameter == 0 && bugcheck_has_exception(crash->code))
		name = exception_name((uint32_t)crash->parameters[0]);
	add_number(text, crash->parameters[parameter]);
	strbuf_addf(text, "%s%s%s%s", meaning ? "  " : "", meaning ? meaning : "", name ? ", " : "", name ? name : "");
}

/* Append where the symbols of element NUMBER of crash->symbols come from: "a.sys: FILES" or "a.sys: none, WHY". */
static void add_symbols(struct strbuf *text, const struct crash *crash, size_t number)
{
	strbuf_addf(text, "%s: %s%s", stack_string(&crash->stack, crash->symbols.list[number].module),
		    crash->symbols.list[number].found ? "" : "none, ",
		    stack_string(&crash->stack, crash->symbols.list[number].text));
}

/* The arguments of block_add_fields(), for the functions that add one field. */
struct fields {
	struct strbuf *text;
	const struct crash *crash;
	block_field *field;
};

static void add_text(const struct fields *fields, const char *name, const char *value)
{
	if (*value)
		fields->field(fields->text, name, value);
}

/* Add a field with COUNT values, of which only the first gets the NAME.  ADD appends value NUMBER to TEXT. */
static void add_list(const struct fields *fields, const char *name, size_t count,
		     void (*add)(struct strbuf *text, const struct crash *crash, size_t number))
{
	struct strbuf value = { .bytes = NULL };
	for (size_t i = 0; i < count; i++) {
		value.length = 0;
		add(&value, fields->crash, i);
		add_text(fields, i == 0 ? name : "", value.bytes ? value.bytes : "");
	}
	fields->text->no_memory |= value.no_memory;
	strbuf_clear(&value);
}

void block_add_fields(struct strbuf *text, const struct crash *crash, block_field *field)
{
	const struct fields fields = { text, crash, field };
	add_text(&fields, "Build", stack_string(&crash->stack, crash->build));
	add_list(&fields, "Parameters", crash->parameter_count, add_parameter);
	add_text(&fields, "Source", stack_string(&crash->stack, crash->source));
	add_text(&fields, "Detail", stack_string(&crash->stack, crash->detail));
	add_text(&fields, "Module", block_module(crash));
	add_text(&fields, "Process", stack_string(&crash->stack, crash->process));
	add_list(&fields, "Symbols", crash->symbols.count, add_symbols);
}

/* Add the place of the crash, unless it is the first frame of the stack. */
static void add_crash_place(struct strbuf *text, const struct crash *crash)
{
	if (crash->place.frame_count == 0 || crashes_place_is_first(crash))
		return;
	strbuf_add(text, "  Place:      ");
	add_frame(text, &crash->place, 0, 24);
}

void block_add_heading(struct strbuf *text, const struct crashes *crashes, size_t number)
{
	const struct crash *crash = &crashes->items[number];
	strbuf_addf(text, "Crash %" PRIu64 " of %" PRIu64, (uint64_t)number + 1, (uint64_t)crashes->count);
	if (crash->count > 1)
		strbuf_addf(text, ", %" PRIu64 " times", (uint64_t)crash->count);
	strbuf_add(text, ": ");
	block_add_title(text, crash);
}

void block_add(struct strbuf *text, const struct crashes *crashes, size_t number)
{
	const struct crash *crash = &crashes->items[number];
	block_add_heading(text, crashes, number);
	strbuf_add_char(text, '\n');
	add_places(text, crashes, crash);
	block_add_fields(text, crash, add_field);
	add_crash_place(text, crash);
	add_stack(text, &crash->stack);
}

void block_add_fenced(struct strbuf *text, const struct strbuf *block)
{
	size_t run = 0, longest = 2;
	for (size_t i = 0; i < block->length; i++) {
		run = block->bytes[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	for (size_t i = 0; i <= longest; i++)
		strbuf_add_char(text, '`');
	strbuf_add(text, "text\n");
	strbuf_add_bytes(text, block->bytes, block->length);
	for (size_t i = 0; i <= longest; i++)
		strbuf_add_char(text, '`');
	strbuf_add_char(text, '\n');
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/crash/crash-json.h"
#include "log/crash/crash-block.h"
#include "tool/json.h"

#include <string.h>

struct crash_writer {
	struct json json;
	struct out *out;
};

static void put_number(struct crash_writer *w, const char *key, uint64_t number)
{
	json_key(&w->json, w->out, key);
	json_number(&w->json, w->out, number);
}

static void put_hex(struct crash_writer *w, const char *key, uint64_t number)
{
	json_key(&w->json, w->out, key);
	json_hex(&w->json, w->out, number);
}

/* Put STRING, or null if STRING is NULL or empty. */
static void put_string(struct crash_writer *w, const char *key, const char *string)
{
	json_key(&w->json, w->out, key);
	if (string && *string)
		json_string(&w->json, w->out, string, strlen(string));
	else
		json_word(&w->json, w->out, "null");
}

/* Put KEY and STRING, or nothing if STRING is NULL or empty. */
static void put_known(struct crash_writer *w, const char *key, const char *string)
{
	if (string && *string)
		put_string(w, key, string);
}

static void open_list(struct crash_writer *w, const char *key)
{
	json_key(&w->json, w->out, key);
	json_open(&w->json, w->out, '[');
}

static void put_call(struct crash_writer *w, const struct stack *stack, const struct stack_call *call)
{
	json_open(&w->json, w->out, '{');
	if (call->line)
		put_number(w, "line", call->line);
	else
		put_string(w, "line", NULL);
	put_string(w, "file", stack_string(stack, call->file));
	put_string(w, "function", stack_string(stack, call->function));
	put_known(w, "url", stack_string(stack, call->url));
	json_close(&w->json, w->out, '}');
}

static void put_frame(struct crash_writer *w, const struct stack *stack, const struct stack_frame *frame)
{
	const char *module = stack_string(stack, frame->module), *remark = stack_string(stack, frame->remark);
	json_open(&w->json, w->out, '{');
	put_number(w, "line", frame->line);
	put_string(w, "module", module);
	if (*module)
		put_hex(w, "rva", frame->number);
	else if (frame->number)
		put_hex(w, "address", frame->number);
	json_key(&w->json, w->out, "return_address");
	json_word(&w->json, w->out,
		  frame->is_return == IS_OPEN	  ? "null"
		  : frame->is_return == IS_RETURN ? "true"
						  : "false");
	put_known(w, "remark", *remark ? remark + sizeof " - " - 1 : NULL);
	open_list(w, "frames");
	for (size_t i = 0; i < frame->call_count; i++)
		put_call(w, stack, &stack->calls[frame->calls + i]);
	json_close(&w->json, w->out, ']');
	json_close(&w->json, w->out, '}');
}

static void put_places(struct crash_writer *w, const struct crashes *crashes, const struct crash *crash)
{
	open_list(w, "places");
	for (size_t i = 0; i < CRASH_PLACES && i < crash->count; i++) {
		const struct crash_place *place = &crash->places[i];
		json_open(&w->json, w->out, '{');
		put_known(w, "log", crashes_log_name(crashes, place));
		put_number(w, "line", place->line);
		if (place->of_boots) {
			put_number(w, "boot", place->boot);
			put_number(w, "boots", place->of_boots);
		}
		json_close(&w->json, w->out, '}');
	}
	json_close(&w->json, w->out, ']');
}

static void put_parameters(struct crash_writer *w, const struct crash *crash)
{
	open_list(w, "parameters");
	for (unsigned i = 0; i < crash->parameter_count; i++) {
		json_open(&w->json, w->out, '{');
		put_hex(w, "value", crash->parameters[i]);
		put_string(w, "meaning", block_meaning(crash, i));
		json_close(&w->json, w->out, '}');
	}
	json_close(&w->json, w->out, ']');
}

static void put_symbols(struct crash_writer *w, const struct crash *crash)
{
	open_list(w, "symbols");
	for (size_t i = 0; i < crash->symbols.count; i++) {
		json_open(&w->json, w->out, '{');
		put_string(w, "module", stack_string(&crash->stack, crash->symbols.list[i].module));
		put_string(w, crash->symbols.list[i].found ? "files" : "why",
			   stack_string(&crash->stack, crash->symbols.list[i].text));
		json_close(&w->json, w->out, '}');
	}
	json_close(&w->json, w->out, ']');
}

static void put_crash(struct crash_writer *w, const struct crashes *crashes, size_t number)
{
	static const char *const kinds[] = { [CRASH_BUGCHECK] = "bugcheck",
					     [CRASH_EXCEPTION] = "exception",
					     [CRASH_ASSERTION] = "assertion",
					     [CRASH_STACK] = "stack" };
	const struct crash *crash = &crashes->items[number];
	const struct stack *stack = &crash->stack;
	json_open(&w->json, w->out, '{');
	put_number(w, "crash", number + 1);
	put_number(w, "count", crash->count);
	put_places(w, crashes, crash);
	put_string(w, "kind", kinds[crash->kind]);
	if (crash->has_code)
		put_hex(w, "code", crash->code);
	put_known(w, "name", block_code_name(crash));
	put_known(w, "text", stack_string(stack, crash->text));
	put_known(w, "source", stack_string(stack, crash->source));
	put_known(w, "detail", stack_string(stack, crash->detail));
	put_known(w, "build", stack_string(stack, crash->build));
	put_known(w, "module", block_module(crash));
	put_known(w, "process", stack_string(stack, crash->process));
	if (crash->symbols.count > 0)
		put_symbols(w, crash);
	if (crash->kind == CRASH_BUGCHECK)
		put_parameters(w, crash);
	if (crash->place.frame_count > 0) {
		json_key(&w->json, w->out, "place");
		put_frame(w, &crash->place, &crash->place.frames[0]);
	}
	open_list(w, "stack");
	for (size_t i = 0; i < stack->frame_count; i++)
		put_frame(w, stack, &stack->frames[i]);
	json_close(&w->json, w->out, ']');
	json_close(&w->json, w->out, '}');
	json_end(&w->json, w->out);
}

void crashes_print_json(struct out *out, const struct crashes *crashes)
{
	for (size_t i = 0; i < crashes->count; i++) {
		struct crash_writer w = { .out = out };
		put_crash(&w, crashes, i);
	}
}

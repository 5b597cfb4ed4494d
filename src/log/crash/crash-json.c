// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/crash/crash-json.h"
#include "log/crash/crash-block.h"
#include "tool/json.h"

/* Put STRING, or null if STRING is NULL or empty. */
static void put_string(struct json *json, const char *key, const char *string)
{
	json_text(json, key, string && *string ? string : NULL);
}

/* Put KEY and STRING, or nothing if STRING is NULL or empty. */
static void put_known(struct json *json, const char *key, const char *string)
{
	if (string && *string)
		put_string(json, key, string);
}

static void put_call(struct json *json, const struct stack *stack, const struct stack_call *call)
{
	json_open(json, NULL, '{');
	if (call->line)
		json_number(json, "line", call->line);
	else
		put_string(json, "line", NULL);
	put_string(json, "file", stack_string(stack, call->file));
	put_string(json, "function", stack_string(stack, call->function));
	put_known(json, "url", stack_string(stack, call->url));
	json_close(json, '}');
}

static void put_frame(struct json *json, const char *key, const struct stack *stack, const struct stack_frame *frame)
{
	const char *module = stack_string(stack, frame->module), *remark = stack_string(stack, frame->remark);
	json_open(json, key, '{');
	json_number(json, "line", frame->line);
	put_string(json, "module", module);
	if (*module)
		json_hex(json, "rva", frame->number);
	else if (frame->number)
		json_hex(json, "address", frame->number);
	json_word(json, "return_address",
		  frame->is_return == IS_OPEN	  ? "null"
		  : frame->is_return == IS_RETURN ? "true"
						  : "false");
	put_known(json, "remark", *remark ? remark + sizeof " - " - 1 : NULL);
	json_open(json, "frames", '[');
	for (size_t i = 0; i < frame->call_count; i++)
		put_call(json, stack, &stack->calls[frame->calls + i]);
	json_close(json, ']');
	json_close(json, '}');
}

static void put_places(struct json *json, const struct crashes *crashes, const struct crash *crash)
{
	json_open(json, "places", '[');
	for (size_t i = 0; i < CRASH_PLACES && i < crash->count; i++) {
		const struct crash_place *place = &crash->places[i];
		json_open(json, NULL, '{');
		put_known(json, "log", crashes_log_name(crashes, place));
		json_number(json, "line", place->line);
		if (place->of_boots) {
			json_number(json, "boot", place->boot);
			json_number(json, "boots", place->of_boots);
		}
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_parameters(struct json *json, const struct crash *crash)
{
	json_open(json, "parameters", '[');
	for (unsigned i = 0; i < crash->parameter_count; i++) {
		json_open(json, NULL, '{');
		json_hex(json, "value", crash->parameters[i]);
		put_string(json, "meaning", block_meaning(crash, i));
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_symbols(struct json *json, const struct crash *crash)
{
	json_open(json, "symbols", '[');
	for (size_t i = 0; i < crash->symbols.count; i++) {
		json_open(json, NULL, '{');
		put_string(json, "module", stack_string(&crash->stack, crash->symbols.list[i].module));
		put_string(json, crash->symbols.list[i].found ? "files" : "why",
			   stack_string(&crash->stack, crash->symbols.list[i].text));
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_crash(struct json *json, const struct crashes *crashes, size_t number)
{
	static const char *const kinds[] = { [CRASH_BUGCHECK] = "bugcheck",
					     [CRASH_EXCEPTION] = "exception",
					     [CRASH_ASSERTION] = "assertion",
					     [CRASH_STACK] = "stack" };
	const struct crash *crash = &crashes->items[number];
	const struct stack *stack = &crash->stack;
	json_open(json, NULL, '{');
	json_number(json, "crash", number + 1);
	json_number(json, "count", crash->count);
	put_places(json, crashes, crash);
	put_string(json, "kind", kinds[crash->kind]);
	if (crash->has_code)
		json_hex(json, "code", crash->code);
	put_known(json, "name", block_code_name(crash));
	put_known(json, "text", stack_string(stack, crash->text));
	put_known(json, "source", stack_string(stack, crash->source));
	put_known(json, "detail", stack_string(stack, crash->detail));
	put_known(json, "build", stack_string(stack, crash->build));
	put_known(json, "module", block_module(crash));
	put_known(json, "process", stack_string(stack, crash->process));
	if (crash->symbols.count > 0)
		put_symbols(json, crash);
	if (crash->kind == CRASH_BUGCHECK)
		put_parameters(json, crash);
	if (crash->place.frame_count > 0) {
		put_frame(json, "place", &crash->place, &crash->place.frames[0]);
	}
	json_open(json, "stack", '[');
	for (size_t i = 0; i < stack->frame_count; i++)
		put_frame(json, NULL, stack, &stack->frames[i]);
	json_close(json, ']');
	json_close(json, '}');
	json_end(json);
}

void crashes_print_json(struct out *out, const struct crashes *crashes)
{
	for (size_t i = 0; i < crashes->count; i++) {
		struct json json = { .out = out };
		put_crash(&json, crashes, i);
	}
}

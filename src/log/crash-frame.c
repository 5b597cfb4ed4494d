// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/crash-frame.h"
#include "log/read/chars.h"

#include <string.h>

static void visit_frame(void *stack, const struct note_frame *frame)
{
	stack_add_call(stack, frame);
}

/* ------------------------------------------------------------------------------------------------ notes */

/* Returns where the first ":12 (" is in the LENGTH bytes at TEXT, and stores its line; LENGTH: it has none. */
static size_t find_line(const char *text, size_t length, uint32_t *line)
{
	for (size_t i = 0; i < length; i++) {
		size_t at = i + 1;
		uint64_t number = 0;
		while (text[i] == ':' && at < length && is_digit(text[at]) && number < UINT32_MAX / 10)
			number = number * 10 + (uint64_t)(text[at++] - '0');
		if (at > i + 1 && length - at >= 2 && memcmp(text + at, " (", 2) == 0) {
			*line = (uint32_t)number;
			return i;
		}
	}
	return length;
}

/* Add the call that the LENGTH bytes at TEXT of a note say: "file:line (function)" or "function". */
static void add_noted(struct stack *stack, const char *text, size_t length)
{
	uint32_t line = 0;
	struct text file = { .bytes = NULL }, function = { .bytes = NULL };
	const size_t colon = find_line(text, length, &line);
	if (colon < length) {
		const char *begin = memchr(text + colon, '(', length - colon);
		text_add_bytes(&file, text, colon);
		text_add_bytes(&function, begin + 1, length - (size_t)(begin + 1 - text));
		if (function.length > 0 && function.bytes[function.length - 1] == ')')
			function.bytes[function.length - 1] = '\0';
	} else {
		text_add_bytes(&function, text, length);
	}
	stack_add_call(stack, &(struct note_frame){ .file = file.bytes, .function = function.bytes, .line = line });
	stack->no_memory |= file.no_memory || function.no_memory;
	text_clear(&file);
	text_clear(&function);
}

/* Returns the remark that the LENGTH bytes at TEXT end with; "": none. */
static const char *remark_of(const char *text, size_t length)
{
	for (enum note_other other = NOTE_OTHER_STAMP; other <= NOTE_UNDECIDED_BUILD; other++) {
		const char *remark = note_remark(other);
		const size_t size = strlen(remark);
		if (length >= size && memcmp(text + length - size, remark, size) == 0)
			return remark;
	}
	return "";
}

/* Add the calls of a note that stays in the log.  Returns its remark. */
static const char *add_note(struct stack *stack, const char *text, size_t length)
{
	static const char word[] = NOTE_INLINED_BY, no_return[] = " - call that does not return";
	while (length > 0 && is_blank(*text)) {
		text++;
		length--;
	}
	if (length < 2)
		return "";
	text++;
	length -= 2;
	if (length >= sizeof no_return &&
	    memcmp(text + length - (sizeof no_return - 1), no_return, sizeof no_return - 1) == 0)
		length -= sizeof no_return - 1;
	const char *remark = remark_of(text, length);
	length -= strlen(remark);
	for (size_t begin = 0, at = 0; at <= length; at++) {
		const bool ends = at == length;
		if (!ends && (length - at < sizeof word - 1 || memcmp(text + at, word, sizeof word - 1) != 0))
			continue;
		add_noted(stack, text + begin, at - begin);
		begin = at + sizeof word - 1;
		at = ends ? at : begin - 1;
	}
	return remark;
}

/* ------------------------------------------------------------------------------------------------ frames */

/* Fill in the module and the number of FRAME. */
static void locate(struct stack *stack, struct stack_frame *frame, const struct crash_address *address)
{
	const struct token *token = &address->found->token;
	const struct rossym_module *module = address->answer ? address->answer->found.module : NULL;
	frame->number = module ? address->answer->rva : token->number;
	if (module)
		frame->module = stack_add_string(stack, module->name, strlen(module->name));
	else if (!token->absolute)
		frame->module = stack_add_string(stack, token->module, token->module_length);
}

bool crash_frame_add(struct crashes *crashes, struct settings *settings, const struct crash_address *address)
{
	bool good = true;
	const struct found_token *found = address->found;
	const struct answer *answer = address->answer;
	struct stack *stack = crashes_address(crashes, found->begin, found->end);
	if (!stack)
		return true;
	struct stack_frame *frame = &stack->frames[stack->frame_count - 1];
	const char *remark = "", *note = address->line->plain.text + found->note;
	locate(stack, frame, address);
	frame->is_return = answer ? answer->is_return : found->token.is_return;
	frame->line = address->line->number;
	frame->letter = address->letter;
	frame->id = address->id;
	if (answer && answer->found.why == ROSSYM_WHY_ANSWERED) {
		good = annotate_frames(settings, answer, visit_frame, stack);
		remark = note_remark(annotate_other(answer));
	} else if (note_is_answer(note, found->note_length) && !(answer && answer->refused)) {
		remark = add_note(stack, note, found->note_length);
	}
	frame->remark = stack_add_string(stack, remark, strlen(remark));
	return good;
}

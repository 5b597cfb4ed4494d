// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/crash-frame.h"
#include "log/read/chars.h"

#include <stdio.h>
#include <string.h>

static void add_frame_to_stack(void *stack, const struct note_frame *frame)
{
	stack_add_call(stack, frame);
}

/* ------------------------------------------------------------------------------------------------ notes */

/* Add to STACK the call that one part of a note names: the LENGTH bytes at TEXT, "file:line (function)" or
   "function". */
static void add_call(struct stack *stack, const char *text, size_t length)
{
	uint32_t line;
	struct strbuf file = { .bytes = NULL }, function = { .bytes = NULL };
	const size_t colon = note_find_line(text, length, &line);
	if (colon < length) {
		const char *begin = memchr(text + colon, '(', length - colon);
		strbuf_add_bytes(&file, text, colon);
		strbuf_add_bytes(&function, begin + 1, length - (size_t)(begin + 1 - text));
		if (function.length > 0 && function.bytes[function.length - 1] == ')')
			function.bytes[function.length - 1] = '\0';
	} else {
		strbuf_add_bytes(&function, text, length);
	}
	stack_add_call(stack, &(struct note_frame){ .file = file.bytes, .function = function.bytes, .line = line });
	stack->no_memory |= file.no_memory || function.no_memory;
	strbuf_clear(&file);
	strbuf_clear(&function);
}

/* If the LENGTH bytes at TEXT end with SUFFIX, returns LENGTH minus the length of SUFFIX; else returns LENGTH. */
static size_t length_without_suffix(const char *text, size_t length, const char *suffix)
{
	const size_t size = strlen(suffix);
	return length >= size && memcmp(text + length - size, suffix, size) == 0 ? length - size : length;
}

/* Returns where the remarks at the end of the LENGTH bytes at TEXT begin; LENGTH if there are none. */
static size_t remarks_begin(const char *text, size_t length)
{
	const size_t end = length_without_suffix(text, length, NOTE_NO_CALL);
	for (enum note_other other = NOTE_OTHER_STAMP; other <= NOTE_UNDECIDED_BUILD; other++) {
		const size_t begin = length_without_suffix(text, end, note_remark(other));
		if (begin < end)
			return begin;
	}
	return end;
}

/* Add to STACK the calls that a note of the log names: the LENGTH bytes at TEXT.  Returns the position of the note's
   remarks in the strings of STACK. */
static size_t add_note(struct stack *stack, const char *text, size_t length)
{
	static const char word[] = NOTE_INLINED_BY;
	while (length > 0 && is_blank(*text)) {
		text++;
		length--;
	}
	if (length < 2)
		return 0;
	text++;
	const size_t end = length_without_suffix(text, length - 2, NOTE_NO_RETURN);
	length = remarks_begin(text, end);
	for (size_t begin = 0, at = 0; at <= length; at++) {
		const bool ends = at == length;
		if (!ends && (length - at < sizeof word - 1 || memcmp(text + at, word, sizeof word - 1) != 0))
			continue;
		add_call(stack, text + begin, at - begin);
		begin = at + sizeof word - 1;
		at = ends ? at : begin - 1;
	}
	return stack_add_string(stack, text + length, end - length);
}

/* Add the remarks of ANSWER as one string to STACK.  Returns the position of that string. */
static size_t add_remarks(struct stack *stack, const struct answer *answer)
{
	char remarks[NOTE_REMARKS];
	snprintf(remarks, sizeof remarks, "%s%s", note_remark(annotate_other(answer)),
		 answer->no_call ? NOTE_NO_CALL : "");
	return stack_add_string(stack, remarks, strlen(remarks));
}

/* ------------------------------------------------------------------------------------------------ frames */

/* Set FRAME's module and RVA.  If the module is not known, set what the log has: an absolute address, or the name of a
   module and an offset. */
static void set_location(struct stack *stack, struct stack_frame *frame, const struct crash_address *address)
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
	struct stack *stack = &crashes->addresses;
	struct stack_frame *frame = stack_add_frame(stack);
	if (!frame)
		return true;
	frame->begin = found->begin;
	frame->end = found->end;
	const struct plain_note *note = &found->note;
	set_location(stack, frame, address);
	frame->is_return = answer ? answer->is_return : found->token.is_return;
	frame->line = address->line->number;
	frame->letter = address->letter;
	frame->id = address->id;
	if (answer && answer->found.why == ROSSYM_WHY_ANSWERED) {
		good = annotate_frames(settings, answer, add_frame_to_stack, stack);
		frame->remark = add_remarks(stack, answer);
	} else if (note_is_answer(note->text, note->length) && !(answer && answer->refused)) {
		frame->remark = add_note(stack, note->text, note->length);
	}
	return good;
}

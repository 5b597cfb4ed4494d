// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/crash-frame.h"

#include <stdio.h>
#include <string.h>

static void add_frame_to_stack(void *stack, const struct note_frame *frame)
{
	stack_add_call(stack, frame);
}

/* Add to STACK the calls that NOTE, which the log has, names.  Returns its remarks. */
static struct note_remarks add_note(struct stack *stack, const struct plain_note *note)
{
	char file[STACK_STRING + 1], function[STACK_STRING + 1];
	struct note_part part;
	struct note_remarks remarks;
	for (size_t at = 0; note_next_frame(note->text, note->length, &at, &part);) {
		const char *text = note->text;
		snprintf(file, sizeof file, "%.*s", (int)(part.file_end - part.begin), text + part.begin);
		snprintf(function, sizeof function, "%.*s", (int)(part.function_end - part.function),
			 text + part.function);
		stack_add_call(stack, &(struct note_frame){ .file = file, .function = function, .line = part.line });
	}
	(void)note_read_remarks(note->text, note->length, &remarks);
	return remarks;
}

/* Add REMARKS as one string to STACK.  Returns the position of that string. */
static size_t add_remarks(struct stack *stack, struct note_remarks remarks)
{
	char text[NOTE_REMARKS];
	snprintf(text, sizeof text, "%s%s", note_remark(remarks.other), remarks.no_call ? NOTE_NO_CALL : "");
	return stack_add_string(stack, text, strlen(text));
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
		frame->remark = add_remarks(
			stack, (struct note_remarks){ .other = annotate_other(answer), .no_call = answer->no_call });
	} else if (note_is_answer(note->text, note->length) && !(answer && answer->refused)) {
		frame->remark = add_remarks(stack, add_note(stack, note));
	}
	return good;
}

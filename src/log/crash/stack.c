// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/crash/stack.h"
#include "tool/array.h"
#include "tool/mask.h"

#include <stdlib.h>
#include <string.h>

void stack_clear(struct stack *stack)
{
	free(stack->frames);
	free(stack->calls);
	strbuf_clear(&stack->strings);
	*stack = (struct stack){ .frames = NULL };
}

void stack_remove_frames(struct stack *stack)
{
	stack->frame_count = stack->call_count = 0;
	stack->strings.length = 0;
}

size_t stack_add_string(struct stack *stack, const char *bytes, size_t length)
{
	if (length == 0)
		return 0;
	if (stack->strings.length == 0)
		strbuf_add_char(&stack->strings, '\0');
	const size_t position = stack->strings.length;
	strbuf_add_masked(&stack->strings, bytes, length < STACK_STRING ? length : STACK_STRING);
	strbuf_add_char(&stack->strings, '\0');
	stack->no_memory |= stack->strings.no_memory;
	return stack->no_memory ? 0 : position;
}

struct stack_frame *stack_add_frame(struct stack *stack)
{
	if (stack->frame_count == STACK_FRAMES)
		return NULL;
	if (!ARRAY_GROW(stack->frames, stack->frame_room, stack->frame_count)) {
		stack->no_memory = true;
		return NULL;
	}
	struct stack_frame *frame = &stack->frames[stack->frame_count++];
	*frame = (struct stack_frame){ .calls = stack->call_count };
	return frame;
}

/* Add STRING, or its first STACK_STRING bytes, and return its position.  Returns 0 if STRING is NULL. */
static size_t add_string_or_null(struct stack *stack, const char *string)
{
	return string ? stack_add_string(stack, string, strnlen(string, STACK_STRING)) : 0;
}

void stack_add_call(struct stack *stack, const struct note_frame *call)
{
	if (stack->frame_count == 0)
		return;
	struct stack_frame *frame = &stack->frames[stack->frame_count - 1];
	const bool full = frame->call_count == STACK_CALLS;
	const size_t count = stack->call_count - full;
	if (!ARRAY_GROW(stack->calls, stack->call_room, count)) {
		stack->no_memory = true;
		return;
	}
	stack->calls[count] = (struct stack_call){ add_string_or_null(stack, call->function),
						   add_string_or_null(stack, call->file),
						   add_string_or_null(stack, call->url), call->line };
	stack->call_count = count + 1;
	frame->call_count += !full;
}

void stack_copy_frame(struct stack *to, const struct stack *from, size_t number)
{
	const struct stack_frame *frame = &from->frames[number];
	struct stack_frame *copy = stack_add_frame(to);
	if (!copy)
		return;
	const size_t calls = copy->calls, module = add_string_or_null(to, stack_string(from, frame->module)),
		     remark = add_string_or_null(to, stack_string(from, frame->remark));
	*copy = *frame;
	copy->module = module;
	copy->remark = remark;
	copy->calls = calls;
	copy->call_count = 0;
	for (size_t i = 0; i < frame->call_count; i++) {
		const struct stack_call *call = &from->calls[frame->calls + i];
		stack_add_call(to,
			       &(struct note_frame){ stack_string(from, call->file), stack_string(from, call->function),
						     call->line, stack_string(from, call->url) });
	}
}

static bool have_same_calls(const struct stack *a, const struct stack_frame *in_a, const struct stack *b,
			    const struct stack_frame *in_b)
{
	if (in_a->call_count != in_b->call_count)
		return false;
	for (size_t i = 0; i < in_a->call_count; i++) {
		const struct stack_call *x = &a->calls[in_a->calls + i], *y = &b->calls[in_b->calls + i];
		if (x->line != y->line || strcmp(stack_string(a, x->function), stack_string(b, y->function)) != 0 ||
		    strcmp(stack_string(a, x->file), stack_string(b, y->file)) != 0)
			return false;
	}
	return true;
}

bool stack_is_equal(const struct stack *a, const struct stack *b)
{
	if (a->frame_count != b->frame_count)
		return false;
	for (size_t i = 0; i < a->frame_count; i++) {
		const struct stack_frame *x = &a->frames[i], *y = &b->frames[i];
		if (x->number != y->number || x->is_return != y->is_return ||
		    strcmp(stack_string(a, x->module), stack_string(b, y->module)) != 0 || !have_same_calls(a, x, b, y))
			return false;
	}
	return true;
}

size_t stack_allocated_size(const struct stack *stack)
{
	return stack->frame_room * sizeof *stack->frames + stack->call_room * sizeof *stack->calls +
	       stack->strings.size;
}

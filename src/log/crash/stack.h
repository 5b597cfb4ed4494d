/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack.h - the frames of a stack, as they are shown
 *
 * A frame is a place in a module, or an address whose module is not known; and, if there is an answer for it, the calls
 * that it stands for: the innermost one first, then those around inlined calls.  All strings are masked copies.
 */
#ifndef LOG_CRASH_STACK_H
#define LOG_CRASH_STACK_H

#include "log/read/context.h"
#include "log/read/note.h"
#include "tool/strbuf.h"

enum {
	STACK_FRAMES = 128, /* the most frames of a stack */
	STACK_CALLS = 32,   /* the most calls of a frame */
	STACK_STRING = 512, /* the most bytes of a string */
};

struct stack_call {
	size_t function, file, url; /* positions in `strings`; 0: not known */
	uint32_t line;		    /* 0: not known */
};

struct stack_frame {
	enum is_return is_return;
	size_t module;	 /* its name, a position in `strings`; 0: not known */
	uint64_t number; /* an RVA in the module, or an address */
	size_t remark;	 /* a string: whether the answer may be wrong; 0: it is not known to be so */
	size_t calls;	 /* the number of its first call */
	size_t call_count;
	uint64_t line; /* of the log, from 1 */
	/* On a page: the letter of its kind and its number among these (html.h); 0: not on a page. */
	char letter;
	unsigned long long id;
};

/* All zeros is an empty stack; then stack_clear() at the end. */
struct stack {
	struct stack_frame *frames;
	struct stack_call *calls;
	size_t frame_count, frame_room, call_count, call_room;
	struct strbuf strings; /* each ends with a NUL; position 0 is the empty string */
	bool no_memory;
};

void stack_clear(struct stack *stack);

/* Remove all frames, and keep the memory. */
void stack_empty(struct stack *stack);

/* Copy LENGTH bytes at BYTES, or STACK_STRING if there are more.  Returns the position of the copy; 0 if LENGTH is 0,
   or there is no memory. */
size_t stack_add_string(struct stack *stack, const char *bytes, size_t length);

/* The string at POSITION; valid until the next one is added. */
static inline const char *stack_string(const struct stack *stack, size_t position)
{
	return position ? stack->strings.bytes + position : "";
}

/* Add a frame without calls.  Returns NULL if there are too many, or there is no memory; else what the caller fills in,
   valid until the next frame is added. */
struct stack_frame *stack_add_frame(struct stack *stack);

/* Add a call to the last frame.  If there are too many, it takes the place of the last one. */
void stack_add_call(struct stack *stack, const struct note_frame *call);

/* Add to TO a copy of FROM's frame NUMBER. */
void stack_copy_frame(struct stack *to, const struct stack *from, size_t number);

/* Whether both have the same frames. */
bool stack_is_equal(const struct stack *a, const struct stack *b);

/* How many bytes of memory STACK takes. */
size_t stack_size(const struct stack *stack);

#endif

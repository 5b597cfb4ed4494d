/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stack.h - the frames of a stack, with what is printed of them
 *
 * A frame is an RVA in a module, or an address whose module is not known.  If there are symbols for the frame, it has
 * calls: one for the innermost inlined call, then one for each caller up to the function that is not inlined; or one,
 * if nothing is inlined.  All strings are copies, in which control characters are masked.
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
	size_t function, file, url; /* positions in the `strings` of the stack; 0: not known */
	uint32_t line;		    /* 0: not known */
};

struct stack_frame {
	enum is_return is_return;
	size_t module;	 /* position of its name in `strings`; 0: not known */
	uint64_t number; /* the RVA in the module; without a module the address */
	size_t remark; /* position in `strings` of " - " and why the answer may be wrong (note.h); 0: no reason known */
	size_t calls;  /* index of its first call in the stack's `calls` */
	size_t call_count;
	uint64_t line;	   /* the number of the frame's line in the log, from 1 */
	size_t begin, end; /* where the address is in the plain text of that line */
	/* the id of the address on an HTML page (html.h): the letter of its kind, and its number; 0 without a page */
	char letter;
	unsigned long long id;
};

/* All zeros is an empty stack.  stack_clear() frees its memory. */
struct stack {
	struct stack_frame *frames;
	struct stack_call *calls; /* the calls of all frames, in order */
	size_t frame_count, frame_room, call_count, call_room;
	struct strbuf strings; /* all strings, each with its NUL; the one at position 0 is "" and means "not known" */
	bool no_memory;
};

void stack_clear(struct stack *stack);

/* Remove all frames, but do not free the memory. */
void stack_remove_frames(struct stack *stack);

/* Add a copy of the LENGTH bytes at BYTES, at most STACK_STRING of them, to the strings.  Returns its position; 0 if
   LENGTH is 0, or there is no memory. */
size_t stack_add_string(struct stack *stack, const char *bytes, size_t length);

/* Returns the string at POSITION, or "" if that is 0.  It is valid until another string is added. */
static inline const char *stack_string(const struct stack *stack, size_t position)
{
	return position ? stack->strings.bytes + position : "";
}

/* Add a frame without calls.  Returns the frame, which the caller fills in, valid until the next one is added; NULL:
   there are too many, or there is no memory. */
struct stack_frame *stack_add_frame(struct stack *stack);

/* Add a call to the last frame.  If the frame has STACK_CALLS already, CALL replaces the last of them: the outermost
   caller is worth more than those in the middle. */
void stack_add_call(struct stack *stack, const struct note_frame *call);

/* Append to TO a copy of frame NUMBER of FROM. */
void stack_copy_frame(struct stack *to, const struct stack *from, size_t number);

/* Whether A and B have the same frames with the same calls.  Lines in the log, remarks and URLs may differ. */
bool stack_is_equal(const struct stack *a, const struct stack *b);

/* Returns how many bytes of memory STACK has allocated. */
size_t stack_allocated_size(const struct stack *stack);

#endif

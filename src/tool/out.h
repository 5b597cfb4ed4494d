/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * out.h - standard output, a large write at a time
 *
 * Output is written when the buffer is full or when out_flush() is called.  The program calls it when somebody may be
 * waiting.  The first write error is kept, and everything after it is dropped.
 *
 * Of a full buffer exactly OUT_SIZE bytes are written, and the rest waits for the next write.  So each page of an
 * output file is written once and whole; written as they come, five million answers take 1.14 times as long.
 *
 * A program that makes its output in pieces, out of order, collects each piece in a pile in memory instead.
 */
#ifndef TOOL_OUT_H
#define TOOL_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	OUT_SIZE = 65536,
	OUT_ROOM = 256, /* so many bytes may be written at out_room() */
};

/* Output that is kept on the heap: at most MOST bytes.  A pile that would grow larger calls WAIT, which returns when
   all earlier output has been written.  Then the pile is written, and what follows goes to standard output directly. */
struct out_pile {
	char *bytes;
	size_t used, size, most;
	bool (*wait)(void *waiter); /* false: nothing more is to be written */
	void *waiter;
};

struct out {
	int error;	       /* the errno of the first failed write, or 0 */
	struct out_pile *pile; /* collects the output instead of standard output; or NULL */
	int copy;	       /* a file descriptor that gets the same output, or 0 */
	int copy_error;	       /* as error, of the copy */
	size_t used;
	char buffer[OUT_SIZE + OUT_ROOM];
};

void out_bytes(struct out *out, const void *bytes, size_t length);

/* Write bytes that a program passes on: a long run is not copied but written at once, if nothing is before it in
   the buffer. */
void out_run(struct out *out, const void *bytes, size_t length);

void out_text(struct out *out, const char *text);
void out_char(struct out *out, char c);
void out_decimal(struct out *out, uint64_t number);
void out_hex(struct out *out, uint64_t number, int digits); /* lower case, the lowest DIGITS digits */
void out_flush(struct out *out);

/* Write what PILE has, after everything that was put into OUT before. */
void out_add_pile(struct out *out, const struct out_pile *pile);

/* Write OUT_SIZE bytes; the buffer must have them. */
void out_full(struct out *out);

/* Where the caller may write up to OUT_ROOM bytes; it then calls out_put() with their end. */
static inline char *out_room(struct out *out)
{
	if (out->used >= OUT_SIZE)
		out_full(out);
	return out->buffer + out->used;
}

/* The caller has written up to P, which is at out_room() or after it.  Write the buffer if it is full.  Returns where
   the caller may write the next OUT_ROOM bytes. */
static inline char *out_go_on(struct out *out, char *p)
{
	if (p < out->buffer + OUT_SIZE)
		return p;
	out->used = (size_t)(p - out->buffer);
	return out_room(out);
}

/* Write a string literal at P, which is at out_room() or after it; gives where the literal ends. */
#define OUT_LITERAL(p, text) ((char *)memcpy((p), (text), sizeof(text) - 1) + (sizeof(text) - 1))

static inline void out_put(struct out *out, const char *end)
{
	out->used = (size_t)(end - out->buffer);
}

#endif

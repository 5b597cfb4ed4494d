/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * out.h - standard output, written in large pieces
 *
 * Output is written when the buffer is full, or when out_flush() is called, because somebody may be waiting for it.
 * After the first write error, which is stored, all output is dropped.
 *
 * When the buffer is full, exactly OUT_SIZE bytes are written, and the rest stays.  So each page of an output file is
 * written once, as a whole; with writes of any size, five million answers take 1.14 times as long.
 *
 * Threads produce parts of the output out of order.  Each thread has a struct out of its own, which collects its part
 * in memory, in a pile (struct out_pile).
 */
#ifndef TOOL_OUT_H
#define TOOL_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
	OUT_SIZE = 65536,
	OUT_ROOM = 256, /* how many bytes the caller may write after out_room() */
};

/* Output that is collected in memory, up to MOST bytes.  If there would be more, or there is no memory, wait() is
   called, and returns when all earlier output has been written.  Then the pile is written, and later output goes to
   standard output directly. */
struct out_pile {
	char *bytes;
	size_t used, size, most;    /* how many bytes are collected, are allocated, and may be collected */
	bool (*wait)(void *waiter); /* returns false if the rest of the output is to be dropped */
	void *waiter;		    /* the argument of wait() */
};

struct out {
	int error;	       /* the errno of the first failed write, or 0 */
	struct out_pile *pile; /* collects the output instead of standard output; or NULL */
	int copy;	       /* a second file descriptor that gets the same output; 0: none */
	int copy_error;	       /* the errno of the first failed write to "copy", or 0 */
	size_t used;	       /* bytes in the buffer */
	char buffer[OUT_SIZE + OUT_ROOM];
};

/* Append LENGTH bytes to the output.  out_text(), out_char(), out_decimal() and out_hex() append other types. */
void out_bytes(struct out *out, const void *bytes, size_t length);

/* As out_bytes(), but if the buffer is empty and there is no pile, write many bytes directly, without copying them. */
void out_write_large(struct out *out, const void *bytes, size_t length);

void out_text(struct out *out, const char *text);
void out_char(struct out *out, char c);
void out_decimal(struct out *out, uint64_t number);
void out_hex(struct out *out, uint64_t number, int digits); /* the lowest DIGITS digits, in lower case */
void out_flush(struct out *out);

/* Write the bytes that PILE has collected, after flushing OUT. */
void out_add_pile(struct out *out, const struct out_pile *pile);

/* Write the first OUT_SIZE bytes of the buffer, which must contain that many. */
void out_write_full_block(struct out *out);

/* Returns the position in the buffer at which the caller may write up to OUT_ROOM bytes.  Afterwards the caller must
   call out_commit() with the end of these bytes. */
static inline char *out_room(struct out *out)
{
	if (out->used >= OUT_SIZE)
		out_write_full_block(out);
	return out->buffer + out->used;
}

/* For a loop that writes many pieces after one out_room(): P is the end of the last piece.  Writes the buffer to
   standard output if it is full.  Returns the position at which the caller may write the next OUT_ROOM bytes. */
static inline char *out_advance(struct out *out, char *p)
{
	if (p < out->buffer + OUT_SIZE)
		return p;
	out->used = (size_t)(p - out->buffer);
	return out_room(out);
}

/* Write a string literal at P, in the room of out_room().  Returns the end of the literal. */
#define OUT_LITERAL(p, text) ((char *)memcpy((p), (text), sizeof(text) - 1) + (sizeof(text) - 1))

/* Add to the output what the caller has written at out_room(), up to END. */
static inline void out_commit(struct out *out, const char *end)
{
	out->used = (size_t)(end - out->buffer);
}

#endif

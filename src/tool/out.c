// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/out.h"
#include "tool/array.h"
#include "tool/digits.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Write LENGTH bytes to FD; after an error, store its errno in *ERROR.  If *ERROR is not 0, writes nothing. */
static void write_unless_failed(int fd, const char *bytes, size_t length, int *error)
{
	if (!*error && !wait_write(fd, bytes, length))
		*error = errno;
}

/* Write to standard output, and to the copy if there is one. */
static void write_to_stdout_and_copy(struct out *out, const char *bytes, size_t length)
{
	write_unless_failed(STDOUT_FILENO, bytes, length, &out->error);
	if (out->copy)
		write_unless_failed(out->copy, bytes, length, &out->copy_error);
}

/* Wait until all earlier output has been written; then write or drop the pile, as wait() says, and stop using it. */
static void end_pile(struct out *out)
{
	struct out_pile *pile = out->pile;
	out->pile = NULL;
	if (pile->wait(pile->waiter))
		write_to_stdout_and_copy(out, pile->bytes, pile->used);
	else
		out->error = ECANCELED;
	pile->used = 0;
}

/* Write the first LENGTH bytes of the buffer to standard output, or add them to the pile. */
static void write_from_buffer(struct out *out, size_t length)
{
	struct out_pile *pile = out->pile;
	if (pile &&
	    (length > pile->most - pile->used || !array_reserve(&pile->bytes, &pile->size, pile->used + length, 1)))
		end_pile(out);
	if (!out->pile) {
		write_to_stdout_and_copy(out, out->buffer, length);
		return;
	}
	memcpy(pile->bytes + pile->used, out->buffer, length);
	pile->used += length;
}

void out_flush(struct out *out)
{
	if (out->used == 0)
		return;
	write_from_buffer(out, out->used);
	out->used = 0;
}

void out_write_full_block(struct out *out)
{
	write_from_buffer(out, OUT_SIZE);
	out->used -= OUT_SIZE;
	memmove(out->buffer, out->buffer + OUT_SIZE, out->used);
}

void out_add_pile(struct out *out, const struct out_pile *pile)
{
	out_flush(out);
	write_to_stdout_and_copy(out, pile->bytes, pile->used);
}

void out_bytes(struct out *out, const void *bytes, size_t length)
{
	const char *from = bytes;
	while (length > sizeof out->buffer - out->used) {
		size_t fits = sizeof out->buffer - out->used;
		memcpy(out->buffer + out->used, from, fits);
		out->used += fits;
		from += fits;
		length -= fits;
		out_write_full_block(out);
	}
	memcpy(out->buffer + out->used, from, length);
	out->used += length;
}

void out_write_large(struct out *out, const void *bytes, size_t length)
{
	if (out->used == 0 && length >= OUT_SIZE / 2 && !out->pile)
		write_to_stdout_and_copy(out, bytes, length);
	else
		out_bytes(out, bytes, length);
}

void out_text(struct out *out, const char *text)
{
	out_bytes(out, text, strlen(text));
}

void out_char(struct out *out, char c)
{
	*out_room(out) = c;
	out->used++;
}

void out_decimal(struct out *out, uint64_t number)
{
	char digits[20], *end = digits + sizeof digits, *p = end;
	do
		*--p = (char)('0' + number % 10);
	while (number /= 10);
	out_bytes(out, p, (size_t)(end - p));
}

void out_hex(struct out *out, uint64_t number, int digits)
{
	out_commit(out, hex_put(out_room(out), number, digits));
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/out.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/compat.h"

static void write_to(int fd, const char *bytes, size_t length, int *error)
{
	size_t done = 0;
	while (done < length && !*error) {
		ssize_t n = write(fd, bytes + done, length - done);
		if (n >= 0)
			done += (size_t)n;
		else if (!wait_again(fd, WAIT_WRITE))
			*error = errno;
	}
}

static void add_to_pile(struct out *out)
{
	struct out_pile *pile = out->pile;
	if (out->used > pile->size - pile->used && !out->error) {
		size_t size = (pile->used + out->used) * 2;
		char *bytes = realloc(pile->bytes, size);
		if (bytes) {
			pile->bytes = bytes;
			pile->size = size;
		} else {
			out->error = ENOMEM;
		}
	}
	if (out->error)
		return;
	memcpy(pile->bytes + pile->used, out->buffer, out->used);
	pile->used += out->used;
}

static void write_all(struct out *out, const char *bytes, size_t length)
{
	write_to(STDOUT_FILENO, bytes, length, &out->error);
	if (out->copy)
		write_to(out->copy, bytes, length, &out->copy_error);
}

void out_flush(struct out *out)
{
	if (out->used == 0)
		return;
	if (out->pile)
		add_to_pile(out);
	else
		write_all(out, out->buffer, out->used);
	out->used = 0;
}

void out_add_pile(struct out *out, const struct out_pile *pile)
{
	out_flush(out);
	write_all(out, pile->bytes, pile->used);
}

void out_bytes(struct out *out, const void *bytes, size_t length)
{
	const char *from = bytes;
	while (length > OUT_SIZE - out->used) {
		size_t fits = OUT_SIZE - out->used;
		memcpy(out->buffer + out->used, from, fits);
		out->used += fits;
		from += fits;
		length -= fits;
		out_flush(out);
	}
	memcpy(out->buffer + out->used, from, length);
	out->used += length;
}

void out_text(struct out *out, const char *text)
{
	out_bytes(out, text, strlen(text));
}

void out_char(struct out *out, char c)
{
	if (out->used == OUT_SIZE)
		out_flush(out);
	out->buffer[out->used++] = c;
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
	char text[16];
	for (int i = digits; i-- > 0; number >>= 4)
		text[i] = "0123456789abcdef"[number & 15];
	out_bytes(out, text, (size_t)digits);
}

int out_hex_digits(uint64_t number)
{
	int digits = 1;
	while (number >>= 4)
		digits++;
	return digits;
}

/* Eight digits side by side in one number, the first in the lowest byte: halves, then pairs, then single digits. */
static inline uint64_t eight_digits(uint32_t number)
{
	uint64_t halves = number / 10000 | (uint64_t)(number % 10000) << 32;
	uint64_t hundreds = (halves * 5243 >> 19) & UINT64_C(0x0000007f0000007f);
	uint64_t pairs = hundreds | (halves - hundreds * 100) << 16;
	uint64_t tens = (pairs * 103 >> 10) & UINT64_C(0x000f000f000f000f);
	return tens | (pairs - tens * 10) << 8;
}

/* The lowest byte of TEXT first; written so that compilers make one store of it. */
static inline void store8(char *p, uint64_t text)
{
	p[0] = (char)text;
	p[1] = (char)(text >> 8);
	p[2] = (char)(text >> 16);
	p[3] = (char)(text >> 24);
	p[4] = (char)(text >> 32);
	p[5] = (char)(text >> 40);
	p[6] = (char)(text >> 48);
	p[7] = (char)(text >> 56);
}

/* How many of eight digits, from the first on, are 0: seven at most. */
static inline unsigned leading_zeros(uint64_t digits)
{
	digits |= UINT64_C(1) << 56;
#ifdef __GNUC__
	return (unsigned)__builtin_ctzll(digits) / 8;
#else
	unsigned zeros = 0;
	while ((digits >> (8 * zeros) & 0xff) == 0)
		zeros++;
	return zeros;
#endif
}

char *out_format_decimal(char *p, uint32_t number)
{
	const uint32_t eight = 100000000;
	/* How many digits there are is not to be guessed from one number to the next: no branches but for very long ones. */
	if (number < eight) {
		uint64_t digits = eight_digits(number);
		unsigned zeros = leading_zeros(digits);
		store8(p, (digits | UINT64_C(0x3030303030303030)) >> (8 * zeros));
		return p + 8 - zeros;
	}
	uint32_t high = number / eight;		/* at most 42 */
	if (high >= 10)
		*p++ = (char)('0' + high / 10);
	*p++ = (char)('0' + high % 10);
	store8(p, eight_digits(number % eight) | UINT64_C(0x3030303030303030));
	return p + 8;
}

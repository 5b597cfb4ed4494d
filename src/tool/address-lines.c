// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * address-lines.c - the fast path of parsing: lines that are one hexadecimal number and nothing else
 *
 * With address_parse() for each line instead, all of rossym-addr2line takes 2.7 times as long for a million addresses.
 * tests/tool/unit-text.c checks that both give the same numbers.  If the compiler has no vector types,
 * address_parse_lines() reads no line, and its callers use address_parse().
 *
 * A number is read as sixteen characters at once; the bits of the characters after its digits are then shifted out.  A
 * mask records at which of the sixteen places all numbers of a batch have digits.  It is tested once, after the batch,
 * so until then the numbers may be wrong.
 */
#include "config.h"
#include "tool/address.h"
#include "tool/ascii.h"

#include <string.h>

#if defined HAVE_VECTORS && !defined WORDS_BIGENDIAN

enum { SIXTEEN = 16 };

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint16_t pairs8 __attribute__((vector_size(16)));
typedef uint8_t bytes8 __attribute__((vector_size(8)));

/* Returns the number whose sixteen hexadecimal digits are at TEXT.  In *PLACES, clears the byte of each place whose
   character is no digit. */
static inline uint64_t read_sixteen_digits(const char *text, bytes16 *places)
{
	bytes16 c;
	memcpy(&c, text, sizeof c);
	/* A comparison of vectors gives 0xff or 0 for each byte.  The elements are unsigned, so characters below '0' or
	   'a' wrap to large numbers and fail. */
	bytes16 is_number = (bytes16)(c - '0' < 10), is_letter = (bytes16)((c | 0x20) - 'a' < 6);
	*places &= is_number | is_letter;
	/* Compute the value of each digit, then of each pair of digits.  A pair makes a byte; these bytes are the
	   number, most significant first. */
	pairs8 pairs = (pairs8)((c & 0x0f) + (is_letter & 9));
	bytes8 bytes = __builtin_convertvector(pairs << 4 | pairs >> 8, bytes8);
	uint64_t number;
	memcpy(&number, &bytes, sizeof number);
	return __builtin_bswap64(number);
}

/* Whether the first DIGITS bytes of PLACES are still set: at these places, every number has a digit. */
static bool are_all_digits(const bytes16 *places, size_t digits)
{
	uint8_t bytes[SIXTEEN];
	uint8_t all = 0xff;
	memcpy(bytes, places, sizeof bytes);
	for (size_t i = 0; i < digits; i++)
		all &= bytes[i];
	return all == 0xff;
}

/*
 * The form of a line.  Most lines of an input have the same form, so each line is assumed to have the form of the line
 * before it; this is checked later.  The assumption tells where the next line begins before a line has been read, so
 * the processor can work on several lines at once.
 */
struct line_shape {
	size_t prefix; /* the length of what comes before the digits: 2 for "0x", or 0 */
	size_t digits; /* how many digits there are: 1 to 16 */
	size_t size;   /* the length of the line, with its end */
	char end;      /* the character after the digits: a newline, or a carriage return before it */
};

static inline size_t measure_prefix(const char *p)
{
	return p[0] == '0' && (p[1] | 0x20) == 'x' ? 2 : 0;
}

/* Store the shape of the line at P in *SHAPE.  Returns false if the line is not one number and nothing else. */
static bool read_line_shape(const char *p, struct line_shape *shape)
{
	shape->prefix = measure_prefix(p);
	const char *digits = p + shape->prefix, *end = digits;
	while (end < digits + SIXTEEN && is_hex(*end))
		end++;
	shape->digits = (size_t)(end - digits);
	shape->end = *end;
	end += *end == '\r';
	shape->size = (size_t)(end - p) + 1;
	return shape->digits > 0 && *end == '\n';
}

/* Whether the prefix and the end of the line at P match SHAPE.  The digits are checked later, for the whole batch. */
static inline bool has_line_shape(const char *p, const struct line_shape *shape)
{
	return p[shape->size - 1] == '\n' && p[shape->prefix + shape->digits] == shape->end &&
	       (shape->prefix == 0 || measure_prefix(p) == 2);
}

/* Read the numbers of at most MOST lines, up to the first line whose shape is not SHAPE.  Returns how many lines were
   read, and moves *TEXT after them.  If one of the lines has another character in place of a digit, returns 0 and does
   not move *TEXT. */
static size_t read_numbers_of_lines(char **text, const struct line_shape *shape, uint64_t *numbers, size_t most)
{
	const struct line_shape same = *shape;
	const unsigned excess = 4 * (unsigned)(SIXTEEN - same.digits); /* bits of the characters after the number */
	bytes16 places;
	memset(&places, 0xff, sizeof places);
	const char *p = *text;
	size_t count = 0;
	for (; count < most && has_line_shape(p, &same); p += same.size)
		numbers[count++] = read_sixteen_digits(p + same.prefix, &places) >> excess;
	if (!are_all_digits(&places, same.digits))
		return 0;
	*text += count * same.size;
	return count;
}

size_t address_parse_lines(char **text, const char *end, uint64_t *numbers, size_t most)
{
	struct line_shape shape;
	size_t count = 0;
	while (count < most && *text < end && read_line_shape(*text, &shape)) {
		/* `lines`: how many lines of this size there can be before END. */
		size_t lines = (size_t)(end - *text) / shape.size, step = most - count < lines ? most - count : lines;
		/* If the batch fails, try half as many lines.  The first line alone always succeeds, because SHAPE was
		   taken from it. */
		size_t got;
		while ((got = read_numbers_of_lines(text, &shape, numbers + count, step)) == 0)
			step /= 2;
		count += got;
	}
	return count;
}

#else

size_t address_parse_lines(char **text, const char *end, uint64_t *numbers, size_t most)
{
	(void)text, (void)end, (void)numbers, (void)most;
	return 0;
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/address.h"
#include "tool/space.h"

#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The value of a hexadecimal digit, or 16. */
static unsigned hex_digit(char c)
{
	if (is_digit(c))
		return (unsigned)(c - '0');
	c |= 0x20; /* upper case to lower case */
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 16;
}

/* Read hexadecimal digits, perhaps after 0x; *END is where they end.  A number of more than 64 bits is all ones. */
static uint64_t read_hex(const char *text, const char **end)
{
	const char *p = text;
	if (p[0] == '0' && (p[1] | 0x20) == 'x' && hex_digit(p[2]) < 16)
		p += 2;
	uint64_t number = 0;
	bool too_big = false;
	for (unsigned digit; (digit = hex_digit(*p)) < 16; p++) {
		too_big |= number >> 60 != 0;
		number = number << 4 | digit;
	}
	*end = p;
	return too_big ? UINT64_MAX : number;
}

uint64_t address_number(const char *text, const char **end)
{
	uint64_t number = read_hex(text, end);
	/* The lower half of a number that WinDbg has cut in two: exactly eight digits after a backquote. */
	if (**end == '`' && number <= UINT32_MAX) {
		const char *half = *end + 1, *half_end = half;
		while (hex_digit(*half_end) < 16)
			half_end++;
		if (half_end - half == 8)
			number = number << 32 | read_hex(half, end);
	}
	return number;
}

/* Parse "<name:hex>", "<name: hex>", or the same with an annotation, "<name:hex (file:line (function))>", before which
   there can be more blanks.  The name may be a path with a drive, so the colon is the first one before a number that
   ends properly. */
static bool parse_module(const char *text, struct address *address)
{
	if (*text != '<')
		return false;
	for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
		const char *p = colon + 1, *end;
		while (*p == ' ')
			p++;
		if (hex_digit(*p) == 16)
			continue;
		uint64_t number = read_hex(p, &end);
		if (*end != '>' && !(*end == ' ' && end[strspn(end, " ")] == '('))
			continue;
		address->kind = ADDRESS_MODULE;
		address->name = text + 1;
		address->name_length = (size_t)(colon - address->name);
		address->number = number;
		return true;
	}
	return false;
}

/* Parse "name+offset"; the offset is decimal, hexadecimal after 0x, octal after 0, as strtoull() reads it. */
static void parse_symbol(const char *text, struct address *address)
{
	const char *end = text;
	while (*end && *end != '+' && !is_space(*end))
		end++;
	address->kind = ADDRESS_SYMBOL;
	address->name = text;
	address->name_length = (size_t)(end - text);
	while (is_space(*end))
		end++;
	address->number = *end == '+' ? strtoull(end + 1, NULL, 0) : 0;
}

void address_parse(const char *text, struct address *address)
{
	while (is_space(*text))
		text++;
	if (is_digit(*text) || *text == '\0' || (hex_digit(*text) < 16 && !strchr(text, '+'))) {
		const char *end;
		address->kind = ADDRESS_NUMBER;
		address->number = address_number(text, &end);
	} else if (!parse_module(text, address)) {
		parse_symbol(text, address);
	}
}

/* ------------------------------------------------------------------------------------------ sixteen at a time */

/*
 * Sixteen characters are read at once: a number and the characters after it, whose bits are then shifted out.
 * Which characters were digits is collected over a batch of numbers and tested once.  Until that test the numbers
 * are provisional.
 *
 * There are two read_sixteen(): one for compilers and machines that calculate with vectors of 16 bytes, and a plain one
 * for all others.  With the plain one, rossym-addr2line takes 2.4 times as long for a million addresses.
 */
enum { SIXTEEN = 16 };

/* A byte for each of the sixteen characters, the lowest byte of FIRST for the first one.  It is 0xff if this character
   was a digit in every number, else 0. */
struct halves {
	uint64_t first, second;
};

/* Whether the first DIGITS characters (at least 1) were digits in every number. */
static bool were_digits(const struct halves *halves, size_t digits)
{
	/* how many high bits of the last half belong to no digit */
	const unsigned behind = (unsigned)(0 - 8 * digits) & 63;
	uint64_t first = digits < 8 ? ~halves->first << behind : ~halves->first;
	uint64_t second = digits > 8 ? ~halves->second << behind : 0;
	return (first | second) == 0;
}

#if defined HAVE_VECTORS && !defined WORDS_BIGENDIAN

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint16_t pairs8 __attribute__((vector_size(16)));
typedef uint8_t bytes8 __attribute__((vector_size(8)));

typedef bytes16 digit_places;

static inline uint64_t read_sixteen(const char *text, digit_places *places)
{
	bytes16 c;
	memcpy(&c, text, sizeof c);
	/* A comparison of vectors gives 0xff or 0 for each byte.  The elements are unsigned, so characters below '0' or
	   'a' wrap to large numbers and fail. */
	bytes16 is_number = (bytes16)(c - '0' < 10), is_letter = (bytes16)((c | 0x20) - 'a' < 6);
	*places &= is_number | is_letter;
	/* The value of each digit, then of each pair of digits; the bytes of the pairs are the number, most
	   significant first. */
	pairs8 pairs = (pairs8)((c & 0x0f) + (is_letter & 9));
	bytes8 bytes = __builtin_convertvector(pairs << 4 | pairs >> 8, bytes8);
	uint64_t number;
	memcpy(&number, &bytes, sizeof number);
	return __builtin_bswap64(number);
}

static inline void all_places(digit_places *places)
{
	memset(places, 0xff, sizeof *places);
}

static inline struct halves halves_of(const digit_places *places)
{
	struct halves halves;
	memcpy(&halves, places, sizeof halves);
	return halves;
}

#else

typedef struct halves digit_places;

/* Returns the number that the eight characters at TEXT are.  Clears the byte in *PLACES of each character that is
   no digit. */
static inline uint64_t read_eight(const char *text, uint64_t *places)
{
	uint64_t number = 0;
	for (unsigned i = 0; i < 8; i++) {
		unsigned digit = hex_digit(text[i]);
		if (digit == 16)
			*places &= ~(UINT64_C(0xff) << (8 * i));
		number = number << 4 | (digit & 15);
	}
	return number;
}

static inline uint64_t read_sixteen(const char *text, digit_places *places)
{
	uint64_t first = read_eight(text, &places->first);
	return first << 32 | read_eight(text + 8, &places->second);
}

static inline void all_places(digit_places *places)
{
	*places = (digit_places){ UINT64_MAX, UINT64_MAX };
}

static inline struct halves halves_of(const digit_places *places)
{
	return *places;
}

#endif

/*
 * The form of a line.  Most lines of an input have the same form, so each line is assumed to have that of the line
 * before, and this is checked.  So the beginning of the next line is known before this line has been read.
 */
struct shape {
	size_t prefix; /* 2 for "0x" */
	size_t digits; /* 1 to 16 */
	size_t size;   /* of the line, with its end */
	char end;      /* the character after the digits: a newline, or a carriage return before it */
};

static inline size_t prefix_at(const char *p)
{
	return p[0] == '0' && (p[1] | 0x20) == 'x' ? 2 : 0;
}

/* Store the shape of the line at P.  False: the line has anything but a number. */
static bool see_shape(const char *p, struct shape *shape)
{
	shape->prefix = prefix_at(p);
	const char *digits = p + shape->prefix, *end = digits;
	while (end < digits + SIXTEEN && hex_digit(*end) < 16)
		end++;
	shape->digits = (size_t)(end - digits);
	shape->end = *end;
	end += *end == '\r';
	shape->size = (size_t)(end - p) + 1;
	return shape->digits > 0 && *end == '\n';
}

/* Whether the line at P has SHAPE, so far as it can be seen without looking at its digits. */
static inline bool has_shape(const char *p, const struct shape *shape)
{
	return p[shape->size - 1] == '\n' && p[shape->prefix + shape->digits] == shape->end &&
	       (shape->prefix == 0 || prefix_at(p) == 2);
}

/* Read numbers from lines of SHAPE, up to MOST and up to the first line of another shape.  Returns how many lines there
   were; or 0, and reads nothing, if one of them has a character that is no digit among its digits. */
static size_t read_lines(char **text, const struct shape *shape, uint64_t *numbers, size_t most)
{
	const struct shape same = *shape;
	const unsigned behind = 4 * (unsigned)(SIXTEEN - same.digits); /* bits of the characters after the number */
	digit_places places;
	all_places(&places);
	const char *p = *text;
	size_t count = 0;
	for (; count < most && has_shape(p, &same); p += same.size)
		numbers[count++] = read_sixteen(p + same.prefix, &places) >> behind;
	const struct halves halves = halves_of(&places);
	if (!were_digits(&halves, same.digits))
		return 0;
	*text += count * same.size;
	return count;
}

size_t address_lines(char **text, const char *end, uint64_t *numbers, size_t most)
{
	struct shape shape;
	size_t count = 0;
	while (count < most && *text < end && see_shape(*text, &shape)) {
		/* No more lines of this size fit before the end. */
		size_t lines = (size_t)(end - *text) / shape.size, step = most - count < lines ? most - count : lines;
		/* The first line is certain, since SHAPE is its own.  If the batch fails, try half as many lines. */
		size_t got;
		while ((got = read_lines(text, &shape, numbers + count, step)) == 0)
			step /= 2;
		count += got;
	}
	return count;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Encodings of logs: what is detected, what becomes of it, and that every sequence of bytes comes back. */
#include "config.h"
#include "tool/encoding.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"

#include <stdlib.h>

enum { LONGEST = 4096 };

static struct out out;
static struct out_pile pile = { .most = SIZE_MAX / 2 };

/* The text of the LENGTH bytes at BYTES, which come in pieces of PIECE bytes, at TEXT; each piece at the end of the
   room, as scanner.c reads it.  Returns its length. */
static size_t decode(struct encoding *e, const char *bytes, size_t length, size_t piece, char *text)
{
	char *room = malloc(2 * LONGEST + 18);
	size_t made = 0;
	for (size_t at = 0;; at += piece) {
		size_t n = at < length ? (length - at < piece ? length - at : piece) : 0, size = 2 * n + 18;
		char *source = room + (size - n);
		if (encoding_convertible_size(e, size) < n)
			abort();
		memcpy(source, bytes + (n ? at : 0), n);
		size_t got = encoding_decode(e, source, n, room, n == 0);
		memcpy(text + made, room, got);
		made += got;
		if (n == 0)
			break;
	}
	free(room);
	return made;
}

/* Whether the bytes come back, written in pieces of PIECE bytes too. */
static bool comes_back(const char *bytes, size_t length, size_t piece)
{
	static char text[2 * LONGEST + 16];
	struct encoding e = { .kind = ENCODING_UNKNOWN };
	size_t n = decode(&e, bytes, length, piece, text);
	out.pile = &pile;
	pile.used = 0;
	for (size_t at = 0; at < n; at += piece)
		encoding_write(&e, &out, text + at, n - at < piece ? n - at : piece);
	encoding_write_rest(&e, &out);
	out_flush(&out);
	return pile.used == length && (length == 0 || memcmp(pile.bytes, bytes, length) == 0);
}

#define BYTES(string) string, sizeof string - 1

static void test_texts(void)
{
	static const struct {
		const char *name, *bytes;
		size_t length;
		const char *text;
		size_t text_length;
	} cases[] = {
		{ "nothing", BYTES(""), BYTES("") },
		{ "one byte", BYTES("a"), BYTES("a") },
		{ "ASCII", BYTES("ab\r\n"), BYTES("ab\r\n") },
		{ "UTF-8 with a mark", BYTES("\xef\xbb\xbf\xc3\xa9"), BYTES("\xef\xbb\xbf\xc3\xa9") },
		{ "half a mark", BYTES("\xef\xbb"), BYTES("\xef\xbb") },
		{ "one byte of a mark", BYTES("\xff"), BYTES("\xff") },
		{ "Latin-1", BYTES("\xe9t\xe9"), BYTES("\xe9t\xe9") },
		{ "NULs", BYTES("\0\0\0\0"), BYTES("\0\0\0\0") },
		{ "a NUL and text", BYTES("\0abc"), BYTES("\0abc") },
		{ "text and a NUL", BYTES("a\0bc"), BYTES("a\0bc") },
		{ "one character of UTF-16", BYTES("a\0"), BYTES("a\0") },
		{ "a control character of UTF-16", BYTES("a\0\1\0"), BYTES("a\0\1\0") },
		{ "UTF-16LE", BYTES("a\0b\0\xac\x20\r\0\n\0"), BYTES("ab\xe2\x82\xac\r\n") },
		{ "UTF-16BE", BYTES("\0a\0b\x20\xac\0\r\0\n"), BYTES("ab\xe2\x82\xac\r\n") },
		{ "UTF-16LE with a mark", BYTES("\xff\xfe\xe9\0"), BYTES("\xef\xbb\xbf\xc3\xa9") },
		{ "UTF-16BE with a mark", BYTES("\xfe\xff\0\xe9"), BYTES("\xef\xbb\xbf\xc3\xa9") },
		{ "a mark and nothing", BYTES("\xff\xfe"), BYTES("\xef\xbb\xbf") },
		{ "a pair of surrogates", BYTES("\xfe\xff\xd8\x3d\xde\x00"), BYTES("\xef\xbb\xbf\xf0\x9f\x98\x80") },
		{ "the last character", BYTES("\xfe\xff\xdb\xff\xdf\xff"), BYTES("\xef\xbb\xbf\xf4\x8f\xbf\xbf") },
		{ "half a pair",
		  BYTES("\xff\xfe\x3d\xd8"
			"a\0"),
		  BYTES("\xef\xbb\xbf\xed\xa0\xbd"
			"a") },
		{ "two first halves", BYTES("\xff\xfe\x3d\xd8\x3d\xd8\x00\xde"),
		  BYTES("\xef\xbb\xbf\xed\xa0\xbd\xf0\x9f\x98\x80") },
		{ "halves in the wrong order", BYTES("\xff\xfe\x00\xde\x3d\xd8"),
		  BYTES("\xef\xbb\xbf\xed\xb8\x80\xed\xa0\xbd") },
		{ "an odd byte", BYTES("a\0b\0c"), BYTES("ab") },
		{ "half a pair and an odd byte", BYTES("\xff\xfe\x3d\xd8\x00"), BYTES("\xef\xbb\xbf\xed\xa0\xbd") },
		{ "a NUL in UTF-16", BYTES("\xff\xfe\0\0"), BYTES("\xef\xbb\xbf\0") },
	};
	char text[64];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (size_t piece = 1; piece <= 12; piece++) {
			struct encoding e = { .kind = ENCODING_UNKNOWN };
			size_t n = decode(&e, cases[i].bytes, cases[i].length, piece, text);
			ok(n == cases[i].text_length && memcmp(text, cases[i].text, n) == 0 &&
				   comes_back(cases[i].bytes, cases[i].length, piece),
			   "%s, %u bytes at a time", cases[i].name, (unsigned)piece);
		}
}

/* No more bytes are waited for than the encoding takes. */
static void test_waiting(void)
{
	static const struct {
		const char *bytes;
		size_t length, text_length;
	} cases[] = {
		{ BYTES("a"), 0 },
		{ BYTES("ab"), 2 },
		{ BYTES("a\0"), 0 },
		{ BYTES("a\0b"), 0 },
		{ BYTES("a\0b\0"), 2 },
		{ BYTES("a\0\0"), 3 },
		{ BYTES("\0"), 0 },
		{ BYTES("\0\0"), 2 },
		{ BYTES("\x1b"), 0 },
		{ BYTES("\x1b["), 2 },
		{ BYTES("\xff\xfe"
			"a"),
		  3 },
		{ BYTES("\xef\xbb"), 0 },
		{ BYTES("\xef"
			"a"),
		  2 },
	};
	char text[64];
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct encoding e = { .kind = ENCODING_UNKNOWN };
		is_uint(encoding_decode(&e, cases[i].bytes, cases[i].length, text, false), cases[i].text_length,
			"what can be read at once");
	}
}

/* Logs of random units, among which surrogates are frequent. */
static void test_random(void)
{
	static const unsigned often[] = { 0xd800, 0xdbff, 0xdc00, 0xdfff, 'a', '\n', 0xe9, 0x20ac, 0xfeff, 0 };
	static char bytes[LONGEST];
	bool good = true;
	for (unsigned round = 0; round < 200; round++) {
		size_t length = random_u32() % LONGEST;
		for (size_t i = 0; i < length; i++) {
			unsigned unit = random_u32() % 4 ? often[random_u32() % 10] : random_u32();
			bytes[i] = (char)(i % 2 == round % 2 ? unit & 0xff : unit >> 8 & 0xff);
		}
		if (length >= 2)
			memcpy(bytes, round % 2 ? "\xfe\xff" : "\xff\xfe", 2);
		good &= comes_back(bytes, length, 1 + random_u32() % (round % 3 ? 9 : LONGEST));
	}
	ok(good, "random logs come back");
}

/* Text that is not from the log: a name in Latin-1, and UTF-8 that is none. */
static void test_other_text(void)
{
	static const char text[] =
		"\xe9\xc3\xa9\xf0\x9f\x98\x80\xc0\x80\xed\xa0\x80\xe2\x82x\xf8\xe0\x80\x80\xf4\x90\x80\x80\xc3";
	static const char want[] = "\xe9\0\xe9\0\x3d\xd8\x00\xde\xc0\0\x80\0\0\xd8\xe2\0\x82\0x\0\xf8\0\xe0\0\x80\0\x80"
				   "\0\xf4\0\x90\0\x80\0\x80\0\xc3";
	for (size_t piece = 1; piece < sizeof text; piece++) {
		struct encoding e = { .kind = ENCODING_UTF16LE };
		out.pile = &pile;
		pile.used = 0;
		for (size_t at = 0; at + 1 < sizeof text; at += piece)
			encoding_write(&e, &out, text + at,
				       sizeof text - 1 - at < piece ? sizeof text - 1 - at : piece);
		encoding_write_rest(&e, &out);
		out_flush(&out);
		ok(pile.used == sizeof want && memcmp(pile.bytes, want, sizeof want) == 0,
		   "bytes that are no UTF-8 are Latin-1");
	}
}

int main(void)
{
	test_texts();
	test_waiting();
	test_random();
	test_other_text();
	free(pile.bytes);
	return done_testing();
}

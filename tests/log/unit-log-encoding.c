// SPDX-License-Identifier: GPL-2.0-or-later
/* Encodings of logs: what is detected, what becomes of it, and that every sequence of bytes comes back. */
#include "config.h"
#include "tool/encoding.h"
#include "tests/lib/bytetext.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"

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

/* Whether the N bytes at TEXT, written in pieces of PIECE bytes, are the LENGTH bytes at BYTES in this encoding. */
static bool is_written(struct encoding *e, const char *text, size_t n, size_t piece, const char *bytes, size_t length)
{
	out.pile = &pile;
	pile.used = 0;
	for (size_t at = 0; at < n; at += piece)
		encoding_write(e, &out, text + at, n - at < piece ? n - at : piece);
	encoding_write_rest(e, &out);
	out_flush(&out);
	return pile.used == length && (length == 0 || memcmp(pile.bytes, bytes, length) == 0);
}

/* Whether the bytes come back, written in pieces of PIECE bytes too. */
static bool comes_back(const char *bytes, size_t length, size_t piece)
{
	static char text[2 * LONGEST + 16];
	struct encoding e = { .kind = ENCODING_UNKNOWN };
	size_t n = decode(&e, bytes, length, piece, text);
	return is_written(&e, text, n, piece, bytes, length);
}

static void test_texts(struct case_file *cases)
{
	static struct bytes bytes, want;
	char text[64];
	while (cases_next(cases, "texts")) {
		const char *rest = cases_rest(cases, cases->expected, "|");
		bytes.n = want.n = 0;
		put_items(&bytes, 4, "%s", cases->expected);
		put_items(&want, 4, "%s", rest);
		for (size_t piece = 1; piece <= 12; piece++) {
			struct encoding e = { .kind = ENCODING_UNKNOWN };
			size_t n = decode(&e, (const char *)bytes.b, bytes.n, piece, text);
			ok(n == want.n && memcmp(text, want.b, n) == 0 &&
				   comes_back((const char *)bytes.b, bytes.n, piece),
			   "%s, %u bytes at a time", cases->input, (unsigned)piece);
		}
	}
}

/* No more bytes are waited for than the encoding takes. */
static void test_waiting(struct case_file *cases)
{
	char text[64];
	while (cases_next(cases, "waiting")) {
		const struct bytes *bytes = bytetext_bytes(cases->input);
		struct encoding e = { .kind = ENCODING_UNKNOWN };
		is_uint(encoding_decode(&e, (const char *)bytes->b, bytes->n, text, false),
			strtoul(cases->expected, NULL, 10), "what can be read at once");
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
		ok(is_written(&e, text, sizeof text - 1, piece, want, sizeof want),
		   "bytes that are no UTF-8 are Latin-1");
	}
}

int main(void)
{
	struct case_file cases;
	cases_open(&cases, "tests/log/unit-log-encoding.cases");
	test_texts(&cases);
	test_waiting(&cases);
	cases_close(&cases);
	test_random();
	test_other_text();
	free(pile.bytes);
	return done_testing();
}

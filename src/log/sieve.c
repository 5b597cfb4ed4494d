// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sieve.c - skip lines that cannot hold a token, faster than tokens_next() reads them
 *
 * The plain twin is to pass every line to tokens_next(); tests/fuzz/reads.c checks that both find the same.  Measured on
 * x86-64 with logs of 100 MB: debug output without key words (tests/bench/log.sh) takes rossym-log 1/14 of the time that it
 * takes without the sieve, and prose with parts of key words in every line takes 1/2.
 *
 * Each mark and each key word has a *quad*: a pattern of four bytes that is in the text wherever the mark or word counts.
 *
 * The fine sieve finds quads.  For each of the four positions and each byte it has the set of quads that allow that byte there,
 * as bits.  Four neighbouring bytes are a quad if their four sets have a common member.
 *
 * The coarse sieve runs before it, on blocks of 32 bytes.  Without it, the text without key words takes 3 times as long, and
 * prose as long as with it.  It looks at pairs of neighbouring bytes, at even positions only.  It knows two pairs of each
 * key word, one at an even and one at an odd position in the word, so it meets one of them wherever the word begins.  There
 * the fine sieve searches the block and its surroundings.
 */
#include "config.h"
#include "log/match.h"
#include "log/tokens.h"

#include <string.h>

struct sieve {
	uint8_t pair[UINT16_MAX + 1];	/* 1 for the pairs to look for; the index is the two bytes, read as a uint16_t */
	uint64_t quad[4][256];
	bool made;
};

enum {
	SIEVE_BLOCK = 32,
	SIEVE_REACH = TOKENS_UNDECIDED	/* the greatest distance between a pair and its quad */
};

static void add_pair(struct sieve *sieve, char first, char second)
{
	const char bytes[2] = { first, second };
	uint16_t pair;
	memcpy(&pair, bytes, sizeof pair);
	sieve->pair[pair] = 1;
}

static void add_quad(struct sieve *sieve, unsigned bit, const char *quad)
{
	for (int i = 0; i < 4; i++)
		for (int c = 0; c < 256; c++)
			if (quad[i] == '?' || (unsigned char)quad[i] == c)
				sieve->quad[i][c] |= UINT64_C(1) << bit;
}

/* How rare a character is in logs, roughly: 3 is rarest. */
static unsigned rarity(char c)
{
	if (c >= 'a' && c <= 'z')
		return strchr("etaoinsrl", c) ? 0 : strchr("kbvwxyzjq", c) ? 2 : 1;
	if (c >= 'A' && c <= 'Z')
		return 3;
	return strchr(" :.", c) ? 0 : 3;
}

/* Add the rarest of the pairs of WORD that begin at PARITY, PARITY + 2 and so on.  The rarer it is in logs, the more blocks the
   coarse sieve skips: with the first pair instead, the text without key words takes twice as long. */
static void add_rarest_pair(struct sieve *sieve, const char *word, size_t parity)
{
	const char *rarest = NULL;
	for (size_t i = parity; word[i] && word[i + 1]; i += 2)
		if (!rarest || rarity(word[i]) + rarity(word[i + 1]) > rarity(rarest[0]) + rarity(rarest[1]))
			rarest = word + i;
	if (rarest)
		add_pair(sieve, rarest[0], rarest[1]);
}

/* A mark has one or two significant bytes.  The coarse sieve must meet the first one on both sides of a pair. */
static void add_mark(struct sieve *sieve, unsigned bit, const char *quad)
{
	add_quad(sieve, bit, quad);
	for (int c = 0; c < 256; c++) {
		if (quad[1] == '?' || quad[1] == (char)c)
			add_pair(sieve, quad[0], (char)c);
		add_pair(sieve, (char)c, quad[0]);
	}
}

static void add_word(struct sieve *sieve, unsigned bit, const struct match_key_word *word)
{
	add_quad(sieve, bit, word->quad);
	add_rarest_pair(sieve, word->text, 0);
	add_rarest_pair(sieve, word->text, 1);
}

/* The sieve, made at the first call.  The marks are the tokens that begin with no key word, and what makes the plain text of
   a line differ from the raw one (plain.c): escape sequences and those of HTML and Markdown.  Of these, "&#60;", "\<", "\`"
   and "\&lt;" hold another mark.  Of "\>", the coarse sieve meets the ">": it is rarer in logs than "\". */
static const struct sieve *the_sieve(void)
{
	static struct sieve sieve;
	static const char marks[][5] = {
		"<???", "+???", "`???", "@???", "#???", "\033???", "&l??", "&g??", "&a??", "&q??", "&n??"
	};
	static const struct match_key_word markdown[] = { { "\\[F", "\\[F?" }, { "\\*0", "\\*0?" } };
	unsigned bit = 0;
	if (sieve.made)
		return &sieve;
	for (; bit < sizeof marks / sizeof *marks; bit++)
		add_mark(&sieve, bit, marks[bit]);
	for (size_t i = 0; i < sizeof markdown / sizeof *markdown; i++)
		add_word(&sieve, bit++, &markdown[i]);
	add_quad(&sieve, bit, "\\>??");
	add_pair(&sieve, '\\', '>');
	for (int c = 0; c < 256; c++)
		add_pair(&sieve, '>', (char)c);
	/* There may be more quads than bits.  Two that share one give false alarms, which tokens_next() clears up. */
	const struct match_key_word *word;
	for (size_t i = 0; (word = match_key_word(i)) != NULL; i++)
		add_word(&sieve, ++bit % 64, word);
	sieve.made = true;
	return &sieve;
}

/* Return the position of the first quad that begins in [FROM, TO), or TO.  Three bytes after TO must be readable. */
static size_t find_quad(const struct sieve *sieve, const unsigned char *p, size_t from, size_t to)
{
	while (from < to && !(sieve->quad[0][p[from]] & sieve->quad[1][p[from + 1]] & sieve->quad[2][p[from + 2]] &
			      sieve->quad[3][p[from + 3]]))
		from++;
	return from;
}

size_t tokens_skip(const char *text, size_t length)
{
	const struct sieve *sieve = the_sieve();
	const unsigned char *p = (const unsigned char *)text;
	size_t at = 0, fine = 0;	/* the coarse sieve has read the text before `at`; no quad begins before `fine` */
	for (; length - at >= SIEVE_BLOCK + SIEVE_REACH + 4; at += SIEVE_BLOCK) {
		unsigned found = 0;
		for (size_t i = at; i < at + SIEVE_BLOCK; i += 2) {
			uint16_t pair;
			memcpy(&pair, p + i, sizeof pair);
			found |= sieve->pair[pair];
		}
		if (!found)
			continue;
		if (at > fine + SIEVE_REACH)
			fine = at - SIEVE_REACH;
		size_t end = at + SIEVE_BLOCK + SIEVE_REACH;
		fine = find_quad(sieve, p, fine, end);
		if (fine < end)
			return fine;
	}
	if (at > fine + SIEVE_REACH)
		fine = at - SIEVE_REACH;
	if (length >= fine + 4) {
		size_t end = length - 3;
		fine = find_quad(sieve, p, fine, end);
		if (fine < end)
			return fine;
	}
	/* Search the last three bytes too, with zeros after them.  Key words have four bytes or more, but "@1)" has three. */
	unsigned char tail[3 + 3] = { 0 };
	memcpy(tail, p + fine, length - fine);
	return fine + find_quad(sieve, tail, 0, length - fine);
}

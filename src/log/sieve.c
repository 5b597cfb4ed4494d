// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/match.h"
#include "log/tokens.h"

#include <string.h>

/*
 * Two sieves find the places where a token may begin.  A quad is a pattern of four bytes that begins a mark or key word.
 *
 * The fine sieve has, for each of the four places and each byte, the set of quads with that byte there.  A quad is in the text
 * where the four sets of four neighbouring bytes have a common member.
 *
 * The coarse sieve looks at pairs of bytes, one pair at every other byte.  It knows two pairs of each key word, one that begins
 * at an even place in the word and one at an odd place.  So it meets one of them wherever the word begins.
 */
struct sieve {
	uint8_t pair[UINT16_MAX + 1];	/* indexed by the two bytes, in memory order */
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

/* How rare a character is in logs, very roughly. */
static unsigned rarity(char c)
{
	if (c >= 'a' && c <= 'z')
		return strchr("etaoinsrl", c) ? 0 : strchr("kbvwxyzjq", c) ? 2 : 1;
	if (c >= 'A' && c <= 'Z')
		return 3;
	return strchr(" :.", c) ? 0 : 3;
}

/* Add the rarest of the pairs of WORD that begin at PARITY, PARITY + 2 and so on: the rarer it is in logs, the more text the
   coarse sieve skips. */
static void add_rarest_pair(struct sieve *sieve, const char *word, size_t parity)
{
	const char *rarest = NULL;
	for (size_t i = parity; word[i] && word[i + 1]; i += 2)
		if (!rarest || rarity(word[i]) + rarity(word[i + 1]) > rarity(rarest[0]) + rarity(rarest[1]))
			rarest = word + i;
	if (rarest)
		add_pair(sieve, rarest[0], rarest[1]);
}

static const struct sieve *the_sieve(void)
{
	static struct sieve sieve;
	static const char marks[][5] = { "<???", "+???", "`???", "@???", "#???" };
	enum { MARKS = sizeof marks / sizeof *marks };
	if (sieve.made)
		return &sieve;
	for (unsigned i = 0; i < MARKS; i++) {
		add_quad(&sieve, i, marks[i]);
		for (int c = 0; c < 256; c++) {
			add_pair(&sieve, marks[i][0], (char)c);
			add_pair(&sieve, (char)c, marks[i][0]);
		}
	}
	const struct match_key_word *word;
	for (unsigned i = 0; (word = match_key_word(i)) != NULL; i++) {
		add_quad(&sieve, (MARKS + i) % 64, word->quad);
		add_rarest_pair(&sieve, word->text, 0);
		add_rarest_pair(&sieve, word->text, 1);
	}
	sieve.made = true;
	return &sieve;
}

/* The first quad that begins in [FROM, TO), or TO. */
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
	size_t at = 0, fine = 0;	/* no quad begins before `fine`; the coarse sieve has passed the text before `at` */
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
	/* Search the last three bytes with zeros after them: a key word has at least four bytes, but a token can be as short as
	   "@1)". */
	unsigned char tail[3 + 3] = { 0 };
	memcpy(tail, p + fine, length - fine);
	return fine + find_quad(sieve, tail, 0, length - fine);
}

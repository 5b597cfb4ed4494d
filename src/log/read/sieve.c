// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sieve.c - find the lines that cannot have a token, faster than tokens_next() and the rules read them
 *
 * Without the sieve, the same would be found (tests/fuzz/reads.c checks this), but rossym-log would execute 16 times as
 * many instructions for debug output without tokens (tests/bench/log.sh).
 *
 * Each line with a token has a *sign*: a *word*, such as a text that is in all lines with a form (log_form.sign), or a
 * *mark*, a character that all forms without such a text have.
 *
 * The coarse sieve looks up pairs of neighbouring bytes, at even positions only: one look-up for two bytes.  Its table
 * has two pairs of each word, one at an even and one at an odd position in the word, so it meets one of them wherever
 * the word begins.
 *
 * The fine sieve checks each pair that the coarse one has found.  A *clue* stores a word that has the pair, and where
 * in the word the pair is, so one comparison decides whether the text has the whole word.  The bytes around a mark
 * decide whether the mark counts.
 */
#include "config.h"
#include "log/read/sieve.h"
#include "log/read/chars.h"
#include "log/read/form.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A word or a mark that a pair of bytes can be a part of. */
struct clue {
	const char *word;     /* NULL: one of the two bytes is a mark */
	unsigned char length; /* the length of `word` */
	unsigned char at;     /* the position of the pair in the word */
	unsigned char users;  /* who reads lines with the word: FOR_MATCHERS, FOR_RULES or both */
	unsigned short next;  /* the index of another clue for the same pair; 0: none */
};

enum {
	SIEVE_CLUES = 2 * ALL_PARTS_MAX + 128, /* two for each text of a form, and for each word below */
	SIEVE_CHAINS = 256,		       /* a chain's number is a byte, to keep the table of all pairs small */
	LAST_CHAIN = SIEVE_CHAINS - 1,	       /* the chain of all pairs for which no other chain is left */
};

struct sieve {
	/* for each pair, two bytes read as a uint16_t: the number of its chain of clues; 0: none */
	unsigned char pair[UINT16_MAX + 1];
	unsigned short first[SIEVE_CHAINS];   /* the index of the first clue of each chain; 0 is no chain */
	unsigned chains;		      /* the largest number of a chain in use, except LAST_CHAIN */
	unsigned char common[UINT16_MAX + 1]; /* how often each pair is in typical text of logs */
	struct clue clues[SIEVE_CLUES];	      /* index 0 is unused; index 1 is the clue for all marks */
	unsigned count;			      /* the largest index of `clues` in use */
};

static unsigned load_pair(const char *text)
{
	uint16_t pair;
	memcpy(&pair, text, sizeof pair);
	return pair;
}

/* ------------------------------------------------------------------------------------------------ making the sieve */

/* Store in sieve->common how often each pair is in a text like that of logs. */
static void count_pairs(struct sieve *sieve)
{
	static const char typical[] =
		"(ntoskrnl/mm/ARM3/section.c:1234) MiMapViewOfSection: flags 0 at 0x80403000 for process 12\n"
		"(win32ss/user/ntuser/window.c:2140) Destroying window 00010034 of thread 7, previous state is 0x1\n"
		"fixme:(dll/win32/ole32/compobj.c:4000) CoCreateInstance({00000323-0000-0000-C000-000000000046}) stub\n"
		"err:(base/services/umpnpmgr/rpcserver.c:500) Get device registry property failed with status "
		"0xc0000034\n"
		"ticks: 0 1 2 3 4 5 6 7 8 9 dump: 00000010: 0000001f eax=0000014b ebx=deadbeef pipe timer, loading "
		"system file, name added\n"
		"trace:(sdk/lib/rtl/heap.c:77) Starting partition table parser: started, skipped chip part: all called "
		"via local array\n"
		"Calling DriverEntry of \\SystemRoot\\System32\\drivers\\scsiport.sys: PCI device model, hidden, "
		"virtual, channel label\n"
		"(win32ss/gdi/ntgdi/freetype.c:70) Font <Tahoma> was not found, substituting, fastfat failed: unknown "
		"function, async call, hex, next 512 bytes of the page, target\n"
		"(hal/halx86/acpi/halacpi.c:80) ACPI table FACP at 0x0, device PCI\\VEN_8086&DEV_0000&SUBSYS_0000, "
		"dump: eax=0 (boot/freeldr/freeldr/disk.c) message ext2\n";
	for (size_t i = 0; i + 2 < sizeof typical; i++)
		sieve->common[load_pair(typical + i)]++;
}

/* Add CLUE to the chain of PAIR.  A pair without words gets a chain of its own, or LAST_CHAIN if no other is left. */
static void add_clue(struct sieve *sieve, const char *pair, struct clue clue)
{
	unsigned char *chain = &sieve->pair[load_pair(pair)];
	/* All pairs with a mark have chain 1 at first.  The first word for such a pair gives it a chain of its own. */
	const bool is_new = *chain <= 1;
	const unsigned short was_mark = *chain; /* 1: the pair can have a mark; the clue for marks also has index 1 */
	for (unsigned i = is_new ? 0 : sieve->first[*chain]; i > 0; i = sieve->clues[i].next)
		if (sieve->clues[i].word && sieve->clues[i].length == clue.length && sieve->clues[i].at == clue.at &&
		    sieve->clues[i].users == clue.users && memcmp(sieve->clues[i].word, clue.word, clue.length) == 0)
			return; /* several forms have the same sign */
	if (is_new)
		*chain = (unsigned char)(sieve->chains < LAST_CHAIN - 1 ? ++sieve->chains : LAST_CHAIN);
	clue.next = sieve->first[*chain] ? sieve->first[*chain] : was_mark;
	sieve->first[*chain] = (unsigned short)++sieve->count;
	sieve->clues[sieve->count] = clue;
}

/* Add CLUE for the rarest of its word's pairs at positions PARITY, PARITY + 2, ...: the rarest, because each pair that
   the coarse sieve finds costs a call of the fine sieve. */
static void add_rarest_pair(struct sieve *sieve, struct clue clue, size_t parity)
{
	const char *word = clue.word;
	size_t length = clue.length, rarest = 0;
	unsigned least = UINT_MAX;
	for (size_t i = parity; i + 1 < length; i += 2) {
		if (sieve->common[load_pair(word + i)] >= least)
			continue;
		least = sieve->common[load_pair(word + i)];
		rarest = i;
	}
	clue.at = (unsigned char)rarest;
	if (least < UINT_MAX)
		add_clue(sieve, word + rarest, clue);
}

/* Add clues for WORD, which shows that USERS must read the line. */
static void add_word(struct sieve *sieve, const char *word, size_t length, unsigned char users)
{
	const struct clue clue = { .word = word, .length = (unsigned char)length, .users = users };
	add_rarest_pair(sieve, clue, 0);
	add_rarest_pair(sieve, clue, 1);
}

/* Whether MARK can be a sign if NEXT comes after it. */
static bool may_follow_mark(char mark, char next)
{
	switch (mark) {
	case '@':
		return is_hex(next);
	case '#':
		return is_hex(next) || next == ' ';
	case '&':
		return next && strchr("#lgaqn", next);
	case 'x':
	case '$':
		return is_hex(next);
	case '[':
		return next == '0';
	default:
		return true;
	}
}

/* Whether MARK can be a sign if BEFORE comes before it. */
static bool may_precede_mark(char mark, char before)
{
	return mark == '>' ? before == '\\' : mark == '{' ? before == ')' : mark != 'x' || before == '0';
}

/* Add the pairs in which MARK, as the first or the second byte, can be a sign: the coarse sieve meets one of the two.
   These pairs get chain 1, which has only the clue for marks, so marks must be added before words. */
static void add_pairs_of_mark(struct sieve *sieve, char mark)
{
	for (int c = 0; c <= UCHAR_MAX; c++) {
		const char pairs[] = { mark, (char)c, mark };
		sieve->pair[load_pair(pairs)] |= may_follow_mark(mark, (char)c);
		sieve->pair[load_pair(pairs + 1)] |= may_precede_mark(mark, (char)c);
	}
}

/* Returns the sieve, which the first call makes.  Some escapes hide a mark or a word, so these escapes are signs, too:
   "\[F" and "\*0" of Markdown (plain.h), and JSON's "\u00XX", which can be any character. */
static const struct sieve *get_sieve(void)
{
	static struct sieve sieve;
	/* Escapes; what Wine's backtrace rows begin with (their "+" may be on the next line); modules before commas */
	static const char *const words[] = { "\\[F",   "\\*0",	 "\\u00",  "unwind backtrace: ",
					     ".exe, ", ".dll, ", ".EXE, ", ".DLL, ",
					     ".exe，", ".dll，", ".EXE，", ".DLL，" };
	static const char marks[] = "<+`@#\033&>{x$[";
	/* for rules.c: ends of modules' names, beginnings of addresses without "0x", and words before addresses */
	static const char *const rules[] = { ".exe",	 ".dll",  ".sys",	 ".efi",     ".EXE",	 ".DLL",
					     ".SYS",	 ".pyd",  ".ocx",	 ".drv",     ".node",	 "00007f",
					     "7ff",	 "7FF",	  "fffff8",	 "FFFFF8",   "lr: ",	 "mage base",
					     "ase_addr", "ip=",	  "ault offset", "ffset: 0", "ffset_in", "pc=",
					     "ddress=",	 " ret=", "at address ", "!+0",	     "ffset=" };
	if (sieve.count > 0)
		return &sieve;
	count_pairs(&sieve);
	/* the clue for marks, whose word is NULL */
	sieve.count = sieve.chains = 1;
	sieve.first[1] = sieve.first[LAST_CHAIN] = 1;
	for (const char *mark = marks; *mark; mark++)
		add_pairs_of_mark(&sieve, *mark);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		add_word(&sieve, words[i], strlen(words[i]), FOR_MATCHERS);
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		add_word(&sieve, rules[i], strlen(rules[i]), FOR_RULES);
	for (size_t i = 0; i < forms_load_and_count(); i++) {
		const struct form_part *part = form_get(i)->sign;
		size_t length;
		const char *sign;
		for (unsigned n = 0; part && (sign = form_find_sign(part, n, &length)) != NULL; n++)
			add_word(&sieve, sign, length, FOR_MATCHERS);
	}
	return &sieve;
}

/* ------------------------------------------------------------------------------------------------- the fine sieve */

/* Whether the "<" at AT can begin "<module:rva>" or "<80953369>": no blank follows it, and no "<" before a colon. */
static bool angle_can_begin_token(const char *text, size_t length, size_t at)
{
	const size_t begin = at + 1;
	bool digits = true;
	if (begin < length && is_blank(text[begin]))
		return false;
	for (size_t i = begin; i < length && i - begin <= NAME_LENGTH_MAX; i++) {
		char c = text[i];
		if (c == ':' || (digits && i - begin >= 5 && (c == '>' || c == ' ')))
			return true;
		if (is_control(c) || c == '<' || c == '>')
			return false;
		digits &= is_hex(c) || c == 'x' || c == 'X' || c == '`';
	}
	return false;
}

/* Whether the hexadecimal number at AT has enough digits for an address, not counting leading zeros. */
static bool has_address_digits(const char *text, size_t length, size_t at)
{
	enum { LEAST_DIGITS = 5, ZEROS_MAX = 11 };
	size_t digits = 0, zeros = 0;
	while (zeros < ZEROS_MAX && at + zeros < length && text[at + zeros] == '0')
		zeros++;
	at += zeros;
	while (digits < LEAST_DIGITS && at + digits < length && is_hex(text[at + digits]))
		digits++;
	return digits == LEAST_DIGITS;
}

/* Returns for whom the byte at AT is a mark that counts: as part of a token, or as the beginning of an escape, because
   the plain text (plain.h), which matchers and rules read, may have a sign that the raw line lacks.  An escape sequence
   counts for both, so the rest of the line need not be searched. */
static inline unsigned find_users_of_mark(const char *text, size_t length, size_t at)
{
	const char before = at > 0 ? text[at - 1] : '\0', after = at + 1 < length ? text[at + 1] : '\n';
	switch (text[at]) {
	case '<':
		return before == '\\' || angle_can_begin_token(text, length, at) ? FOR_MATCHERS : 0;
	case '>':
	case '{':
		return may_precede_mark(text[at], before) ? FOR_MATCHERS : 0;
	case '`':
		return before == '\\' || is_hex(after) ? FOR_MATCHERS | FOR_RULES : 0;
	case 'x':
		return before == '0' && has_address_digits(text, length, at + 1) ? FOR_RULES : 0;
	case '$':
		return has_address_digits(text, length, at + 1) ? FOR_RULES : 0;
	case '[':
		return after == '0' && has_address_digits(text, length, at + 1) ? FOR_RULES : 0;
	case '@':
	case '#':
	case '&':
		return may_follow_mark(text[at], after) ? FOR_MATCHERS : 0;
	case '+':
		return FOR_MATCHERS;
	case '\033':
		return FOR_MATCHERS | FOR_RULES;
	default:
		return 0;
	}
}

/* Whether the text has the word of CLUE, whose pair is at AT. */
static bool has_word_of_clue(const struct clue *clue, const char *text, size_t length, size_t at)
{
	const size_t begin = at - clue->at;
	return at >= clue->at && length - begin >= clue->length && text[begin] == clue->word[0] &&
	       memcmp(text + begin, clue->word, clue->length) == 0;
}

/* Returns for whom the pair at AT is a part of a sign, as FOR_MATCHERS, FOR_RULES, both or 0. */
static inline unsigned find_users_of_pair(const struct sieve *sieve, const char *text, size_t length, size_t at)
{
	unsigned users = 0;
	for (unsigned i = sieve->first[sieve->pair[load_pair(text + at)]]; i > 0; i = sieve->clues[i].next) {
		const struct clue *clue = &sieve->clues[i];
		if (!clue->word)
			users |= find_users_of_mark(text, length, at) | find_users_of_mark(text, length, at + 1);
		else if (has_word_of_clue(clue, text, length, at))
			users |= clue->users;
	}
	return users;
}

/* ----------------------------------------------------------------------------------------------- the coarse sieve */

/* Returns 0 if none of the pairs at even positions of the 8 bytes at TEXT has a chain. */
static unsigned has_pairs_in_8(const struct sieve *sieve, const char *text)
{
	return sieve->pair[load_pair(text)] | sieve->pair[load_pair(text + 2)] | sieve->pair[load_pair(text + 4)] |
	       sieve->pair[load_pair(text + 6)];
}

/* Returns the first even position from AT on, which is even, with a pair that has a chain.  If there is none, returns
   LENGTH, or LENGTH - 1 if LENGTH is odd. */
static inline size_t find_pair(const struct sieve *sieve, const char *text, size_t length, size_t at)
{
	while (length - at >= 8 && !has_pairs_in_8(sieve, text + at))
		at += 8;
	while (length - at >= 2 && !sieve->pair[load_pair(text + at)])
		at += 2;
	return at;
}

/* Whether the first word of the line, after at most 8 blanks and punctuation marks, is a number with 8 digits, as in
   rows of stacks: "  [00401234] app".  Such rows of 32-bit programs have no other sign.  A number that begins with
   three zeros does not count: it is mostly an offset in a dump. */
static inline bool begins_with_address(const char *text, size_t length)
{
	enum { DIGITS = 8, MARKS_MAX = 8 };
	size_t at = 0;
	while (at < length && at < MARKS_MAX && ((unsigned char)text[at] < '0' || text[at] == '[' || text[at] == '|'))
		at++;
	if (length - at < DIGITS || !is_hex(text[at + DIGITS - 1])) /* as in nearly all lines */
		return false;
	size_t end = at;
	while (end < length && is_hex(text[end]))
		end++;
	return end - at == DIGITS && (end == length || !is_word_char(text[end])) && memcmp(text + at, "000", 3) != 0;
}

unsigned sieve_find_users(const char *text, size_t length)
{
	const struct sieve *sieve = get_sieve();
	unsigned users = 0;
	size_t at = find_pair(sieve, text, length, 0);
	for (; length - at >= 2 && users != (FOR_MATCHERS | FOR_RULES); at = find_pair(sieve, text, length, at + 2))
		users |= find_users_of_pair(sieve, text, length, at);
	users |= at + 1 == length ? find_users_of_mark(text, length, at) : 0;
	return !(users & FOR_RULES) && begins_with_address(text, length) ? users | FOR_RULES : users;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What rossym-log does with text, on mutated logs: run it under ASan and UBSan.
 *
 *	fuzz-log [FILE...]	the files (default: those of tests/logs) and MUTATIONS (environment, default 3000) / 10 mutants of each
 *	fuzz-log --print FIRST LAST FILE	the mutants of these seeds, one behind the other, on standard output
 *
 * The mutants of a file depend on its name and on SEED (environment, default 0), never on the order in which a directory
 * lists the files.
 *
 * For each text: what is found does not depend on how the text arrives, in one piece or in many; no annotation would come
 * too late; and skipping lines loses nothing.
 */
#include "config.h"
#include "tool/text.h"
#include "log/match.h"
#include "log/tokens.h"
#include "tests/lib/tap.h"

#include <dirent.h>
#include <stdlib.h>

static uint32_t seed = 1;

static uint32_t rnd(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return below ? seed % below : 0;
}

/* What was found, as text, so that two ways of reading can be compared. */
struct trace {
	struct text text;
};

static void trace_token(struct trace *trace, uint64_t line, const struct token *token)
{
	text_add_decimal(&trace->text, line);
	text_add_char(&trace->text, ' ');
	text_add_decimal(&trace->text, token->begin);
	text_add_char(&trace->text, '-');
	text_add_decimal(&trace->text, token->note);
	text_add_char(&trace->text, '-');
	text_add_decimal(&trace->text, token->note_end);
	text_add_char(&trace->text, token->is_return ? 'r' : 'e');
	text_add_char(&trace->text, token->absolute ? 'a' : 'm');
	text_add_hex(&trace->text, token->number);
	if (!token->absolute)
		text_add_bytes(&trace->text, token->module, token->module_length);
	text_add_char(&trace->text, '\n');
}

static void trace_fact(struct trace *trace, uint64_t line, const struct fact *fact)
{
	text_add_decimal(&trace->text, line);
	text_add(&trace->text, " fact ");
	text_add_decimal(&trace->text, (uint64_t)fact->kind);
	text_add_char(&trace->text, ' ');
	text_add_hex(&trace->text, fact->base);
	text_add_char(&trace->text, ' ');
	text_add_hex(&trace->text, fact->size);
	text_add_char(&trace->text, ' ');
	text_add_hex(&trace->text, fact->stamp);
	if (fact->kind == FACT_LOADED)
		text_add_bytes(&trace->text, fact->module, fact->module_length);
	text_add_char(&trace->text, '\n');
}

/* Read TEXT line by line, each in pieces of up to PIECE bytes.  Returns false if an annotation would have come too late. */
static bool read_pieces(const char *text, size_t length, size_t piece, bool skip, struct trace *trace)
{
	struct context context = { .line = 0 };
	struct tokens t = { .edit = false };
	uint64_t line = 0;
	bool good = true;
	for (size_t begin = 0; begin < length;) {
		const char *newline = memchr(text + begin, '\n', length - begin);
		size_t n = newline ? (size_t)(newline - (text + begin)) : length - begin;
		line++;
		if (skip && !context_every_line_counts(&context) &&
		    tokens_skip(text + begin, length - begin) >= n + (newline != NULL)) {
			begin += n + (newline != NULL);
			continue;
		}
		/* On the heap with its exact size, so that ASan sees one byte too many. */
		char *copy = malloc(n ? n : 1);
		memcpy(copy, text + begin, n);
		context.line = line - 1;
		tokens_begin(&t, &context);
		size_t passed = 0;
		for (size_t have = 0; ; ) {
			have = n - have > piece ? have + piece : n;
			bool complete = have == n;
			t.text = copy;
			t.length = have;
			t.complete = complete;
			enum found found;
			while ((found = tokens_next(&t, &context)) == FOUND_TOKEN || found == FOUND_FACT) {
				if (found == FOUND_FACT) {
					trace_fact(trace, line, &t.fact);
					continue;
				}
				good &= t.token.note >= passed && t.token.note <= t.token.note_end &&
					t.token.note_end <= n && t.token.begin <= t.token.end && t.token.end <= n;
				trace_token(trace, line, &t.token);
			}
			good &= !complete || found == FOUND_END;
			good &= t.hold <= have;
			passed = t.hold > passed ? t.hold : passed;
			if (complete)
				break;
		}
		free(copy);
		begin += n + (newline != NULL);
	}
	return good;
}

static bool same(const struct trace *a, const struct trace *b)
{
	return a->text.length == b->text.length &&
	       (a->text.length == 0 || memcmp(a->text.bytes, b->text.bytes, a->text.length) == 0);
}

static const char *check(const char *text, size_t length)
{
	struct trace whole = { { NULL, 0, 0, false } }, pieces = whole, skipped = whole;
	const char *wrong = NULL;
	if (!read_pieces(text, length, SIZE_MAX, false, &whole))
		wrong = "positions";
	if (!read_pieces(text, length, 1 + rnd(7), false, &pieces))
		wrong = "positions in pieces";
	if (!read_pieces(text, length, SIZE_MAX, true, &skipped))
		wrong = "positions with skipping";
	if (!wrong && !same(&whole, &pieces))
		wrong = "pieces differ";
	if (!wrong && !same(&whole, &skipped))
		wrong = "skipping differs";
	if (wrong && getenv("FUZZ_VERBOSE")) {
		diag("whole:\n%.*s", (int)whole.text.length, whole.text.bytes ? whole.text.bytes : "");
		diag("pieces:\n%.*s", (int)pieces.text.length, pieces.text.bytes ? pieces.text.bytes : "");
		diag("skipped:\n%.*s", (int)skipped.text.length, skipped.text.bytes ? skipped.text.bytes : "");
	}
	text_clear(&whole.text);
	text_clear(&pieces.text);
	text_clear(&skipped.text);
	return wrong;
}

static char *read_file(const char *path, size_t *length)
{
	FILE *file = fopen(path, "rb");
	if (!file)
		return NULL;
	char *text = malloc(1 << 20);
	*length = text ? fread(text, 1, 1 << 20, file) : 0;
	fclose(file);
	return text;
}

/* Change TEXT, of *LENGTH bytes in SIZE, in a few places. */
static void mutate(char *text, size_t *length, size_t size)
{
	static const char *const bits[] = { "<", ">", ":", "(", ")", " (", ")>", "+0x", "`", "\r", "\n", "\033[7m", "Eip:", "Frames:",
					    "Address:", "kdb:> ", " - Address ", "0x", "\\", "*** ", "<a.sys:1000", "[", "@" };
	for (uint32_t n = 1 + rnd(8); n > 0 && *length > 0; n--) {
		size_t at = rnd((uint32_t)*length), count;
		switch (rnd(5)) {
		case 0:
			text[at] = (char)rnd(256);
			break;
		case 1:
			count = 1 + rnd(16);
			if (count > *length - at)
				count = *length - at;
			memmove(text + at, text + at + count, *length - at - count);
			*length -= count;
			break;
		case 2: {
			enum { BITS = sizeof bits / sizeof *bits };
			/* As often a word that means something to us; beyond the last word there is none. */
			const struct match_key_word *word = rnd(2) ? match_key_word(rnd(48)) : NULL;
			const char *bit = word ? word->text : bits[rnd(BITS)];
			count = strlen(bit);
			if (*length + count > size)
				break;
			memmove(text + at + count, text + at, *length - at);
			memcpy(text + at, bit, count);
			*length += count;
			break;
		}
		case 3: {
			size_t from = rnd((uint32_t)*length);
			count = 1 + rnd(60);
			if (count > *length - from)
				count = *length - from;
			if (count > *length - at)
				count = *length - at;
			memmove(text + at, text + from, count);
			break;
		}
		default:
			*length = at;
			break;
		}
	}
}

/* Each key word in what may surround it, among lines that mean nothing: neither sieve may pass it by. */
static void every_word(void)
{
	static const char *const before[] = { "", "\r\n", "x.sys - ", "kdb:> ", "> *** ", "Eip:\n80401234\nFrames:\n<x.sys: 1000>\n" };
	static const char *const behind[] = { "", " ", "80401234", " 80401234", "=80401234", ":80401234", " fffff800`02a89b00", " fffff800`02a89b00f7a20000", " fffff800`02a8", ": 80401234", "\"0x80401234\"",
					      " 80401234 base at 80400000, DateStamp 5db90293", "x.sys at F824F000 with 11c pages",
					      "x.sys: dceb6000", "80400000 809d1000 nt", "0x0008:0x8058324B", "\n<x.sys: 1000>",
					      "\n 1000\n80400000  00200000  x.sys" };
	static const char idle[] = "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz";
	enum { BEFORE = sizeof before / sizeof *before, BEHIND = sizeof behind / sizeof *behind };
	const struct match_key_word *word;
	for (unsigned w = 0; (word = match_key_word(w)) != NULL; w++) {
		const char *wrong = NULL;
		for (unsigned i = 0; !wrong && i < BEFORE * BEHIND * 4; i++) {
			char text[1024];
			int n = snprintf(text, sizeof text, "%s\n%s\n%s%s%s\n%s\n%s\n%s\n", idle, idle + i / (BEFORE * BEHIND),
					 before[i % BEFORE], word->text, behind[i / BEFORE % BEHIND], idle, idle, idle);
			wrong = check(text, (size_t)n);
			if (wrong)
				diag("%.*s", n, text);
		}
		ok(!wrong, "\"%s\"%s%s", word->text, wrong ? ": " : "", wrong ? wrong : "");
	}
}

static uint32_t seed_of(const char *path)
{
	const char *setting = getenv("SEED"), *name = strrchr(path, '/');
	uint32_t hash = setting ? (uint32_t)strtoul(setting, NULL, 10) * 2654435761u : 0;
	for (name = name ? name + 1 : path; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash ? hash : 1;
}

static void fuzz_file(const char *path, unsigned mutations)
{
	seed = seed_of(path);
	size_t length, size = (1 << 20) + 4096;
	char *text = read_file(path, &length), *mutant = malloc(size);
	const char *wrong = text && mutant ? check(text, length) : "cannot read";
	ok(!wrong, "%s%s%s", path, wrong ? ": " : "", wrong ? wrong : "");
	for (unsigned i = 0; !wrong && i < mutations; i++) {
		size_t n = length;
		uint32_t before = seed;
		memcpy(mutant, text, length);
		mutate(mutant, &n, size);
		wrong = check(mutant, n);
		if (wrong) {
			diag("mutant %u, seed %u: %s", i, before, wrong);
			if (getenv("FUZZ_KEEP")) {
				FILE *file = fopen(getenv("FUZZ_KEEP"), "wb");
				fwrite(mutant, 1, n, file);
				fclose(file);
			}
		}
	}
	ok(!wrong, "%s, %u mutants", path, mutations);
	free(text);
	free(mutant);
}

static int print_mutants(unsigned long first, unsigned long last, const char *path)
{
	size_t length, size = (1 << 20) + 4096;
	char *text = read_file(path, &length), *mutant = malloc(size);
	bool good = text && mutant;
	for (unsigned long i = first; good && i <= last; i++) {
		size_t n = length;
		seed = (uint32_t)i * 2654435761u | 1;
		memcpy(mutant, text, length);
		mutate(mutant, &n, size);
		good = fwrite(mutant, 1, n, stdout) == n;
	}
	free(text);
	free(mutant);
	return !good;
}

int main(int argc, char **argv)
{
	const char *setting = getenv("MUTATIONS"), *srcdir = getenv("srcdir");
	/* One of these is as long as ten of the others' mutants. */
	unsigned mutations = (setting ? (unsigned)atoi(setting) : 3000) / 10;
	char directory[1024], path[2048];
	if (argc == 5 && strcmp(argv[1], "--print") == 0)
		return print_mutants(strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10), argv[4]);
	if (argc > 1) {
		for (int i = 1; i < argc; i++)
			fuzz_file(argv[i], mutations);
		return done_testing();
	}
	every_word();
	snprintf(directory, sizeof directory, "%s/tests/logs", srcdir ? srcdir : ".");
	DIR *dir = opendir(directory);
	const struct dirent *entry;
	while (dir && (entry = readdir(dir)) != NULL) {
		size_t n = strlen(entry->d_name);
		if (n < 4 || strcmp(entry->d_name + n - 4, ".log") != 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
		fuzz_file(path, mutations);
	}
	if (dir)
		closedir(dir);
	return done_testing();
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What rossym-log does with text, on mutated logs: run it under ASan and UBSan.
 *
 *	hostile-mutate-log [FILE...]	the files (default: those of tests/logs) and MUTATIONS (environment, default 1000) / 10 mutants of each
 *	hostile-mutate-log --print FIRST LAST FILE	the mutants of these seeds, one behind the other, on standard output
 *
 * The mutants of a file depend on its name and on SEED (environment, default 0), never on the order in which a
 * directory lists the files.
 *
 * What must hold for each text stands in tests/fuzz/reads.h.
 */
#include "config.h"
#include "log/read/form.h"
#include "tests/fuzz/reads.h"
#include "tests/lib/files.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"

#include <dirent.h>

/* Returns a text of the form with this INDEX; NULL if there is no such form. */
static const char *text_of(size_t index)
{
	static const char *const numbers[ROLE_COUNT] = { [ROLE_ADDRESS] = "80401234",
							 [ROLE_RVA] = "1234",
							 [ROLE_BASE] = "80400000",
							 [ROLE_LAST] = "80500000",
							 [ROLE_SIZE] = "100000",
							 [ROLE_PAGES] = "100",
							 [ROLE_STAMP] = "5db90293",
							 [ROLE_CODE] = "80401000",
							 [ROLE_SAME] = "80401234",
							 [ROLE_PROCESS] = "12",
							 [ROLE_ROW] = "1",
							 [ROLE_STATUS] = "c0000005",
							 [ROLE_INDEX] = "1",
							 [ROLE_ANY] = "fffff800`80401234" };
	static char text[1024];
	if (index >= forms_load_and_count())
		return NULL;
	const struct log_form *form = form_get(index);
	const struct form_part *part = form->parts;
	size_t n = 0;
	for (size_t i = 0; i < form->count; i++, part++) {
		if (part->kind == PART_CHOICE) { /* take its last text */
			i += part->length;
			part += part->length;
		}
		const char *piece = part->kind == PART_TEXT	 ? part->text
				    : part->kind == PART_BLANKS	 ? "        "
				    : part->kind == PART_NAME	 ? part->role == ROLE_WORD ? "word" : "C:\\a\\x.sys"
				    : part->kind == PART_SKIP	 ? "any"
				    : part->kind == PART_DECIMAL ? "0"
				    : part->kind == PART_NUMBER	 ? numbers[part->role]
								 : "";
		const bool counted = part->kind == PART_TEXT || part->kind == PART_BLANKS;
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%.*s",
				      part->kind == PART_NUMBER && part->spec == SPEC_PREFIX ? "0x" : "",
				      counted ? (int)part->length : (int)strlen(piece), piece);
	}
	return text;
}

/* Change TEXT, of *LENGTH bytes in SIZE, in a few places. */
static void mutate(char *text, size_t *length, size_t size)
{
	static const char *const bits[] = { "<",
					    ">",
					    ":",
					    "(",
					    ")",
					    " (",
					    ")>",
					    "+0x",
					    "`",
					    "\r",
					    "\n",
					    "\033[7m",
					    "Eip:",
					    "Frames:",
					    "Address:",
					    "kdb:> ",
					    " - Address ",
					    "0x",
					    "\\",
					    "*** ",
					    "<a.sys:1000",
					    "[",
					    "@",
					    "12:00:01 ",
					    "[  1.5] ",
					    "Nov 02 10:00:01 a b[1]: ",
					    "00000012\t0.12345678\t",
					    "> ",
					    "&lt;",
					    "&gt;",
					    "&#60;",
					    "&#x",
					    "&amp;",
					    "&nbsp;",
					    "\\<",
					    "\\[F",
					    "\\",
					    "\"",
					    "\",\"",
					    "{\"log\":\"",
					    "\\u003c",
					    "\\n",
					    "\n\"1\",\"",
					    "\n{\"a\":1,\"msg\":\"",
					    "\033]0;a\a",
					    "\033[0m",
					    "\033",
					    " \033[35m(a.c:7 (f))\033[0m" };
	for (uint32_t n = 1 + random_below(8); n > 0 && *length > 0; n--) {
		size_t at = random_below((uint32_t)*length), count;
		switch (random_below(5)) {
		case 0:
			text[at] = (char)random_below(256);
			break;
		case 1:
			count = 1 + random_below(16);
			if (count > *length - at)
				count = *length - at;
			memmove(text + at, text + at + count, *length - at - count);
			*length -= count;
			break;
		case 2: {
			enum { BITS = sizeof bits / sizeof *bits };
			/* As often a word that means something to us; beyond the last form there is none. */
			const char *word = random_below(2) ? text_of(random_below(256)) : NULL;
			const char *bit = word ? word : bits[random_below(BITS)];
			count = strlen(bit);
			if (*length + count > size)
				break;
			memmove(text + at + count, text + at, *length - at);
			memcpy(text + at, bit, count);
			*length += count;
			break;
		}
		case 3: {
			size_t from = random_below((uint32_t)*length);
			count = 1 + random_below(60);
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

/* Make of WORD, in HIDDEN, what has the same plain text: as it is, with an escape sequence in its middle, with a
   character in HTML's way, or after an escape of Markdown. */
static const char *hide(const char *word, unsigned way, char *hidden, size_t size)
{
	int half = (int)strlen(word) / 2;
	if (way == 1)
		snprintf(hidden, size, "%.*s\033[0m%s", half, word, word + half);
	else if (way == 2)
		snprintf(hidden, size, "%.*s&#%d;%s", half, word, word[half], word + half + 1);
	else
		snprintf(hidden, size, "%s%s", way == 3 ? "\\> " : "", word);
	return hidden;
}

/* Each key word in what may surround it, among lines that mean nothing: neither sieve may pass it by. */
static void every_word(void)
{
	static const char *const before[] = { "",	    "\r\n",
					      "x.sys - ",   "kdb:> ",
					      "> *** ",	    "&gt; 12:00:01.5 [   1.5] host a[12]: ",
					      "\\<\033[0m", "{\"log\":\"",
					      "\"1\",\"",   "Eip:\n80401234\nFrames:\n<x.sys: 1000>\n" };
	static const char *const behind[] = { "",
					      " ",
					      "80401234",
					      " 80401234",
					      "=80401234",
					      ":80401234",
					      ": 80401234",
					      "\"0x80401234\"",
					      "0x80401234",
					      " fffff800`02a89b00",
					      " fffff800`02a89b00f7a20000",
					      " fffff800`02a8",
					      " 80401234 base at 80400000, DateStamp 5db90293",
					      "x.sys at F824F000 with 11c pages",
					      "x.sys: dceb6000",
					      "80400000 809d1000 nt",
					      "RetAddr\nfffff880`02f0a5d8 fffff800`02a61230 :00000000",
					      "0x0008:0x8058324B",
					      "\n<x.sys: 1000>",
					      "\n 1000\n80400000  00200000  x.sys" };
	static const char idle[] = "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz";
	enum {
		BEFORE = sizeof before / sizeof *before,
		BEHIND = sizeof behind / sizeof *behind,
		OPEN = BEFORE * BEHIND * 4,
		HIDDEN = BEHIND * 3
	};
	const char *word;
	const unsigned shifts = amount(4, 1);
	for (unsigned w = 0; w < forms_load_and_count(); w++) {
		const char *wrong = NULL;
		if (!(word = text_of(w)))
			continue;
		for (unsigned i = 0; !wrong && i < OPEN + HIDDEN; i++) {
			/* As it is, in each surrounding, at each distance from a multiple of four, or at one for each
			   surrounding; then hidden, after nothing. */
			unsigned way = i < OPEN ? 0 : 1 + (i - OPEN) / BEHIND,
				 shift = way ? way : i / (BEFORE * BEHIND);
			if (way == 0 && shifts == 1 && shift != (i + w) % 4)
				continue;
			char text[2048], hidden[512];
			int n = snprintf(text, sizeof text, "%s\n%s\n%s%s%s\n%s\n%s\n%s\n", idle, idle + shift,
					 way ? "" : before[i % BEFORE], hide(word, way, hidden, sizeof hidden),
					 behind[way ? i % BEHIND : i / BEFORE % BEHIND], idle, idle, idle);
			wrong = reads_wrong(text, (size_t)n);
			if (wrong)
				diag("%.*s", n, text);
		}
		ok(!wrong, "\"%s\"%s%s", word, wrong ? ": " : "", wrong ? wrong : "");
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
	random_start(seed_of(path));
	size_t length;
	char *text = (char *)files_read(path, &length);
	const size_t size = length + (1 << 20);
	char *mutant = malloc(size);
	const char *wrong = mutant ? reads_wrong(text, length) : "no memory";
	ok(!wrong, "%s%s%s", path, wrong ? ": " : "", wrong ? wrong : "");
	for (unsigned i = 0; !wrong && i < mutations; i++) {
		size_t n = length;
		memcpy(mutant, text, length);
		mutate(mutant, &n, size);
		wrong = reads_wrong(mutant, n);
		if (wrong) {
			diag("mutant %u: %s", i, wrong);
			if (getenv("FUZZ_KEEP"))
				files_write(getenv("FUZZ_KEEP"), mutant, n);
		}
	}
	ok(!wrong, "%s, %u mutants", path, mutations);
	free(text);
	free(mutant);
}

static int print_mutants(unsigned long first, unsigned long last, const char *path)
{
	size_t length;
	char *text = (char *)files_read(path, &length);
	const size_t size = length + (1 << 20);
	char *mutant = malloc(size);
	bool good = mutant != NULL;
	for (unsigned long i = first; good && i <= last; i++) {
		size_t n = length;
		random_start(i);
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
	unsigned mutations = (setting ? (unsigned)atoi(setting) : 1000) / 10;
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

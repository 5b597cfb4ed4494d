/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * steps.h - steps of an unwinder as cases (cases.h): statements about a world (world.h) and a frame, on lines of their own or with "; "
 * between them; after the tab is what the step from this frame gives, and the name of the test:
 *
 *	world 41 0e 20; stack 5c @2005
 *	frame @1050 exact bx=3
 *		caller ip=@2005 sp=10060 proved: a small frame
 *
 *	world BYTES			an image, which the test makes of these bytes, and a stack
 *	image RVA BYTES			bytes of the image from this RVA on; "stack OFFSET BYTES": of the stack.  bytetext.h says what bytes are
 *	unknown RVA			the image is known from here on
 *	frame ADDRESS exact bx=3	where the code is, and registers
 *
 * Numbers are hexadecimal; "@" is the base of the image, and "+" adds.  Registers have the names of i386 without the "e", those of ARM64
 * are fp, lr and sp; "r1c" is the one of this number.  What is not stated is as it was after the case before.  Words for a result are
 * those of results[]; others are exact, inexact, proved, unproved, and "reads<N".
 *
 * A section can begin with a template, whose last line is what is expected, and then has rows: a name, and after the tab parts with " | "
 * between them.  In the template $0 is the name, $A and $B are the first two parts, $1 to $9 the words of the last part.
 */
#ifndef TESTS_STEPS_H
#define TESTS_STEPS_H

#include "tests/lib/bytetext.h"
#include "tests/lib/world.h"

struct steps {
	uint32_t machine;
	uint64_t base;
	struct world (*make)(const void *bytes, size_t size);
	struct rossym_unwind_frame (*at)(uint64_t ip, bool exact);
	bool (*more)(struct world *w, const char *verb, const char *rest); /* a statement of one test alone; or NULL */
	struct case_file cases;
	struct bytetext language;
	struct world w;
	struct rossym_unwind_frame frame;
};

static inline uint64_t steps_value(const struct steps *s, const char *text)
{
	uint64_t sum = 0;
	for (char *end; *text; text = *end == '+' ? end + 1 : "") {
		sum += *text == '@' ? s->base : 0;
		sum += strtoull(text + (*text == '@'), &end, 16);
	}
	return sum;
}

/* A register, or another number of the frame, that a word such as "sp=10060" begins with. */
static inline uint64_t *steps_register(struct steps *s, const char *word)
{
	static const char x86[] = "axcxdxbxspbpsidi", arm64[] = "fplrsp";
	const bool is_arm64 = s->machine == UNWIND_ARM64;
	const char *const names = is_arm64 ? arm64 : x86;
	const unsigned first = is_arm64 ? UNWIND_ARM64_FP : 0;
	if (strncmp(word, "ip=", 3) == 0)
		return &s->frame.ip;
	if (word[0] == 'r')
		return &s->frame.registers[strtoul(word + 1, NULL, 16) % ROSSYM_UNWIND_REGISTERS];
	for (unsigned i = 0; names[2 * i]; i++)
		if (strncmp(word, names + 2 * i, 2) == 0)
			return &s->frame.registers[first + i];
	cases_refuse(&s->cases, word);
	return NULL;
}

/* "IP exact REGISTER=VALUE..." */
static inline void steps_frame(struct steps *s, char *words)
{
	char *word = strtok(words, " ");
	const uint64_t ip = steps_value(s, word);
	word = strtok(NULL, " ");
	const bool exact = word && strcmp(word, "exact") == 0;
	s->frame = s->at(ip, exact);
	for (word = exact ? strtok(NULL, " ") : word; word; word = strtok(NULL, " ")) {
		const uint64_t value = steps_value(s, strchr(word, '=') + 1);
		if (strncmp(word, "arguments=", 10) == 0)
			s->frame.arguments = (uint32_t)value;
		else
			*steps_register(s, word) = value;
	}
}

/* Put the bytes of ITEMS at the offset that they begin with. */
static inline void steps_put(struct steps *s, const char *items, uint8_t *to, size_t size)
{
	static struct bytes bytes;
	char place[32] = "";
	int n = 0;
	sscanf(items, "%31s%n", place, &n);
	const uint64_t at = steps_value(s, place);
	bytes.n = 0;
	bytetext_line(&s->language, &bytes, items + n);
	if (at > size || bytes.n > size - at)
		cases_refuse(&s->cases, items);
	memcpy(to + at, bytes.b, bytes.n);
}

static inline void steps_statement(struct steps *s, const char *line)
{
	char verb[16] = "", rest[1024];
	sscanf(line, "%15s", verb);
	snprintf(rest, sizeof rest, "%s", line + strlen(verb) + (line[strlen(verb)] == ' '));
	if (s->more && s->more(&s->w, verb, rest))
		return;
	if (strcmp(verb, "world") == 0) {
		const struct bytes *bytes = bytetext_bytes(rest);
		s->w = s->make(bytes->b, bytes->n);
	} else if (strcmp(verb, "image") == 0) {
		steps_put(s, rest, s->w.image, WORLD_IMAGE);
	} else if (strcmp(verb, "stack") == 0) {
		steps_put(s, rest, s->w.stack, WORLD_STACK);
	} else if (strcmp(verb, "unknown") == 0) {
		s->w.unknown = (uint32_t)steps_value(s, rest);
	} else if (strcmp(verb, "frame") == 0) {
		steps_frame(s, rest);
	} else {
		cases_refuse(&s->cases, line);
	}
}

/* Whether WORD is true of the last step. */
static inline bool steps_is_true(struct steps *s, enum unwind_result result, bool proved, const char *word)
{
	static const struct {
		const char *name;
		enum unwind_result result;
	} results[] = { { "caller", UNWIND_CALLER },  { "pointer", UNWIND_POINTER }, { "scanned", UNWIND_SCANNED },
			{ "end", UNWIND_END },	      { "memory", UNWIND_MEMORY },   { "nowhere", UNWIND_NOWHERE },
			{ "damaged", UNWIND_DAMAGED } };
	for (size_t i = 0; i < sizeof results / sizeof *results; i++)
		if (strcmp(word, results[i].name) == 0)
			return result == results[i].result;
	if (strcmp(word, "no-caller") == 0)
		return result != UNWIND_CALLER;
	if (strcmp(word, "exact") == 0 || strcmp(word, "inexact") == 0)
		return s->frame.exact == (*word == 'e');
	if (strcmp(word, "proved") == 0 || strcmp(word, "unproved") == 0)
		return proved == (*word == 'p');
	if (strncmp(word, "reads<", 6) == 0)
		return s->w.reads < strtoul(word + 6, NULL, 16);
	const char *value = strchr(word, '=');
	if (!value)
		cases_refuse(&s->cases, word);
	/* A row may leave a register out. */
	if (!value[1])
		return true;
	if (strncmp(word, "arguments=", 10) == 0)
		return s->frame.arguments == steps_value(s, value + 1);
	return *steps_register(s, word) == steps_value(s, value + 1);
}

static inline void steps_check(struct steps *s, char *statements, char *expected)
{
	bool good = true, proved = false;
	const char *name = cases_rest(&s->cases, expected, ": ");
	for (char *line = statements; *line;) {
		const size_t n = strcspn(line, ";\n");
		char *const next = line + n + (line[n] ? 1 : 0);
		line[n] = '\0';
		steps_statement(s, line);
		line = next + strspn(next, " ");
	}
	s->w.reads = 0;
	const enum unwind_result result = world_step(&s->w, s->machine, &s->frame, &proved);
	for (char *word = strtok(expected, " "); word; word = strtok(NULL, " "))
		if (!steps_is_true(s, result, proved, word)) {
			good = false;
			diag("not %s", word);
		}
	if (ok(good, "%s", name))
		return;
	diag("result %d, ip %llx, proved %d, arguments %u, reads %lu", (int)result, (unsigned long long)s->frame.ip,
	     proved, (unsigned)s->frame.arguments, s->w.reads);
	for (unsigned i = 0; i < ROSSYM_UNWIND_REGISTERS; i++)
		diag("r%x=%llx", i, (unsigned long long)s->frame.registers[i]);
}

/* What a "$" and VARIABLE stand for in the row of the file; *LENGTH: of it. */
static inline const char *steps_variable(const struct case_file *cases, char variable, size_t *length)
{
	const char *part = cases->expected, *next;
	unsigned skipped = 0;
	if (variable == '0') {
		*length = strlen(cases->input);
		return cases->input;
	}
	while ((next = strstr(part, " | ")) != NULL && variable != (char)('A' + skipped)) {
		part = next + 3;
		skipped++;
	}
	*length = next ? (size_t)(next - part) : strlen(part);
	if (variable == 'A' || variable == 'B')
		return part;
	for (char word = '1'; word < variable; word++) {
		part += strcspn(part, " ");
		part += strspn(part, " ");
	}
	*length = strcspn(part, " ");
	return part;
}

/* Check the row of the file by the TEMPLATE. */
static inline void steps_check_row(struct steps *s, const char *template)
{
	char text[4096];
	size_t n = 0, length;
	for (const char *at = template; *at; at++) {
		const char *part = at;
		length = 1;
		if (*at == '$')
			part = steps_variable(&s->cases, *++at, &length);
		if (length >= sizeof text - n)
			cases_refuse(&s->cases, "too long");
		memcpy(text + n, part, length);
		n += length;
	}
	text[n] = '\0';
	char *expected = strrchr(text, '\n');
	if (!expected)
		cases_refuse(&s->cases, "nothing is expected");
	*expected = '\0';
	steps_check(s, text, expected + 1);
}

/* Check the cases of SECTION. */
static inline void steps_run(struct steps *s, const char *section)
{
	char template[sizeof s->cases.input] = "";
	while (cases_next(&s->cases, section))
		if (strcmp(s->cases.expected, "template") == 0)
			memcpy(template, s->cases.input, sizeof template);
		else if (*template)
			steps_check_row(s, template);
		else
			steps_check(s, s->cases.input, s->cases.expected);
}

static inline void steps_open(struct steps *s, const char *path)
{
	cases_open(&s->cases, path);
	bytetext_start(&s->language, &s->cases);
	s->language.base = s->base;
	s->language.address_size = s->machine == UNWIND_I386 ? 4 : 8;
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * profile.c - where a program spends its time: addresses are counted by what they are in, instead of being shown
 *
 * Counting goes by the pointers that the library hands out, which costs no more than the look-up; names are made when
 * all has been counted, and what has the same name then is put together.
 */
#include "config.h"
#include "addr2line.h"
#include "tool/address.h"
#include "tool/batch.h"
#include "tool/decimal.h"
#include "tool/diag.h"
#include "tool/lines.h"
#include "tool/tally.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct profile {
	struct request *rq;
	struct out *out;
	const struct query_rules *rules;
	const struct query_rules *innermost;	/* for the first address of a stack */
	struct tally tally;
	struct query_seen seen;
	uint64_t lookups;

	/* What waits to be looked up: addresses, and how often each is to be counted. */
	size_t count, room;
	uint64_t *rvas, *weights;
	struct rossym_frame *frames;
	struct text stack;	/* of --folded */
	struct rossym_frame *inlined;	/* the frames of one address, for it */
	size_t inlined_room;
};

/* ------------------------------------------------------------------------------------------------ answers */

static bool grow(struct profile *p)
{
	size_t room = p->room ? p->room * 2 : BATCH_SIZE;
	uint64_t *rvas = realloc(p->rvas, room * sizeof *rvas);
	p->rvas = rvas ? rvas : p->rvas;
	uint64_t *weights = realloc(p->weights, room * sizeof *weights);
	p->weights = weights ? weights : p->weights;
	struct rossym_frame *frames = realloc(p->frames, room * sizeof *frames);
	p->frames = frames ? frames : p->frames;
	if (!rvas || !weights || !frames)
		return false;
	p->room = room;
	return true;
}

static int add(struct profile *p, uint64_t rva, uint64_t weight)
{
	if (p->count == p->room && !grow(p))
		return diag_no_memory();
	p->rvas[p->count] = rva;
	p->weights[p->count++] = weight;
	return 0;
}

/* Look up what waits.  Afterwards the frames are there, and nothing waits. */
static int look_up(struct profile *p, size_t *ret_count)
{
	struct rossym_error err;
	size_t count = p->count;
	p->count = 0;
	*ret_count = count;
	if (!prepare_if_it_pays(p->rq, p->rules->image, p->lookups, count))
		return 1;
	p->lookups += count;
	if (rossym_lookup_many(p->rules->image, p->rvas, count, p->rq->lookup_flags, p->frames, &err) < 0) {
		diag_image(p->rq->path, &err);
		return 1;
	}
	return 0;
}

/* Stands for the file of an address that has none. */
static const char no_file[] = "??";

/* With -i it is the innermost frame that counts, also of a table whose rows are the outermost. */
static bool make_innermost(const struct profile *p, struct rossym_frame *frame)
{
	struct rossym_frames frames;
	struct rossym_image *inlines = p->rq->style.inlines;
	if (!inlines || !frame_is_known(frame))
		return true;
	return rossym_frames_begin(inlines, frame, &frames, NULL) == 0 && rossym_frames_next(&frames, frame);
}

static int count_frames(struct profile *p)
{
	size_t count;
	if (look_up(p, &count) != 0)
		return 1;
	for (size_t i = 0; i < count; i++) {
		struct rossym_frame *frame = &p->frames[i];
		struct tally_key key = { NULL, 0 };
		if (!make_innermost(p, frame))
			return diag_no_memory();
		if (p->rq->profile == PROFILE_FUNCTIONS)
			key.string = frame->function;
		else
			key.string = frame->file;
		if (p->rq->profile == PROFILE_LINES) {
			key.line = frame->line;
			/* "??:?" is not "??:0": something is known, but neither file nor line. */
			if (!key.string && frame_is_known(frame))
				key.string = no_file;
		}
		if (!tally_add(&p->tally, key, p->weights[i]))
			return diag_no_memory();
	}
	return 0;
}

/* ------------------------------------------------------------------------------------------------ names */

/* The name of what a key stands for, at the end of BUFFER. */
static bool put_name(struct profile *p, struct text *buffer, struct tally_key key)
{
	struct record_style *style = &p->rq->style;
	struct rossym_frame frame = { .function = key.string, .file = key.string };
	struct shown shown = { "??", 2 };
	if (key.string) {
		frame.function_length = frame.file_length = (uint32_t)strnlen(key.string, ROSSYM_LENGTH_MAX);
		shown.text = key.string;
		shown.length = frame.file_length;
		if (key.string == no_file)
			;	/* it is shown as it is */
		else if (p->rq->profile != PROFILE_FUNCTIONS && p->rq->profile != PROFILE_FOLDED)
			shown = shown_file(&style->shown_files, &frame, &style->paths);
		else if (style->demangle)
			shown = shown_function(&style->shown_functions, &frame, style->no_recursion_limit);
	}
	if (!shown.text || !text_add_bytes(buffer, shown.text, shown.length))
		return false;
	if (p->rq->profile != PROFILE_LINES)
		return true;
	char line[16], *end = line;
	*end++ = ':';
	if (key.line)
		end = decimal_put(end, key.line);
	else
		*end++ = key.string ? '?' : '0';
	return text_add_bytes(buffer, line, (size_t)(end - line));
}

static bool name_key(void *data, struct text *buffer, struct tally_key key)
{
	return put_name(data, buffer, key);
}

/* ------------------------------------------------------------------------------------------------ input */

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static char *skip_blanks(char *p)
{
	while (is_blank(*p))
		p++;
	return p;
}

static char *skip_word(char *p)
{
	while (*p && !is_blank(*p))
		p++;
	return p;
}

/* "COUNT ADDRESS", as uniq -c writes it: two words, the first of them decimal.  Returns where the address begins. */
static char *take_weight(char *text, uint64_t *weight)
{
	char *digits = skip_blanks(text), *end = digits;
	uint64_t number = 0;
	*weight = 1;
	for (; *end >= '0' && *end <= '9'; end++) {
		unsigned digit = (unsigned)(*end - '0');
		number = number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : number * 10 + digit;
	}
	char *address = skip_blanks(end);
	if (end == digits || address == end || *address == '\0')
		return text;
	*weight = number;
	return address;
}

static int add_text(struct profile *p, char *text, uint64_t weight)
{
	struct query query;
	if (!query_text(p->rules, text, &query, &p->seen))
		return 1;
	return add(p, query.rva, weight);
}

static int count_numbers(struct profile *p, const uint64_t *numbers, size_t count)
{
	uint64_t rvas[BATCH_SIZE];
	query_numbers(p->rules, numbers, count, rvas, &p->seen);
	for (size_t i = 0; i < count; i++)
		if (add(p, rvas[i], 1) != 0)
			return 1;
	return 0;
}

/* One address a line, perhaps with a count. */
static int count_lines(struct profile *p, char *text, char *end)
{
	int status = 0;
	while (text < end && status == 0) {
		uint64_t numbers[BATCH_SIZE];
		size_t count = address_lines(&text, end, numbers, BATCH_SIZE);
		status = count_numbers(p, numbers, count);
		if (status != 0 || count > 0)
			continue;
		uint64_t weight;
		char *newline = memchr(text, '\n', (size_t)(end - text));
		*newline = '\0';
		char *address = take_weight(text, &weight);
		status = add_text(p, address, weight);
		text = newline + 1;
	}
	return status ? status : count_frames(p);
}

/* Add a function to the stack. */
static bool put_function(struct profile *p, const char *function)
{
	size_t begin = p->stack.length;
	struct tally_key key = { function, 0 };
	if (!(function ? put_name(p, &p->stack, key) : text_add_bytes(&p->stack, "[unknown]", 9)) ||
	    !text_add_bytes(&p->stack, ";", 1))
		return false;
	for (char *c = p->stack.bytes + begin; c < p->stack.bytes + p->stack.length - 1; c++)
		if (*c == ';' || *c == '\n')	/* they have a meaning in the output */
			*c = ':';
	return true;
}

/* Collect the frames of the address that FRAME answers for, the innermost first.  -1: no memory. */
static int collect_inlined(struct profile *p, const struct rossym_frame *frame, size_t *count)
{
	struct rossym_frames frames;
	struct rossym_frame one;
	*count = 0;
	if (rossym_frames_begin(p->rq->style.inlines, frame, &frames, NULL) < 0)
		return -1;
	while (rossym_frames_next(&frames, &one)) {
		if (*count == p->inlined_room) {
			size_t room = p->inlined_room ? p->inlined_room * 2 : 16;
			struct rossym_frame *inlined = realloc(p->inlined, room * sizeof *inlined);
			if (!inlined)
				return -1;
			p->inlined = inlined;
			p->inlined_room = room;
		}
		p->inlined[(*count)++] = one;
	}
	return 0;
}

/* Add what one address is in to the stack, the outermost first. */
static bool put_frames(struct profile *p, const struct rossym_frame *frame)
{
	size_t count;
	if (!p->rq->style.inlines || !frame_is_known(frame))
		return put_function(p, frame->function);
	if (collect_inlined(p, frame, &count) < 0)
		return false;
	while (count-- > 0)
		if (!put_function(p, p->inlined[count].function))
			return false;
	return true;
}

/* A stack a line, the innermost address first: outermost first in the output, as flame graphs want it. */
static int fold_line(struct profile *p, char *line)
{
	struct query query;
	size_t count;
	for (char *word = skip_blanks(line), *end; *word; word = end) {
		end = skip_word(word);
		if (*end)
			*end++ = '\0';
		end = skip_blanks(end);
		/* The innermost address is where the program was, not where a call will return to. */
		if (!query_text(p->count ? p->rules : p->innermost, word, &query, &p->seen) || add(p, query.rva, 1) != 0)
			return 1;
	}
	if (p->count == 0)
		return 0;
	if (look_up(p, &count) != 0)
		return 1;
	p->stack.length = 0;
	for (size_t i = count; i-- > 0;)
		if (!put_frames(p, &p->frames[i]))
			return diag_no_memory();
	if (!tally_add_text(&p->tally, p->stack.bytes, p->stack.length - 1, 1))
		return diag_no_memory();
	return 0;
}

static int fold_lines(struct profile *p, char *text, char *end)
{
	int status = 0;
	while (text < end && status == 0) {
		char *newline = memchr(text, '\n', (size_t)(end - text));
		*newline = '\0';
		status = fold_line(p, text);
		text = newline + 1;
	}
	return status;
}

static int count_raw(struct profile *p, const unsigned char *bytes, size_t length)
{
	size_t size = p->rq->raw_bytes, count = length / size;
	uint64_t numbers[BATCH_SIZE];
	for (size_t done = 0, step; done < count; done += step) {
		step = count - done < BATCH_SIZE ? count - done : BATCH_SIZE;
		for (size_t i = 0; i < step; i++)
			numbers[i] = address_raw(bytes + (done + i) * size, size);
		if (count_numbers(p, numbers, step) != 0)
			return 1;
	}
	if (length % size)
		diag_warning("the input ends within a number of %zu bytes", size);
	return count_frames(p);
}

static int take_block(struct profile *p, char *text, char *end)
{
	if (p->rq->raw_bytes)
		return count_raw(p, (unsigned char *)text, (size_t)(end - text));
	return p->rq->profile == PROFILE_FOLDED ? fold_lines(p, text, end) : count_lines(p, text, end);
}

static int read_all(struct profile *p)
{
	struct lines lines;
	char *text, *end;
	int status = 0;
	bool more = true;
	lines_open(&lines, p->out);
	while (more && status == 0) {
		switch (p->rq->raw_bytes ? lines_bytes(&lines, p->rq->raw_bytes, &text, &end)
					 : lines_block(&lines, &text, &end)) {
		case LINES_LINE:
			status = take_block(p, text, end);
			break;
		case LINES_TOO_LONG:
			diag_warning("a line is longer than %d bytes; it is left out", LINES_LONGEST);
			break;
		case LINES_NO_MEMORY:
			status = diag_no_memory();
			break;
		case LINES_ERROR:
			diag("cannot read standard input: %s", strerror(errno));
			status = 1;
			break;
		case LINES_END:
			more = false;
			break;
		}
	}
	lines_close(&lines);
	return status;
}

static int take_operands(struct profile *p)
{
	int status = 0;
	for (int i = 0; i < p->rq->operand_count && status == 0; i++)
		status = add_text(p, p->rq->operands[i], 1);
	return status ? status : count_frames(p);
}

/* ------------------------------------------------------------------------------------------------ output */

static void put_table(struct out *out, const struct tally_line *lines, size_t count, uint64_t total)
{
	char text[64];
	int width = snprintf(text, sizeof text, "%" PRIu64, total);
	for (size_t i = 0; i < count; i++) {
		double percent = total ? 100.0 * (double)lines[i].count / (double)total : 0;
		snprintf(text, sizeof text, "%*" PRIu64 " %6.2f%%  ", width, lines[i].count, percent);
		out_text(out, text);
		out_bytes(out, lines[i].name, lines[i].length);
		out_char(out, '\n');
	}
}

static void put_folded(struct out *out, const struct tally_line *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		out_bytes(out, lines[i].name, lines[i].length);
		out_char(out, ' ');
		out_decimal(out, lines[i].count);
		out_char(out, '\n');
	}
}

static int put_all(struct profile *p)
{
	bool folded = p->rq->profile == PROFILE_FOLDED;
	struct tally_line *lines;
	size_t count;
	uint64_t total;
	if (!tally_lines(&p->tally, folded ? TALLY_BY_NAME : TALLY_BY_COUNT, name_key, p, &lines, &count, &total))
		return diag_no_memory();
	if (folded)
		put_folded(p->out, lines, count);
	else
		put_table(p->out, lines, count, total);
	free(lines);
	return 0;
}

/* RULES take numbers for what they are. */
int profile_run(struct request *rq, const struct query_rules *rules)
{
	struct query_rules returns = *rules;
	if (rq->return_addresses)
		query_take_returns(&returns);
	struct profile p = { .rq = rq, .out = rq->out, .rules = &returns, .innermost = rules };
	int status = rq->operand_count > 0 ? take_operands(&p) : read_all(&p);
	if (status == 0)
		status = put_all(&p);
	if (status == 0)
		give_hint(rules, &p.seen);
	tally_clear(&p.tally);
	text_clear(&p.stack);
	record_style_clear(&rq->style);
	free(p.rvas);
	free(p.weights);
	free(p.frames);
	free(p.inlined);
	return status;
}

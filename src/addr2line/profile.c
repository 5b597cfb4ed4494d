// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * profile.c - where a program spends its time: addresses are counted by what they are in, instead of being shown
 *
 * Counting goes by the pointers that the library hands out, which costs no more than the look-up; names are made when
 * all has been counted, and what has the same name then is put together.
 */
#include "config.h"
#include "addr2line/request.h"
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
	struct tally functions;	/* of --folded; a stack is counted as a text of function numbers, four bytes each */
	const char *last;	/* the function that was added last, and its number */
	uint32_t last_number;
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
		if (!tally_add(&p->tally, key, p->weights[i], NULL))
			return diag_no_memory();
	}
	return 0;
}

/* ------------------------------------------------------------------------------------------------ names */

/* What a key stands for, as it is shown. */
static bool name_key(void *data, struct tally_key key, struct tally_name *ret)
{
	struct profile *p = data;
	struct record_style *style = &p->rq->style;
	struct rossym_frame frame = { .function = key.string, .file = key.string };
	const bool folded = p->rq->profile == PROFILE_FOLDED;
	struct shown shown = { folded ? "[unknown]" : "??", folded ? 9 : 2 };
	if (key.string) {
		frame.function_length = frame.file_length = (uint32_t)strnlen(key.string, ROSSYM_LENGTH_MAX);
		shown.text = key.string;
		shown.length = frame.file_length;
		if (key.string == no_file)
			;	/* it is shown as it is */
		else if (p->rq->profile != PROFILE_FUNCTIONS && !folded)
			shown = paths_are_plain(&style->paths) ? shown : shown_file(&style->shown_files, &frame, &style->paths);
		else if (style->demangle)
			shown = shown_function(&style->shown_functions, &frame, style->no_recursion_limit);
	}
	*ret = (struct tally_name){ .text = shown.text, .length = shown.length, .made = key.string && shown.text != key.string };
	if (p->rq->profile == PROFILE_LINES) {
		char *end = ret->end;
		*end++ = ':';
		if (key.line)
			*decimal_put(end, key.line) = '\0';
		else
			*end = key.string ? '?' : '0';
	}
	return shown.text;
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
	/* Neighbours often have the same: a recursion, or one that was inlined again and again. */
	if ((p->functions.used == 0 || function != p->last) &&
	    !tally_add(&p->functions, (struct tally_key){ function, 0 }, 1, &p->last_number))
		return false;
	p->last = function;
	return text_add_bytes(&p->stack, (const char *)&p->last_number, sizeof p->last_number);
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
	if (!tally_add_text(&p->tally, p->stack.bytes, p->stack.length, 1))
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
		out_text(out, lines[i].end);
		out_char(out, '\n');
	}
}

/* Replace each function number in STACKS by the rank of the function's name, most significant byte first.  Before, functions
   were numbered as they came.  After, stacks of the same names are the same text, and texts sort as the names do. */
static void rank_stacks(struct text *stacks, const uint32_t *ranks)
{
	uint32_t number;
	for (size_t at = 0; at < stacks->length; at += sizeof number) {
		memcpy(&number, stacks->bytes + at, sizeof number);
		number = ranks[number];
		for (unsigned i = 0; i < sizeof number; i++)
			stacks->bytes[at + i] = (char)(number >> (24 - 8 * i));
	}
}

static void put_frame(struct out *out, const struct tally_line *function)
{
	if (!memchr(function->name, ';', function->length) && !memchr(function->name, '\n', function->length)) {
		out_bytes(out, function->name, function->length);
		return;
	}
	for (size_t i = 0; i < function->length; i++) {
		char c = function->name[i];
		out_char(out, c == ';' || c == '\n' ? ':' : c);	/* they have a meaning in the output */
	}
}

static void put_stack(struct out *out, const struct tally_line *stack, const struct tally_line *functions)
{
	for (size_t at = 0; at < stack->length; at += 4) {
		const unsigned char *bytes = (const unsigned char *)stack->name + at;
		if (at > 0)
			out_char(out, ';');
		put_frame(out, &functions[(uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3]]);
	}
	out_char(out, ' ');
	out_decimal(out, stack->count);
	out_char(out, '\n');
}

static int put_folded(struct profile *p)
{
	struct tally_line *functions = NULL, *stacks = NULL;
	uint32_t *ranks = malloc((p->functions.used + 1) * sizeof *ranks);
	size_t count;
	uint64_t total;
	int status = 1;
	if (!ranks || !tally_lines(&p->functions, TALLY_BY_NAME, name_key, p, &functions, &count, &total, ranks))
		goto out;
	rank_stacks(&p->tally.texts, ranks);
	if (!tally_lines(&p->tally, TALLY_BY_NAME, name_key, p, &stacks, &count, &total, NULL))
		goto out;
	for (size_t i = 0; i < count && !p->out->error; i++)
		put_stack(p->out, &stacks[i], functions);
	status = 0;
out:
	free(ranks);
	free(functions);
	free(stacks);
	return status ? diag_no_memory() : 0;
}

static int put_all(struct profile *p)
{
	struct tally_line *lines;
	size_t count;
	uint64_t total;
	if (p->rq->profile == PROFILE_FOLDED)
		return put_folded(p);
	if (!tally_lines(&p->tally, TALLY_BY_COUNT, name_key, p, &lines, &count, &total, NULL))
		return diag_no_memory();
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
	tally_clear(&p.functions);
	text_clear(&p.stack);
	record_style_clear(&rq->style);
	free(p.rvas);
	free(p.weights);
	free(p.frames);
	free(p.inlined);
	return status;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_row.c - rows of tables, which mean something only after the heading of their table
 *
 * A form (form.h) recognises the heading and sets context->table.  The lines after it are rows, up to the first line of
 * another form.  Rows of most tables are forms, too; these are the others.
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"

#include <string.h>

/* Queue a token for the row of a module (token.h, is_module).  The module's name, which t->fact has, ends at t->at; the
   text of the row ends at END. */
static void queue_module(struct tokens *t, size_t end)
{
	t->token = (struct token){ .begin = t->at - t->fact.module_length,
				   .end = t->at,
				   .note = end,
				   .module = t->fact.module,
				   .module_length = t->fact.module_length,
				   .is_return = IS_EXACT,
				   .tentative = true,
				   .is_module = true };
	t->has_queued_token = true;
}

/* WinDbg "lm": "80400000 80600000   nt".  rossym-log's reports of dumps have more: "80400000 80600000   ntoskrnl.exe
   DateStamp 5db90293", with "(deferred)" before "DateStamp" if no stack needs the module, or "(unloaded)" if it is not
   loaded any more. */
static enum match row_lm(struct tokens *t, size_t begin, size_t end)
{
	enum { STAMP_DIGITS = 8 };
	enum match match = match_start_end_name(t, begin, false);
	struct cursor c = cursor_at(t, t->at);
	struct number stamp;
	if (match != MATCH_FACT || !cursor_blanks(&c))
		return match;
	const bool deferred = cursor_word(&c, "(deferred)   "), unloaded = cursor_word(&c, "(unloaded)   ");
	if (cursor_word(&c, "DateStamp ") && cursor_number(&c, &stamp) && stamp.digits == STAMP_DIGITS) {
		t->fact.stamp = (uint32_t)stamp.value;
		if (unloaded)
			t->fact.kind = FACT_STAMP;
		if (!deferred)
			queue_module(t, end);
		t->at = t->length;
	}
	return match;
}

/* Dr. Watson: "0012FE10 7C92F0A1 00000000 00000001 0012FE40 7C5E1234 ntdll!RtlpFoo +0x1a".  The second number is the
   address.  After the sixth, there must be text with a "!", or nothing: then a mailer has wrapped the line there. */
static enum match row_watson_stack(struct tokens *t, struct context *context, size_t begin, size_t end)
{
	struct cursor c = cursor_at(t, begin);
	struct number number, place = { .value = 0 };
	size_t last = c.at;
	for (int i = 0; i < 6; i++) {
		if ((i > 0 && !cursor_blanks(&c)) || !cursor_number(&c, &number) || number.digits < 8)
			return MATCH_NONE;
		if (i == 1)
			place = number;
		last = c.at;
	}
	if (end > last && (!cursor_blanks(&c) || !memchr(t->text + c.at, '!', end - c.at)))
		return MATCH_NONE;
	context->cut_row_line = end == last || !memchr(t->text + last, '+', end - last) ? context->line : 0;
	t->token = (struct token){ .begin = begin,
				   .end = end,
				   .note = end,
				   .absolute = true,
				   .number = place.value,
				   .is_return = context_watson_row(context) };
	t->at = t->length;
	return MATCH_TOKEN;
}

/* Returns what the address in KDBG's column EIP is: for a thread that waits in the kernel, a return address from its
   stack; else the instruction where the thread left user mode.  A STAR marks the thread in which KDBG runs; its address
   can be either. */
static enum is_return thread_is_return(bool star, uint64_t address)
{
	const uint64_t kernel = 0x80000000; /* the lowest address of the kernel on i386 */
	return star ? IS_OPEN : address >= kernel ? IS_RETURN : IS_EXACT;
}

/* Whether the text has the numbers of KDBG's columns TID, Affinity, EBP and EIP, which begin with "0x". */
static bool has_thread_columns(const char *text, size_t length)
{
	enum { COLUMNS = 4 };
	unsigned columns = 0;
	for (size_t at = 0; at + 1 < length; at++)
		columns += text[at] == '0' && text[at + 1] == 'x' && (at == 0 || !is_word(text[at - 1]));
	return columns >= COLUMNS;
}

/* KDBG "thread list": " *0x00000004  Running  ...  0xf1234567  0x80412345".  The last number, of the column EIP, is the
   address. */
static enum match row_thread(struct tokens *t, size_t begin, size_t end)
{
	size_t at = end;
	struct number number;
	while (at > begin && is_word(t->text[at - 1]))
		at--;
	if (at == begin || number_parse(t->text + at, end - at, &number) != end - at || !number.prefix ||
	    number.digits < 8 || !has_thread_columns(t->text + begin, end - begin))
		return MATCH_NONE;
	t->token = (struct token){ .begin = at,
				   .end = end,
				   .note = end,
				   .absolute = true,
				   .number = number.value,
				   .is_return = thread_is_return(t->text[begin] == '*', number.value) };
	t->at = t->length;
	return MATCH_TOKEN;
}

/* NT 4: "8014004c fc873d6c fc873d6c ff05e051 00000000 ff05e04b 0000002f - i8042prt.SYS <-".  The first number is an
   address on the stack; the second is the word there, which points into the driver; then come the words from there on.
   Such a word can be a return address, the place of a fault or data, so it is open. */
static enum match row_nt_stack(struct tokens *t, size_t begin, size_t end)
{
	enum { LEAST_COLUMNS = 3 };
	struct cursor c = cursor_at(t, begin);
	struct number number, place[2] = { { .value = 0 } };
	unsigned column = 0;
	for (; cursor_number(&c, &number) && number.digits == 8 && !number.prefix && cursor_char(&c, ' '); column++)
		if (column == 1 || column == 2)
			place[column - 1] = number;
	if (column < LEAST_COLUMNS || place[0].value != place[1].value || place[0].value == 0 ||
	    !cursor_word(&c, "- ") || c.at >= end)
		return MATCH_NONE;
	t->token = (struct token){
		.begin = begin, .end = end, .note = end, .absolute = true, .number = place[0].value
	};
	t->at = t->length;
	return MATCH_TOKEN;
}

/* Read "0425BC22|app.exe   |" at C, which is after a "|": a number and the name of a module.  Stores the end of the number, and position and length of the name. */
static bool take_cells(struct cursor *c, struct number *number, size_t *ret_end, size_t *ret_name, size_t *ret_length)
{
	if (!cursor_number(c, number) || number->prefix || (number->digits != 8 && number->digits != 16))
		return false;
	*ret_end = c->at;
	if (!cursor_char(c, '|'))
		return false;
	*ret_name = c->at;
	while (!cursor_at_end(c) && c->text[c->at] != '|')
		c->at++;
	*ret_length = c->at - *ret_name;
	while (*ret_length > 0 && is_blank(c->text[*ret_name + *ret_length - 1]))
		--*ret_length;
	return match_is_module(c->text + *ret_name, *ret_length) && cursor_char(c, '|');
}

/* MATCH is the result for a line of EurekaLog's table.  Returns MATCH; but in place of MATCH_NONE, returns MATCH_QUIET
   for a line that begins with "|" or is a rule: so that line does not end the table. */
static enum match eureka_result(struct tokens *t, size_t begin, enum match match)
{
	struct cursor c = cursor_at(t, begin);
	const bool belongs = cursor_char(&c, '|') || cursor_word(&c, "---");
	if (match == MATCH_NONE && !belongs)
		return MATCH_NONE;
	t->at = t->length;
	return match == MATCH_NONE ? MATCH_QUIET : match;
}

/* EurekaLog: "|00000020|04     |0018BE58|0425BC22|app.exe|000CBC22|...", where the address, the module and the offset
   are in the cells 4 to 6; before version 7, "|004D316F|app.exe|Unit9.pas|..." without an offset */
static enum match row_eureka_stack(struct tokens *t, struct context *context, size_t begin)
{
	enum { BEFORE_MAX = 3 };
	struct cursor c = cursor_at(t, begin);
	struct number address, offset;
	size_t at = begin, end, name, length;
	bool found = false, corrected;
	uint64_t base;
	for (unsigned cell = 0; cell <= BEFORE_MAX && !found && cursor_char(&c, '|'); cell++) {
		at = c.at;
		found = take_cells(&c, &address, &end, &name, &length);
		for (c.at = found ? c.at : at; !found && !cursor_at_end(&c) && c.text[c.at] != '|';)
			c.at++;
	}
	if (!found)
		return eureka_result(t, begin, MATCH_NONE);
	if (!cursor_number(&c, &offset) || offset.digits != address.digits)
		return eureka_result(
			t, begin,
			match_named(t, match_trace_row(t, context, match_absolute(t, at, end, address.value, IS_OPEN)),
				    t->text + name, length));
	if (!match_derive_base(address.value, offset.value, &base, &corrected) || corrected)
		return eureka_result(t, begin, MATCH_NONE);
	enum match match = match_relative(t, at, c.at, in_module(t->text + name, length, offset.value), IS_OPEN);
	return eureka_result(t, begin, match_trace_row(t, context, match_with_base(t, match, base)));
}

/* EurekaLog: "|00400000|app.exe   |...": base and name of a module */
static enum match row_eureka_module(struct tokens *t, size_t begin)
{
	struct cursor c = cursor_at(t, begin);
	struct number base;
	size_t end, name, length;
	if (!cursor_char(&c, '|') || !take_cells(&c, &base, &end, &name, &length))
		return eureka_result(t, begin, MATCH_NONE);
	return match_loaded(t, t->length, t->text + name, length, base.value, 0);
}

bool match_may_be_row(const struct tokens *t)
{
	size_t at = t->begin;
	if (match_is_too_long(t, 0))
		return false;
	while (at < t->length && (is_blank(t->text[at]) || t->text[at] == '*' || t->text[at] == '('))
		at++;
	while (at < t->length && (is_hex(t->text[at]) || t->text[at] == 'x' || t->text[at] == '`'))
		at++;
	return at == t->length || is_blank(t->text[at]) || t->text[at] == '\r';
}

/* Match a row of TABLE, from BEGIN up to END. */
static enum match row_of(struct tokens *t, struct context *context, enum table table, size_t begin, size_t end)
{
	switch (table) {
	case TABLE_NONE:
	case TABLE_VERSION:
	case TABLE_WINE:
	case TABLE_JAVA:
	case TABLE_NT_DRIVERS:
	case TABLE_MOD:
	case TABLE_WATSON_MODULES:
		break;
	case TABLE_LM:
		return row_lm(t, begin, end);
	case TABLE_THREADS:
		return row_thread(t, begin, end);
	case TABLE_NT_STACK:
		return row_nt_stack(t, begin, end);
	case TABLE_EUREKA_STACK:
		return row_eureka_stack(t, context, begin);
	case TABLE_EUREKA_MODULES:
		return row_eureka_module(t, begin);
	case TABLE_WATSON_STACK:
		return row_watson_stack(t, context, begin, end);
	}
	return MATCH_NONE;
}

enum match match_row(struct tokens *t, struct context *context)
{
	size_t begin = t->begin, end = match_text_end(t);
	bool may_be = match_may_be_row(t);
	if (context->table == TABLE_VERSION)
		context->table = TABLE_NONE; /* it has one row */
	/* The rows of these tables need not begin with a number. */
	const bool any = (context->table == TABLE_EUREKA_STACK || context->table == TABLE_EUREKA_MODULES) &&
			 !match_is_too_long(t, 0);
	if (begin >= end)
		return MATCH_NONE;
	enum match match = row_of(t, context, may_be || any ? context->table : TABLE_NONE, begin, end);
	/* A line of another form ends the table, with two exceptions in Dr. Watson's stack: the second line of its
	   heading, "FramePtr ReturnAd ...", comes before the first row; and a mailer may have put the end of a row, up
	   to the offset, on the next two lines. */
	enum { REST_LINES_MAX = 2 };
	const bool continues = context->table == TABLE_WATSON_STACK &&
			       (context->rows == 0 ||
				(context->cut_row_line > 0 && context->line <= context->cut_row_line + REST_LINES_MAX));
	if (match == MATCH_NONE && continues && memchr(t->text + begin, '+', end - begin))
		context->cut_row_line = 0;
	if (match == MATCH_NONE && !continues)
		context->table = TABLE_NONE;
	return match;
}

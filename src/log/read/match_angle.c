// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_angle.c - the token of KDBG and of kernel32, and the load address that kernel32 prints after it
 *
 *     <ntoskrnl.exe:89b21>					module and RVA
 *     <win32k.sys: 0001A2B3>					KeRosDumpStackFrames: a blank, and leading zeros
 *     <\SystemRoot\System32\win32k.sys: 1a2b3>			the same before 2012, with a path
 *     <ntoskrnl.exe:89b21 (ke/bug.c:1066 (KeBugCheckWithTf))>	with a note
 *     [FFFFF88003CFB490] <ntoskrnl.exe:7bdd0>			x64: the stack pointer comes first
 *     <my driver.sys:1230>					a module with a blank in its name
 *     <80953369>						an address that is in no module of KDBG's list
 *     <ntdll.dll:f0a1> (C:\ReactOS\system32\ntdll.dll@7c920000)	kernel32: with path and base
 *
 * Markdown renders "<a.dll:10>" as a link, and web pages hide it as a tag.  So the brackets may have got lost; after a
 * heading of KDBG or kernel32, a row without them is a token, too.
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"
#include "log/read/note.h"

#include <string.h>

/* Whether NAME, which has a blank, may be a module's name: "my driver.sys" may; "if a", "key k, hal.dll" may not. */
static bool is_module_name_with_blank(const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!is_module_char(name[i]) && !strchr(" ()", name[i]))
			return false;
	return match_is_module_name(name, length);
}

/* Read the module of "<module:" and the colon.  In "<C:\ReactOS\win32k.sys: 1a2b3>" the first colon belongs to the
   drive: a letter comes before it and a separator after it. */
static bool read_module_and_colon(struct cursor *c, const char **module, size_t *length)
{
	size_t begin = c->at;
	bool path = false, blank = false;
	for (; !cursor_is_at_end(c); c->at++) {
		char ch = c->text[c->at];
		if (c->at - begin > NAME_LENGTH_MAX)
			return false;
		if (ch == ':') {
			bool drive = c->at > begin && is_letter(c->text[c->at - 1]) &&
				     (c->at - 1 == begin || is_separator(c->text[c->at - 2]));
			if (drive && c->at + 1 < c->end && is_separator(c->text[c->at + 1])) {
				path = true;
				continue;
			}
			*module = c->text + begin;
			*length = c->at - begin;
			c->at++;
			return !blank || is_module_name_with_blank(*module, *length);
		}
		path |= is_separator(ch);
		blank |= ch == ' ' && !path;
		/* NT's own paths begin with "\??\". */
		if ((!is_path_char(ch) && !(ch == '?' && path)) || (blank && (path || c->at == begin)))
			return false;
	}
	return false;
}

enum { POINTER_DIGITS = 16, POINTER_LENGTH = 1 + POINTER_DIGITS + 2 }; /* "[FFFFF88003CFB490] " */

/* Store in SPELLING->has_pointer, and return, whether "[stack pointer] " is right before AT. */
static bool find_stack_pointer(const struct tokens *t, size_t at, struct spelling *spelling)
{
	struct number pointer;
	if (at < POINTER_LENGTH || at > t->length)
		return false;
	const char *text = t->text + at - POINTER_LENGTH;
	spelling->has_pointer = text[0] == '[' && text[POINTER_LENGTH - 2] == ']' && text[POINTER_LENGTH - 1] == ' ' &&
				number_parse(text + 1, POINTER_DIGITS, &pointer) == POINTER_DIGITS && !pointer.prefix;
	return spelling->has_pointer;
}

/* Find kernel32's " (path@base)" at AT.  The path is absolute or empty, so "(see mail@12)" is something else; the path
   may have an "@" or a parenthesis.  Returns whether the text is there.  If so, stores the base in *BASE, the position
   of the "@" before it in *SIGN, and where the text ends in *END. */
static bool find_path_and_base(const struct tokens *t, size_t at, size_t *sign, size_t *end, struct number *base)
{
	struct cursor c = cursor_make(t, at);
	if (!cursor_read_word(&c, " ("))
		return false;
	size_t begin = c.at;
	for (; !cursor_is_at_end(&c) && c.at - begin < NAME_LENGTH_MAX; c.at++) {
		struct cursor after = cursor_make(t, c.at + 1);
		if (c.text[c.at] != '@' || !cursor_read_number(&after, base) || !cursor_read_char(&after, ')'))
			continue;
		*sign = c.at;
		*end = after.at;
		return c.at == begin || match_is_absolute_path(c.text + begin, c.at - begin);
	}
	return false;
}

/* Store in *SPELLING what follows the token that ends at AT.  Sets spelling->row to false if more text follows. */
static void read_text_after_token(const struct tokens *t, size_t at, struct spelling *spelling)
{
	struct number base;
	size_t sign, end;
	struct cursor c = cursor_make(t, at);
	spelling->loaded = find_path_and_base(t, at, &sign, &end, &base);
	if (spelling->loaded)
		c.at = end;
	spelling->colon = cursor_read_word(&c, ": ");
	spelling->row &= spelling->colon || cursor_skip_to_line_end(&c);
}

/*
 * When KDBG is entered at a breakpoint, it prints the address of the breakpoint.  Its trace begins with the same place
 * as an RVA:
 *
 *     Entered debugger on embedded INT3 at 0x0008:0x8058324B.
 *     Eip:
 *     <ntoskrnl.exe:18324c>
 *
 * So base = address + 1 - RVA, because the RVA is that of the byte after the INT3.  A base that is no multiple of a
 * page shows that the two lines do not belong together.
 */
static void queue_kernel_base(struct tokens *t, struct context *context)
{
	const struct token *token = &t->token;
	uint64_t base = context->int3_address + 1 - token->number;
	context->int3 = false;
	if (context->int3_address >= token->number && (base & 0xfff) == 0 && base > 0)
		match_queue_base(t, base);
}

/* What is between the angle brackets. */
struct angle_content {
	const char *module;
	size_t module_length;
	struct number number;
	size_t end; /* where the number ends */
	bool cut;   /* the line ends inside a note of KDBG after the number, so the ">" is missing */
};

/* Read "80953369" or "module:89b21" at C.  BRACKETS: angle brackets are around this text; otherwise they have got lost.
   An address without a module has at least 5 digits in brackets, and 8 or 16 without brackets. */
static bool read_address_or_rva(struct cursor *c, struct angle_content *inside, struct spelling *spelling,
				bool brackets)
{
	const struct number *number = &inside->number;
	const struct cursor from = *c;
	spelling->bare = cursor_read_number(c, &inside->number) &&
			 (brackets ? number->digits >= 5 && !cursor_is_at_end(c) && memchr("> ", c->text[c->at], 2)
				   : number->digits == 8 || number->digits == 16);
	if (!spelling->bare) {
		*c = from;
		if (!read_module_and_colon(c, &inside->module, &inside->module_length))
			return false;
		const size_t spaces = cursor_skip_blanks(c);
		spelling->space = spaces > 0;
		spelling->path = match_has_separator(inside->module, inside->module_length);
		if (spaces > 16 || !cursor_read_number(c, &inside->number) ||
		    (!brackets &&
		     (number->digits < LEAST_WRITTEN || !match_is_module_name(inside->module, inside->module_length))))
			return false;
		spelling->padded = number->digits == 8 || number->digits == 16;
	}
	inside->end = c->at;
	return true;
}

/* Whether TEXT, the beginning of a note, has a line number: ":1066 (" anywhere, or ":1066" at its end. */
static bool has_line_number(const char *text, size_t length)
{
	uint32_t line;
	size_t at = length;
	while (at > 0 && is_digit(text[at - 1]))
		at--;
	return (at < length && at > 0 && text[at - 1] == ':') || note_find_line(text, length, &line) < length;
}

/* Whether the line ends inside a note of KDBG that begins at C, because a mailer has wrapped the line.  Such a note
   begins with a blank, which shows that the number before it was not cut. */
static bool has_cut_note(const struct cursor *c, const struct angle_content *inside, size_t text_end)
{
	return c->at < c->end && inside->module_length > 0 &&
	       match_is_module_name(inside->module, inside->module_length) &&
	       note_is_cut(c->text + c->at, c->end - c->at) && has_line_number(c->text + c->at, text_end - c->at);
}

/* Read what is between the brackets, and the ">", which is missing after a note that was cut. */
static bool read_angle_content(struct tokens *t, struct cursor *c, struct angle_content *inside,
			       struct spelling *spelling)
{
	if (!read_address_or_rva(c, inside, spelling, true))
		return false;
	inside->cut = !cursor_read_char(c, '>') && has_cut_note(c, inside, match_find_trimmed_end(t));
	return inside->cut || c->at > inside->end;
}

/* Make the token, which is the text from BEGIN to END, of what is INSIDE the brackets. */
static void make_angle_token(struct tokens *t, struct context *context, const struct angle_content *inside,
			     const struct spelling *spelling, size_t begin, size_t end)
{
	/* A carriage return was a newline in a string of JSON, so the token is not on the line of the heading. */
	if (begin > 0 && t->text[begin - 1] == '\r')
		context->on_heading_line = false;
	bool blank = inside->module && memchr(inside->module, ' ', inside->module_length) && !spelling->path;
	t->token = (struct token){
		.begin = begin,
		.end = end,
		.note = inside->end,
		.module = inside->module,
		.module_length = inside->module_length,
		.absolute = inside->module_length == 0,
		.number = inside->number.value,
		.is_return = context_count_token(context, spelling),
		.tentative = inside->module_length > 0 &&
			     (blank || !match_may_have_extension(inside->module, inside->module_length)),
	};
	if (t->token.is_return == IS_EXACT && context_is_corrected(context, spelling))
		t->token.subtracted = KDBG_SUBTRACTS;
	if (t->token.is_return == IS_OPEN && !t->token.absolute && !spelling->space && !spelling->path)
		t->token.subtracted = KDBG_SUBTRACTS;
	if (context->int3 && context->heading == HEADING_EIP && inside->module_length > 0)
		queue_kernel_base(t, context);
}

enum match match_angle(struct tokens *t, struct context *context)
{
	size_t begin = t->at;
	struct angle_content inside = { .module = NULL };
	struct spelling spelling = { .exact = t->code || (t->pc_end > 0 && begin - t->pc_end <= 1) };
	spelling.row = find_stack_pointer(t, begin, &spelling) || begin == t->begin;

	struct cursor c = cursor_make(t, begin + 1);
	if (!read_angle_content(t, &c, &inside, &spelling))
		return MATCH_NONE;
	read_text_after_token(t, c.at, &spelling);
	make_angle_token(t, context, &inside, &spelling, begin, c.at);
	t->code |= spelling.row && spelling.colon && t->token.is_return == IS_EXACT;
	/* Read no token in a note that was cut. */
	t->at = inside.cut ? t->length : c.at;
	return MATCH_TOKEN;
}

enum match match_bare_row(struct tokens *t, struct context *context)
{
	struct angle_content inside = { .module = NULL };
	struct spelling spelling = { .row = true };
	if (!context_may_have_frames(context) || (t->begin < t->length && t->text[t->begin] == '<'))
		return MATCH_NONE;
	const size_t begin = t->begin +
			     (find_stack_pointer(t, t->begin + POINTER_LENGTH, &spelling) ? POINTER_LENGTH : 0);
	struct cursor c = cursor_make(t, begin);
	if (!read_address_or_rva(&c, &inside, &spelling, false))
		return MATCH_NONE;
	read_text_after_token(t, c.at, &spelling);
	/* match_number() reads lines with several numbers, and numbers after the "Frames:" of an unknown program. */
	if (!spelling.row || spelling.colon ||
	    (spelling.bare && !spelling.has_pointer && context->heading == HEADING_FRAMES))
		return MATCH_NONE;
	make_angle_token(t, context, &inside, &spelling, begin, inside.end);
	t->at = inside.end;
	return MATCH_TOKEN;
}

enum match match_loaded_path(struct tokens *t)
{
	size_t begin = t->at + 1, sign, end;
	struct number base;
	/* The token before ends with ">", or its brackets have got lost. */
	if (t->at < 2 || (t->text[t->at - 2] != '>' && t->token_end + 1 != t->at))
		return MATCH_NONE;
	if (!find_path_and_base(t, t->at - 1, &sign, &end, &base) || sign == begin || base.value == 0)
		return MATCH_NONE;
	const enum match match = match_make_loaded_fact(t, end, t->text + begin, sign - begin, base.value, 0);
	t->fact.user = true;
	return match;
}

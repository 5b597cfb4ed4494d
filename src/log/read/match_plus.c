// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_plus.c - addresses with a "+" in them
 *
 *     win32k+0x1a2b3					WinDbg, without symbols: a module and an RVA
 *     win32k+1a2b3						WinDbg's !analyze (match_windbg.c)
 *     win32k.sys+1a2b3					people write it so, without the "0x"
 *        7c920000+f0a1       C:\ReactOS\system32\ntdll.dll	kernel32 before 2017: base, RVA, path of the module
 *              0+7c92f0a1				ntdll's handler, which does not know the base: an address
 *
 * A "+" is common in other text, so the matcher is called at the "+" and looks back for the module.
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"

/* Find the path after the numbers, which end at AT, and store its *BEGIN and *END.  Returns false if there is none. */
static bool find_path(const struct tokens *t, size_t at, size_t *begin, size_t *end)
{
	*end = match_text_end(t);
	*begin = at;
	while (*begin < *end && is_blank(t->text[*begin]))
		(*begin)++;
	return *begin < *end;
}

/* Match "   7c920000+f0a1       C:\ReactOS\system32\ntdll.dll" or "          0+7c92f0a1".  BEGIN is the position of the
   base.  The path ends with the line. */
static enum match match_base_and_offset(struct tokens *t, struct context *context, size_t begin)
{
	struct number base, offset;
	if (number_parse(t->text + begin, t->at - begin, &base) != t->at - begin || base.digits > 16 || base.prefix)
		return MATCH_NONE;
	struct cursor c = cursor_at(t, t->at + 1);
	if (!cursor_number(&c, &offset))
		return MATCH_NONE;
	if (offset.prefix || (base.value == 0 ? offset.digits : base.digits) < 5)
		return MATCH_NONE;
	if (match_is_too_long(t, c.at))
		return MATCH_NONE;
	size_t path_begin, path_end;
	bool has_path = find_path(t, c.at, &path_begin, &path_end);
	size_t path_length = path_end - path_begin, note = has_path ? path_end : c.at;
	if (base.value != 0 && !match_is_path(t->text + path_begin, path_length))
		return MATCH_NONE;
	t->token = (struct token){
		.begin = begin,
		.end = note,
		.note = note,
		.module = t->text + path_begin,
		.module_length = base.value ? path_length : 0,
		.absolute = base.value == 0,
		.number = offset.value,
		.is_return = context_token(context, &(struct spelling){ .loaded = true, .row = begin == t->begin }),
	};
	t->at = note;
	if (base.value == 0)
		return MATCH_TOKEN;
	enum match match = match_with_base(t, MATCH_TOKEN, base.value);
	t->queued.user = true;
	return match;
}

enum match match_plus(struct tokens *t, struct context *context)
{
	const size_t least = t->at < t->begin ? 0 : t->begin, begin = match_name_before(t, t->at, least);
	if (begin == t->at)
		return match_bare_plus(t, context);
	if (is_digit(t->text[begin]) && begin > 0 && t->text[begin - 1] == '(')
		return match_edk2(t, context, begin);
	if (begin == least || is_blank(t->text[begin - 1])) {
		enum match match = match_base_and_offset(t, context, begin);
		if (match != MATCH_NONE)
			return match;
	}
	/* "nt!KiDispatchException+0x25" is a symbol and an offset from it: WinDbg had the symbols, so
	   it needs no answer. */
	if (begin > least && (t->text[begin - 1] == '!' || t->text[begin - 1] == ':' || t->text[begin - 1] == '@'))
		return MATCH_NONE;
	if (!is_letter(t->text[begin]) && t->text[begin] != '_')
		return MATCH_NONE;
	struct cursor c = cursor_at(t, t->at + 1);
	struct number number;
	if (!cursor_number(&c, &number))
		return MATCH_NONE;
	/* winedbg's "EntryPoint+0x10() in ntdll" is also a symbol and an offset (match_trace.c). */
	struct cursor after = cursor_at(t, c.at);
	if (cursor_word(&after, "() in "))
		return MATCH_NONE;
	enum is_return kind = context_in_place(context) ? context->place_kind : IS_OPEN;
	if (number.prefix || (t->may_have_place && number.digits >= LEAST_WRITTEN))
		return match_listed(
			t, context,
			match_relative(t, begin, c.at, in_module(t->text + begin, t->at - begin, number.value), kind));
	/* "ntoskrnl.exe+8f9b0".  Other text has this form, too: parts of URLs, "a.exe+1". */
	if (number.digits < LEAST_WRITTEN || !match_is_module(t->text + begin, t->at - begin) ||
	    (begin > least && !match_may_surround(t->text[begin - 1])))
		return MATCH_NONE;
	return match_listed(t, context, match_written(t, begin, c.at, t->text + begin, t->at - begin, number.value));
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/query.h"
#include "tool/address.h"
#include "tool/diag.h"
#include "tool/ascii.h"
#include "answer/symbol.h"

#include <inttypes.h>
#include <string.h>

/* Cap rules->span so that query_convert_numbers() rejects numbers below rules->low: for these, `number - low` wraps. */
static void cap_span(struct query_rules *rules)
{
	uint64_t most = rules->low ? 0 - rules->low : UINT64_MAX;
	if (rules->span > most)
		rules->span = most;
}

void query_make_rules(struct query_rules *rules, struct rossym_image *image, const char *path, struct symbols *symbols,
		      const struct query_base *base)
{
	struct rossym_info info = { .size = sizeof info };
	rossym_get_info(image, &info, NULL);
	*rules = (struct query_rules){
		.image = image,
		.path = path,
		.symbols = symbols,
		.image_base = info.image_base,
		.size_of_image = info.size_of_image,
		.span = UINT64_MAX,
	};
	if (base->origin == FROM_VMA || base->origin == FROM_ADJUSTED)
		rules->low = info.image_base;
	if (base->origin == FROM_LOAD_ADDRESS || base->origin == FROM_ADJUSTED)
		rules->low += base->load_address;
	if (base->origin == FROM_SECTION) {
		rules->add = base->section->rva;
		rules->span = base->section->size;
	}
	cap_span(rules);
}

void query_adjust_for_returns(struct query_rules *rules)
{
	rules->returns = true;
	if (rules->low < UINT64_MAX)
		rules->low++;
	else
		rules->span = 0;
	cap_span(rules);
}

/* Whether NUMBER can be an address.  Programs print 0 or all ones for "no address". */
static bool may_be_address(uint64_t number)
{
	return number != 0 && number != UINT32_MAX && number != UINT64_MAX;
}

/* Set seen->number if one of NUMBERS can be an address, and seen->inside if one of RVAS is in the image. */
static void set_seen_flags(const struct query_rules *rules, const uint64_t *numbers, const uint64_t *rvas, size_t count,
			   struct query_seen *seen)
{
	for (size_t i = 0; i < count && !(seen->number && seen->inside); i++) {
		seen->number |= may_be_address(numbers[i]);
		seen->inside |= rvas[i] < rules->size_of_image;
	}
}

void query_convert_numbers(const struct query_rules *rules, const uint64_t *numbers, size_t count, uint64_t *rvas,
			   struct query_seen *seen)
{
	const uint64_t low = rules->low, span = rules->span, add = rules->add;
	for (size_t i = 0; i < count; i++) {
		/* For numbers below `low`, this wraps to `span` or more: see cap_span(). */
		uint64_t above = numbers[i] - low;
		rvas[i] = above < span ? above + add : UINT64_MAX;
	}
	set_seen_flags(rules, numbers, rvas, count, seen);
}

/* Make *QUERY from ADDRESS.  Returns false if ADDRESS is a symbol or needs a message. */
static bool make_query_silently(const struct query_rules *rules, const struct address *address, struct query *query,
				struct query_seen *seen)
{
	*query = (struct query){
		.kind = QUERY_ADDRESS, .rva = UINT64_MAX, .name = address->name, .name_length = address->name_length
	};
	switch (address->kind) {
	case ADDRESS_NUMBER:
		query->shown = address->number;
		query_convert_numbers(rules, &address->number, 1, &query->rva, seen);
		return true;
	case ADDRESS_MODULE:
		if (!symbol_is_name_of_module(rules->path, address->name, address->name_length))
			return false;
		query->shown = query->rva = address->number;
		seen->inside |= query->rva < rules->size_of_image;
		return true;
	case ADDRESS_SYMBOL:
		break;
	}
	return false;
}

/* Find the symbol of ADDRESS, and store in *QUERY its RVA plus the offset to it.  False after an error message. */
static bool look_up_symbol(const struct query_rules *rules, const struct address *address, struct query *query,
			   struct query_seen *seen)
{
	struct symbol symbol;
	int found = symbol_find(rules->symbols, rules->image, rules->path, address->name, address->name_length,
				&symbol);
	if (found < 0)
		return false;
	query->is_symbol = !symbol.is_module;
	if (found == 0) {
		query->is_symbol = true;
		query->kind = QUERY_NO_SYMBOL; /* with -a, address 0 is printed, as GNU addr2line does */
		return true;
	}
	query->rva = symbol.is_module ? address->rva : symbol.rva + address->number;
	query->shown = symbol.is_module ? query->rva : rules->image_base + query->rva;
	seen->inside |= query->rva < rules->size_of_image;
	return true;
}

bool query_begins_with_word(const char *text, const char *word, const char **rest)
{
	const size_t length = strlen(word);
	while (is_space(*text))
		text++;
	if (strncmp(text, word, length) != 0 || !is_space(text[length]))
		return false;
	for (text += length; is_space(*text); text++)
		;
	*rest = text;
	return true;
}

/* Skip the word at P, which may be in quotes, and the blanks after it.  Returns where the rest begins. */
static const char *skip_word(const char *p)
{
	const char quote = *p == '"' || *p == '\'' ? *p : '\0';
	for (p += quote != '\0'; *p && (quote ? *p != quote : !is_space(*p)); p++)
		;
	for (p += *p == quote && quote; is_space(*p); p++)
		;
	return p;
}

/* Whether TEXT is a word and a number, and the word begins with a letter from A to F, as in "CODE 0x10" and "driver.sys
   10".  GNU addr2line parses these as the addresses 0xC and 0xD. */
static bool is_word_and_number(const char *text)
{
	const char *end;
	while (is_space(*text))
		text++;
	if ((*text | 0x20) < 'a' || (*text | 0x20) > 'f')
		return false;
	(void)address_parse_number(text, &end);
	const char *rest = skip_word(text);
	return *end != '\0' && !is_space(*end) && is_digit(*rest);
}

bool query_parse_silently(const struct query_rules *rules, const char *text, struct query *query,
			  struct query_seen *seen)
{
	struct address address;
	const char *rest;
	address_parse(text, &address);
	if (rules->has_commands &&
	    (query_begins_with_word(text, "CODE", &rest) || query_begins_with_word(text, "DATA", &rest)))
		return false;
	return !is_word_and_number(text) && make_query_silently(rules, &address, query, seen);
}

/* Returns a hint: how to give this program what TEXT seems to mean.  NULL if TEXT can be a symbol. */
static const char *suggest_form(const char *text)
{
	const char *rest, *end;
	if (query_begins_with_word(text, "CODE", &rest) || query_begins_with_word(text, "DATA", &rest))
		return "--output-style=LLVM answers that";
	rest = skip_word(text);
	(void)address_parse_number(rest, &end);
	if (is_digit(*rest) && (*end == '\0' || is_space(*end)))
		return "give the image with -e, and only the address here";
	const char *mark = strchr(text, '!');
	if (mark && mark > text && mark[1])
		return "give the image with -e, and no module before the symbol";
	return strchr("[]{}()\"'|;", *text) ? "that is neither an address nor a symbol" : NULL;
}

/* If TEXT looks like the input of another program, print how to write it for this program, but do so only once.  There
   is no other message for such a text, because in GNU addr2line's grammar, every text is an address or a symbol. */
static void print_hint_about_text(const struct query_rules *rules, const char *text, struct query_seen *seen)
{
	enum { SHOWN_LENGTH_MAX = 60 };
	if (seen->hinted || rules->has_commands)
		return;
	while (is_space(*text))
		text++;
	const char *how = *text ? suggest_form(text) : NULL;
	if (!how)
		return;
	size_t length = strcspn(text, "\r\n");
	seen->hinted = true;
	diag_hint("'%.*s': %s", (int)(length < SHOWN_LENGTH_MAX ? length : SHOWN_LENGTH_MAX), text, how);
}

bool query_parse_text(const struct query_rules *rules, const char *text, struct query *query, struct query_seen *seen)
{
	struct address address;
	const bool data = rules->has_commands && query_begins_with_word(text, "DATA", &text);
	if (rules->has_commands && !data)
		query_begins_with_word(text, "CODE", &text);
	address_parse(text, &address);
	bool good = true;
	if (make_query_silently(rules, &address, query, seen)) {
		if (is_word_and_number(text))
			print_hint_about_text(rules, text, seen);
	} else if (address.kind == ADDRESS_MODULE) {
		diag_warning("<%.*s:%" PRIx64 ">: not in %s", (int)address.name_length, address.name, address.number,
			     rules->path);
		query->kind = QUERY_OTHER_MODULE;
		query->shown = address.number;
	} else {
		good = look_up_symbol(rules, &address, query, seen);
		/* No symbol: the name of the image alone, for RVA 0, which the user hardly meant. */
		if (good && (query->kind == QUERY_NO_SYMBOL || !query->is_symbol))
			print_hint_about_text(rules, text, seen);
	}
	if (data && query->kind != QUERY_OTHER_MODULE)
		query->kind = QUERY_DATA;
	return good;
}

void query_print_hint(const struct query_rules *rules, const struct query_seen *seen)
{
	/* A bare table has no size, and a damaged header can have the size 0. */
	if (!seen->number || seen->inside || rules->size_of_image == 0)
		return;
	diag_hint("no address was inside the image, 0x%" PRIx64 "-0x%" PRIx64 "; see --rva and --load-address",
		  rules->image_base, rules->image_base + rules->size_of_image - 1);
}

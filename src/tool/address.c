// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/address.h"
#include "tool/ascii.h"

#include <stdlib.h>
#include <string.h>

/* Read hexadecimal digits, perhaps after 0x; *END becomes their end.  More than 64 bits become UINT64_MAX. */
static uint64_t parse_hex(const char *text, const char **end)
{
	const char *p = text;
	if (p[0] == '0' && (p[1] | 0x20) == 'x' && is_hex(p[2]))
		p += 2;
	uint64_t number = 0;
	bool too_big = false;
	for (; is_hex(*p); p++) {
		too_big |= number >> 60 != 0;
		number = number << 4 | hex_value(*p);
	}
	*end = p;
	return too_big ? UINT64_MAX : number;
}

uint64_t address_parse_number(const char *text, const char **end)
{
	uint64_t number = parse_hex(text, end);
	/* WinDbg prints 64 bits as two halves: the lower one is exactly eight digits after a backquote. */
	if (**end == '`' && number <= UINT32_MAX) {
		const char *half = *end + 1, *half_end = half;
		while (is_hex(*half_end))
			half_end++;
		if (half_end - half == 8)
			number = number << 32 | parse_hex(half, end);
	}
	return number;
}

/* Parse "<name:hex>" or "<name: hex>".  After the number there may be blanks and an annotation of rossym-log:
   "<name:hex (file:line (function))>".  A name can contain colons, as a path with a drive does.  So the name ends at
   the first colon after which come a number and then ">" or an annotation.  False: TEXT has another form. */
static bool parse_module_offset(const char *text, struct address *address)
{
	if (*text != '<')
		return false;
	for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
		const char *p = colon + 1, *end;
		while (*p == ' ')
			p++;
		if (!is_hex(*p))
			continue;
		uint64_t number = parse_hex(p, &end);
		if (*end != '>' && !(*end == ' ' && end[strspn(end, " ")] == '('))
			continue;
		address->kind = ADDRESS_MODULE;
		address->name = text + 1;
		address->name_length = (size_t)(colon - address->name);
		address->number = address->rva = number;
		return true;
	}
	return false;
}

/* Parse "name+offset".  `number` is the offset as strtoull() reads it (0x1a, 26, 032), `rva` as hexadecimal. */
static void parse_symbol_offset(const char *text, struct address *address)
{
	const char *end = text;
	while (*end && *end != '+' && !is_space(*end))
		end++;
	address->kind = ADDRESS_SYMBOL;
	address->name = text;
	address->name_length = (size_t)(end - text);
	while (is_space(*end))
		end++;
	address->number = address->rva = 0;
	if (*end != '+')
		return;
	address->number = strtoull(end + 1, NULL, 0);
	end += 1 + strspn(end + 1, " ");
	address->rva = parse_hex(end, &end);
}

void address_parse(const char *text, struct address *address)
{
	while (is_space(*text))
		text++;
	if (is_digit(*text) || *text == '\0' || (is_hex(*text) && !strchr(text, '+'))) {
		const char *end;
		*address = (struct address){ .kind = ADDRESS_NUMBER, .number = address_parse_number(text, &end) };
	} else if (!parse_module_offset(text, address)) {
		parse_symbol_offset(text, address);
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of addresses, by the grammar and by the quick way for most of them, which must agree. */
#include "fuzz.h"
#include "tool/address.h"

static void parse(const char *line)
{
	struct address address;
	const char *end;
	size_t length = strlen(line);
	address_parse_number(line, &end);
	must(end >= line && end <= line + length);
	address_parse(line, &address);
	if (address.kind != ADDRESS_NUMBER)
		must(address.name >= line && address.name_length <= length - (size_t)(address.name - line));
}

static void parse_quickly(char *text, char *end)
{
	uint64_t numbers[8];
	struct address address;
	char line[64];
	for (;;) {
		char *at = text;
		size_t count = address_parse_lines(&text, end, numbers, sizeof numbers / sizeof *numbers);
		for (size_t i = 0; i < count; i++) {
			char *newline = memchr(at, '\n', (size_t)(end - at));
			must(newline && newline - at < (ptrdiff_t)sizeof line);
			memcpy(line, at, (size_t)(newline - at));
			line[newline - at] = '\0';
			address_parse(line, &address);
			must(address.kind == ADDRESS_NUMBER && address.number == numbers[i]);
			at = newline + 1;
		}
		must(at == text);
		if (count == sizeof numbers / sizeof *numbers)
			continue;
		/* The line that it left to others. */
		char *newline = memchr(text, '\n', (size_t)(end - text));
		if (!newline)
			return;
		text = newline + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size, ADDRESS_SLACK);
	if (!text)
		return 0;
	text[size] = '\n';
	parse_quickly(text, text + size + 1);
	for (char *line = text, *end; line <= text + size; line = end + 1) {
		end = memchr(line, '\n', (size_t)(text + size + 1 - line));
		char *exact = calloc(1, (size_t)(end - line) + 1);
		if (exact) {
			memcpy(exact, line, (size_t)(end - line));
			parse(exact);
		}
		free(exact);
	}
	free(text);
	return 0;
}

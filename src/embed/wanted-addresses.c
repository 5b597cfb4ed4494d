// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/wanted-addresses.h"
#include "tool/address.h"
#include "tool/diag.h"
#include "tool/files/file.h"
#include "tool/ascii.h"

#include <stdlib.h>
#include <string.h>

/* Parse LINE, which ends with a NUL, and store its address.  Returns NULL, or what is wrong with it. */
static const char *parse_address(char *line, uint64_t *ret)
{
	static const char hex[] = "0123456789abcdefABCDEF";
	char *at = skip_spaces(line);
	const char *end;
	if (!*at)
		return "no address";
	const char *digits = at[0] == '0' && (at[1] | 0x20) == 'x' ? at + 2 : at;
	at = skip_spaces(at + (digits - at) + strspn(digits, hex));
	if (strspn(digits, hex) == 0 || *at)
		return "not a hexadecimal number";
	*ret = address_number(digits, &end);
	return *ret > UINT32_MAX ? "not an RVA: larger than ffffffff" : NULL;
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static uint32_t sort_unique(uint32_t *numbers, uint32_t count)
{
	uint32_t kept = 1;
	qsort(numbers, count, sizeof *numbers, compare_numbers);
	for (uint32_t i = 1; i < count; i++)
		if (numbers[i] != numbers[kept - 1])
			numbers[kept++] = numbers[i];
	return kept;
}

/* Parse the lines of FILE into NUMBERS, which has room for all.  NAME is the name of the file for messages.  Returns
   false after a message. */
static bool parse_lines(const char *name, struct file_content *file, uint32_t *numbers, uint32_t *count)
{
	char *line = (char *)file->bytes, *end = line + file->size, *next;
	for (*count = 0; line < end; line = next + 1) {
		next = memchr(line, '\n', (size_t)(end - line));
		if (!next)
			next = end;
		*next = '\0';
		uint64_t number = 0;
		const char *wrong = strlen(line) < (size_t)(next - line) ? "a NUL in the line"
									 : parse_address(line, &number);
		if (wrong) {
			diag("%s:%lu: %s: '%s'", name, (unsigned long)*count + 1, wrong, line);
			return false;
		}
		numbers[(*count)++] = (uint32_t)number;
	}
	return true;
}

bool wanted_addresses_read(const char *path, uint32_t **ret, uint32_t *count)
{
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
	struct file_content file;
	if (!file_read_text(path, &file))
		return false;
	/* A line with an address has at least two bytes; the last one may lack its newline. */
	*ret = malloc((file.size / 2 + 1) * sizeof **ret);
	bool good = *ret && parse_lines(name, &file, *ret, count);
	if (!*ret)
		diag_no_memory();
	else if (good && *count == 0)
		diag("%s: no addresses", name);
	good = good && *count > 0;
	if (good)
		*count = sort_unique(*ret, *count);
	free(file.bytes);
	return good;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/tool/address.c: GNU addr2line's grammar row by row, and the two forms that it does not have. */
#include "config.h"

#include "tests/lib/cases.h"
#include "tests/lib/tap.h"
#include "tool/address.h"

/* TEXT as a name of a test, which is one line of ASCII. */
static const char *printable(const char *text)
{
	static char buffer[256];
	size_t i;
	for (i = 0; text[i] && i < sizeof buffer - 1; i++)
		buffer[i] = text[i] >= ' ' && text[i] <= '~' && text[i] != '#' ? text[i] : '?';
	buffer[i] = '\0';
	return buffer;
}

/* Checks that TEXT is of the kind that EXPECTED begins with, and has the number and the name that follow. */
static void is_address(const char *text, const char *expected)
{
	static const char *const kinds[] = {
		[ADDRESS_NUMBER] = "number", [ADDRESS_SYMBOL] = "symbol", [ADDRESS_MODULE] = "module"
	};
	struct address a;
	char seen[256];
	memset(&a, 0xff, sizeof a);
	address_parse(text, &a);
	int n = snprintf(seen, sizeof seen, "%s %llx", kinds[a.kind], (unsigned long long)a.number);
	if (a.kind != ADDRESS_NUMBER)
		snprintf(seen + n, sizeof seen - (size_t)n, " %.*s", (int)a.name_length, a.name);
	bool inside = a.kind == ADDRESS_NUMBER ? !a.name && a.name_length == 0
					       : (a.name >= text && a.name <= text + strlen(text));
	if (!ok(strcmp(seen, expected) == 0 && inside, "%.6s '%s'", expected, printable(text)))
		diag("%s", seen);
}

int main(void)
{
	struct case_file cases;
	char zeros[207];
	cases_open(&cases, "tests/tool/unit-address.cases");
	while (cases_next(&cases, "addresses"))
		is_address(cases.input, cases.expected);
	memset(zeros, '0', 200);
	memcpy(zeros + 200, "4015e0", 7);
	is_address(zeros, "number 4015e0");
	while (cases_next(&cases, "ends")) {
		const char *end;
		char *rest;
		const uint64_t number = strtoull(cases.expected, &rest, 16),
			       seen = address_parse_number(cases.input, &end);
		const size_t length = strtoul(rest, NULL, 10);
		ok(seen == number && end == cases.input + length, "'%s' ends after %u", cases.input, (unsigned)length);
	}
	cases_close(&cases);
	return done_testing();
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Entries of DWARF units with attributes and forms that no compiler writes: what is read, and what is left out. */
#include "config.h"
#include "tests/lib/debugcases.h"

/* The shape of the image around the entry. */
struct shape {
	unsigned version, offset_size;
	bool function, children; /* the entry is a function, not a variable; it has one inside */
};

/* A unit with the entry between two functions. */
static void make_image(struct debugcases *d, const struct shape *shape, const char *attributes, const char *values)
{
	static const char format[] = "dwarf %u %u 4\n"
				     "abbrev 1 unit+ low_pc:addr\n"
				     "abbrev 2 subprogram low_pc:addr high_pc:data4 name:string\n"
				     "abbrev 3 %s%s low_pc:addr %s\n"
				     "str: \"text\"\n"
				     "unit\n"
				     "info: 1 @1000 2 @1100 l10 \"before\" 3 @1000 %s\n"
				     "info: %s after: 2 @1200 l10 \"after\"\n"
				     "end\n";
	char text[1024];
	snprintf(text, sizeof text, format, shape->version, shape->offset_size,
		 shape->function ? "subprogram" : "variable", shape->children ? "+" : "", attributes, values,
		 shape->children ? "2 @1008 l10 \"inside\" 0" : "");
	debugcases_make(d, text);
}

/* The rows that an image with the entry in SHAPE must have, if EXPECTED says where a function is. */
static void expect(const char *expected, const struct shape *shape, char *rows, size_t size)
{
	unsigned begin = 0, end = 0;
	char name[8] = "";
	const bool has_code = sscanf(expected, "%x %x %7[a-z]", &begin, &end, name) >= 2 && shape->function;
	const bool ends_all = strstr(expected, "and nothing after it") != NULL;
	const bool unreadable = strncmp(expected, "unreadable", 10) == 0 &&
				(shape->function || strstr(expected, "anyhow"));
	rows[0] = '\0';
	if (has_code)
		snprintf(rows, size, "%x %s :0\n%x _rossym_end__ :0\n", begin, ends_all ? "" : name, end);
	snprintf(rows + strlen(rows), size - strlen(rows), "1100 before :0\n1110 _rossym_end__ :0%s",
		 unreadable || ends_all ? "" : "\n1200 after :0\n1210 _rossym_end__ :0");
}

/* The entry of the input, in all shapes. */
static void check_entry(struct debugcases *d, const char *name)
{
	static const unsigned versions[] = { 2, 4, 5 };
	char lines[3][256] = { "", "", "" }, rows[512];
	unsigned wrong = 0;
	if (sscanf(d->cases.input, "%255[^\n]\n%255[^\n]\n%255[^\n]", lines[0], lines[1], lines[2]) != 3)
		cases_refuse(&d->cases, "three lines");
	for (unsigned i = 0; i < 2; i++)
		if (strcmp(lines[i], "-") == 0)
			lines[i][0] = '\0';
	for (unsigned i = 0; i < 24; i++) {
		const struct shape shape = { versions[i % 3], i / 6 % 2 ? 8 : 4, i / 3 % 2 == 0, i >= 12 };
		make_image(d, &shape, lines[0], lines[1]);
		d->m.unkept = i > 0;
		expect(lines[2], &shape, rows, sizeof rows);
		const char *got = debugpe_read(&d->m, &d->options, &d->di) == 0
					  ? debugcases_trimmed(debugpe_rows(&d->di))
					  : d->m.error;
		/* In the other shapes the values of some forms have other sizes; what comes before them stays. */
		const bool good = i < 6 ? strcmp(got, rows) == 0 : strstr(got, "1100 before") != NULL;
		if (!good)
			diag("DWARF %u, %s, offsets of %u bytes, %s children: %s, not %s; %s", shape.version,
			     shape.function ? "function" : "variable", shape.offset_size,
			     shape.children ? "with" : "no", got, rows, d->m.warnings);
		wrong += !good;
		debugcases_free(d);
	}
	ok(wrong == 0, "%s", name);
}

int main(void)
{
	static const struct debugcases_kind more[] = { { "entry", check_entry }, { NULL, NULL } };
	return debugcases_run("tests/debuginfo/unit-dwarf-entries.cases", "entries", more);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/answer/record.c: what stands in the output for each form, and the numbers of src/tool/out.c; the fast paths say
   what the reference paths say. */
#include "config.h"

#include "tests/lib/cases.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"
#include "tool/demangle.h"
#include "answer/record.h"

static struct out out;

static void wrote(const char *want, const char *name)
{
	out.buffer[out.used] = '\0';
	is_str(out.buffer, want, name);
	out.used = 0;
}

static void prints(const char *options, const struct rossym_frame *frame, const char *want)
{
	struct record_style style = {
		.addresses = strchr(options, 'a'),
		.functions = strchr(options, 'f'),
		.pretty = strchr(options, 'p'),
		.demangle = strchr(options, 'C'),
		.digits = strchr(options, '8') ? 16 : 8,
	};
	char name[64];
	style.paths.basenames = strchr(options, 's');
	snprintf(name, sizeof name, "-%s, %s%s%s", options, frame ? "" : "nothing",
		 frame && frame->function ? "function " : "", frame && frame->file ? "file" : "");
	const uint64_t address = UINT64_C(0xfffff80000401000);
	const struct rossym_frame nothing = { .function = NULL };
	const uint32_t end = 1;
	const struct records records = { &address, frame ? frame : &nothing, &end, 1, NULL };
	ok(records_print(&style, &out, &records), "there is memory");
	wrote(want, name);
	record_style_clear(&style);
	paths_clear(&style.paths);
}

static void numbers(void)
{
	out_decimal(&out, 0);
	wrote("0", "0");
	out_decimal(&out, UINT64_MAX);
	wrote("18446744073709551615", "the highest number");
	out_decimal(&out, 1000000);
	wrote("1000000", "zeros at the end");
	out_hex(&out, UINT64_C(0x123456789abcdef0), 16);
	wrote("123456789abcdef0", "16 digits");
	out_hex(&out, UINT64_C(0x123456789abcdef0), 8);
	wrote("9abcdef0", "the lowest 8");
	out_hex(&out, 0x2a, 8);
	wrote("0000002a", "zeros in front");
}

static struct rossym_frame frame(const char *function, const char *file, uint32_t line)
{
	return (struct rossym_frame){ .function = function,
				      .file = file,
				      .line = line,
				      .function_length = function ? (uint32_t)strlen(function) : 0,
				      .file_length = file ? (uint32_t)strlen(file) : 0 };
}

/* ------------------------------------------------------------------------------------------------ fast paths */

/* Random records: strings of all lengths, with any byte, whole and cut, known and unknown. */
struct sample {
	char strings[RECORDS_MAX][64 + ROSSYM_STRING_READABLE];
	uint64_t addresses[RECORDS_MAX];
	struct rossym_frame frames[RECORDS_MAX * 4];
	uint32_t ends[RECORDS_MAX];
	struct records records;
};

static const char *random_string(struct sample *sample, uint32_t *length)
{
	const char *string = sample->strings[random_below(RECORDS_MAX)];
	*length = (uint32_t)strlen(string);
	return string;
}

/* ODD: one in so many has something that is not plain. */
static void make_sample(struct sample *sample, bool single, uint32_t odd)
{
	uint32_t used = 0;
	for (unsigned i = 0; i < RECORDS_MAX; i++) {
		const uint32_t length = random_one_in(odd) ? random_below(64) : 1 + random_below(32);
		for (uint32_t k = 0; k < length; k++)
			sample->strings[i][k] = (char)(random_one_in(10 * odd) ? 1 + random_below(255)
									       : ' ' + random_below(95));
		sample->strings[i][length] = '\0';
	}
	for (unsigned i = 0; i < RECORDS_MAX; i++) {
		for (uint32_t left = single ? 1 : 1 + random_below(4); left > 0; left--) {
			struct rossym_frame frame = { .line = random_one_in(odd)
								      ? 0
								      : random_below(UINT32_MAX) >> random_below(32) };
			if (!random_one_in(odd))
				frame.function = random_string(sample, &frame.function_length);
			if (!random_one_in(odd))
				frame.file = random_string(sample, &frame.file_length);
			sample->frames[used++] = frame;
		}
		sample->ends[i] = used;
		sample->addresses[i] = (uint64_t)random_below(UINT32_MAX) << random_below(33);
	}
	sample->records = (struct records){ sample->addresses, sample->frames, sample->ends, RECORDS_MAX, NULL };
}

static bool never(void *data)
{
	(void)data;
	return false;
}

/* Print SAMPLE in STYLE into PILE. */
static void print_into(struct out_pile *pile, struct record_style style, const struct sample *sample, bool array)
{
	*pile = (struct out_pile){ .most = 1 << 24, .wait = never };
	out.pile = pile;
	out.used = 0;
	if (array)
		record_open_array(&style, &out);
	if (!records_print(&style, &out, &sample->records))
		abort();
	if (array)
		record_close_array(&style);
	out_flush(&out);
	out.pile = NULL;
	record_style_clear(&style);
}

/* What an array of compact JSON has, a line for each record. */
static void split_array(struct out_pile *pile)
{
	size_t used = 0;
	int depth = 0;
	bool quoted = false;
	for (size_t i = 1; i + 2 < pile->used; i++) {
		const char c = pile->bytes[i];
		pile->bytes[used++] = c == ',' && depth == 0 ? '\n' : c;
		if (quoted && c == '\\')
			pile->bytes[used++] = pile->bytes[++i];
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted)
			depth += (c == '{') - (c == '}');
	}
	pile->bytes[used++] = '\n';
	pile->used = used;
}

/* The reference paths: strings that cannot be read beyond their ends; of JSON, also records in an array. */
static void lanes_say_the_same(void)
{
	static struct sample sample;
	unsigned wrong[2] = { 0, 0 };
	random_start(7);
	for (unsigned turn = 0; turn < 4000; turn++) {
		const bool json = turn % 2, single = random_one_in(2);
		struct record_style style = {
			.form = json ? RECORD_JSON : RECORD_GNU,
			.addresses = random_one_in(2),
			.functions = random_one_in(2),
			.demangle = random_one_in(3),
			.overreadable = true,
			.digits = random_one_in(2) ? 8 : 16,
			/* only asked whether there is one */
			.inlines = single ? NULL : (struct rossym_image *)&sample,
			.module = random_one_in(2) ? "x.exe" : "a \"name\"\n that is escaped",
		};
		struct out_pile fast, plain;
		make_sample(&sample, single, random_one_in(3) ? 4 : 200);
		print_into(&fast, style, &sample, false);
		style.overreadable = false;
		print_into(&plain, style, &sample, json);
		if (json)
			split_array(&plain);
		wrong[json] += fast.used != plain.used || memcmp(fast.bytes, plain.bytes, fast.used) != 0;
		free(fast.bytes);
		free(plain.bytes);
	}
	is_uint(wrong[0], 0, "text: the fast path prints what the reference path does");
	is_uint(wrong[1], 0, "JSON: so it does");
}

int main(void)
{
	const struct {
		const char *name;
		struct rossym_frame frame;
	} frames[] = {
		{ "full", frame("main", "src/main.c", 3) },  { "no_line", frame("main", "src/main.c", 0) },
		{ "no_file", frame("main", NULL, 3) },	     { "no_function", frame(NULL, "src/main.c", 4294967295) },
		{ "function_only", frame("main", NULL, 0) }, { "line_only", frame(NULL, NULL, 7) },
		{ "mangled", frame("_Z1fv", "f.cc", 1) },
	};
	enum { FRAMES = sizeof frames / sizeof *frames };
	struct case_file cases;
	cases_open(&cases, "tests/tool/unit-record.cases");
	while (cases_next(&cases, "forms")) {
		char options[16] = "", name[32] = "";
		size_t i = 0;
		sscanf(cases.input, "%15s %31s", options, name);
		while (i < FRAMES && strcmp(frames[i].name, name) != 0)
			i++;
		if (i == FRAMES && strcmp(name, "nothing") != 0)
			cases_refuse(&cases, name);
		prints(strcmp(options, "-") == 0 ? "" : options, i < FRAMES ? &frames[i].frame : NULL, cases.expected);
	}
	cases_close(&cases);
	prints("fC", &frames[FRAMES - 1].frame, demangle_available ? "f()\nf.cc:1\n" : "_Z1fv\nf.cc:1\n");
	numbers();
	lanes_say_the_same();
	return done_testing();
}

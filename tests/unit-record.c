/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/answer/record.c: what stands in the output for each form, and the numbers of src/tool/out.c. */
#include "config.h"

#include "lib/tap.h"
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
	ok(records_print(&style, &out, &address, frame ? frame : &nothing, 1), "there is memory");
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

int main(void)
{
	const struct rossym_frame full = frame("main", "src/main.c", 3), no_line = frame("main", "src/main.c", 0),
				  no_file = frame("main", NULL, 3), no_function = frame(NULL, "src/main.c", 4294967295),
				  function_only = frame("main", NULL, 0), line_only = frame(NULL, NULL, 7),
				  mangled = frame("_Z1fv", "f.cc", 1);

	prints("", &full, "src/main.c:3\n");
	prints("f", &full, "main\nsrc/main.c:3\n");
	prints("a", &full, "0x00401000\nsrc/main.c:3\n");
	prints("af", &full, "0x00401000\nmain\nsrc/main.c:3\n");
	prints("p", &full, "src/main.c:3\n");
	prints("fp", &full, "main at src/main.c:3\n");
	prints("ap", &full, "0x00401000: src/main.c:3\n");
	prints("afp", &full, "0x00401000: main at src/main.c:3\n");
	prints("afp8", &full, "0xfffff80000401000: main at src/main.c:3\n");
	prints("fs", &full, "main\nmain.c:3\n");
	prints("", NULL, "??:0\n");
	prints("f", NULL, "??\n??:0\n");
	prints("af", NULL, "0x00401000\n??\n??:0\n");
	prints("p", NULL, "??:0\n");
	prints("fp", NULL, "?? ??:0\n");
	prints("afp", NULL, "0x00401000: ?? ??:0\n");
	prints("fs", NULL, "??\n??:0\n");
	prints("f", &no_line, "main\nsrc/main.c:?\n");
	prints("f", &no_file, "main\n??:3\n");
	prints("f", &no_function, "??\nsrc/main.c:4294967295\n");
	prints("fp", &no_function, "?? at src/main.c:4294967295\n");
	prints("fps", &no_function, "?? at main.c:4294967295\n");
	prints("f", &function_only, "main\n??:?\n");
	prints("", &function_only, "??:?\n");
	prints("fp", &line_only, "?? at ??:7\n");
	prints("f", &mangled, "_Z1fv\nf.cc:1\n");
	prints("fC", &mangled, demangle_available ? "f()\nf.cc:1\n" : "_Z1fv\nf.cc:1\n");
	prints("fC", &full, "main\nsrc/main.c:3\n");
	prints("fC", &no_function, "??\nsrc/main.c:4294967295\n");
	numbers();
	return done_testing();
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The text of a response file, cut into words, which rossym-addr2line then takes for its options.  Files are not
   opened: what begins with @ is a word as any other here. */
#include "config.h"
#include "fuzz.h"
#include "compat/compat.h"

#include "addr2line/command.h"
#include "tool/diag.h"

/* It cuts words in a function that is static. */
#include "tool/command/response.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct out out;
	static struct out_pile pile = { .most = SIZE_MAX / 2 };
	struct addr2line_command command = { .path = "a.out", .workers = 1, .diff = { .ignored = DIFF_IGNORED } };
	char *text = fuzz_text(data, size, 0), **words = NULL, **argv = NULL;
	size_t count = 0;
	static char program[] = "fuzz";
	/* Nobody wants to see what it says. */
	out = (struct out){ .pile = &pile };
	pile.used = 0;
	diag_start(program, &out);
	if (!text)
		return 0;
	must(split_words(text, &words, &count));
	argv = calloc(count + 2, sizeof *argv);
	if (argv) {
		argv[0] = program;
		if (count)
			memcpy(argv + 1, words, count * sizeof *argv);
		optind = 0; /* both getopts begin anew then */
		int status = addr2line_command_parse(&command, &out, (int)count + 1, argv);
		must(status >= -1 && status <= 2);
		must(status != COMMAND_RUN || (command.operand_count >= 0 && command.operand_count <= (int)count));
	}
	addr2line_command_clear(&command);
	free(argv);
	free(words);
	free(text);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/tool/command/response.c */
#include "config.h"

#include "tests/lib/cases.h"
#include "tests/lib/files.h"
#include "tests/lib/tap.h"
#include "tool/command/response.h"
#include "tool/diag.h"

#include <sys/stat.h>
#include <unistd.h>

/* The words of LINE, separated by '|', and expanded the same way; or the message. */
static void expands(const char *line, const char *want, const char *name)
{
	static char words[4096], got[65536];
	char *argv[16], **expanded = argv;
	int argc = 0;
	size_t n = 0;
	snprintf(words, sizeof words, "%s", line);
	for (char *word = words;; word++) {
		argv[argc++] = word;
		word = strchr(word, '|');
		if (!word)
			break;
		*word = '\0';
	}
	argv[argc] = NULL;
	if (response_expand_arguments(&argc, &expanded) == 0) {
		for (int i = 0; i < argc; i++)
			n += (size_t)snprintf(got + n, sizeof got - n, i ? "|%s" : "%s", expanded[i]);
		if (expanded[argc])
			snprintf(got, sizeof got, "no NULL at the end");
	} else {
		const char *message = files_caught();
		snprintf(got, sizeof got, "%.*s", (int)strlen(message) - 1, message);
	}
	is_str(got, want, name);
}

static void places(struct case_file *cases)
{
	files_write("two", "a b", 3);
	files_write("empty", "", 0);
	files_write("nul", "a b\0c d", 7);
	files_write("nested", "x @two y", 8);
	files_write("deep", "@nested @nested", 15);
	files_write("self", "@self", 5);
	files_write("blank", "''", 2);
	files_write("slash", "\\", 1);
	files_write("quoted", "'@two'", 6);

	while (cases_next(cases, "places")) {
		const char *name = cases_rest(cases, cases->expected, " ; ");
		expands(cases->input, cases->expected, name);
	}
	if (mkfifo("fifo", 0600) == 0)
		expands("p|@fifo|x", "p|@fifo|x", "a FIFO, without waiting");
	else
		skip("a FIFO", "cannot make one");
	/* Root can read everything, so somebody else has to try. */
	uid_t me = geteuid();
	if (chmod("two", 0) == 0 && (me != 0 || seteuid(65534) == 0)) {
		expands("p|@two", "p|@two", "a file that cannot be read");
		if (me == 0 && seteuid(0) != 0)
			return;
	} else {
		skip("a file that cannot be read", "it can be read");
	}
}

/* Files that multiply: 100 words a level would be 10^8. */
static void bomb(void)
{
	char text[800] = "";
	for (unsigned i = 0; i < 100; i++)
		strcat(text, "@bomb2 ");
	files_write("bomb1", text, strlen(text));
	memset(text, 0, sizeof text);
	for (unsigned i = 0; i < 100; i++)
		strcat(text, "@bomb3 ");
	files_write("bomb2", text, strlen(text));
	files_write("bomb3", "x", 1);
	expands("p|@bomb1", "test: error: too many @-files encountered", "files that multiply");
}

int main(void)
{
	static struct out out;
	struct case_file cases;
	cases_open(&cases, "tests/tool/unit-response.cases");
	diag_start("test", &out);
	if (!files_catch_errors())
		return skip_all("no temporary file");
	const char *directory = files_enter_directory();
	if (!directory)
		return skip_all("no temporary directory");

	while (cases_next(&cases, "words")) {
		char all[sizeof cases.expected + 8];
		files_write("f", cases.input, strlen(cases.input));
		snprintf(all, sizeof all, cases.expected[0] ? "p|%s|end" : "p%s|end", cases.expected);
		expands("p|@f|end", all, "the words of a file");
	}
	places(&cases);
	cases_close(&cases);
	bomb();
	files_leave_directory(directory);
	return done_testing();
}

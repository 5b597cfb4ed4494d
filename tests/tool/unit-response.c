/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/tool/command/response.c */
#include "config.h"

#include "tests/lib/files.h"
#include "tests/lib/tap.h"
#include "tool/command/response.h"
#include "tool/diag.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[512];
static FILE *caught; /* standard error */

/* Store the message that was printed since the last call, without the name of the program. */
static void catch_message(char *got, size_t size)
{
	fflush(stderr);
	rewind(caught);
	size_t n = fread(got, 1, size - 1, caught);
	got[n > 0 ? n - 1 : 0] = '\0';
	rewind(caught);
	if (ftruncate(fileno(caught), 0) != 0)
		exit(99);
}

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
		catch_message(got, sizeof got);
	}
	is_str(got, want, name);
}

static void splits(const char *text, const char *want)
{
	char all[512];

	files_write("f", text, strlen(text));
	snprintf(all, sizeof all, *want ? "p|%s|end" : "p%s|end", want);
	expands("p|@f|end", all, "the words of a file");
}

static void words(void)
{
	splits("", "");
	splits(" \n\t ", "");
	splits("one", "one");
	splits(" one\ttwo\nthree\rfour\vfive\fsix\n", "one|two|three|four|five|six");
	splits("'one two' \"three four\"", "one two|three four");
	splits("a'b c'd", "ab cd");
	splits("'a\"b' \"c'd\"", "a\"b|c'd");
	splits("'' \"\" x", "||x");
	splits("a\\ b \\\\ \\' \\x", "a b|\\|'|x");
	splits("'a\\' \"c\\\"d\"", "a\\|c\"d");
	splits("'x\\y\\\\z\\' '\\\nb'", "x\\y\\\\z\\|\\\nb");
	splits("'C:\\new\\x.exe' \"C:\\new\\x.exe\"", "C:\\new\\x.exe|C:\\new\\x.exe");
	splits("\"a\\b \\' \\$ \\` \\\\ \\\" c\"", "a\\b \\' $ ` \\ \" c");
	splits("a\\\nb \"c\\\nd\" e \\\nf", "ab|cd|e|f");
	splits("a\\\r\nb", "a\r|b");
	splits("\\\n x", "|x");
	splits("a\n\\\n b", "a||b");
	splits("\"end\\", "end");
	splits("'end\\", "end\\");
	splits("'not closed", "not closed");
	splits("end\\", "end");
	splits("-e x.exe -af", "-e|x.exe|-af");
}

static void places(void)
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

	expands("p", "p", "nothing to expand");
	expands("@two|x", "@two|x", "argv[0] is not touched");
	expands("p|@two", "p|a|b", "at the end");
	expands("p|@blank|x", "p||x", "an empty word");
	expands("p|@slash|x", "p||x", "a backslash that protects nothing");
	expands("p|@two|@two|c", "p|a|b|a|b|c", "twice");
	expands("p|-e|@two", "p|-e|a|b", "as an option's argument");
	expands("p|--|@two", "p|--|a|b", "behind --");
	expands("p|@empty|x", "p|x", "an empty file is no word");
	expands("p|@empty", "p", "nor at the end");
	expands("p|@nul", "p|a|b", "a NUL ends a file");
	expands("p|@nested|z", "p|x|a|b|y|z", "a file in a file");
	expands("p|@deep", "p|x|a|b|y|x|a|b|y", "in a file");
	expands("p|@quoted", "p|a|b", "quotes do not protect the @");
	expands("p|@nosuch|x", "p|@nosuch|x", "no such file");
	expands("p|@|x", "p|@|x", "no name");
	expands("p|@nosuch|@two", "p|@nosuch|a|b", "no such file, then one");
	expands("p|x@two", "p|x@two", "not at the beginning");
	expands("p|@self", "test: error: too many @-files encountered", "a file that names itself");
	expands("p|@.", "test: error: @-file refers to a directory", "a directory");
	expands("p|@two|@.", "test: error: @-file refers to a directory", "a directory, later");
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
	const char *base = getenv("TMPDIR");
	diag_start("test", &out);
	caught = tmpfile();
	if (!caught || dup2(fileno(caught), STDERR_FILENO) < 0)
		return skip_all("no temporary file");
	snprintf(directory, sizeof directory, "%s/rossym-unit.XXXXXX", base && *base ? base : "/tmp");
	if (!mkdtemp(directory) || chdir(directory) < 0)
		return skip_all("no temporary directory");

	words();
	places();
	bomb();
	static const char *const files[] = {
		"f",	  "two",   "empty", "nul",  "nested", "deep",  "self",
		"quoted", "blank", "slash", "fifo", "bomb1",  "bomb2", "bomb3",
	};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		unlink(files[i]);
	if (chdir("/") == 0)
		rmdir(directory);
	return done_testing();
}

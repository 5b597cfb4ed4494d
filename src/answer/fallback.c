// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fallback.c - see fallback.h
 *
 * Copies of this program, and scripts that run it, must not start each other for ever.  So the environment variable
 * ROSSYM_FALLBACK, the "trace", lists all programs that have replaced one another, and none of them is started again.
 * The trace has devices and inodes, so that links to a program are recognised.
 */
#include "config.h"
#include "answer/fallback.h"
#include "tool/command/start.h"
#include "tool/diag.h"
#include "tool/files/search-path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool fallback_open(struct fallback *fallback, char **typed, char **expanded)
{
	size_t count = 1; /* the NULL at the end */
	for (char **word = expanded; *word; word++)
		count++;
	/* Allocate room for twice as many words: fallback_translate() can make two words of one. */
	fallback->words = malloc(count * 2 * sizeof *fallback->words);
	if (!fallback->words)
		return false;
	memcpy(fallback->words, expanded, count * sizeof *fallback->words);
	fallback->arguments = typed == expanded ? fallback->words : typed;

	const char *trace = getenv("ROSSYM_FALLBACK");
	bool off = trace && strncmp(trace, "off", 3) == 0;
	if (!off)
		fallback->program = find_addr2line_name(typed[0]);
	return true;
}

void fallback_close(struct fallback *fallback)
{
	free(fallback->words);
}

/* Remove COUNT words at AT from an array that ends with NULL. */
static void remove_words(char **at, size_t count)
{
	do
		*at = at[count];
	while (*at++);
}

void fallback_translate(struct fallback *fallback, const char *word, const char *other, const char *argument)
{
	char **at = fallback->words;
	while (at && *at && *at != word)
		at++;
	if (!at || !*at)
		return;
	fallback->arguments = fallback->words;
	const bool joined = argument && at[1] != argument; /* --option=argument */
	if (!other) {
		remove_words(at, argument && !joined ? 2 : 1);
		return;
	}
	if (joined) {
		size_t count = 0;
		while (at[count])
			count++;
		memmove(at + 2, at + 1, count * sizeof *at);
		at[1] = (char *)argument; /* execv() requires char *, but does not change strings */
	}
	*at = (char *)other;
}

#ifndef _WIN32

/* Sizes in bytes.  A mark has the hexadecimal numbers of a device and an inode; a trace has room for 25 marks. */
enum { TRACE_LENGTH_MAX = 1024, MARK_LENGTH_MAX = 40, PATH_LENGTH_MAX = 4096 };

/* Store in MARK the mark of the program whose file has the status ST.  The trace consists of such marks. */
static void make_mark(char mark[MARK_LENGTH_MAX], const struct stat *st)
{
	snprintf(mark, MARK_LENGTH_MAX, "<%jx:%jx>", (uintmax_t)st->st_dev, (uintmax_t)st->st_ino);
}

/* Store the trace in TRACE, with the mark of this program added.  False: it is so long that there must be a loop. */
static bool read_trace(char trace[TRACE_LENGTH_MAX])
{
	const char *before = getenv("ROSSYM_FALLBACK");
	char mark[MARK_LENGTH_MAX] = "";
	struct stat st;
	/* Without /proc, this program cannot find its own file, and may start itself from PATH; but only once, because
	   exec_program() adds the mark of each program that it runs. */
	if (stat("/proc/self/exe", &st) == 0)
		make_mark(mark, &st);
	if (before && strstr(before, mark))
		mark[0] = '\0';
	int length = snprintf(trace, TRACE_LENGTH_MAX, "%s%s", before ? before : "", mark);
	return length >= 0 && length < TRACE_LENGTH_MAX - MARK_LENGTH_MAX;
}

/* Replace this process by the program at PATH.  Returns an errno if this fails; or 0 if the program is in TRACE. */
static int exec_program(const char *path, char *const *arguments, const char *trace)
{
	char longer[TRACE_LENGTH_MAX], mark[MARK_LENGTH_MAX];
	struct stat st;
	if (stat(path, &st) < 0)
		return errno;
	if (!S_ISREG(st.st_mode))
		return EACCES;
	make_mark(mark, &st);
	if (strstr(trace, mark))
		return 0;
	snprintf(longer, sizeof longer, "%s%s", trace, mark);
	if (setenv("ROSSYM_FALLBACK", longer, 1) == 0)
		execv(path, arguments);
	return errno;
}

/* Replace this process by the first program called PROGRAM, in the directories of PATH, that can be run and is not in
   TRACE.  If none can, returns what exec_program() returned for the last file of that name; ENOENT if there is none. */
static int exec_first_in_path(const char *program, char *const *arguments, const char *trace)
{
	const char *directories = getenv("PATH");
	struct search_path path = { .items = NULL };
	int why = ENOENT;
	search_path_add(&path, directories ? directories : "/bin:/usr/bin");
	for (size_t i = 0; i < path.count; i++) {
		char file[PATH_LENGTH_MAX];
		const int length = snprintf(file, sizeof file, "%s/%s", path.items[i], program);
		/* Use only absolute directories, because the current directory may have untrusted files. */
		const int number = file[0] == '/' && length < (int)sizeof file ? exec_program(file, arguments, trace)
									       : ENOENT;
		if (number != ENOENT && number != ENOTDIR)
			why = number;
	}
	search_path_clear(&path);
	return why;
}

void fallback_exec(const struct fallback *fallback)
{
	char trace[TRACE_LENGTH_MAX];
	if (!fallback->program || !read_trace(trace))
		return;
	int why = strchr(fallback->program, '/') ? exec_program(fallback->program, fallback->arguments, trace)
						 : exec_first_in_path(fallback->program, fallback->arguments, trace);
	if (why && fallback->named)
		diag("cannot run the fallback '%s': %s", fallback->program, strerror(why));
}

#else /* Windows */

void fallback_exec(const struct fallback *fallback)
{
	(void)fallback;
}

#endif

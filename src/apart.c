// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "apart.h"

#ifdef HAVE_FORK

#include "ask.h"
#include "tool/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * What the child sends: any number of WARNING and QUESTION, then either ERROR or RESULT, and then it ends.
 *
 *	WARNING		its length, its text
 *	QUESTION	the length of a name, the name: ask.h
 *	ERROR		struct rossym_error
 *	RESULT		struct result, the strings, where each begins, rows, frames, functions
 *
 * Both ends are one program, so structures go as they are.
 */
enum message { WARNING = 1, ERROR, RESULT, QUESTION };

enum { LONGEST_WARNING = 1024 };

struct result {
	struct debuginfo_counts counts;
	uint32_t strings_length, string_count, row_count, frame_count, function_count;
};

/* ------------------------------------------------------------------------------------------------ child */

static void send_bytes(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;
	while (size > 0) {
		ssize_t n = write(fd, at, size);
		if (n < 0 && errno == EINTR)
			continue;
		/* The parent is gone, and nobody waits for more. */
		if (n < 0)
			_exit(1);
		at += n;
		size -= (size_t)n;
	}
}

static void send_kind(int fd, enum message kind)
{
	uint8_t byte = (uint8_t)kind;
	send_bytes(fd, &byte, 1);
}

struct mapping {
	const struct debuginfo_options *options;
	int fd;
};

static const char *map_path(void *context, const char *path)
{
	const struct mapping *mapping = context;
	return mapping->options->map_path(mapping->options->context, path);
}

static void send_warning(void *context, const char *text)
{
	const struct mapping *mapping = context;
	size_t length = strlen(text);
	uint32_t sent = length < LONGEST_WARNING ? (uint32_t)length : LONGEST_WARNING;
	send_kind(mapping->fd, WARNING);
	send_bytes(mapping->fd, &sent, sizeof sent);
	send_bytes(mapping->fd, text, sent);
}

struct asking {
	int fd;
	struct ask *ask;
};

static bool ask_parent(void *context, const char *name)
{
	const struct asking *asking = context;
	uint32_t length = (uint32_t)strlen(name);
	send_kind(asking->fd, QUESTION);
	send_bytes(asking->fd, &length, sizeof length);
	send_bytes(asking->fd, name, length);
	return ask_wait(asking->ask);
}

static void send_result(int fd, const struct debuginfo *di)
{
	struct result result = { di->counts, di->strings.length, di->strings.count, di->row_count, di->frame_count,
				 di->function_count };
	send_kind(fd, RESULT);
	send_bytes(fd, &result, sizeof result);
	send_bytes(fd, di->strings.bytes, di->strings.length);
	send_bytes(fd, di->strings.offsets, di->strings.count * sizeof *di->strings.offsets);
	send_bytes(fd, di->rows, di->row_count * sizeof *di->rows);
	send_bytes(fd, di->frames, di->frame_count * sizeof *di->frames);
	send_bytes(fd, di->functions, di->function_count * sizeof *di->functions);
}

static void read_and_send(int fd, const void *image, size_t size, const struct debuginfo_options *options,
			  struct ask *ask)
{
	struct mapping mapping = { options, fd };
	struct asking asking = { fd, ask };
	struct debuginfo_options own = *options;
	struct debuginfo di;
	struct rossym_error err;
	own.map_path = options->map_path ? map_path : NULL;
	own.warn = options->warn ? send_warning : NULL;
	own.context = &mapping;
	size_t input = size;
	for (uint32_t i = 0; i < options->dwo_count; i++)
		input += options->dwos[i].size;
	ask->tree->ask = ask_parent;
	ask->tree->context = &asking;
	sandbox_child(input);
	if (debuginfo_read_image(&di, image, size, &own, &err) == 0) {
		send_result(fd, &di);
	} else {
		send_kind(fd, ERROR);
		send_bytes(fd, &err, sizeof err);
	}
}

/* ----------------------------------------------------------------------------------------------- parent */

static int fail(struct rossym_error *err, enum rossym_code code, int number, const char *what)
{
	*err = (struct rossym_error){ .code = code, .sys_errno = number };
	snprintf(err->what, sizeof err->what, "%s", what);
	return -1;
}

static int fail_memory(struct rossym_error *err)
{
	return fail(err, ROSSYM_ENOMEM, 0, "out of memory");
}

/* False if the child has no more, for whatever reason; that will be seen from how it ended. */
static bool receive(int fd, void *bytes, size_t size)
{
	char *at = bytes;
	while (size > 0) {
		ssize_t n = read(fd, at, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

enum outcome { GOOD, CUT_OFF /* or nonsense */, FAILED /* and *err says why */ };

/* SIZE bytes, for which memory is taken only as they come. */
static enum outcome receive_block(int fd, uint64_t length, void **ret, struct rossym_error *err)
{
	size_t have = 0, room = 0, size = (size_t)length;
	char *block = NULL;
	if (length > SIZE_MAX / 2)
		return CUT_OFF;
	while (have < size || !block) {
		size_t wanted = room ? room * 2 : 65536;
		room = wanted < size ? wanted : size;
		char *grown = realloc(block, room ? room : 1);
		if (!grown) {
			free(block);
			fail_memory(err);
			return FAILED;
		}
		block = grown;
		if (!receive(fd, block + have, room - have)) {
			free(block);
			return CUT_OFF;
		}
		have = room;
	}
	*ret = block;
	return GOOD;
}

/* COUNT elements of SIZE bytes. */
static enum outcome receive_array(int fd, uint32_t count, size_t size, void *ret, struct rossym_error *err)
{
	void *block = NULL;
	enum outcome outcome = receive_block(fd, (uint64_t)count * size, &block, err);
	if (outcome == GOOD)
		memcpy(ret, &block, sizeof block);
	return outcome;
}

/* Whether all numbers in what came are of something that came. */
static bool is_sound(const struct debuginfo *di)
{
	const struct strings *strings = &di->strings;
	if (strings->length == 0 || strings->bytes[strings->length - 1] != '\0')
		return false;
	for (uint32_t i = 0; i < strings->count; i++)
		if (strings->offsets[i] >= strings->length)
			return false;
	for (uint32_t i = 0; i < di->row_count; i++)
		if (di->rows[i].function >= strings->count || di->rows[i].file >= strings->count ||
		    (di->rows[i].outer >= di->frame_count && di->rows[i].outer != DEBUGINFO_NO_FRAME))
			return false;
	for (uint32_t i = 0; i < di->frame_count; i++)
		if (di->frames[i].function >= strings->count || di->frames[i].file >= strings->count ||
		    (di->frames[i].next >= i && di->frames[i].next != DEBUGINFO_NO_FRAME))
			return false;
	for (uint32_t i = 0; i < di->function_count; i++)
		if (di->functions[i].name >= strings->count)
			return false;
	return true;
}

static enum outcome receive_parts(int fd, struct debuginfo *di, struct rossym_error *err)
{
	struct result result;
	if (!receive(fd, &result, sizeof result))
		return CUT_OFF;
	di->counts = result.counts;
	di->strings.length = result.strings_length;
	di->strings.count = result.string_count;
	di->row_count = result.row_count;
	di->frame_count = result.frame_count;
	di->function_count = result.function_count;

	enum outcome outcome = receive_array(fd, di->strings.length, 1, &di->strings.bytes, err);
	if (outcome == GOOD)
		outcome = receive_array(fd, di->strings.count, sizeof *di->strings.offsets, &di->strings.offsets, err);
	if (outcome == GOOD)
		outcome = receive_array(fd, di->row_count, sizeof *di->rows, &di->rows, err);
	if (outcome == GOOD)
		outcome = receive_array(fd, di->frame_count, sizeof *di->frames, &di->frames, err);
	if (outcome == GOOD)
		outcome = receive_array(fd, di->function_count, sizeof *di->functions, &di->functions, err);
	return outcome == GOOD && !is_sound(di) ? CUT_OFF : outcome;
}

static enum outcome receive_result(int fd, const struct debuginfo_options *options, struct rossym_builder *builder,
				   struct debuginfo_counts *counts, struct rossym_error *err)
{
	struct debuginfo di;
	memset(&di, 0, sizeof di);
	enum outcome outcome = receive_parts(fd, &di, err);
	if (outcome == GOOD && debuginfo_build(&di, options, builder, err) < 0)
		outcome = FAILED;
	*counts = di.counts;
	free(di.strings.bytes);
	free(di.strings.offsets);
	free(di.rows);
	free(di.frames);
	free(di.functions);
	return outcome;
}

static bool receive_warning(int fd, const struct debuginfo_options *options)
{
	char text[LONGEST_WARNING + 1];
	uint32_t length;
	if (!receive(fd, &length, sizeof length) || length > LONGEST_WARNING || !receive(fd, text, length))
		return false;
	text[length] = '\0';
	if (options->warn)
		options->warn(options->context, text);
	return true;
}

static bool receive_question(int fd, struct ask *ask)
{
	char name[TREE_LONGEST_NAME];
	uint32_t length;
	if (!receive(fd, &length, sizeof length) || length >= sizeof name || !receive(fd, name, length))
		return false;
	name[length] = '\0';
	return ask_answer(ask, name);
}

static enum outcome receive_all(int fd, const struct debuginfo_options *options, struct ask *ask,
				struct rossym_builder *builder, struct debuginfo_counts *counts, struct rossym_error *err)
{
	uint8_t kind;
	while (receive(fd, &kind, 1)) {
		switch (kind) {
		case WARNING:
			if (!receive_warning(fd, options))
				return CUT_OFF;
			break;
		case QUESTION:
			if (!receive_question(fd, ask))
				return CUT_OFF;
			break;
		case RESULT:
			return receive_result(fd, options, builder, counts, err);
		case ERROR:
			if (!receive(fd, err, sizeof *err))
				return CUT_OFF;
			err->what[sizeof err->what - 1] = '\0';
			return FAILED;
		default:
			return CUT_OFF;
		}
	}
	return CUT_OFF;
}

/* How it ended, if that was not as it should. */
static int fail_ended(int status, struct rossym_error *err)
{
	char text[sizeof err->what];
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		snprintf(text, sizeof text, "reading the debug information takes too long; nothing was written");
	else if (WIFSIGNALED(status))
		snprintf(text, sizeof text, "reading the debug information crashed (signal %d); nothing was written",
			 WTERMSIG(status));
	else
		snprintf(text, sizeof text, "reading the debug information ended early (status %d); nothing was written",
			 WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	return fail(err, ROSSYM_ENOSYMS, 0, text);
}

int add_rows_apart(const void *image, size_t size, const struct debuginfo_options *options, struct tree *tree,
		   struct rossym_builder *builder, struct debuginfo_counts *counts, struct rossym_error *err)
{
	int ends[2], status = 0;
	struct ask ask;
	if (pipe(ends) < 0)
		return fail(err, ROSSYM_ESYS, errno, "cannot make a pipe");
	if (!ask_open(&ask, tree)) {
		int number = errno;
		close(ends[0]);
		close(ends[1]);
		return fail(err, ROSSYM_ESYS, number, "cannot make a pipe");
	}
	pid_t child = fork();
	if (child < 0) {
		int number = errno;
		ask_close(&ask);
		close(ends[0]);
		close(ends[1]);
		return fail(err, ROSSYM_ESYS, number, "cannot start a process");
	}
	if (child == 0) {
		close(ends[0]);
		ask_begin(&ask);
		read_and_send(ends[1], image, size, options, &ask);
		/* Without what the parent has registered for its own end. */
		_exit(0);
	}
	close(ends[1]);
	enum outcome outcome = receive_all(ends[0], options, &ask, builder, counts, err);
	/* Whoever still writes has nothing to say any more. */
	close(ends[0]);
	ask_close(&ask);
	if (outcome == FAILED)
		kill(child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (outcome == FAILED)
		return -1;
	return outcome == GOOD && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : fail_ended(status, err);
}

#else

int add_rows_apart(const void *image, size_t size, const struct debuginfo_options *options, struct tree *tree,
		   struct rossym_builder *builder, struct debuginfo_counts *counts, struct rossym_error *err)
{
	(void)tree;
	return debuginfo_add_rows(image, size, options, builder, counts, err);
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * embed/apart and tool/isolate: a child that was taken over reaches nothing but its own pipes
 *
 * The child's code writes to each descriptor from 0 to 255, and reads from each.  The parent has a pipe at many of these numbers
 * when the child starts, and looks at what arrived and what is left to read.
 */
#include "config.h"

#include "lib/tap.h"
#include "embed/apart.h"
#include "tool/isolate.h"

#ifdef HAVE_FORK

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DESCRIPTORS = 256, OWN = 3 };
static const char secret[] = "for others", forged[] = "forged";

/* Pipes at NUMBERS: the child may inherit these descriptors.  The other ends are far above them. */
static const int numbers[] = { 0, 1, 2, 9, 10, 17, 100, 200, 255 };
enum { PIPES = sizeof numbers / sizeof *numbers };
static int saved[PIPES], inherited_from[PIPES], inherited_to[PIPES];

/* Let descriptor NUMBER be an end of a new pipe, which has SECRET in it if it is the one for reading. */
static void open_pipe(size_t i, bool reading)
{
	int ends[2];
	saved[i] = fcntl(numbers[i], F_DUPFD_CLOEXEC, 400);
	if (pipe(ends) < 0)
		abort();
	inherited_from[i] = fcntl(ends[0], F_DUPFD, 300);
	inherited_to[i] = fcntl(ends[1], F_DUPFD, 300);
	close(ends[0]);
	close(ends[1]);
	if (dup2(reading ? inherited_from[i] : inherited_to[i], numbers[i]) < 0 || fcntl(inherited_from[i], F_SETFL, O_NONBLOCK) < 0 ||
	    (reading && write(inherited_to[i], secret, sizeof secret) != sizeof secret))
		abort();
}

/* What is in the pipe: "" or SECRET or what the child has written.  Then the descriptor is what it was. */
static const char *close_pipe(size_t i)
{
	static char text[64];
	ssize_t n = read(inherited_from[i], text, sizeof text - 1);
	text[n > 0 ? n : 0] = '\0';
	close(inherited_from[i]);
	close(inherited_to[i]);
	close(numbers[i]);
	if (saved[i] >= 0) {
		dup2(saved[i], numbers[i]);
		close(saved[i]);
	}
	return text;
}

/* What the child found, which it sends as a warning if it still can. */
static void attack(const struct making *making)
{
	char text[256] = "", byte[16];
	for (int fd = 0; fd < DESCRIPTORS; fd++) {
		if (fd == making->pipe || fd == making->ask.reading)
			continue;
		bool reads = read(fd, byte, sizeof byte) > 0, writes = write(fd, forged, sizeof forged) > 0;
		if ((reads || writes) && strlen(text) < sizeof text - 32)
			snprintf(text + strlen(text), 32, "%d%s%s ", fd, reads ? " reads" : "", writes ? " writes" : "");
	}
	making_warn(making, text);
}

static int take_over(struct making *making, struct made *made, struct rossym_error *err)
{
	(void)made;
	attack(making);
	*err = (struct rossym_error){ .code = ROSSYM_EREFUSED };
	return -1;
}

/* A table of so many bytes that nobody has. */
static int send_much(struct making *making, struct made *made, struct rossym_error *err)
{
	static const struct rossym_built lie = { .size = sizeof lie, .bytes_size = UINT32_MAX, .rows = 1 };
	static char bytes[1 << 16];
	(void)made, (void)err;
	const struct made sent = { .table = lie };
	const uint8_t kind = 3;		/* TABLE of apart.c */
	if (write(making->pipe, &kind, 1) < 0 || write(making->pipe, &sent, sizeof sent) < 0)
		_exit(1);
	while (write(making->pipe, bytes, sizeof bytes) > 0)
		;
	_exit(0);
}

static int warn_for_ever(struct making *making, struct made *made, struct rossym_error *err)
{
	static char text[1000];
	(void)made, (void)err;
	memset(text, 'x', sizeof text - 1);
	while (text[0])
		making_warn(making, text);
	return -1;
}

static char warned[256];

static void warn(void *context, const char *text)
{
	(void)context;
	snprintf(warned, sizeof warned, "%s", text);
}

static void forked(void *context)
{
	(void)context;
}

static enum made_how run(int (*make)(struct making *, struct made *, struct rossym_error *), struct rossym_error *err)
{
	struct tree tree = { .is_there = NULL };
	struct making making = { .make = make, .warn = warn, .forked = forked, .input = 11000, .tree = &tree };
	struct made made = { .table = { .bytes = NULL } };
	warned[0] = '\0';
	enum made_how how = make_apart(&making, &made, err);
	made_free(&made);
	return how;
}

/* With the descriptors for reading (READING) or for writing. */
static void taken_over(bool reading)
{
	struct rossym_error err;
	char found[PIPES][64];
	for (size_t i = 0; i < PIPES; i++)
		open_pipe(i, reading);
	enum made_how how = run(take_over, &err);
	for (size_t i = PIPES; i-- > 0;)
		snprintf(found[i], sizeof found[i], "%s", close_pipe(i));
	is_int(how, MADE_NOTHING, "the child has done what it wanted");
	is_str(warned, "1 writes 2 writes ", "it can write only to 1 and 2, and has read nothing");
	for (size_t i = 0; i < PIPES; i++)
		is_str(found[i], reading ? secret : "", reading ? "what is for others is still there" : "nothing has arrived");
}

/* isolate() itself, where standard descriptors are closed in the parent. */
static void closed_streams(void)
{
	int ends[2], status = 0;
	if (pipe(ends) < 0)
		abort();
	pid_t child = fork();
	if (child == 0) {
		int *const own[] = { &ends[1] };
		close(0), close(1), close(2);
		errno = 0;
		bool good = isolate(own, 1) && ends[1] == OWN && write(ends[1], "x", 1) == 1 && write(1, "y", 1) == 1 &&
			    fcntl(0, F_GETFD) >= 0 && fcntl(2, F_GETFD) >= 0 && fcntl(OWN + 1, F_GETFD) < 0;
		_exit(good ? 0 : 1);
	}
	waitpid(child, &status, 0);
	char byte = 0;
	ok(status == 0 && read(ends[0], &byte, 1) == 1 && byte == 'x', "a child whose standard streams are closed gets others");
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	struct rossym_error err;
	/* Output of tests goes to descriptor 1, which is another one meanwhile. */
	fflush(stdout);
	taken_over(false);
	taken_over(true);
	closed_streams();
	is_int(run(send_much, &err), MADE_BROKEN, "a table of 4 GiB for an image of 11,000 bytes is refused");
	is_str(err.what, "reading the debug information gave a table of an impossible size", "and why is told");
	is_int(run(warn_for_ever, &err), MADE_BROKEN, "warnings without end are refused");
	return done_testing();
}

#else

int main(void)
{
	return skip_all("built without fork()");
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * embed/child-table, tool/process/worker and isolate: a child that was taken over reaches nothing but its own pipes
 *
 * The child's code writes to each descriptor from 0 to 255, and reads from each.  The parent has a pipe at many of
 * these numbers when the child starts, and looks at what arrived and what is left to read.
 */
#include "config.h"

#include "lib/tap.h"
#include "embed/child-table.h"
#include "tool/process/isolate.h"

#ifdef HAVE_FORK

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined __linux__ && defined HAVE_LINUX_SECCOMP_H && defined HAVE_LINUX_FILTER_H
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#ifdef SYS_close_range
#define HAVE_OLD_KERNEL 1
#endif
#endif

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
	if (dup2(reading ? inherited_from[i] : inherited_to[i], numbers[i]) < 0 ||
	    fcntl(inherited_from[i], F_SETFL, O_NONBLOCK) < 0 ||
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
static void attack(struct making *making)
{
	char text[256] = "", byte[16];
	for (int fd = 0; fd < DESCRIPTORS; fd++) {
		if (fd == making->writing || fd == making->reading)
			continue;
		bool reads = read(fd, byte, sizeof byte) > 0, writes = write(fd, forged, sizeof forged) > 0;
		if ((reads || writes) && strlen(text) < sizeof text - 32)
			snprintf(text + strlen(text), 32, "%d%s%s ", fd, reads ? " reads" : "",
				 writes ? " writes" : "");
	}
	making_warn(making, text);
}

static int take_over(struct making *making, const struct wanted_rvas *wanted, struct made *made,
		     struct rossym_error *err)
{
	(void)wanted, (void)made;
	attack(making);
	*err = (struct rossym_error){ .code = ROSSYM_EREFUSED };
	return -1;
}

/* A table of so many bytes that nobody has. */
static int send_much(struct making *making, const struct wanted_rvas *wanted, struct made *made,
		     struct rossym_error *err)
{
	static const struct rossym_built lie = { .size = sizeof lie, .bytes_size = UINT32_MAX, .rows = 1 };
	static char bytes[1 << 16];
	(void)wanted, (void)made, (void)err;
	const struct made sent = { .table = lie };
	const uint8_t kind = 3; /* TABLE of child-table.c */
	if (write(making->writing, &kind, 1) < 0 || write(making->writing, &sent, sizeof sent) < 0)
		_exit(1);
	while (write(making->writing, bytes, sizeof bytes) > 0)
		;
	_exit(0);
}

static int warn_for_ever(struct making *making, const struct wanted_rvas *wanted, struct made *made,
			 struct rossym_error *err)
{
	static char text[1000];
	(void)wanted, (void)made, (void)err;
	memset(text, 'x', sizeof text - 1);
	while (text[0])
		making_warn(making, text);
	return -1;
}

/* More warnings than are shown, which all have no bytes or are alike. */
enum { MANY_WARNINGS = 100000 };
static const char *many_text;

static int warn_often(struct making *making, const struct wanted_rvas *wanted, struct made *made,
		      struct rossym_error *err)
{
	(void)wanted, (void)made;
	for (unsigned i = 0; i < MANY_WARNINGS; i++)
		making_warn(making, many_text);
	*err = (struct rossym_error){ .code = ROSSYM_EREFUSED };
	return -1;
}

static char warned[256];
static size_t warnings;

static void warn(void *context, const char *text)
{
	(void)context;
	snprintf(warned, sizeof warned, "%s", text);
	warnings++;
}

static void forked(void *context)
{
	(void)context;
}

typedef int make_function(struct making *, const struct wanted_rvas *, struct made *, struct rossym_error *);

static enum made_how run(make_function *make, struct rossym_error *err)
{
	struct tree tree = { .is_there = NULL };
	struct making making = { .make = make, .warn = warn, .forked = forked, .input = 11000, .tree = &tree };
	struct made made = { .table = { .bytes = NULL } };
	const struct wanted_rvas everything = { .rvas = NULL };
	warned[0] = '\0';
	warnings = 0;
	enum made_how how = child_table_make(&making, &everything, &made, err);
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
		is_str(found[i], reading ? secret : "",
		       reading ? "what is for others is still there" : "nothing has arrived");
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
	ok(status == 0 && read(ends[0], &byte, 1) == 1 && byte == 'x',
	   "a child whose standard streams are closed gets others");
	close(ends[0]);
	close(ends[1]);
}

#ifdef HAVE_OLD_KERNEL

/* As on a kernel without close_range(), in a process whose limit is lower than a descriptor that it has. */
static void old_kernel(void)
{
	struct sock_filter refuse[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { .len = sizeof refuse / sizeof *refuse, .filter = refuse };
	const struct rlimit low = { 64, 64 };
	int status = 0;
	pid_t child = fork();
	if (child == 0) {
		bool good = dup2(0, 200) == 200 && setrlimit(RLIMIT_NOFILE, &low) == 0 &&
			    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
			    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
		_exit(!good ? 2 : isolate(NULL, 0) && fcntl(200, F_GETFD) < 0 && fcntl(2, F_GETFD) >= 0 ? 0 : 1);
	}
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
		skip("a kernel without close_range()", "filters cannot be installed");
	else
		ok(status == 0, "a kernel without close_range()");
}

#else

static void old_kernel(void)
{
	skip("a kernel without close_range()", "not Linux, or built without a sandbox");
}

#endif

/* Warnings are bounded by their number and by their bytes, and that some are missing is told once. */
static void many_warnings(void)
{
	static const struct {
		const char *text;
		size_t shown;
	} cases[] = { { "", 1000 },
		      { "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", 819 } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct rossym_error err;
		many_text = cases[i].text;
		is_int(run(warn_often, &err), MADE_NOTHING, "a child that warns often");
		is_uint(warnings, cases[i].shown + 1, "so many are shown");
		is_str(warned, "there are more warnings, which are not shown", "and the last one says that");
	}
}

/* A child that does not read what it is sent. */
static void deaf(void)
{
	static char bytes[1 << 20];
	struct pipes pipes;
	int ends[2];
	if (!pipes_open(&pipes, ends))
		abort();
	pipes_allow(&pipes, 500);
	ok(!pipes_send(&pipes, bytes, sizeof bytes) && pipes.late, "it is given up at the deadline");
	pipes_allow(&pipes, 50000);
	close(ends[1]);
	ok(!pipes_send(&pipes, bytes, sizeof bytes) && !pipes.late, "or at once, if it has ended");
	pipes_close(&pipes);
}

int main(void)
{
	struct rossym_error err;
	/* Output of tests goes to descriptor 1, which is another one meanwhile. */
	fflush(stdout);
	taken_over(false);
	taken_over(true);
	closed_streams();
	old_kernel();
	many_warnings();
	deaf();
	is_int(run(send_much, &err), MADE_BROKEN, "a table of 4 GiB for an image of 11,000 bytes is refused");
	is_str(err.what, "reading the debug information gave a table of an impossible size", "and why is told");
	is_int(run(warn_for_ever, &err), MADE_BROKEN, "warnings without end are refused");
	is_str(err.what, "reading the debug information gave more than the file can hold", "and why is told");
	return done_testing();
}

#else

int main(void)
{
	return skip_all("built without fork()");
}

#endif

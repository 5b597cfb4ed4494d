// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * log/archive-child and tool/forkserver: what a child that reads an archive, and was taken over by it, can do
 *
 * The children here are no readers of archives: each does what an attacker might, and the program must see through it.
 */
#include "config.h"

#include "tests/lib/tap.h"

#if defined HAVE_FORK && defined HAVE_LIBARCHIVE

#include "log/archive/archive-child.h"
#include "log/archive/archive-message.h"
#include "tool/process/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------------------ children */

static int reading, writing;
static struct archive_request request;

static void put(const void *bytes, size_t size)
{
	if (write(writing, bytes, size) != (ssize_t)size)
		_exit(1);
}

static void put_reply(enum reply kind, const void *bytes, size_t size)
{
	const uint8_t byte = (uint8_t)kind;
	put(&byte, 1);
	put(bytes, size);
}

static void put_file(uint32_t archive, const char *name, uint32_t length)
{
	const struct reply_file file = { .place = { .archive = archive, .entry = 7 }, .length = length };
	put_reply(REPLY_FILE, &file, sizeof file);
	put(name, strlen(name) < length ? strlen(name) : length);
}

static void put_taken(uint64_t bytes, uint64_t steps)
{
	const struct reply_taken taken = { bytes, steps };
	put_reply(REPLY_TAKEN, &taken, sizeof taken);
}

static void put_end(const struct archive_node *nodes, uint32_t count)
{
	const struct reply_end end = { .nodes = count };
	put_reply(REPLY_END, &end, sizeof end);
	put(nodes, count * sizeof *nodes);
}

static void put_content(uint64_t size)
{
	put_reply(REPLY_CONTENT, &size, sizeof size);
}

static const struct archive_node outermost = { .access = ACCESS_FILE, .format = FORMAT_ZIP, .depth = 1, .entries = 1 };

static void end_honestly(void)
{
	put_end(&outermost, 1);
}

static void end_with(const struct archive_node *second)
{
	const struct archive_node nodes[] = { outermost, *second };
	put_end(nodes, 2);
}

static void be_honest(void)
{
	put_file(0, "a.sys", 5);
	put_taken(1000, 10);
	end_honestly();
}

static void crash(void)
{
	abort();
}

static void be_killed(void)
{
	put_file(0, "a.sys", 5);
	kill(getpid(), SIGKILL);
}

static void leave(void)
{
	_exit(3);
}

static void close_all(void)
{
	close(reading);
	close(writing);
	for (;;)
		pause();
}

static void hang(void)
{
	for (;;)
		pause();
}

static void say_nonsense(void)
{
	const char nonsense[] = "\xff nonsense";
	put(nonsense, sizeof nonsense);
}

static void name_other_archive(void)
{
	put_file(request.most, "a.sys", 5);
	end_honestly();
}

static void name_unknown_archive(void)
{
	put_file(1, "a.sys", 5);
	end_honestly();
}

static void send_long_name(void)
{
	put_file(0, "a.sys", UINT32_MAX);
}

static void send_nul(void)
{
	put_file(0, "a.sys", 6);
	put("", 1);
	end_honestly();
}

static void list_without_end(void)
{
	for (;;)
		put_file(0, "a.sys", 5);
}

static void take_without_end(void)
{
	for (;;)
		put_taken((uint64_t)1 << 30, 0);
}

static void take_what_cannot_be(void)
{
	put_taken(UINT64_MAX, UINT64_MAX);
}

static void send_many_nodes(void)
{
	const struct reply_end end = { .nodes = UINT32_MAX };
	put_reply(REPLY_END, &end, sizeof end);
}

static void send_circle(void)
{
	end_with(
		&(struct archive_node){ .access = ACCESS_RANGE, .format = FORMAT_ISO, .depth = 2, .place.archive = 1 });
}

static void send_way(void)
{
	end_with(&(struct archive_node){ .access = 77, .depth = 2 });
}

static void send_second_file(void)
{
	end_with(&(struct archive_node){ .access = ACCESS_FILE, .depth = 1 });
}

static void send_depth(void)
{
	end_with(&(struct archive_node){ .access = ACCESS_RANGE, .depth = 200 });
}

static void send_flags(void)
{
	end_with(&(struct archive_node){ .access = ACCESS_RANGE, .depth = 2, .in_place = 2 });
}

static void send_content_for_list(void)
{
	put_content(1);
	put("x", 1);
	end_honestly();
}

static void send_large_content(void)
{
	put_taken((uint64_t)8 << 30, 0);
	put_content(UINT32_MAX);
	end_honestly();
}

static void send_unpaid_content(void)
{
	put_content(UNREPORTED_BYTES + 1);
	for (;;)
		put(&outermost, sizeof outermost);
}

static void send_content_twice(void)
{
	put_content(0);
	put_content(0);
	put_end(NULL, 0);
}

static void send_no_content(void)
{
	put_end(NULL, 0);
}

/* Try everything that this child must not be able to do, and tell as the name of a file what it can. */
static void attack(void)
{
	char text[512] = "", byte;
	if (open("/dev/null", O_RDONLY) >= 0 || open("/dev/null", O_WRONLY) >= 0)
		strcat(text, "opens ");
	if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0)
		strcat(text, "socket ");
	pid_t copy = fork();
	if (copy == 0)
		_exit(0); /* or two processes would write the one reply */
	if (copy > 0)
		strcat(text, "fork ");
	if (kill(getppid(), 0) == 0)
		strcat(text, "kill ");
	for (int fd = 0; fd < 256; fd++) {
		bool reads = fd != reading && read(fd, &byte, 1) > 0,
		     writes = fd != writing && write(fd, "forged", 6) > 0;
		if ((reads || writes) && strlen(text) < sizeof text - 32)
			snprintf(text + strlen(text), 32, "%d%s%s ", fd, reads ? " reads" : "",
				 writes ? " writes" : "");
	}
	put_file(0, text, (uint32_t)strlen(text));
	end_honestly();
}

/* What the children do; the first byte of the file that they get is the number of one. */
static const struct {
	const char *name;
	void (*act)(void);
	const char *want; /* the error */
	bool reads;	  /* asked to read a file, not to list */
} cases[] = {
	{ "an honest child", be_honest, NULL, false },
	{ "a crash", crash, "reading the archive crashed (signal 6)", false },
	{ "a child that is killed", be_killed, "reading the archive crashed (signal 9)", false },
	{ "a child that leaves", leave, "reading the archive ended early (status 3)", false },
	{ "a child that closes its pipes", close_all, "reading the archive crashed (signal 9)", false },
	{ "a child that hangs", hang, "reading the archive takes too long", false },
	{ "nonsense", say_nonsense, "", false },
	{ "the number of another archive", name_other_archive, "", false },
	{ "the number of an archive that is not known in the end", name_unknown_archive, "", false },
	{ "a name of 4 GiB", send_long_name, "", false },
	{ "a NUL in a name", send_nul, "", false },
	{ "files without end", list_without_end, "", false },
	{ "budget without end", take_without_end, "", false },
	{ "more than the whole budget", take_what_cannot_be, "", false },
	{ "4 billion archives", send_many_nodes, "", false },
	{ "an archive in itself", send_circle, "", false },
	{ "an archive that is accessed in no known way", send_way, "", false },
	{ "two outermost archives", send_second_file, "", false },
	{ "an archive too deep", send_depth, "", false },
	{ "a flag that is neither", send_flags, "", false },
	{ "content where a list is wanted", send_content_for_list, "", false },
	{ "content of 4 GiB", send_large_content, "", true },
	{ "content that was not paid for", send_unpaid_content, "", true },
	{ "content twice", send_content_twice, "", true },
	{ "no content", send_no_content, "", true },
	{ "a file where content is wanted", be_honest, "", true },
};
enum { CASES = sizeof cases / sizeof *cases, ATTACK = CASES };

static void child(unsigned job, const int *files, size_t count, int from, int to)
{
	unsigned char number;
	if (job != 0 || count != 1)
		_exit(98);
	reading = from;
	writing = to;
	if (pread(files[0], &number, 1, 0) != 1 || read(reading, &request, sizeof request) != sizeof request)
		_exit(99);
	if (number == ATTACK) {
		sandbox_unpacker();
		attack();
	} else if (number < CASES) {
		cases[number].act();
	}
	/* The program must not take the end of this process for the error. */
	while (read(reading, &number, 1) > 0)
		;
}

/* ------------------------------------------------------------------------------------------------ the program */

static struct forkserver server;
static char visited[512];

static bool visit(void *context, const char *name, const struct archives_place *place)
{
	(void)context, (void)place;
	snprintf(visited, sizeof visited, "%s", name);
	return true;
}

static size_t room(void *context, size_t wanted)
{
	(void)context;
	return wanted;
}

/* Returns a descriptor, for reading, of a file that begins with NUMBER. */
static int open_number(unsigned char number)
{
	char path[4096];
	const char *directory = getenv("TMPDIR");
	const unsigned char bytes[2] = { number, 0 };
	snprintf(path, sizeof path, "%s/rossym-test.XXXXXX", directory ? directory : "/tmp");
	int to = mkstemp(path), from = open(path, O_RDONLY);
	if (to < 0 || from < 0 || write(to, bytes, sizeof bytes) != sizeof bytes)
		abort();
	close(to);
	unlink(path);
	return from;
}

/* Have child NUMBER list an archive, or read a file of it.  Returns the result. */
static int ask(unsigned char number, bool reads, int64_t patience, struct budget *budget, struct archives_error *err)
{
	const struct archive_child_config config = {
		.server = &server, .slot = 1, .host = { visit, room, NULL }, .budget = budget, .patience = &patience
	};
	const struct archive_node *nodes;
	uint32_t count;
	void *bytes;
	size_t size;
	int file = open_number(number);
	budget_start(budget, BUDGET_ARCHIVES, 0);
	visited[0] = '\0';
	struct archive_child *one = archive_child_start(file, &config, err);
	int status = !one    ? -1
		     : reads ? archive_child_read(one, &(struct archives_place){ 0, 0, 0, 0 }, 1000, &bytes, &size, err)
			     : archive_child_list(one, 5, &nodes, &count, err);
	archive_child_end(one);
	close(file);
	return status;
}

static void test_liars(void)
{
	struct budget budget = { .live = false };
	for (unsigned char i = 0; i < CASES; i++) {
		struct archives_error err = { .what = "" };
		int64_t patience = cases[i].act == hang ? 50 : ARCHIVE_PATIENCE;
		int status = ask(i, cases[i].reads, patience, &budget, &err);
		if (!cases[i].want) {
			ok(status == 0 && !err.broken, "%s: a list", cases[i].name);
			is_str(visited, "a.sys", "with its file");
			is_int(((int64_t)BUDGET_ARCHIVES << 30) - budget.bytes, 1000,
			       "and what it took from the budget");
			continue;
		}
		ok(status < 0 && err.broken && !err.over_budget, "%s is a failure", cases[i].name);
		is_str(err.what, *cases[i].want ? cases[i].want : "reading the archive gave what cannot be",
		       cases[i].name);
	}
}

/* A child that was taken over, where many descriptors are open. */
static void test_rights(void)
{
	struct budget budget = { .live = false };
	struct archives_error err = { .what = "" };
	is_int(ask(ATTACK, false, ARCHIVE_PATIENCE, &budget, &err), 0, "a child that was taken over still talks");
#ifdef ENABLE_SANDBOX
	is_str(visited, "1 writes 2 writes 5 reads ",
	       "it has its archive and a pipe that leads nowhere, no other descriptor, and no right to get one");
#else
	ok(strstr(visited, "5 reads ") && !strstr(visited, "17"), "it has its archive, and no other descriptor: %s",
	   visited);
#endif
}

static void test_server(void)
{
	struct forkserver none = { .socket = -1, .error = EAGAIN };
	struct forkserver_end end;
	struct budget budget = { .live = false };
	struct archives_error err = { .what = "" };
	forkserver_stop(&server);
	ok(!forkserver_end(&server, 0, &end), "a server that was stopped does not answer");
	server = none;
	is_int(ask(0, false, ARCHIVE_PATIENCE, &budget, &err), -1, "without a server nothing is read");
	is_str(err.what, "cannot start a process to read it: Resource temporarily unavailable", "and why is told");
}

int main(void)
{
	/* Descriptors that a child might inherit, some of them for reading. */
	static const int numbers[] = { 9, 10, 17, 100, 200, 255 };
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (dup2(i % 2 ? STDOUT_FILENO : STDIN_FILENO, numbers[i]) < 0)
			abort();
	ok(forkserver_start(&server, child), "the server starts");
	test_liars();
	test_rights();
	test_server();
	return done_testing();
}

#else

int main(void)
{
	return skip_all("built without fork() or libarchive");
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tool/tables: asks the real helper, and helpers that die, lie, hang or flood
 *
 * The test starts itself as a false helper; the word after --serve says what is wrong with it.
 */
#include "config.h"

#include "lib/tap.h"
#include "tool/process/process.h"
#include "tool/process/sandbox.h"
#include "tool/command/std-streams.h"
#include "tool/process/tables.h"
#include "tool/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#ifdef HAVE_FORK
#include <sys/wait.h>
#endif
#ifdef _WIN32
#include <windows.h>
#endif

#if (defined HAVE_FORK && defined HAVE_SPAWN_H && defined HAVE_POLL_H) || defined _WIN32

enum { LARGE = 50 << 20, LARGE_TABLE = 16 << 20, SOON = 100, LATE = 20000 /* ms */ };

static const char *self, *embed;

/* ------------------------------------------------------------------------------------- the false helpers */

static void wait_for_ever(void)
{
#ifdef _WIN32
	Sleep(INFINITE);
#else
	pause();
#endif
}

static void put(const void *bytes, size_t size)
{
	if (!wait_write(STDOUT_FILENO, bytes, size))
		_exit(1);
}

static size_t get(void *bytes, size_t size)
{
	size_t have = 0;
	ssize_t n;
	while (have < size && (n = wait_read(STDIN_FILENO, (char *)bytes + have, size - have)) > 0)
		have += (size_t)n;
	return have;
}

static void put_greeting(const char *build, uint64_t opened)
{
	struct tables_greeting greeting = { .opened = opened };
	memcpy(greeting.build, build, strlen(build));
	put(&greeting, sizeof greeting);
}

/* Read a request that has an image and no other files.  Returns the bytes of the image. */
static char *get_image(size_t *size)
{
	struct tables_question question;
	struct tables_part part;
	char path[256];
	if (get(&question, sizeof question) != sizeof question || get(&part, sizeof part) != sizeof part ||
	    get(path, part.path_length) != part.path_length)
		_exit(3);
	char *bytes = malloc((size_t)part.size + 1);
	*size = (size_t)part.size;
	if (!bytes || get(bytes, *size) != *size)
		_exit(3);
	return bytes;
}

static void put_reply(uint32_t code, uint64_t size, char why)
{
	struct tables_reply reply = { .code = code, .size = size };
	memset(reply.why, why, sizeof reply.why);
	put(&reply, sizeof reply);
}

static bool is(const char *role, const char *name)
{
	return strcmp(role, name) == 0;
}

/* After the greeting, without reading a request. */
static void play_deaf(const char *role)
{
	static char waste[4096];
	if (is(role, "dies after the greeting") || is(role, "has failed"))
		_exit(0);
	if (is(role, "reads nothing"))
		wait_for_ever();
	if (is(role, "closes its input")) {
		close(STDIN_FILENO);
		wait_for_ever();
	}
	if (is(role, "floods"))
		for (;;)
			put(waste, sizeof waste);
	if (is(role, "dies within the request"))
		_exit(get(waste, 1000) != 1000);
}

static void play_answer(const char *role)
{
	size_t size;
	char *image = get_image(&size);
	if (is(role, "dies before the answer"))
		_exit(0);
	else if (is(role, "does not answer"))
		wait_for_ever();
	else if (is(role, "dies within the answer"))
		put("answer", 6), _exit(0);
	else if (is(role, "dies within the table"))
		put_reply(0, LARGE_TABLE, 0), put(image, 1), _exit(0);
	else if (is(role, "is stopped within the table"))
		put_reply(0, LARGE_TABLE, 0), put(image, 1), wait_for_ever();
	else if (is(role, "has a table beyond 4 GiB"))
		put_reply(0, UINT64_C(1) << 32, 0);
	else if (is(role, "has an endless table"))
		put_reply(0, UINT64_MAX, 0);
	else if (is(role, "has an empty table"))
		put_reply(0, 0, 0);
	else if (is(role, "has an unknown code"))
		put_reply(99, 0, 0);
	else if (is(role, "has a reason and a table"))
		put_reply(ROSSYM_ENOSYMS, 10, 0);
	else if (is(role, "wants again what it has got")) {
		const struct tables_reply reply = { .code = ROSSYM_EREFUSED, .again = 1 };
		put(&reply, sizeof reply);
	} else if (is(role, "has a reason without end"))
		put_reply(ROSSYM_ENOSYMS, 0, 'x');
	else
		put_reply(0, size, 0), put(image, size);
	free(image);
}

static int play(const char *role)
{
	static char noise[65536];
	if (is(role, "dies at once"))
		return 0;
	if (is(role, "says nothing"))
		wait_for_ever();
	if (is(role, "is of another version")) {
		put_greeting("0.0.9", TABLES_FAILED);
		wait_for_ever();
	}
	memset(noise, 0xff, sizeof noise);
	while (is(role, "sends noise"))
		put(noise, sizeof noise);
	put_greeting(PACKAGE_VERSION, is(role, "has failed") ? TABLES_FAILED : 0);
	play_deaf(role);
	for (;;)
		play_answer(role);
}

/* -------------------------------------------------------------------------------------------- the helpers */

static double seconds(void)
{
#ifdef _WIN32
	return (double)GetTickCount64() / 1000;
#else
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
#endif
}

static bool start(struct tables *tables, const char *helper, const char *option, const char *image)
{
	const char *options[] = { option, NULL };
	bool good = tables_start_at(tables, helper, options, image);
	if (!good)
		diag("not started: %s", tables->why);
	return good;
}

static struct tables_file large(size_t size)
{
	struct tables_file file = { "large.exe", calloc(1, size), size };
	return file;
}

/* Ask a helper that plays ROLE for the table of an image of SIZE bytes.  It must fail for the reason WHY, and soon,
   unless it is to fail at the deadline. */
static void fails(const char *role, size_t size, bool late, const char *why)
{
	struct tables tables;
	struct tables_answer answer;
	const struct tables_file image = large(size);
	const struct tables_request request = { .number = 1, .image = &image };
	double begin = seconds();
	if (!ok(start(&tables, self, role, NULL), "a helper that %s", role))
		return;
	tables.timeout = late ? SOON : LATE;
	ok(!tables_ask(&tables, &request, &answer), "it fails");
	is_str(answer.why, tables.why, "the reason");
	ok(!answer.table, "there is no table");
	ok(!tables_ask(&tables, &request, &answer) && strcmp(answer.why, why) == 0, "it fails from then on");
	double passed = seconds() - begin;
	if (!ok(late ? passed * 1000 >= (double)SOON / 2 : passed * 1000 < (double)LATE, "in time"))
		diag("%.2f s", passed);
	tables_end(&tables);
	union {
		const void *from;
		void *to;
	} bytes = { image.bytes };
	free(bytes.to);
}

static void test_false_helpers(void)
{
	static const char ended[] = "rossym-embed has ended early", slow[] = "rossym-embed takes too long",
			  no_answer[] = "what rossym-embed sends is no answer",
			  version[] = "rossym-embed is of another version";
	fails("dies at once", 10, false, ended);
	fails("says nothing", 10, true, slow);
	fails("is of another version", 10, false, version);
	fails("sends noise", 10, false, version);
	fails("has failed", LARGE, false, "rossym-embed cannot read its files");
	fails("dies after the greeting", LARGE, false, ended);
#ifndef _WIN32
	/* On Windows, writing has no deadline. */
	fails("reads nothing", LARGE, true, slow);
	fails("closes its input", LARGE, true, slow);
	fails("floods", LARGE, false, ended);
#endif
	fails("floods", 10, false, no_answer);
	fails("dies within the request", LARGE, false, ended);
	fails("dies before the answer", LARGE, false, ended);
	fails("does not answer", 10, true, slow);
	fails("dies within the answer", 10, false, ended);
	fails("dies within the table", 10, false, ended);
	fails("is stopped within the table", 10, true, slow);
	fails("has a table beyond 4 GiB", 10, false, no_answer);
	fails("has an endless table", 10, false, no_answer);
	fails("has an empty table", 10, false, no_answer);
	fails("has an unknown code", 10, false, no_answer);
	fails("has a reason and a table", 10, false, no_answer);
	fails("wants again what it has got", 10, false, no_answer);
}

#ifndef _WIN32
/* Writing fails for a reason that waiting does not change. */
static void test_no_pipe(void)
{
	struct tables tables;
	struct tables_answer answer;
	const struct tables_file image = { "small.exe", "small", 5 };
	const struct tables_request request = { .number = 1, .image = &image };
	double begin = seconds();
	if (!ok(start(&tables, self, "is honest", NULL), "a helper to which nothing can be written"))
		return;
	close(tables.process.pipes.to);
	tables.process.pipes.to = open("/dev/null", O_RDONLY);
	tables.timeout = LATE;
	ok(!tables_ask(&tables, &request, &answer), "it fails");
	is_str(answer.why, strerror(EBADF), "the reason");
	ok((seconds() - begin) * 1000 < LATE / 2, "at once");
	tables_end(&tables);
}
#else
static void test_no_pipe(void)
{
}
#endif

static void test_sizes(void)
{
	struct tables tables;
	struct tables_answer answer;
	struct tables_file image = large(LARGE);
	struct tables_request request = { .number = 1, .image = &image };
	union {
		const void *from;
		char *to;
	} bytes = { image.bytes };
	for (size_t i = 0; i < image.size; i++)
		bytes.to[i] = (char)(i * 7 >> 3);
	if (ok(start(&tables, self, "is honest", NULL), "an honest helper")) {
		ok(tables_ask(&tables, &request, &answer) && answer.table, "50 MiB there and back");
		is_uint(answer.size, image.size, "as many");
		ok(answer.table && memcmp(answer.table, image.bytes, image.size) == 0, "the same bytes");
		free(answer.table);
		request.file_count = TABLES_FILES_MAX + 1;
		ok(tables_ask(&tables, &request, &answer), "a request with too many files is no failure of the helper");
		is_str(answer.why, "the request is too large", "the reason");
		is_int(answer.code, ROSSYM_EREFUSED, "its code");
		tables_end(&tables);
		tables_end(&tables);
	}
	image.size = 10;
	request.file_count = 0;
	if (ok(start(&tables, self, "has a reason without end", NULL), "a reason without end")) {
		ok(tables_ask(&tables, &request, &answer), "it is an answer");
		is_uint(strlen(answer.why), sizeof answer.why - 1, "it is cut");
		tables_end(&tables);
	}
	free(bytes.to);
}

static void test_missing(void)
{
	struct tables tables;
	struct tables_answer answer;
	const struct tables_request request = { .image = NULL };
	ok(!tables_start_at(&tables, "./there-is-none", NULL, NULL), "a helper that is missing");
	is_str(tables.why, "cannot start ./there-is-none: No such file or directory", "the reason");
	ok(!tables_ask(&tables, &request, &answer), "it cannot be asked");
	is_str(answer.why, tables.why, "for the same reason");
	tables_end(&tables);
	ok(!tables_start(&tables, NULL, NULL), "none beside this program");
	is_str(tables.why, "there is no rossym-embed beside this program", "the reason");
	tables_end(&tables);
}

/* ------------------------------------------------------------------------------------------ the real one */

static const char *data(const char *name)
{
	static char path[4096];
	const char *srcdir = getenv("srcdir");
	snprintf(path, sizeof path, "%s/tests/data/%s", srcdir ? srcdir : ".", name);
	return path;
}

/* Read the image NAME; the caller frees its bytes. */
static struct tables_file image_of(const char *name)
{
	struct tables_file image = { name, NULL, 0 };
	char *bytes = malloc(1 << 20);
	FILE *file = fopen(data(name), "rb");
	if (bytes && file)
		image.size = fread(bytes, 1, 1 << 20, file);
	if (file)
		fclose(file);
	image.bytes = bytes;
	return image;
}

/* How many rows the library finds in the table of ANSWER, and frees the table. */
static uint32_t rows_of(struct tables_answer *answer)
{
	struct rossym_image *image;
	struct rossym_error err;
	struct rossym_info info = { .size = sizeof info };
	if (!answer->table || rossym_open_memory(answer->table, answer->size, NULL, &image, &err) < 0)
		return 0;
	rossym_get_info(image, &info, &err);
	rossym_close(image);
	free(answer->table);
	return info.rows;
}

/* Ask for the tables of two images in turn, all of them and some addresses of them, and of one that has no symbols.
   The result is how many answers were right. */
static unsigned ask_in_turn(struct tables *tables)
{
	static const uint32_t rvas[] = { 0x1010, 0x1100 };
	struct tables_file images[] = { image_of("dwarf32.nostrip.exe"), image_of("dwarf64.nostrip.exe"),
					image_of("dwarf32.exe") };
	struct tables_answer answer;
	unsigned right = 0;
	for (unsigned i = 0; i < 6; i++) {
		const struct tables_request request = { .number = i + 1,
							.image = &images[i % 3],
							.rvas = i < 3 ? NULL : rvas,
							.rva_count = i < 3 ? 0 : 2 };
		if (!tables_ask(tables, &request, &answer))
			continue;
		if (i % 3 == 2)
			right += !answer.table && answer.code == ROSSYM_ENOSYMS &&
				 strcmp(answer.why, "no debug information and no symbols of code were found") == 0;
		else
			right += rows_of(&answer) > (request.rvas ? 0 : 10);
	}
	for (unsigned i = 0; i < 3; i++) {
		union {
			const void *from;
			void *to;
		} bytes = { images[i].bytes };
		free(bytes.to);
	}
	return right;
}

static void test_real(void)
{
	struct tables tables;
	struct tables_answer answer;
	struct tables_request request = { .image = NULL };
	const struct tables_file text = { "text", "no image", 8 };
	if (ok(start(&tables, embed, NULL, data("dwarf32.nostrip.exe")), "the real helper, with an image")) {
		ok(tables_ask(&tables, &request, &answer) && answer.whole && rows_of(&answer) > 10, "its table");
		is_uint(ask_in_turn(&tables), 6, "those of others");
		ok(tables_ask(&tables, &request, &answer) && rows_of(&answer) > 10, "its own again");
		request.number = 7;
		request.image = &text;
		ok(tables_ask(&tables, &request, &answer) && !answer.table && answer.code == ROSSYM_ENOTPE, "no image");
		is_str(answer.why, "at 0x0: no MZ header", "the reason");
		request = (struct tables_request){ .image = NULL };
		ok(tables_ask(&tables, &request, &answer) && rows_of(&answer) > 10, "its own again");
		tables_end(&tables);
	}
	if (ok(start(&tables, embed, NULL, NULL), "without an image")) {
		is_uint(ask_in_turn(&tables), 6, "images of the client's");
		ok(!tables_ask(&tables, &request, &answer), "one that it does not have is no request");
		tables_end(&tables);
	}
}

#ifdef HAVE_FORK

/* Do the same in a sandbox.  The sandboxes cannot be left, so each is entered by a process of its own. */
static void test_sandboxes(void)
{
	static const char *const names[] = { "a reader", "a reader with threads", "a searcher" };
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();
		if (child == 0) {
			struct tables tables;
			struct tables_answer answer;
			const struct tables_request request = { .image = NULL };
			/* Images are read before. */
			struct tables_file image = image_of("dwarf64.nostrip.exe");
			const struct tables_request other = { .number = 1, .image = &image };
			if (!start(&tables, embed, NULL, data("dwarf32.nostrip.exe")))
				_exit(1);
			if (i < 2)
				sandbox_reader(i == 1, NULL, 0);
			else
				sandbox_searcher(-1);
			if (!tables_ask(&tables, &request, &answer) || rows_of(&answer) <= 10)
				_exit(2);
			if (!tables_ask(&tables, &other, &answer) || rows_of(&answer) <= 10)
				_exit(3);
			tables_end(&tables);
			_exit(0);
		}
		int status = -1;
		waitpid(child, &status, 0);
		ok(status == 0, "the helper of %s", names[i]);
		pid_t deaf = fork();
		if (deaf == 0) {
			struct tables tables;
			struct tables_answer answer;
			const struct tables_file image = large(LARGE);
			const struct tables_request request = { .number = 1, .image = &image };
			if (!start(&tables, self, "floods", NULL))
				_exit(1);
			sandbox_reader(false, NULL, 0);
			_exit(tables_ask(&tables, &request, &answer) ? 2 : 0);
		}
		waitpid(deaf, &status, 0);
		ok(status == 0, "a false helper of it");
	}
}

#else

static void test_sandboxes(void)
{
	skip("sandboxes", "no fork()");
}

#endif

int main(int argc, char **argv)
{
	std_streams_open();
	self = argv[0];
	embed = getenv("EMBED_BIN");
	if (!embed)
		embed = "src/rossym-embed";
	if (argc > 2 && strcmp(argv[1], "--serve") == 0)
		return play(argv[2]);
	test_missing();
	test_false_helpers();
	test_no_pipe();
	test_sizes();
	test_real();
	test_sandboxes();
	return done_testing();
}

#else

int main(void)
{
	return skip_all("no processes on this system");
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * embed/serve: each image has a child of its own, which stays, and nothing that one child does or knows becomes an
 * answer for another image
 *
 * The test starts itself as the helper, with a reader of debug information that does what the bytes of an "image" say.
 * The table that it makes tells which process made it, and from how many readings.
 */
#include "config.h"

#include "lib/tap.h"

#if defined HAVE_FORK && defined HAVE_SPAWN_H && defined HAVE_POLL_H

#include "debuginfo/read-rows.h"
#include "embed/kept.h"
#include "embed/serve.h"
#include "tool/diag.h"
#include "tool/out.h"
#include "tool/command/std-streams.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RVA = 0x1000, DESCRIPTORS = 256, MANY = TABLES_RVAS_MAX };

static const char *self;

/* ------------------------------------------------------------------------------------------- in the child */

/* What a child that was taken over can do with descriptors that are not its own: how many bytes it read, and how many
   writes succeeded but for the two that lead nowhere.  It writes what the client would take for an answer. */
static void attack(const struct making *making, unsigned *reads, unsigned *writes)
{
	const struct tables_reply forged = { .code = ROSSYM_ENOSYMS, .why = "forged" };
	char byte;
	for (int fd = 0; fd < DESCRIPTORS; fd++) {
		if (fd == making->writing || fd == making->reading)
			continue;
		*writes += write(fd, &forged, sizeof forged) > 0 && fd != STDOUT_FILENO && fd != STDERR_FILENO;
		*reads += fd != STDIN_FILENO && read(fd, &byte, 1) > 0;
	}
}

static void spend_time(void)
{
	enum { MS = 20 };
	clock_t begin = clock();
	while ((clock() - begin) * 1000 / CLOCKS_PER_SEC < MS)
		;
}

/* The reader of this test. */
int rs_debuginfo_add_rows(const void *image, size_t size, const struct debuginfo_options *options,
			  struct rossym_builder *builder, struct debuginfo_counts *counts, struct rossym_error *err)
{
	static unsigned reading;
	struct making *making = options->context;
	char role[32], text[200];
	unsigned reads = 0, writes = 0;
	snprintf(role, sizeof role, "%.*s", (int)size, (const char *)image);
	reading++;
	*counts = (struct debuginfo_counts){ .file = 0 };
	if (strcmp(role, "forges") == 0)
		attack(making, &reads, &writes);
	if (strcmp(role, "dies") == 0 && reading > 1)
		_exit(5);
	if (strcmp(role, "dies at once") == 0)
		_exit(5);
	if (strcmp(role, "lies") == 0 && reading > 1)
		_exit(write(making->writing, role, sizeof role) < 0);
	if (strcmp(role, "is slow") == 0)
		spend_time();
	if (strcmp(role, "has nothing") == 0 || (strcmp(role, "becomes empty") == 0 && reading > 1) ||
	    (strcmp(role, "is elsewhere") == 0 && options->wanted))
		return 0;
	snprintf(text, sizeof text, "%s %ld %u %u %u", role, (long)getpid(), reading,
		 options->wanted ? options->wanted_count : UINT32_MAX, reads + writes);
	const struct rossym_new_row row = { .size = sizeof row, .rva = RVA, .function = text, .line = 1 };
	return rossym_builder_add(builder, &row, err);
}

static bool is_role(const void *bytes, size_t size, const char *role)
{
	return size == strlen(role) && memcmp(bytes, role, size) == 0;
}

void rs_debuginfo_keep_clear(struct debuginfo_keep *keep)
{
	(void)keep;
}

/* The larger an image is, the more time may be spent on tables for some addresses.  Most images of this test seem to be
   large enough that it does not matter how fast this computer is. */
size_t rs_debuginfo_uncompressed_size(const struct debuginfo_file *file)
{
	const void *bytes = file->bytes;
	const size_t size = file->size;
	enum { USUAL = 60 << 20, LARGE = 300 << 20 };
	return is_role(bytes, size, "is slow") ? size : is_role(bytes, size, "is large") ? LARGE : USUAL;
}

static int help(const char *own_role)
{
	static struct out out;
	struct paths paths = { .maps = NULL };
	struct debuginfo_options options = { .wanted = NULL };
	const struct job own = { .source = "own",
				 .image = own_role,
				 .image_size = own_role ? strlen(own_role) : 0,
				 .paths = &paths,
				 .debuginfo = &options };
	diag_start("rossym-embed", &out);
	return serve(&own);
}

/* ------------------------------------------------------------------------------------------ in the client */

/* An answer, taken apart. */
struct said {
	bool again, whole;
	char role[32];
	long pid;
	unsigned reading, wanted, escaped;
};

static struct tables helper;

static bool start(const char *own_role)
{
	return tables_start_at(&helper, self, NULL, own_role);
}

/* End the helper, and return its exit status; -1 if it did not exit. */
static int finish(void)
{
	int status = -1;
	pipes_close_to(&helper.process.pipes);
	while (waitpid((pid_t)helper.process.id, &status, 0) < 0 && errno == EINTR)
		;
	helper.process.ended = true;
	tables_end(&helper);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void take_apart(struct tables_answer *answer, struct said *said)
{
	struct rossym_image *image;
	struct rossym_frame frame = { .function = NULL };
	struct rossym_error err;
	if (rossym_open_memory(answer->table, answer->size, NULL, &image, &err) < 0)
		return;
	if (rossym_lookup(image, RVA, 0, &frame, &err) > 0)
		sscanf(frame.function, "%31[a-z ] %ld %u %u %u", said->role, &said->pid, &said->reading, &said->wanted,
		       &said->escaped);
	size_t length = strlen(said->role);
	if (length > 0 && said->role[length - 1] == ' ')
		said->role[length - 1] = '\0';
	rossym_close(image);
}

/* Ask for COUNT addresses of image NUMBER; UINT32_MAX: all.  ROLE: send its bytes, too; NULL: do not.  If there is no
   answer, all of the result is zero. */
static struct said ask(uint64_t number, const char *role, uint32_t count)
{
	static uint32_t rvas[MANY];
	struct said said = { .pid = 0 };
	const struct tables_file image = { role, role, role ? strlen(role) : 0 };
	const struct tables_request request = { .number = number,
						.image = role ? &image : NULL,
						.rvas = count == UINT32_MAX ? NULL : rvas,
						.rva_count = count == UINT32_MAX ? 0 : count };
	struct tables_answer answer;
	for (uint32_t i = 0; i < MANY; i++)
		rvas[i] = RVA + i;
	if (!tables_ask(&helper, &request, &answer)) {
		diag("%s", answer.why);
		return said;
	}
	said.again = answer.again;
	said.whole = answer.whole;
	if (answer.table)
		take_apart(&answer, &said);
	free(answer.table);
	return said;
}

static bool is(const struct said *said, const char *role, unsigned reading, uint32_t wanted)
{
	bool good = strcmp(said->role, role) == 0 && said->reading == reading && said->wanted == wanted && !said->again;
	if (!good)
		diag("expected %s %u %u, seen \"%s\" %u %u%s", role, reading, wanted, said->role, said->reading,
		     said->wanted, said->again ? ", again" : "");
	return good;
}

/* --------------------------------------------------------------------------------------------------- tests */

static void test_two_images(void)
{
	struct said a = ask(1, "honest", 1), b = ask(2, "other", 2);
	ok(is(&a, "honest", 1, 1) && is(&b, "other", 1, 2), "two images, each read by its own child");
	ok(a.pid != b.pid && a.pid != helper.process.id && b.pid != helper.process.id && !a.whole, "three processes");
	struct said a2 = ask(1, NULL, 3), b2 = ask(2, NULL, MANY);
	ok(is(&a2, "honest", 2, 3) && a2.pid == a.pid, "the first one's child is asked again, without its bytes");
	ok(is(&b2, "other", 2, MANY) && b2.pid == b.pid, "the second one's, too, for many addresses");
	a2 = ask(1, NULL, UINT32_MAX);
	ok(is(&a2, "honest", 3, UINT32_MAX) && a2.pid == a.pid && a2.whole, "for everything");
	a2 = ask(1, NULL, 1);
	ok(is(&a2, "honest", 3, UINT32_MAX) && a2.pid == a.pid && a2.whole,
	   "this table serves all further requests, nothing is read");
	b2 = ask(2, NULL, 1);
	ok(is(&b2, "other", 3, 1) && b2.pid == b.pid && !b2.whole, "but not those for the other image");
}

static void test_taken_over(void)
{
	struct said honest = ask(3, "honest", 1), forger = ask(4, "forges", 1);
	ok(is(&forger, "forges", 1, 1) && forger.escaped == 0,
	   "a child that was taken over reaches no descriptor of others");
	struct said later = ask(3, NULL, 1), fresh = ask(5, "honest", 1);
	ok(is(&later, "honest", 2, 1) && later.pid == honest.pid, "an image from before has its own answer");
	ok(is(&fresh, "honest", 1, 1) && fresh.pid != forger.pid, "and one from after");
	forger = ask(4, NULL, 1);
	ok(is(&forger, "forges", 2, 1) && forger.escaped == 0, "nor does it reach children that are there already");
	later = ask(5, NULL, 1);
	ok(is(&later, "honest", 2, 1) && later.pid == fresh.pid, "whose answers are still their own");
}

/* A child that plays ROLE, and does harm when it is asked for the second time. */
static void test_lost(const char *role)
{
	struct said other = ask(6, "honest", 1), first = ask(7, role, 1), second = ask(7, NULL, 1);
	ok(is(&first, role, 1, 1) && second.again && second.pid == 0, "%s: its image is wanted again", role);
	second = ask(8, role, 1);
	ok(is(&second, role, 1, 1) && second.pid != first.pid, "%s: a new child begins anew", role);
	first = ask(6, NULL, 1);
	ok(is(&first, "honest", 2, 1) && first.pid == other.pid, "%s: no other image has lost its child", role);
}

static void test_nothing(void)
{
	struct said said = ask(9, "has nothing", 1);
	ok(!said.again && said.pid == 0, "an image without symbols has no table");
	said = ask(10, "dies at once", 1);
	ok(!said.again && said.pid == 0, "nor one whose child dies");
	said = ask(11, "is elsewhere", 1);
	ok(is(&said, "is elsewhere", 2, UINT32_MAX) && said.whole,
	   "one with symbols elsewhere has a table for everything");
	said = ask(9, NULL, 1);
	ok(said.again, "an image that failed is not kept");
	said = ask(4711, NULL, 1);
	ok(said.again, "one that the helper never had must be sent");
}

/* How many children the helper has; -1 if the system does not tell. */
static int count_children(void)
{
	char path[64];
	int count = 0;
	long pid;
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)helper.process.id, (long)helper.process.id);
	FILE *file = fopen(path, "r");
	if (!file)
		return -1;
	while (fscanf(file, "%ld", &pid) == 1)
		count++;
	fclose(file);
	return count;
}

static void test_bound(void)
{
	enum { FIRST = 100, ALL = 3 * KEPT_MAX };
	unsigned good = 0, kept = 0;
	for (unsigned i = 0; i < ALL; i++) {
		struct said said = ask(FIRST + i, "honest", 1);
		good += is(&said, "honest", 1, 1);
		said = ask(FIRST, NULL, 1); /* so this one is never the oldest */
		good += is(&said, "honest", i + 2, 1);
	}
	is_uint(good, 2 * ALL, "many images");
	int children = count_children();
	if (children < 0)
		skip("how many children there are", "the system does not tell");
	else
		is_int(children, KEPT_MAX, "only a few children are kept");
	for (unsigned i = 0; i < ALL; i++)
		kept += !ask(FIRST + i, NULL, 1).again;
	is_uint(kept, KEPT_MAX, "those that were asked last");
	ok(!ask(FIRST, NULL, 1).again && !ask(FIRST + ALL - 1, NULL, 1).again && ask(FIRST + 1, NULL, 1).again,
	   "and no others");
}

static void test_large(void)
{
	struct said first = ask(150, "is large", 1), second = ask(151, "is large", 1);
	ok(is(&first, "is large", 1, 1) && is(&second, "is large", 1, 1), "two large images");
	second = ask(151, NULL, 1);
	ok(is(&second, "is large", 2, 1), "the last one is kept");
	ok(ask(150, NULL, 1).again, "not both: they have too many bytes together");
}

/* When tables for some addresses have cost as much as one for all, that one is made. */
static void test_slow(void)
{
	struct said said = ask(200, "is slow", 1);
	ok(is(&said, "is slow", 1, 1) && !said.whole, "the first table is for what was asked");
	said = ask(200, NULL, 1);
	ok(is(&said, "is slow", 2, UINT32_MAX) && said.whole,
	   "the next one for everything, if the first was not cheaper");
	said = ask(200, NULL, 1);
	ok(is(&said, "is slow", 2, UINT32_MAX) && said.whole, "and that is the last one");
}

/* The image that the helper has opened. */
static void test_own(void)
{
	struct said first = { .pid = 0 }, second = first;
	if (ok(start("dies"), "a helper with an image of its own")) {
		first = ask(TABLES_OWN_IMAGE, NULL, 1);
		second = ask(TABLES_OWN_IMAGE, NULL, 1);
		ok(is(&first, "dies", 1, 1) && is(&second, "dies", 1, 1) && first.pid != second.pid,
		   "if its child is lost, another one reads the image");
		is_int(finish(), 0, "the helper ends with its input");
		ok(kill((pid_t)second.pid, 0) < 0 && errno == ESRCH, "and its children with it");
	}
	if (ok(start("dies at once"), "one whose image cannot be read")) {
		first = ask(TABLES_OWN_IMAGE, NULL, 1);
		ok(first.pid == 0 && !first.again && helper.running, "has no table for it");
		first = ask(1, "honest", 1);
		ok(is(&first, "honest", 1, 1), "but one for another image");
		finish();
	}
	if (ok(start(NULL), "a helper without an image")) {
		ok(ask(TABLES_OWN_IMAGE, NULL, 1).pid == 0 && !helper.running, "has none of its own");
		finish();
	}
}

int main(int argc, char **argv)
{
	std_streams_open();
	self = argv[0];
	if (argc > 1 && strcmp(argv[1], "--serve") == 0)
		return help(argc > 3 ? argv[3] : NULL);
	if (ok(start(NULL), "a helper")) {
		test_two_images();
		test_taken_over();
		test_lost("dies");
		test_lost("lies");
		test_lost("becomes empty");
		test_nothing();
		test_bound();
		test_large();
		test_slow();
		is_int(finish(), 0, "it ends with its input");
	}
	test_own();
	return done_testing();
}

#else

int main(void)
{
	return skip_all("no processes on this system");
}

#endif

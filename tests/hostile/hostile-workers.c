// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tool/process/worker, channel, process, and the jobs that workers do: what a worker can do that a hostile file has taken over
 *
 * The workers here read no files: each does what an attacker might, and the program must see through it.  A row is what
 * a worker does, and the message of the program for each job that it fits; each job also has rows of its own.
 */
#include "config.h"

#include "tests/lib/makepe.h"
#include "tests/lib/tap.h"

#if defined HAVE_FORK && defined HAVE_LIBARCHIVE

#include "debuginfo/read-rows.h"
#include "tool/diag.h"
#include "tool/process/sandbox.h"
#include "tool/process/worker.h"
#include "tool/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined __linux__ && defined HAVE_LINUX_SECCOMP_H && defined HAVE_LINUX_FILTER_H
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#ifdef SYS_close_range
#define HAVE_OLD_KERNEL 1
#endif
#endif

/* What the program has said last since the row began, and how long it waits for an answer. */
static char messages[1024];
static int64_t time_allowed;

TAP_PRINTF(1, 2) static bool take_message(const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	vsnprintf(messages, sizeof messages, format, ap);
	va_end(ap);
	return false;
}

static void take_file_warning(const char *path, const struct rossym_warning *warning)
{
	take_message("%s: %s", warning->path ? warning->path : path, warning->what);
}

/* The three jobs whose programs decide on the time themselves.  That of archives is in their share of the budget. */
#define diag take_message
#define diag_warning take_message
#define diag_print_warning take_file_warning
#define worker_choose_patience(input) ((void)(input), time_allowed)
#include "log/archive/archives.c"
#include "log/dumps/dumps.c"
#include "log/find/asked-image.c"
#undef diag_print_warning
#undef diag_warning
#undef diag

/* In place of readers, a worker of rossym-embed does what the row says. */
static void (*act)(struct channel *);
static void act_in_job(void *context);
static int act_for_good(void *context);
static void take_job_warning(const char *warning);
#define diag_warning(format, source, text) ((void)(source), take_job_warning(text))
#define rs_debuginfo_list_dwos(source, options) ((void)(source), act_in_job((options)->context))
#define rs_debuginfo_add_rows(bytes, size, options, builder, counts, err) \
	((void)(bytes), (void)(size), (void)(counts), act_for_good((options)->context))
#include "embed/job.c"
#undef diag_warning

/* ------------------------------------------------------------------------------------------------ the program */

enum { ARCHIVE = 1, READ = 2, DUMP = 4, IMAGE = 8, EMBED = 16, JOBS = 5, ALL = 31, LOOKUPS_MAX = 200 };
static const char *const job_names[JOBS] = { "a list of an archive", "a file of an archive", "a dump", "an image",
					     "rossym-embed" };
static const char *const doing[JOBS] = { "reading the archive", "reading the archive", "reading the dump",
					 "reading the debug information", "reading the debug information" };
static unsigned job; /* that runs */

static struct worker_table workers;
static struct budget budget;
static struct budget_share share;
static unsigned asked; /* how often the program did what a question or an item asks for */
static uint64_t name_bytes;
static unsigned warnings;
static char text[1024]; /* what an honest answer says */

/* An image without a table, and a table for it. */
static char image_path[4096];
static void *table;
static size_t table_size;

static void begin_act(struct channel *channel);

static void serve(unsigned number, struct channel *channel)
{
	char byte;
	(void)number;
	begin_act(channel);
	/* The program must not take the end of this process for the error. */
	while (read(channel->pipes.from, &byte, 1) > 0)
		;
}

static void act_in_job(void *context)
{
	const struct job *embed = context;
	begin_act(embed->channel);
}

/* The job of a worker of rossym-embed, in the worker. */
static struct job *embed_job;

static int act_for_good(void *context)
{
	struct job *embed = context;
	embed_job = embed;
	/* serve_parent() has taken the request. */
	begin_act(embed->channel);
	while (read(embed->channel->pipes.from, messages, 1) > 0)
		;
	_exit(0);
}

static bool visit(void *context, const char *name, const struct archives_place *place)
{
	(void)context, (void)place;
	asked++;
	name_bytes += strlen(name);
	snprintf(text, sizeof text, "%s", name);
	return true;
}

static bool find_module(void *context, uint32_t number, const struct dump_module *module, uint64_t *base)
{
	(void)context, (void)number, (void)module;
	*base = 0x1000;
	asked++;
	return true;
}

static bool find_part(void *context, uint32_t number, const char *name, uint32_t *rva, uint32_t *size)
{
	(void)context, (void)number, (void)name, (void)rva, (void)size;
	return ++asked == 0;
}

static bool find_bytes(void *context, uint32_t number, uint32_t rva, void *bytes, size_t size)
{
	(void)context, (void)number, (void)rva;
	memset(bytes, 0, size);
	return ++asked;
}

static bool find_symbols(void *context, uint32_t number, uint32_t choice, uint8_t guid[DUMP_GUID], uint64_t *size)
{
	(void)context, (void)number, (void)choice, (void)guid, (void)size;
	return ++asked == 0;
}

static void nothing(void *context, struct file *file, const struct rossym_error *err)
{
	(void)context, (void)file, (void)err;
}

static void take_job_warning(const char *warning)
{
	warnings++;
	snprintf(text, sizeof text, "%s", warning);
}

static void run_archive(bool reads)
{
	struct outermost one = { .path = image_path, .share = share };
	struct archives all = { .budget = &budget, .workers = &workers };
	struct archives_listener listener = { &one, visit, NULL };
	struct archives_error err = { .what = "" };
	void *bytes = NULL;
	size_t size = 0;
	int file = open(image_path, O_RDONLY), status = -1;
	const bool runs = reader_open_archive(&all, &one, file, &err);
	if (runs && !reads)
		status = reader_list_files(&all, &listener, &one, 5, &err);
	else if (runs)
		status = reader_read_file(&all, &one, &(struct archives_place){ .archive = 0 }, &bytes, &size, &err);
	if (status == 0 && reads)
		snprintf(text, sizeof text, "%.*s", (int)size, (char *)bytes);
	if (status < 0)
		take_message("%s", err.what);
	free(bytes);
	share = one.share;
	reader_close_archive(&one);
}

static void run_dump(void)
{
	const struct dump_image_source images = { find_module, find_part, find_bytes, find_symbols, NULL };
	struct strbuf report = { .bytes = NULL };
	bool whole;
	struct origin dump = { .kind = ORIGIN_FILE, .file = open(image_path, O_RDONLY) };
	if (dumps_make_report(&workers, &dump, "d", &images, &report, &whole))
		snprintf(text, sizeof text, "%s", report.bytes ? report.bytes : "");
	close(dump.file);
	strbuf_clear(&report);
}

/* How run_image() looks up: so many addresses, and whether the worker is ended after each, for another image. */
static uint32_t lookups = 1;
static bool ends_worker;
static uint64_t requests; /* how many there were, and starts of workers */

static void run_image(void)
{
	static struct index index;
	static struct image_asker asker;
	struct rossym_found found[LOOKUPS_MAX] = { { .count = 0 } };
	struct file file = { .path = image_path, .name = image_path };
	const struct asked_subject subject = { .index = &index, .file = &file, .report_no_answer = nothing };
	const struct rossym_error why = { .code = ROSSYM_ENOSYMS };
	struct rossym_image *image = NULL;
	struct asked_image *self = NULL;
	struct rossym_found again = { .count = 0 };
	const uint64_t before = workers.requests;
	size_t kept = 0;
	uint32_t good = 0;
	struct rossym_error err;
	image_asker_init(&asker, &workers);
	if (asked_image_open_and_grade(&asker, &subject, &why, &image, &self, &err) <= 0)
		abort();
	self->share = share;
	for (uint32_t i = 0; i < lookups && asked_image_look_up(self, 0x1000 + i, &found[i], &kept, &err) == 0; i++)
		if (ends_worker)
			worker_end(&self->worker);
	requests = workers.requests - before;
	while (good < lookups && found[good].count == 1 && strcmp(found[good].frames->function, "f") == 0)
		good++;
	/* Answers are kept: the same look-up again asks nobody. */
	if (good == lookups && asked_image_look_up(self, 0x1000, &again, &kept, &err) == 0 &&
	    again.frames == found[0].frames && workers.requests == before + requests)
		snprintf(text, sizeof text, "%s", again.frames->function);
	rossym_close(image);
	asked_image_free(self);
	budget = asker.budget;
}

static void run_embed(void)
{
	struct embed_command command = { .output = NULL };
	struct job embed = { .command = &command, .source = "x" };
	struct rossym_error err;
	if (job_make_table(&embed, &err))
		snprintf(text, sizeof text, "f");
	else
		take_message("%s", err.what);
	rossym_free(embed.made.table.bytes);
}

/* Run JOB with a worker that does ACT. */
static void run(unsigned number, void (*what)(struct channel *), int64_t ms)
{
	job = 1u << number;
	act = what;
	time_allowed = ms;
	asked = warnings = 0;
	name_bytes = 0;
	messages[0] = text[0] = '\0';
	budget_fill_up(&budget, BUDGET_ARCHIVES, 0);
	share = (struct budget_share){ .patience = ms, .patience_all = ms };
	if (job != EMBED)
		worker_table_start(&workers, serve);
	switch (job) {
	case ARCHIVE:
	case READ:
		run_archive(job == READ);
		break;
	case DUMP:
		run_dump();
		break;
	case IMAGE:
		run_image();
		break;
	case EMBED:
		run_embed();
		break;
	}
	if (job != EMBED)
		worker_table_stop(&workers);
}

/* ------------------------------------------------------------------------------------------------ honest workers */

static void put(const struct channel *channel, const void *bytes, size_t size)
{
	if (!wait_write(channel->pipes.to, bytes, size))
		_exit(1);
}

/* Send a message whose head says that LENGTH bytes follow, and SIZE zeros. */
static void put_message(const struct channel *channel, uint32_t kind, uint64_t length, size_t size)
{
	static const char zeros[1 << 16];
	const struct channel_head head = { .length = length, .kind = kind };
	put(channel, &head, sizeof head);
	for (size_t n; size > 0; size -= n) {
		n = size < sizeof zeros ? size : sizeof zeros;
		put(channel, zeros, n);
	}
}

static struct archive_request request; /* of an archive */
static struct image_request image_request;

static void take_request(struct channel *channel)
{
	char byte;
	if (job == ARCHIVE || job == READ)
		channel_receive_head(channel, CHANNEL_REQUEST, &request, sizeof request);
	else if (job == IMAGE)
		channel_receive(channel, channel->message.bytes,
				channel_receive_head(channel, CHANNEL_REQUEST, &image_request, sizeof image_request));
	else if (job == DUMP)
		channel_receive_head(channel, CHANNEL_REQUEST, &byte, 0);
}

static void send_file(struct channel *channel, uint32_t archive, const char *name, size_t length)
{
	struct archives_place item;
	memset(&item, 0, sizeof item);
	item.archive = archive;
	channel_send(channel, CHANNEL_ITEM, &item, sizeof item, name, length);
}

static const struct archive_node outermost = { .access = ACCESS_FILE, .format = FORMAT_ZIP, .depth = 1, .entries = 1 };

/* The answer to a request to an archive: COUNT archives, or a content of SIZE bytes. */
static void end_archive(struct channel *channel, uint64_t bytes, uint64_t steps, const void *tail, size_t size)
{
	struct archive_answer answer;
	memset(&answer, 0, sizeof answer);
	answer.bytes = bytes;
	answer.steps = steps;
	channel_send(channel, CHANNEL_ANSWER, &answer, sizeof answer, tail, size);
}

/* A report of which the message says that it has SAID bytes, and its problems PROBLEMS bytes. */
static void send_report(struct channel *channel, uint64_t said, uint64_t problems, const char *report)
{
	struct dump_answer answer;
	memset(&answer, 0, sizeof answer);
	answer.report = said;
	answer.problems = problems;
	answer.good = 1;
	channel_send(channel, CHANNEL_ANSWER, &answer, sizeof answer, report, strlen(report));
}

static void send_table_of(struct channel *channel, uint32_t rows, const void *bytes, size_t size)
{
	struct made made;
	memset(&made, 0, sizeof made);
	made.table.size = sizeof made.table;
	made.table.rows = rows;
	channel_send(channel, CHANNEL_ANSWER, &made, sizeof made, bytes, size);
}

/* The answer of an image's worker: COUNT frames in SIZE bytes. */
static void send_frames(struct channel *channel, uint32_t origin, uint32_t count, const void *bytes, size_t size)
{
	const struct image_answer head = { .frames = count, .origin = origin };
	channel_send(channel, CHANNEL_ANSWER, &head, sizeof head, bytes, size);
}

/* A frame as it is sent, with its strings. */
struct sent_frame {
	struct image_frame frame;
	char text[4]; /* its strings */
};

static const struct sent_frame honest = { .frame = { .line = 1 }, .text = "f" };
enum { HONEST_SIZE = sizeof(struct image_frame) + 3 };

/* The answer of an archive or a dump, in which SAID is a file's name, its content, or a line of the report. */
static void answer_text(struct channel *channel, const char *said)
{
	char line[600];
	if (job == ARCHIVE) {
		send_file(channel, 0, said, strlen(said));
		end_archive(channel, 1000, 10, &outermost, sizeof outermost);
	} else if (job == READ) {
		end_archive(channel, 1000, 10, said, strlen(said));
	} else {
		snprintf(line, sizeof line, "%s\n", said);
		send_report(channel, strlen(line), 0, line);
	}
}

static void answer(struct channel *channel)
{
	if (job == IMAGE)
		send_frames(channel, 0, 1, &honest, HONEST_SIZE);
	else if (job == EMBED)
		send_table_of(channel, 1, table, table_size);
	else
		answer_text(channel, "f");
}

/* The size of the structure that messages of a KIND begin with; -1: the job has none. */
static int head_of(enum channel_kind kind)
{
	const bool archive = job == ARCHIVE || job == READ;
	switch (kind) {
	case CHANNEL_ITEM:
		return archive ? (int)sizeof(struct archives_place) : -1;
	case CHANNEL_QUESTION:
		return job == DUMP    ? (int)sizeof(struct dump_question)
		       : job == IMAGE ? (int)sizeof(struct image_question)
				      : 0;
	case CHANNEL_WARNING:
		return job == IMAGE || job == EMBED ? (int)sizeof(struct channel_warning) : -1;
	case CHANNEL_ERROR:
		return (int)sizeof(struct rossym_error);
	case CHANNEL_ANSWER:
		return archive	      ? (int)sizeof(struct archive_answer)
		       : job == DUMP  ? (int)sizeof(struct dump_answer)
		       : job == IMAGE ? (int)sizeof(struct image_answer)
				      : (int)sizeof(struct made);
	default:
		return -1;
	}
}

/* A row.  In WANT a star is what the job was doing; NULL: STRANGE, or the answer is "f" if it ANSWERS. */
static const struct row {
	const char *name;
	void (*act)(struct channel *);
	unsigned jobs;
	const char *want;
	bool answers;
	int64_t patience; /* ms; 0: LATER */
	/* What some acts send. */
	uint32_t kind;
	uint64_t length;
	size_t size;
	uint32_t number;
	const void *bytes;
} * row;

enum { SOON = 60, LATER = 10000 };

/* ------------------------------------------------------------------------------------------------ ends, and time */

static void crash(struct channel *channel)
{
	(void)channel;
	abort();
}

static void be_killed(struct channel *channel)
{
	put_message(channel, CHANNEL_ANSWER, (uint64_t)head_of(CHANNEL_ANSWER) + 1, 1);
	if (job == EMBED)
		abort(); /* that is all that its sandbox lets it do */
	kill(getpid(), SIGKILL);
}

static void leave(struct channel *channel)
{
	(void)channel;
	_exit(3);
}

/* Wait for MS ms, in a sandbox that allows no sleep. */
static void rest(uint64_t ms)
{
	for (const uint64_t since = wait_clock_milliseconds(); wait_clock_milliseconds() - since < ms;)
		;
}

static void hang(struct channel *channel)
{
	(void)channel;
	for (;;)
		rest(1000);
}

/* Do what the row says; but these two do not even take the request. */
static void begin_act(struct channel *channel)
{
	if (act != crash && act != hang)
		take_request(channel);
	act(channel);
}

static void hang_half(struct channel *channel)
{
	put_message(channel, CHANNEL_ANSWER, (uint64_t)head_of(CHANNEL_ANSWER) + 1, 1);
	hang(channel);
}

static void drip_bytes(struct channel *channel)
{
	put_message(channel, CHANNEL_ANSWER, (uint64_t)head_of(CHANNEL_ANSWER) + 1, 0);
	for (;;) {
		put(channel, "", 1);
		rest(20);
	}
}

/* A question that the program answers, but for a list of files, which has items. */
static void ask_once(struct channel *channel)
{
	struct image_question image = { .is_split = 1 };
	struct dump_question dump = { .kind = DUMP_READ, .size = 1 };
	struct channel_given given;
	const void *head = job == DUMP ? (const void *)&dump : (const void *)&image;
	if (job == ARCHIVE) {
		send_file(channel, 0, "x", 1);
		channel_flush(channel);
		return;
	}
	channel_send(channel, CHANNEL_QUESTION, head, (size_t)head_of(CHANNEL_QUESTION), "x",
		     job == IMAGE || job == EMBED);
	const size_t size = job == IMAGE ? channel_receive_head(channel, CHANNEL_GIVE, &given, sizeof given)
					 : channel_receive_head(channel, CHANNEL_REPLY, NULL, 0);
	channel_receive(channel, channel->message.bytes, size);
}

static void drip_questions(struct channel *channel)
{
	for (;;) {
		ask_once(channel);
		rest(2);
	}
}

static void never_read(struct channel *channel)
{
	for (;;)
		put_message(channel, CHANNEL_QUESTION, (uint64_t)head_of(CHANNEL_QUESTION),
			    (size_t)head_of(CHANNEL_QUESTION));
}

/* ------------------------------------------------------------------------------------------------ kinds and lengths */

static void say_nonsense(struct channel *channel)
{
	static char nonsense[100];
	memset(nonsense, 0xff, sizeof nonsense);
	put(channel, nonsense, sizeof nonsense);
}

static void send_file_unasked(struct channel *channel)
{
	const struct rossym_debug_file file = { .path = "x", .fd = 1 };
	channel_send_file(channel, &file);
}

static void warn(struct channel *channel, const char *what)
{
	channel_send_warning(channel, &(struct rossym_warning){ .what = what });
}

static void warn_once(struct channel *channel)
{
	warn(channel, "x");
	answer(channel);
}

static void send_message(struct channel *channel)
{
	put_message(channel, row->kind, row->length, row->size);
}

/* The length counts from the end of the structure that the message begins with. */
static void send_after_head(struct channel *channel)
{
	const int head = head_of(row->kind);
	put_message(channel, row->kind, (uint64_t)(head > 0 ? head : 0) + row->length, 0);
}

/* By a byte more than the job may send. */
static void send_more(struct channel *channel)
{
	const uint64_t head = (uint64_t)head_of(CHANNEL_ANSWER);
	const uint64_t most = job == ARCHIVE ? request.most * sizeof(struct archive_node)
			      : job == READ  ? ARCHIVES_FILE_SIZE_MAX
			      : job == DUMP  ? most_report + most_problems
					     : worker_table_size_max(11000);
	put_message(channel, CHANNEL_ANSWER, head + most + 1, 0);
}

static void send_long_path(struct channel *channel)
{
	const struct channel_warning warning = { .path_length = 2 };
	channel_send(channel, CHANNEL_WARNING, &warning, sizeof warning, "x", 1);
	channel_flush(channel);
}

static void send_nul(struct channel *channel)
{
	const struct image_question question = { .is_split = 1 };
	if (job == ARCHIVE)
		send_file(channel, 0, "a\0b", 3);
	else
		channel_begin_message(channel, CHANNEL_QUESTION, &question, job == IMAGE ? sizeof question : 0, 3);
	if (job != ARCHIVE)
		channel_add_bytes(channel, "a\0b", 3);
	channel_flush(channel);
}

/* ------------------------------------------------------------------------------------------------ errors */

/* An error whose other bytes are BYTE. */
static void send_error_of(struct channel *channel, uint32_t code, int byte)
{
	struct rossym_error error;
	memset(&error, byte, sizeof error);
	error.code = (enum rossym_code)code;
	error.sys_errno = 0;
	channel_send(channel, CHANNEL_ERROR, &error, sizeof error, NULL, 0);
}

static void send_error(struct channel *channel)
{
	send_error_of(channel, row->kind, 'x');
}

/* ------------------------------------------------------------------------------------------------ without end */

static void list_without_end(struct channel *channel)
{
	for (;;)
		send_file(channel, 0, "x", 1);
}

static void list_long_names(struct channel *channel)
{
	static char name[ARCHIVES_NAME_LENGTH_MAX];
	memset(name, 'x', sizeof name);
	for (;;)
		send_file(channel, 0, name, sizeof name);
}

static void ask_without_end(struct channel *channel)
{
	for (;;)
		ask_once(channel);
}

static void find_without_end(struct channel *channel)
{
	const struct dump_question question = { .kind = DUMP_FIND };
	struct dump_module module;
	struct dump_reply reply;
	memset(&module, 0, sizeof module);
	for (;;) {
		channel_send(channel, CHANNEL_QUESTION, &question, sizeof question, &module, sizeof module);
		channel_receive_head(channel, CHANNEL_REPLY, &reply, sizeof reply);
	}
}

/* More warnings than an honest worker sends. */
static void warn_without_end(struct channel *channel)
{
	const struct channel_warning warning = { .path_length = 0 };
	for (;;)
		channel_send(channel, CHANNEL_WARNING, &warning, sizeof warning, "x", 1);
}

static void warn_loudly(struct channel *channel)
{
	static const char noise[CHANNEL_TEXT_LENGTH_MAX];
	const struct channel_warning warning = { .path_length = 0 };
	for (;;)
		channel_send(channel, CHANNEL_WARNING, &warning, sizeof warning, noise, sizeof noise);
}

/* As many warnings as the library has for one image, and that there are more. */
static void warn_often(struct channel *channel)
{
	for (int i = 0; i < 1000; i++)
		warn(channel, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0");
	warn(channel, "there are more warnings, which are not shown");
	answer(channel);
}

/* Add very many warnings, as debug information can cause them in rossym-embed.  Each is a number with at least NUMBER
   digits. */
static void find_often(struct channel *channel)
{
	char warning[100];
	for (int i = 0; i < 100000; i++) {
		snprintf(warning, sizeof warning, "%0*d", (int)row->number, i);
		add_warning(embed_job, warning);
	}
	answer(channel);
}

/* ------------------------------------------------------------------------------------------------ lies */

static void answer_twice(struct channel *channel)
{
	answer(channel);
	answer(channel);
}

/* Send two lists of no archives in one piece. */
static void answer_at_once(struct channel *channel)
{
	struct archive_answer end;
	memset(&end, 0, sizeof end);
	channel_begin_message(channel, CHANNEL_ANSWER, &end, sizeof end, 0);
	channel_send(channel, CHANNEL_ANSWER, &end, sizeof end, NULL, 0);
}

static void name_other_archive(struct channel *channel)
{
	send_file(channel, request.most, "x", 1);
	channel_flush(channel);
}

/* A file in archive NUMBER, and LENGTH bytes of work. */
static void name_and_end(struct channel *channel)
{
	send_file(channel, row->number, "x", 1);
	end_archive(channel, row->length, 10, &outermost, sizeof outermost);
}

/* The work that the worker claims is LENGTH bytes and NUMBER steps. */
static void end_with_bytes(struct channel *channel)
{
	end_archive(channel, row->length, row->number, row->bytes, row->size);
}

static void end_with(struct channel *channel)
{
	send_file(channel, 0, "f", 1);
	const struct archive_node nodes[] = { outermost, *(const struct archive_node *)row->bytes };
	end_archive(channel, 1000, 10, nodes, sizeof nodes);
}

static void send_content_and_error(struct channel *channel)
{
	struct archive_answer end;
	memset(&end, 0, sizeof end);
	end.failed = 1;
	channel_send(channel, CHANNEL_ANSWER, &end, sizeof end, "x", 1);
}

static void claim(struct channel *channel, uint64_t work)
{
	end_archive(channel, work, work, job == READ ? (const void *)"f" : &outermost,
		    job == READ ? 1 : sizeof outermost);
}

static void claim_all(struct channel *channel)
{
	claim(channel, (uint64_t)1 << 40);
}

static void claim_too_much(struct channel *channel)
{
	claim(channel, UINT64_MAX);
}

/* With LENGTH bytes of problems. */
static void send_wrong_sizes(struct channel *channel)
{
	send_report(channel, 3, row->length, "f\n");
}

static void ask_dump(struct channel *channel)
{
	const struct dump_question question = { .kind = row->kind,
						.number = row->number,
						.size = (uint32_t)row->length };
	const struct dump_module module = { .size = 0 };
	channel_send(channel, CHANNEL_QUESTION, &question, sizeof question, &module, row->size);
}

static void ask_other_file(struct channel *channel)
{
	const struct image_question question = { .number = 1 };
	channel_send(channel, CHANNEL_QUESTION, &question, sizeof question, NULL, 0);
}

/* A name that is no file's name: the program says that there is no such file. */
static void ask_outside(struct channel *channel)
{
	const struct image_question question = { .is_split = 1 };
	struct rossym_debug_file file;
	channel_send(channel, CHANNEL_QUESTION, &question, sizeof question, "../x.dwo", 8);
	if (!channel_receive_file(channel, &file))
		answer(channel);
}

static void ask_own_file(struct channel *channel)
{
	const struct image_question question = { .is_split = 0 };
	struct rossym_debug_file file;
	struct stat st;
	channel_send(channel, CHANNEL_QUESTION, &question, sizeof question, NULL, 0);
	if (channel_receive_file(channel, &file) && file.fd >= 0 && fstat(file.fd, &st) == 0 &&
	    (uint64_t)st.st_size == file.bytes_size)
		answer(channel);
}

/* LENGTH frames of the file NUMBER. */
static void send_wrong_frames(struct channel *channel)
{
	send_frames(channel, row->number, (uint32_t)row->length, row->bytes, row->size);
}

static const struct image_frame too_many[ROSSYM_FRAMES_MAX + 1];
static const struct sent_frame without_end = { .text = "f\0gg" };

/* With LENGTH rows in the header of the message, and SIZE halves of the table. */
static void send_wrong_table(struct channel *channel)
{
	send_table_of(channel, (uint32_t)row->length, table, row->size * table_size / 2);
}

/* Answer for addresses until the program asks for everything, and then send SIZE halves of the table, as that of the file NUMBER. */
static void send_everything(struct channel *channel)
{
	for (; image_request.rva != IMAGE_EVERYTHING; take_request(channel))
		answer(channel);
	send_frames(channel, row->number, 0, table, row->size * table_size / 2);
}

/* ------------------------------------------------------------------------------------------------ the matrix */

#define STRANGE "* gave what is no answer"
#define LATE "* takes too long"

static const struct row rows[] = {
	{ "honest", answer, ALL, .answers = true },
	{ "a crash", crash, ALL, .want = "* crashed (signal 6)" },
	{ "killed in the middle of an answer", be_killed, ALL, .want = "* crashed (signal 9)|* crashed (signal 6)" },
	{ "an early end", leave, ALL, .want = "* ended early (status 3)" },
	{ "no answer", hang, ALL, .want = LATE, .patience = SOON },
	{ "half of an answer", hang_half, ALL, .want = LATE, .patience = SOON },
	{ "an answer byte after byte", drip_bytes, ALL, .want = LATE, .patience = SOON },
	{ "a question now and then", drip_questions, ALL & ~READ, .want = LATE, .patience = SOON },
	{ "questions, but it takes no replies", never_read, ALL & ~IMAGE, .want = "* crashed (signal 9)|" STRANGE },
	{ "nonsense", say_nonsense, .jobs = ALL },
	{ "an unknown kind", send_message, .jobs = ALL },
	{ "a request", send_message, ALL, .kind = CHANNEL_REQUEST, .length = 8, .size = 8 },
	{ "a reply", send_message, ALL, .kind = CHANNEL_REPLY, .length = 8, .size = 8 },
	{ "a file with a descriptor", send_file_unasked, .jobs = ALL },
	{ "a list where none is wanted", send_message, ALL & ~ARCHIVE, .kind = CHANNEL_ITEM, .length = 24, .size = 24 },
	{ "a question where there are none", send_message, ARCHIVE | READ, .kind = CHANNEL_QUESTION },
	{ "a warning where there are none", warn_once, .jobs = ARCHIVE | READ | DUMP },
	{ "a question that is too short", send_after_head, ALL, .kind = CHANNEL_QUESTION, .length = UINT64_MAX },
	{ "an error that is too short", send_after_head, ALL, .kind = CHANNEL_ERROR, .length = UINT64_MAX },
	{ "an answer that is too short", send_after_head, ALL, .kind = CHANNEL_ANSWER, .length = UINT64_MAX },
	{ "a warning that is too short", send_after_head, ALL, .kind = CHANNEL_WARNING, .length = UINT64_MAX },
	{ "an item that is too short", send_after_head, ALL, .kind = CHANNEL_ITEM, .length = UINT64_MAX },
	{ "a question that is too long", send_after_head, ALL, .kind = CHANNEL_QUESTION,
	  .length = CHANNEL_TEXT_LENGTH_MAX + 1 },
	{ "an item that is too long", send_message, ALL, .kind = CHANNEL_ITEM,
	  .length = sizeof(struct archives_place) + ARCHIVES_NAME_LENGTH_MAX + 1 },
	{ "a warning that is too long", send_message, ALL, .kind = CHANNEL_WARNING,
	  .length = sizeof(struct channel_warning) + 2 * CHANNEL_TEXT_LENGTH_MAX + 1 },
	{ "an error that is too long", send_after_head, ALL, .kind = CHANNEL_ERROR, .length = 1 },
	{ "an answer of all bytes there are", send_message, ALL, .kind = CHANNEL_ANSWER, .length = UINT64_MAX },
	{ "an answer with a byte too many", send_more, .jobs = ALL },
	{ "a path that is longer than its message", send_long_path, .jobs = IMAGE | EMBED },
	{ "a NUL in a name", send_nul, .jobs = ALL & ~(READ | DUMP) },
	{ "an error that is none", send_error, ALL, .kind = ROSSYM_OK },
	{ "an unknown error", send_error, ALL, .kind = 1000 },
	{ "an error where there are none", send_error, ARCHIVE | READ | DUMP, .kind = ROSSYM_EREFUSED },
	{ "warnings without end", warn_without_end, .jobs = IMAGE | EMBED },
	{ "warnings of many bytes", warn_loudly, .jobs = IMAGE | EMBED },
	{ "two answers", answer_twice, ALL, .answers = true },

	{ "the number of another archive", name_other_archive, .jobs = ARCHIVE },
	{ "the number of an archive that is not known in the end", name_and_end, ARCHIVE, .length = 1000, .number = 1 },
	{ "half an archive", end_with_bytes, ARCHIVE, .length = 1000, .number = 10, .bytes = &outermost,
	  .size = sizeof outermost - 1 },
	/* Only the next worker of this archive reads the tree. */
	{ "an archive in itself", end_with, ARCHIVE, .answers = true,
	  .bytes = &(const struct archive_node){ .access = ACCESS_RANGE,
						 .format = FORMAT_ISO,
						 .depth = 2,
						 .place.archive = 1 } },
	{ "a name that was not paid for", name_and_end, ARCHIVE, .length = ARCHIVES_NAME_WEIGHT - 1 },
	{ "a file where content is wanted", list_without_end, .jobs = READ },
	{ "content that was not paid for", end_with_bytes, READ, .bytes = "x", .size = 1 },
	{ "content and an error", send_content_and_error, .jobs = READ },
	{ "more work than there can be", claim_too_much, .jobs = ARCHIVE | READ },

	{ "texts of other sizes", send_wrong_sizes, .jobs = DUMP },
	{ "texts of huge sizes", send_wrong_sizes, DUMP, .length = UINT64_MAX },
	{ "an unknown question", ask_dump, DUMP, .kind = 77 },
	{ "a question for too much", ask_dump, DUMP, .kind = DUMP_READ, .length = DUMP_PAGE + 1 },
	{ "a module beyond all", ask_dump, DUMP, .kind = DUMP_FIND, .size = sizeof(struct dump_module),
	  .number = DUMP_IMAGES },
	{ "the PDB file of one", ask_dump, DUMP, .kind = DUMP_PDB, .number = DUMP_IMAGES },
	{ "half a module", ask_dump, DUMP, .kind = DUMP_FIND, .size = sizeof(struct dump_module) - 1 },

	{ "a file that it has not", ask_other_file, .jobs = IMAGE },
	{ "a file outside", ask_outside, IMAGE, .answers = true },
	{ "its own file", ask_own_file, IMAGE, .answers = true },
	{ "files of split DWARF without end", ask_without_end, .jobs = IMAGE },
	{ "frames of another file", send_wrong_frames, IMAGE, .length = 1, .size = HONEST_SIZE, .number = 1,
	  .bytes = &honest },
	{ "no frame where there is one", send_wrong_frames, IMAGE, .length = 1 },
	{ "more frames than an address has", send_wrong_frames, IMAGE, .length = ROSSYM_FRAMES_MAX + 1,
	  .size = sizeof too_many, .bytes = too_many },
	{ "a frame with a byte too many", send_wrong_frames, IMAGE, .length = 1, .size = HONEST_SIZE + 1,
	  .bytes = &honest },
	{ "half a frame", send_wrong_frames, IMAGE, .length = 1, .size = sizeof honest.frame - 1, .bytes = &honest },
	{ "a frame without a file", send_wrong_frames, IMAGE, .length = 1, .size = sizeof honest.frame + 2,
	  .bytes = &honest },
	{ "a frame with a file without an end", send_wrong_frames, IMAGE, .length = 1, .size = sizeof without_end,
	  .bytes = &without_end },

	{ "questions for names without end", ask_without_end, .jobs = EMBED },
	{ "no table at all", send_wrong_table, EMBED, .want = "* gave a damaged table", .length = 1 },
	{ "half a table", send_wrong_table, EMBED, .want = "* gave a damaged table", .length = 1, .size = 1 },
	{ "a table with other rows", send_wrong_table, EMBED, .want = "* gave a damaged table", .length = 2,
	  .size = 2 },
};

/* Whether TEXT ends with one of the phrases of WANT for job NUMBER. */
static bool is_wanted(const char *said, const char *want, unsigned number)
{
	for (const char *end; *want; want = *end ? end + 1 : end) {
		char whole[200];
		end = want + strcspn(want, "|");
		snprintf(whole, sizeof whole, "%s%.*s", doing[number], (int)(end - want - 1), want + 1);
		const size_t length = strlen(whole), all = strlen(said);
		if (all >= length && strcmp(said + all - length, whole) == 0)
			return true;
	}
	return false;
}

static void test_matrix(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (unsigned number = 0; number < JOBS; number++) {
			row = &rows[i];
			if (!(row->jobs & 1u << number))
				continue;
			run(number, row->act, row->patience ? row->patience : LATER);
			if (row->answers)
				ok(strncmp(text, "f", 1) == 0 && !messages[0], "%s: %s is an answer: %s%s",
				   job_names[number], row->name, text, messages);
			else
				ok(is_wanted(messages, row->want ? row->want : STRANGE, number), "%s: %s: %s",
				   job_names[number], row->name, messages);
		}
}

/* A worker is asked for few addresses; then it sends a table, from which the program answers. */
static void test_everything(void)
{
	static const struct row good = { .size = 2 };
	static const struct row bad[] = { { "half a table", .size = 1 },
					  { "no table", .size = 0 },
					  { "a table of another file", .size = 2, .number = 1 } };
	row = &good;
	lookups = LOOKUPS_MAX;
	run(3, send_everything, LATER);
	ok(text[0] && requests < 60, "an image: %u addresses take %u requests", lookups, (unsigned)requests);
	ends_worker = true;
	run(3, send_everything, LATER);
	ok(text[0] && requests < 12, "an image whose worker is ended again and again: %u requests", (unsigned)requests);
	ends_worker = false;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		row = &bad[i];
		run(3, send_everything, LATER);
		ok(!text[0] && is_wanted(messages, STRANGE, 3), "an image: %s: %s", row->name, messages);
	}
	lookups = 1;
}

/* ------------------------------------------------------------------------------------------------ what it may cost */

static void test_budgets(void)
{
	const int64_t all = (int64_t)BUDGET_ARCHIVES << 30;
	run(0, answer, LATER);
	is_int(all - budget.bytes, 1000, "an archive: an honest worker takes what it says");
	is_int(BUDGET_STEPS - budget.steps, 10, "also entries");
	run(0, list_without_end, LATER);
	is_uint(asked, BUDGET_STEPS / 2 + 1, "files without end: so many are taken, however much work is claimed");
	is_str(messages, "reading the archive gave what is no answer", "then it is ended");
	is_int(budget.steps, BUDGET_STEPS / 2, "and half of the budget is left for others");
	run(0, list_long_names, LATER);
	is_uint(name_bytes, ARCHIVES_NAMES_LENGTH_MAX, "long names without end: so many bytes are taken");
	is_str(messages, "reading the archive gave what is no answer", "then it is ended");
	for (unsigned number = 0; number < 2; number++) {
		run(number, claim_all, LATER);
		ok(budget.bytes == all / 2, "%s: a worker that claims all takes half", job_names[number]);
		is_int(budget.steps, BUDGET_STEPS / 2, "also of the entries");
	}
	const struct budget_share next = { .own = 1000 };
	int64_t bytes, steps;
	budget_share_left(&budget, &next, &bytes, &steps);
	is_int(bytes, (all / 2 + 1000) / 2, "the next archive may take what comes for its size, and half of the rest");
	is_int(steps, BUDGET_STEPS / 4, "and half of the entries");

	run(2, find_without_end, LATER);
	is_uint(asked, DUMP_QUESTIONS / DUMP_FIND_COST, "searches for modules: so many are done");
	is_str(messages, "d: reading the dump gave what is no answer", "then it is ended");
	run(3, answer, LATER);
	struct stat st;
	stat(image_path, &st);
	is_int(((int64_t)BUDGET_DEBUG_INFO << 30) - budget.bytes, (int64_t)st.st_size + HONEST_SIZE,
	       "an image: its bytes and those of its answer are taken");
	lookups = 2;
	ends_worker = true;
	run(3, answer, LATER);
	ok(text[0], "both of its workers answer, and the first answer stays when its worker has ended");
	is_int(((int64_t)BUDGET_DEBUG_INFO << 30) - budget.bytes, (int64_t)st.st_size + 2 * HONEST_SIZE,
	       "a second worker: the bytes of the image are taken once");
	lookups = 1;
	ends_worker = false;

	/* LENGTH: how many are shown. */
	static const struct row cases[] = { { .act = warn_often, .length = 1000 },
					    { .act = find_often, .length = 1000, .number = 1 },
					    { .act = find_often, .length = 819, .number = 80 } };
	run(3, warn_often, LATER);
	ok(strstr(messages, ": there are more") && *text == 'f', "an image: many warnings, and its answer");
	for (size_t i = 0; i < 3; i++) {
		row = &cases[i];
		run(4, row->act, LATER);
		is_uint(warnings, row->length + 1, "rossym-embed: so many warnings are shown");
		ok(!messages[0], "and the table is used: %s", messages);
	}
	run(4, warn_without_end, LATER);
	is_uint(warnings, 1001, "rossym-embed: a worker that does not count: so many are shown");
}

/* ------------------------------------------------------------------------------------------------ a second request */

/* What comes after the answer is not the answer to the next request. */
static void test_order(void)
{
	struct outermost one = { .path = image_path, .share = { .patience = LATER } };
	struct archives all = { .budget = &budget, .workers = &workers };
	struct archives_listener listener = { &one, visit, NULL };
	struct archives_error err = { .what = "" };
	job = ARCHIVE;
	act = answer_at_once;
	budget_fill_up(&budget, BUDGET_ARCHIVES, 0);
	worker_table_start(&workers, serve);
	int file = open(image_path, O_RDONLY);
	if (!reader_open_archive(&all, &one, file, &err) || reader_list_files(&all, &listener, &one, 5, &err) < 0)
		abort();
	free(one.tree);
	is_int(reader_list_files(&all, &listener, &one, 5, &err), -1, "an answer before its request is refused");
	is_str(err.what, "reading the archive gave what is no answer", "and why is told");
	ok(err.broken && !reader_is_running(&one), "the worker has been ended");
	reader_close_archive(&one);
	worker_table_stop(&workers);
}

/* ------------------------------------------------------------------------------------------------ lists of .dwo files */

static void send_name(struct channel *channel, const char *name, size_t length)
{
	char reply;
	channel_send(channel, CHANNEL_QUESTION, NULL, 0, name, length);
	channel_receive_head(channel, CHANNEL_REPLY, &reply, 1);
}

static void list_names_without_end(struct channel *channel)
{
	for (;;)
		send_name(channel, "12345678901", 11);
}

/* Two names, and then what the row has: a message of KIND that says LENGTH and has SIZE bytes, or the name BYTES of SIZE. */
static void list_two(struct channel *channel)
{
	send_name(channel, "a", 1);
	send_name(channel, "b", 1);
	if (row->kind)
		put_message(channel, row->kind, row->length, row->size);
	else if (row->size)
		send_name(channel, row->bytes, row->size);
}

static void list_and_crash(struct channel *channel)
{
	list_two(channel);
	abort();
}

static void list_and_hang(struct channel *channel)
{
	list_two(channel);
	hang(channel);
}

/* If the worker fails, the names before that are used, without a message. */
static void test_list(void)
{
	static const struct row cases[] = {
		{ "honest", list_two, .jobs = EMBED },
		{ "a crash", list_and_crash, .jobs = EMBED },
		{ "no end", list_and_hang, .patience = SOON },
		{ "a NUL in a name", list_two, .bytes = "c\0d", .size = 3 },
		{ "a long name", list_two, .kind = CHANNEL_QUESTION, .length = TREE_NAME_LENGTH_MAX },
		{ "an item", list_two, .kind = CHANNEL_ITEM, .length = 1, .size = 1 },
		{ "names without end", list_names_without_end, .jobs = EMBED },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct embed_command command = { .output = NULL };
		struct job embed = { .command = &command, .source = "x" };
		struct rs_split_names names = { .count = 0 };
		row = &cases[i];
		job = EMBED;
		act = row->act;
		time_allowed = row->patience ? row->patience : LATER;
		ok(list_dwo_names(&embed, &names), "a list of .dwo files: %s", row->name);
		if (act == list_names_without_end)
			is_uint(names.count, RS_SPLIT_NAMES_MAX, "so many are taken");
		else
			ok(names.count == 2 && strcmp(names.items[0], "a") == 0 && strcmp(names.items[1], "b") == 0,
			   "the names before that");
		rs_split_names_clear(&names);
	}
}

/* ------------------------------------------------------------------------------------------------ slots */

static void test_slots(void)
{
	static const struct worker_job small = { .doing = "x", .first_slot = 2, .slots = 2 };
	struct worker one = { .channel = NULL }, two = one, three = one;
	struct rossym_error err;
	job = DUMP;
	act = hang;
	worker_table_start(&workers, serve);
	ok(worker_start(&one, &workers, &small, NULL, 0, &err) && worker_start(&two, &workers, &small, NULL, 0, &err),
	   "two workers for two slots");
	two.last_request = ++workers.requests;
	one.last_request = ++workers.requests;
	ok(worker_start(&three, &workers, &small, NULL, 0, &err) && worker_runs(&one) && !worker_runs(&two),
	   "a third one takes the slot of the one that was asked longest ago");
	is_uint(three.slot, two.slot, "that is its slot");
	worker_end(&one);
	worker_end(&two);
	worker_end(&three);
	worker_end(&three);
	ok(!workers.workers[2] && !workers.workers[3], "all have been ended");
	worker_table_stop(&workers);
	ok(!worker_start(&one, &workers, &small, NULL, 0, &err), "without a fork server nothing is started");
	workers.error = EAGAIN;
	ok(!worker_start(&one, &workers, &small, NULL, 0, &err), "nor if it could not be started");
	is_str(err.what, "cannot start a process to read it: Resource temporarily unavailable", "and why is told");
}

/* ------------------------------------------------------------------------------------------------ descriptors */

/* Descriptors that a worker might inherit, some of them for reading. */
static const int numbers[] = { 9, 10, 17, 100, 200, 255 };
static int from_others, to_others;

/* Try everything that this worker must not be able to do, and tell what it can, as its answer. */
static void attack(struct channel *channel)
{
	char found[512] = "", byte;
	if (job == IMAGE)
		sandbox_restrict_child(11000, true);
	else if (job != EMBED)
		sandbox_restrict_unpacker();
	if (open("/dev/null", O_RDONLY) >= 0 || open("/dev/null", O_WRONLY) >= 0)
		strcat(found, "opens ");
	if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0)
		strcat(found, "socket ");
	pid_t copy = fork();
	if (copy == 0)
		_exit(0); /* or two processes would write the one answer */
	if (copy > 0)
		strcat(found, "fork ");
	if (kill(getppid(), 0) == 0)
		strcat(found, "kill ");
	for (int fd = 0; fd < 256; fd++) {
		bool reads = fd != channel->pipes.from && read(fd, &byte, 1) > 0,
		     writes = fd != channel->pipes.to && write(fd, "forged", 6) > 0;
		if ((reads || writes) && strlen(found) < sizeof found - 32)
			snprintf(found + strlen(found), 32, "%d%s%s ", fd, reads ? " reads" : "",
				 writes ? " writes" : "");
	}
	if (job == IMAGE || job == EMBED) {
		/* That of an image shows the error, too, unless it has no text. */
		warn(channel, found);
		send_error_of(channel, ROSSYM_EREFUSED, 0);
	} else {
		answer_text(channel, found);
	}
}

static void test_rights(void)
{
	int ends[2];
	if (pipe(ends) < 0)
		abort();
	from_others = fcntl(ends[0], F_DUPFD, 300);
	to_others = fcntl(ends[1], F_DUPFD, 300);
	if (write(to_others, "for others", 10) != 10 || fcntl(from_others, F_SETFL, O_NONBLOCK) < 0)
		abort();
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (dup2(i % 2 ? to_others : from_others, numbers[i]) < 0)
			abort();
	for (unsigned number = 0; number < JOBS; number++) {
		run(number, attack, LATER);
		const char *said = number == 3 ? messages : text;
		const char *own = number == 4 ? "1 writes 2 writes " : "1 writes 2 writes 5 reads ";
#ifdef ENABLE_SANDBOX
		ok(strstr(said, own) && !strstr(said, "opens") && !strstr(said, "socket") && !strstr(said, "fork") &&
			   !strstr(said, "kill") && !strstr(said, "17") && !strstr(said, "100") && !strstr(said, "200"),
		   "%s: it has its file and a pipe that leads nowhere, no other descriptor, and no right to get one: "
		   "%s",
		   job_names[number], said);
#else
		ok(strstr(said, number == 4 ? "1 writes" : "5 reads ") && !strstr(said, "17"),
		   "%s: it has its file, and no other descriptor: %s", job_names[number], own);
#endif
	}
	char found[64];
	const ssize_t n = read(from_others, found, sizeof found - 1);
	found[n > 0 ? n : 0] = '\0';
	is_str(found, "for others", "what is for others is still there, and nothing else has arrived");
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		close(numbers[i]);
}

/* Returns the status of a process that has only the COUNT FILES and does WHAT. */
static int status_of_fork(const int *files, size_t count, process_function *what)
{
	int status = -1;
	const pid_t id = process_fork(files, count, what, NULL);
	waitpid(id, &status, 0);
	return status;
}

static void use_streams(void *context)
{
	(void)context;
	const bool good = write(3, "x", 1) == 1 && write(1, "y", 1) == 1 && fcntl(0, F_GETFD) >= 0 &&
			  fcntl(2, F_GETFD) >= 0 && fcntl(4, F_GETFD) < 0;
	_exit(good ? 0 : 1);
}

/* process_fork() itself, where standard descriptors are closed in the parent. */
static void closed_streams(void)
{
	int ends[2], status = 0;
	if (pipe(ends) < 0)
		abort();
	pid_t child = fork();
	if (child == 0) {
		close(0), close(1), close(2);
		_exit(status_of_fork(&ends[1], 1, use_streams) == 0 ? 0 : 1);
	}
	waitpid(child, &status, 0);
	char byte = 0;
	ok(status == 0 && read(ends[0], &byte, 1) == 1 && byte == 'x',
	   "a worker whose standard streams are closed gets others");
	close(ends[0]);
	close(ends[1]);
}

#ifdef HAVE_OLD_KERNEL

static void look_for_others(void *context)
{
	(void)context;
	_exit(fcntl(200, F_GETFD) < 0 && fcntl(2, F_GETFD) >= 0 ? 0 : 1);
}

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
		_exit(!good ? 2 : status_of_fork(NULL, 0, look_for_others) == 0 ? 0 : 1);
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

/* Another process that does not read what it is sent. */
static void deaf(void)
{
	static char bytes[1 << 20];
	static struct channel channel;
	int ends[2];
	if (!pipes_open(&channel.pipes, ends))
		abort();
	channel_set_deadline(&channel, SOON);
	ok(!channel_send(&channel, CHANNEL_REPLY, NULL, 0, bytes, sizeof bytes) && channel.late,
	   "who does not read is given up at the deadline");
	channel_set_deadline(&channel, LATER);
	close(ends[1]);
	ok(!channel_send(&channel, CHANNEL_REPLY, NULL, 0, bytes, sizeof bytes) && !channel.late,
	   "or at once, if it has ended");
	pipes_close(&channel.pipes);
}

/* Make an image without a table that has a debug section, and a table for it. */
static void make_files(void)
{
	static struct makepe m;
	struct rossym_image *image;
	size_t size;
	makepe_start(&m, MAKEPE_32);
	makepe_section(&m, ".text", 0x1000, 0x1000, 0x200, MAKEPE_CODE);
	makepe_row(&m, 0x1000, "f", "file.c", 1);
	uint8_t *bytes = makepe_build(&m, &size);
	if (rossym_open_memory(bytes, size, NULL, &image, NULL) < 0 ||
	    rossym_read_table(image, &table, &table_size, NULL) < 0)
		abort();
	rossym_close(image);
	for (size_t i = 0; i + 7 < size; i++)
		if (memcmp(bytes + i, ".rossym", 7) == 0) {
			memcpy(bytes + i, ".stab\0\0", 7);
			break;
		}
	if (!makepe_file(image_path, bytes, size))
		abort();
	free(bytes);
}

int main(void)
{
	make_files();
	test_matrix();
	test_everything();
	test_budgets();
	test_order();
	test_list();
	test_slots();
	/* Output of tests goes to descriptor 1. */
	fflush(stdout);
	test_rights();
	closed_streams();
	old_kernel();
	deaf();
	unlink(image_path);
	return done_testing();
}

#else

int main(void)
{
	return skip_all("built without fork() or libarchive");
}

#endif

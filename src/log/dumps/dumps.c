// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/dumps/dumps.h"
#include "log/archive/archives.h"
#include "report/report.h"
#include "tool/diag.h"
#include "tool/mask.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/compat.h"

bool dumps_is_dump(int fd)
{
	uint8_t bytes[DUMP_SIGNATURE];
	struct stat st;
	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) == 0 &&
	       pread(fd, bytes, sizeof bytes, 0) == (ssize_t)sizeof bytes && rs_dump_has_signature(bytes, sizeof bytes);
}

/* ------------------------------------------------------------------------------------------------ making the report */

static bool read_dump_bytes(void *context, uint64_t offset, void *bytes, size_t size)
{
	return origin_read(context, offset, bytes, size) == (int64_t)size;
}

/* Append the report of DUMP to REPORT, and what is wrong with the dump to PROBLEMS.  Returns the sizes of both, and
   whether there is a report. */
static struct dump_answer make_report(const struct origin *dump, const struct dump_image_source *images,
				      struct strbuf *report, struct report_problems *problems)
{
	struct dump_answer made;
	const struct dump_input input = { read_dump_bytes, (void *)dump, dump->size };
	memset(&made, 0, sizeof made);
	made.good = write_dump_report(&input, images, report, problems);
	made.report = report->length;
	made.problems = problems->text.length;
	made.count = problems->count;
	return made;
}

#ifdef HAVE_FORK

#include "tool/process/sandbox.h"

/* ---------------------------------------------------------------------------------------- what a worker does */

/* Send QUESTION, then the SIZE bytes at BYTES, and receive *REPLY.  Returns how many bytes follow the reply. */
static size_t send_question(struct channel *channel, const struct dump_question *question, const void *bytes,
			    size_t size, struct dump_reply *reply)
{
	channel_send(channel, CHANNEL_QUESTION, question, sizeof *question, bytes, size);
	return channel_receive_head(channel, CHANNEL_REPLY, reply, sizeof *reply);
}

static bool ask_for_image(void *context, uint32_t number, const struct dump_module *module, uint64_t *base)
{
	const struct dump_question question = { .kind = DUMP_FIND, .number = number };
	struct dump_reply reply;
	send_question(context, &question, module, sizeof *module, &reply);
	*base = reply.base;
	return reply.good;
}

static bool ask_for_section(void *context, uint32_t number, const char *name, uint32_t *rva, uint32_t *size)
{
	struct dump_question question = { .kind = DUMP_SECTION, .number = number };
	struct dump_reply reply;
	for (size_t i = 0; name[i] && i + 1 < sizeof question.section; i++)
		question.section[i] = name[i];
	send_question(context, &question, NULL, 0, &reply);
	*rva = reply.rva;
	*size = reply.size;
	return reply.good;
}

static bool ask_for_bytes(void *context, uint32_t number, uint32_t rva, void *bytes, size_t size)
{
	const struct dump_question question = {
		.kind = DUMP_READ, .number = number, .rva = rva, .size = (uint32_t)size
	};
	struct dump_reply reply;
	if (send_question(context, &question, NULL, 0, &reply) == 0)
		return reply.good && size == 0;
	return channel_receive(context, bytes, size);
}

static bool ask_for_pdb(void *context, uint32_t number, uint32_t choice, uint8_t guid[DUMP_GUID], uint64_t *size)
{
	const struct dump_question question = { .kind = DUMP_PDB, .number = number, .rva = choice };
	struct dump_reply reply;
	send_question(context, &question, NULL, 0, &reply);
	memcpy(guid, reply.guid, sizeof reply.guid);
	*size = reply.file_size;
	return reply.good;
}

void dump_serve_request(struct channel *channel)
{
	const struct dump_image_source images = { ask_for_image, ask_for_section, ask_for_bytes, ask_for_pdb, channel };
	struct strbuf report = { .bytes = NULL };
	struct report_problems problems = { .count = 0 };
	struct origin dump;
	char none;
	sandbox_restrict_unpacker();
	const uint64_t size = channel_receive_head(channel, CHANNEL_REQUEST, &none, 0);
	const int file = channel_take_file(channel);
	if (file >= 0)
		origin_of_file(file, &dump);
	else
		dump = origin_of_memory(channel_receive_bytes(channel, size), size);
	const struct dump_answer made = make_report(&dump, &images, &report, &problems);
	channel_begin_message(channel, CHANNEL_ANSWER, &made, sizeof made, made.report + made.problems);
	channel_add_bytes(channel, report.bytes, made.report);
	channel_add_bytes(channel, problems.text.bytes, made.problems);
	channel_flush(channel);
}

/* ------------------------------------------------------------------ what the program does while a worker runs */

static const size_t most_report = (size_t)64 << 20, most_problems = 64 << 10; /* the most bytes a worker may send */

static const struct worker_job dump_job = {
	.doing = "reading the dump",
	.first_slot = DUMP_SLOT,
	.slots = 1,
	.asks = { CHANNEL_QUESTION, sizeof(struct dump_question), sizeof(struct dump_module), DUMP_QUESTIONS, false },
	.answer = sizeof(struct dump_answer),
};

/* Answer the question HEAD, which the LENGTH bytes at TAIL follow.  Returns the question's cost: a search for a file
   costs more, because several files may have to be opened.  Returns 0 if sending has failed, or if the question is
   invalid (worker->strange). */
static uint32_t answer_question(void *context, struct worker *worker, const void *head, const char *tail, size_t length)
{
	const struct dump_image_source *images = context;
	uint8_t bytes[DUMP_PAGE];
	struct dump_question question;
	struct dump_reply reply;
	struct dump_module module;
	memcpy(&question, head, sizeof question);
	memset(&reply, 0, sizeof reply);
	question.section[DUMP_SECTION_NAME - 1] = '\0';
	const bool finds = question.kind == DUMP_FIND;
	worker->strange = length != (finds ? sizeof module : 0) ||
			  ((finds || question.kind == DUMP_PDB) && question.number >= DUMP_IMAGES) ||
			  (question.kind == DUMP_READ && question.size > sizeof bytes);
	if (worker->strange)
		return 0;
	switch (question.kind) {
	case DUMP_FIND:
		memcpy(&module, tail, sizeof module);
		module.name[sizeof module.name - 1] = '\0';
		reply.good = images->find(images->context, question.number, &module, &reply.base);
		break;
	case DUMP_SECTION:
		reply.good = images->section(images->context, question.number, question.section, &reply.rva,
					     &reply.size);
		break;
	case DUMP_PDB:
		reply.good = images->find_pdb(images->context, question.number, question.rva, reply.guid,
					      &reply.file_size);
		break;
	case DUMP_READ:
		reply.good = images->read(images->context, question.number, question.rva, bytes, question.size);
		break;
	default:
		worker->strange = true;
		return 0;
	}
	if (!channel_send(worker->channel, CHANNEL_REPLY, &reply, sizeof reply, bytes,
			  question.kind == DUMP_READ && reply.good ? question.size : 0))
		return 0;
	return finds || question.kind == DUMP_PDB ? DUMP_FIND_COST : 1;
}

/* Let a worker make the report.  Store the report and after it the problems in *TEXT, which the caller frees, and the
   lengths of both in *MADE.  Returns false, after a message, if the worker has failed. */
static bool get_report(struct worker_table *workers, const struct origin *dump, const char *name,
		       const struct dump_image_source *images, struct dump_answer *made, char **text)
{
	const bool is_file = dump->kind == ORIGIN_FILE;
	const struct rossym_debug_file file = { .fd = dump->file };
	const struct worker_host host = { .handle = answer_question, .context = (void *)images };
	const struct worker_request request = { .tail = dump->memory,
						.tail_size = is_file ? 0 : (size_t)dump->size,
						.patience = worker_choose_patience(0),
						.most = most_report + most_problems };
	struct worker_answer answer = { .head = made };
	struct worker worker;
	if (!worker_start(&worker, workers, &dump_job, &file, is_file, &answer.error)) {
		diag("%s: %s", name, answer.error.what);
		return false;
	}
	enum worker_result result = worker_ask(&worker, &request, &host, &answer);
	if (result != WORKER_FAILED &&
	    (result == WORKER_ERROR || made->report > most_report || made->problems > most_problems ||
	     made->report + made->problems != answer.size)) {
		worker_refuse_answer(&worker, &answer);
		result = WORKER_FAILED;
	}
	worker_end(&worker);
	if (result == WORKER_FAILED)
		diag("%s: %s", name, answer.error.what);
	*text = answer.tail;
	return result == WORKER_ANSWER;
}

#else

static bool get_report(struct worker_table *workers, const struct origin *dump, const char *name,
		       const struct dump_image_source *images, struct dump_answer *made, char **text)
{
	struct strbuf report = { .bytes = NULL };
	struct report_problems problems = { .count = 0 };
	(void)workers;
	*made = make_report(dump, images, &report, &problems);
	strbuf_add_bytes(&report, problems.text.bytes, problems.text.length);
	strbuf_clear(&problems.text);
	*text = report.bytes;
	if (report.no_memory)
		diag("%s: out of memory", name);
	return !report.no_memory;
}

#endif

bool dumps_make_report(struct worker_table *workers, const struct origin *dump, const char *name,
		       const struct dump_image_source *images, struct strbuf *report, bool *whole)
{
	struct dump_answer made;
	char *text = NULL;
	const char *at, *end;
	bool good = get_report(workers, dump, name, images, &made, &text);
	*whole = false;
	if (good) {
		const char *const problems_end = text + made.report + made.problems;
		for (at = text + made.report;
		     at < problems_end && (end = memchr(at, '\n', (size_t)(problems_end - at))); at = end + 1)
			diag("%s: %.*s", name, end - at < 200 ? (int)(end - at) : 200, at);
		if (made.count > REPORT_PROBLEMS)
			diag("%s: %lu more problems of this kind", name, (unsigned long)(made.count - REPORT_PROBLEMS));
		*whole = made.count == 0;
		good = made.good;
		if (!good && *whole)
			diag("%s: out of memory", name);
	}
	const char *report_end = good ? text + made.report : text;
	for (at = text; at < report_end && (end = memchr(at, '\n', (size_t)(report_end - at))); at = end + 1) {
		strbuf_add_masked(report, at, (size_t)(end - at));
		strbuf_add_char(report, '\n');
	}
	if (report->no_memory)
		diag("%s: out of memory", name);
	free(text);
	return good && !report->no_memory;
}

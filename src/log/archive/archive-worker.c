// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/archive/archive-worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef HAVE_FORK

#include "tool/process/sandbox.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* ------------------------------------------------------------------------------------------------ start and end */

static const struct worker_job archive_job = {
	.doing = "reading the archive",
	.number = JOB_ARCHIVE,
	.slots = ARCHIVE_WORKERS,
	.item = { sizeof(archive_item), ARCHIVES_NAME_LENGTH_MAX, BUDGET_STEPS + 1, true },
	.question = { sizeof(archive_question), 0, ARCHIVE_QUESTIONS_MAX, false },
	.answer = sizeof(struct archive_answer),
};

bool archive_worker_start(struct archive_worker *worker, int file, struct archives_error *err)
{
	const struct channel_file archive = { .fd = file };
	struct rossym_error why;
	worker->has_tree = false;
	worker->credit_bytes = worker->credit_steps = 0;
	worker->held = 0;
	return worker_start(&worker->worker, worker->workers, &archive_job, &archive, 1, &why) ||
	       archives_fail(err, why.what) == 0;
}

void archive_worker_end(struct archive_worker *worker)
{
	worker_end(&worker->worker);
}

bool archive_worker_runs(const struct archive_worker *worker)
{
	return worker_runs(&worker->worker);
}

/* ------------------------------------------------------------------------------------------------ its messages */

/* A request, what it may cost, and what has been received. */
struct archive_asking {
	struct archive_worker *worker;
	struct archive_request request;
	bool stopped;	       /* visit() has returned false: ignore the rest of the list */
	uint32_t named;	       /* 1 + the highest archive number in a place so far */
	uint64_t names;	       /* bytes of the names so far */
	uint64_t bytes, steps; /* what the results cost */
	struct archive_answer end;
	struct worker_answer answer;
};

/* Take an item of the list, and count what it costs.  Returns false if no honest worker sends it.  An honest worker
   ends the list after the name with which the budget is used up. */
static bool take_name(void *context, const void *head, const char *name, size_t length)
{
	struct archive_asking *asking = context;
	const struct archive_request *request = &asking->request;
	const struct archive_host *host = &asking->worker->host;
	archive_item place;
	memcpy(&place, head, sizeof place);
	if (request->kind != ARCHIVE_LIST || place.archive >= request->most ||
	    asking->bytes > (uint64_t)request->bytes || asking->steps > (uint64_t)request->steps ||
	    length > ARCHIVES_NAMES_LENGTH_MAX - asking->names)
		return false;
	asking->names += length;
	asking->bytes += length * ARCHIVES_NAME_WEIGHT;
	asking->steps++;
	if (place.archive >= asking->named)
		asking->named = place.archive + 1;
	if (!asking->stopped)
		asking->stopped = !host->visit(host->context, name, &place);
	return true;
}

static bool give_room(void *context, struct worker *worker, const void *head, const char *tail, size_t length)
{
	const struct archive_asking *asking = context;
	const struct archive_host *host = &asking->worker->host;
	archive_question number;
	(void)tail, (void)length;
	memcpy(&number, head, sizeof number);
	number = host->room(host->context, number < SIZE_MAX ? (size_t)number : SIZE_MAX);
	return channel_send(worker->channel, CHANNEL_REPLY, &number, sizeof number, NULL, 0);
}

/* Whether an honest worker can have sent NODE, which is element I of NODES. */
static bool is_possible_node(const struct archive_node *node, uint32_t i, const struct archive_node *nodes)
{
	if (node->format > FORMAT_CAB || node->in_place > 1 || node->keeps_passed > 1)
		return false;
	if (i == 0)
		return node->access == ACCESS_FILE && node->depth == 1;
	return node->access > ACCESS_FILE && node->access <= ACCESS_MEMORY && node->place.archive < i &&
	       node->depth == nodes[node->place.archive].depth + 1 && node->depth <= ARCHIVES_DEPTH;
}

/* Whether the bytes after the answer to ARCHIVE_LIST are a tree of archives. */
static bool is_possible_tree(const struct archive_asking *asking)
{
	const struct archive_node *nodes = asking->answer.tail;
	const size_t size = asking->answer.size, count = size / sizeof *nodes;
	if (size % sizeof *nodes != 0 || count < asking->named)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!is_possible_node(&nodes[i], i, nodes))
			return false;
	return true;
}

/* Note what the answer says.  Returns whether an honest worker can have sent it.  A worker may have unpacked the result
   in an earlier request and kept it: then it has reported the cost there, which `credit_bytes` remembers. */
static bool take_answer(struct archive_asking *asking)
{
	struct archive_worker *worker = asking->worker;
	struct archive_answer *end = &asking->end;
	const uint64_t most = (uint64_t)1 << 40; /* so that no sum overflows */
	const bool lists = asking->request.kind == ARCHIVE_LIST;
	end->what[sizeof end->what - 1] = '\0';
	if (end->bytes > most || end->steps > most || (!lists && end->failed && asking->answer.size > 0))
		return false;
	if (!lists)
		asking->bytes += asking->answer.size;
	worker->credit_bytes += (int64_t)(end->bytes - asking->bytes);
	worker->credit_steps += (int64_t)(end->steps - asking->steps);
	if (worker->credit_bytes < 0 || worker->credit_steps < 0)
		return false;
	worker->held = end->held < SIZE_MAX ? (size_t)end->held : SIZE_MAX;
	return !lists || is_possible_tree(asking);
}

/* ------------------------------------------------------------------------------------------------ requests */

static uint64_t least(uint64_t a, int64_t b)
{
	return a < (uint64_t)b ? a : (uint64_t)b;
}

/* Send the request, with the first request.nodes nodes of the tree, and receive the answer, after which at most MOST
   bytes may follow.  Returns 0, or -1 after an error. */
static int request_answer(struct archive_asking *asking, uint64_t most, struct archives_error *err)
{
	struct archive_worker *worker = asking->worker;
	const struct worker_host host = { .item = take_name, .question = give_room, .context = asking };
	struct archive_request *request = &asking->request;
	err->broken = err->over_budget = false;
	budget_share_left(worker->budget, &worker->share, &request->bytes, &request->steps);
	const struct worker_request message = { .head = request,
						.head_size = sizeof *request,
						.tail = worker->nodes,
						.tail_size = request->nodes * sizeof *worker->nodes,
						.patience = worker->share.patience,
						.most = most };
	asking->answer.head = &asking->end;
	enum worker_result result = worker_ask(&worker->worker, &message, &host, &asking->answer);
	worker->share.patience = asking->answer.patience_left;
	if (result == WORKER_ANSWER && take_answer(asking)) {
		asking->bytes = asking->end.bytes;
		asking->steps = asking->end.steps;
	} else if (result != WORKER_FAILED) {
		worker_refuse(&worker->worker, &asking->answer);
		result = WORKER_FAILED;
	}
	/* Whatever the worker says, it takes no more from the budget than it was given. */
	budget_share_take(worker->budget, &worker->share, least(asking->bytes, request->bytes),
			  least(asking->steps, request->steps));
	if (result == WORKER_FAILED) {
		archives_fail(err, asking->answer.error.what);
		err->broken = true;
		return -1;
	}
	worker->has_tree = true;
	if (!asking->end.failed)
		return 0;
	archives_fail(err, asking->end.what);
	err->over_budget = asking->end.over_budget;
	return -1;
}

int archive_worker_list(struct archive_worker *worker, uint32_t most, struct archives_error *err)
{
	struct archive_asking asking = { .worker = worker };
	memset(&asking.request, 0, sizeof asking.request);
	asking.request.kind = ARCHIVE_LIST;
	asking.request.most = most;
	const size_t size = sizeof *worker->nodes;
	const int status = request_answer(&asking, most * size, err);
	worker->count = err->broken ? asking.named : (uint32_t)(asking.answer.size / size);
	worker->nodes = asking.answer.tail ? asking.answer.tail : calloc(worker->count + (size_t)1, size);
	return worker->nodes ? status : archives_fail(err, "out of memory");
}

int archive_worker_read(struct archive_worker *worker, const struct archives_place *place, size_t room, void **bytes,
			size_t *size, struct archives_error *err)
{
	struct archive_asking asking = { .worker = worker };
	memset(&asking.request, 0, sizeof asking.request);
	asking.request.kind = ARCHIVE_READ;
	asking.request.place = *place;
	asking.request.nodes = worker->has_tree ? 0 : worker->count;
	asking.request.room = room;
	int status = request_answer(&asking, ARCHIVES_FILE_SIZE_MAX, err);
	if (status == 0 && !asking.answer.tail && !(asking.answer.tail = malloc(1)))
		status = archives_fail(err, "out of memory");
	*bytes = asking.answer.tail;
	*size = asking.answer.size;
	return status;
}

/* ------------------------------------------------------------------------------------------------ the worker */

static void note_taken(void *context, uint64_t bytes, uint64_t steps)
{
	struct archive_answer *answer = context;
	answer->bytes += bytes;
	answer->steps += steps;
}

static bool send_name(void *context, const char *name, const struct archives_place *place)
{
	archive_item item;
	memset(&item, 0, sizeof item);
	item.archive = place->archive;
	item.entry = place->entry;
	item.at = place->at;
	item.size = place->size;
	return channel_send(context, CHANNEL_ITEM, &item, sizeof item, name, strlen(name));
}

static size_t ask_room(void *context, size_t wanted)
{
	archive_question number = wanted;
	channel_send(context, CHANNEL_QUESTION, &number, sizeof number, NULL, 0);
	channel_take(context, CHANNEL_REPLY, &number, sizeof number);
	return (size_t)number;
}

static void receive_nodes(struct channel *channel, struct archive *archive, size_t size)
{
	static struct archive_node nodes[ARCHIVES_MAX];
	if (size > sizeof nodes)
		_exit(1);
	channel_receive(channel, nodes, size);
	if (archive && size > 0)
		archive_restore(archive, nodes, (uint32_t)(size / sizeof *nodes));
}

/* Do what REQUEST asks for, and answer. */
static void serve_request(struct channel *channel, struct archive *archive, const struct archive_request *request,
			  struct archive_answer *answer, struct archives_error *err)
{
	void *bytes = NULL;
	const void *tail = NULL;
	size_t size = 0;
	uint32_t count = 0;
	int status = -1;
	if (archive && request->kind == ARCHIVE_LIST) {
		status = archive_list(archive, request->most, err);
		tail = archive_nodes(archive, &count);
		size = count * sizeof(struct archive_node);
	} else if (archive) {
		status = archive_read(archive, &request->place, (size_t)request->room, &bytes, &size, err);
		tail = status == 0 ? bytes : NULL;
		size = status == 0 ? size : 0;
	}
	answer->failed = status < 0;
	answer->over_budget = status < 0 && err->over_budget;
	answer->held = archive ? archive_held_bytes(archive) : 0;
	if (status < 0)
		memcpy(answer->what, err->what, strlen(err->what));
	channel_send(channel, CHANNEL_ANSWER, answer, sizeof *answer, tail, size);
	if (status == 0)
		free(bytes);
}

void archive_serve(const int *files, size_t count, int reading, int writing)
{
	static struct channel channel;
	static struct archive_answer answer;
	static struct budget budget;
	const struct archive_host host = { .visit = send_name, .room = ask_room, .context = &channel };
	struct archives_error err = { .what = "" };
	struct archive_request request;
	if (count != 1)
		return;
#ifdef __GLIBC__
	/* Let free() return large memory to the system at once. */
	mallopt(M_MMAP_THRESHOLD, 1 << 17);
#endif
	sandbox_unpacker();
	channel_open(&channel, NULL, 0, reading, writing);
	budget.most = INT64_MAX / 4; /* no limit here: what is left comes with each request */
	budget.taken = note_taken;
	budget.context = &answer;
	struct archive *archive = archive_open(files[0], &budget, &host, &err);
	for (;;) {
		const size_t size = channel_take(&channel, CHANNEL_REQUEST, &request, sizeof request);
		memset(&answer, 0, sizeof answer);
		receive_nodes(&channel, archive, size);
		budget.bytes = request.bytes;
		budget.steps = request.steps;
		serve_request(&channel, archive, &request, &answer, &err);
	}
}

#else /* no fork() */

bool archive_worker_start(struct archive_worker *worker, int file, struct archives_error *err)
{
	worker->file = dup(file);
	worker->archive = archive_open(worker->file, worker->budget, &worker->host, err);
	if (!worker->archive)
		close(worker->file);
	return worker->archive;
}

void archive_worker_end(struct archive_worker *worker)
{
	if (worker->archive)
		close(worker->file);
	archive_close(worker->archive);
	worker->archive = NULL;
}

bool archive_worker_runs(const struct archive_worker *worker)
{
	return worker->archive;
}

int archive_worker_list(struct archive_worker *worker, uint32_t most, struct archives_error *err)
{
	int status = archive_list(worker->archive, most, err);
	const struct archive_node *listed = archive_nodes(worker->archive, &worker->count);
	worker->held = archive_held_bytes(worker->archive);
	worker->nodes = malloc((worker->count + (size_t)1) * sizeof *worker->nodes);
	if (worker->nodes)
		memcpy(worker->nodes, listed, worker->count * sizeof *listed);
	return worker->nodes ? status : archives_fail(err, "out of memory");
}

int archive_worker_read(struct archive_worker *worker, const struct archives_place *place, size_t room, void **bytes,
			size_t *size, struct archives_error *err)
{
	uint32_t known;
	archive_nodes(worker->archive, &known);
	if (!known)
		archive_restore(worker->archive, worker->nodes, worker->count);
	const int status = archive_read(worker->archive, place, room, bytes, size, err);
	worker->held = archive_held_bytes(worker->archive);
	return status;
}

#endif

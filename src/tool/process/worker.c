// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/process/worker.h"

#include <string.h>

#ifdef HAVE_FORK

#include "tool/process/sandbox.h"
#include "tool/wait.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* While a worker does a request, it can ask this program questions.  The time that this program takes for answers
   extends the worker's deadline, by at most this many ms in all. */
enum { ANSWERING_MAX = 10 * 60 * 1000 };

/* Returns five times the limit of CPU time, because other programs may use the processor, too. */
int64_t worker_patience(uint64_t input)
{
	enum { MULTIPLE = 5, SECOND = 1000 };
	struct rlimit limit;
	uint64_t seconds = sandbox_child_seconds(input < SIZE_MAX ? (size_t)input : SIZE_MAX);
	if (getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur < seconds)
		seconds = limit.rlim_cur;
	return (int64_t)(seconds * MULTIPLE * SECOND);
}

/* ------------------------------------------------------------------------------------------------ ending workers */

/* End the worker, and store how it ended.  False: the fork server does not answer. */
static bool end_worker_process(struct worker *worker, struct forkserver_end *how)
{
	bool good = true;
	*how = (struct forkserver_end){ .status = 0 };
	if (worker->table) {
		worker->table->workers[worker->slot] = NULL;
		good = forkserver_end(&worker->table->server, worker->slot, how);
	} else {
		kill((pid_t)worker->id, SIGKILL);
		while (waitpid((pid_t)worker->id, &how->status, 0) < 0 && errno == EINTR)
			;
	}
	/* Close the pipes last, or the worker could die because it writes to a pipe that nobody reads. */
	pipes_close(&worker->channel->pipes);
	free(worker->channel);
	worker->channel = NULL;
	return good;
}

void worker_end(struct worker *worker)
{
	struct forkserver_end how;
	if (worker->channel)
		end_worker_process(worker, &how);
}

static bool store_error(struct rossym_error *err, enum rossym_code code, const char *what, int number)
{
	*err = (struct rossym_error){ .code = code };
	snprintf(err->what, sizeof err->what, "%s%s%.60s", what, number ? ": " : "", number ? strerror(number) : "");
	return false;
}

static bool store_start_error(struct rossym_error *err, int number)
{
	return store_error(err, ROSSYM_EDAMAGED, "cannot start a process to read it", number);
}

/* End a worker that has failed, and store why in *ERR.  Returns false. */
static bool end_failed_worker(struct worker *worker, struct rossym_error *err)
{
	const char *doing = worker->job->doing;
	const bool late = worker->channel->pipes.late;
	struct forkserver_end how;
	const bool known = end_worker_process(worker, &how);
	store_error(err, ROSSYM_EDAMAGED, "", 0);
	if (worker->strange)
		snprintf(err->what, sizeof err->what, "%s gave what is no answer", doing);
	else if (!known)
		snprintf(err->what, sizeof err->what, "%s failed: the process that starts workers has ended", doing);
	else if (how.error)
		store_start_error(err, how.error);
	else if (late || (WIFSIGNALED(how.status) && WTERMSIG(how.status) == SIGXCPU))
		snprintf(err->what, sizeof err->what, "%s takes too long", doing);
	else if (WIFSIGNALED(how.status))
		snprintf(err->what, sizeof err->what, "%s crashed (signal %d)", doing, WTERMSIG(how.status));
	else
		snprintf(err->what, sizeof err->what, "%s ended early (status %d)", doing, WEXITSTATUS(how.status));
	return false;
}

/* ------------------------------------------------------------------------------------------------ starting workers */

/* Returns a free slot for JOB.  If there is none, ends the worker that was asked longest ago, and returns its slot. */
static unsigned find_or_free_slot(struct worker_table *table, const struct worker_job *job)
{
	unsigned oldest = job->first_slot;
	for (unsigned i = job->first_slot; i < job->first_slot + job->slots; i++) {
		if (!table->workers[i])
			return i;
		if (table->workers[i]->last_request < table->workers[oldest]->last_request)
			oldest = i;
	}
	worker_end(table->workers[oldest]);
	return oldest;
}

static struct channel *create_channel(struct rossym_error *err)
{
	struct channel *channel = calloc(1, sizeof *channel);
	if (!channel)
		store_error(err, ROSSYM_ENOMEM, "out of memory", 0);
	return channel;
}

bool worker_start(struct worker *worker, struct worker_table *table, const struct worker_job *job,
		  const struct channel_file *files, size_t count, struct rossym_error *err)
{
	int open[FORKSERVER_FILES_MAX];
	size_t open_count = 0;
	struct channel *channel = create_channel(err);
	if (!channel)
		return false;
	for (size_t i = 0; i < count; i++)
		if (files[i].fd >= 0)
			open[open_count++] = files[i].fd;
	const unsigned slot = find_or_free_slot(table, job);
	const int error = forkserver_fork(&table->server, slot, job->number, open, open_count, &channel->pipes);
	if (error) {
		free(channel);
		return store_start_error(err, error);
	}
	*worker = (struct worker){ .channel = channel, .job = job, .table = table, .slot = slot };
	worker->last_request = ++table->requests;
	table->workers[slot] = worker;
	return true;
}

bool worker_fork(struct worker *worker, const struct worker_job *job, worker_function *run, void *context,
		 struct rossym_error *err)
{
	int ends[2];
	struct channel *channel = create_channel(err);
	if (!channel)
		return false;
	const bool opened = pipes_open(&channel->pipes, ends);
	const pid_t id = opened ? fork() : -1;
	const int error = errno;
	if (id == 0) {
		int *const own[] = { &ends[1], &ends[0] };
		const bool good = isolate_process(own, 2);
		if (good) {
			channel_open(channel, NULL, 0, ends[0], ends[1]);
			run(context, channel);
		}
		/* exit() would run the handlers that the parent has registered with atexit(). */
		_exit(good ? 0 : 1);
	}
	if (opened)
		close(ends[1]);
	*worker = (struct worker){ .channel = channel, .job = job, .id = id };
	if (id > 0)
		return true;
	if (opened)
		pipes_close(&channel->pipes);
	free(channel);
	worker->channel = NULL;
	store_error(err, ROSSYM_ESYS, "cannot start a process", 0);
	err->sys_errno = error;
	return false;
}

/* ------------------------------------------------------------------------------------------------ asking workers */

/* A request that is being answered. */
struct asking {
	struct worker *worker;
	const struct worker_request *request;
	const struct worker_host *host;
	struct worker_answer *answer;
	uint64_t items, questions; /* how many items there were, and what the questions have cost */
	int64_t answering;	   /* how many ms this program has spent on answering questions */
};

/* Record that the worker has sent something that no honest worker sends.  Returns false. */
static bool note_strange_worker(struct asking *asking)
{
	asking->worker->strange = true;
	return false;
}

/* Receive the rest of a message of LENGTH bytes, if KIND allows it, into channel->message, and put a NUL after it. */
static bool receive_message(struct asking *asking, uint64_t length, const struct worker_kind *kind)
{
	struct channel *channel = asking->worker->channel;
	if (kind->most == 0 || length < kind->head || length - kind->head > kind->tail ||
	    length > CHANNEL_MESSAGE_SIZE_MAX)
		return note_strange_worker(asking);
	if (!channel_receive(channel, channel->message.bytes, length))
		return false;
	channel->message.bytes[length] = '\0';
	const char *tail = channel->message.bytes + kind->head;
	return !kind->text || strlen(tail) == length - kind->head || note_strange_worker(asking);
}

static bool receive_item(struct asking *asking, uint64_t length)
{
	const struct worker_kind *kind = &asking->worker->job->item;
	const char *message = asking->worker->channel->message.bytes;
	if (asking->items++ >= kind->most)
		return note_strange_worker(asking);
	return receive_message(asking, length, kind) &&
	       (asking->host->item(asking->host->context, message, message + kind->head, length - kind->head) ||
		note_strange_worker(asking));
}

/* Answer a question.  The time that the answer takes is added to the deadline, up to ANSWERING_MAX in all. */
static bool receive_question(struct asking *asking, uint64_t length)
{
	struct worker *worker = asking->worker;
	struct pipes *pipes = &worker->channel->pipes;
	const struct worker_kind *kind = &worker->job->question;
	const char *message = worker->channel->message.bytes;
	if (!receive_message(asking, length, kind))
		return false;
	asking->questions += worker->job->cost ? worker->job->cost(message) : 1;
	if (asking->questions > kind->most)
		return note_strange_worker(asking);
	const uint64_t before = wait_clock_milliseconds();
	const bool good = asking->host->question(asking->host->context, worker, message, message + kind->head,
						 length - kind->head);
	const int64_t spent = (int64_t)(wait_clock_milliseconds() - before);
	asking->answering += spent;
	if (asking->answering <= ANSWERING_MAX)
		pipes->deadline += spent;
	return good;
}

static bool receive_warning(struct asking *asking, uint64_t length)
{
	static const struct worker_kind kind = { .head = sizeof(struct channel_warning),
						 .tail = 2 * CHANNEL_TEXT_LENGTH_MAX,
						 .most = 1 };
	struct channel *channel = asking->worker->channel;
	struct channel_warning head;
	char path[CHANNEL_TEXT_LENGTH_MAX + 1];
	if (!asking->host->warn)
		return note_strange_worker(asking);
	if (!receive_message(asking, length, &kind))
		return false;
	memcpy(&head, channel->message.bytes, sizeof head);
	const char *text = channel->message.bytes + sizeof head;
	if (head.path_length > CHANNEL_TEXT_LENGTH_MAX || head.path_length > length - sizeof head)
		return note_strange_worker(asking);
	memcpy(path, text, head.path_length);
	path[head.path_length] = '\0';
	text += head.path_length;
	/* An honest worker counts its warnings, too, and itself sends channel_more_warnings last. */
	const char *shown = channel_count_warning(&channel->warnings, text, length - sizeof head);
	if (!shown)
		return note_strange_worker(asking);
	asking->host->warn(asking->host->context, shown == text && head.path_length ? path : NULL, shown,
			   shown == text ? head.sys_errno : 0);
	return true;
}

static bool receive_error(struct asking *asking, uint64_t length)
{
	struct rossym_error error;
	if (length != sizeof error)
		return note_strange_worker(asking);
	if (!channel_receive(asking->worker->channel, &error, sizeof error))
		return false;
	if (error.code <= ROSSYM_OK || error.code > ROSSYM_EREFUSED)
		return note_strange_worker(asking);
	error.what[sizeof error.what - 1] = '\0';
	asking->answer->error = error;
	return true;
}

static bool receive_answer(struct asking *asking, uint64_t length)
{
	struct worker_answer *answer = asking->answer;
	struct channel *channel = asking->worker->channel;
	const uint32_t head = asking->worker->job->answer;
	if (length < head || length - head > asking->request->most || length - head > SIZE_MAX - 1)
		return note_strange_worker(asking);
	if (!channel_receive(channel, answer->head, head))
		return false;
	answer->size = (size_t)length - head;
	/* A wrong size costs nothing: the system provides memory only when something is written to it. */
	answer->tail = answer->size ? malloc(answer->size) : NULL;
	if (answer->size && !answer->tail)
		return store_error(&answer->error, ROSSYM_ENOMEM, "out of memory", 0);
	return channel_receive(channel, answer->tail, answer->size);
}

/* Handle messages until there is an answer or an error.  False: the worker has failed. */
static bool receive_messages(struct asking *asking, bool *answered)
{
	struct channel *channel = asking->worker->channel;
	struct channel_head head;
	bool good = true;
	while (good && channel_receive(channel, &head, sizeof head)) {
		switch (head.kind) {
		case CHANNEL_ITEM:
			good = receive_item(asking, head.length);
			break;
		case CHANNEL_QUESTION:
			good = receive_question(asking, head.length);
			break;
		case CHANNEL_WARNING:
			good = receive_warning(asking, head.length);
			break;
		case CHANNEL_ERROR:
			return receive_error(asking, head.length);
		case CHANNEL_ANSWER:
			*answered = true;
			return receive_answer(asking, head.length);
		default:
			good = note_strange_worker(asking);
		}
	}
	return false;
}

/* Free the part of an answer that was received. */
static void free_answer(struct worker_answer *answer)
{
	free(answer->tail);
	answer->tail = NULL;
	answer->size = 0;
}

enum worker_result worker_ask(struct worker *worker, const struct worker_request *request,
			      const struct worker_host *host, struct worker_answer *answer)
{
	struct asking asking = { .worker = worker, .request = request, .host = host, .answer = answer };
	struct channel *channel = worker->channel;
	bool answered = false;
	*answer = (struct worker_answer){ .head = answer->head };
	pipes_set_deadline(&channel->pipes, request->patience);
	if (worker->table)
		worker->last_request = ++worker->table->requests;
	/* What the worker has sent beforehand would be taken for the answer.  If it has ended, there is nothing to receive. */
	worker->strange = channel->begin < channel->end || (wait_is_ready(channel->pipes.from) &&
							    pipes_receive_some(&channel->pipes, channel->in, 1) > 0);
	bool good = !worker->strange &&
		    channel_send(channel, CHANNEL_REQUEST, request->head, request->head_size, request->tail,
				 request->tail_size) &&
		    receive_messages(&asking, &answered);
	answer->patience_left = pipes_time_left(&channel->pipes);
	if (good)
		return answered ? WORKER_ANSWER : WORKER_ERROR;
	const bool no_memory = answer->error.code == ROSSYM_ENOMEM;
	free_answer(answer);
	if (no_memory)
		worker_end(worker);
	else
		end_failed_worker(worker, &answer->error);
	return WORKER_FAILED;
}

void worker_refuse_answer(struct worker *worker, struct worker_answer *answer)
{
	worker->strange = true;
	free_answer(answer);
	end_failed_worker(worker, &answer->error);
}

#endif

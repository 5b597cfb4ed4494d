// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/process/worker.h"

#include <string.h>

#ifdef HAVE_FORK

#include "tool/process/sandbox.h"
#include "tool/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

/* While a worker handles a request, it can send items or ask questions.  The time in which this program handles them is
   added to the worker's deadline, but no more than ANSWERING_MAX milliseconds. */
enum { ANSWERING_MAX = 10 * 60 * 1000 };

/* Returns five times the worker's limit of CPU time, because other programs may use the processor, too. */
int64_t worker_choose_patience(uint64_t input)
{
	enum { MULTIPLE = 5, SECOND = 1000 };
	struct rlimit limit;
	uint64_t seconds = sandbox_child_seconds(input < SIZE_MAX ? (size_t)input : SIZE_MAX);
	if (getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur < seconds)
		seconds = limit.rlim_cur;
	return (int64_t)(seconds * MULTIPLE * SECOND);
}

/* ---------------------------------------------------------------------------------------- what a fork server does */

/* The most descriptors of a worker: its ends of two pipes, and the files of its job. */
enum { FILES = CHANNEL_PIPES + CHANNEL_FILES_MAX };

/* What the program sends to the fork server.  If `files` is not 0: fork a worker in `slot`, and give it as many
   descriptors, which come with the order.  Else end the worker in `slot`, and answer with struct worker_end. */
struct order {
	uint8_t slot, files;
};

/* How a worker ended. */
enum { UNKNOWN = -1 };
struct worker_end {
	int error;  /* the errno, if the worker could not be forked; UNKNOWN: the server does not answer; else 0 */
	int status; /* the worker's status, as from waitpid(); a worker that still ran has been killed */
};

/* The buffer of a control message (SCM_RIGHTS) with FILES descriptors at most.  The union gives it the alignment. */
union passed {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(FILES * sizeof(int))];
};

struct forked_worker {
	pid_t id;  /* the process id; 0: there is no worker */
	int error; /* the errno, if the worker could not be forked */
};

struct server {
	worker_table_function *run;
	struct order order; /* the order that is being carried out */
	int files[FILES];   /* the order's descriptors */
	bool has_files;	    /* all of these descriptors have arrived */
	struct forked_worker workers[WORKERS_MAX];
};

/* Store the descriptors that came with MESSAGE.  If the order announces fewer or more, close them and return false. */
static bool receive_files(struct server *server, struct msghdr *message)
{
	int *files = server->files;
	struct cmsghdr *header = CMSG_FIRSTHDR(message);
	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
		return false;
	size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof *files;
	if (count > FILES)
		return false;
	memcpy(files, CMSG_DATA(header), count * sizeof *files);
	for (size_t i = 0; count != server->order.files && i < count; i++)
		close(files[i]);
	return count == server->order.files;
}

/* Receive an order and its descriptors.  False: the program has closed the socket, or the order is not valid. */
static bool receive_order(struct server *server)
{
	union passed passed;
	struct iovec bytes = { &server->order, sizeof server->order };
	struct msghdr whole = {
		.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = &passed, .msg_controllen = sizeof passed
	};
	ssize_t n;
	do
		n = recvmsg(PROCESS_FIRST_FILE, &whole, 0);
	while (n < 0 && errno == EINTR);
	server->has_files = n == (ssize_t)sizeof server->order && receive_files(server, &whole);
	return n == (ssize_t)sizeof server->order && server->order.slot < WORKERS_MAX;
}

static void run_worker_in_slot(void *context)
{
	static struct channel channel;
	const struct server *server = context;
	channel_open(&channel, server->order.files);
	server->run(server->order.slot, &channel);
}

static void fork_worker(struct server *server, struct forked_worker *worker)
{
	/* If the server has no room for more descriptors, the kernel drops those of the order. */
	*worker = (struct forked_worker){ .error = EMFILE };
	if (!server->has_files)
		return;
	const pid_t id = process_fork(server->files, server->order.files, run_worker_in_slot, server);
	*worker = (struct forked_worker){ .id = id > 0 ? id : 0, .error = id < 0 ? errno : 0 };
	for (size_t i = 0; i < server->order.files; i++)
		close(server->files[i]);
}

static struct worker_end end_forked_worker(struct forked_worker *worker)
{
	const struct worker_end end = { worker->error, worker->id > 0 ? process_end(worker->id) : 0 };
	worker->id = 0;
	return end;
}

/* Carry out orders until the program closes the socket, then end all workers.  An order to fork a worker in a slot
   first ends the worker that is already there. */
static void serve_orders(void *context)
{
	struct server *server = context;
	sandbox_restrict_forkserver();
	while (receive_order(server)) {
		struct forked_worker *worker = &server->workers[server->order.slot];
		const struct worker_end end = end_forked_worker(worker);
		if (server->order.files > 0)
			fork_worker(server, worker);
		else if (!wait_write(PROCESS_FIRST_FILE, &end, sizeof end))
			break;
	}
	for (size_t i = 0; i < WORKERS_MAX; i++)
		end_forked_worker(&server->workers[i]);
}

/* ------------------------------------------------------------------------------------- the program and the server */

void worker_table_start(struct worker_table *table, worker_table_function *run)
{
	int ends[2];
	struct server server = { .run = run };
	const bool made = socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0;
	const bool good = made && fcntl(ends[0], F_SETFD, FD_CLOEXEC) >= 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) >= 0;
	const pid_t id = good ? process_fork(&ends[1], 1, serve_orders, &server) : -1;
	table->error = id < 0 ? errno : 0;
	table->socket = id < 0 ? -1 : ends[0];
	if (made)
		close(ends[1]);
	if (made && id < 0)
		close(ends[0]);
}

void worker_table_stop(struct worker_table *table)
{
	if (table->socket >= 0)
		close(table->socket);
	table->socket = -1;
}

/* Send ORDER to the server of TABLE, and the descriptors FILES.  Returns 0 or an errno. */
static int send_order(const struct worker_table *table, struct order order, const int *files)
{
	union passed passed;
	struct iovec bytes = { &order, sizeof order };
	struct msghdr whole = { .msg_iov = &bytes, .msg_iovlen = 1 };
	if (table->socket < 0)
		return table->error ? table->error : ENOTCONN; /* the server was never started, or has been stopped */
	memset(&passed, 0, sizeof passed);
	if (order.files > 0) {
		whole.msg_control = &passed;
		whole.msg_controllen = sizeof passed;
		struct cmsghdr *header = CMSG_FIRSTHDR(&whole);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(order.files * sizeof *files);
		whole.msg_controllen = CMSG_SPACE(order.files * sizeof *files);
		memcpy(CMSG_DATA(header), files, order.files * sizeof *files);
	}
	ssize_t n;
	do
		n = sendmsg(table->socket, &whole, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n < 0 ? errno : 0;
}

/* ------------------------------------------------------------------------------------------------ ending workers */

/* End the worker.  Returns how it ended; the error is UNKNOWN if the fork server does not answer. */
static struct worker_end end_worker_process(struct worker *worker)
{
	struct worker_table *table = worker->table;
	struct worker_end how = { .error = 0 };
	if (!table) {
		how.status = process_end((pid_t)worker->id);
	} else {
		table->workers[worker->slot] = NULL;
		if (send_order(table, (struct order){ .slot = (uint8_t)worker->slot }, NULL) != 0 ||
		    wait_read_all(table->socket, &how, sizeof how) != (ssize_t)sizeof how)
			how.error = UNKNOWN;
	}
	/* Close the pipes last: a worker that still runs could write to a pipe without a reader, and die of SIGPIPE. */
	pipes_close(&worker->channel->pipes);
	free(worker->channel);
	worker->channel = NULL;
	return how;
}

void worker_end(struct worker *worker)
{
	if (worker->channel)
		end_worker_process(worker);
}

static const char cannot_start[] = "cannot start a process to read it";

static bool store_error(struct rossym_error *err, enum rossym_code code, const char *what, int number)
{
	*err = (struct rossym_error){ .code = code };
	snprintf(err->what, sizeof err->what, "%s%s%.60s", what, number ? ": " : "", number ? strerror(number) : "");
	return false;
}

/* End a worker that has failed, and store why in *ERR. */
static void end_failed_worker(struct worker *worker, struct rossym_error *err)
{
	const char *doing = worker->job->doing;
	const bool late = worker->channel->late;
	const struct worker_end how = end_worker_process(worker);
	store_error(err, ROSSYM_EDAMAGED, "", 0);
	if (worker->strange)
		snprintf(err->what, sizeof err->what, "%s gave what is no answer", doing);
	else if (how.error == UNKNOWN)
		snprintf(err->what, sizeof err->what, "%s failed: the process that starts workers has ended", doing);
	else if (how.error)
		store_error(err, ROSSYM_EDAMAGED, cannot_start, how.error);
	else if (late || (WIFSIGNALED(how.status) && WTERMSIG(how.status) == SIGXCPU))
		snprintf(err->what, sizeof err->what, "%s takes too long", doing);
	else if (WIFSIGNALED(how.status))
		snprintf(err->what, sizeof err->what, "%s crashed (signal %d)", doing, WTERMSIG(how.status));
	else
		snprintf(err->what, sizeof err->what, "%s ended early (status %d)", doing, WEXITSTATUS(how.status));
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

/* Open a channel for WORKER, and store in FILES the ends of its pipes that the worker gets.  Returns 0 or an errno. */
static int open_channel(struct worker *worker, int files[CHANNEL_PIPES])
{
	int ends[2] = { -1, -1 };
	worker->channel = calloc(1, sizeof *worker->channel);
	const int error = !worker->channel ? ENOMEM : pipes_open(&worker->channel->pipes, ends) ? 0 : errno;
	files[0] = ends[1];
	files[1] = ends[0];
	return error;
}

/* After an attempt to start WORKER with FILES, close the descriptors that only the worker needs.  If the attempt has
   failed with ERROR, which is not 0, also close and free the channel.  Returns whether the worker was started. */
static bool clean_up_after_start(struct worker *worker, const int files[CHANNEL_PIPES], int error)
{
	if (files[0] >= 0)
		close(files[0]);
	if (error && worker->channel) {
		pipes_close(&worker->channel->pipes);
		free(worker->channel);
		worker->channel = NULL;
	}
	return !error;
}

bool worker_start(struct worker *worker, struct worker_table *table, const struct worker_job *job,
		  const struct rossym_debug_file *files, size_t count, struct rossym_error *err)
{
	int open[FILES];
	struct order order = { .slot = (uint8_t)find_or_free_slot(table, job), .files = CHANNEL_PIPES };
	*worker = (struct worker){ .job = job, .table = table, .slot = order.slot };
	int error = open_channel(worker, open);
	for (size_t i = 0; i < count; i++)
		if (files[i].fd >= 0)
			open[order.files++] = files[i].fd;
	if (!error)
		error = send_order(table, order, open);
	if (!clean_up_after_start(worker, open, error))
		return store_error(err, ROSSYM_EDAMAGED, cannot_start, error);
	worker->last_request = ++table->requests;
	table->workers[order.slot] = worker;
	return true;
}

bool worker_fork(struct worker *worker, const struct worker_job *job, process_function *run, void *context,
		 struct rossym_error *err)
{
	int files[CHANNEL_PIPES];
	*worker = (struct worker){ .job = job };
	int error = open_channel(worker, files);
	if (!error) {
		worker->id = process_fork(files, CHANNEL_PIPES, run, context);
		error = worker->id < 0 ? errno : 0;
	}
	if (clean_up_after_start(worker, files, error))
		return true;
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
	uint64_t asked;	   /* how many items or questions there were, as host->handle() counts them */
	int64_t answering; /* how many ms this program has spent on handling them */
};

/* Record that the worker has sent something that no honest worker sends.  Returns false, for the caller to return. */
static bool note_strange_worker(struct asking *asking)
{
	asking->worker->strange = true;
	return false;
}

/* Receive the LENGTH bytes after the head of a message, if KIND allows them, into channel->message; adds a NUL. */
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

/* Receive and handle an item or a question.  The time for that is added to the deadline, up to ANSWERING_MAX in all. */
static bool receive_and_handle(struct asking *asking, uint64_t length)
{
	struct worker *worker = asking->worker;
	const struct worker_kind *kind = &worker->job->asks;
	const char *message = worker->channel->message.bytes;
	if (!receive_message(asking, length, kind))
		return false;
	if (asking->asked >= kind->most)
		return note_strange_worker(asking);
	const uint64_t before = wait_clock_milliseconds();
	const uint32_t cost = asking->host->handle(asking->host->context, worker, message, message + kind->head,
						   length - kind->head);
	const int64_t spent = (int64_t)(wait_clock_milliseconds() - before);
	asking->answering += spent;
	if (asking->answering <= ANSWERING_MAX)
		worker->channel->deadline += spent;
	asking->asked += cost;
	return cost > 0;
}

/* An honest worker sends at most WARNINGS_MAX warnings, and then one that says that there are more (struct
   rs_warnings).  Their texts have at most WARNINGS_LENGTH_MAX bytes together. */
enum { WARNINGS_MAX = 1000, WARNINGS_LENGTH_MAX = 65536 + 100 };

static bool receive_warning(struct asking *asking, uint64_t length)
{
	static const struct worker_kind kind = { CHANNEL_WARNING, sizeof(struct channel_warning),
						 2 * CHANNEL_TEXT_LENGTH_MAX, WARNINGS_MAX, false };
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
	channel->warned_bytes += (uint32_t)(length - sizeof head) - head.path_length;
	if (channel->warnings++ > WARNINGS_MAX || channel->warned_bytes > WARNINGS_LENGTH_MAX)
		return note_strange_worker(asking);
	const struct rossym_warning warning = { .size = sizeof warning,
						.path = head.path_length ? path : NULL,
						.what = text,
						.sys_errno = head.sys_errno };
	asking->host->warn(asking->host->context, &warning);
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
	/* A size that is too large costs nothing: the system provides memory only when something is written to it. */
	answer->tail = answer->size ? malloc(answer->size) : NULL;
	if (answer->size && !answer->tail)
		return store_error(&answer->error, ROSSYM_ENOMEM, "out of memory", 0);
	return channel_receive(channel, answer->tail, answer->size);
}

/* Handle messages until there is an answer or an error.  False: the worker has failed. */
static bool receive_messages(struct asking *asking)
{
	struct channel_head head;
	bool good = true;
	while (good && channel_receive(asking->worker->channel, &head, sizeof head)) {
		if (head.kind == CHANNEL_ANSWER)
			return receive_answer(asking, head.length);
		if (head.kind == CHANNEL_ERROR)
			return receive_error(asking, head.length);
		if (head.kind == CHANNEL_WARNING)
			good = receive_warning(asking, head.length);
		else
			good = head.kind == (uint32_t)asking->worker->job->asks.kind
				       ? receive_and_handle(asking, head.length)
				       : note_strange_worker(asking);
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
	*answer = (struct worker_answer){ .head = answer->head };
	channel_set_deadline(channel, request->patience);
	if (worker->table)
		worker->last_request = ++worker->table->requests;
	/* An honest worker sends nothing before it gets the request; such bytes would be read as the answer. */
	worker->strange = channel_has_unread(channel);
	bool good = !worker->strange &&
		    channel_send(channel, CHANNEL_REQUEST, request->head, request->head_size, request->tail,
				 request->tail_size) &&
		    receive_messages(&asking);
	const int64_t left = channel->deadline - (int64_t)wait_clock_milliseconds();
	answer->patience_left = left < 0 ? 0 : left;
	if (good)
		return answer->error.code == ROSSYM_OK ? WORKER_ANSWER : WORKER_ERROR;
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

// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/archive/archive-child.h"

#ifdef HAVE_LIBARCHIVE

#include <stdlib.h>
#include <unistd.h>

#ifdef HAVE_FORK

#include "log/archive/archive-message.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct archive_child {
	struct archive_child_config config;
	struct pipes pipes;
	bool has_tree;			    /* the child knows the tree of archives: it has listed or received it */
	bool failed;			    /* give_up() has ended the child */
	const char *why;		    /* message for give_up(); NULL: the child has ended, or it is late */
	int64_t credit_bytes, credit_steps; /* UNREPORTED_x + reported work - cost of the results so far */
	size_t held;			    /* archive_held() of the child */
	struct archive_node nodes[ARCHIVES_MAX];
	size_t at, end; /* the bytes of the buffer from AT to END have not been used yet */
	char buffer[1 << 16];
};

/* ------------------------------------------------------------------------------------------------ start and end */

struct archive_child *archive_child_start(int file, const struct archive_child_config *config,
					  struct archives_error *err)
{
	struct archive_child *child = calloc(1, sizeof *child);
	const int error = !child	   ? ENOMEM
			  : config->server ? forkserver_fork(config->server, config->slot, 0, &file, 1, &child->pipes)
					   : ENOSYS;
	if (!error) {
		child->config = *config;
		child->credit_bytes = UNREPORTED_BYTES;
		child->credit_steps = UNREPORTED_STEPS;
		return child;
	}
	free(child);
	snprintf(err->what, sizeof err->what, "cannot start a process to read it: %s", strerror(error));
	err->over_budget = false;
	return NULL;
}

void archive_child_end(struct archive_child *child)
{
	struct forkserver_end end;
	if (!child)
		return;
	if (!child->failed)
		forkserver_end(child->config.server, child->config.slot, &end);
	pipes_close(&child->pipes);
	free(child);
}

size_t archive_child_held(const struct archive_child *child)
{
	return child->held;
}

/* End a child that has failed, and store the reason in *ERR.  Returns -1. */
static int give_up(struct archive_child *child, struct archives_error *err)
{
	child->failed = true;
	forkserver_end_failed(child->config.server, child->config.slot, "reading the archive", &child->pipes, err->what,
			      sizeof err->what);
	if (child->why)
		archives_fail(err, child->why);
	err->broken = true;
	return -1;
}

/* ------------------------------------------------------------------------------------------------ the two pipes */

/* Receive SIZE bytes from the child.  False: it has ended, or the deadline has passed. */
static bool receive(struct archive_child *child, void *bytes, size_t size)
{
	char *to = bytes;
	while (size > 0) {
		size_t n = child->end - child->at;
		if (n > size)
			n = size;
		memcpy(to, child->buffer + child->at, n);
		child->at += n;
		/* Read a large rest, such as a file's content, directly to TO, and a small one through the buffer. */
		if (n == 0 && size >= sizeof child->buffer) {
			n = pipes_receive_some(&child->pipes, to, size);
			if (n == 0)
				return false;
		} else if (n == 0) {
			child->at = 0;
			child->end = pipes_receive_some(&child->pipes, child->buffer, sizeof child->buffer);
			if (child->end == 0)
				return false;
		}
		to += n;
		size -= n;
	}
	return true;
}

/* ------------------------------------------------------------------------------------------------ replies */

/* The replies to one request: what is allowed, and what has been received. */
struct archive_answer {
	uint32_t most;	/* REQUEST_LIST: the archive numbers in places must be below this; REQUEST_READ: 0 */
	bool stopped;	/* visit() has returned false: ignore the rest of the list */
	uint32_t named; /* 1 + the highest archive number in a place so far */
	bool wants_content;
	char *bytes; /* the content, NULL until it is received */
	size_t size;
	struct reply_end end;
};

/* Store the message for a reply that no honest child sends.  Returns false. */
static bool reject(struct archive_child *child)
{
	child->why = "reading the archive gave what cannot be";
	return false;
}

/* The child sends a result that costs at least BYTES and STEPS: subtract them from the work that it has reported.
   False: it has reported less. */
static bool spend(struct archive_child *child, uint64_t bytes, int64_t steps)
{
	if (child->credit_bytes < 0 || bytes > (uint64_t)child->credit_bytes || steps > child->credit_steps)
		return reject(child);
	child->credit_bytes -= (int64_t)bytes;
	child->credit_steps -= steps;
	return true;
}

static bool receive_file(struct archive_child *child, struct archive_answer *answer)
{
	struct reply_file file;
	char name[ARCHIVES_NAME_LENGTH_MAX + 1];
	if (!receive(child, &file, sizeof file))
		return false;
	if (file.length > ARCHIVES_NAME_LENGTH_MAX || file.place.archive >= answer->most ||
	    !spend(child, file.length, 1))
		return reject(child);
	if (!receive(child, name, file.length))
		return false;
	name[file.length] = '\0';
	if (strlen(name) != file.length)
		return reject(child);
	if (file.place.archive >= answer->named)
		answer->named = file.place.archive + 1;
	if (!answer->stopped)
		answer->stopped = !child->config.host.visit(child->config.host.context, name, &file.place);
	return true;
}

static bool receive_room(struct archive_child *child)
{
	uint64_t number;
	if (!receive(child, &number, sizeof number))
		return false;
	number = child->config.host.room(child->config.host.context, number < SIZE_MAX ? (size_t)number : SIZE_MAX);
	return pipes_send(&child->pipes, &number, sizeof number);
}

/* The child reports work: take it from the budget, and extend the deadline by four times as long as the slowest
   computers need for it.  The deadline would never pass if a hostile child could report any amount, so reject a report
   that is too large, or that comes when the budget is overdrawn by 3 GiB. */
static bool receive_taken(struct archive_child *child)
{
	enum { BYTES_A_MS = 4096, STEPS_A_MS = 5 };
	static const int64_t most = (int64_t)16 << 30, most_overdrawn = -((int64_t)BUDGET_ARCHIVES << 29);
	struct reply_taken taken;
	if (!receive(child, &taken, sizeof taken))
		return false;
	if (taken.bytes > (uint64_t)most || taken.steps > BUDGET_STEPS || child->config.budget->bytes < most_overdrawn)
		return reject(child);
	budget_take(child->config.budget, taken.bytes, taken.steps);
	child->credit_bytes += (int64_t)taken.bytes;
	child->credit_steps += (int64_t)taken.steps;
	child->pipes.deadline += (int64_t)(taken.bytes / BYTES_A_MS + taken.steps / STEPS_A_MS);
	return true;
}

static bool receive_content(struct archive_child *child, struct archive_answer *answer)
{
	uint64_t size;
	if (!receive(child, &size, sizeof size))
		return false;
	if (!answer->wants_content || answer->bytes || size > ARCHIVES_FILE_SIZE_MAX || !spend(child, size, 0))
		return reject(child);
	answer->size = (size_t)size;
	answer->bytes = malloc(answer->size ? answer->size : 1);
	if (!answer->bytes)
		child->why = "out of memory";
	return answer->bytes && receive(child, answer->bytes, answer->size);
}

/* Whether an honest child can have sent NODE, which is element I of NODES. */
static bool is_possible(const struct archive_node *node, uint32_t i, const struct archive_node *nodes)
{
	if (node->format > FORMAT_CAB || node->in_place > 1 || node->keeps_passed > 1)
		return false;
	if (i == 0)
		return node->access == ACCESS_FILE && node->depth == 1;
	return node->access > ACCESS_FILE && node->access <= ACCESS_MEMORY && node->place.archive < i &&
	       node->depth == nodes[node->place.archive].depth + 1 && node->depth <= ARCHIVES_DEPTH;
}

static bool receive_end(struct archive_child *child, struct archive_answer *answer)
{
	struct reply_end *end = &answer->end;
	if (!receive(child, end, sizeof *end))
		return false;
	end->what[sizeof end->what - 1] = '\0';
	if (end->nodes > answer->most || (answer->most && end->nodes < answer->named) ||
	    (!end->failed && answer->wants_content != !!answer->bytes))
		return reject(child);
	if (!receive(child, child->nodes, end->nodes * sizeof *child->nodes))
		return false;
	for (uint32_t i = 0; i < end->nodes; i++)
		if (!is_possible(&child->nodes[i], i, child->nodes))
			return reject(child);
	child->held = end->held < SIZE_MAX ? (size_t)end->held : SIZE_MAX;
	return true;
}

/* Receive replies up to REPLY_END.  False: the child has failed. */
static bool receive_all(struct archive_child *child, struct archive_answer *answer)
{
	uint8_t kind;
	bool good = true;
	while (good && receive(child, &kind, 1)) {
		switch (kind) {
		case REPLY_FILE:
			good = receive_file(child, answer);
			break;
		case REPLY_ROOM:
			good = receive_room(child);
			break;
		case REPLY_TAKEN:
			good = receive_taken(child);
			break;
		case REPLY_CONTENT:
			good = receive_content(child, answer);
			break;
		case REPLY_END:
			return receive_end(child, answer);
		default:
			good = reject(child);
		}
	}
	return false;
}

/* ------------------------------------------------------------------------------------------------ requests */

/* Send REQUEST, then the tree of archives if request->nodes is not 0, and receive the answer.  Returns 0, or -1 after
   an error. */
static int ask(struct archive_child *child, struct archive_request *request, struct archive_answer *answer,
	       struct archives_error *err)
{
	err->broken = err->over_budget = false;
	request->bytes = child->config.budget->bytes;
	request->steps = child->config.budget->steps;
	pipes_allow(&child->pipes, *child->config.patience);
	bool good = pipes_send(&child->pipes, request, sizeof *request) &&
		    pipes_send(&child->pipes, child->config.nodes, request->nodes * sizeof(struct archive_node)) &&
		    receive_all(child, answer);
	*child->config.patience = pipes_time_left(&child->pipes);
	if (!good)
		return give_up(child, err);
	child->has_tree = true;
	if (!answer->end.failed)
		return 0;
	archives_fail(err, answer->end.what);
	err->over_budget = answer->end.over_budget;
	return -1;
}

int archive_child_list(struct archive_child *child, uint32_t most, const struct archive_node **nodes, uint32_t *count,
		       struct archives_error *err)
{
	struct archive_request request;
	struct archive_answer answer = { .most = most };
	memset(&request, 0, sizeof request);
	request.kind = REQUEST_LIST;
	request.most = most;
	int status = ask(child, &request, &answer, err);
	if (status < 0 && err->broken)
		memset(child->nodes, 0, answer.named * sizeof *child->nodes);
	*nodes = child->nodes;
	*count = status < 0 && err->broken ? answer.named : answer.end.nodes;
	return status;
}

int archive_child_read(struct archive_child *child, const struct archives_place *place, size_t room, void **bytes,
		       size_t *size, struct archives_error *err)
{
	struct archive_request request;
	struct archive_answer answer = { .wants_content = true };
	memset(&request, 0, sizeof request);
	request.kind = REQUEST_READ;
	request.place = *place;
	request.nodes = child->has_tree ? 0 : child->config.node_count;
	request.room = room;
	int status = ask(child, &request, &answer, err);
	if (status < 0)
		free(answer.bytes);
	*bytes = answer.bytes;
	*size = answer.size;
	return status;
}

#else /* no fork() */

struct archive_child {
	struct archive_child_config config;
	struct archive *archive;
	int file;
};

struct archive_child *archive_child_start(int file, const struct archive_child_config *config,
					  struct archives_error *err)
{
	struct archive_child *child = malloc(sizeof *child);
	*err = (struct archives_error){ .what = "out of memory" };
	if (!child)
		return NULL;
	child->config = *config;
	child->file = dup(file);
	child->archive = archive_open(child->file, config->budget, &child->config.host, err);
	if (child->archive)
		return child;
	close(child->file);
	free(child);
	return NULL;
}

void archive_child_end(struct archive_child *child)
{
	if (!child)
		return;
	archive_close(child->archive);
	close(child->file);
	free(child);
}

size_t archive_child_held(const struct archive_child *child)
{
	return archive_held(child->archive);
}

int archive_child_list(struct archive_child *child, uint32_t most, const struct archive_node **nodes, uint32_t *count,
		       struct archives_error *err)
{
	int status = archive_list(child->archive, most, err);
	*nodes = archive_nodes(child->archive, count);
	return status;
}

int archive_child_read(struct archive_child *child, const struct archives_place *place, size_t room, void **bytes,
		       size_t *size, struct archives_error *err)
{
	uint32_t known;
	archive_nodes(child->archive, &known);
	if (!known)
		archive_restore(child->archive, child->config.nodes, child->config.node_count);
	return archive_read(child->archive, place, room, bytes, size, err);
}

#endif

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worker.h - processes that read untrusted bytes: start, ask and end them
 *
 * A malicious file may gain control of the worker that reads it.  (Other workers are called honest.)  So a worker has
 * only its end of a channel (channel.h) and the files that it reads open.  This program limits what it sends and costs:
 *
 *	a message must have a kind that is allowed now, and a length that this kind can have; else the worker is ended
 *	the number of messages of each kind is limited; a question can count as several
 *	this program sets the time for an answer when it asks, and what the worker sends does not extend it
 *
 * Before a program drops the privilege to fork, it starts a *fork server*, a process that forks workers for it; these
 * are in a worker table.  Each job has some slots in it; if all are taken, the worker that was asked longest ago is
 * ended.  The program starts the server before it reads untrusted data.  So a worker has a copy of the program's memory
 * from that time, and nothing that the program has read since.  The server has no open file but its socket to the
 * program, and reads nothing that workers write, so a worker cannot attack it.
 */
#ifndef TOOL_PROCESS_WORKER_H
#define TOOL_PROCESS_WORKER_H

#include "tool/process/channel.h"

/* Limits for messages of KIND.  HEAD is the size of their structure, TAIL the most bytes after it, and MOST the most
   messages for one request.  TEXT: the bytes after the structure are a text, and a NUL in them is refused. */
struct worker_kind {
	enum channel_kind kind;
	uint32_t head, tail, most;
	bool text;
};

/* A job that workers do. */
struct worker_job {
	const char *doing;	    /* what a worker does, for messages: "reading the dump" */
	unsigned first_slot, slots; /* its slots in the worker table */
	struct worker_kind asks;    /* what its workers send before the answer: ITEM or QUESTION */
	uint32_t answer;	    /* the size of the structure with which an answer begins */
};

/* The most workers of a table at the same time. */
enum { WORKERS_MAX = 13 };

/* The fork server, and the workers that it has started. */
struct worker_table {
	int socket; /* the socket to the server; -1: there is no server, and worker_start() fails with ERROR */
	int error;  /* the errno, if the server could not be started */
	struct worker *workers[WORKERS_MAX]; /* the workers that run, by slot */
	uint64_t requests;		     /* a counter of requests and starts, for `last_request` */
};

/* A worker.  All zeros: it does not run. */
struct worker {
	struct channel *channel; /* the channel to the worker; NULL: the worker does not run */
	const struct worker_job *job;
	struct worker_table *table; /* NULL: this process has forked the worker without a fork server */
	unsigned slot;
	uint64_t last_request; /* the value of table->requests at its last request */
	intptr_t id;	       /* without a table: the process id */
	bool strange;	       /* the worker has sent something that no honest worker sends */
};

/* The functions that this program calls for messages of a worker. */
struct worker_host {
	/* Handle an ITEM, one of many results of a request; or answer a QUESTION by channel_send() with CHANNEL_REPLY,
	   or by channel_send_file().  HEAD is its structure, and TAIL the LENGTH bytes after it, which a NUL follows.
	   Returns how many messages this one counts as; the last one may bring the sum above asks.most.  Returns 0 if
	   sending has failed, or, after setting worker->strange, if no honest worker sends this. */
	uint32_t (*handle)(void *context, struct worker *worker, const void *head, const char *tail, size_t length);
	/* NULL: no honest worker of this job sends warnings. */
	void (*warn)(void *context, const struct rossym_warning *warning);
	void *context;
};

struct worker_request {
	const void *head, *tail;
	size_t head_size, tail_size;
	int64_t patience; /* how many ms to wait for the answer: the most that an honest worker needs */
	uint64_t most;	  /* the most bytes that may follow the structure of the answer */
};

/* The result of a request. */
struct worker_answer {
	void *head; /* the caller's structure, which worker_ask() fills in; it has job->answer bytes */
	void *tail; /* the SIZE bytes after the structure, to be freed; NULL: there are none */
	size_t size;
	int64_t patience_left;	   /* the milliseconds of the request's patience that are left */
	struct rossym_error error; /* the reason, if there is no answer */
};

enum worker_result {
	WORKER_ANSWER,
	WORKER_ERROR, /* the worker has sent the error */
	WORKER_FAILED /* the worker has failed or broken the rules, and was ended */
};

/* The function that the worker in SLOT runs.  When it returns, the worker ends. */
typedef void worker_table_function(unsigned slot, struct channel *channel);

/* Start the fork server of TABLE, whose workers run RUN.  If that fails, each worker_start() will fail, with the
   reason.  Call worker_table_stop() even then. */
void worker_table_start(struct worker_table *table, worker_table_function *run);

/* End the fork server and all workers. */
void worker_table_stop(struct worker_table *table);

/* Start a worker of TABLE.  It gets the descriptors of those of the COUNT FILES that have one, at most
   CHANNEL_FILES_MAX.  WORKER must stay in place until worker_end().  This does not wait for the fork: if the server
   cannot fork, worker_ask() fails, with the reason.  False: an error. */
bool worker_start(struct worker *worker, struct worker_table *table, const struct worker_job *job,
		  const struct rossym_debug_file *files, size_t count, struct rossym_error *err);

/* Fork a worker that runs RUN, which must first call channel_open() for CHANNEL_PIPES files.  It has a copy of this
   process's memory.  False: an error. */
bool worker_fork(struct worker *worker, const struct worker_job *job, process_function *run, void *context,
		 struct rossym_error *err);

/* Send REQUEST to a worker that runs, and handle all messages of the worker up to the answer. */
enum worker_result worker_ask(struct worker *worker, const struct worker_request *request,
			      const struct worker_host *host, struct worker_answer *answer);

/* Refuse ANSWER, because no honest worker sends it: free it, end the worker, and store an error in answer->error. */
void worker_refuse_answer(struct worker *worker, struct worker_answer *answer);

static inline bool worker_runs(const struct worker *worker)
{
	return worker->channel;
}

/* End the worker, if it runs. */
void worker_end(struct worker *worker);

/* Returns the most bytes of a symbol table that a worker may make from INPUT bytes of files.  Tables of real files are
   smaller.  sandbox_restrict_child() allows PER_BYTE bytes of memory for each byte of the input, too. */
static inline uint64_t worker_table_size_max(uint64_t input)
{
	enum { LEAST = 16 << 20, PER_BYTE = 64 };
	return input < (UINT32_MAX - LEAST) / PER_BYTE ? LEAST + input * PER_BYTE : UINT32_MAX;
}

/* Returns how many milliseconds to wait for a worker that reads INPUT bytes, with the limits of
   sandbox_restrict_child(). */
int64_t worker_choose_patience(uint64_t input);

#endif

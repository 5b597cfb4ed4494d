// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "addr2line/workers.h"
#include "tool/array.h"
#include "tool/lines.h"
#include "tool/wait.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The most bytes of answers that a job collects in memory.  The answers of a chunk of 256 KiB have 1 to 2 MiB if names
   are ordinary.  If there are more, the worker waits until the answers of all jobs before it have been written, and
   then writes its own. */
enum { PILE_SIZE_MAX = 4 << 20 };

struct chunk_job {
	const struct workers *workers;
	char *copy; /* a copy of the chunk */
	size_t copy_size;
	char *text, *end; /* the lines in the copy that have not been answered yet */
	struct record_style style;
	struct out out;
	struct out_pile pile;
	struct query_seen seen;
	enum batch_status status;
	struct rossym_error err;
};

/* In a worker: answer the lines of a job, up to the first that may need a message. */
static void do_job(void *data)
{
	struct chunk_job *job = data;
	const struct batch *main_batch = job->workers->batch;
	struct batch batch;
	batch_open(&batch, main_batch->rules, main_batch->flags, &job->style, &job->out);
	job->pile.used = 0;
	job->out.pile = &job->pile;
	job->out.error = 0;
	job->status = batch_lines(&batch, &job->text, job->end, &job->err);
	if (job->status == BATCH_OK)
		job->status = batch_finish(&batch, &job->err);
	out_flush(&job->out);
	job->seen = batch.seen;
}

/* The wait() of struct out_pile: wait until the answers of all earlier jobs have been written.  False: there was an
   error, so drop this job's answers. */
static bool wait_turn(void *data)
{
	struct chunk_job *job = data;
	thread_pool_wait_turn(job->workers->pool, job);
	return !job->workers->failed && !job->workers->input->out->error;
}

void workers_open(struct workers *workers, unsigned count, struct batch *batch, const struct input *input)
{
	*workers = (struct workers){ .count = count, .batch = batch, .input = input };
}

/* Wait for the threads, end them, and free everything. */
static void stop_threads(struct workers *workers)
{
	thread_pool_close(workers->pool);
	for (unsigned i = 0; workers->jobs && i < workers->slots; i++)
		if (workers->jobs[i]) {
			record_style_clear(&workers->jobs[i]->style);
			free(workers->jobs[i]->pile.bytes);
			free(workers->jobs[i]->copy);
			free(workers->jobs[i]);
		}
	free(workers->jobs);
	workers->jobs = NULL;
	workers->pool = NULL;
}

static struct chunk_job *create_job(const struct workers *workers)
{
	struct chunk_job *job = calloc(1, sizeof *job);
	if (!job)
		return NULL;
	job->workers = workers;
	record_style_fork(&job->style, workers->batch->style);
	job->pile = (struct out_pile){ .most = PILE_SIZE_MAX, .wait = wait_turn, .waiter = job };
	return job;
}

/* Start the threads.  False: there is no memory, or no thread can be started; workers->count becomes 0, so that later
   chunks do not try again. */
static bool start_threads(struct workers *workers)
{
	bool good = true;
	workers->slots = workers->count * 2;
	workers->jobs = calloc(workers->slots, sizeof *workers->jobs);
	for (unsigned i = 0; workers->jobs && i < workers->slots && good; i++)
		good = (workers->jobs[i] = create_job(workers)) != NULL;
	workers->pool = workers->jobs && good ? thread_pool_open(workers->count, workers->slots, do_job) : NULL;
	if (workers->pool)
		return true;
	stop_threads(workers);
	workers->count = 0;
	return false;
}

/* Wait for the oldest job, write its answers, and answer the lines that it has left. */
static void finish_oldest(struct workers *workers)
{
	struct batch *batch = workers->batch;
	struct out *out = workers->input->out;
	out_flush(out); /* before waiting, because the worker may write its answers itself (wait_turn()) */
	struct chunk_job *job = thread_pool_take(workers->pool);
	if (workers->failed || out->error)
		return;
	out->error = job->out.error;
	out_add_pile(out, &job->pile);
	batch->seen.number |= job->seen.number;
	batch->seen.inside |= job->seen.inside;
	workers->failed = !batch_is_good(batch, job->status, &job->err) ||
			  (job->text < job->end && !input_lines(workers->input, job->text, job->end));
}

void workers_before_read(struct workers *workers)
{
	while (workers->pool && thread_pool_unfinished(workers->pool) > 0 &&
	       (thread_pool_unfinished(workers->pool) == workers->slots || !wait_is_ready(STDIN_FILENO)))
		finish_oldest(workers);
}

bool workers_settle(struct workers *workers)
{
	while (workers->pool && thread_pool_unfinished(workers->pool) > 0)
		finish_oldest(workers);
	return !workers->failed;
}

/* Copy the chunk into the job.  False: no memory. */
static bool copy_chunk(struct chunk_job *job, const char *text, size_t length)
{
	char *copy = array_for(job->copy, &job->copy_size, length + LINES_SLACK, 1);
	if (!copy)
		return false;
	job->copy = memcpy(copy, text, length);
	memset(job->copy + length, 0, LINES_SLACK);
	job->text = job->copy;
	job->end = job->copy + length;
	return true;
}

bool workers_give(struct workers *workers, const char *text, const char *end)
{
	if (workers->count == 0 || (!workers->pool && !start_threads(workers)))
		return false;
	if (thread_pool_unfinished(workers->pool) == workers->slots)
		finish_oldest(workers);
	struct chunk_job *job = workers->jobs[workers->next];
	if (!copy_chunk(job, text, (size_t)(end - text)))
		return false;
	workers->next = (workers->next + 1) % workers->slots;
	thread_pool_give(workers->pool, job);
	return true;
}

void workers_close(struct workers *workers)
{
	workers->failed = true; /* jobs are left only after an error, so their answers are not written */
	workers_settle(workers);
	stop_threads(workers);
}

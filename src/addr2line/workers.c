// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "addr2line/workers.h"

#ifdef HAVE_PTHREAD

#include "tool/array.h"
#include "tool/lines.h"
#include "tool/wait.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const bool workers_available = true;

/* The most bytes of answers that a job collects in memory.  The answers of a chunk of 256 KiB have 1 to 2 MiB if names
   are ordinary.  If there are more, the worker waits until the answers of all jobs before it have been written, and
   then writes its own. */
enum { PILE_SIZE_MAX = 4 << 20 };

struct chunk_job {
	struct workers *workers;
	char *copy; /* a copy of the chunk */
	size_t copy_size;
	char *text, *end; /* the lines in the copy that have not been answered yet */
	struct record_style style;
	struct out out;
	struct out_pile pile;
	struct query_seen seen;
	bool good; /* false: `err` is the reason, as in struct batch */
	struct rossym_error err;
	bool done;
};

struct worker_thread {
	pthread_t id;
};

/* The lock for the numbers of jobs, for `closing` and `taking` in struct workers, and for `done` in jobs; and the
   condition that one of these has changed.  A program has one struct workers. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static struct chunk_job *job_by_number(const struct workers *workers, unsigned long number)
{
	return workers->jobs[number % workers->slots];
}

/* Returns how many jobs have been given and not taken back.  No lock, because only the main thread changes these two. */
static unsigned count_unfinished(const struct workers *workers)
{
	return (unsigned)(workers->given - workers->taken);
}

/* ------------------------------------------------------------------------------------------------ in a thread */

static bool print_records(void *data, const struct records *records)
{
	struct chunk_job *job = data;
	return records_print(&job->style, &job->out, records);
}

/* Answer the lines of a job, up to the first that may need a message. */
static void answer_job(struct chunk_job *job)
{
	const struct batch *main_batch = job->workers->batch;
	struct batch batch;
	batch_open(&batch, main_batch->rules, main_batch->flags, &job->style, print_records, job);
	job->pile.used = 0;
	job->out.pile = &job->pile;
	job->out.error = 0;
	job->good = batch_lines(&batch, &job->text, job->end) && batch_finish(&batch);
	job->err = batch.err;
	out_flush(&job->out);
	job->seen = batch.seen;
}

/* The wait() of struct out_pile: wait until the answers of all earlier jobs have been written.  False: there was an
   error, so drop this job's answers. */
static bool wait_for_earlier_jobs(void *data)
{
	struct chunk_job *job = data;
	const struct workers *workers = job->workers;
	pthread_mutex_lock(&mutex);
	while (!workers->taking || job_by_number(workers, workers->taken) != job)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
	return !workers->failed && !workers->input->out->error;
}

/* Do the first job that has not been begun, again and again, until there is none and the threads are to end. */
static void *run_thread(void *data)
{
	struct workers *workers = data;
	pthread_mutex_lock(&mutex);
	for (;;) {
		while (workers->begun == workers->given && !workers->closing)
			pthread_cond_wait(&changed, &mutex);
		if (workers->begun == workers->given)
			break;
		struct chunk_job *job = job_by_number(workers, workers->begun++);
		pthread_mutex_unlock(&mutex);
		answer_job(job);
		pthread_mutex_lock(&mutex);
		job->done = true;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&mutex);
	return NULL;
}

/* ------------------------------------------------------------------------------------------------ in the main thread */

void workers_open(struct workers *workers, unsigned count, struct batch *batch, const struct input *input)
{
	*workers = (struct workers){ .count = count, .batch = batch, .input = input };
}

/* Wait for the threads, end them, and free everything. */
static void stop_threads(struct workers *workers)
{
	pthread_mutex_lock(&mutex);
	workers->closing = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	for (unsigned i = 0; i < workers->running; i++)
		pthread_join(workers->threads[i].id, NULL);
	for (unsigned i = 0; workers->jobs && i < workers->slots; i++)
		if (workers->jobs[i]) {
			record_style_clear(&workers->jobs[i]->style);
			free(workers->jobs[i]->pile.bytes);
			free(workers->jobs[i]->copy);
			free(workers->jobs[i]);
		}
	free(workers->jobs);
	free(workers->threads);
	workers->jobs = NULL;
	workers->threads = NULL;
	workers->running = 0;
}

static struct chunk_job *create_job(struct workers *workers)
{
	struct chunk_job *job = calloc(1, sizeof *job);
	if (!job)
		return NULL;
	job->workers = workers;
	record_style_fork(&job->style, workers->batch->style);
	job->pile = (struct out_pile){ .most = PILE_SIZE_MAX, .wait = wait_for_earlier_jobs, .waiter = job };
	return job;
}

/* Start the threads; if only some of them can be started, they do all the work.  False: there is no memory, or no thread
   can be started; workers->count becomes 0, so that later chunks do not try again. */
static bool start_threads(struct workers *workers)
{
	workers->slots = workers->count * 2;
	workers->jobs = calloc(workers->slots, sizeof *workers->jobs);
	workers->threads = calloc(workers->count, sizeof *workers->threads);
	bool good = workers->jobs && workers->threads;
	for (unsigned i = 0; i < workers->slots && good; i++)
		good = (workers->jobs[i] = create_job(workers)) != NULL;
	while (good && workers->running < workers->count &&
	       pthread_create(&workers->threads[workers->running].id, NULL, run_thread, workers) == 0)
		workers->running++;
	if (workers->running > 0)
		return true;
	stop_threads(workers);
	workers->count = 0;
	return false;
}

/* Wait for the oldest job that has not been taken back, and take it back. */
static struct chunk_job *take_back_oldest_job(struct workers *workers)
{
	pthread_mutex_lock(&mutex);
	struct chunk_job *job = job_by_number(workers, workers->taken);
	workers->taking = true;
	pthread_cond_broadcast(&changed);
	while (!job->done)
		pthread_cond_wait(&changed, &mutex);
	workers->taking = false;
	workers->taken++;
	pthread_mutex_unlock(&mutex);
	return job;
}

/* Wait for the oldest job, write its answers, and answer the lines that it has left. */
static void finish_oldest_job(struct workers *workers)
{
	struct batch *batch = workers->batch;
	struct out *out = workers->input->out;
	out_flush(out); /* before waiting, because the worker may write its answers itself (wait_for_earlier_jobs()) */
	struct chunk_job *job = take_back_oldest_job(workers);
	if (workers->failed || out->error)
		return;
	out->error = job->out.error;
	out_add_pile(out, &job->pile);
	batch->seen.number |= job->seen.number;
	batch->seen.inside |= job->seen.inside;
	batch->err = job->err;
	workers->failed = !batch_is_good(batch, job->good) ||
			  (job->text < job->end && !input_lines(workers->input, job->text, job->end));
}

void workers_before_read(struct workers *workers)
{
	while (count_unfinished(workers) > 0 &&
	       (count_unfinished(workers) == workers->slots || !wait_is_ready(STDIN_FILENO)))
		finish_oldest_job(workers);
}

bool workers_settle(struct workers *workers)
{
	while (count_unfinished(workers) > 0)
		finish_oldest_job(workers);
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
	if (workers->count == 0 || (workers->running == 0 && !start_threads(workers)))
		return false;
	if (count_unfinished(workers) == workers->slots)
		finish_oldest_job(workers);
	struct chunk_job *job = job_by_number(workers, workers->given);
	if (!copy_chunk(job, text, (size_t)(end - text)))
		return false;
	pthread_mutex_lock(&mutex);
	job->done = false;
	workers->given++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	return true;
}

void workers_close(struct workers *workers)
{
	workers->failed = true; /* jobs are left only after an error, so their answers are not written */
	workers_settle(workers);
	stop_threads(workers);
}

#else

const bool workers_available = false;

void workers_open(struct workers *workers, unsigned count, struct batch *batch, const struct input *input)
{
	(void)workers, (void)count, (void)batch, (void)input;
}

bool workers_give(struct workers *workers, const char *text, const char *end)
{
	(void)workers, (void)text, (void)end;
	return false;
}

bool workers_settle(struct workers *workers)
{
	(void)workers;
	return true;
}

void workers_before_read(struct workers *workers)
{
	(void)workers;
}

void workers_close(struct workers *workers)
{
	(void)workers;
}

#endif

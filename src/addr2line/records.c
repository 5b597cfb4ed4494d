// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * records.c - the main job of rossym-addr2line: prints a record for each address of the input, in their order
 *
 * Addresses are added to a batch, whose answers are looked up and printed together.  A line that may need a message on
 * standard error (a symbol, another module) is answered by the main thread after the batch has been printed, so that
 * output and messages have the order of the input.
 */
#include "config.h"
#include "addr2line/jobs.h"
#include "answer/batch.h"
#include "tool/array.h"
#include "tool/diag.h"
#include "tool/input.h"
#include "tool/wait.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_PTHREAD
#include <pthread.h>
#endif

struct chunk_job;

#ifdef HAVE_PTHREAD
/* All zeros: there are no workers, and there is nothing to close. */
struct workers {
	unsigned count;		   /* how many threads to start; 0: none, or they could not be started */
	struct batch *batch;	   /* the main thread's batch; what workers have seen is added to its `seen` */
	const struct input *input; /* input_visit_lines(input, ...) answers the lines that a worker has left */
	struct chunk_job **jobs;   /* SLOTS jobs; job N + SLOTS uses the memory of job N */
	unsigned slots;
	pthread_t *threads;
	unsigned running; /* how many threads there are; 0 before the first job */
	/* Jobs are numbered from 0; job N is jobs[N % slots].  The main thread gives a job, a thread begins it, and the
	   main thread takes it back.  These are the numbers of the next job for each step: taken <= begun <= given <=
	   taken + slots. */
	unsigned long taken, begun, given;
	bool taking;  /* the main thread waits for job `taken` */
	bool closing; /* threads end when there is no job left */
	bool failed;  /* a message about an error was printed, so write nothing more */
};
#endif

struct record_job {
	struct batch batch; /* the first member, for batch_visit_...() */
#ifdef HAVE_PTHREAD
	struct workers workers;
#endif
	struct out *out;
};

/* The visitor's functions.  They return false after a message. */

/* Print the function around an address, for llvm-symbolizer's "DATA". */
static bool print_function_at(struct record_job *job, const struct query *query)
{
	const struct query_rules *rules = job->batch.rules;
	struct rossym_function function = { .name = NULL };
	struct rossym_error err;
	int found = query->rva == UINT64_MAX ? 0 : rossym_function_at(rules->image, query->rva, &function, &err);
	if (found < 0)
		return diag_image_error(rules->path, &err);
	return record_print_data(job->batch.style, job->out, query, found ? &function : NULL) ||
	       diag_report_no_memory();
}

static bool visit_text(void *data, char *text)
{
	struct record_job *job = data;
	struct batch *batch = &job->batch;
	struct query query;
	if (!batch_visit_finish(job) || !query_parse_text(batch->rules, text, &query, &batch->seen))
		return false;
	if (query.kind == QUERY_DATA)
		return print_function_at(job, &query);
	if (query.kind != QUERY_ADDRESS)
		return record_print_failure(batch->style, job->out, &query) || diag_report_no_memory();
	bool good = batch_print_if_failed(batch, batch_add(batch, query.shown, query.rva));
	if (query.is_symbol && batch->style->form == RECORD_JSON) {
		/* Print the symbol in place of the address in the record. */
		batch->style->symbol = &query;
		good = good && batch_visit_finish(job);
		batch->style->symbol = NULL;
	}
	return good;
}

static bool add_number_lines(void *data, char **text, char *end)
{
	struct batch *batch = &((struct record_job *)data)->batch;
	return batch_print_if_failed(
		batch, (rossym_is_prepared(batch->rules->image) || batch_prepare_lines(batch, *text, end)) &&
			       batch_add_lines(batch, text, end));
}

/* The batch calls this with its answers; batch->data is the output. */
static bool print_records(struct batch *batch, const struct records *records)
{
	return records_print(batch->style, batch->data, records);
}

/* ------------------------------------------------------------------------------------------------ workers */

#ifdef HAVE_PTHREAD
const bool records_have_workers = true;

/*
 * Chunks of lines are answered by threads, and their answers are written in the order of the input.  Each chunk is a
 * job with a batch, a style and an output of its own.  A worker stops at the first line that may need a message,
 * because messages must be in order, too.  The main thread takes the jobs back in order, writes their answers, and
 * answers the rest of a chunk itself.
 */

/* The most bytes of answers that a job collects in memory.  The answers of a chunk of 256 KiB have 1 to 2 MiB if names
   are ordinary.  If a job has more, its worker waits until the answers of all earlier jobs have been written, and then
   writes its answers itself. */
enum { PILE_SIZE_MAX = 4 << 20 };

struct chunk_job {
	struct workers *workers;
	char *copy; /* a copy of the chunk */
	size_t copy_size;
	char *text, *end; /* the lines in the copy that have not been answered yet */
	struct record_style style;
	struct out out;
	struct out_pile pile;
	struct batch batch;
	bool good; /* false: batch.err is the reason */
	bool done;
};

/* `mutex` locks the numbers of jobs, `closing` and `taking` in struct workers, and `done` in jobs.  `changed` signals
   that one of these has changed.  A program has one struct workers. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static struct chunk_job *find_job(const struct workers *workers, unsigned long number)
{
	return workers->jobs[number % workers->slots];
}

/* Returns how many jobs have been given and not taken back.  Needs no lock: only the main thread changes these. */
static unsigned count_untaken_jobs(const struct workers *workers)
{
	return (unsigned)(workers->given - workers->taken);
}

/* ------------------------------------------------------------------------------------------------ in a thread */

/* Answer the lines of a job, up to the first that may need a message. */
static void answer_job(struct chunk_job *job)
{
	const struct batch *main_batch = job->workers->batch;
	struct batch *batch = &job->batch;
	batch_initialize(batch, main_batch->rules, main_batch->flags, &job->style, print_records, &job->out);
	job->pile.used = 0;
	job->out.pile = &job->pile;
	job->out.error = 0;
	job->good = batch_add_lines(batch, &job->text, job->end) && batch_look_up(batch);
	out_flush(&job->out);
}

/* The wait() of struct out_pile: wait until the answers of all earlier jobs have been written.  False: there was an
   error, so drop this job's answers. */
static bool wait_for_earlier_jobs(void *data)
{
	struct chunk_job *job = data;
	const struct workers *workers = job->workers;
	pthread_mutex_lock(&mutex);
	while (!workers->taking || find_job(workers, workers->taken) != job)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
	return !workers->failed && !workers->input->out->error;
}

/* Run a thread: answer jobs, always the first that is not begun, until there is none and `closing` is set. */
static void *run_worker_thread(void *data)
{
	struct workers *workers = data;
	pthread_mutex_lock(&mutex);
	for (;;) {
		while (workers->begun == workers->given && !workers->closing)
			pthread_cond_wait(&changed, &mutex);
		if (workers->begun == workers->given)
			break;
		struct chunk_job *job = find_job(workers, workers->begun++);
		pthread_mutex_unlock(&mutex);
		answer_job(job);
		pthread_mutex_lock(&mutex);
		job->done = true;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&mutex);
	return NULL;
}

/* ----------------------------------------------------------------------------------------------- in the main thread */

/* Wait for the threads, end them, and free everything. */
static void stop_threads(struct workers *workers)
{
	pthread_mutex_lock(&mutex);
	workers->closing = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	for (unsigned i = 0; i < workers->running; i++)
		pthread_join(workers->threads[i], NULL);
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
	record_style_copy_for_thread(&job->style, workers->batch->style);
	job->pile = (struct out_pile){ .most = PILE_SIZE_MAX, .wait = wait_for_earlier_jobs, .waiter = job };
	return job;
}

/* Start the threads; if only some of them can be started, they do all the work.  False: there is no memory, or no
   thread can be started; then sets workers->count to 0, so that later chunks do not try again. */
static bool start_threads(struct workers *workers)
{
	workers->slots = workers->count * 2;
	workers->jobs = calloc(workers->slots, sizeof *workers->jobs);
	workers->threads = calloc(workers->count, sizeof *workers->threads);
	bool good = workers->jobs && workers->threads;
	for (unsigned i = 0; i < workers->slots && good; i++)
		good = (workers->jobs[i] = create_job(workers)) != NULL;
	while (good && workers->running < workers->count &&
	       pthread_create(&workers->threads[workers->running], NULL, run_worker_thread, workers) == 0)
		workers->running++;
	if (workers->running > 0)
		return true;
	stop_threads(workers);
	workers->count = 0;
	return false;
}

/* Wait until the oldest job that was given is done, and take it back. */
static struct chunk_job *take_back_oldest_job(struct workers *workers)
{
	pthread_mutex_lock(&mutex);
	struct chunk_job *job = find_job(workers, workers->taken);
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
	struct query_seen *seen = &workers->batch->seen;
	struct out *out = workers->input->out;
	out_flush(out); /* before waiting, because the worker may write its answers itself (wait_for_earlier_jobs()) */
	struct chunk_job *job = take_back_oldest_job(workers);
	if (workers->failed || out->error)
		return;
	out->error = job->out.error;
	out_add_pile(out, &job->pile);
	seen->number |= job->batch.seen.number;
	seen->inside |= job->batch.seen.inside;
	workers->failed = !batch_print_if_failed(&job->batch, job->good) ||
			  (job->text < job->end && !input_visit_lines(workers->input, job->text, job->end));
}

/* The before_read() of the visitor.  If the read will wait for input, writes all answers, because somebody may be
   waiting for them.  Else writes only as many as are needed to free a slot. */
static void write_answers_before_read(void *data)
{
	struct workers *workers = &((struct record_job *)data)->workers;
	while (count_untaken_jobs(workers) > 0 &&
	       (count_untaken_jobs(workers) == workers->slots || !wait_is_ready(STDIN_FILENO)))
		finish_oldest_job(workers);
}

/* The settle() of the visitor: write the answers of all jobs.  Returns false after a message.  A write error gets no
   message here: it only sets `error` of the output. */
static bool finish_all_jobs(void *data)
{
	struct workers *workers = &((struct record_job *)data)->workers;
	while (count_untaken_jobs(workers) > 0)
		finish_oldest_job(workers);
	return !workers->failed;
}

/* Copy the chunk of LENGTH bytes at TEXT into the job.  False: no memory. */
static bool copy_chunk(struct chunk_job *job, const char *text, size_t length)
{
	if (!array_reserve(&job->copy, &job->copy_size, length + LINES_SLACK, 1))
		return false;
	memcpy(job->copy, text, length);
	memset(job->copy + length, 0, LINES_SLACK);
	job->text = job->copy;
	job->end = job->copy + length;
	return true;
}

/* Give a copy of the chunk from TEXT up to END to a worker.  The image must have been prepared for threads.  False:
   there is no thread or no memory, so the caller must answer the chunk. */
static bool give_chunk_to_worker(struct workers *workers, const char *text, const char *end)
{
	if (workers->count == 0 || (workers->running == 0 && !start_threads(workers)))
		return false;
	if (count_untaken_jobs(workers) == workers->slots)
		finish_oldest_job(workers);
	struct chunk_job *job = find_job(workers, workers->given);
	if (!copy_chunk(job, text, (size_t)(end - text)))
		return false;
	pthread_mutex_lock(&mutex);
	job->done = false;
	workers->given++;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	return true;
}

/* Give the lines from TEXT up to END to a worker, if the image has been prepared, because only then may several threads
   use it.  Else answer them here.  Returns whether to continue. */
static bool dispatch_chunk(void *data, char *text, char *end)
{
	struct record_job *job = data;
	struct workers *workers = &job->workers;
	if (rossym_is_prepared(job->batch.rules->image) && give_chunk_to_worker(workers, text, end))
		return !workers->failed;
	return finish_all_jobs(job) && input_visit_lines(workers->input, text, end);
}

#else
const bool records_have_workers = false;
#endif

/* ------------------------------------------------------------------------------------------------ all */

static const struct input_visitor visitor = { .expect = batch_visit_prepare,
					      .text = visit_text,
					      .quick = add_number_lines,
					      .numbers = batch_add_numbers,
					      .finish = batch_visit_finish,
#ifdef HAVE_PTHREAD
					      .chunk = dispatch_chunk,
					      .settle = finish_all_jobs,
					      .before_read = write_answers_before_read
#endif
};

bool records_run(struct addr2line_command *command, const struct query_rules *rules)
{
	struct record_style *style = &command->style;
	struct record_job job;
	struct input input = addr2line_command_make_input(command, &visitor, &job);
	job.out = input.out;
	batch_initialize(&job.batch, rules, command->lookup_flags, style, print_records, input.out);
#ifdef HAVE_PTHREAD
	/* The bytes of a chunk: enough that giving it to a thread takes much less time than answering it. */
	enum { READ_SIZE_OF_MANY = 1 << 18 };
	const bool threads = command->workers > 1 && input.number_size == 0;
	job.workers = (struct workers){ .count = threads ? command->workers : 0, .batch = &job.batch, .input = &input };
	if (threads)
		input.read_size = READ_SIZE_OF_MANY;
#endif
	if (input.operand_count > 0)
		record_open_array(style, input.out);
	bool good = input_visit_all(&input);
	if (input.operand_count > 0)
		record_close_array(style);
#ifdef HAVE_PTHREAD
	job.workers.failed = true; /* jobs are left here only after an error; their answers are dropped */
	finish_all_jobs(&job);
	stop_threads(&job.workers);
#endif
	if (good)
		query_print_hint(rules, &job.batch.seen);
	return good;
}

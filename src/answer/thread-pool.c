// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/thread-pool.h"

#ifdef HAVE_PTHREAD
#include <pthread.h>
#include <stdlib.h>

const bool thread_pool_available = true;

struct slot {
	void *job;
	bool done;
};

/* Jobs are numbered from 0; job N is in slot N % slot_count.  `given`, `begun` and `taken` are the numbers of the next
   job to be given, begun and taken back.  taken <= begun <= given <= taken + slot_count, so a slot
   never has two jobs. */
struct thread_pool {
	void (*work)(void *job);
	unsigned slot_count;
	struct slot *slots;
	unsigned long taken, begun, given;
	bool closing; /* threads end when there is no job left */
	bool taking;  /* thread_pool_take() waits for job `taken` */
	pthread_mutex_t mutex;
	pthread_cond_t changed_by_giver, changed_by_worker, taker_waits;
	unsigned worker_count;
	pthread_t *workers;
};

/* A thread: do the first job that has not been begun, again and again, until there is none and the pool closes. */
static void *run_worker(void *data)
{
	struct thread_pool *pool = data;
	pthread_mutex_lock(&pool->mutex);
	for (;;) {
		while (pool->begun == pool->given && !pool->closing)
			pthread_cond_wait(&pool->changed_by_giver, &pool->mutex);
		if (pool->begun == pool->given)
			break;
		struct slot *slot = &pool->slots[pool->begun++ % pool->slot_count];
		pthread_mutex_unlock(&pool->mutex);
		pool->work(slot->job);
		pthread_mutex_lock(&pool->mutex);
		slot->done = true;
		pthread_cond_signal(&pool->changed_by_worker);
	}
	pthread_mutex_unlock(&pool->mutex);
	return NULL;
}

struct thread_pool *thread_pool_open(unsigned workers, unsigned slots, void (*work)(void *job))
{
	struct thread_pool *pool = calloc(1, sizeof *pool);
	if (!pool)
		return NULL;
	pool->work = work;
	pool->slot_count = slots;
	pool->slots = calloc(slots, sizeof *pool->slots);
	pool->workers = calloc(workers, sizeof *pool->workers);
	if (!pool->slots || !pool->workers)
		goto fail;
	if (pthread_mutex_init(&pool->mutex, NULL) != 0)
		goto fail;
	if (pthread_cond_init(&pool->changed_by_giver, NULL) != 0)
		goto fail_mutex;
	if (pthread_cond_init(&pool->changed_by_worker, NULL) != 0)
		goto fail_giver;
	if (pthread_cond_init(&pool->taker_waits, NULL) != 0)
		goto fail_worker;
	/* If only some of the threads can be started, they do all the work. */
	while (pool->worker_count < workers &&
	       pthread_create(&pool->workers[pool->worker_count], NULL, run_worker, pool) == 0)
		pool->worker_count++;
	if (pool->worker_count > 0)
		return pool;

	pthread_cond_destroy(&pool->taker_waits);
fail_worker:
	pthread_cond_destroy(&pool->changed_by_worker);
fail_giver:
	pthread_cond_destroy(&pool->changed_by_giver);
fail_mutex:
	pthread_mutex_destroy(&pool->mutex);
fail:
	free(pool->workers);
	free(pool->slots);
	free(pool);
	return NULL;
}

void thread_pool_close(struct thread_pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->mutex);
	pool->closing = true;
	pthread_cond_broadcast(&pool->changed_by_giver);
	pthread_mutex_unlock(&pool->mutex);
	for (unsigned i = 0; i < pool->worker_count; i++)
		pthread_join(pool->workers[i], NULL);
	pthread_cond_destroy(&pool->taker_waits);
	pthread_cond_destroy(&pool->changed_by_worker);
	pthread_cond_destroy(&pool->changed_by_giver);
	pthread_mutex_destroy(&pool->mutex);
	free(pool->workers);
	free(pool->slots);
	free(pool);
}

void thread_pool_give(struct thread_pool *pool, void *job)
{
	pthread_mutex_lock(&pool->mutex);
	pool->slots[pool->given++ % pool->slot_count] = (struct slot){ job, false };
	pthread_cond_signal(&pool->changed_by_giver);
	pthread_mutex_unlock(&pool->mutex);
}

unsigned thread_pool_unfinished(const struct thread_pool *pool)
{
	return (unsigned)(pool->given - pool->taken); /* no lock, because only the caller's thread changes these two */
}

void *thread_pool_take(struct thread_pool *pool)
{
	pthread_mutex_lock(&pool->mutex);
	struct slot *slot = &pool->slots[pool->taken % pool->slot_count];
	if (!slot->done) {
		pool->taking = true;
		pthread_cond_broadcast(&pool->taker_waits);
	}
	while (!slot->done)
		pthread_cond_wait(&pool->changed_by_worker, &pool->mutex);
	pool->taking = false;
	pool->taken++;
	pthread_mutex_unlock(&pool->mutex);
	return slot->job;
}

void thread_pool_wait_turn(struct thread_pool *pool, const void *job)
{
	pthread_mutex_lock(&pool->mutex);
	while (!pool->taking || pool->slots[pool->taken % pool->slot_count].job != job)
		pthread_cond_wait(&pool->taker_waits, &pool->mutex);
	pthread_mutex_unlock(&pool->mutex);
}

#else

const bool thread_pool_available = false;

struct thread_pool *thread_pool_open(unsigned workers, unsigned slots, void (*work)(void *job))
{
	(void)workers;
	(void)slots;
	(void)work;
	return NULL;
}

void thread_pool_close(struct thread_pool *pool)
{
	(void)pool;
}

void thread_pool_give(struct thread_pool *pool, void *job)
{
	(void)pool;
	(void)job;
}

unsigned thread_pool_unfinished(const struct thread_pool *pool)
{
	(void)pool;
	return 0;
}

void *thread_pool_take(struct thread_pool *pool)
{
	(void)pool;
	return NULL;
}

void thread_pool_wait_turn(struct thread_pool *pool, const void *job)
{
	(void)pool;
	(void)job;
}
#endif

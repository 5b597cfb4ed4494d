// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/crew.h"

#ifdef HAVE_PTHREAD
#include <pthread.h>
#include <stdlib.h>

const bool crew_available = true;

struct slot {
	void *job;
	bool done;
};

/* Jobs are numbered from 0; job N is in slot N % slots.  `given`, `begun` and `taken` are the numbers of the next
   job to be given, begun and taken back: taken <= begun <= given <= taken + slots.  So a slot is never used for
   two jobs. */
struct crew {
	void (*work)(void *job);
	unsigned slot_count;
	struct slot *slots;
	unsigned long taken, begun, given;
	bool closing, taking;
	pthread_mutex_t mutex;
	pthread_cond_t changed_by_giver, changed_by_worker, taker_waits;
	unsigned worker_count;
	pthread_t *workers;
};

/* A worker: do the first job that nobody has begun, until there is none and the crew closes. */
static void *run_worker(void *data)
{
	struct crew *crew = data;
	pthread_mutex_lock(&crew->mutex);
	for (;;) {
		while (crew->begun == crew->given && !crew->closing)
			pthread_cond_wait(&crew->changed_by_giver, &crew->mutex);
		if (crew->begun == crew->given)
			break;
		struct slot *slot = &crew->slots[crew->begun++ % crew->slot_count];
		pthread_mutex_unlock(&crew->mutex);
		crew->work(slot->job);
		pthread_mutex_lock(&crew->mutex);
		slot->done = true;
		pthread_cond_signal(&crew->changed_by_worker);
	}
	pthread_mutex_unlock(&crew->mutex);
	return NULL;
}

struct crew *crew_open(unsigned workers, unsigned slots, void (*work)(void *job))
{
	struct crew *crew = calloc(1, sizeof *crew);
	if (!crew)
		return NULL;
	crew->work = work;
	crew->slot_count = slots;
	crew->slots = calloc(slots, sizeof *crew->slots);
	crew->workers = calloc(workers, sizeof *crew->workers);
	if (!crew->slots || !crew->workers)
		goto fail;
	if (pthread_mutex_init(&crew->mutex, NULL) != 0)
		goto fail;
	if (pthread_cond_init(&crew->changed_by_giver, NULL) != 0)
		goto fail_mutex;
	if (pthread_cond_init(&crew->changed_by_worker, NULL) != 0)
		goto fail_giver;
	if (pthread_cond_init(&crew->taker_waits, NULL) != 0)
		goto fail_worker;
	/* If not all threads can be started, the others do all the work. */
	while (crew->worker_count < workers &&
	       pthread_create(&crew->workers[crew->worker_count], NULL, run_worker, crew) == 0)
		crew->worker_count++;
	if (crew->worker_count > 0)
		return crew;

	pthread_cond_destroy(&crew->taker_waits);
fail_worker:
	pthread_cond_destroy(&crew->changed_by_worker);
fail_giver:
	pthread_cond_destroy(&crew->changed_by_giver);
fail_mutex:
	pthread_mutex_destroy(&crew->mutex);
fail:
	free(crew->workers);
	free(crew->slots);
	free(crew);
	return NULL;
}

void crew_close(struct crew *crew)
{
	if (!crew)
		return;
	pthread_mutex_lock(&crew->mutex);
	crew->closing = true;
	pthread_cond_broadcast(&crew->changed_by_giver);
	pthread_mutex_unlock(&crew->mutex);
	for (unsigned i = 0; i < crew->worker_count; i++)
		pthread_join(crew->workers[i], NULL);
	pthread_cond_destroy(&crew->changed_by_worker);
	pthread_cond_destroy(&crew->changed_by_giver);
	pthread_mutex_destroy(&crew->mutex);
	free(crew->workers);
	free(crew->slots);
	free(crew);
}

void crew_give(struct crew *crew, void *job)
{
	pthread_mutex_lock(&crew->mutex);
	crew->slots[crew->given++ % crew->slot_count] = (struct slot){ job, false };
	pthread_cond_signal(&crew->changed_by_giver);
	pthread_mutex_unlock(&crew->mutex);
}

unsigned crew_unfinished(const struct crew *crew)
{
	return (unsigned)(crew->given - crew->taken); /* only the caller's thread changes these two */
}

void *crew_take(struct crew *crew)
{
	pthread_mutex_lock(&crew->mutex);
	struct slot *slot = &crew->slots[crew->taken % crew->slot_count];
	if (!slot->done) {
		crew->taking = true;
		pthread_cond_broadcast(&crew->taker_waits);
	}
	while (!slot->done)
		pthread_cond_wait(&crew->changed_by_worker, &crew->mutex);
	crew->taking = false;
	crew->taken++;
	pthread_mutex_unlock(&crew->mutex);
	return slot->job;
}

void crew_wait_turn(struct crew *crew, const void *job)
{
	pthread_mutex_lock(&crew->mutex);
	while (!crew->taking || crew->slots[crew->taken % crew->slot_count].job != job)
		pthread_cond_wait(&crew->taker_waits, &crew->mutex);
	pthread_mutex_unlock(&crew->mutex);
}

#else

const bool crew_available = false;

struct crew *crew_open(unsigned workers, unsigned slots, void (*work)(void *job))
{
	(void)workers;
	(void)slots;
	(void)work;
	return NULL;
}

void crew_close(struct crew *crew)
{
	(void)crew;
}

void crew_give(struct crew *crew, void *job)
{
	(void)crew;
	(void)job;
}

unsigned crew_unfinished(const struct crew *crew)
{
	(void)crew;
	return 0;
}

void *crew_take(struct crew *crew)
{
	(void)crew;
	return NULL;
}

void crew_wait_turn(struct crew *crew, const void *job)
{
	(void)crew;
	(void)job;
}
#endif

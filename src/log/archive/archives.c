// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/archive/archives.h"

#include "log/archive/archive-worker.h"
#include "tool/array.h"
#include "tool/diag.h"
#include "tool/files/file.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compat/bisect.h"

/* The limit, in bytes, for contents in this process and in all workers together. */
static const size_t most_held = (size_t)512 << 20;

/* An archive on disk, which the user named, or which is in a directory that the user named. */
struct outermost {
	char *path;
	uint32_t first;		      /* its number in this run */
	struct archive_worker worker; /* its tree and its share of the budget, too */
	bool broken;		      /* a worker has failed: start no other */
	struct archives_error why;    /* if BROKEN: the error that each further call stores */
};

struct archives {
	struct budget *budget;
	struct worker_table *workers;
	struct unpacked unpacked;
	struct outermost **list;
	size_t count, room;
	uint32_t numbers;      /* how many archives there are, inner ones included */
	bool crashed;	       /* archives_crashed() */
	archives_visit *visit; /* the argument of the archives_list() that is running */
	void *visit_context;
	struct outermost *active; /* the archive whose worker is working, or has worked last */
};

struct archives *archives_new(struct budget *budget, struct worker_table *workers)
{
	struct archives *archives = calloc(1, sizeof *archives);
	if (archives) {
		archives->budget = budget;
		archives->workers = workers;
		archives->unpacked.most = most_held;
	}
	return archives;
}

void archives_free(struct archives *archives)
{
	if (!archives)
		return;
	for (size_t i = 0; i < archives->count; i++) {
		archive_worker_end(&archives->list[i]->worker);
		free(archives->list[i]->path);
		free(archives->list[i]->worker.nodes);
		free(archives->list[i]);
	}
	free(archives->list);
	unpacked_clear(&archives->unpacked);
	free(archives);
}

static struct outermost *new_outermost(struct archives *archives, const char *path)
{
	const bool good = ARRAY_GROW(archives->list, archives->room, archives->count);
	struct outermost *outermost = calloc(1, sizeof *outermost);
	char *copy = strdup(path);
	if (!good || !outermost || !copy) {
		free(outermost);
		free(copy);
		return NULL;
	}
	outermost->path = copy;
	outermost->first = archives->numbers;
	return archives->list[archives->count++] = outermost;
}

/* Returns the archive on disk that is archive NUMBER, or contains it. */
static struct outermost *outermost_of(const struct archives *archives, uint32_t number)
{
	size_t after;
	BISECT(after, archives->count, archives->list[after]->first <= number);
	return archives->list[after - 1];
}

/* ------------------------------------------------------------------------------------------------ memory */

/* Returns how many bytes the worker of OUTERMOST may have: the limit less what this process and the other workers have.
   OUTERMOST NULL: subtract what all workers have. */
static size_t room_for_worker(const struct archives *archives, const struct outermost *outermost)
{
	size_t held = archives->unpacked.bytes;
	for (size_t i = 0; i < archives->count; i++) {
		const struct outermost *one = archives->list[i];
		held += one != outermost && archive_worker_runs(&one->worker) ? one->worker.held : 0;
	}
	return held < most_held ? most_held - held : 0;
}

/* Try to make room for WANTED bytes in the active worker: end other workers that hold memory, then free contents here.
   Returns how many bytes the worker may have.  This is room() of struct archive_host. */
static size_t make_room(void *context, size_t wanted)
{
	struct archives *archives = context;
	size_t most = wanted < most_held ? wanted : most_held;
	for (size_t i = 0; i < archives->count && room_for_worker(archives, archives->active) < most; i++)
		if (archives->list[i] != archives->active && archives->list[i]->worker.held > 0)
			archive_worker_end(&archives->list[i]->worker);
	if (room_for_worker(archives, archives->active) < most) {
		archives->unpacked.most = most_held - most;
		unpacked_make_room(&archives->unpacked, 0);
	}
	return room_for_worker(archives, archives->active);
}

/* ------------------------------------------------------------------------------------------------ workers */

static bool visit_file(void *context, const char *name, const struct archives_place *place)
{
	struct archives *archives = context;
	struct archives_place global = *place;
	global.archive += archives->active->first;
	return archives->visit(archives->visit_context, name, &global);
}

/* How many milliseconds this program waits for workers of an archive, all requests together: at least, and for each MiB
   of the archive.  To unpack a 7z on a slow computer takes some seconds for each MiB. */
enum { LEAST = 60 * 1000, A_MEBIBYTE = 5 * 1000 };

/* Make OUTERMOST the active archive, and start a worker if it has none.  A new archive gets its share of the budget.
   False: an error. */
static bool activate(struct archives *archives, struct outermost *outermost, struct archives_error *err)
{
	struct budget_share *share = &outermost->worker.share;
	bool good = false;
	archives->active = outermost;
	*err = outermost->why;
	if (outermost->broken || archive_worker_runs(&outermost->worker))
		return !outermost->broken;
	outermost->worker.workers = archives->workers;
	outermost->worker.budget = archives->budget;
	outermost->worker.host = (struct archive_host){ visit_file, make_room, archives };
	struct stat st = { .st_size = 0 };
	int file = open_file(outermost->path, false);
	if (file < 0 || fstat(file, &st) < 0)
		archives_fail(err, strerror(errno));
	else if (!S_ISREG(st.st_mode))
		archives_fail(err, "not a regular file");
	else
		good = archive_worker_start(&outermost->worker, file, err);
	if (good && share->patience_all == 0) {
		share->own = budget_grant(archives->budget, (uint64_t)st.st_size);
		share->patience = share->patience_all = LEAST + (int64_t)(st.st_size >> 20) * A_MEBIBYTE;
		share->filled = archives->budget->filled;
	}
	if (file >= 0)
		close(file);
	return good;
}

/* After a request to the active worker, which returned STATUS: if the worker has failed, print a message and end it.
   Limit the contents here to what the workers leave. */
static void finish_request(struct archives *archives, int status, struct archives_error *err)
{
	struct outermost *active = archives->active;
	if (status < 0 && err->broken) {
		diag("%s: %s", active->path, err->what);
		err->reported = active->broken = archives->crashed = true;
		active->why = *err;
		archive_worker_end(&active->worker);
	}
	if (active->worker.held > most_held)
		active->worker.held = most_held;
	archives->unpacked.most = room_for_worker(archives, NULL) + archives->unpacked.bytes;
}

bool archives_crashed(const struct archives *archives)
{
	return archives && archives->crashed;
}

/* ------------------------------------------------------------------------------------------------ listing */

int archives_list(struct archives *archives, const char *path, archives_visit *visit, void *context,
		  struct archives_error *err)
{
	if (!archives_available)
		return archives_fail(err, "this program was built without libarchive");
	if (archives->numbers >= ARCHIVES_MAX)
		return archives_fail(err, "too many archives");
	struct outermost *outermost = new_outermost(archives, path);
	if (!outermost)
		return archives_fail(err, "out of memory");
	archives->visit = visit;
	archives->visit_context = context;
	if (!activate(archives, outermost, err))
		return -1;
	int status = archive_worker_list(&outermost->worker, ARCHIVES_MAX - archives->numbers, err);
	archives->numbers += outermost->worker.count;
	if (!outermost->worker.nodes) {
		outermost->broken = true;
		outermost->why = *err;
	}
	finish_request(archives, status, err);
	return status;
}

uint32_t archives_outermost_iso(const struct archives *archives, const struct archives_place *place)
{
	const struct outermost *outermost = outermost_of(archives, place->archive);
	uint32_t disc = UINT32_MAX, number = place->archive - outermost->first;
	for (; outermost->worker.nodes; number = outermost->worker.nodes[number].place.archive) {
		if (outermost->worker.nodes[number].format == FORMAT_ISO)
			disc = outermost->first + number;
		if (outermost->worker.nodes[number].access == ACCESS_FILE)
			break;
	}
	return disc;
}

bool archives_is_in_place(const struct archives *archives, const struct archives_place *place)
{
	const struct outermost *outermost = outermost_of(archives, place->archive);
	return outermost->worker.nodes && outermost->worker.nodes[place->archive - outermost->first].in_place;
}

/* ------------------------------------------------------------------------------------------------ reading */

/* Let the worker read a file.  NULL: an error. */
static struct content *read_by_worker(struct archives *archives, const struct archives_place *place,
				      struct archives_error *err)
{
	struct outermost *outermost = outermost_of(archives, place->archive);
	struct archives_place local = *place;
	struct content *content = NULL;
	void *bytes;
	size_t size;
	if (!activate(archives, outermost, err))
		return NULL;
	local.archive -= outermost->first;
	int status = archive_worker_read(&outermost->worker, &local, room_for_worker(archives, outermost), &bytes,
					 &size, err);
	/* This was the first pass; a worker that is started later makes the second one (archive.h). */
	struct archive_node *node = &outermost->worker.nodes[local.archive];
	node->keeps_passed = archive_is_sequential(node);
	finish_request(archives, status, err);
	if (status == 0 && !(content = unpacked_add(&archives->unpacked, place->archive, place->entry, bytes, size)))
		archives_fail(err, "out of memory");
	return content;
}

struct content *archives_read(struct archives *archives, const struct archives_place *place, struct archives_error *err)
{
	struct budget_share *share = &outermost_of(archives, place->archive)->worker.share;
	budget_share_fill(archives->budget, share, wait_clock());
	struct content *content = unpacked_find(&archives->unpacked, place->archive, place->entry);
	if (!content && !budget_share_has_left(archives->budget, share)) {
		archives_fail_over_budget(err);
		return NULL;
	}
	if (!content)
		content = read_by_worker(archives, place, err);
	if (content)
		unpacked_lend(&archives->unpacked, content);
	return content;
}

void archives_release(struct archives *archives, struct content *content)
{
	if (content)
		unpacked_take_back(&archives->unpacked, content, true);
}

void archives_drop(struct archives *archives, struct content *content)
{
	unpacked_take_back(&archives->unpacked, content, false);
}

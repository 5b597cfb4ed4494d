// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/archive/archives.h"

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

/* An archive on disk, which the user named, or which is in a directory that the user named.  The structure must not
   move in memory while its worker runs. */
struct outermost {
	char *path;
	uint32_t first; /* the number of this archive, counted through the run */
	uint32_t count; /* the number of archives: this one and those inside it */
	struct budget_share share;
	struct archives_error why; /* if why.broken: a worker has failed, so further calls fail with this error */
#ifdef HAVE_FORK
	struct worker worker;
	/* The tree of archives (archive_get_nodes()) that a worker has sent.  Only workers of this archive read it. */
	struct archive_node *tree;
	bool has_tree; /* the worker has the tree: it has listed or received it */
	/* The cost that the worker has stated so far, less the least that its results can have cost. */
	int64_t credit_bytes, credit_steps;
#else
	struct archive *archive; /* NULL: it is not open */
	int file;
#endif
};

struct archives {
	struct budget *budget;
	struct worker_table *workers;
	struct unpacked unpacked;
	struct outermost **list;
	size_t count, room;
	uint32_t numbers;	/* how many archives there are, inner ones included */
	bool crashed;		/* a worker has failed (archives_have_crashed()) */
	struct outermost *last; /* the archive that was read last */
};

/* The function that gets the names of the files when an archive is listed, and its argument. */
struct archives_listener {
	const struct outermost *outermost;
	archives_visit *visit;
	void *context;
};

/* Call the listener for the file at PLACE, with an archive number that counts from the first archive of the run. */
static bool call_listener(void *context, const char *name, const struct archives_place *place)
{
	const struct archives_listener *listener = context;
	struct archives_place global = *place;
	global.archive += listener->outermost->first;
	return listener->visit(listener->context, name, &global);
}

#ifdef HAVE_FORK

#include "tool/process/sandbox.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* --------------------------------------------------------------- messages between the program and a worker */

enum archive_request_kind { ARCHIVE_LIST = 1, ARCHIVE_READ };

struct archive_request {
	uint32_t kind;
	uint32_t most; /* ARCHIVE_LIST: list at most so many archives */
	/* ARCHIVE_READ: how many struct archive_node follow; 0 if the worker has listed or received them before */
	uint32_t nodes;
	struct archives_place place; /* ARCHIVE_READ: the file to read */
	int64_t bytes, steps;	     /* what this archive may still take from the budget */
};

/* The answer.  After a list, each struct archive_node follows; after reading, the bytes of the file. */
struct archive_answer {
	uint32_t failed;       /* 1: the request has failed */
	uint32_t over_budget;  /* 1: the error is that the budget is used up (struct archives_error) */
	uint64_t bytes, steps; /* what the worker took from the budget for this request */
	char what[sizeof((struct archives_error *)0)->what];
};

static const struct worker_job archive_job = {
	.doing = "reading the archive",
	.slots = ARCHIVE_WORKERS,
	/* an item of a list: where a file is; its name follows */
	.asks = { CHANNEL_ITEM, sizeof(struct archives_place), ARCHIVES_NAME_LENGTH_MAX, BUDGET_STEPS + 1, true },
	.answer = sizeof(struct archive_answer),
};

/* --------------------------------------------------------------------------------- starting and ending a worker */

/* Start a worker that reads the open file FILE, and close FILE here.  Returns false after an error. */
static bool reader_open_archive(struct archives *archives, struct outermost *outermost, int file,
				struct archives_error *err)
{
	const struct rossym_debug_file archive = { .fd = file };
	struct rossym_error why;
	outermost->has_tree = false;
	outermost->credit_bytes = outermost->credit_steps = 0;
	const bool good = worker_start(&outermost->worker, archives->workers, &archive_job, &archive, 1, &why);
	close(file);
	return good || archives_fail(err, why.what) == 0;
}

/* End the worker for good, because it has failed or the program ends. */
static void reader_close_archive(struct outermost *outermost)
{
	worker_end(&outermost->worker);
	free(outermost->tree);
	outermost->tree = NULL;
}

/* Whether the worker runs.  It may have been ended early, because another archive needed its slot. */
static bool reader_is_running(const struct outermost *outermost)
{
	return worker_runs(&outermost->worker);
}

/* ------------------------------------------------------------------------------------ requests to a worker */

/* A request to a worker, and what was received in answer. */
struct archive_asking {
	struct outermost *outermost;
	struct archives_listener *listener; /* NULL: no names are wanted */
	struct archive_request request;
	bool stopped;	       /* the listener has returned false: ignore the rest of the list */
	uint32_t named;	       /* 1 + the highest number of an archive in the list so far */
	uint64_t names;	       /* the length of the names so far, in bytes */
	uint64_t bytes, steps; /* the least that the results cost; in the end, what the worker states */
	struct archive_answer end;
	struct worker_answer answer;
};

/* Handle HEAD, an item of the list that a worker sends, with its NAME, and count the item's cost.  Returns 1; or 0 if
   the item is invalid, or the items before it have used up the budget, so that the worker should have sent no more. */
static uint32_t handle_listed_file(void *context, struct worker *worker, const void *head, const char *name,
				   size_t length)
{
	struct archive_asking *asking = context;
	const struct archive_request *request = &asking->request;
	struct archives_place place;
	memcpy(&place, head, sizeof place);
	worker->strange = !asking->listener || place.archive >= request->most ||
			  asking->bytes > (uint64_t)request->bytes || asking->steps > (uint64_t)request->steps ||
			  length > ARCHIVES_NAMES_LENGTH_MAX - asking->names;
	if (worker->strange)
		return 0;
	asking->names += length;
	asking->bytes += length * ARCHIVES_NAME_WEIGHT;
	asking->steps++;
	if (place.archive >= asking->named)
		asking->named = place.archive + 1;
	if (!asking->stopped)
		asking->stopped = !call_listener(asking->listener, name, &place);
	return 1;
}

/* Check the answer, and add to the worker's credit the cost that it states, less what its results must have cost.
   Returns false if the answer is invalid, such as a result without its cost.  A worker may have unpacked the result in
   an earlier request and kept it: then it has stated the cost there, and its credit pays for the result. */
static bool check_and_count_answer(struct archive_asking *asking)
{
	struct outermost *outermost = asking->outermost;
	struct archive_answer *end = &asking->end;
	const uint64_t most = (uint64_t)1 << 40; /* so that no sum overflows */
	const size_t size = asking->answer.size, node = sizeof(struct archive_node);
	end->what[sizeof end->what - 1] = '\0';
	if (end->bytes > most || end->steps > most || (!asking->listener && end->failed && size > 0))
		return false;
	if (!asking->listener)
		asking->bytes += size;
	outermost->credit_bytes += (int64_t)(end->bytes - asking->bytes);
	outermost->credit_steps += (int64_t)(end->steps - asking->steps);
	if (outermost->credit_bytes < 0 || outermost->credit_steps < 0)
		return false;
	return !asking->listener || (size % node == 0 && size / node >= asking->named);
}

static uint64_t choose_smaller(uint64_t a, int64_t b)
{
	return a < (uint64_t)b ? a : (uint64_t)b;
}

/* Send the request, with the first request.nodes nodes of the tree, and receive the answer, after which at most MOST
   bytes may follow.  Returns 0, or -1 after an error. */
static int ask_archive_worker(const struct archives *archives, struct archive_asking *asking, uint64_t most,
			      struct archives_error *err)
{
	struct outermost *outermost = asking->outermost;
	struct budget *budget = archives->budget;
	const struct worker_host host = { .handle = handle_listed_file, .context = asking };
	struct archive_request *request = &asking->request;
	err->broken = err->over_budget = false;
	budget_share_left(budget, &outermost->share, &request->bytes, &request->steps);
	const struct worker_request message = { .head = request,
						.head_size = sizeof *request,
						.tail = outermost->tree,
						.tail_size = request->nodes * sizeof *outermost->tree,
						.patience = outermost->share.patience,
						.most = most };
	asking->answer.head = &asking->end;
	enum worker_result result = worker_ask(&outermost->worker, &message, &host, &asking->answer);
	outermost->share.patience = asking->answer.patience_left;
	if (result == WORKER_ANSWER && check_and_count_answer(asking)) {
		asking->bytes = asking->end.bytes;
		asking->steps = asking->end.steps;
	} else if (result != WORKER_FAILED) {
		worker_refuse_answer(&outermost->worker, &asking->answer);
		result = WORKER_FAILED;
	}
	/* Whatever the worker states, no more than it was given is taken from the budget. */
	budget_share_take(budget, &outermost->share, choose_smaller(asking->bytes, request->bytes),
			  choose_smaller(asking->steps, request->steps));
	if (result == WORKER_FAILED) {
		archives_fail(err, asking->answer.error.what);
		err->broken = true;
		return -1;
	}
	outermost->has_tree = true;
	if (!asking->end.failed)
		return 0;
	archives_fail(err, asking->end.what);
	err->over_budget = asking->end.over_budget;
	return -1;
}

/* Let the worker do archive_list_files().  The listener is called only with arguments that have been checked: the name
   has at most ARCHIVES_NAME_LENGTH_MAX bytes, and the archive number is below the new outermost->count. */
static int reader_list_files(struct archives *archives, struct archives_listener *listener, struct outermost *outermost,
			     uint32_t most, struct archives_error *err)
{
	struct archive_asking asking = { .outermost = outermost, .listener = listener };
	const size_t size = sizeof *outermost->tree;
	memset(&asking.request, 0, sizeof asking.request);
	asking.request.kind = ARCHIVE_LIST;
	asking.request.most = most;
	const int status = ask_archive_worker(archives, &asking, most * size, err);
	outermost->count = err->broken ? asking.named : (uint32_t)(asking.answer.size / size);
	outermost->tree = asking.answer.tail;
	return status;
}

/* Let the worker do archive_read_file(). */
static int reader_read_file(struct archives *archives, struct outermost *outermost, const struct archives_place *place,
			    void **bytes, size_t *size, struct archives_error *err)
{
	struct archive_asking asking = { .outermost = outermost };
	memset(&asking.request, 0, sizeof asking.request);
	asking.request.kind = ARCHIVE_READ;
	asking.request.place = *place;
	asking.request.nodes = outermost->has_tree ? 0 : outermost->count;
	int status = ask_archive_worker(archives, &asking, ARCHIVES_FILE_SIZE_MAX, err);
	if (status == 0 && !asking.answer.tail && !(asking.answer.tail = malloc(1)))
		status = archives_fail(err, "out of memory");
	*bytes = asking.answer.tail;
	*size = asking.answer.size;
	return status;
}

/* ---------------------------------------------------------------------------------------- what a worker does */

static void add_cost_to_answer(void *context, uint64_t bytes, uint64_t steps)
{
	struct archive_answer *answer = context;
	answer->bytes += bytes;
	answer->steps += steps;
}

static bool send_listed_file(void *context, const char *name, const struct archives_place *place)
{
	return channel_send(context, CHANNEL_ITEM, place, sizeof *place, name, strlen(name));
}

/* Receive SIZE bytes of nodes, and make them the tree of ARCHIVE, if there are any. */
static void receive_nodes(struct channel *channel, struct archive *archive, size_t size)
{
	static struct archive_node nodes[ARCHIVES_MAX];
	if (size > sizeof nodes)
		_exit(1);
	channel_receive(channel, nodes, size);
	if (archive && size > 0)
		archive_set_nodes(archive, nodes, (uint32_t)(size / sizeof *nodes));
}

/* Do what REQUEST asks for, and send ANSWER with the results. */
static void serve_request(struct channel *channel, struct archive *archive, const struct archive_request *request,
			  struct archive_answer *answer, struct archives_error *err)
{
	void *bytes = NULL;
	const void *tail = NULL;
	size_t size = 0;
	uint32_t count = 0;
	int status = -1;
	if (archive && request->kind == ARCHIVE_LIST) {
		status = archive_list_files(archive, request->most, send_listed_file, channel, err);
		tail = archive_get_nodes(archive, &count);
		size = count * sizeof(struct archive_node);
	} else if (archive) {
		status = archive_read_file(archive, &request->place, &bytes, &size, err);
		tail = status == 0 ? bytes : NULL;
		size = status == 0 ? size : 0;
	}
	answer->failed = status < 0;
	answer->over_budget = status < 0 && err->over_budget;
	if (status < 0)
		memcpy(answer->what, err->what, strlen(err->what));
	channel_send(channel, CHANNEL_ANSWER, answer, sizeof *answer, tail, size);
	if (status == 0)
		free(bytes);
}

void archive_serve_requests(struct channel *channel)
{
	static struct archive_answer answer;
	static struct budget budget;
	struct archives_error err = { .what = "" };
	struct archive_request request;
#ifdef __GLIBC__
	/* Let free() return large memory to the system at once. */
	mallopt(M_MMAP_THRESHOLD, 1 << 17);
#endif
	sandbox_restrict_unpacker();
	budget.most = INT64_MAX / 4; /* no limit here: what is left comes with each request */
	budget.taken = add_cost_to_answer;
	budget.context = &answer;
	struct archive *archive = archive_open(channel_take_file(channel), &budget, &err);
	for (;;) {
		const size_t size = channel_receive_head(channel, CHANNEL_REQUEST, &request, sizeof request);
		memset(&answer, 0, sizeof answer);
		receive_nodes(channel, archive, size);
		budget.bytes = request.bytes;
		budget.steps = request.steps;
		serve_request(channel, archive, &request, &answer, &err);
	}
}

#else /* no fork() */

static bool reader_open_archive(struct archives *archives, struct outermost *outermost, int file,
				struct archives_error *err)
{
	outermost->file = file;
	outermost->archive = archive_open(file, archives->budget, err);
	if (!outermost->archive)
		close(file);
	return outermost->archive;
}

static void reader_close_archive(struct outermost *outermost)
{
	if (outermost->archive)
		close(outermost->file);
	archive_close(outermost->archive);
	outermost->archive = NULL;
}

static bool reader_is_running(const struct outermost *outermost)
{
	return outermost->archive;
}

/* Free the caches of the archive that was read last, unless it is OUTERMOST: only one archive may keep its caches. */
static void free_caches_of_last(struct archives *archives, const struct outermost *outermost)
{
	if (archives->last && archives->last != outermost && archives->last->archive)
		archive_free_caches(archives->last->archive);
}

static int reader_list_files(struct archives *archives, struct archives_listener *listener, struct outermost *outermost,
			     uint32_t most, struct archives_error *err)
{
	free_caches_of_last(archives, outermost);
	const int status = archive_list_files(outermost->archive, most, call_listener, listener, err);
	archive_get_nodes(outermost->archive, &outermost->count);
	return status;
}

static int reader_read_file(struct archives *archives, struct outermost *outermost, const struct archives_place *place,
			    void **bytes, size_t *size, struct archives_error *err)
{
	free_caches_of_last(archives, outermost);
	return archive_read_file(outermost->archive, place, bytes, size, err);
}

#endif

/* ---------------------------------------------------------------------------------- functions for all archives */

struct archives *archives_new(struct budget *budget, struct worker_table *workers)
{
	struct archives *archives = calloc(1, sizeof *archives);
	if (archives) {
		archives->budget = budget;
		archives->workers = workers;
		archives->unpacked.most = ARCHIVES_HELD_MAX;
	}
	return archives;
}

void archives_free(struct archives *archives)
{
	if (!archives)
		return;
	for (size_t i = 0; i < archives->count; i++) {
		reader_close_archive(archives->list[i]);
		free(archives->list[i]->path);
		free(archives->list[i]);
	}
	free(archives->list);
	unpacked_clear(&archives->unpacked);
	free(archives);
}

static struct outermost *add_outermost(struct archives *archives, const char *path)
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

/* Returns the archive on disk that is, or contains, archive NUMBER. */
static struct outermost *find_outermost(const struct archives *archives, uint32_t number)
{
	size_t after;
	BISECT(after, archives->count, archives->list[after]->first <= number);
	return archives->list[after - 1];
}

/* Start a worker for OUTERMOST if it has none.  A new archive gets its share of the budget.  Returns false on error. */
static bool activate_archive(struct archives *archives, struct outermost *outermost, struct archives_error *err)
{
	/* How many milliseconds this program waits for the workers of an archive in all: LEAST, and A_MEBIBYTE for each
	   of its MiB.  To unpack a 7z on a slow computer takes some seconds for each MiB. */
	enum { LEAST = 60 * 1000, A_MEBIBYTE = 5 * 1000 };
	struct budget_share *share = &outermost->share;
	bool good = false;
	*err = outermost->why;
	if (err->broken || reader_is_running(outermost))
		return !err->broken;
	struct stat st = { .st_size = 0 };
	int file = open_file(outermost->path, false);
	if (file < 0 || fstat(file, &st) < 0) {
		archives_fail(err, strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		archives_fail(err, "not a regular file");
	} else {
		good = reader_open_archive(archives, outermost, file, err);
		file = -1;
	}
	if (good && share->patience_all == 0) {
		share->own = budget_add_for_size(archives->budget, (uint64_t)st.st_size);
		share->patience = share->patience_all = LEAST + (int64_t)(st.st_size >> 20) * A_MEBIBYTE;
		share->filled = archives->budget->filled;
	}
	if (file >= 0)
		close(file);
	return good;
}

/* Record that OUTERMOST was read last.  If its worker has failed, print a message and end the worker. */
static void close_reader_if_failed(struct archives *archives, struct outermost *outermost, struct archives_error *err)
{
	archives->last = outermost;
	if (!err->broken)
		return;
	diag("%s: %s", outermost->path, err->what);
	err->reported = archives->crashed = true;
	outermost->why = *err;
	reader_close_archive(outermost);
}

bool archives_have_crashed(const struct archives *archives)
{
	return archives && archives->crashed;
}

int archives_list_files(struct archives *archives, const char *path, archives_visit *visit, void *context,
			struct archives_error *err)
{
	if (!archives_available)
		return archives_fail(err, "this program was built without libarchive");
	if (archives->numbers >= ARCHIVES_MAX)
		return archives_fail(err, "too many archives");
	struct outermost *outermost = add_outermost(archives, path);
	if (!outermost)
		return archives_fail(err, "out of memory");
	struct archives_listener listener = { outermost, visit, context };
	if (!activate_archive(archives, outermost, err))
		return -1;
	int status = reader_list_files(archives, &listener, outermost, ARCHIVES_MAX - archives->numbers, err);
	archives->numbers += outermost->count;
	close_reader_if_failed(archives, outermost, err);
	return status;
}

/* Let the worker of the archive that PLACE is in read the file at PLACE.  Returns NULL after an error. */
static struct content *read_by_worker(struct archives *archives, const struct archives_place *place,
				      struct archives_error *err)
{
	struct outermost *outermost = find_outermost(archives, place->archive);
	struct archives_place local = *place;
	struct content *content = NULL;
	void *bytes;
	size_t size;
	if (!activate_archive(archives, outermost, err))
		return NULL;
	local.archive -= outermost->first;
	int status = reader_read_file(archives, outermost, &local, &bytes, &size, err);
	close_reader_if_failed(archives, outermost, err);
	if (status == 0 && !(content = unpacked_add(&archives->unpacked, place->archive, place->entry, bytes, size)))
		archives_fail(err, "out of memory");
	return content;
}

struct content *archives_read_file(struct archives *archives, const struct archives_place *place,
				   struct archives_error *err)
{
	struct budget_share *share = &find_outermost(archives, place->archive)->share;
	budget_share_refill(archives->budget, share, wait_clock_milliseconds());
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

void archives_release_content(struct archives *archives, struct content *content)
{
	if (content)
		unpacked_take_back(&archives->unpacked, content, true);
}

void archives_drop_content(struct archives *archives, struct content *content)
{
	unpacked_take_back(&archives->unpacked, content, false);
}

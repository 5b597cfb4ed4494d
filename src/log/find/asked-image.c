// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/asked-image.h"
#include "log/find/file-index.h"
#include "compat/hash.h"
#include "search/debug-names.h"
#include "search/path.h"
#include "tool/array.h"
#include "tool/ascii.h"
#include "tool/diag.h"
#include "tool/files/file.h"
#include "tool/process/sandbox.h"
#include "tool/strbuf.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MAX = 1 + DEBUG_FILES_MAX }; /* the most files of an image, itself included */

/* --------------------------------------------------------------- messages between the program and a worker */

struct image_request {
	uint64_t input; /* the size of all files in bytes, on which the worker's limits depend */
	uint64_t rva;	/* the address to look up; or IMAGE_EVERYTHING: the answer is a table of all addresses */
	uint32_t files; /* the number of files.  The worker first asks for all of them; number 0 is the image */
	uint32_t zero;	/* padding */
};

#define IMAGE_EVERYTHING UINT64_MAX

/* A question, with which a worker asks for a file.  The program answers with CHANNEL_GIVE (channel.h). */
struct image_question {
	uint32_t is_split; /* 1: a file with split DWARF, whose name follows; 0: one of the image's files */
	uint32_t number;   /* number of the file, from 0, among the files with that name or the image's files */
};

/* An answer.  After it comes the table of all addresses; or the frames, the innermost first: for each a struct
   image_frame, and the strings function and file, each with a NUL, and empty if it is not known. */
struct image_answer {
	uint32_t frames; /* how many frames follow; 0: nothing is known, or a table follows */
	uint32_t origin; /* the number of the file with the debug information */
};

struct image_frame {
	uint32_t line, row_rva;
};

/* -------------------------------------------------------------------------- reading the debug information */

/* An image whose debug information is read. */
struct image_reading {
	struct rossym_debug_file files[FILES_MAX]; /* the first is the image, the others are its debug files */
	size_t count;
	void (*warn)(void *context, const struct rossym_warning *warning);
	/* finds files with split DWARF: the function `find_split` of struct rossym_open_options */
	int (*find_split)(void *context, const char *name, size_t number, struct rossym_debug_file *file);
	void *context;
	uint32_t origin;	    /* the number of the file that answers are from if the image has a table */
	struct rossym_image *image; /* NULL: it could not be opened */
	struct rossym_error error;  /* why it could not be opened, or has no symbols */
	bool useless;		    /* a warning has said that the image has no symbols */
};

/* Pass WARNING on; but if it says that the image has no symbols, store it in reading->error. */
static void handle_warning(void *context, const struct rossym_warning *warning)
{
	struct image_reading *reading = context;
	if (warning->code != ROSSYM_ENOSYMS) {
		reading->warn(reading->context, warning);
		return;
	}
	reading->useless = true;
	reading->error = (struct rossym_error){ .code = ROSSYM_ENOSYMS };
	strncpy(reading->error.what, warning->what, sizeof reading->error.what - 1);
}

/* Open the image with its debug information, for look-ups by one thread.  FLAGS: more flags of struct
   rossym_open_options.  If opening fails, each image_reading_look_up() will say why. */
static void image_reading_open(struct image_reading *reading, unsigned flags)
{
	const struct rossym_debug_file *image = &reading->files[0];
	const struct rossym_open_options options = {
		.size = sizeof options,
		.flags = ROSSYM_OPEN_DEBUG_INFO | ROSSYM_OPEN_ONE_THREAD | flags,
		.path = image->path,
		.debug_files = reading->files + 1,
		.debug_file_count = reading->count - 1,
		.warn = handle_warning,
		.warn_context = reading,
		.find_split = reading->find_split,
		.find_context = reading->context,
	};
	const int opened = image->bytes ? rossym_open_memory(image->bytes, image->bytes_size, &options, &reading->image,
							     &reading->error)
					: rossym_open_fd(image->fd, &options, &reading->image, &reading->error);
	if (opened < 0)
		reading->image = NULL;
}

/* Returns the number of the file that the newest answer is from. */
static uint32_t find_origin_number(const struct image_reading *reading)
{
	struct rossym_info info = { .size = sizeof info };
	uint32_t number = 0;
	if (rossym_get_info(reading->image, &info, NULL) < 0 || !info.debug_file)
		return reading->origin;
	for (uint32_t i = 1; i < reading->count && number == 0; i++)
		number = strcmp(reading->files[i].path, info.debug_file) == 0 ? i : 0;
	return number;
}

/* Append the frames at RVA to FRAMES, and store in *RET how many they are.  Returns 0, or -1 with reading->error. */
static int add_frames(struct image_reading *reading, uint64_t rva, struct strbuf *frames, uint32_t *ret)
{
	static struct rossym_frame found[ROSSYM_FRAMES_MAX];
	uint32_t count;
	if (rossym_lookup_frames(reading->image, &rva, 1, 0, found, ROSSYM_FRAMES_MAX, &count, &reading->error) < 0)
		return -1;
	if (!found[0].function && !found[0].file && !found[0].line)
		count = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct image_frame sent = { found[i].line, found[i].row_rva };
		const char *function = found[i].function ? found[i].function : "";
		const char *file = found[i].file ? found[i].file : "";
		strbuf_add_bytes(frames, (const char *)&sent, sizeof sent);
		strbuf_add_bytes(frames, function, strlen(function) + 1);
		strbuf_add_bytes(frames, file, strlen(file) + 1);
	}
	*ret = count;
	return 0;
}

/* Append a table of all addresses to BYTES.  Returns 0, or -1 with reading->error. */
static int add_table(struct image_reading *reading, struct strbuf *bytes)
{
	void *table;
	size_t size;
	if (rossym_read_table(reading->image, &table, &size, &reading->error) < 0)
		return -1;
	strbuf_add_bytes(bytes, table, size);
	rossym_free(table);
	return 0;
}

/* Look up RVA, which may be IMAGE_EVERYTHING.  Store the answer in *ANSWER, and append to BYTES the bytes that follow
   the answer in the message.  Returns false with the reason in reading->error. */
static bool image_reading_look_up(struct image_reading *reading, uint64_t rva, struct image_answer *answer,
				  struct strbuf *bytes)
{
	uint32_t frames = 0;
	if (!reading->image ||
	    (rva == IMAGE_EVERYTHING ? add_table(reading, bytes) : add_frames(reading, rva, bytes, &frames)) < 0 ||
	    reading->useless)
		return false;
	*answer = (struct image_answer){ .frames = frames, .origin = find_origin_number(reading) };
	if (bytes->no_memory)
		reading->error = (struct rossym_error){ .code = ROSSYM_ENOMEM, .what = "out of memory" };
	return !bytes->no_memory;
}

#ifdef HAVE_FORK

/* ---------------------------------------------------------------------------------------- what a worker does */

/* Ask the program for file NUMBER of the image; or, if NAME is not NULL, for number NUMBER of the files with split
   DWARF that are called NAME.  Returns 1 and describes the file in *FILE; or returns 0 if there is none. */
static int ask_for_file(void *context, const char *name, size_t number, struct rossym_debug_file *file)
{
	const struct image_question question = { .is_split = name != NULL, .number = (uint32_t)number };
	const size_t length = name ? strlen(name) : 0;
	if (length > CHANNEL_TEXT_LENGTH_MAX)
		return 0;
	channel_send(context, CHANNEL_QUESTION, &question, sizeof question, name, length);
	return channel_receive_file(context, file);
}

/* Ask for the files of the image that REQUEST, the first request, announces, and open the image. */
static void receive_image(struct image_reading *reading, const struct image_request *request)
{
	sandbox_restrict_child(request->input < SIZE_MAX ? (size_t)request->input : SIZE_MAX, true);
	if (request->files == 0 || request->files > FILES_MAX)
		_exit(1);
	for (; reading->count < request->files; reading->count++)
		if (!ask_for_file(reading->context, NULL, reading->count, &reading->files[reading->count]))
			_exit(1);
	image_reading_open(reading, ROSSYM_OPEN_MAPPED);
}

void image_serve_requests(struct channel *channel)
{
	static struct image_reading reading = { .warn = channel_send_warning, .find_split = ask_for_file };
	reading.context = channel;
	for (;;) {
		struct image_request request;
		struct image_answer answer;
		struct strbuf bytes = { .length = 0 };
		channel_receive_head(channel, CHANNEL_REQUEST, &request, sizeof request);
		if (reading.count == 0)
			receive_image(&reading, &request);
		if (image_reading_look_up(&reading, request.rva, &answer, &bytes))
			channel_send(channel, CHANNEL_ANSWER, &answer, sizeof answer, bytes.bytes, bytes.length);
		else
			channel_send(channel, CHANNEL_ERROR, &reading.error, sizeof reading.error, NULL, 0);
		strbuf_clear(&bytes);
	}
}

#endif

/* ----------------------------------------------------------------------------------- an image in this program */

/* The most bytes, for one image, that are unpacked from archives; and the most bytes of one file with split DWARF. */
static const uint64_t most_unpacked = (uint64_t)1 << 30, most_split = (uint64_t)256 << 20;

/* Grades of an image, the best first: answers come from its debug information, a debug file, or its symbols. */
enum { GRADE_OWN = 1, GRADE_DEBUG_FILE, GRADE_SYMBOLS };

/* The answer for an address. */
struct kept_answer {
	uint32_t rva;
	struct rossym_found found;
	struct rossym_frame *frames; /* the frames of `found`, to be freed */
	char *bytes;		     /* the frames' strings are in these `size` bytes, to be freed */
	size_t size;
};

struct asked_image {
	struct image_asker *asker;
	struct asked_subject from;
	struct debug_files debug_files;
	struct worker worker;
	struct budget_share share; /* what this image may take from the budget */
	uint64_t input;		   /* the size of all files of the image, in bytes */
	unsigned asked;		   /* what workers have cost so far: 1 for each look-up, START_COST for each start */
	struct rossym_error why;   /* why the image has no table; returned if nothing else answers */
	const struct file *origins[FILES_MAX]; /* the image's files, by the numbers of image_answer.origin */
	size_t origin_count;
	/* the bytes of those of reading.files that are in archives; `unpacked`: how many bytes these are in all */
	struct file_bytes wholes[FILES_MAX];
	uint64_t unpacked;
	struct file_bytes
		*splits; /* the bytes of files with split DWARF: the one that a worker gets now; without fork(), all */
	size_t split_count, split_room;
	void *everything; /* a table of all addresses, which a worker has sent, to be freed; or NULL */
	/* reading.files: open while a worker with its first request may ask for them; without fork(), since the first
	   look-up.  reading.image: open if this process answers: from `everything`; without fork(), from all files. */
	struct image_reading reading;
	size_t kept; /* how many bytes of memory the answers and the table take */
	struct kept_answer *answers;
	size_t answer_count, answer_room;
	struct hash_table table; /* finds an answer by RVA: holds 1 + the answer's index in `answers`; 0 = free */
};

void image_asker_init(struct image_asker *asker, struct worker_table *workers)
{
	budget_fill_up(&asker->budget, BUDGET_DEBUG_INFO, wait_clock_milliseconds());
	asker->workers = workers;
}

/* Refill the budget as time has passed.  Returns whether SELF may take more of the budget; if not, says so once. */
static bool refill_and_check_share(struct asked_image *self)
{
	struct image_asker *asker = self->asker;
	budget_share_refill(&asker->budget, &self->share, wait_clock_milliseconds());
	if (budget_share_has_left(&asker->budget, &self->share))
		return true;
	if (!asker->reported_over_budget)
		diag("%s: the budget for debug information is used up: %d GiB read, or %d seconds",
		     self->from.file->label, (int)BUDGET_DEBUG_INFO, (int)BUDGET_STEPS / 1000);
	asker->over_budget = asker->reported_over_budget = true;
	return false;
}

/* -------------------------------------------------------------------------------------------- the files of an image */

/* Add FILE: as an open file; or, if it is in an archive, as its bytes, which are CONTENT, or are unpacked if CONTENT is
   NULL.  If FILE cannot be read, prints a warning and leaves FILE out. */
static void add_file(struct asked_image *self, const struct file *file, const struct content *content)
{
	struct image_reading *reading = &self->reading;
	struct file_bytes *whole = &self->wholes[reading->count];
	struct rossym_debug_file source = { .path = file->label, .fd = -1 };
	struct archives_error why;
	struct stat st;
	if (content) {
		source.bytes = content->bytes;
		source.bytes_size = content->size;
	} else if (file->inside) {
		if (!file_bytes_read(self->from.index, file, most_unpacked - self->unpacked, whole, &why)) {
			if (!why.reported)
				diag_warning("%s: %s; it is not read", file->label, why.what);
			return;
		}
		source.bytes = whole->bytes;
		source.bytes_size = whole->size;
		self->unpacked += whole->size;
	} else {
		source.path = file->path;
		source.fd = open_file(file->path, false);
		if (source.fd < 0 || fstat(source.fd, &st) < 0 || !S_ISREG(st.st_mode)) {
			diag_warning("%s: %s; it is not read", file->label,
				     source.fd < 0 ? strerror(errno) : "not a regular file");
			if (source.fd >= 0)
				close(source.fd);
			return;
		}
		source.bytes_size = (size_t)st.st_size;
	}
	self->origins[reading->count] = file;
	self->input += source.fd >= 0 ? (uint64_t)st.st_size : source.bytes_size;
	reading->files[reading->count++] = source;
}

static void close_files(struct asked_image *self)
{
	for (size_t i = 0; i < self->reading.count; i++) {
		if (self->reading.files[i].fd >= 0)
			close(self->reading.files[i].fd);
		file_bytes_clear(self->from.index, &self->wholes[i]);
	}
	self->reading.count = 0;
}

/* Open all files of SELF: first the image, then its debug files.  Returns false if the image cannot be read. */
static bool open_files(struct asked_image *self, struct rossym_error *err)
{
	*err = (struct rossym_error){ .code = ROSSYM_EDAMAGED };
	self->input = self->unpacked = 0;
	add_file(self, self->from.file, self->from.content);
	for (unsigned i = 0; i < self->debug_files.count && self->reading.count > 0; i++)
		add_file(self, self->debug_files.files[i], NULL);
	self->origin_count = self->reading.count;
	return self->origin_count > 0;
}

static void print_warning(void *context, const struct rossym_warning *warning)
{
	const struct asked_image *self = context;
	diag_print_warning(self->from.file->label, warning);
}

/* ------------------------------------------------------------------------------------------- files with split DWARF */

/* The function `find_split` of struct rossym_open_options.  The files called NAME are numbered from 0: first the file
   in the image's directory, then those of the index.  Read file NUMBER, add its bytes to self->splits, and describe
   them in *SOURCE.  Returns 0 if there is no such file, or if it cannot be read; else 1. */
static int read_split_file(void *context, const char *name, size_t number, struct rossym_debug_file *source)
{
	struct asked_image *self = context;
	struct index *index = self->from.index;
	struct archives_error why;
	const struct file *found = NULL;
	size_t count;
	/* A malicious image may control its worker, and ask for very many files: so each file costs budget. */
	if (!rs_debug_name_is_plain(name) || !budget_share_has_left(&self->asker->budget, &self->share))
		return 0;
	if (!self->from.file->inside) {
		struct strbuf beside = { .length = 0 };
		const char *path = self->from.file->path;
		strbuf_add_bytes(&beside, path, (size_t)(rs_path_base(path) - path));
		strbuf_add(&beside, name);
		if (!beside.no_memory && access(beside.bytes, R_OK) == 0 && number-- == 0)
			found = index_get_outside_file(index, beside.bytes);
		strbuf_clear(&beside);
	}
	if (!found) {
		index_read_places(index);
		struct file **files = index_find(index, name, strlen(name) + 1, &count);
		found = number < count ? files[number] : NULL;
	}
	if (!found || !ARRAY_GROW(self->splits, self->split_room, self->split_count))
		return 0;
	struct file_bytes *split = &self->splits[self->split_count];
	if (!file_bytes_read(index, found, most_split, split, &why))
		return 0;
	self->split_count++;
	budget_share_take(&self->asker->budget, &self->share, split->size, 0);
	*source = (struct rossym_debug_file){ .path = found->inside ? found->inside : found->path,
					      .fd = -1,
					      .bytes = split->bytes,
					      .bytes_size = split->size };
	return 1;
}

/* ------------------------------------------------------------------------------------------ the frames of an answer */

/* Store in *STRING the string at *TEXT, or NULL if it is empty, and in *LENGTH its length, at most ROSSYM_LENGTH_MAX.
   Move *TEXT after its NUL.  Returns false if there is no NUL before END. */
static bool parse_string(const char **text, const char *end, const char **string, uint32_t *length)
{
	const char *nul = memchr(*text, 0, (size_t)(end - *text));
	if (!nul)
		return false;
	*string = nul > *text ? *text : NULL;
	*length = nul - *text < ROSSYM_LENGTH_MAX ? (uint32_t)(nul - *text) : ROSSYM_LENGTH_MAX;
	*text = nul + 1;
	return true;
}

/* Store in KEPT the answer HEAD with the SIZE bytes at BYTES, which KEPT then owns.  Returns false if there is no
   memory, or if the answer is invalid. */
static bool decode_answer(const struct asked_image *self, const struct image_answer *head, char *bytes, size_t size,
			  struct kept_answer *kept)
{
	const char *at = bytes ? bytes : "", *end = at + size;
	const bool good = head->frames <= ROSSYM_FRAMES_MAX && head->origin < self->origin_count;
	struct rossym_frame *frames = good ? calloc(head->frames + 1, sizeof *frames) : NULL;
	uint32_t count = 0;
	for (; frames && count < head->frames; count++) {
		struct image_frame sent;
		struct rossym_frame *frame = &frames[count];
		if (sizeof sent > (size_t)(end - at))
			break;
		memcpy(&sent, at, sizeof sent);
		at += sizeof sent;
		frame->line = sent.line;
		frame->row_rva = sent.row_rva;
		if (!parse_string(&at, end, &frame->function, &frame->function_length) ||
		    !parse_string(&at, end, &frame->file, &frame->file_length))
			break;
	}
	if (!frames || count < head->frames || at != end) {
		free(frames);
		return false;
	}
	self->from.file->debug_file = self->origins[head->origin];
	*kept = (struct kept_answer){ .found = { frames, count }, .frames = frames, .bytes = bytes, .size = size };
	return true;
}

/* Look up RVA in this process, and store the answer in *KEPT.  Returns false if there is no answer. */
static bool look_up_in_this_process(struct asked_image *self, uint32_t rva, struct kept_answer *kept,
				    struct rossym_error *err)
{
	struct image_answer head;
	struct strbuf frames = { .length = 0 };
	if (image_reading_look_up(&self->reading, rva, &head, &frames) &&
	    decode_answer(self, &head, frames.bytes, frames.length, kept))
		return true;
	*err = self->reading.error;
	strbuf_clear(&frames);
	return false;
}

#ifdef HAVE_FORK

/* ---------------------------------------------------------------------------------------- asking a worker */

/* How many files a worker may ask for: those of its image, and files with split DWARF. */
enum { QUESTIONS_MAX = 1 << 14 };

/* Costs, counted in look-ups: START_COST to start a worker; after TABLE_COST, a table of all addresses is cheaper. */
enum { START_COST = 16, TABLE_COST = 64 };

static const struct worker_job image_job = {
	.doing = "reading the debug information",
	.first_slot = IMAGE_SLOT,
	.slots = IMAGE_WORKERS,
	.asks = { CHANNEL_QUESTION, sizeof(struct image_question), CHANNEL_TEXT_LENGTH_MAX, QUESTIONS_MAX, true },
	.answer = sizeof(struct image_answer),
};

/* The function `handle` of struct worker_host: sends the file that HEAD, with NAME after it, asks for. */
static uint32_t answer_file_question(void *context, struct worker *worker, const void *head, const char *name,
				     size_t length)
{
	struct asked_image *self = context;
	struct rossym_debug_file split;
	struct image_question question;
	memcpy(&question, head, sizeof question);
	if (!question.is_split) {
		worker->strange = length > 0 || question.number >= self->reading.count;
		return !worker->strange && channel_send_file(worker->channel, &self->reading.files[question.number]);
	}
	if (!read_split_file(self, name, question.number, &split))
		return channel_send_file(worker->channel, NULL);
	const bool good = channel_send_file(worker->channel, &split);
	file_bytes_clear(self->from.index, &self->splits[--self->split_count]);
	return good;
}

/* Let SELF answer from TABLE, of SIZE bytes, which SELF then owns.  Returns false if there is no memory, or if TABLE is
   invalid. */
static bool adopt_table(struct asked_image *self, const struct image_answer *head, void *table, size_t size)
{
	const struct rossym_open_options options = {
		.size = sizeof options, .flags = ROSSYM_OPEN_WHOLE_STRINGS, .table = table, .table_size = size
	};
	struct rossym_image *image = NULL;
	if (head->origin >= self->origin_count ||
	    file_image_open(self->from.file, self->from.content, &options, &image, NULL) < 0 ||
	    rossym_prepare(image, NULL) < 0) {
		rossym_close(image);
		return false;
	}
	rossym_close_file(image);
	self->reading.image = image;
	self->reading.origin = head->origin;
	self->everything = table;
	self->kept += size;
	return true;
}

/* Ask the worker of SELF for RVA, and store the answer in *KEPT.  If RVA is IMAGE_EVERYTHING, the answer is a table,
   which SELF keeps.  *ERR becomes the reason if there is no answer. */
static enum worker_result ask_worker(struct asked_image *self, uint64_t rva, struct kept_answer *kept,
				     struct rossym_error *err)
{
	struct budget *budget = &self->asker->budget;
	const struct worker_host host = { .handle = answer_file_question, .warn = print_warning, .context = self };
	struct image_request head;
	struct image_answer given = { 0 };
	struct worker_answer answer = { .head = &given };
	int64_t bytes, time;
	memset(&head, 0, sizeof head);
	head.input = self->input;
	head.files = (uint32_t)self->origin_count;
	head.rva = rva;
	budget_share_left(budget, &self->share, &bytes, &time);
	/* Wait twice as long: the worker may read what RVA needs, find that this is not enough, and read everything. */
	const int64_t patience = 2 * worker_choose_patience(self->input);
	const struct worker_request request = { .head = &head,
						.head_size = sizeof head,
						.patience = patience < time ? patience : time,
						.most = worker_table_size_max(self->input) };
	enum worker_result result = worker_ask(&self->worker, &request, &host, &answer);
	if (result == WORKER_ANSWER) {
		budget_share_take(budget, &self->share, answer.size, 0);
		if (!(rva == IMAGE_EVERYTHING ? adopt_table(self, &given, answer.tail, answer.size)
					      : decode_answer(self, &given, answer.tail, answer.size, kept))) {
			worker_refuse_answer(&self->worker, &answer);
			result = WORKER_FAILED;
		}
	}
	*err = answer.error;
	return result;
}

/* Do what ask_worker() does, but start a worker if none runs.  If a worker that was started earlier fails, start one
   more: earlier requests have perhaps used up the time limit of the first.  Returns false if there is no answer. */
static bool ask_running_or_new_worker(struct asked_image *self, uint64_t rva, struct kept_answer *kept,
				      struct rossym_error *err)
{
	for (int tries = 0; tries < 2; tries++) {
		const bool fresh = !worker_runs(&self->worker);
		enum worker_result result = WORKER_FAILED;
		*err = (struct rossym_error){ .code = ROSSYM_EDAMAGED };
		if (fresh) {
			if (!open_files(self, err))
				break;
			/* Files that workers map into memory cost budget only at the first start: later workers read
			   little of them. */
			budget_share_take(&self->asker->budget, &self->share,
					  self->asked > 0 ? self->unpacked : self->input, 0);
		}
		self->asked += fresh ? START_COST : 1;
		if (!fresh || worker_start(&self->worker, self->asker->workers, &image_job, self->reading.files,
					   self->reading.count, err))
			result = ask_worker(self, rva, kept, err);
		close_files(self);
		if (result != WORKER_FAILED || fresh)
			return result == WORKER_ANSWER;
	}
	close_files(self);
	return false;
}

/* Look up RVA, and store the answer in *KEPT.  Returns false, with *ERR, if there is no answer. */
static bool get_answer(struct asked_image *self, uint32_t rva, struct kept_answer *kept, struct rossym_error *err)
{
	if (self->asked < TABLE_COST)
		return ask_running_or_new_worker(self, rva, kept, err);
	if (!ask_running_or_new_worker(self, IMAGE_EVERYTHING, NULL, err))
		return false;
	worker_end(&self->worker);
	return look_up_in_this_process(self, rva, kept, err);
}

#else

/* ---------------------------------------------------------------------------------------- answers without workers */

/* Open the image of SELF with its debug information.  Returns false, with *ERR, if its files cannot be read. */
static bool open_in_this_process(struct asked_image *self, struct rossym_error *err)
{
	if (!open_files(self, err))
		return false;
	self->reading.warn = print_warning;
	self->reading.find_split = read_split_file;
	self->reading.context = self;
	image_reading_open(&self->reading, 0);
	return true;
}

/* Look up RVA, and store the answer in *KEPT.  Returns false, with *ERR, if there is no answer. */
static bool get_answer(struct asked_image *self, uint32_t rva, struct kept_answer *kept, struct rossym_error *err)
{
	return (self->reading.count > 0 || open_in_this_process(self, err)) &&
	       look_up_in_this_process(self, rva, kept, err);
}

#endif

/* ------------------------------------------------------------------------------------- looking up an address */

/* Look up RVA, which was not looked up before, and store the answer in *KEPT.  Returns 0 or -1. */
static int look_up_first_time(struct asked_image *self, uint32_t rva, struct kept_answer *kept,
			      struct rossym_error *err)
{
	struct rossym_error error;
	if (self->everything)
		return look_up_in_this_process(self, rva, kept, err) ? 0 : -1;
	if (!refill_and_check_share(self)) {
		/* The budget may be refilled (budget_share_refill()).  After ROSSYM_ENOMEM the set asks again; after
		   other errors, the set does not use the file any more. */
		*err = (struct rossym_error){ .code = ROSSYM_ENOMEM };
		return -1;
	}
	const uint64_t since = wait_clock_milliseconds();
	const bool good = get_answer(self, rva, kept, &error);
	budget_share_take(&self->asker->budget, &self->share, 0, wait_clock_milliseconds() - since);
	if (good)
		return 0;
	/* If there are no symbols, report_no_answer() reports self->why.  Any other error is printed as a warning. */
	if (error.code == ROSSYM_ENOSYMS && self->debug_files.count > 0)
		self->why = error;
	else if (error.code != ROSSYM_ENOSYMS && error.what[0])
		diag_warning("%s: %s", self->from.file->label, error.what);
	*err = self->why;
	self->from.report_no_answer(self->from.context, self->from.file, &self->why);
	return -1;
}

int asked_image_look_up(struct asked_image *self, uint32_t rva, struct rossym_found *found, size_t *kept,
			struct rossym_error *err)
{
	const uint32_t hash = (uint32_t)hash_number((uintptr_t)self, rva);
	struct hash_slot *slot;
	if (!ARRAY_GROW(self->answers, self->answer_room, self->answer_count) ||
	    !hash_make_room(&self->table, calloc, free))
		return diag_store_no_memory(err);
	struct kept_answer *answers = self->answers;
	for (uint32_t at = hash; (slot = hash_find_slot(&self->table, hash, &at))->number;)
		if (answers[slot->number - 1].rva == rva) {
			*found = answers[slot->number - 1].found;
			return 0;
		}
	struct kept_answer *answer = &answers[self->answer_count];
	if (look_up_first_time(self, rva, answer, err) < 0)
		return -1;
	answer->rva = rva;
	hash_put_number(&self->table, slot, (uint32_t)++self->answer_count, hash);
	*kept = self->kept += sizeof *answer + answer->found.count * sizeof *answer->frames + answer->size;
	*found = answer->found;
	return 0;
}

/* --------------------------------------------------------------------------------------- opening an image */

/* Find what could answer for IMAGE.  Returns IMAGE's grade; 0 if there is nothing; -1 if there is no memory. */
static int find_grade(struct asked_image *self, struct rossym_image *image)
{
	struct rossym_info info = { .size = sizeof info };
	const bool own = rs_image_has_dwarf_or_stabs(image);
	if (!debug_files_find(&self->debug_files, self->from.index, self->from.file, image))
		return -1;
	/* Nothing was found yet: read the directories, which can take long, and search again, also in the index. */
	if (!own && self->debug_files.count == 0 && !self->from.index->read) {
		index_read_places(self->from.index);
		if (!debug_files_find(&self->debug_files, self->from.index, self->from.file, image))
			return -1;
	}
	rossym_get_info(image, &info, NULL);
	return own ? GRADE_OWN : self->debug_files.count > 0 ? GRADE_DEBUG_FILE : info.symbols > 0 ? GRADE_SYMBOLS : 0;
}

int asked_image_open_and_grade(struct image_asker *asker, const struct asked_subject *from,
			       const struct rossym_error *why, struct rossym_image **image, struct asked_image **asked,
			       struct rossym_error *err)
{
	struct asked_image *self = calloc(1, sizeof *self);
	const struct rossym_open_options options = { .size = sizeof options, .flags = ROSSYM_OPEN_HEADERS };
	if (!self)
		return diag_store_no_memory(err);
	*self = (struct asked_image){ .asker = asker, .from = *from, .why = *why };
	self->share.filled = asker->budget.filled;
	int grade = file_image_open(from->file, from->content, &options, image, err);
	if (grade == 0) {
		grade = find_grade(self, *image);
		*err = *why;
		if (grade < 0)
			diag_store_no_memory(err);
		if (grade <= 0)
			rossym_close(*image);
	}
	if (grade > 0)
		*asked = self;
	else
		asked_image_free(self);
	return grade;
}

void asked_image_free(struct asked_image *asked)
{
#ifdef HAVE_FORK
	worker_end(&asked->worker);
#endif
	rossym_close(asked->reading.image);
	free(asked->everything);
	close_files(asked);
	while (asked->split_count > 0)
		file_bytes_clear(asked->from.index, &asked->splits[--asked->split_count]);
	free(asked->splits);
	for (size_t i = 0; i < asked->answer_count; i++) {
		free(asked->answers[i].frames);
		free(asked->answers[i].bytes);
	}
	free(asked->answers);
	free(asked->table.slots);
	free(asked);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/image-worker.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------- reading the debug information */

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

void image_reading_open(struct image_reading *reading, unsigned flags)
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

/* Append FRAME to FRAMES, in the form in which frames follow a struct image_answer. */
static void add_frame(struct strbuf *frames, const struct rossym_frame *frame)
{
	const struct image_frame sent = { frame->line, frame->row_rva };
	const char *function = frame->function ? frame->function : "", *file = frame->file ? frame->file : "";
	strbuf_add_bytes(frames, (const char *)&sent, sizeof sent);
	strbuf_add_bytes(frames, function, strlen(function) + 1);
	strbuf_add_bytes(frames, file, strlen(file) + 1);
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
	for (uint32_t i = 0; i < count; i++)
		add_frame(frames, &found[i]);
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

bool image_reading_look_up(struct image_reading *reading, uint64_t rva, struct image_answer *answer,
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

#include "tool/process/sandbox.h"

#include <unistd.h>

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
	if (request->files == 0 || request->files > IMAGE_FILES_MAX)
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

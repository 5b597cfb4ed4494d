// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/image-serve.h"

#ifdef HAVE_FORK

#include "log/find/image-message.h"
#include "rossym.h"
#include "tool/process/sandbox.h"
#include "tool/wait.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The state of the child. */
struct server {
	int reading, writing; /* its ends of the two pipes */
	const int *open;      /* the descriptors that it has got, and how many */
	size_t open_count, open_used;
	struct rossym_debug_file files[IMAGE_FILES_MAX]; /* the first is the image */
	uint32_t count;
	struct rossym_image *image; /* NULL: it could not be opened */
	struct rossym_error error;  /* why it could not be opened, or has no symbols */
	bool useless;		    /* it has no symbols */
};

/* ------------------------------------------------------------------------------------------------ bytes */

/* Send SIZE bytes.  Exit if the program has closed its end of the pipe. */
static void send(const struct server *server, const void *bytes, size_t size)
{
	if (!wait_write(server->writing, bytes, size))
		_exit(1);
}

static void send_message(const struct server *server, enum image_message kind, const void *bytes, size_t size)
{
	const uint8_t byte = (uint8_t)kind;
	send(server, &byte, 1);
	send(server, bytes, size);
}

/* Receive SIZE bytes.  Exit if the program has closed its end of the pipe. */
static void receive(const struct server *server, void *bytes, size_t size)
{
	if (wait_read_all(server->reading, bytes, size) != (ssize_t)size)
		_exit(0);
}

/* Returns SIZE bytes of memory, and a zero after them.  Exits if there is no memory. */
static char *allocate(uint64_t size)
{
	char *bytes = size < SIZE_MAX ? malloc((size_t)size + 1) : NULL;
	if (!bytes)
		_exit(1);
	bytes[size] = '\0';
	return bytes;
}

/* Receive a file, whose memory is never freed.  False: there is none. */
static bool receive_file(struct server *server, struct rossym_debug_file *file)
{
	struct image_file head;
	receive(server, &head, sizeof head);
	if (head.size == IMAGE_NO_FILE)
		return false;
	char *path = allocate(head.path_length);
	receive(server, path, head.path_length);
	*file = (struct rossym_debug_file){ .path = path, .bytes_size = (size_t)head.size, .fd = -1 };
	if (head.is_open) {
		if (server->open_used == server->open_count)
			_exit(1);
		file->fd = server->open[server->open_used++];
		return true;
	}
	char *bytes = allocate(head.size);
	receive(server, bytes, (size_t)head.size);
	file->bytes = bytes;
	return true;
}

/* ------------------------------------------------------------------------------------------- called by the library */

static uint32_t limited_length(const char *text)
{
	const size_t length = text ? strlen(text) : 0;
	return length < IMAGE_TEXT_LENGTH_MAX ? (uint32_t)length : IMAGE_TEXT_LENGTH_MAX;
}

static void send_warning(void *context, const struct rossym_warning *warning)
{
	struct server *server = context;
	struct image_warning head;
	if (warning->code == ROSSYM_ENOSYMS) {
		server->useless = true;
		server->error = (struct rossym_error){ .code = ROSSYM_ENOSYMS };
		strncpy(server->error.what, warning->what, sizeof server->error.what - 1);
		return;
	}
	memset(&head, 0, sizeof head);
	head.path_length = limited_length(warning->path);
	head.length = limited_length(warning->what);
	head.sys_errno = warning->sys_errno;
	send_message(server, IMAGE_WARNING, &head, sizeof head);
	send(server, warning->path, head.path_length);
	send(server, warning->what, head.length);
}

static int ask_for_split(void *context, const char *name, size_t number, struct rossym_debug_file *file)
{
	struct server *server = context;
	const struct image_want want = { .number = (uint32_t)number, .length = limited_length(name) };
	send_message(server, IMAGE_WANT, &want, sizeof want);
	send(server, name, want.length);
	return receive_file(server, file);
}

/* ------------------------------------------------------------------------------------------------ requests */

/* Open the image. */
static void open_image(struct server *server)
{
	const struct rossym_debug_file *image = &server->files[0];
	const struct rossym_open_options options = {
		.size = sizeof options,
		.flags = ROSSYM_OPEN_DEBUG_INFO | ROSSYM_OPEN_MAPPED | ROSSYM_OPEN_ONE_THREAD,
		.path = image->path,
		.debug_files = server->files + 1,
		.debug_file_count = server->count - 1,
		.warn = send_warning,
		.warn_context = server,
		.find_split = ask_for_split,
		.find_context = server,
	};
	const int opened = image->bytes ? rossym_open_memory(image->bytes, image->bytes_size, &options, &server->image,
							     &server->error)
					: rossym_open_fd(image->fd, &options, &server->image, &server->error);
	if (opened < 0)
		server->image = NULL;
}

/* Returns the number of the file that the newest table is from. */
static uint32_t find_origin(const struct server *server)
{
	struct rossym_info info = { .size = sizeof info };
	uint32_t number = 0;
	if (rossym_get_info(server->image, &info, NULL) < 0 || !info.debug_file)
		return 0;
	for (uint32_t i = 1; i < server->count && number == 0; i++)
		number = strcmp(server->files[i].path, info.debug_file) == 0 ? i : 0;
	return number;
}

/* Answer a request for the COUNT addresses RVAS; for everything if RVAS is NULL. */
static void answer(struct server *server, const uint64_t *rvas, size_t count)
{
	struct image_table head;
	void *table = NULL;
	size_t size = 0;
	int whole = 1, result = -1;
	memset(&head, 0, sizeof head);
	if (server->image)
		result = rvas ? rossym_read_table_for(server->image, rvas, count, &table, &size, &whole, &server->error)
			      : rossym_read_table(server->image, &table, &size, &server->error);
	if (result < 0 || server->useless) {
		send_message(server, IMAGE_ERROR, &server->error, sizeof server->error);
	} else {
		head.size = size;
		head.whole = (uint32_t)whole;
		head.origin = find_origin(server);
		send_message(server, IMAGE_TABLE, &head, sizeof head);
		send(server, table, size);
	}
	rossym_free(table);
}

static void serve_request(struct server *server)
{
	uint32_t count;
	receive(server, &count, sizeof count);
	if (count == IMAGE_EVERYTHING) {
		answer(server, NULL, 0);
		return;
	}
	uint32_t *wanted = calloc(count + (size_t)1, sizeof *wanted);
	uint64_t *rvas = calloc(count + (size_t)1, sizeof *rvas);
	if (!wanted || !rvas)
		_exit(1);
	receive(server, wanted, count * sizeof *wanted);
	for (size_t i = 0; i < count; i++)
		rvas[i] = wanted[i];
	answer(server, rvas, count);
	free(wanted);
	free(rvas);
}

void image_serve(const int *files, size_t count, int reading, int writing)
{
	static struct server server; /* zeros */
	struct image_begin begin;
	server.reading = reading;
	server.writing = writing;
	server.open = files;
	server.open_count = count;
	receive(&server, &begin, sizeof begin);
	sandbox_image((size_t)begin.input);
	if (begin.files == 0 || begin.files > IMAGE_FILES_MAX)
		_exit(1);
	for (; server.count < begin.files; server.count++)
		if (!receive_file(&server, &server.files[server.count]))
			_exit(1);
	open_image(&server);
	for (;;)
		serve_request(&server);
}

#else

void image_serve(const int *files, size_t count, int reading, int writing)
{
	(void)files, (void)count, (void)reading, (void)writing;
}

#endif

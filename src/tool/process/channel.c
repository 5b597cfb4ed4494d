// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/process/channel.h"
#include "tool/wait.h"

#include <string.h>

#ifdef HAVE_FORK

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------------------ the deadline */

static int64_t read_clock(void)
{
	return (int64_t)wait_clock_milliseconds();
}

void channel_set_deadline(struct channel *channel, int64_t ms)
{
	channel->late = false;
	channel->deadline = read_clock() + ms;
}

/* Wait until FD is ready.  Returns false if the deadline has passed, or after an error.  With WAIT_TO_WRITE, also
   returns false if the worker has sent something or ended.  Polls one descriptor at a time, because RLIMIT_NOFILE of a
   sandbox may be 1, and then poll() accepts no more. */
static bool wait_until_ready(struct channel *channel, int fd, enum wait_direction direction)
{
	enum { SLICE = 100, STOPPED = 1000 }; /* milliseconds */
	for (;;) {
		int64_t before = read_clock(), left = channel->deadline - before;
		channel->late = left <= 0;
		if (channel->late)
			return false;
		int slice = left < SLICE ? (int)left : SLICE;
		int ready = wait_for_descriptor(fd, direction, slice);
		if (ready > 0)
			return true;
		if (ready < 0 && errno != EINTR)
			return false;
		int64_t more = read_clock() - before - slice;
		/* If a wait took longer than SLICE by more than STOPPED, this process was stopped. */
		if (more > STOPPED)
			channel->deadline += more;
		if (direction == WAIT_TO_WRITE && wait_is_ready(channel->pipes.from))
			return false;
	}
}

/* ------------------------------------------------------------------------------------------------ sending */

static bool send_bytes(struct channel *channel, const void *bytes, size_t size)
{
	if (channel->in_worker && !wait_write(channel->pipes.to, bytes, size))
		_exit(1);
	for (const char *at = bytes; !channel->in_worker && size > 0;) {
		if (!wait_until_ready(channel, channel->pipes.to, WAIT_TO_WRITE))
			return false;
		const ssize_t n = pipes_write_some(&channel->pipes, at, size);
		if (n < 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

bool channel_flush(struct channel *channel)
{
	const size_t used = channel->used;
	channel->used = 0;
	return send_bytes(channel, channel->out, used);
}

bool channel_add_bytes(struct channel *channel, const void *bytes, uint64_t size)
{
	if (size > sizeof channel->out - channel->used && !channel_flush(channel))
		return false;
	if (size > sizeof channel->out)
		return size <= SIZE_MAX && send_bytes(channel, bytes, (size_t)size);
	if (size > 0)
		memcpy(channel->out + channel->used, bytes, (size_t)size);
	channel->used += (size_t)size;
	return true;
}

bool channel_begin_message(struct channel *channel, enum channel_kind kind, const void *head, size_t head_size,
			   uint64_t size)
{
	const struct channel_head begin = { .length = head_size + size, .kind = (uint32_t)kind };
	return channel_add_bytes(channel, &begin, sizeof begin) && channel_add_bytes(channel, head, head_size);
}

bool channel_send(struct channel *channel, enum channel_kind kind, const void *head, size_t head_size,
		  const void *bytes, uint64_t size)
{
	return channel_begin_message(channel, kind, head, head_size, size) && channel_add_bytes(channel, bytes, size) &&
	       (kind == CHANNEL_ITEM || kind == CHANNEL_WARNING || channel_flush(channel));
}

bool channel_send_file(struct channel *channel, const struct rossym_debug_file *file)
{
	struct channel_given head = { .size = CHANNEL_NO_FILE };
	if (!file)
		return channel_send(channel, CHANNEL_GIVE, &head, sizeof head, NULL, 0);
	head.size = file->bytes_size;
	head.path_length = (uint32_t)strlen(file->path);
	head.is_open = file->fd >= 0;
	const uint64_t bytes = head.is_open ? 0 : file->bytes_size;
	return channel_begin_message(channel, CHANNEL_GIVE, &head, sizeof head, head.path_length + bytes) &&
	       channel_add_bytes(channel, file->path, head.path_length) &&
	       channel_add_bytes(channel, file->bytes, bytes) && channel_flush(channel);
}

/* ------------------------------------------------------------------------------------------------ receiving */

/* Receive up to SIZE bytes, at least one.  Returns how many; 0: an error, the deadline, or the end of the worker. */
static size_t receive_some_bytes(struct channel *channel, void *bytes, size_t size)
{
	if (!channel->in_worker && !wait_until_ready(channel, channel->pipes.from, WAIT_TO_READ))
		return 0;
	const ssize_t n = wait_read(channel->pipes.from, bytes, size);
	if (channel->in_worker && n <= 0)
		_exit(n < 0 ? 1 : 0);
	return n < 0 ? 0 : (size_t)n;
}

bool channel_has_unread(struct channel *channel)
{
	/* After the worker has ended, its pipe is also ready, but then receive_some_bytes() returns 0. */
	return channel->begin < channel->end ||
	       (wait_is_ready(channel->pipes.from) && receive_some_bytes(channel, channel->in, 1) > 0);
}

bool channel_receive(struct channel *channel, void *bytes, uint64_t size)
{
	char *to = bytes;
	while (size > 0) {
		size_t n = channel->end - channel->begin;
		if (n > size)
			n = (size_t)size;
		memcpy(to, channel->in + channel->begin, n);
		channel->begin += n;
		/* Read a large rest, such as a file's content, directly into TO, and a small one through the buffer. */
		if (n == 0 && size >= sizeof channel->in) {
			n = receive_some_bytes(channel, to, (size_t)size);
			if (n == 0)
				return false;
		} else if (n == 0) {
			channel->begin = 0;
			channel->end = receive_some_bytes(channel, channel->in, sizeof channel->in);
			if (channel->end == 0)
				return false;
		}
		to += n;
		size -= n;
	}
	return true;
}

/* --------------------------------------------------------------------------- functions that only workers call */

void channel_open(struct channel *channel, size_t count)
{
	memset(channel, 0, sizeof *channel);
	channel->pipes = (struct pipes){ .to = PROCESS_FIRST_FILE, .read_end = -1, .from = PROCESS_FIRST_FILE + 1 };
	channel->in_worker = true;
	channel->next_file = PROCESS_FIRST_FILE + CHANNEL_PIPES;
	channel->files_end = PROCESS_FIRST_FILE + (int)count;
}

int channel_take_file(struct channel *channel)
{
	return channel->next_file < channel->files_end ? channel->next_file++ : -1;
}

size_t channel_receive_head(struct channel *channel, enum channel_kind kind, void *head, size_t head_size)
{
	struct channel_head begin;
	channel_receive(channel, &begin, sizeof begin);
	if (begin.kind != (uint32_t)kind || begin.length < head_size || begin.length > SIZE_MAX)
		_exit(1);
	channel_receive(channel, head, head_size);
	return (size_t)begin.length - head_size;
}

void *channel_receive_bytes(struct channel *channel, uint64_t size)
{
	char *bytes = size < SIZE_MAX ? malloc((size_t)size + 1) : NULL;
	if (!bytes)
		_exit(1);
	channel_receive(channel, bytes, size);
	bytes[size] = '\0';
	return bytes;
}

bool channel_receive_file(struct channel *channel, struct rossym_debug_file *file)
{
	struct channel_given head;
	const size_t size = channel_receive_head(channel, CHANNEL_GIVE, &head, sizeof head);
	if (head.size == CHANNEL_NO_FILE)
		return false;
	const int fd = head.is_open ? channel_take_file(channel) : -1;
	if (head.path_length > size || (head.is_open && fd < 0))
		_exit(1);
	*file = (struct rossym_debug_file){ .path = channel_receive_bytes(channel, head.path_length),
					    .bytes_size = (size_t)head.size,
					    .fd = fd };
	if (!head.is_open)
		file->bytes = channel_receive_bytes(channel, size - head.path_length);
	return true;
}

static uint32_t limit_text_length(const char *text)
{
	const size_t length = text ? strlen(text) : 0;
	return length < CHANNEL_TEXT_LENGTH_MAX ? (uint32_t)length : CHANNEL_TEXT_LENGTH_MAX;
}

void channel_send_warning(void *channel, const struct rossym_warning *warning)
{
	const struct channel_warning head = { .path_length = limit_text_length(warning->path),
					      .sys_errno = warning->sys_errno };
	const uint32_t length = limit_text_length(warning->what);
	channel_begin_message(channel, CHANNEL_WARNING, &head, sizeof head, head.path_length + (uint64_t)length);
	channel_add_bytes(channel, warning->path, head.path_length);
	channel_add_bytes(channel, warning->what, length);
}

#endif

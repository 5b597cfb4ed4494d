/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * channel.h - messages between the program and a worker, a process that reads untrusted bytes for it (worker.h)
 *
 * Each message begins with its kind and its length.  A structure follows, which depends on the kind and on the job of
 * the worker, and then bytes.
 *
 *	GIVE		from the program: struct channel_given, the path of a file, its bytes unless the worker has a descriptor
 *	REQUEST		from the program: what the worker is to do
 *	REPLY		from the program: the answer to a question
 *	ITEM		one of many results of a request
 *	QUESTION	the worker waits for REPLY, or for GIVE if it wants a file
 *	WARNING		struct channel_warning, the path of a file, the text
 *	ERROR		struct rossym_error: why there is no answer
 *	ANSWER		the result of a request
 *
 * For each request a worker sends any number of ITEM, QUESTION and WARNING, and last either ERROR or ANSWER.  Both
 * processes run the same program, so structures are sent as they are in memory.  The sender zeroes each structure
 * first, so that the padding does not contain other data of its memory.
 *
 * The program checks each message before it stores anything (worker.c).  A worker trusts the program, and exits when
 * the program has closed the channel.
 */
#ifndef TOOL_PROCESS_CHANNEL_H
#define TOOL_PROCESS_CHANNEL_H

#include "rossym.h"
#include "tool/process/process.h"

enum channel_kind {
	CHANNEL_GIVE = 1,
	CHANNEL_REQUEST,
	CHANNEL_REPLY,
	CHANNEL_ITEM,
	CHANNEL_QUESTION,
	CHANNEL_WARNING,
	CHANNEL_ERROR,
	CHANNEL_ANSWER
};

struct channel_head {
	uint64_t length; /* how many bytes follow this head */
	uint32_t kind;
	uint32_t zero; /* padding */
};

struct channel_given {
	uint64_t size; /* CHANNEL_NO_FILE: there is none */
	uint32_t path_length;
	uint32_t is_open; /* 1: it is the next of the worker's files (channel_take_file()) */
};

#define CHANNEL_NO_FILE UINT64_MAX

struct channel_warning {
	uint32_t path_length; /* 0: no file is named */
	int32_t sys_errno;
};

/* CHANNEL_TEXT_LENGTH_MAX: a path or a text in a message has at most so many bytes; longer ones are cut.
   CHANNEL_MESSAGE_SIZE_MAX: a message has at most so many bytes, unless its receiver allocates memory for all of it. */
enum { CHANNEL_TEXT_LENGTH_MAX = 4096, CHANNEL_MESSAGE_SIZE_MAX = 12288 };

/* One end of a channel.  A worker may never answer or end: it may be stopped, or a hostile file may have taken it over.  So
   in the program, sending and receiving end when the deadline has passed. */
struct channel {
	struct pipes pipes; /* the pipes to the other process */
	bool late;	    /* the deadline has passed in the last send or receive */
	int64_t deadline;   /* ms, by wait_clock_milliseconds() */
	bool in_worker;
	int next_file, files_end; /* in a worker: the descriptors of its files that have not been taken yet */
	uint32_t warnings,
		warned_bytes; /* in the program: how many warnings there were, and the bytes of their texts */
	size_t begin, end;    /* the bytes in IN that were received, and not used yet */
	size_t used;	      /* bytes of OUT that have not been sent yet */
	union {
		uint64_t alignment;
		char bytes[CHANNEL_MESSAGE_SIZE_MAX + 1]; /* with room for a NUL */
	} message;					  /* in the program: the message that is being handled */
	char in[1 << 16], out[1 << 14];
};

/* In the program: set the deadline to MS milliseconds from now.  If this process is stopped for more than about a second,
   sending and receiving extend the deadline by that time, because Ctrl+Z also stops the worker, which is in the same
   process group. */
void channel_set_deadline(struct channel *channel, int64_t ms);

/* In the program: returns the milliseconds until the deadline; 0: it has passed. */
int64_t channel_time_left(const struct channel *channel);

/* In the program: whether the worker has sent something that was not received. */
bool channel_has_unread(struct channel *channel);

/* The functions from here to channel_receive() return false if the other process has ended, is late, or has sent
   something unasked; in a worker they exit instead. */

/* Send a message: a structure, and SIZE bytes.  ITEM and WARNING stay in a buffer until another message is sent. */
bool channel_send(struct channel *channel, enum channel_kind kind, const void *head, size_t head_size,
		  const void *bytes, uint64_t size);

/* Send a message in pieces: channel_begin_message() sends its head, and says how many bytes will follow; channel_add_bytes() sends
   these bytes, in any number of calls; channel_flush() sends what is still in the buffer. */
bool channel_begin_message(struct channel *channel, enum channel_kind kind, const void *head, size_t head_size,
			   uint64_t size);
bool channel_add_bytes(struct channel *channel, const void *bytes, uint64_t size);
bool channel_flush(struct channel *channel);

/* Send a file for the worker: an open one if it has a descriptor, which the worker was started with; else its bytes.  FILE
   may be NULL: there is none. */
bool channel_send_file(struct channel *channel, const struct rossym_debug_file *file);

/* Receive SIZE bytes. */
bool channel_receive(struct channel *channel, void *bytes, uint64_t size);

/* --------------------------------------------------------------------------- functions that only workers call */

/* The files of a worker, when it is forked (process_fork()): the end of the pipe to which it writes, the end from which it
   reads, and those of its job, at most CHANNEL_FILES_MAX. */
enum { CHANNEL_PIPES = 2, CHANNEL_FILES_MAX = 16 };

/* Open the end of the channel in the worker, which was forked with COUNT files, the pipes included. */
void channel_open(struct channel *channel, size_t count);

/* Returns the next of the files of the worker's job; -1: there are no more. */
int channel_take_file(struct channel *channel);

/* Receive the head of a message of this KIND, and its structure.  Returns how many bytes follow, for
   channel_receive(). */
size_t channel_receive_head(struct channel *channel, enum channel_kind kind, void *head, size_t head_size);

/* Receive the SIZE bytes of a message into memory that is never freed.  A NUL follows them. */
void *channel_receive_bytes(struct channel *channel, uint64_t size);

/* Receive a file, whose path and bytes are never freed.  False: there is none. */
bool channel_receive_file(struct channel *channel, struct rossym_debug_file *file);

/* Send WARNING.  The library calls this for its warnings (rossym.h).  It limits their number, so the program accepts them
   all (worker.c). */
void channel_warn(void *channel, const struct rossym_warning *warning);

#endif

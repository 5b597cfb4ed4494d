/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * channel.h - messages between the program and a worker, a process that reads untrusted bytes for it (worker.h)
 *
 * Each message begins with its kind and its length.  A structure follows, which depends on the kind and on the job of
 * the worker, and then bytes.
 *
 *	GIVE		to the worker: struct channel_given, a file's path, and its bytes unless the worker has it open
 *	REQUEST		to the worker: what it is to do
 *	REPLY		to the worker: the answer to its question
 *	ITEM		to the program: one of many results of a request
 *	QUESTION	to the program: after it, the worker waits for REPLY, or for GIVE if it needs a file
 *	WARNING		to the program: struct channel_warning, the path of a file, the text
 *	ERROR		to the program: struct rossym_error, the reason why there is no answer
 *	ANSWER		to the program: the result of a request
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
	uint64_t size; /* the size of the file in bytes; CHANNEL_NO_FILE: there is no file */
	uint32_t path_length;
	uint32_t is_open; /* 1: the worker has the file open; channel_take_file() returns it; 0: its bytes follow */
};

#define CHANNEL_NO_FILE UINT64_MAX

struct channel_warning {
	uint32_t path_length; /* 0: no file is named */
	int32_t sys_errno;
};

/* CHANNEL_TEXT_LENGTH_MAX: the most bytes of a path or a text in a message; channel_send_warning() cuts longer ones.
   CHANNEL_MESSAGE_SIZE_MAX: the most bytes of a message, unless its receiver allocates memory for all of it. */
enum { CHANNEL_TEXT_LENGTH_MAX = 4096, CHANNEL_MESSAGE_SIZE_MAX = 12288 };

/* One end of a channel.  A worker may never answer or end: it may be stopped, or a malicious file may control it.  So
   in the program, sending and receiving end when the deadline has passed. */
struct channel {
	struct pipes pipes; /* the pipes to and from the other process */
	bool late;	    /* the last send or receive has failed because the deadline has passed */
	int64_t deadline;   /* ms, by wait_clock_milliseconds() */
	bool in_worker;
	int next_file, files_end; /* in a worker: the descriptors that channel_take_file() has not returned yet */
	uint32_t warnings,
		warned_bytes; /* in the program: how many warnings there were, and the bytes of their texts */
	size_t begin, end;    /* the bytes in `in` that were received, but not yet returned by channel_receive() */
	size_t used;	      /* how many bytes of `out` have not been sent yet */
	union {
		uint64_t alignment;
		char bytes[CHANNEL_MESSAGE_SIZE_MAX + 1]; /* with room for a NUL */
	} message;					  /* in the program: the message that is being handled */
	char in[1 << 16], out[1 << 14];
};

/* In the program: set the deadline to MS milliseconds from now.  If this process is stopped for more than about a
   second, sending and receiving extend the deadline by that time, because Ctrl+Z stops the worker, too: it is in the
   same process group. */
void channel_set_deadline(struct channel *channel, int64_t ms);

/* In the program: whether the worker has sent bytes that channel_receive() has not returned yet. */
bool channel_has_unread(struct channel *channel);

/* The functions from here to channel_receive() return false if the other process has ended, if the deadline has passed,
   or, while they send, if the worker sends something; in a worker they exit instead. */

/* Send a message of KIND: the structure HEAD, and the SIZE bytes at BYTES.  ITEM and WARNING stay in a buffer until
   another kind is sent. */
bool channel_send(struct channel *channel, enum channel_kind kind, const void *head, size_t head_size,
		  const void *bytes, uint64_t size);

/* Send a message in pieces: channel_begin_message() sends its structure and SIZE, how many bytes will follow;
   channel_add_bytes() sends these, in any number of calls; channel_flush() sends the rest of the buffer. */
bool channel_begin_message(struct channel *channel, enum channel_kind kind, const void *head, size_t head_size,
			   uint64_t size);
bool channel_add_bytes(struct channel *channel, const void *bytes, uint64_t size);
bool channel_flush(struct channel *channel);

/* Send FILE to the worker.  If FILE has a descriptor, the worker was started with it, so send only the path; else send
   the bytes, too.  If FILE is NULL, send that there is no file. */
bool channel_send_file(struct channel *channel, const struct rossym_debug_file *file);

/* Receive SIZE bytes. */
bool channel_receive(struct channel *channel, void *bytes, uint64_t size);

/* --------------------------------------------------------------------------- functions that only workers call */

/* The descriptors of a worker when it is forked (process_fork()) are CHANNEL_PIPES ends of pipes, to write to and to
   read from, and then those of the files of its job, at most CHANNEL_FILES_MAX. */
enum { CHANNEL_PIPES = 2, CHANNEL_FILES_MAX = 16 };

/* Open the worker's end of the channel.  COUNT: how many files it was forked with, its pipes included. */
void channel_open(struct channel *channel, size_t count);

/* Returns the descriptor of the next file of the worker's job; -1: there are no more. */
int channel_take_file(struct channel *channel);

/* Receive the head of a message, which must be of this KIND, and its structure, of HEAD_SIZE bytes.  Returns how many
   bytes of the message follow. */
size_t channel_receive_head(struct channel *channel, enum channel_kind kind, void *head, size_t head_size);

/* Receive the SIZE bytes of a message into memory that is never freed.  A NUL follows them. */
void *channel_receive_bytes(struct channel *channel, uint64_t size);

/* Receive a file, whose path and bytes are never freed.  Returns false if there is no file. */
bool channel_receive_file(struct channel *channel, struct rossym_debug_file *file);

/* Send WARNING.  The library calls this for its warnings (rossym.h), and limits their number to what the program
   accepts (worker.c). */
void channel_send_warning(void *channel, const struct rossym_warning *warning);

#endif

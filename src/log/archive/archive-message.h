/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archive-message.h - the messages between the program and a child that reads an archive
 *
 * The program sends a request; the child sends any number of replies, the last of which is REPLY_END.  Both processes
 * run the same program, so structures are sent as they are in memory.  The sender zeroes each first, so that padding
 * does not leak its memory.
 */
#ifndef LOG_ARCHIVE_ARCHIVE_MESSAGE_H
#define LOG_ARCHIVE_ARCHIVE_MESSAGE_H

#include "log/archive/archive.h"

#include <stdint.h>

enum request { REQUEST_LIST = 1, REQUEST_READ };

struct archive_request {
	uint32_t kind;
	uint32_t most; /* REQUEST_LIST: list at most so many archives */
	/* REQUEST_READ: how many struct archive_node follow, for a child that has neither listed nor received them;
	   else 0 */
	uint32_t nodes;
	struct archives_place place; /* REQUEST_READ */
	uint64_t room;		     /* REQUEST_READ: the limit for archive_held() */
	int64_t bytes, steps;	     /* what is left of the budget */
};

enum reply {
	REPLY_FILE = 1, /* struct reply_file, then the name; one such reply for each file of a list */
	/* uint64_t, the limit for archive_held() that the child wants; the program sends back the new limit */
	REPLY_ROOM,
	REPLY_TAKEN,   /* struct reply_taken: work that the program takes from the budget */
	REPLY_CONTENT, /* uint64_t, the size of the file; then its bytes */
	REPLY_END,     /* struct reply_end; after a list, each struct archive_node follows */
};

struct reply_file {
	struct archives_place place;
	uint32_t length; /* bytes of the name */
};

struct reply_taken {
	uint64_t bytes, steps;
};

struct reply_end {
	uint32_t failed;      /* 1: an error */
	uint32_t over_budget; /* 1: the error is that the budget is used up (struct archives_error) */
	uint32_t nodes;	      /* how many struct archive_node follow */
	uint64_t held;	      /* archive_held() */
	char what[sizeof((struct archives_error *)0)->what];
};

/* A child reports its work as soon as it is this much, and before each REPLY_CONTENT and REPLY_END.  A child whose
   results cost more than the work that it has reported plus this much is lying. */
enum { UNREPORTED_BYTES = 16 << 20, UNREPORTED_STEPS = 4096 };

#endif

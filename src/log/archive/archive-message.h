/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * archive-message.h - what the program and a child that reads an archive tell each other
 *
 * The program sends a request; the child sends any number of replies, the last of which is REPLY_END.  Both processes
 * run the same program, so structures are sent as they are.  Each is zeroed first, so that no byte of memory goes
 * with it.
 */
#ifndef LOG_ARCHIVE_ARCHIVE_MESSAGE_H
#define LOG_ARCHIVE_ARCHIVE_MESSAGE_H

#include "log/archive/archive.h"

#include <stdint.h>

enum request { REQUEST_LIST = 1, REQUEST_READ };

struct archive_request {
	uint32_t kind;
	uint32_t most; /* REQUEST_LIST: how many archives there may be */
	/* REQUEST_READ: so many struct holder follow, if the child has not listed the archive itself */
	uint32_t holders;
	struct archives_place place; /* REQUEST_READ */
	uint64_t room;		     /* how many bytes may be in the child's memory */
	int64_t bytes, steps;	     /* the budget */
};

enum reply {
	REPLY_FILE = 1, /* struct reply_file, the name: for each file of a list */
	/* uint64_t, how many bytes are wanted in memory; the program sends back a uint64_t, how many may be */
	REPLY_ROOM,
	REPLY_TAKEN,   /* struct reply_taken: to be taken from the budget */
	REPLY_CONTENT, /* uint64_t, the size; the bytes of a file */
	REPLY_END,     /* struct reply_end; after a list, its struct holders */
};

struct reply_file {
	struct archives_place place;
	uint32_t length; /* of the name */
};

struct reply_taken {
	uint64_t bytes, steps;
};

struct reply_end {
	uint32_t failed;      /* 1: an error */
	uint32_t over_budget; /* 1: of this kind (struct archives_error) */
	uint32_t holders;     /* how many follow */
	uint64_t held;	      /* bytes that stay in the child's memory */
	char what[sizeof((struct archives_error *)0)->what];
};

/* What a child may have taken from the budget before it tells.  So the program knows when it has received more than was
   paid for. */
enum { UNTOLD_BYTES = 16 << 20, UNTOLD_STEPS = 4096 };

#endif

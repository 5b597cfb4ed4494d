/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump-message.h - what the program and a child that reads a dump tell each other
 *
 * The child sends questions, each of which the program answers; the last message is DUMP_DONE.  Both are the same
 * program, so structures are sent as they are.  Each is zeroed first, so that no byte of memory goes with it.
 */
#ifndef LOG_DUMPS_DUMP_MESSAGE_H
#define LOG_DUMPS_DUMP_MESSAGE_H

#include "dump/images.h"

enum dump_question_kind {
	DUMP_FIND = 1, /* struct dump_module follows */
	DUMP_SECTION,
	DUMP_PDB,  /* find the PDB file number `rva` of the image */
	DUMP_READ, /* its answer is followed by the bytes, if it is good */
	DUMP_DONE, /* struct dump_answer follows, then the report and the problems; no answer */
};

enum { DUMP_SECTION_NAME = 16 };

struct dump_question {
	uint32_t kind, number;
	uint32_t rva, size;		 /* DUMP_READ */
	char section[DUMP_SECTION_NAME]; /* DUMP_SECTION */
};

struct dump_reply {
	uint32_t good;
	uint32_t rva, size;	 /* DUMP_SECTION */
	uint64_t base;		 /* DUMP_FIND */
	uint8_t guid[DUMP_GUID]; /* DUMP_PDB */
};

struct dump_answer {
	uint64_t report, problems; /* how long they are */
	uint32_t count;		   /* of problems */
	uint32_t good;		   /* there is a report */
};

#endif

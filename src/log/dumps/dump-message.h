/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump-message.h - the messages between the program and a child that reads a dump
 *
 * The child sends questions about images, and the program answers each.  The last message is DUMP_DONE, with the
 * report.  Both processes run the same program, so structures are sent as they are in memory.  The sender zeroes each
 * first, so that padding does not leak its memory.
 */
#ifndef LOG_DUMPS_DUMP_MESSAGE_H
#define LOG_DUMPS_DUMP_MESSAGE_H

#include "dump/images.h"

enum dump_question_kind {
	DUMP_FIND = 1, /* find the image of a module; struct dump_module follows */
	DUMP_SECTION,  /* where is this section of the image? */
	DUMP_PDB,      /* find a PDB file of the image: the candidate with the number in `rva` */
	DUMP_READ,     /* read bytes of the image; they follow the reply if its `good` is 1 */
	DUMP_DONE,     /* struct dump_answer follows, then the report and the problems; the program sends no answer */
};

enum { DUMP_SECTION_NAME = 16 };

struct dump_question {
	uint32_t kind;			 /* enum dump_question_kind */
	uint32_t number;		 /* the module's number; for DUMP_READ of its PDB file, plus DUMP_IMAGES */
	uint32_t rva, size;		 /* DUMP_READ: which bytes; of a PDB file, RVA is a file offset */
	char section[DUMP_SECTION_NAME]; /* DUMP_SECTION: the name of the section */
};

struct dump_reply {
	uint32_t good;		 /* 1: what was asked for is there */
	uint32_t rva, size;	 /* DUMP_SECTION: where the section is */
	uint64_t base;		 /* DUMP_FIND: the image base */
	uint64_t file_size;	 /* DUMP_PDB: bytes of the PDB file */
	uint8_t guid[DUMP_GUID]; /* DUMP_PDB: the GUID that the file must have */
};

struct dump_answer {
	uint64_t report, problems; /* bytes of the two texts that follow */
	uint32_t count;		   /* how many problems there were; the text has the first REPORT_PROBLEMS */
	uint32_t good;		   /* 1: there is a report; 0: the dump cannot be read */
};

#endif

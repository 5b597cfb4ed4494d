/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dumps.h - crash dumps as logs: makes a text report of each (report/report.h), which is then read as a log
 *
 * Dumps are untrusted, as archives are, so a worker (tool/process/worker.h) makes the report.  It asks this program for
 * the images of modules (dump-images.h).  A worker's report is used only if it is complete, and trusted no more than
 * any log.  Without fork() there is no worker, and this program reads the dump itself.
 */
#ifndef LOG_DUMPS_DUMPS_H
#define LOG_DUMPS_DUMPS_H

#include "dump/images.h"
#include "log/archive/origin.h"
#include "tool/process/worker.h"
#include "tool/strbuf.h"

#include <stdbool.h>

/* Whether FD is a regular file that begins like a dump, and is positioned at its beginning. */
bool dumps_is_dump(int fd);

/* Append the report of DUMP, a file or memory, to REPORT.  NAME is for messages; IMAGES: the source of code and data
   that the dump lacks.  Returns false if there is no report, after a message.  *WHOLE becomes true if the dump has no
   damage; else messages name the damage. */
bool dumps_make_report(struct worker_table *workers, const struct origin *dump, const char *name,
		       const struct dump_image_source *images, struct strbuf *report, bool *whole);

/* Run in the worker (worker_table_start()): drop all privileges, and make the report of the dump in the first
   file of CHANNEL, or of the dump whose bytes the request has. */
void dump_serve_request(struct channel *channel);

/* --------------------------------------------------------------- messages between the program and a worker */

/* What a worker asks while it makes the report.  Before its questions it gets one request: with the bytes of the dump,
   unless the worker has the file of the dump.  Its answer to the request is struct dump_answer. */
enum dump_question_kind {
	DUMP_FIND = 1, /* find the image of a module, which follows as struct dump_module */
	DUMP_SECTION,  /* find the image's section with the name that is in `section` */
	DUMP_PDB,      /* find a PDB file of the image: the candidate with the number in `rva` */
	DUMP_READ,     /* read bytes of the image, which follow the reply if there are any */
};

enum { DUMP_SECTION_NAME = 16 };

struct dump_question {
	uint32_t kind;			 /* enum dump_question_kind */
	uint32_t number;		 /* the module's number; for DUMP_READ of its PDB file, plus DUMP_IMAGES */
	uint32_t rva, size;		 /* DUMP_READ: which bytes; in a PDB file, `rva` is a file offset */
	char section[DUMP_SECTION_NAME]; /* DUMP_SECTION: the name of the section, with a NUL */
};

struct dump_reply {
	uint32_t good;		 /* 1: what was asked for was found */
	uint32_t rva, size;	 /* DUMP_SECTION: where the section is */
	uint64_t base;		 /* DUMP_FIND: the image base */
	uint64_t file_size;	 /* DUMP_PDB: bytes of the PDB file */
	uint8_t guid[DUMP_GUID]; /* DUMP_PDB: the GUID that the file must have */
};

struct dump_answer {
	uint64_t report, problems; /* bytes of the two texts that follow, in this order */
	uint32_t count;		   /* how many problems the dump has; the text has the first REPORT_PROBLEMS */
	uint32_t good;		   /* 1: there is a report; 0: the dump cannot be read */
};

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * image-worker.h - reads the debug information of an image, in a worker (tool/process/worker.h) or in this process
 *
 * A malicious image may control the worker process that reads it.  But a worker gets requests for one image only, so it
 * can give wrong answers about that image only.
 */
#ifndef LOG_FIND_IMAGE_WORKER_H
#define LOG_FIND_IMAGE_WORKER_H

#include "rossym.h"
#include "tool/process/channel.h"
#include "tool/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IMAGE_FILES_MAX = 8 };

/* --------------------------------------------------------------- messages between the program and a worker */

struct image_request {
	uint64_t input; /* the size of all files in bytes, on which the worker's limits depend */
	uint64_t rva;	/* the address to look up; or IMAGE_EVERYTHING: the answer is a table of all addresses */
	uint32_t files; /* the number of files.  The worker first asks for all of them; number 0 is the image */
	uint32_t zero;	/* padding */
};

#define IMAGE_EVERYTHING UINT64_MAX

/* A question, with which a worker asks for a file.  The program answers with CHANNEL_GIVE (channel.h). */
struct image_question {
	uint32_t is_split; /* 1: a file with split DWARF, whose name follows; 0: one of the image's files */
	uint32_t number;   /* number of the file, from 0, among the files with that name or the image's files */
};

/* An answer.  After it comes the table of all addresses; or the frames, the innermost first: for each a struct
   image_frame, and the strings function and file, each with a NUL, and empty if it is not known. */
struct image_answer {
	uint32_t frames; /* how many frames follow; 0: nothing is known, or a table follows */
	uint32_t origin; /* the number of the file with the debug information */
};

struct image_frame {
	uint32_t line, row_rva;
};

/* -------------------------------------------------------------------------- reading the debug information */

/* An image whose debug information is read. */
struct image_reading {
	struct rossym_debug_file files[IMAGE_FILES_MAX]; /* the first is the image, the others are its debug files */
	size_t count;
	void (*warn)(void *context, const struct rossym_warning *warning);
	/* the function `find_split` of struct rossym_open_options */
	int (*find_split)(void *context, const char *name, size_t number, struct rossym_debug_file *file);
	void *context;
	uint32_t origin;	    /* the number of the file that answers are from if the image has a table */
	struct rossym_image *image; /* NULL: it could not be opened */
	struct rossym_error error;  /* why it could not be opened, or has no symbols */
	bool useless;		    /* a warning has said that the image has no symbols */
};

/* Open the image with its debug information, for look-ups by one thread.  FLAGS: more flags of struct
   rossym_open_options.  If opening fails, each image_reading_look_up() will say why. */
void image_reading_open(struct image_reading *reading, unsigned flags);

/* Look up RVA, which may be IMAGE_EVERYTHING.  Store the answer in *ANSWER, and append to BYTES the bytes that follow
   the answer in the message.  Returns false with the reason in reading->error. */
bool image_reading_look_up(struct image_reading *reading, uint64_t rva, struct image_answer *answer,
			   struct strbuf *bytes);

/* What a worker does, for worker_table_start(): reads the image that the first request names, and answers requests. */
void image_serve_requests(struct channel *channel);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * image-child.h - asks a child that reads the debug information of an image, and checks what it says
 *
 * A child reads one image, and gets the requests for that image alone.  So a hostile image that takes over its child
 * can give wrong answers about itself only.
 */
#ifndef LOG_FIND_IMAGE_CHILD_H
#define LOG_FIND_IMAGE_CHILD_H

#include "rossym.h"
#include "tool/process/forkserver.h"

/* The job of such a child, for forkserver_fork(); that of archives and dumps is 0. */
enum { JOB_IMAGE = 1 };

/* A file for a child: an open one, or its bytes. */
struct image_source {
	const char *path;
	int fd;		   /* -1: the bytes */
	const void *bytes; /* SIZE bytes */
	uint64_t size;
};

/* What the program does for a child. */
struct image_host {
	/* Find file NUMBER of those with split DWARF that are called NAME, which a stranger has chosen.  Returns false if
	   there are not so many.  The child is asked for nothing else until release() has been called. */
	bool (*find_split)(void *context, const char *name, uint32_t number, struct image_source *file);
	void (*release)(void *context);
	/* Show a warning about the file PATH; NULL: the image.  NUMBER is an errno, or 0. */
	void (*warn)(void *context, const char *path, const char *text, int number);
	void *context;
};

/* A child.  All zeros: there is none. */
struct image_child {
	bool running;
	struct forkserver *server;
	unsigned slot;
	struct pipes pipes;
	uint64_t size;			/* bytes of all its files */
	uint64_t left;			/* bytes that the child may still send for this request */
	uint32_t wants;			/* how many more files it may ask for */
	size_t warnings, warning_bytes; /* how many more warnings are shown, and their bytes */
	bool strange;			/* what it has sent is no answer */
};

/* The answer to a request. */
struct image_answer {
	void *table; /* SIZE bytes, to be freed; NULL: there is none */
	size_t size;
	bool whole;
	uint32_t origin; /* the number of the file with the debug information: 0 is the image */
	/* why there is no table: ROSSYM_ENOSYMS if no symbols were found, another code if the child has failed */
	struct rossym_error error;
};

/* Start a child in SLOT of SERVER, and send it the COUNT FILES, of which the first is the image.  Returns false, with the
   reason in *ERR, if that fails. */
bool image_child_start(struct image_child *child, struct forkserver *server, unsigned slot,
		       const struct image_source *files, size_t count, struct rossym_error *err);

/* Get a table for the COUNT addresses RVAS, or for everything if RVAS is NULL.  If the child fails, it ends. */
void image_child_ask(struct image_child *child, const struct image_host *host, const uint32_t *rvas, size_t count,
		     struct image_answer *answer);

/* End the child, if it runs. */
void image_child_end(struct image_child *child);

#endif

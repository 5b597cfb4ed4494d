/* SPDX-License-Identifier: GPL-2.0-or-later */
/* received.h - receives requests that another program sends to rossym-embed --serve (tool/process/tables.h) */
#ifndef EMBED_RECEIVED_H
#define EMBED_RECEIVED_H

#include "debuginfo/read-rows.h"
#include "tool/process/tables.h"

struct file_list {
	struct debuginfo_file *items;
	uint32_t count;
};

/* A request.  received_free() frees all its memory. */
struct received {
	struct tables_question question;
	struct debuginfo_file image;  /* valid if question.has_image */
	struct file_list files, dwos; /* .dwo and .dwp files are sorted by the last part of their paths */
	uint32_t *rvas;		      /* an array of question.rva_count RVAs */
};

enum received_result {
	RECEIVED,
	RECEIVED_END, /* there is no further request: standard input has ended, or cannot be read */
	RECEIVED_BAD, /* the request is not valid or not complete, or there is no memory */
};

/* Receive a request on standard input into *RECEIVED.  Call received_free() in each case. */
enum received_result received_read(struct received *received);

/* Free the bytes of all files.  Their paths and sizes stay. */
void received_free_bytes(struct received *received);

void received_free(struct received *received);

#endif

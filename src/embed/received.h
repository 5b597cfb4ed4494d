/* SPDX-License-Identifier: GPL-2.0-or-later */
/* received.h - a request that another program sends to rossym-embed --serve (tool/process/tables.h), as it
   was received */
#ifndef EMBED_RECEIVED_H
#define EMBED_RECEIVED_H

#include "debuginfo/read-rows.h"
#include "tool/process/tables.h"

struct file_list {
	struct debuginfo_file *items;
	uint32_t count;
};

/* It owns all its bytes. */
struct received {
	struct tables_question question;
	struct debuginfo_file image;
	struct file_list files, dwos; /* .dwo files are sorted, the others keep their order */
	uint32_t *rvas;
};

enum received_result {
	RECEIVED,
	RECEIVED_END, /* standard input has ended */
	RECEIVED_BAD, /* what came is no request, or there is no memory */
};

/* Receive a request on standard input into *RECEIVED.  Give it to received_free() in each case. */
enum received_result received_read(struct received *received);

/* Free the bytes of the files.  Their names and sizes stay. */
void received_free_bytes(struct received *received);

void received_free(struct received *received);

#endif

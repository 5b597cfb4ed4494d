/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * msf.h - MSF, the container that a PDB file is: a file of blocks, in which numbered streams lie in pieces
 *
 * The file can be a mapping, which changes while it is read if another program writes to the file.  So bytes are copied
 * before they are looked at, each once, and no more of them than are needed.
 */
#ifndef DEBUGINFO_PDB_MSF_H
#define DEBUGINFO_PDB_MSF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct msf_stream {	      /* {0} = released */
	const uint8_t *bytes; /* not NULL, even if there are none */
	uint32_t size;
	uint8_t *copy; /* BYTES, if there are any */
};

struct msf {
	const uint8_t *bytes; /* the file */
	uint32_t block_size, block_count;
	uint8_t *list;		     /* the numbers of the directory's blocks */
	struct msf_stream directory; /* numbers: how many streams there are, the size of each, the blocks of each */
	uint32_t stream_count;
	uint32_t *starts; /* for each stream: the index in the directory of the number of its first block */
};

enum msf_outcome { MSF_OK, MSF_BAD, MSF_NO_MEMORY };

/* What is wrong with a file, for MSF_BAD. */
struct msf_fault {
	const char *what;
	uint64_t offset; /* in the file */
};

/* Open the container that is SIZE bytes at BYTES, which must stay until msf_close().  After a failure, nothing needs to
   be closed. */
enum msf_outcome msf_open(struct msf *msf, const uint8_t *bytes, uint64_t size, struct msf_fault *fault);
void msf_close(struct msf *msf);

/* Whether there is a stream of this number. */
bool msf_has(const struct msf *msf, uint32_t number);

/* The size of stream NUMBER; 0 if there is no such stream. */
uint32_t msf_size(const struct msf *msf, uint32_t number);

/* Copy SIZE bytes from OFFSET of stream NUMBER to TO.  False if the stream does not have them. */
bool msf_read(const struct msf *msf, uint32_t number, uint32_t offset, void *to, uint32_t size);

/* Get all bytes of stream NUMBER, which is empty if there is no such stream.  The caller ends its use with
   msf_release(), also after a failure. */
enum msf_outcome msf_stream(const struct msf *msf, uint32_t number, struct msf_stream *ret, struct msf_fault *fault);
void msf_release(struct msf_stream *stream);

#endif

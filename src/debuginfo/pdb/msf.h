/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * msf.h - MSF, the container format of PDB files: numbered streams, which are cut into the blocks of the file
 *
 * The bytes can be a mapping of a file that another program writes to at the same time.  So bytes are copied once
 * before they are used, and no more of them than are needed.
 */
#ifndef DEBUGINFO_PDB_MSF_H
#define DEBUGINFO_PDB_MSF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct msf_stream {	      /* all zeros: released */
	const uint8_t *bytes; /* not NULL, even if SIZE is 0 */
	uint32_t size;
	uint8_t *copy; /* BYTES, to be freed; NULL if SIZE is 0 */
};

struct msf {
	const uint8_t *bytes; /* the file */
	uint32_t block_size, block_count;
	uint8_t *list;		     /* block numbers of the directory */
	struct msf_stream directory; /* words: the number of streams, the size of each, the block numbers of each */
	uint32_t stream_count;
	uint32_t *starts; /* for each stream, the index in the directory of its first block number */
};

enum msf_outcome { MSF_OK, MSF_BAD, MSF_NO_MEMORY };

/* What is wrong with a file, for MSF_BAD. */
struct msf_fault {
	const char *what;
	uint64_t offset; /* in the file */
};

/* Open the container that is SIZE bytes at BYTES, which must outlive MSF.  After a failure,
   msf_close() is not needed. */
enum msf_outcome msf_open(struct msf *msf, const uint8_t *bytes, uint64_t size, struct msf_fault *fault);
void msf_close(struct msf *msf);

/* Whether there is a stream of this number. */
bool msf_has(const struct msf *msf, uint32_t number);

/* Returns the size of stream NUMBER; 0 if there is no such stream. */
uint32_t msf_size(const struct msf *msf, uint32_t number);

/* Copy SIZE bytes from OFFSET of stream NUMBER to TO.  False if the stream does not have them. */
bool msf_read(const struct msf *msf, uint32_t number, uint32_t offset, void *to, uint32_t size);

/* Copy all bytes of stream NUMBER to *RET, which is empty if there is no such stream.  Call msf_release() afterwards,
   also after a failure. */
enum msf_outcome msf_stream(const struct msf *msf, uint32_t number, struct msf_stream *ret, struct msf_fault *fault);
void msf_release(struct msf_stream *stream);

#endif

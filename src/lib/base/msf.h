/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * msf.h - MSF, the container format of PDB files: numbered streams, which are cut into the blocks of the file
 *
 * The file can be a mapping to which another program writes at the same time.  So bytes are copied before they are
 * used, each only once, and only those that are needed.
 */
#ifndef RS_MSF_H
#define RS_MSF_H

#include "rossym.h"

#include <stdbool.h>

/* How a PDB 7.00 file begins. */
#define RS_MSF_MAGIC \
	"Microsoft C/C++ MSF 7.00\r\n\x1a" \
	"DS\0\0"
enum { RS_MSF_MAGIC_SIZE = sizeof RS_MSF_MAGIC - 1 };

/* Numbers of streams, and the offset of the GUID in the stream RS_MSF_INFO. */
enum { RS_MSF_INFO = 1, RS_MSF_DBI = 3, RS_MSF_GUID_AT = 12 };

struct msf_stream {	/* all zeros: released */
	uint8_t *bytes; /* not NULL, even if `size` is 0 */
	uint32_t size;
};

struct msf {
	struct rossym_reader file;
	uint32_t block_size, block_count;
	uint8_t *list; /* block numbers of the directory */
	/* 32-bit numbers: how many streams there are, the size of each, the block numbers of each */
	struct msf_stream directory;
	uint32_t stream_count;
	uint32_t *starts; /* for each stream, the index in the directory of its first block number */
};

/* Open the container that FILE has.  *FILE is copied, but its memory or context must live until rs_msf_close().  Returns
   0; or -1: ROSSYM_EDAMAGED or ROSSYM_ENOMEM, and then rs_msf_close() is not needed. */
int rs_msf_open(struct msf *msf, const struct rossym_reader *file, struct rossym_error *err);
void rs_msf_close(struct msf *msf);

/* Whether stream NUMBER exists. */
bool rs_msf_has_stream(const struct msf *msf, uint32_t number);

/* Returns the size of stream NUMBER; 0 if there is no such stream. */
uint32_t rs_msf_stream_size(const struct msf *msf, uint32_t number);

/* Copy SIZE bytes from OFFSET of stream NUMBER to TO.  False: the stream does not have them, or they cannot be read. */
bool rs_msf_read(const struct msf *msf, uint32_t number, uint64_t offset, void *to, uint32_t size);

/* Returns the number of the stream "/names"; UINT32_MAX if that name is not among the first 65536 names of streams, or
   if the list of names is damaged before it. */
uint32_t rs_msf_find_names_stream(const struct msf *msf);

/* Copy all bytes of stream NUMBER to *RET, which is empty if there is no such stream.  Returns 0; or -1: ROSSYM_EDAMAGED,
   and then *RET is empty, or ROSSYM_ENOMEM.  Call rs_msf_stream_free() afterwards in all cases. */
int rs_msf_copy_stream(const struct msf *msf, uint32_t number, struct msf_stream *ret, struct rossym_error *err);
void rs_msf_stream_free(struct msf_stream *stream);

#endif

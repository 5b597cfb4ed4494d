/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * msf.h - MSF, the container format of PDB files: numbered streams, which are cut into the blocks of the file
 *
 * The file can be a mapping that another program changes meanwhile.  So bytes are copied before they are checked and
 * used, each byte only once, and only the bytes that are needed.
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

struct msf_stream {	/* all zeros: there is no copy */
	uint8_t *bytes; /* a copy of the stream; not NULL, even if `size` is 0 */
	uint32_t size;
};

struct msf {
	struct rossym_reader file;
	uint32_t block_size, block_count;
	uint8_t *list; /* the numbers of the blocks in which `directory` is */
	/* 32-bit numbers: how many streams there are, the size of each, the block numbers of each */
	struct msf_stream directory;
	uint32_t stream_count;
	uint32_t *starts; /* for each stream, the index in the directory of its first block number */
};

/* Open the PDB file whose bytes FILE reads.  *FILE is copied, but its memory or context must live until rs_msf_close().
   Returns 0; or -1: ROSSYM_EDAMAGED or ROSSYM_ENOMEM, and then rs_msf_close() is not needed. */
int rs_msf_open(struct msf *msf, const struct rossym_reader *file, struct rossym_error *err);
void rs_msf_close(struct msf *msf);

/* Whether stream NUMBER exists. */
bool rs_msf_has_stream(const struct msf *msf, uint32_t number);

/* Returns the size of stream NUMBER; 0 if there is no such stream. */
uint32_t rs_msf_stream_size(const struct msf *msf, uint32_t number);

/* Copy SIZE bytes at OFFSET of stream NUMBER to TO.  Returns false if the stream is too short or cannot be read. */
bool rs_msf_read(const struct msf *msf, uint32_t number, uint64_t offset, void *to, uint32_t size);

/* Returns the number of the stream "/names"; UINT32_MAX if it is not among the first 65536 streams with a name, or if
   the list of names is damaged before that name. */
uint32_t rs_msf_find_names_stream(const struct msf *msf);

/* Copy all bytes of stream NUMBER to *RET.  If there is no such stream, or after an error, *RET gets the size 0.
   Returns 0; or -1: ROSSYM_EDAMAGED or ROSSYM_ENOMEM.  Call rs_msf_stream_free() in all cases. */
int rs_msf_copy_stream(const struct msf *msf, uint32_t number, struct msf_stream *ret, struct rossym_error *err);
void rs_msf_stream_free(struct msf_stream *stream);

#endif

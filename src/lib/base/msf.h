/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * msf.h - MSF, the container format of PDB files: numbered streams, which are cut into the blocks of the file
 *
 * The file can be a mapping to which another program writes at the same time.  So bytes are copied before they are
 * used, each only once, and only those that are needed.
 */
#ifndef RS_MSF_H
#define RS_MSF_H

#include "rossym-core.h"

#include <stdbool.h>

/* How a PDB 7.00 file begins. */
#define RS_MSF_MAGIC \
	"Microsoft C/C++ MSF 7.00\r\n\x1a" \
	"DS\0\0"
enum { RS_MSF_MAGIC_SIZE = sizeof RS_MSF_MAGIC - 1 };

/* Numbers of streams, and the offset of the GUID in the stream RS_MSF_INFO. */
enum { RS_MSF_INFO = 1, RS_MSF_DBI = 3, RS_MSF_GUID_AT = 12 };

struct msf_stream {	      /* all zeros: released */
	const uint8_t *bytes; /* not NULL, even if `size` is 0 */
	uint32_t size;
	uint8_t *copy; /* the same pointer as `bytes`, to be freed; NULL if `size` is 0 */
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

enum msf_outcome { MSF_OK, MSF_BAD, MSF_NO_MEMORY };

/* What is wrong with a file, for MSF_BAD. */
struct msf_fault {
	const char *what;
	uint64_t offset; /* in the file */
};

/* Open the container that FILE has.  *FILE is copied, but its memory or context must live until rs_msf_close().  After
   a failure, rs_msf_close() is not needed. */
enum msf_outcome rs_msf_open(struct msf *msf, const struct rossym_reader *file, struct msf_fault *fault);
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

/* Copy all bytes of stream NUMBER to *RET, which is empty if there is no such stream.  Call rs_msf_stream_free()
   afterwards, also after a failure. */
enum msf_outcome rs_msf_copy_stream(const struct msf *msf, uint32_t number, struct msf_stream *ret,
				    struct msf_fault *fault);
void rs_msf_stream_free(struct msf_stream *stream);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * type-records.h - reads records of the streams TPI or IPI by their numbers
 *
 * The records of such a stream have consecutive numbers, but do not contain them.  So another stream has a list with
 * the number and offset of one record in every 8 KiB or so.  The records from one of these up to the next are a chunk.
 * A chunk is read when a record in it is needed, and stays in memory.  If there is no such list, or a chunk does not
 * match it, the whole stream is read once to make a list.
 */
#ifndef DEBUGINFO_PDB_TYPE_RECORDS_H
#define DEBUGINFO_PDB_TYPE_RECORDS_H

#include "debuginfo/pdb/pdb-module.h"

struct pdb_chunk {
	uint32_t first;	  /* number of its first record; the last chunk of the list has no records */
	uint32_t at;	  /* offset of that record in the stream */
	uint8_t *bytes;	  /* NULL: not read yet */
	uint32_t *starts; /* offset of each of its records in BYTES */
};

struct pdb_records {
	struct pdb *pdb;
	uint32_t stream;
	uint32_t first, count; /* the records' numbers: COUNT of them, from FIRST on */
	bool scanned;	       /* the chunks were found by reading all records, not by the list of the file */
	struct pdb_chunk *chunks;
	uint32_t chunk_count, chunk_room; /* CHUNK_COUNT leaves out the last chunk, which has no records */
	struct pdb_chunk *old;		  /* chunks of the list that was wrong; callers may still use their records */
	uint32_t old_count;
};

/* Open the records of STREAM; those after a damaged one are left out.  Returns 0; or -1 after storing an error.  Call
   rs_pdb_records_close() afterwards in both cases. */
int rs_pdb_records_open(struct pdb_records *records, struct pdb *pdb, uint32_t stream);
void rs_pdb_records_close(struct pdb_records *records);

/*
 * Let *C decode the content of record NUMBER, after its kind; the bytes are valid until rs_pdb_records_close().  Returns
 * the kind; 0 if there is no such record; or -1 after storing an error.
 */
int rs_pdb_record(struct pdb_records *records, uint32_t number, struct decoder *c);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * type-records.h - the records of TPI or IPI, by their numbers
 *
 * The numbers of the records in such a stream ascend by one.  A record does not say its number, so another stream has a
 * list of some numbers and where their records begin, one for every 8 KiB or so.  Between two of these are the records
 * of a chunk.  Chunks are read when a record in them is needed, and stay in memory.  If there is no such list, or a
 * chunk is not as the list says, the whole stream is read once to make one.
 */
#ifndef DEBUGINFO_PDB_TYPE_RECORDS_H
#define DEBUGINFO_PDB_TYPE_RECORDS_H

#include "debuginfo/pdb/pdb-module.h"

struct pdb_chunk {
	uint32_t first;	  /* the number of its first record; the last chunk has no records and ends the list */
	uint32_t at;	  /* where that begins in the stream */
	uint8_t *bytes;	  /* NULL: not read yet */
	uint32_t *starts; /* where each of its records begins in BYTES */
};

struct pdb_records {
	struct pdb *pdb;
	uint32_t stream;
	uint32_t first, count; /* of the numbers of all records */
	bool scanned;	       /* the chunks are known from the stream itself */
	struct pdb_chunk *chunks;
	uint32_t chunk_count, chunk_room; /* without the last one */
	struct pdb_chunk *old;		  /* chunks of a list that was wrong; they are still in use */
	uint32_t old_count;
};

/* Open the records of STREAM.  Those after damage do not exist.  Returns 0; or -1 after storing an error.  Call
   pdb_records_close() in any case. */
int pdb_records_open(struct pdb_records *records, struct pdb *pdb, uint32_t stream);
void pdb_records_close(struct pdb_records *records);

/*
 * Store the content of record NUMBER in *C, without its kind; it stays until pdb_records_close().  Returns its kind; 0
 * if there is no such record; or -1 after storing an error.
 */
int pdb_record(struct pdb_records *records, uint32_t number, struct decoder *c);

#endif

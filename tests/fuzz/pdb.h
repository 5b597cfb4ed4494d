/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The streams of a PDB file without the blocks of a container around them, which a fuzzer would mostly break: in parts
 * (parts.h), one for each.  Without an image there is that of tests/lib/samplepdb.h, whose code is from 0x1000 to 0x1200.
 */
#ifndef FUZZ_PDB_H
#define FUZZ_PDB_H

/* In the byte of options. */
enum {
	PDB_WIDE = 1,
	PDB_DECORATED = 2,
	PDB_NO_INLINES = 4,
	PDB_WANTED = 8,
	PDB_LARGE = 16,	    /* blocks of 4096 bytes, not 512 */
	PDB_AS_IT_IS = 128, /* the image keeps its GUID and age; else it gets those of the streams */
};

#define PDB_LETTERS "0123456789abcdefghijklmnopqrstuvIP"
/* PDB_RAW: the whole file in place of the streams */
enum { PDB_STREAMS = 32, PDB_IMAGE = PDB_STREAMS, PDB_RAW, PDB_PARTS };

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pdb-module.h - what the pdb-*.c files share: an open PDB file, one of its modules, and the procedures in it
 *
 * A module is what the linker got as one object file.  Its stream has symbol records, then subsections in the format
 * that Microsoft calls C13: lines, files, and inlined functions.
 *
 * All addresses in these structures are source addresses: RVAs before a tool moved code, as Microsoft's tools do for some
 * of their own programs.  Only pdb_keep() makes RVAs of the image of them.
 *
 * The files call each other in one direction: pdb.c on top, then pdb-symbols.c, pdb-inlines.c, pdb-lines.c, the rest.
 */
#ifndef DEBUGINFO_PDB_MODULE_H
#define DEBUGINFO_PDB_MODULE_H

#include "debuginfo/decoder.h"
#include "debuginfo/msf.h"
#include "debuginfo/reading.h"

enum { PDB_TPI = 2, PDB_DBI = 3, PDB_IPI = 4 };	/* streams with fixed numbers */

struct pdb_entry {		/* a module in the list of all */
	const char *name;	/* as the linker saw it, such as the path of an object file; in the DBI stream */
	uint32_t stream;	/* 0xffff = none */
	uint32_t symbol_size, c11_size, c13_size;	/* bytes in the stream; not checked */
};

struct pdb_contribution {	/* a range of code that the linker took from one module */
	uint32_t begin, end;
	uint32_t module;
};

struct pdb_omap {		/* one of a list: code from source address FROM on is at RVA TO; 0 = it was removed */
	uint32_t from, to;
};

struct pdb {
	struct reading *reading;
	const struct debuginfo_file *file;
	struct msf msf;
	struct msf_stream dbi;
	struct msf_stream names;	/* the stream "/names": all paths */
	struct decoder paths;		/* its strings */
	struct pdb_entry *entries;
	uint32_t entry_count, entry_room;
	uint32_t *sections;		/* source addresses of the sections: segment number 1 is item 0; and their sizes */
	uint32_t section_count;
	struct pdb_contribution *contributions;	/* ascending and disjoint; code only */
	uint32_t contribution_count, contribution_room;
	struct pdb_omap *omap;		/* ascending; NULL if no code was moved */
	uint32_t omap_count;
	uint64_t work;			/* the budget: what is left */
	uint32_t warnings;
	struct pdb_inlines *inlines;	/* of pdb-inlines.c alone; NULL at first */
};

struct pdb_procedure {
	uint32_t begin, end;
	uint32_t function;		/* number of its name */
	/* The records after its own one, up to and with the one that ends it: offsets in the module's symbols. */
	uint32_t records, records_end;
};

struct pdb_module {		/* the module that is being read */
	struct pdb *pdb;
	const struct pdb_entry *entry;
	uint32_t number;
	struct msf_stream stream;
	const uint8_t *symbols;		/* the records; each is u16 length, without these 2 bytes; u16 kind; content */
	uint32_t symbol_size;
	const uint8_t *c13;		/* the subsections */
	uint32_t c13_size;
	const uint8_t *checksums;	/* the content of the subsection F4, in which files are named by offsets; or NULL */
	uint32_t checksum_size;
	/* A procedure's code, ascending and disjoint, whole: a part without a line has file 0, line 0.  pdb-lines.c makes
	   these spans, pdb-inlines.c changes them, and pdb_keep() takes them. */
	struct span *parts;
	uint32_t part_count, part_room;
};

/* ------------------------------------------------------------------------------------ pdb.c and pdb-dbi.c */

/* Take AMOUNT from the budget of work, which a file of this size is not expected to need.  False if it is used up: then the
   caller leaves out the rest, and the function has warned once. */
bool pdb_spend(struct pdb *pdb, uint64_t amount);

/* Warn that WHAT in the PDB file is not used; OFFSET is where it is in that stream. */
void pdb_warn(struct pdb *pdb, uint32_t stream, uint64_t offset, const char *what);

/* Get a stream of the PDB file; release it with msf_release().  A damaged one is empty, after a warning.  Returns 0; or
   -1 without memory, and the reading must end. */
int pdb_stream(struct pdb *pdb, uint32_t number, struct msf_stream *ret);

/* Open module NUMBER: its stream, symbols, C13 and checksums.  What is not there or damaged is empty.  Returns 0 or -1.
   pdb_close_module() also follows a failure. */
int pdb_open_module(struct pdb *pdb, uint32_t number, struct pdb_module *module);
void pdb_close_module(struct pdb_module *module);

/* The next C13 subsection: stores its kind, such as 0xf6, and its content.  False at the end. */
bool pdb_next_subsection(struct decoder *c13, uint32_t *kind, struct decoder *content);

/* The string at OFFSET in "/names"; NULL if there is none. */
const char *pdb_path(const struct pdb *pdb, uint32_t offset);

/* Store in *RET the number of the path of the file at OFFSET in the module's subsection F4; 0 if there is none.
   Returns 0 or -1. */
int pdb_module_file(struct pdb_module *module, uint32_t offset, uint32_t *ret);

/* The source address of OFFSET in SEGMENT; 0 if there is no such place. */
uint32_t pdb_address(const struct pdb *pdb, uint32_t segment, uint32_t offset);

/* --------------------------------------------------------------------------------------------- pdb-inlines.c */

/*
 * Lay the inlined calls of PROCEDURE over its code, which is in module->parts.  Where code was inlined, the parts get
 * the inlined function, its file and line, and as outer frames the calls: function, file and line that the part had
 * before.  Called for each procedure; all procedures of a module follow each other.  Returns 0; or -1, and the reading
 * must end.  Damaged records are left out.
 */
int pdb_read_inlines(struct pdb_module *module, const struct pdb_procedure *procedure);

/* Free pdb->inlines. */
void pdb_close_inlines(struct pdb *pdb);

#endif

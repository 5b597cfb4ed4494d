/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pdb-module.h - what the pdb-*.c files share: an open PDB file, one of its modules, and the procedures in it
 *
 * A module is what the linker got as one object file.  Its stream has symbol records, then subsections in the format
 * that Microsoft calls C13: lines, files, and inlined functions.
 *
 * All addresses in these structures are source addresses: RVAs before a tool moved code, as Microsoft's tools do for
 * some of their own programs.  Only pdb_keep() makes RVAs of the image of them.
 *
 * The files call each other in one direction: pdb.c on top, then procedures.c, and the others below, pdb-module.c last.  Their
 * functions are declared here in another order: the lowest file first.
 */
#ifndef DEBUGINFO_PDB_PDB_MODULE_H
#define DEBUGINFO_PDB_PDB_MODULE_H

#include "debuginfo/base/decoder.h"
#include "debuginfo/pdb/msf.h"
#include "debuginfo/base/reading.h"

enum { PDB_TPI = 2, PDB_DBI = 3, PDB_IPI = 4 }; /* streams with fixed numbers */

struct pdb_entry {	  /* a module in the list of all */
	const char *name; /* as the linker saw it, such as the path of an object file; in the DBI stream */
	uint32_t stream;  /* UINT32_MAX = none */
	/* bytes in the module's stream, as the DBI stream claims; pdb_open_module() checks them */
	uint32_t symbol_size, c11_size, c13_size;
	uint32_t first, last; /* its contributions, if it is wanted: from number FIRST up to number LAST */
	/* It has code, but no contribution.  The linker of Visual C++ 2005 leaves its own list of jumps like that: only
	   the symbols tell where the jumps are. */
	bool unplaced;
	bool wanted; /* it has code that is wanted */
};

struct pdb_contribution { /* a range of code that the linker took from one module */
	uint32_t begin, end;
	uint32_t module;
};

struct pdb_public { /* a public symbol: a name by which other object files refer to code or data */
	uint32_t address;
	/* where its name is in the stream of records: offset, and how many bytes come at most, with a NUL */
	uint32_t name;
	uint16_t size;
	bool function;
};

struct pdb_slice { /* publics, ascending, one per address */
	const struct pdb_public *items;
	uint32_t count;
};

struct pdb_section {
	uint32_t begin, size;
};

struct pdb_moved { /* code from source address BEGIN up to END is at RVA TO */
	uint32_t begin, end, to;
	uint32_t reach; /* the highest END up to here */
	/* In the image, this many bytes follow that a tool has inserted; then comes the code of source address AFTER.
	   0, 0 if no code does. */
	uint32_t inserted, after;
};

struct pdb_known_path {
	uint32_t offset; /* in "/names", which no path has at 0 */
	uint32_t number; /* of the string */
};

enum { PDB_KNOWN_PATHS = 256 };

struct pdb {
	struct reading *reading;
	const struct debuginfo_file *file;
	struct msf msf;
	struct msf_stream dbi;
	struct msf_stream names; /* the stream "/names" */
	const char *paths;	 /* its strings, the last of which ends with NUL */
	uint32_t paths_size;
	/* by the lower bits of the offset: the last path of such an offset */
	struct pdb_known_path known[PDB_KNOWN_PATHS];
	uint32_t age; /* of the DBI stream */
	bool stripped, fastlink;
	bool dotnet; /* its program is not machine code but .NET's intermediate language */
	struct pdb_entry *entries;
	uint32_t entry_count, entry_room;
	struct pdb_section *sections; /* by segment: number 1 is item 0 */
	uint32_t section_count;
	struct pdb_contribution *contributions; /* of code in wanted modules: ascending by module, then by address */
	uint32_t contribution_count, contribution_room;
	bool selective; /* only some code is wanted, and contributions tell of which modules it is */
	uint32_t public_stream, record_stream;
	/* Of publics.c alone: the address map, an array at MAP_AT of the stream PUBLIC_STREAM; if MAP_COUNT is 0, all
	   publics are in memory, and the records, which have their names. */
	uint32_t map_at, map_count;
	struct msf_stream records;
	struct pdb_public *publics; /* all, or those found last; ascending, one per address */
	uint32_t public_count, public_room;
	uint8_t *record;
	struct pdb_moved *moved; /* ascending by BEGIN; NULL if no code was moved */
	uint32_t moved_count;
	uint64_t work; /* the budget: what is left */
	uint32_t warnings;
	struct pdb_inlines *inlines; /* of inlines.c alone; NULL at first */
};

struct pdb_procedure {
	uint32_t begin, end;
	uint32_t function; /* number of its name */
	/* The records after its own one, up to and with the one that ends it: offsets in the module's symbols. */
	uint32_t records, records_end;
};

struct pdb_line { /* a range of code with one line */
	uint32_t begin, end;
	uint32_t file, line;
	/* the code before the first entry of a range, with that entry's line: only calls there have it */
	bool lead;
};

struct pdb_module { /* the module that is being read */
	struct pdb *pdb;
	const struct pdb_entry *entry;
	uint32_t number;
	struct msf_stream stream;
	const uint8_t *symbols; /* the records; each is u16 length, without these 2 bytes; u16 kind; content */
	uint32_t symbol_size;
	const uint8_t *c13; /* the subsections */
	uint32_t c13_size;
	/* the content of the subsection F4, in which files are named by offsets; or NULL */
	const uint8_t *checksums;
	uint32_t checksum_size;
	struct pdb_line *lines; /* ascending and disjoint */
	uint32_t line_count, line_room;
	/* A procedure's code, ascending and disjoint, whole: a part without a line has file 0, line 0.  procedures.c makes
	   these spans of the lines, inlines.c changes them, and pdb_keep() takes them. */
	struct span *parts;
	uint32_t part_count, part_room;
};

/*
 * In the functions that follow, an int is 0; or -1 after an error was stored, and the reading must end.
 *
 * ------------------------------------------------------------------------------------------------ pdb-module.c
 */

/* Take AMOUNT from the budget of work, which no file of this size that a linker made uses up.  False if it is used up:
   then the caller leaves out the rest.  The function has warned, once. */
bool pdb_spend(struct pdb *pdb, uint64_t amount);

/* Warn that something in the PDB file is not used: WHAT is wrong at OFFSET of a stream. */
void pdb_warn(struct pdb *pdb, uint32_t stream, uint64_t offset, const char *what);

/* Get a stream of the PDB file; release it with msf_release(), also after a failure.  A damaged one is empty, after
   a warning. */
int pdb_stream(struct pdb *pdb, uint32_t number, struct msf_stream *ret);

/* Open module NUMBER: its stream, symbols, C13 and checksums.  What is not there or damaged is empty.
   pdb_close_module() also follows a failure. */
int pdb_open_module(struct pdb *pdb, uint32_t number, struct pdb_module *module);
void pdb_close_module(struct pdb_module *module);

/* Returns a decoder for pdb_next_subsection(), which then reads the first subsection of MODULE. */
static inline struct decoder pdb_subsections(const struct pdb_module *module)
{
	return (struct decoder){ .at = module->c13, .end = module->c13 + module->c13_size };
}

/* The next C13 subsection: stores its kind, such as 0xf6, and its content.  False at the end. */
bool pdb_next_subsection(struct decoder *c13, uint32_t *kind, struct decoder *content);

/* The string at OFFSET in "/names"; NULL if there is none. */
const char *pdb_path(const struct pdb *pdb, uint32_t offset);

/* Store in *RET the number of the path of the file at OFFSET in the module's subsection F4; 0 if there is none. */
int pdb_module_file(struct pdb_module *module, uint32_t offset, uint32_t *ret);

/* The source address of OFFSET in SEGMENT; 0 if there is no such place. */
uint32_t pdb_address(const struct pdb *pdb, uint32_t segment, uint32_t offset);

/* The contribution of MODULE that contains ADDRESS; NULL if there is none. */
const struct pdb_contribution *pdb_contribution_at(const struct pdb_module *module, uint32_t address);

/* -------------------------------------------------------------------------------------------------- open-pdb.c */

/* Open the PDB file pdb->file, and find out if it belongs to the image.  Returns 1; 0 after storing why it is not used;
   or -1.  Call pdb_close() in any case. */
int pdb_open(struct pdb *pdb, struct refusal *refusal);
void pdb_close(struct pdb *pdb);

/* --------------------------------------------------------------------------------------------------- dbi.c */

/* Read the header of the DBI stream.  False if it is damaged. */
bool pdb_read_dbi_header(struct pdb *pdb);

/* Read the rest: modules, contributions, sections. */
int pdb_read_dbi(struct pdb *pdb);

/* ----------------------------------------------------------------------------------------------- publics.c */

/* Get ready to find publics, after the rest. */
int pdb_open_publics(struct pdb *pdb);

/* Store in *RET the publics from source address BEGIN up to END, which are in one section.  They stay until the
   next call. */
int pdb_find_publics(struct pdb *pdb, uint32_t begin, uint32_t end, struct pdb_slice *ret);

/* The name of PUBLIC, until the next call of one of these functions. */
const char *pdb_public_name(struct pdb *pdb, const struct pdb_public *public);

/* -------------------------------------------------------------------------------------------------- omap.c */

/* Read the stream NUMBER, "OMAP to source", into pdb->moved. */
int pdb_read_omap(struct pdb *pdb, uint32_t number);

/* Turn the module's parts into spans of the image; those of which nothing is known are left out.  They are the code of
   the procedure FUNCTION; 0 = of no procedure. */
int pdb_keep(struct pdb_module *module, uint32_t function);

/* Keep a function's name, and where it begins and ends. */
int pdb_keep_function(struct pdb *pdb, uint32_t begin, uint32_t end, uint32_t name);

/* ------------------------------------------------------------------------------------------------- module-lines.c */

/* Read the module's lines. */
int pdb_read_lines(struct pdb_module *module);

/* -------------------------------------------------------------------------------------------------- procedures.c */

/* Turn the module's symbols and lines, and the publics in its contributions, into spans. */
int pdb_read_code(struct pdb_module *module);

/*
 * ----------------------------------------------------------------------------------------------- inlines.c
 *
 * Lay the inlined calls of PROCEDURE over its code, which is in module->parts.  Where code was inlined, the parts get
 * the inlined function, its file and line, and as outer frames the calls: function, file and line that the part had
 * before.  Called for each procedure; all procedures of a module follow each other.  Damaged records are left out.
 */
int pdb_read_inlines(struct pdb_module *module, const struct pdb_procedure *procedure);

/* Free pdb->inlines. */
void pdb_close_inlines(struct pdb *pdb);

#endif

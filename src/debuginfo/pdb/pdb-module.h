/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pdb-module.h - what the files of this folder share: an open PDB file, one of its modules, and the procedures in it
 *
 * A PDB file consists of numbered streams.  In this folder, a module is an object file that was linked.  Its stream has
 * symbol records, then subsections in the format that Microsoft calls C13: lines, files, and inlined functions.
 *
 * All addresses in these structures are source addresses.  They are equal to RVAs of the image, unless a tool has
 * moved code after the link, as Microsoft does with some programs: then they are the RVAs before the move.  Only omap.c
 * turns them into RVAs of the image.
 *
 * The files call each other in one direction: pdb.c is on top, then procedures.c, then the others; pdb-module.c is
 * the lowest.
 */
#ifndef DEBUGINFO_PDB_PDB_MODULE_H
#define DEBUGINFO_PDB_PDB_MODULE_H

#include "debuginfo/base/decoder.h"
#include "lib/base/msf.h"
#include "debuginfo/base/reading.h"

enum { PDB_TPI = 2, PDB_IPI = 4 }; /* numbers of the streams with types and with ids (ids.c); others are in msf.h */

/* The DBI stream describes modules and their code (dbi.c).  It has a header, and then these parts. */
enum pdb_part { PDB_MODULES, PDB_CONTRIBUTIONS, PDB_MAP, PDB_FILES, PDB_SERVERS, PDB_EC, PDB_DEBUG_HEADER, PDB_PARTS };

/* Records of inlined calls; S_INLINESITE2 has a count before its annotations (annotations.c). */
enum { S_INLINESITE = 0x114d, S_INLINESITE_END = 0x114e, S_INLINESITE2 = 0x115d };

struct pdb_entry {	  /* a module in the list of all modules */
	const char *name; /* as the linker wrote it, such as the path of an object file; points into the DBI stream */
	uint32_t stream;  /* number of the module's stream; UINT32_MAX = none */
	/* sizes of the parts of that stream, as the DBI stream claims; rs_pdb_open_module() checks them */
	uint32_t symbol_size, c11_size, c13_size;
	uint32_t first, last; /* if WANTED, its items of pdb.contributions: from index FIRST up to LAST */
	/* The module has code, but no item of pdb.contributions tells where it is; only symbols do.  An example is the
	   module of jumps that the linker of Visual C++ 2005 makes. */
	bool unplaced;
	bool wanted; /* some of its code is wanted (reading.h) */
};

struct pdb_contribution { /* a range of code that the linker took from one module */
	uint32_t module;
	uint32_t begin, end;
};

struct pdb_public { /* a public symbol: a name by which other object files refer to code or data */
	uint32_t address;
	/* Its name begins at offset NAME of the stream of records.  From there to the end of the record are SIZE bytes;
	   one of these is the NUL that ends the name. */
	uint32_t name;
	uint16_t size;
	bool function;
};

/* Publics, ascending by address.  If several have the same address, the last one names the code there;
   find_linkage_name() of procedures.c may choose another one. */
struct pdb_slice {
	const struct pdb_public *items;
	uint32_t count;
};

struct pdb_section {
	uint32_t begin, size; /* BEGIN is a source address */
};

struct pdb_moved { /* code from source address BEGIN up to END is at RVA TO */
	uint32_t begin, to, end;
	uint32_t reach; /* the highest END of this item and those before it */
	/* The tool that moved the code has added INSERTED bytes after this code; after these comes code with the source
	   address AFTER.  Both are 0 if no code follows. */
	uint32_t inserted, after;
};

struct pdb {
	struct reading *reading;
	const struct debuginfo_file *file;
	struct msf msf;
	struct msf_stream dbi;
	struct decoder parts[PDB_PARTS]; /* the parts of the stream DBI */
	struct msf_stream names;	 /* the stream "/names" */
	const char *paths;		 /* the strings in NAMES; the last one ends with NUL */
	uint32_t paths_size;
	bool stripped; /* the file has no lines */
	bool fastlink; /* it was linked with /DEBUG:FASTLINK, and lacks most symbols */
	bool dotnet;   /* its program is .NET's intermediate language, not machine code */
	struct pdb_entry *entries;
	uint32_t entry_count, entry_room;
	struct pdb_section *sections; /* segment number N is item N - 1 */
	uint32_t section_count;
	struct pdb_contribution *contributions; /* code of wanted modules, ascending by module, then by address */
	uint32_t contribution_count, contribution_room;
	bool selective; /* only some code is wanted, and source addresses show which, because no code was moved */
	uint32_t public_stream, record_stream;
	/* Used by publics.c only.  MAP is the address map, of MAP_COUNT items.  If MAP_COUNT is 0, the map is not used,
	   and PUBLICS has all publics.  RECORDS is the whole stream of their records, or empty if records are read from
	   the file one by one. */
	uint8_t *map;
	uint32_t map_count;
	struct msf_stream records;
	struct pdb_public *publics; /* all, or those that the latest search found; ordered as in struct pdb_slice */
	uint32_t public_count, public_room;
	uint8_t *record;	 /* buffer for the longest record */
	struct pdb_moved *moved; /* ascending by BEGIN; NULL if no code was moved */
	uint32_t moved_count;
	uint64_t work;	     /* how much work may still be done: rs_pdb_spend_work() */
	uint32_t warnings;   /* how many warnings about the file there were */
	struct pdb_ids *ids; /* used by ids.c only; NULL at first */
};

/* A procedure, or other code with a record: a thunk, a jump, or a part that was moved away from its procedure. */
struct pdb_procedure {
	uint32_t begin;
	/* Offsets in the module's symbols: the records inside the procedure begin at RECORDS, after its first record,
	   and end at RECORDS_END, after its end record. */
	uint32_t records, records_end;
	uint32_t end;
	/* Its name in the symbols, which ends with a NUL.  If NULL, this code is a part of the code at source address
	   OTHER or, if JUMPS, a jump to it, and its name is made from the name of that code. */
	const char *name;
	uint32_t other;
	bool jumps;
};

struct pdb_line { /* a range of code with one line */
	uint32_t begin, end;
	uint32_t file, line;
	/* This code comes before the first line of a subsection DEBUG_S_LINES.  FILE and LINE are those of that first
	   line, and only used as call site of inlined calls in this code (module-lines.c). */
	bool lead;
};

struct pdb_module { /* the module that is being read */
	struct pdb *pdb;
	const struct pdb_entry *entry;
	uint32_t number;
	struct msf_stream stream;
	const uint8_t *symbols; /* records: u16 length of what follows; u16 kind; content */
	uint32_t symbol_size;
	const uint8_t *c13; /* the subsections */
	uint32_t c13_size;
	/* The content of the subsection DEBUG_S_FILECHKSMS, which has a record for each file; or NULL.  Other
	   subsections refer to a file by the offset of its record. */
	const uint8_t *checksums;
	uint32_t checksum_size;
	struct pdb_line *lines; /* the lines, ascending and disjoint */
	uint32_t line_count, line_room;
	/* Parts of the code that is being read, of one procedure or between procedures: ascending, disjoint, without
	   gaps.  A part without a line has file 0, line 0.  procedures.c makes parts from LINES, inlines.c divides them
	   further for inlined calls, and rs_pdb_add_spans() makes spans of them. */
	struct span *parts;
	uint32_t part_count, part_room;
	/* Used by inlines.c only, which reads INLINEES at the module's first procedure; LAYERS is NULL until then. */
	struct inlinee *inlinees; /* the functions that are inlined in this module, ascending by ID */
	uint32_t inlinee_count, inlinee_room;
	/* The layers of the procedure that is being read, and of the calls around the current record.  The parts of a
	   layer come after those of the layers around it.  Until merge_layers(), the order of a part is lowered by the
	   number of inlined calls that it is in, so the innermost part at an address has the lowest order. */
	struct layer *layers;
	uint32_t layer_room;
	uint32_t depth; /* how many of LAYERS are around the current record */
	/* Used by ids.c only: the module's imports, which it reads when the first one is needed. */
	bool imports_read;
	struct import *imports;
	uint32_t import_count, import_room;
};

/*
 * All functions below that return an int return 0; or -1 after storing an error: then the reading must end.
 *
 * ------------------------------------------------------------------------------------------------ pdb-module.c
 */

/* Subtract AMOUNT from the budget of work, which limits hostile files; files of linkers never use it up.  If less than
   AMOUNT is left, warns the first time and returns false: then the caller must leave out the rest. */
bool rs_pdb_spend_work(struct pdb *pdb, uint64_t amount);

/* Warn, at most 8 times for a file, that something at OFFSET of STREAM is not used: WHAT describes the fault. */
void rs_pdb_warn(struct pdb *pdb, uint32_t stream, uint64_t offset, const char *what);

/* Copy stream NUMBER into *RET; call rs_msf_stream_free() afterwards, also after a failure.  If the stream is damaged,
   warn, and make *RET empty. */
int rs_pdb_copy_stream(struct pdb *pdb, uint32_t number, struct msf_stream *ret);

/* Open module NUMBER: find its stream, symbols, C13 and checksums, and leave empty what is absent or damaged.  Call
   rs_pdb_close_module() afterwards, also after a failure. */
int rs_pdb_open_module(struct pdb *pdb, uint32_t number, struct pdb_module *module);
void rs_pdb_close_module(struct pdb_module *module);

/* Returns a decoder of the subsections of MODULE, for rs_pdb_next_subsection(). */
static inline struct decoder pdb_subsection_decoder(const struct pdb_module *module)
{
	return (struct decoder){ .at = module->c13, .end = module->c13 + module->c13_size };
}

/* Store the kind of the next record, and its content, which follows the kind.  False at the end; or if the next record,
   at records->at, is damaged: then records->bad is set. */
static inline bool pdb_next_record(struct decoder *records, uint32_t *kind, struct decoder *content)
{
	if (decoder_left(records) < 4)
		return false;
	const uint8_t *begin = records->at;
	const uint32_t size = decoder_u16(records);
	const uint8_t *bytes = decoder_take(records, size);
	if (size < 2 || !bytes) {
		records->at = begin;
		records->bad = true;
		return false;
	}
	*kind = rs_le16(bytes);
	*content = (struct decoder){ .at = bytes + 2, .end = bytes + size };
	return true;
}

/* Store the content of the next C13 subsection of KIND (DEBUG_S_*), and skip others.  A subsection that must be ignored
   has the highest bit set in its kind, so it is skipped.  False at the end. */
bool rs_pdb_next_subsection(struct decoder *c13, uint32_t kind, struct decoder *content);

/* Returns the string, such as a path, at OFFSET of the strings in "/names"; NULL if there is none. */
const char *rs_pdb_string_at(const struct pdb *pdb, uint32_t offset);

/* Store in *RET the string number of the path of the file at OFFSET in the module's checksums; 0 if there is none, or
   the budget of work is used up. */
int rs_pdb_find_module_file(struct pdb_module *module, uint32_t offset, uint32_t *ret);

/* Returns the source address of an offset in a segment; 0 if there is no such segment, or the offset is past it.
   SEGMENT points to the 2 bytes of the segment's number, OFFSET to the 4 bytes of the offset. */
uint32_t rs_pdb_source_address(const struct pdb *pdb, const uint8_t *segment, const uint8_t *offset);

/* Whether any of the code from BEGIN up to END is wanted; true if that is unknown, because code was moved. */
static inline bool pdb_is_wanted(const struct pdb *pdb, uint64_t begin, uint64_t end)
{
	return !pdb->selective || rs_reading_is_wanted(pdb->reading, begin, end);
}

/* Returns the end of the code of LENGTH bytes at BEGIN; or the end of the contribution that contains BEGIN, if that is
   lower.  Returns 0 if no contribution of MODULE contains BEGIN, or LENGTH is 0. */
uint32_t rs_pdb_find_end(const struct pdb_module *module, uint32_t begin, uint32_t length);

/* --------------------------------------------------------------------------------------------------- dbi.c */

/* Read the header of the DBI stream.  False if the sizes in it are wrong. */
bool rs_pdb_read_dbi_header(struct pdb *pdb);

/* Read the rest of the DBI stream: modules, contributions, sections. */
int rs_pdb_read_dbi(struct pdb *pdb);

/* ----------------------------------------------------------------------------------------------- publics.c */

/* Prepare for rs_pdb_find_publics(); call this after rs_pdb_read_dbi(). */
int rs_pdb_open_publics(struct pdb *pdb);

/* Store in *RET the publics in code at source addresses from BEGIN up to END, which must be in one section.  *RET is
   valid until the next call of this function. */
int rs_pdb_find_publics(struct pdb *pdb, uint32_t begin, uint32_t end, struct pdb_slice *ret);

/* Returns the name of PUBLIC; "" if it cannot be read.  Valid until the next call of this or rs_pdb_find_publics(). */
const char *rs_pdb_public_name(struct pdb *pdb, const struct pdb_public *public);

/* -------------------------------------------------------------------------------------------------- omap.c */

/* Read stream NUMBER, the list "OMAP to source" of moved code, into pdb->moved. */
int rs_pdb_read_omap(struct pdb *pdb, uint32_t number);

/* Turn the module's parts into spans of the image, without parts that have no function, file and line.  FUNCTION is the
   string number of the name of the procedure that the parts are from; 0 = no procedure. */
int rs_pdb_add_spans(struct pdb_module *module, uint32_t function);

/* Add the function with the string number NAME, whose code is from source address BEGIN up to END. */
int rs_pdb_add_function(struct pdb *pdb, uint32_t begin, uint32_t end, uint32_t name);

/* ------------------------------------------------------------------------------------------------- module-lines.c */

/* Read the module's lines into module->lines. */
int rs_pdb_read_lines(struct pdb_module *module);

/* -------------------------------------------------------------------------------------------------- procedures.c */

/* Turn the module's symbols and lines, and the publics in its contributions, into spans. */
int rs_pdb_read_code(struct pdb_module *module);

/*
 * ----------------------------------------------------------------------------------------------- inlines.c
 *
 * Add the inlined calls of PROCEDURE to its code, module->parts.  A part whose code was inlined gets the inlined
 * function, with its file and line; the function, file and line that the part had before become the frame of the
 * caller.  Damaged records are left out.
 */
int rs_pdb_read_inlines(struct pdb_module *module, const struct pdb_procedure *procedure);

/* ----------------------------------------------------------------------------------- annotations.c */

struct pdb_annotation_row {
	uint32_t begin, end; /* offsets from the procedure's start; end is exclusive */
	uint32_t line;	     /* 0 = unknown */
	uint32_t file;	     /* offset of the file in the module's checksums (struct pdb_module) */
};

/* A decoder of the annotations of a call.  The caller sets PROGRAM, LINE and FILE; all else is 0 at first. */
struct pdb_annotations {
	/* "bad" is set if the program is damaged, or its rows do not ascend; then no more rows come */
	struct decoder program;
	uint64_t offset;
	uint32_t line, file; /* at first, where the inlined function begins; as in struct pdb_annotation_row */
	/* The row that began last; its end is UINT32_MAX while it is unknown.  When it has ended, both offsets are
	   those of its end. */
	struct pdb_annotation_row open;
};

/* Store the next row in *ROW.  Rows ascend, do not overlap and are not empty.  False: there are no more. */
bool rs_pdb_annotations_next(struct pdb_annotations *annotations, struct pdb_annotation_row *row);

/* ---------------------------------------------------------------------------------- ids.c */

/* Store in *RET the string number of the qualified name of the inlined function that has the number INLINEE in MODULE;
   0 if there is no such function, or its name cannot be read.  Returns 0; or -1 after storing an error. */
int rs_pdb_find_inlinee_name(struct pdb_module *module, uint32_t inlinee, uint32_t *ret);

/* Free what that function has kept in PDB. */
void rs_pdb_close_ids(struct pdb *pdb);

/* --------------------------------------------------------------------------------------- pdb.c */

/* Read the first of options->files that is a PDB file of the image.  Returns 0, also if there is none; or -1 after
   storing an error, which is ROSSYM_ENOSYMS if a file that the user has named does not belong to the image. */
int rs_pdb_read(struct reading *reading);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf-unit.h - one compilation unit of DWARF: its files, its lines, its scopes
 *
 * Scopes, the entries of functions and of inlined calls, are kept for all units together, for an inlined call may
 * take its name from an entry of another unit, and of a later one.  So spans carry the number of a scope until all
 * units are read.
 */
#ifndef DEBUGINFO_DWARF_UNIT_H
#define DEBUGINFO_DWARF_UNIT_H

#include "debuginfo/cursor.h"
#include "debuginfo/dwarf-object.h"
#include "debuginfo/extents.h"

enum { NO_SCOPE = UINT32_MAX };

struct scope {
	const char *name;	/* in the sections' bytes */
	uint32_t offset;	/* of its entry in .debug_info: scopes ascend by it */
	uint32_t origin;	/* of the entry that says more about it, 0 = none */
	uint32_t parent;	/* the scope around it, for an inlined call; else NO_SCOPE */
	uint32_t call_file, call_line;
	uint32_t string;	/* its name, when that is wanted */
	uint32_t outer;		/* its first outer frame, when that is wanted */
	uint16_t depth;		/* how many outer frames */
	bool linkage;		/* name is a linkage name */
	bool used, named;
};

struct line_segment {		/* a range with one line */
	uint32_t begin, end;
	uint32_t file, line;
	uint32_t sequence;	/* where its sequence begins */
};

struct dwarf_reader {
	struct reading *reading;
	struct dwarf_object *object;
	Dwarf_Debug dbg;
	uint32_t order;		/* of the next unit's spans */
	uint32_t warnings;	/* about units */
	uint64_t work;		/* what is left of that which honest debug information of this size can be */
	uint64_t objects;	/* the same for what libdwarf keeps of units */
	uint64_t room;		/* the same for spans */
	uint8_t *lines_read;	/* a bit for each offset in .debug_line: it is that of a table whose lines are spans already */

	struct scope *scopes;
	uint32_t scope_count, scope_room;
	struct extent *extents;	/* of the scopes of one unit */
	uint32_t extent_count, extent_room;
	struct line_segment *segments;	/* of one unit */
	uint32_t segment_count, segment_room;
};

struct line_name {		/* a directory, or a file */
	const char *name;	/* NULL = unknown */
	uint32_t dir;		/* the file's directory */
	uint32_t known;		/* the number of the file's whole path, + 1; 0 = not asked for yet */
};

struct line_names {
	struct line_name *items;
	uint32_t count, room;
};

struct line_table {		/* its header, and where its program is */
	uint64_t offset;	/* in .debug_line */
	uint16_t version;
	unsigned offset_size;
	uint8_t least_length, operations, line_range, opcode_base;
	int8_t line_base;
	uint8_t operands[256];	/* of the standard opcodes */
	struct line_names dirs, files;
	uint64_t strings_bias;	/* references to .debug_line_str are too high by this */
	uint32_t loose, lost;	/* how many references lead into the middle of a string; how many out of the section */
	struct cursor program;
};

struct dwarf_unit {
	struct dwarf_reader *reader;
	Dwarf_Die die;
	Dwarf_Half version;
	unsigned address_size, offset_size;
	uint64_t rnglists_base, addr_base;	/* where its parts of these sections begin */
	uint64_t low_pc;	/* what its range lists are relative to */
	const char *dwo_name;	/* the .dwo file that has the unit's entries; NULL = the entries are here */
	uint64_t dwo_id;	/* the id of the unit in that file */
	bool is_split;		/* the entries are being read from that file */
	uint64_t ranges_base;	/* the entries add this to offsets into .debug_ranges */
	const char *comp_dir;	/* or NULL */
	struct line_table table;	/* empty if the unit has none */
	bool has_functions;	/* there is an entry of a function, with code or without */
	bool is_partial;	/* some entries may not have been read */
	Dwarf_Off start;	/* of its header */
	Dwarf_Off offset;	/* of the entry that was read last */
	Dwarf_Error error;	/* why it was rejected; NULL if not by libdwarf */
	const char *why;	/* the same, where it was not libdwarf */
};

/* What became of a unit. */
enum outcome {
	UNIT_OK = 0,
	UNIT_REJECTED = 1,	/* error or why says for what */
	UNIT_FATAL = -1		/* the reading's error is set */
};

enum outcome unit_reject(struct dwarf_unit *unit, const char *why);

struct unit_header {
	Dwarf_Half version, address_size, offset_size, kind;
	uint64_t dwo_id;	/* if KIND is that of a skeleton or a split unit */
	Dwarf_Off next;		/* where the next unit begins */
};

/* Open the reader's object.  Returns 1, or 0 after a warning.  The second function then reads the header of the next unit,
   which is at AT, and returns what libdwarf's functions return.  If the units so far leave libdwarf no room for another, it
   warns, and there is no next unit. */
int dwarf_open_object(struct dwarf_reader *reader);
int dwarf_next_unit(struct dwarf_reader *reader, Dwarf_Off at, struct unit_header *header, Dwarf_Error *error);

/* Warn about UNIT, unless there have been many such warnings; dwarf.c counts those that are left out. */
void unit_warn(struct dwarf_unit *unit, const char *format, ...) RS_PRINTF(2, 3);

/* Warn that the unit, or a part of it, was not read, and why.  Clears the error. */
void unit_warn_unread(struct dwarf_unit *unit);

/* What things cost: an entry or going past one, a range, a byte of a line table.  Ranges and lines become memory. */
enum { WORK_ENTRY = 1, WORK_RANGE = 64, WORK_LINES = 24 };

/* Spend N.  False if there was more than enough: things are used over and over, in ways no compiler makes. */
bool unit_work(struct dwarf_unit *unit, uint64_t n);

/* Why a unit is rejected that would need more of the reader's room than there is. */
#define UNIT_TOO_LARGE "more lines or ranges than an image of this size can have"

/* dwarf-abbrevs.c.  How much of the reader's objects libdwarf needs for the unit at OFFSET.  If it is more than MOST, returns
   some number above MOST. */
uint64_t dwarf_unit_cost(const struct dwarf_object *object, Dwarf_Off offset, uint64_t most);

/*
 * Line tables are read here, not by libdwarf.  It makes an object of more than a hundred bytes for each row, and all of
 * them at once: ten times the size of the file for one large unit.
 *
 * dwarf-files.c.  Read the header of the table at OFFSET of .debug_line.  unit_file() gives the number of the path of
 * a file, put together as GNU does it; 0 if there is none.
 */
enum outcome unit_open_files(struct dwarf_unit *unit, uint64_t offset);
enum outcome unit_file(struct dwarf_unit *unit, uint64_t index, uint32_t *ret);
void unit_close_files(struct dwarf_unit *unit);

/* dwarf-lines.c.  Run the table's program: fill the reader's segments, ascending and disjoint. */
enum outcome unit_read_lines(struct dwarf_unit *unit);

/* dwarf-scopes.c.  Add the unit's scopes to the reader's, and fill its extents.  If an entry cannot be read, the scopes before
   it stay, except those around it, whose inlined calls are not all known.  */
enum outcome unit_read_scopes(struct dwarf_unit *unit);

/* dwarf-ranges.c.  Add the ranges of an entry.  Range lists are read here as well: libdwarf 20210528 frees memory
   twice when it finds a damaged .debug_rnglists, whether anybody asks for it or not. */
enum outcome unit_add_range(struct dwarf_unit *unit, uint32_t scope, uint64_t low, uint64_t high);
enum outcome unit_read_ranges(struct dwarf_unit *unit, uint32_t scope, Dwarf_Attribute attribute);

/* Address number INDEX of the unit in .debug_addr.  If it does not exist, 0, where there is never code. */
uint64_t unit_address_at(const struct dwarf_unit *unit, uint64_t index);

/* dwarf-split.c.  The same as unit_read_scopes() for a unit whose entries are in a .dwo file. */
enum outcome unit_read_split(struct dwarf_unit *unit);
const char *dwarf_last_part(const char *path);

/* dwarf-names.c.  Name the reader's scopes from number FIRST on, which come from one .dwo file and refer only to each other.
   After that the file may be closed.  OFFSET is that of their unit in the image's .debug_info; it keeps all scopes in
   ascending order. */
int dwarf_name_scopes(struct dwarf_reader *reader, uint32_t first, Dwarf_Off offset);

/* Replace the scope numbers in READER's spans from number FIRST on and in its functions by names and
   frames. */
int dwarf_resolve(struct dwarf_reader *reader, uint32_t first_span, uint32_t first_function);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf-unit.h - what all the dwarf-*.c files share: the reader, one compilation unit, its budgets and its warnings
 *
 * The files call each other in one direction only: dwarf.c on top, then dwarf-split.c, dwarf-scopes.c, dwarf-entries.c and
 * dwarf-lines.c, then the rest, and dwarf-unit.c below all.  The declarations stand here in that order, the lowest file
 * first.
 *
 * Scopes are the entries of functions and of inlined calls.  The reader keeps those of all units, because an inlined
 * call may take its name from an entry of another unit, even of a later one.  So until all units are read, a span's
 * function is the number of a scope; dwarf_resolve() then puts names in.
 */
#ifndef DEBUGINFO_DWARF_UNIT_H
#define DEBUGINFO_DWARF_UNIT_H

#include "debuginfo/decoder.h"
#include "debuginfo/dwarf-object.h"
#include "debuginfo/extents.h"

enum { NO_SCOPE = UINT32_MAX };

struct scope {
	const char *name;	/* points into a section */
	uint32_t offset;	/* of its entry in .debug_info; the scopes ascend by it */
	uint32_t origin;	/* offset of the entry that describes it further; 0 = none */
	uint32_t parent;	/* for an inlined call the scope around it, else NO_SCOPE */
	uint32_t call_file, call_line;
	uint32_t string;	/* number of its name, once NAMED */
	uint32_t outer;		/* number of its first outer frame, once the frames are made */
	uint16_t depth;		/* how many outer frames it has */
	/* Bits, because an image can have a hundred thousand scopes. */
	bool linkage : 1;	/* NAME is a linkage name */
	bool used : 1;		/* some row needs it */
	bool named : 1;
};

struct line_segment {		/* a range of code with one line */
	uint32_t begin, end;
	uint32_t file, line;
	uint32_t sequence;	/* where its sequence of the line table begins */
};

struct passed_unit {
	uint32_t begin, end;	/* in .debug_info */
	bool needed;
};

struct abbreviations {		/* how the entries of a unit are encoded: dwarf-entries.c */
	struct abbreviation *items;	/* number N - 1 has code N */
	uint32_t count, room;
	struct abbreviated *values;	/* of all of them */
	uint32_t value_count, value_room;
};

struct dwarf_reader {
	struct reading *reading;
	struct dwarf_object *object;
	Dwarf_Debug dbg;
	uint32_t order;		/* of the next unit's spans */
	uint32_t warnings;	/* how many warnings about units there were */
	/* Budgets: what is left.  Each is a multiple of the input's size that compilers never need (dwarf.c). */
	uint64_t work;		/* for unit_work() */
	uint64_t objects;	/* bytes that libdwarf may keep for units */
	uint64_t room;		/* spans; also the most rows or ranges that one unit may have */
	uint8_t *lines_read;	/* a bit for each offset in .debug_line, set if all of the line table there has been read */
	/* Units that were passed over because they have nothing that is wanted: ascending by offset. */
	struct passed_unit *passed;
	uint32_t passed_count, passed_room;
	struct extent *passed_code;	/* their ranges; WHAT is a number of a passed unit */
	uint32_t passed_code_count, passed_code_room;
	uint32_t attempt;	/* how often the units were read from the first one on */
	bool quiet;		/* the unit was read before, with all warnings */

	struct scope *scopes;
	uint32_t scope_count, scope_room;
	struct extent *extents;	/* of the scopes of the current unit */
	uint32_t extent_count, extent_room;
	struct line_segment *segments;	/* of the current unit */
	uint32_t segment_count, segment_room;
	struct abbreviations abbreviations;
};

struct line_path {		/* a directory or a file of a line table */
	const char *name;	/* NULL = unknown */
	uint32_t dir;		/* number of the file's directory */
	uint32_t known;		/* 1 + number of the file's whole path as a string; 0 = not made yet */
};

struct line_paths {
	struct line_path *items;
	uint32_t count, room;
};

struct line_table {		/* the header of a line table, and where its program is */
	uint64_t offset;	/* in .debug_line */
	uint16_t version;
	unsigned offset_size;
	uint8_t least_length, operations, line_range, opcode_base;
	int8_t line_base;
	uint8_t operands[256];	/* how many operands each standard opcode has */
	struct line_paths dirs, files;
	uint64_t strings_bias;	/* references to .debug_line_str are too high by this */
	uint32_t loose;		/* how many references do not lead to the start of a string ... */
	uint32_t lost;		/* ... and how many of them lead out of the section */
	struct decoder program;
};

struct line_row {
	uint64_t address;
	uint32_t file;		/* in the unit's file table */
	uint32_t line;
};

struct line_sequence {
	uint32_t begin, end;	/* RVAs */
	uint32_t first, count;	/* the numbers of its rows */
	uint32_t order;		/* how many sequences come before it in the table */
};

struct line_rows {
	struct dwarf_unit *unit;
	struct line_row *rows;
	uint32_t row_count, row_room;
	uint32_t first;		/* row of the current sequence */
	struct line_sequence *sequences;
	uint32_t sequence_count, sequence_room;
};

struct dwarf_unit {
	struct dwarf_reader *reader;
	Dwarf_Die die;
	Dwarf_Half version;
	unsigned address_size, offset_size;
	uint64_t rnglists_base, addr_base;	/* where its parts of these sections begin */
	uint64_t low_pc;	/* its range lists are relative to this */
	const char *dwo_name;	/* the .dwo file that has the unit's entries; NULL = the entries are here */
	uint64_t dwo_id;	/* the id of the unit in that file */
	bool is_split;		/* the entries are being read from that file */
	uint64_t ranges_base;	/* what split entries add to offsets into .debug_ranges */
	const char *comp_dir;	/* or NULL */
	struct line_table table;	/* all zero if the unit has none */
	struct line_rows rows;	/* of that table */
	bool has_functions;	/* there is an entry of a function, with code or without */
	bool is_partial;	/* some entries may not have been read */
	bool has_own;		/* all its code is in its own ranges, which are ascending and disjoint: */
	struct extent *own;
	uint32_t own_count, own_at;	/* unit_span() has done those before number own_at */
	bool is_clipped;	/* it has something outside its ranges, which was left out */
	Dwarf_Off start, next;	/* of its header; of the next unit's */
	Dwarf_Off offset;	/* of the entry that was read last */
	Dwarf_Error error;	/* libdwarf's reason for the rejection, or NULL */
	const char *why;	/* our own reason, or NULL */
};

/* What became of a unit. */
enum outcome {
	UNIT_OK = 0,
	UNIT_REJECTED = 1,	/* the unit's error or why tells the reason */
	UNIT_FATAL = -1		/* the reading's error is set */
};

/* ------------------------------------------------------------------------------------- dwarf-unit.c */

/* Reject UNIT.  WHY is a string constant; the first reason is kept. */
enum outcome unit_reject(struct dwarf_unit *unit, const char *why);

/* Clear the reasons of UNIT: what could not be read is not necessary. */
void unit_forgive(struct dwarf_unit *unit);

/* Why a unit is rejected that would need more of the reader's room than there is. */
#define UNIT_TOO_LARGE "more lines or ranges than an image of this size can have"

/* Warn about UNIT.  After DWARF_MOST_WARNINGS the reader only counts them. */
enum { DWARF_MOST_WARNINGS = 10 };
void unit_warn(struct dwarf_unit *unit, const char *format, ...) RS_PRINTF(2, 3);

/* Warn that UNIT, or a part of it, was not read, and why.  Clears the reasons. */
void unit_warn_unread(struct dwarf_unit *unit);

/* The price of an entry that is read or skipped, of a range, of a byte of a line table.  Ranges and lines become
   memory. */
enum { WORK_ENTRY = 1, WORK_RANGE = 64, WORK_LINES = 24 };

/* Take N from the budget *LEFT; unit_work() takes it from the reader's work.  Returns false if less was left: then
   the input uses the same bytes again and again, as no compiler does. */
bool dwarf_spend(uint64_t *left, uint64_t n);
bool unit_work(struct dwarf_unit *unit, uint64_t n);

/* ---------------------------------------------------------------------------------- dwarf-headers.c */

struct unit_header {
	Dwarf_Half version, address_size, offset_size, kind;
	uint64_t dwo_id;	/* only where KIND is that of a skeleton or a split unit */
	Dwarf_Off next;		/* where the next unit begins */
};

/* Where the abbreviations of the unit at OFFSET begin. */
struct decoder dwarf_abbreviations(const struct dwarf_object *object, Dwarf_Off offset);

/* Open the reader's object.  Returns 1, or 0 after a warning. */
int dwarf_open_object(struct dwarf_reader *reader);

/* Read the header of the next unit, which is at AT.  Returns what libdwarf's functions return.  If libdwarf may not
   keep another unit, warns and returns DW_DLV_NO_ENTRY, as after the last unit. */
int dwarf_next_unit(struct dwarf_reader *reader, Dwarf_Off at, struct unit_header *header, Dwarf_Error *error);

/* ------------------------------------------------------------------------------------ dwarf-files.c */

/* Read the header of the line table at OFFSET of .debug_line into the unit's table, which unit_close_files() frees. */
enum outcome unit_open_files(struct dwarf_unit *unit, uint64_t offset);
void unit_close_files(struct dwarf_unit *unit);

/* Set *RET to the string number of the path of file INDEX; 0 if the table has no such file. */
enum outcome unit_file(struct dwarf_unit *unit, uint64_t index, uint32_t *ret);

/* ----------------------------------------------------------------------------------- dwarf-ranges.c */

struct entry_code {		/* what the attributes of an entry say about its code */
	bool has_low, has_high, high_is_length;
	uint64_t low, high;
	bool has_ranges, knows_ranges;	/* there is a range list; RANGES, which names it, could be read */
	uint64_t ranges;
	Dwarf_Half ranges_form;
};

/* Store ATTRIBUTE, which is DW_AT_low_pc, DW_AT_high_pc or DW_AT_ranges, in *CODE.  A value of the wrong kind counts as
   absent. */
void unit_code_attribute(struct dwarf_unit *unit, struct entry_code *code, Dwarf_Half number, Dwarf_Attribute attribute,
			 Dwarf_Half form);

/* Add the ranges of CODE to the reader's extents, for the scope number SCOPE. */
enum outcome unit_add_code(struct dwarf_unit *unit, const struct entry_code *code, uint32_t scope);

/* Address number INDEX of the unit in .debug_addr.  Returns 0, which is never code, if there is no such number. */
uint64_t unit_address_at(const struct dwarf_unit *unit, uint64_t index);

/* ----------------------------------------------------------------------------------- dwarf-wanted.c */

/* Read CODE, what the unit's entry says, into the reader's extents.  Then unit_find_own() makes the unit's own ranges of
   these and of the sequences of its line table.  It has none if the entry has none. */
enum outcome unit_read_own(struct dwarf_unit *unit, const struct entry_code *code);
enum outcome unit_find_own(struct dwarf_unit *unit);

/* Whether the unit may tell something about the code from BEGIN up to END: it has no ranges, or one around that.  If
   not, the unit is clipped. */
bool unit_owns(struct dwarf_unit *unit, uint32_t begin, uint32_t end);

/* Add the parts of SPAN in the unit's own ranges, if they are wanted; the unit is clipped if SPAN has other parts.  Call
   it with ascending spans. */
enum outcome unit_span(struct dwarf_unit *unit, const struct span *span);

/* Store in *PASSED whether the unit can be passed over, because it has nothing that is wanted. */
enum outcome unit_pass(struct dwarf_unit *unit, bool *passed);

/* When all units were read or passed over: whether some that were passed over are needed, so that all must be read
   again.  Then unit_pass() passes those over no more. */
bool dwarf_needs_more(struct dwarf_reader *reader, uint32_t first_function);

/* ----------------------------------------------------------------------------------- dwarf-frames.c */

/* Store the names of the scopes from number FIRST on, which all come from one .dwo file; after that the file can be
   closed.  Scopes of a .dwo file refer only to each other.  Also set their offsets to OFFSET, the offset of their unit in
   the image's .debug_info.  So all scopes stay in ascending order of offset. */
int dwarf_name_scopes(struct dwarf_reader *reader, uint32_t first, Dwarf_Off offset);

/* Replace scope numbers by names and frames, in the spans from number FIRST_SPAN on and in the functions from
   FIRST_FUNCTION on. */
int dwarf_resolve(struct dwarf_reader *reader, uint32_t first_span, uint32_t first_function);

/* ------------------------------------------------------------------------------------ dwarf-lines.c */

/* Run the program of the unit's line table: make the unit's rows and sequences, which unit_close_rows() frees.
   unit_scan_lines() need not make the rows. */
enum outcome unit_run_lines(struct dwarf_unit *unit);
enum outcome unit_scan_lines(struct dwarf_unit *unit);
void unit_close_rows(struct dwarf_unit *unit);

/* Replace the reader's segments by what the unit's rows say: ascending and disjoint.  Frees the rows. */
enum outcome unit_read_lines(struct dwarf_unit *unit);

/* ------------------------------------------------------------------------------------ dwarf-scope.c */

struct scope_entry {		/* what the attributes of a function or inlined call say */
	struct scope scope;
	struct entry_code code;
	bool has_call_file;
	uint64_t call_file;
};

/* Whether entries of TAG are scopes. */
static inline bool dwarf_is_scope(Dwarf_Half tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_entry_point;
}

/* Add ENTRY to the reader's scopes, and its ranges to the extents. */
enum outcome unit_add_scope(struct dwarf_unit *unit, struct scope_entry *entry);

/* ---------------------------------------------------------------------------------- dwarf-entries.c */

/* The deepest nesting of entries.  They nest as the source does. */
enum { DWARF_DEEPEST = 2048 };

/* Do what unit_read_scopes() does, if the unit has no fault and nothing unusual: then *DONE is set.  Else the unit and
   the reader are as before. */
enum outcome unit_read_entries(struct dwarf_unit *unit, bool *done);

/* ----------------------------------------------------------------------------------- dwarf-scopes.c */

/* Add the unit's scopes to the reader's, and replace its extents.  If an entry cannot be read, the unit is partial:
   the scopes before that entry stay, except those around it, whose inlined calls are not all known. */
enum outcome unit_read_scopes(struct dwarf_unit *unit);

/* ------------------------------------------------------------------------------------ dwarf-split.c */

/* The same as unit_read_scopes() for a unit whose entries are in a .dwo file. */
enum outcome unit_read_split(struct dwarf_unit *unit);

#endif

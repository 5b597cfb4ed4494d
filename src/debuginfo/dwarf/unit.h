/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit.h - what the files of this folder share: the reader, one unit, its line table, budgets, warnings, and the
 * functions of each file
 *
 * A unit is the DWARF of one source file.  A budget limits the work or memory that a hostile file can cause.  The files
 * call each other in one direction only.  src/README lists them from the lowest one to dwarf.c.
 */
#ifndef DEBUGINFO_DWARF_UNIT_H
#define DEBUGINFO_DWARF_UNIT_H

#include "debuginfo/dwarf/forms.h"
#include "debuginfo/dwarf/dwarf-sections.h"

/*
 * Line tables: .debug_line and .debug_line_str (DWARF 5, 6.2).
 *
 * A line table is a header with directories and files, and a program for a simple machine, which makes rows.  A row
 * has an address, and the file and line of the code from there up to the next row.  Rows come in sequences of
 * ascending addresses, one for each stretch of code.
 */

struct line_path {	  /* a directory or a file of a line table */
	const char *name; /* NULL = unknown */
	uint32_t dir;	  /* for a file, index of its directory */
	uint32_t string;  /* 1 + string number of the file's full path; 0 = not made yet */
};

struct line_paths {
	struct line_path *items;
	uint32_t count, room;
};

struct line_table {	 /* the header of a line table, and where its program is */
	uint64_t offset; /* where the table begins in .debug_line */
	struct unit_encoding encoding;
	uint8_t least_length, operations, line_range, opcode_base;
	int8_t line_base;
	uint8_t operands[256]; /* how many operands each opcode below opcode_base has */
	struct line_paths dirs, files;
	uint64_t strings_bias; /* what linkers wrongly added to offsets in .debug_line_str (line-header.c) */
	uint32_t mid_string;   /* how many offsets of names do not lead to the start of a string */
	uint32_t out_of_range; /* how many of these offsets lead out of the section */
	struct decoder program;
};

struct line_row {
	uint64_t address;
	uint32_t file; /* index in the table's files */
	uint32_t line; /* if details are wanted, it can be the number of a place (places.h) */
};

struct line_sequence {
	uint32_t begin, end;   /* RVAs */
	uint32_t first, count; /* its rows: COUNT items of line_rows.rows, from index FIRST on */
	uint32_t order;	       /* how many sequences come before it in the table */
};

struct line_rows { /* the rows and sequences that the program of a line table makes */
	struct dw_unit *unit;
	const uint8_t *at;     /* the opcode that is being run, for messages */
	struct line_row *rows; /* NULL: only the sequences are made */
	uint32_t row_count, row_room;
	uint32_t first;	  /* index of the first row of the current sequence */
	uint64_t lowest;  /* lowest address in the current sequence */
	bool is_unsorted; /* the rows of the current sequence do not ascend */
	struct line_sequence *sequences;
	uint32_t sequence_count, sequence_room;
};

struct line_segment { /* a range of code with one line */
	uint32_t begin, end;
	uint32_t file, line;
	uint32_t sequence; /* RVA at which its sequence of the line table begins */
};

/* The "name" of a scope of which only the string number of the name was kept.  Any text that is not empty would do. */
#define DW_KEPT_NAME "kept"

struct scope {		  /* a function or an inlined call */
	const char *name; /* points into a section, or is DW_KEPT_NAME; NULL = its entry has no name */
	uint32_t offset;  /* offset of its entry in .debug_info, by which scopes ascend */
	uint32_t origin;  /* offset of another entry that has more of its attributes, such as its name; 0 = none */
	uint32_t parent;  /* for an inlined call: its index minus that of the scope around it; else 0 */
	union {
		struct { /* for an inlined call: from where it was called */
			uint32_t call_file, call_line;
		};
		/* For a function: RVAs of its first range.  Both are 0 if it has no code.  END alone is 0 if that range
		   is not within the unit's ranges, or the range list is damaged. */
		struct {
			uint32_t begin, end;
		};
	};
	/* if NAMED, string number of the scope's name (0 = unknown); else of NAME (0 = not made yet) */
	uint32_t string;
	uint32_t outer; /* number of its caller's frame; 0 = none, or not made yet */
	/* Bit-fields save memory, because an image can have a hundred thousand scopes. */
	uint32_t linkage : 1; /* NAME is a linkage name */
	uint32_t used : 1;    /* some span uses it, or a scope inside it */
	uint32_t named : 1;   /* set_scope_name_and_place() was called for it */
	/* If details are wanted: 1 + index of a place with the file and the line of its declaration.  Until NAMED,
	   the place has only what is in the scope's own entry. */
	uint32_t start : 29;
};

/* Store NUMBER, which rs_places_add() has made for a place, in scope->start.  scope_declaration() returns it, or 0. */
static inline void scope_set_declaration(struct scope *scope, uint32_t number)
{
	scope->start = number ? (number - PLACES_FIRST + 1) & ((UINT32_C(1) << 29) - 1) : 0;
}

static inline uint32_t scope_declaration(const struct scope *scope)
{
	return scope->start ? PLACES_FIRST + scope->start - 1 : 0;
}

struct dw_reader {
	struct reading *reading;
	struct dw_keep *keep;	     /* the cache */
	struct dw_sections sections; /* sections of the image */
	uint32_t warnings;	     /* how many warnings about units there were */
	/* What is left of the budgets.  Each budget is in proportion to the size of the input, and larger
	   than compilers need (dwarf.c). */
	uint64_t work_left;  /* work that may still be done: rs_unit_spend_work() */
	uint64_t spans_left; /* spans that may still be made; also limits the rows and the ranges of one unit */
	/* a bit for each offset in .debug_line, set if the line table that begins there was read for an earlier unit */
	uint8_t *lines_read;
	uint32_t attempt;  /* how often reading has begun again with the first unit */
	bool is_surveying; /* only the ranges in the first entries of units are read (dwarf.c) */
	bool quiet;	   /* give no warnings: an earlier attempt has read this unit and warned, or a later one will */

	struct scope *scopes;
	uint32_t scope_count, scope_room;
	struct extent *extents; /* code of the current unit: first its own ranges, later those of its scopes */
	uint32_t extent_count, extent_room;
	struct abbreviations abbreviations;
	struct split_file *split; /* split.c: the .dwo or .dwp file that is open, or NULL */
};

struct unit_header {
	struct unit_encoding encoding;
	uint8_t kind; /* DW_UT_*; before DWARF 5 DW_UT_compile; 0 = there are no entries */
	/* offsets in .debug_info: of the header, of the unit's first entry, of the next unit */
	uint32_t start, entries, next;
	uint64_t abbreviations;			  /* offset in .debug_abbrev */
	uint64_t dwo_id;			  /* before DWARF 5 it is an attribute; 0 = none */
	uint64_t str_offsets_base, rnglists_base; /* offsets of the unit's parts of these sections */
};

struct known_unit {	     /* what is known of a unit; the cache can keep it */
	uint32_t begin, end; /* where the unit begins and ends in .debug_info */
	bool skipped;	     /* its entries are not read in this attempt: none of its code is wanted (reading.h) */
	bool has_lines;
	uint64_t lines;	       /* if HAS_LINES, offset of its line table in .debug_line */
	struct extent *ranges; /* all its code is in these ranges, which are ascending and disjoint */
	uint32_t range_count;  /* 0: its ranges are unknown */
	bool is_surveyed;      /* its line table was not read, which may add to RANGES */
	bool has_fault;	       /* an earlier attempt has warned of it */
	uint64_t code_size;    /* bytes of code in its known ranges, else of its lines */
	bool is_read;	       /* its line table and its entries were read into the other members */
	bool has_functions;    /* it has entries of functions, with code or without; or they are in a .dwo file */
	struct line_segment *segments; /* its lines, ascending and disjoint */
	uint32_t segment_count, segment_room;
	struct extent *extents; /* code of its scopes, ascending and disjoint */
	uint32_t extent_count;
	uint32_t scope_count;
	struct scope *scopes; /* in the cache: copies of its scopes */
};

struct dw_keep { /* the cache */
	struct dw_sections sections;
	struct known_unit *units; /* ascending by offset */
	uint32_t count, room;
	uint32_t next;	       /* index after that of the unit which was found last */
	struct extent *claims; /* the claimed code (dwarf.c), ascending and disjoint */
	uint32_t claim_count, claim_room;
	bool has_claims;      /* the claimed code is known */
	bool wants_all_lines; /* the line tables of all units must be read, to find all their ranges */
	struct shift_found shift;
};

struct dw_unit {
	struct dw_reader *reader;
	const struct dw_sections *sections; /* the sections with its entries: of the image or a .dwo file */
	struct unit_header header;	    /* the unit's header in SECTIONS */
	struct value values[AT_OF_UNIT];    /* values of its first entry; the next five fields come from these */
	uint64_t low;			    /* the address to which its ranges are relative */
	uint64_t addr_base;		    /* offset of its part of .debug_addr */
	uint64_t ranges_base; /* before DWARF 5: added to offsets into .debug_ranges that are in a .dwo file */
	const char *dwo_name; /* the .dwo file that has the unit's entries; NULL = the entries are here */
	const char *comp_dir; /* the compilation directory; NULL = unknown */

	struct line_table table; /* all zeros if the unit has none */
	struct line_rows rows;	 /* rows of TABLE */
	bool is_split;		 /* entries are being read from a .dwo file */
	/* index in reader->scopes of the unit's first scope; the "what" of extents is a scope's index minus this */
	uint32_t first_scope;
	uint32_t entry;	 /* offset in .debug_info of the entry that is being read */
	bool is_partial; /* reading failed at ENTRY: scopes around and after ENTRY are not used */
	struct known_unit known;
	uint32_t range_at;	 /* index of the first range that add_wanted_span() may still need */
	uint64_t in_scopes;	 /* how many bytes of code are in scopes that were read */
	bool is_clipped;	 /* functions or inlined calls are outside the unit's ranges, and were left out */
	struct fault {		 /* why the unit, or a part of it, is not used */
		const char *why; /* NULL = there is no fault */
		enum dw_section_id section;
		uint64_t offset;
	} fault;
};

/* Store a fault of UNIT: WHY, a string constant, describes the fault, which is at the byte AT of the unit's section ID.
   An earlier fault stays.  Returns UNIT_REJECTED. */
enum outcome rs_unit_reject(struct dw_unit *unit, enum dw_section_id id, const uint8_t *at, const char *why);

/* The fault of a unit that needs more spans, rows or ranges than reader->spans_left. */
#define UNIT_TOO_LARGE "more lines or ranges than an image of this size can have"

/* Warn about UNIT with formatted text.  After DW_WARNINGS_MAX warnings about units, only count further ones. */
enum { DW_WARNINGS_MAX = 10 };
void rs_unit_warn(struct dw_unit *unit, const char *format, ...) COMPAT_PRINTF(2, 3);

/* Warn that UNIT is left out, or a part of it if unit->is_partial, and why: unit->fault, which is then cleared. */
void rs_unit_warn_unread(struct dw_unit *unit);

/* Prices in the budget of work: for a byte of entries, a byte of abbreviations, a byte of a line table, and a range.
   Lines and ranges cost more because they become memory. */
enum { WORK_ENTRIES = 1, WORK_ABBREVIATIONS = 4, WORK_LINES = 24, WORK_RANGE = 64 };

/* rs_dw_spend_budget() takes N from the budget *LEFT, rs_unit_spend_work() from reader->work_left.  If less is left,
   both set the budget to 0 and return false: the input, unlike a compiler's, refers to bytes again and again. */
bool rs_dw_spend_budget(uint64_t *left, uint64_t n);
bool rs_unit_spend_work(struct dw_unit *unit, uint64_t n);

/* Returns the cached unit that contains OFFSET of .debug_info; NULL if there is none. */
struct known_unit *rs_known_unit_at(struct dw_reader *reader, uint64_t offset);

/* ---------------------------------------------------------------------------------------- values.c */

/* Find the address that VALUE has, or that it refers to by an index in .debug_addr. */
bool rs_value_address(const struct dw_unit *unit, const struct value *value, uint64_t *ret);

/* Find item INDEX of the unit's part of section ID: in DW_ADDR an address, in DW_STR_OFFSETS the offset of a string, in
   DW_RNGLISTS the offset of a range list from the beginning of the part. */
bool rs_unit_number_at(const struct dw_unit *unit, enum dw_section_id id, uint64_t index, uint64_t *ret);

/* Find the offset in .debug_info of the entry that VALUE refers to. */
bool rs_value_reference(const struct dw_unit *unit, const struct value *value, uint32_t *ret);

/* Find the string that VALUE has or refers to.  *RET points into a section. */
bool rs_value_string(const struct dw_unit *unit, const struct value *value, const char **ret);

/* Add the ranges of the entry with VALUES to the reader's extents, with SCOPE as their "what". */
enum outcome rs_unit_add_entry_ranges(struct dw_unit *unit, const struct value *values, uint32_t scope);

/* Read the ranges in the unit's first entry into the reader's extents. */
enum outcome rs_unit_read_ranges(struct dw_unit *unit);

/* Returns true if one of the unit's ranges contains all code from BEGIN up to END, or the ranges are unknown.  Else the
   unit must not answer for this code: sets unit->is_clipped, and returns false. */
bool rs_unit_check_in_ranges(struct dw_unit *unit, uint32_t begin, uint32_t end);

/* ---------------------------------------------------------------------------------------- header.c */

enum { /* types of units (DWARF 5, 7.5.1) */
       DW_UT_compile = 0x01,
       DW_UT_type = 0x02,
       DW_UT_partial = 0x03,
       DW_UT_skeleton = 0x04,
       DW_UT_split_compile = 0x05,
       DW_UT_split_type = 0x06,
};

/* Read the header at OFFSET of .debug_info in the unit's sections into unit->header.  The unit's kind becomes 0 if
   its length is 0, as some linkers leave it.  If the unit is rejected because it would end after the section,
   header.next is 0: then the offset of the next unit is unknown. */
enum outcome rs_unit_read_header(struct dw_unit *unit, uint32_t offset);

/* Read the unit's abbreviations into reader->abbreviations, unless they are there already.  If LAST is not 0, read only
   the abbreviation with the code LAST. */
enum outcome rs_unit_read_abbreviations(struct dw_unit *unit, uint64_t last);

/* Read the attributes of the unit's first entry.  If the unit has no entry, its kind becomes 0. */
enum outcome rs_unit_read_first_entry(struct dw_unit *unit);

/* ---------------------------------------------------------------------------------- line-header.c */

/* Read the header of the line table at OFFSET of .debug_line into unit->table; rs_unit_free_line_table() frees it. */
enum outcome rs_unit_read_line_header(struct dw_unit *unit, uint64_t offset);
void rs_unit_free_line_table(struct dw_unit *unit);

/* Add to the line table the file whose description is next in *C, in the form up to DWARF 4. */
enum outcome rs_unit_define_file(struct dw_unit *unit, struct decoder *c);

/* Store in *RET the string number of the path of file INDEX; 0 if there is no such file, or its name is unknown. */
enum outcome rs_unit_find_path_of_file(struct dw_unit *unit, uint64_t index, uint32_t *ret);

/* --------------------------------------------------------------------------------- line-program.c */

/* Run the program of the unit's line table: make unit->rows, which rs_unit_free_line_rows() frees.  Makes only the
   sequences if the reader's extents (the ranges of the first entry) have no wanted code, and there cannot be too many
   rows; if the rows are needed later, rs_unit_make_segments() makes them. */
enum outcome rs_unit_run_line_program(struct dw_unit *unit);
void rs_unit_free_line_rows(struct dw_unit *unit);

/* Make unit->known.segments from the unit's rows.  If rs_unit_run_line_program() has made only sequences, run the
   program again to make the rows first.  Frees the rows. */
enum outcome rs_unit_make_segments(struct dw_unit *unit);

enum outcome {
	UNIT_OK = 0,
	UNIT_REJECTED = 1, /* the unit cannot be used; unit->fault has the reason */
	UNIT_FATAL = -1,   /* the reading of all units must end; reading->err has the error */
};

/* --------------------------------------------------------------------------------------- entries.c */

enum { /* tags (DWARF 5, 7.5.3) */
       DW_TAG_entry_point = 0x03,
       DW_TAG_inlined_subroutine = 0x1d,
       DW_TAG_subprogram = 0x2e,
};

/* A unit whose entries nest deeper is read only in part.  Entries nest as the scopes of the source do. */
enum { DW_DEPTH_MAX = 2048 };

/* Add the unit's functions and inlined calls to the reader's scopes, and replace the reader's extents by their code.
   If an entry cannot be read, set unit->is_partial, and keep the code of the scopes before that entry, except those
   around it: some of their inlined calls are unknown. */
enum outcome rs_unit_read_scopes(struct dw_unit *unit);

/* ---------------------------------------------------------------------------------- outer-frames.c */

/* Name the scopes from index FIRST on, all from one unit of a .dwo file, so that the file can be closed.  Such scopes
   get names only from each other.  Set their offsets to OFFSET, the offset of the unit's skeleton in .debug_info of the
   image, so that all scopes of the reader stay in ascending order of offset. */
int rs_dw_name_scopes(struct dw_reader *reader, uint32_t first, uint32_t offset);

/* Clear "skipped" of the units that have names which scopes of spans or functions need, so that the next attempt reads
   these units.  Returns whether there are any. */
bool rs_dw_mark_units_with_names(struct dw_reader *reader);

/* Replace indices of scopes by names and frames, in spans and functions.  Returns 0; or -1 after storing an error. */
int rs_dw_resolve_scope_indices(struct dw_reader *reader);

/* ----------------------------------------------------------------------------------------- split.c */

/* As rs_unit_read_scopes(), for a unit whose entries are in one of options->dwos, a .dwo or .dwp file.  Warns if the
   file is not there. */
enum outcome rs_unit_read_split(struct dw_unit *unit);

/* Close the .dwo or .dwp file that is open, if there is one. */
void rs_dw_close_split(struct dw_reader *reader);

/* ----------------------------------------------------------------------------------------- moved.c */

/* Find out from symbols by how much the image was moved (symbols/shift.c), unless the cache has the result, and correct
   reading->symbols.base.  Returns 1; 0 after a warning, if DWARF cannot be used; or -1 after storing an error. */
int rs_dw_correct_base(struct dw_reader *reader);

/* ----------------------------------------------------------------------------------------- dwarf.c */

/* Add the spans, functions and frames of all DWARF units to READING.  A unit that cannot be read is left out, with a
   warning.  Returns 0; or -1 after storing an error. */
int rs_dwarf_read(struct reading *reading);

/* Free KEEP, the cache of rs_dwarf_read(), unless it is NULL. */
void rs_dwarf_free_kept_units(struct dw_keep *keep);

#endif

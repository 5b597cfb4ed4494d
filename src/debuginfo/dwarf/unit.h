/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit.h - what all files of this folder share: the reader, one unit, its budgets and its warnings
 *
 * The files call each other in one direction only.  src/README lists them from the lowest one to dwarf.c.
 */
#ifndef DEBUGINFO_DWARF_UNIT_H
#define DEBUGINFO_DWARF_UNIT_H

#include "debuginfo/dwarf/abbreviations.h"
#include "debuginfo/dwarf/line.h"
#include "debuginfo/dwarf/outcome.h"
#include "debuginfo/dwarf/dwarf-sections.h"
#include "debuginfo/base/extents.h"

enum { NO_SCOPE = UINT32_MAX };

struct scope {		  /* a function or an inlined call */
	const char *name; /* points into a section, or to one of the reader's copies */
	uint32_t offset;  /* of its entry in .debug_info; the scopes ascend by it */
	uint32_t origin;  /* offset of the entry that describes it further; 0 = none */
	uint32_t parent;  /* for an inlined call the scope around it, else NO_SCOPE */
	union {
		struct { /* of an inlined call */
			uint32_t call_file, call_line;
		};
		struct
		{ /* of a function: RVAs of its first range; BEGIN is 0 if it has no code, END if the unit does not own it */
			uint32_t begin, end;
		};
	};
	uint32_t string; /* number of its name, once NAMED */
	uint32_t outer;	 /* number of its first outer frame, once the frames are made */
	uint16_t depth;	 /* how many outer frames it has */
	/* Bits, because an image can have a hundred thousand scopes. */
	bool linkage : 1; /* NAME is a linkage name */
	bool used : 1;	  /* some row needs it */
	bool named : 1;
};

struct dw_reader {
	struct reading *reading;
	struct dw_keep *keep;	     /* known.h */
	struct dw_sections sections; /* of the image */
	uint32_t order;		     /* of the next unit's spans */
	uint32_t warnings;	     /* how many warnings about units there were */
	/* Budgets: what is left.  Each is a multiple of the input's size that compilers never need (dwarf.c). */
	uint64_t work; /* for unit_work() */
	uint64_t room; /* spans; also the most rows or ranges that one unit may have */
	/* a bit for each offset in .debug_line, set if all of the line table there has been read */
	uint8_t *lines_read;
	uint32_t attempt; /* how often the units were read from the first one on */
	bool has_passed;  /* some were passed over */
	bool quiet;	  /* the unit was read before, with all warnings */

	struct scope *scopes;
	uint32_t scope_count, scope_room;
	struct extent *extents; /* of the scopes of the current unit */
	uint32_t extent_count, extent_room;
	struct line_segment *segments; /* of the current unit */
	uint32_t segment_count, segment_room;
	struct abbreviations abbreviations;
	struct name_block *names;   /* copies of names: dw_keep_name() */
	struct split_file *package; /* split.c: the .dwp file that is open, or NULL */
};

struct unit_header {
	struct unit_encoding encoding;
	uint8_t kind; /* DW_UT_*; before DWARF 5 DW_UT_compile */
	/* offsets in .debug_info: of the header, of the unit's own entry, of the next unit */
	uint32_t start, entries, next;
	uint64_t abbreviations;			  /* offset in .debug_abbrev */
	uint64_t dwo_id;			  /* before DWARF 5 an attribute says it; 0 = none */
	uint64_t str_offsets_base, rnglists_base; /* where its parts of these sections begin */
};

struct entry_code { /* what the attributes of an entry say about its code */
	bool has_low, has_high, high_is_length;
	uint64_t low, high;
	bool has_ranges, knows_ranges; /* there is a range list; RANGES, which names it, could be read */
	bool ranges_is_index;	       /* RANGES is the number of a list, not its offset */
	uint64_t ranges;
};

struct dw_unit {
	struct dw_reader *reader;
	const struct dw_sections *sections; /* where its entries are: in the image, or in a .dwo file */
	struct unit_header header;	    /* the one in SECTIONS */
	/* From the attributes of its own entry: */
	struct entry_code code;
	bool has_lines;
	uint64_t lines;	      /* offset of its line table */
	uint64_t addr_base;   /* where its part of .debug_addr begins */
	uint64_t ranges_base; /* what entries in a .dwo file add to offsets into .debug_ranges, before DWARF 5 */
	const char *dwo_name; /* the .dwo file that has the unit's entries; NULL = the entries are here */
	const char *comp_dir; /* or NULL */

	struct line_table table; /* all zero if the unit has none */
	struct line_rows rows;	 /* of that table */
	bool is_split;		 /* entries are being read from a .dwo file */
	bool has_functions;	 /* there is an entry of a function, with code or without */
	uint32_t entry;		 /* offset in .debug_info of the entry that is being read */
	bool is_partial;	 /* some entries may not have been read: those around and after that one */
	bool has_own;		 /* all its code is in its own ranges, which are ascending and disjoint: */
	struct extent *own;
	uint32_t own_count, own_at; /* unit_span() has done those before number own_at */
	uint64_t code_size;	    /* how many bytes are in its ranges, as far as they are known; */
	uint64_t in_scopes;	    /* ... and how many of its functions were read */
	bool is_clipped;	    /* it has something outside its ranges, which was left out */
	bool is_passed;		    /* over, as nothing of it is wanted */
	struct known_code *kept;    /* a copy of its code, or NULL */
	struct fault {		    /* why the unit, or a part of it, is not read */
		const char *why;    /* NULL = there is no fault */
		enum dw_section_id section;
		uint64_t offset;
	} fault;
};

/* Reject UNIT for what is AT a place in section ID of its sections.  WHY is a string constant; the first fault
   is kept. */
enum outcome unit_reject(struct dw_unit *unit, enum dw_section_id id, const uint8_t *at, const char *why);

/* If all units are read, the bytes of those that were read are given back.  So copy *NAME, of a scope, if it is in
   .debug_info, as short names are.  Returns 0, or -1 without memory. */
int dw_keep_name(struct dw_reader *reader, const char **name);
void dw_names_clear(struct dw_reader *reader);

/* Why a unit is rejected that would need more of the reader's room than there is. */
#define UNIT_TOO_LARGE "more lines or ranges than an image of this size can have"

/* Warn about UNIT.  After DW_MOST_WARNINGS the reader only counts them. */
enum { DW_MOST_WARNINGS = 10 };
void unit_warn(struct dw_unit *unit, const char *format, ...) RS_PRINTF(2, 3);

/* Warn that UNIT, or a part of it, was not read, and why.  Clears the fault. */
void unit_warn_unread(struct dw_unit *unit);

/* The price of a byte of entries, of abbreviations, of a line table, and of a range.  Ranges and lines
   become memory. */
enum { WORK_ENTRIES = 1, WORK_ABBREVIATIONS = 4, WORK_LINES = 24, WORK_RANGE = 64 };

/* Take N from the budget *LEFT; unit_work() takes it from the reader's work.  Returns false if less was left: then
   the input uses the same bytes again and again, as no compiler does. */
bool dw_spend(uint64_t *left, uint64_t n);
bool unit_work(struct dw_unit *unit, uint64_t n);

#endif

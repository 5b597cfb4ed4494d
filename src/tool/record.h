/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.h - answers in the three output styles: that of GNU addr2line, and two of llvm-symbolizer
 *
 * GNU  record   = [ address ] , ( notfound | frame , { more } )
 *      address  = "0x" digits ( "\n" | ": " if pretty )                        8 digits or 16
 *      notfound = [ "??" ( "\n" | " " if pretty ) if functions ] "??:0\n"
 *      frame    = [ name ( "\n" | " at " if pretty ) if functions ] file ":" ( line | "?" ) "\n"
 *      more     = [ " (inlined by) " if pretty ] frame                        with inlines: outer frames
 *
 * LLVM record   = [ address ] , frame , { more } , "\n"
 *      address  = as above, but as many digits as it takes
 *      frame    = [ name ( "\n" | " at " if pretty ) if functions ] file ":" line ":" column "\n"
 *      Unknown parts are "??" or 0; column is always 0, because a table has no columns.
 *
 * JSON one object a record, with the keys of llvm-symbolizer and always with the function; indented if pretty.  With inlines
 *      it has a symbol for each frame, the innermost first.
 *
 * Without inlines LLVM and JSON print the place of the innermost frame with the function of the outermost one, if the table has a
 * block: LLVM's tools do so.
 */
#ifndef TOOL_RECORD_H
#define TOOL_RECORD_H

#include "rossym.h"
#include "tool/json.h"
#include "tool/out.h"
#include "tool/paths.h"
#include "tool/query.h"
#include "tool/shown.h"

enum record_form { RECORD_GNU, RECORD_LLVM, RECORD_JSON };

/* Whether FRAME, from rossym_lookup_many(), is an answer: it is all zeros if nothing is known. */
static inline bool frame_is_known(const struct rossym_frame *frame)
{
	return frame->function || frame->file || frame->line;
}

struct record_style {
	enum record_form form;
	bool addresses;
	bool functions;
	bool pretty;
	bool demangle;
	bool no_recursion_limit;	/* of the demangler */
	bool readable;			/* ROSSYM_STRING_READABLE bytes of each string can be read, as after rossym_prepare() */
	int digits;			/* of an address in GNU's form: 8 or 16 */
	/* With inlines: the image, if it has a block; the block has been read.  Else NULL. */
	struct rossym_image *inlines;
	/* The same for the styles of LLVM, with inlines or without. */
	struct rossym_image *block;
	uint64_t image_base;		/* for StartAddress in JSON */
	const char *module;		/* the image's path, for JSON */
	struct paths paths;
	struct json json;
	struct shown_cache shown_functions, shown_files;
};

/* Find a form by its name: "GNU", "JSON", or "LLVM" in upper or lower case.  False: there is none of that name. */
bool record_form_by_name(const char *name, enum record_form *form);

/* Make a copy of STYLE for another thread.  It borrows path mappings from STYLE. */
void record_style_fork(struct record_style *fork, const struct record_style *style);
void record_style_clear(struct record_style *style);	/* except the path mappings */

/* Call these before and after the records of operands: in JSON they are one array. */
void record_open_array(struct record_style *style, struct out *out);
void record_close_array(struct record_style *style, struct out *out);

/* Print the records of COUNT addresses; a frame of all zeros means that nothing is known.  False: no memory. */
bool records_print(struct record_style *style, struct out *out, const uint64_t *addresses,
		   const struct rossym_frame *frames, size_t count);

/* Returns the function or the file of FRAME as STYLE shows it; FRAME must have one.  Valid until the next call for
   another frame.  A text of NULL: no memory. */
struct shown record_function(struct record_style *style, const struct rossym_frame *frame);
struct shown record_file(struct record_style *style, const struct rossym_frame *frame);

/* Print the record of a query that is not QUERY_ADDRESS: nothing is known there.  False: no memory. */
bool record_print_failure(struct record_style *style, struct out *out, const struct query *query);

#endif

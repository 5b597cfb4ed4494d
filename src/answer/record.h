/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.h - prints answers in three output styles: GNU addr2line's, and LLVM and JSON of llvm-symbolizer
 *
 * GNU  record   = [ address ] , ( notfound | frame , { more } )
 *      address  = "0x" digits ( "\n" | ": " if pretty )                        8 digits or 16
 *      notfound = [ "??" ( "\n" | " " if pretty ) if functions ] "??:0\n"
 *      frame    = [ name ( "\n" | " at " if pretty ) if functions ] file ":" ( line | "?" ) "\n"
 *      more     = [ " (inlined by) " if pretty ] frame                        with -i: the outer frames
 *
 * LLVM record   = [ address ] , frame , { more } , "\n"
 *      address  = as above, but without leading zeros
 *      frame    = [ name ( "\n" | " at " if pretty ) if functions ] file ":" line ":" column "\n"
 *      Unknown parts are "??" or 0; column is 0 in an image with a table.
 *
 * JSON with the keys of llvm-symbolizer: the function is always there, with or without -f.  With -i, a record has a
 *      symbol for each frame, the innermost first.  With -p, records are indented.
 *
 * Without -i, LLVM and JSON print file and line of the innermost frame with the function of the outermost one, if the
 * table has an extension block, because LLVM's tools do so.
 */
#ifndef ANSWER_RECORD_H
#define ANSWER_RECORD_H

#include "rossym.h"
#include "answer/query.h"
#include "tool/demangle.h"
#include "tool/json.h"
#include "tool/out.h"
#include "tool/paths.h"

struct display_name {
	const char *text;
	size_t length;
};

enum record_form { RECORD_GNU, RECORD_LLVM, RECORD_JSON };

struct display_slot;

struct record_style {
	enum record_form form;
	bool addresses;
	bool functions;
	bool pretty;
	bool demangle;
	bool base_names; /* show mangled names as demangle_to_base_name() returns them, whatever `demangle` is */
	bool no_recursion_limit; /* the demangler has no limit of recursion */
	/* The image is prepared: ROSSYM_STRING_READABLE bytes of each string may be read, even beyond its NUL. */
	bool overreadable;
	int digits; /* how many digits an address has in GNU addr2line's style: 8 or 16 */
	/* With -i: the image, or NULL if it has no extension block.  Without -i: NULL. */
	struct rossym_image *inlines;
	/* The image, if its extension block is to give the outermost function of each address, with or without -i: for
	   LLVM and JSON, which show functions.  NULL: that is not needed, or there is no usable block. */
	struct rossym_image *outermost_from;
	uint64_t image_base; /* of the image, for StartAddress in JSON */
	const char *module;  /* the image's path, for JSON */
	/* For LLVM and JSON: answers come from debug information, so columns and other details are looked up, too */
	bool details;
	const struct query *symbol; /* JSON: the symbol that the next record is for; NULL: it is for an address */
	size_t module_length; /* length of `module`, if known to be short and to need no escapes in JSON; else 0 */
	struct paths paths;
	struct json json;
	/* A cache of demangled names and mapped paths, by the pointers to the table's strings; NULL: empty.  Making one
	   takes a microsecond, fifty times as long as a look-up, and many answers have the same name.  Without the
	   cache, a million addresses with --path-map take 1.3 times as long. */
	struct display_slot *shown;
};

/* Store in *FORM the form called NAME: GNU, LLVM or JSON, in upper or lower case.  False if NAME is none of these. */
bool record_find_form(const char *name, enum record_form *form);

/* Copy STYLE to FORK for another thread.  FORK gets its own caches, but shares path mappings: STYLE must stay valid. */
void record_style_copy_for_thread(struct record_style *fork, const struct record_style *style);
void record_style_clear(struct record_style *style); /* frees all but the path mappings */

/* Whether FRAME, from rossym_lookup_many() or rossym_lookup_frames(), has an answer; if not, it is all zeros. */
static inline bool frame_is_known(const struct rossym_frame *frame)
{
	return frame->function || frame->file || frame->line;
}

static inline bool style_demangles(const struct record_style *style)
{
	return style->demangle || style->base_names;
}

/* Returns TEXT, of LENGTH bytes, as STYLE shows it: if IS_FILE, a mapped path; else a demangled name of a function.
   The result is valid as long as that of record_get_function(). */
struct display_name record_get_shown_form(struct record_style *style, bool is_file, const char *text, size_t length);

/* Returns the function of FRAME, which must have one, as STYLE shows it.  The result is valid until the next call for
   another frame.  Its `text` is NULL if there is no memory. */
static inline struct display_name record_get_function(struct record_style *style, const struct rossym_frame *frame)
{
	if (style_demangles(style) && (demangle_may_change(*frame->function) || demangle_may_change_all()))
		return record_get_shown_form(style, false, frame->function, frame->function_length);
	return (struct display_name){ frame->function, frame->function_length };
}

/* Does for the file of FRAME what record_get_function() does for the function. */
static inline struct display_name record_get_file(struct record_style *style, const struct rossym_frame *frame)
{
	if (!paths_are_plain(&style->paths))
		return record_get_shown_form(style, true, frame->file, frame->file_length);
	return (struct display_name){ frame->file, frame->file_length };
}

enum { RECORDS_MAX = 64 };

/* COUNT records, at most RECORDS_MAX. */
struct records {
	const uint64_t *addresses;
	const struct rossym_frame *frames; /* of all records; a frame of all zeros: nothing is known */
	const uint32_t *ends;		   /* for each record, the index after its last frame */
	size_t count;
	const struct rossym_symbol *details; /* for each frame, the facts that only debug information has; or NULL */
};

static inline uint32_t records_get_first_frame(const struct records *records, size_t number)
{
	return number > 0 ? records->ends[number - 1] : 0;
}

/* Begin and end the output for addresses of the command line: in JSON, their records are the elements of an array. */
void record_open_array(struct record_style *style, struct out *out);
void record_close_array(struct record_style *style);

/* Whether STYLE prints all frames of an address, so that rossym_lookup_frames() is needed. */
bool records_want_frames(const struct record_style *style);

/* Print RECORDS.  False: no memory. */
bool records_print(struct record_style *style, struct out *out, const struct records *records);

/* Print the record of QUERY, whose kind is QUERY_DATA.  FUNCTION is the function at its address; NULL: there is none.
   False: no memory. */
bool record_print_data(struct record_style *style, struct out *out, const struct query *query,
		       const struct rossym_function *function);

/* Print a record without an answer for QUERY, whose kind is not QUERY_ADDRESS or QUERY_DATA.  False: no memory. */
bool record_print_failure(struct record_style *style, struct out *out, const struct query *query);

#endif

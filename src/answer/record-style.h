/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record-style.h - how records are to look, and the names that they show */
#ifndef ANSWER_RECORD_STYLE_H
#define ANSWER_RECORD_STYLE_H

#include "rossym.h"
#include "tool/demangle.h"
#include "tool/json.h"
#include "tool/paths.h"
#include "answer/display-name.h"

enum record_form { RECORD_GNU, RECORD_LLVM, RECORD_JSON };

enum { RECORD_MIDDLE = 128 };

struct query;

struct record_style {
	enum record_form form;
	bool addresses;
	bool functions;
	bool pretty;
	bool demangle;
	bool no_recursion_limit; /* of the demangler */
	/* ROSSYM_STRING_READABLE bytes of each string can be read, as after rossym_prepare() */
	bool readable;
	int digits; /* of an address in GNU's form: 8 or 16 */
	/* With inlines: the image, if it has a block; the block has been read.  Else NULL. */
	struct rossym_image *inlines;
	/* For the styles of LLVM: the image, if it has a block, with inlines or without. */
	struct rossym_image *block;
	uint64_t image_base;	    /* for StartAddress in JSON */
	const char *module;	    /* the image's path, for JSON */
	const struct query *symbol; /* the symbol that the next record is of, for JSON; NULL: it is of an address */
	/* What compact JSON has between the address and the symbols of each record, once it has been made, if it is
	   short: its length. */
	char middle[RECORD_MIDDLE];
	size_t middle_length;
	struct paths paths;
	struct json json;
	struct display_cache shown_functions, shown_files;
};

/* Find a form by its name: "GNU", "JSON", or "LLVM" in upper or lower case.  False: there is none of that name. */
bool record_form_by_name(const char *name, enum record_form *form);

/* Make a copy of STYLE for another thread.  It borrows path mappings from STYLE. */
void record_style_fork(struct record_style *fork, const struct record_style *style);
void record_style_clear(struct record_style *style); /* except the path mappings */

/* Whether FRAME, from rossym_lookup_many() or rossym_lookup_frames(), is an answer: it is all zeros if nothing
   is known. */
static inline bool frame_is_known(const struct rossym_frame *frame)
{
	return frame->function || frame->file || frame->line;
}

/* Returns the function or the file of FRAME as STYLE shows it; FRAME must have one.  Valid until the next call for
   another frame.  A text of NULL: no memory. */
static inline struct display_name record_function(struct record_style *style, const struct rossym_frame *frame)
{
	if (style->demangle && (demangle_may_change(*frame->function) || demangle_may_change_all()))
		return display_function(&style->shown_functions, frame, style->no_recursion_limit);
	return (struct display_name){ frame->function, frame->function_length };
}

static inline struct display_name record_file(struct record_style *style, const struct rossym_frame *frame)
{
	if (!paths_are_plain(&style->paths))
		return display_file(&style->shown_files, frame, &style->paths);
	return (struct display_name){ frame->file, frame->file_length };
}

enum { RECORDS_MOST = 64 };

/* COUNT records, at most RECORDS_MOST, with the frames that rossym_lookup_frames() gives.  A frame of all zeros means
   that nothing is known. */
struct records {
	const uint64_t *addresses;
	const struct rossym_frame *frames;
	const uint32_t *ends; /* of the frames of each */
	size_t count;
};

/* The first frame of record NUMBER. */
static inline uint32_t records_first(const struct records *records, size_t number)
{
	return number > 0 ? records->ends[number - 1] : 0;
}

/* What a record is about: an answer with its frames, the innermost first; or, if the style wants no frames, the answer
   alone.  A COUNT of 0: nothing is known. */
struct record_subject {
	const struct rossym_frame *frames;
	uint32_t count;
	const uint64_t *start; /* the VMA at which the outermost function begins, for JSON; NULL: not known */
};

/* Do as LLVM's tools do without inlines: show the place of the innermost frame with the function of the outermost one.
   Returns JOINED, which has both; or the only frame; or NULL if nothing is known. */
const struct rossym_frame *record_join(struct record_subject subject, struct rossym_frame *joined);

#endif

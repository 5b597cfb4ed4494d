// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/record.h"
#include "tool/digits.h"
#include "tool/strbuf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ------------------------------------------------------------------------------------------------ shown names */

enum { SLOTS = 1024 }; /* how many names of functions the cache can hold; it can hold as many paths, too */

struct display_slot {
	const char *of;		   /* the string in the table; NULL: the slot is free */
	struct display_name shown; /* the form in which `of` is shown */
	char *own;		   /* memory of `shown`; NULL: `of` is shown as it is */
};

struct display_name record_get_shown_form(struct record_style *style, bool is_file, const char *text, size_t length)
{
	static const struct display_name no_memory = { NULL, 0 };
	if (!style->shown)
		style->shown = calloc((size_t)SLOTS * 2, sizeof *style->shown);
	if (!style->shown)
		return no_memory;
	/* Multiplicative hashing: the factor is 2^32 divided by the golden ratio, and the upper 10 bits of the product
	   select one of 1024 slots. */
	const uint32_t mixed = (uint32_t)(uintptr_t)text * UINT32_C(2654435769);
	struct display_slot *slot = &style->shown[(is_file ? SLOTS : 0) + (mixed >> 22)];
	if (slot->of == text)
		return slot->shown;
	const char *shown = is_file ? paths_shown_path(&style->paths, text) : text;
	char *own = NULL;
	if (is_file && shown != text)
		own = shown ? copy_text(shown, strnlen(shown, ROSSYM_LENGTH_MAX)) : NULL;
	else if (!is_file && length < ROSSYM_LENGTH_MAX)
		own = (style->base_names ? demangle_to_base_name : demangle)(text, style->no_recursion_limit);
	if (shown != text && !own)
		return no_memory;
	free(slot->own);
	*slot = (struct display_slot){ text, { own ? own : text, own ? strlen(own) : length }, own };
	return slot->shown;
}

/* ------------------------------------------------------------------------------------------------ styles */

bool record_find_form(const char *name, enum record_form *form)
{
	static const char *const names[] = { [RECORD_GNU] = "GNU", [RECORD_LLVM] = "LLVM", [RECORD_JSON] = "JSON" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcasecmp(name, names[i]) == 0) {
			*form = (enum record_form)i;
			return true;
		}
	/* LLVM's tools take any other word for LLVM.  Here it is an error: it can be a mistyped "GNU" or "JSON". */
	return false;
}

void record_style_copy_for_thread(struct record_style *fork, const struct record_style *style)
{
	*fork = *style;
	fork->paths.buffer = NULL;
	fork->shown = NULL;
}

void record_style_clear(struct record_style *style)
{
	for (int i = 0; style->shown && i < SLOTS * 2; i++)
		free(style->shown[i].own);
	free(style->shown);
	style->shown = NULL;
	paths_free_buffer(&style->paths);
}

/* ------------------------------------------------------------------------------------------------ answers */

/* The answer that is printed in a record. */
struct subject {
	const struct rossym_frame *frames;   /* the innermost first */
	uint32_t count;			     /* of frames; 0: nothing is known */
	const struct rossym_symbol *details; /* for each frame; or NULL */
	/* For JSON: the VMA at which the outermost function begins; UINT64_MAX if it is unknown. */
	uint64_t start;
};

static const struct subject no_subject = { NULL, 0, NULL, UINT64_MAX };
static const struct rossym_frame no_frame = { .function = NULL };

static inline struct subject get_subject(const struct records *records, size_t number)
{
	const uint32_t first = records_get_first_frame(records, number), count = records->ends[number] - first;
	const struct rossym_frame *frames = records->frames + first;
	return (struct subject){ .frames = frames,
				 .count = count > 1 || frame_is_known(frames) ? count : 0,
				 .details = records->details ? records->details + first : NULL,
				 .start = UINT64_MAX };
}

static inline const struct rossym_symbol *get_detail(struct subject subject, uint32_t number)
{
	static const struct rossym_symbol nothing;
	return subject.details && number < subject.count ? &subject.details[number] : &nothing;
}

/* Returns the frame to print without -i; NULL if nothing is known.  If there are several frames, makes this frame in
   *JOINED: as in LLVM's tools, it has file and line of the innermost frame and the function of the outermost one. */
static const struct rossym_frame *join_frames(struct subject subject, struct rossym_frame *joined)
{
	if (subject.count < 2)
		return subject.count > 0 ? subject.frames : NULL;
	const struct rossym_frame *outermost = &subject.frames[subject.count - 1];
	*joined = subject.frames[0];
	joined->function = outermost->function;
	joined->function_length = outermost->function_length;
	return joined;
}

/* ------------------------------------------------------------------------------------------------ parts */

/*
 * Records are written directly into the output's buffer, at P.  Functions called put_... return the end of what they
 * have written, or NULL if there is no memory.  There is always room for OUT_ROOM bytes at P: enough for all parts of a
 * frame without its strings, and for two strings of ROSSYM_STRING_READABLE bytes.
 */

static inline char *put_hex(char *p, uint64_t number, int digits)
{
	return hex_put(OUT_LITERAL(p, "0x"), number, digits);
}

/* Write SHOWN, with escapes if the style is JSON.  OF_TABLE: SHOWN is a string of the table.  Of other strings, no byte
   after the NUL may be read.  If style->overreadable, a short string of the table is copied with the fixed length
   ROSSYM_STRING_READABLE, for which compilers make a few moves.  Without that, a million addresses with -a take 1.3
   times as long. */
static inline char *put_shown(const struct record_style *style, struct out *out, char *p, struct display_name shown,
			      bool of_table)
{
	const bool json = style->form == RECORD_JSON;
	bool copied = of_table && style->overreadable && shown.length <= ROSSYM_STRING_READABLE;
	if (!shown.text)
		return NULL;
	if (copied && json)
		copied = json_copy_plain(p, shown.text, shown.length);
	else if (copied)
		memcpy(p, shown.text, ROSSYM_STRING_READABLE);
	if (copied)
		return p + shown.length;
	out_commit(out, p);
	if (json)
		json_write_escaped(out, shown.text, shown.length);
	else
		out_bytes(out, shown.text, shown.length);
	return out_room(out);
}

static inline struct display_name get_unknown_name(const struct record_style *style)
{
	return style->form == RECORD_JSON ? (struct display_name){ "", 0 } : (struct display_name){ "??", 2 };
}

static inline char *put_function(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame)
{
	const struct display_name shown = frame->function ? record_get_function(style, frame) : get_unknown_name(style);
	return put_shown(style, out, p, shown, shown.text == frame->function);
}

static inline char *put_file(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame)
{
	const struct display_name shown = frame->file ? record_get_file(style, frame) : get_unknown_name(style);
	return put_shown(style, out, p, shown, shown.text == frame->file);
}

/* ------------------------------------------------------------------------------------------------ text */

/* Write a frame in the styles GNU and LLVM; FRAME is NULL if nothing is known. */
static char *put_frame(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame,
		       const struct rossym_symbol *detail)
{
	const bool gnu = style->form == RECORD_GNU;
	if (!frame && gnu) {
		if (style->functions)
			p = style->pretty ? OUT_LITERAL(p, "?? ") : OUT_LITERAL(p, "??\n");
		return OUT_LITERAL(p, "??:0\n");
	}
	if (!frame)
		frame = &no_frame;
	if (style->functions) {
		p = put_function(style, out, p, frame);
		if (!p)
			return NULL;
		p = style->pretty ? OUT_LITERAL(p, " at ") : OUT_LITERAL(p, "\n");
	}
	p = put_file(style, out, p, frame);
	if (!p)
		return NULL;
	*p++ = ':';
	if (gnu && !frame->line)
		*p++ = '?';
	else
		p = decimal_put(p, frame->line);
	if (!gnu) {
		*p++ = ':';
		p = decimal_put(p, detail->column);
	}
	*p++ = '\n';
	return p;
}

/* Write all frames of SUBJECT; without -i only one. */
static char *put_frames(struct record_style *style, struct out *out, char *p, struct subject subject)
{
	struct rossym_frame joined;
	if (!style->inlines || subject.count == 0)
		return put_frame(style, out, p, join_frames(subject, &joined), get_detail(subject, 0));
	for (uint32_t i = 0; p && i < subject.count; i++) {
		if (i > 0)
			p = out_advance(out, p);
		if (i > 0 && style->pretty)
			p = OUT_LITERAL(p, " (inlined by) ");
		p = put_frame(style, out, p, &subject.frames[i], get_detail(subject, i));
	}
	return p;
}

/* Print the record of ADDRESS as text, frame by frame.  False: no memory. */
static bool print_record_text(struct record_style *style, struct out *out, uint64_t address, struct subject subject)
{
	char *p = out_room(out);
	if (style->addresses) {
		p = put_hex(p, address, style->form == RECORD_GNU ? style->digits : hex_digit_count(address));
		p = style->pretty ? OUT_LITERAL(p, ": ") : OUT_LITERAL(p, "\n");
	}
	p = put_frames(style, out, p, subject);
	if (!p)
		return false;
	if (style->form != RECORD_GNU)
		*p++ = '\n';
	out_commit(out, p);
	return true;
}

/* ------------------------------------------------------------------------------------------------ plain frames */

/*
 * The fast path of printing text, for records in GNU addr2line's style whose frames are plain.  A frame is plain if it
 * has a function, a file and a line, and both strings are short and printed as the table has them.  The reference path
 * is print_record_text() for each record.  With the reference path, a million addresses take 1.9 times as long with -f,
 * 1.4 times with -f -i, 1.3 times with -a -f -i.  tests/tool/unit-record.c checks that both print the same.
 */

/* Whether STYLE prints the strings of the table as they are, except those for which demangle_may_change() is true. */
static bool prints_plain_strings(const struct record_style *style)
{
	return style->form == RECORD_GNU && style->overreadable && !style->pretty && paths_are_plain(&style->paths) &&
	       !(style_demangles(style) && demangle_may_change_all());
}

/* Whether FRAME is plain: it has a line, both strings have 1 to ROSSYM_STRING_READABLE bytes, and the name need not be
   demangled. */
static inline bool frame_is_plain(const struct rossym_frame *frame, bool demangle)
{
	/* An unknown string has the length 0, and 0 - 1 wraps to a large number.  ROSSYM_STRING_READABLE is a power of
	   two, so comparing the OR of both lengths with it tests both. */
	return ((frame->function_length - 1) | (frame->file_length - 1)) < ROSSYM_STRING_READABLE && frame->line &&
	       !(demangle && demangle_may_change(*frame->function));
}

/* Write a plain frame at P.  Copies of a fixed length take only a few instructions; what is written next overwrites the
   bytes after the string. */
static inline char *put_plain_frame(char *p, bool functions, const struct rossym_frame *frame)
{
	if (functions) {
		memcpy(p, frame->function, ROSSYM_STRING_READABLE);
		p += frame->function_length;
		*p++ = '\n';
	}
	memcpy(p, frame->file, ROSSYM_STRING_READABLE);
	p += frame->file_length;
	*p++ = ':';
	p = decimal_put(p, frame->line);
	*p++ = '\n';
	return p;
}

static inline bool are_frames_plain(const struct rossym_frame *frames, uint32_t at, uint32_t end, bool demangle)
{
	while (at < end && frame_is_plain(&frames[at], demangle))
		at++;
	return at == end;
}

/* Print records with addresses, from number FROM on up to the first with a frame that is not plain.  Returns the number
   of that record; records->count if all were printed. */
static size_t print_plain_records(const struct record_style *style, struct out *out, const struct records *records,
				  size_t from)
{
	const bool functions = style->functions, demangle = style_demangles(style) && functions;
	uint32_t at = records_get_first_frame(records, from);
	char *p = out_room(out);
	for (; from < records->count && are_frames_plain(records->frames, at, records->ends[from], demangle); from++) {
		p = put_hex(p, records->addresses[from], style->digits);
		*p++ = '\n';
		for (; at < records->ends[from]; at++)
			p = out_advance(out, put_plain_frame(p, functions, &records->frames[at]));
	}
	out_commit(out, p);
	return from;
}

/* Print the frames of all records, which have no addresses.  A processor cannot predict how many frames a record has,
   so no branch depends on that, except for frames that are not plain. */
static bool print_frames(struct record_style *style, struct out *out, const struct records *records)
{
	const bool functions = style->functions, demangle = style_demangles(style) && functions;
	const uint32_t end = records->count > 0 ? records->ends[records->count - 1] : 0;
	size_t number = 0;
	char *p = out_room(out);
	for (uint32_t at = 0; p && at < end; at++) {
		const struct rossym_frame *frame = &records->frames[at];
		if (frame_is_plain(frame, demangle)) {
			p = out_advance(out, put_plain_frame(p, functions, frame));
			continue;
		}
		while (records->ends[number] <= at)
			number++;
		const bool alone = records->ends[number] - records_get_first_frame(records, number) == 1;
		p = put_frame(style, out, p, alone && !frame_is_known(frame) ? NULL : frame, get_detail(no_subject, 0));
		p = p ? out_advance(out, p) : NULL;
	}
	if (p)
		out_commit(out, p);
	return p;
}

static bool print_text(struct record_style *style, struct out *out, const struct records *records)
{
	const bool plain = prints_plain_strings(style);
	if (plain && !style->addresses)
		return print_frames(style, out, records);
	for (size_t i = 0, next; i < records->count; i = next) {
		next = plain ? print_plain_records(style, out, records, i) : i;
		if (next == i && !print_record_text(style, out, records->addresses[i], get_subject(records, next++)))
			return false;
	}
	return true;
}

/* ------------------------------------------------------------------------------------------------ JSON */

/* PUT_LINE writes BEFORE and TEXT; PUT_KEY writes BEFORE, the JSON key KEY, and AFTER.  All are string literals.  In
   indented output, a new line begins after BEFORE, and is DEPTH levels deeper than the object or array that is open.
   Both macros give the new end, and use the variables `pretty` and `style` of their caller. */
#define PUT_LINE(p, depth, before, text) \
	(pretty ? put_line(style, (p), (depth), (before), (text)) : OUT_LITERAL((p), before text))
#define PUT_KEY(p, depth, before, key, after) \
	(pretty ? put_line(style, (p), (depth), (before), "\"" key "\": " after) \
		: OUT_LITERAL((p), before "\"" key "\":" after))

static char *put_text(char *p, const char *text)
{
	const size_t length = strlen(text);
	memcpy(p, text, length);
	return p + length;
}

static char *put_line(const struct record_style *style, char *p, unsigned depth, const char *before, const char *text)
{
	p = put_text(p, before);
	*p++ = '\n';
	for (unsigned i = style->json.depth + depth; i > 0; i--)
		p = OUT_LITERAL(p, "  ");
	return put_text(p, text);
}

/* Write a symbol with the keys of llvm-symbolizer, in its order, which is alphabetical.  FRAME is NULL if nothing is
   known.  START is the field `start` of struct subject. */
static inline char *put_symbol(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame,
			       const struct rossym_symbol *detail, uint64_t start)
{
	const bool pretty = style->pretty;
	if (!frame)
		frame = &no_frame;
	p = PUT_LINE(p, 0, "", "{");
	p = decimal_put(PUT_KEY(p, 1, "", "Column", ""), detail->column);
	p = decimal_put(PUT_KEY(p, 1, ",", "Discriminator", ""), detail->discriminator);
	p = put_file(style, out, PUT_KEY(p, 1, ",", "FileName", "\""), frame);
	if (!p)
		return NULL;
	p = put_function(style, out, PUT_KEY(out_advance(out, p), 1, "\",", "FunctionName", "\""), frame);
	if (!p)
		return NULL;
	p = decimal_put(PUT_KEY(out_advance(out, p), 1, "\",", "Line", ""), frame->line);
	p = PUT_KEY(p, 1, ",", "StartAddress", "\"");
	if (start != UINT64_MAX)
		p = put_hex(p, start, hex_digit_count(start));
	p = PUT_KEY(p, 1, "\",", "StartFileName", "\"");
	if (detail->start_file) {
		const struct rossym_frame begin = { .file = detail->start_file,
						    .file_length = (uint32_t)strnlen(detail->start_file,
										     ROSSYM_LENGTH_MAX) };
		/* Pass false: this is no string of a table, so no byte beyond its NUL may be read. */
		p = put_shown(style, out, p, record_get_file(style, &begin), false);
		if (!p)
			return NULL;
	}
	p = decimal_put(PUT_KEY(p, 1, "\",", "StartLine", ""), detail->start_line);
	return PUT_LINE(p, 0, "", "}");
}

/* Write a symbol for each frame; without -i only one symbol.  Only the last one, the outermost, has a start address. */
static char *put_symbols(struct record_style *style, struct out *out, char *p, struct subject subject)
{
	struct rossym_frame joined;
	if (!style->inlines || subject.count == 0)
		return put_symbol(style, out, p, join_frames(subject, &joined), get_detail(subject, 0), subject.start);
	for (uint32_t i = 0; p && i < subject.count; i++) {
		const uint64_t start = i + 1 < subject.count ? UINT64_MAX : subject.start;
		if (i > 0) {
			*p++ = ',';
			p = out_advance(out, p);
		}
		p = put_symbol(style, out, p, &subject.frames[i], get_detail(subject, i), start);
	}
	return p;
}

/* Write the path of the module.  Each record has this path, so test only once whether it is short and needs no escapes:
   with a test in each record, a million addresses take 1.2 times as long. */
static inline char *put_module(struct record_style *style, struct out *out, char *p)
{
	const size_t known = style->module_length, length = known ? known : strlen(style->module);
	if (known) {
		memcpy(p, style->module, known);
		return out_advance(out, p + known);
	}
	if (length <= OUT_ROOM / 2 && json_measure_plain(style->module, length) == length)
		style->module_length = length;
	out_commit(out, p);
	json_write_escaped(out, style->module, length);
	return out_room(out);
}

static void open_json(struct record_style *style, struct out *out, char bracket)
{
	style->json.out = out;
	style->json.indent = style->pretty;
	json_open(&style->json, NULL, bracket);
}

/* Print a record of QUERY, which is about a symbol or has no answer.  As in llvm-symbolizer, the record of a symbol has
   at most one file and line, from SUBJECT, and none if the file is not known.  If the kind of QUERY is QUERY_DATA, the
   record describes FUNCTION, which is called NAME; NAME is "" if there is no function.  If QUERY is about another
   module or an image that could not be read, the record has an error.  False: no memory. */
static bool print_json_record(struct record_style *style, struct out *out, const struct query *query,
			      struct subject subject, const char *name, const struct rossym_function *function)
{
	struct json *json = &style->json;
	struct rossym_frame joined;
	const struct rossym_frame *frame = join_frames(subject, &joined);
	const bool data = query->kind == QUERY_DATA, other = query->kind == QUERY_OTHER_MODULE;
	const bool located = !data && !other && query->kind != QUERY_NO_IMAGE;
	open_json(style, out, '{');
	if (!query->is_symbol)
		json_write_hex(json, "Address", query->shown);
	json_open(json, located ? "Loc" : data ? "Data" : "Error", located ? '[' : '{');
	if (located && frame && frame->file) {
		char *p = put_symbol(style, out, out_room(out), frame, get_detail(subject, 0), subject.start);
		if (!p)
			return false;
		out_commit(out, p);
		json->after_value = true;
	} else if (data) {
		json_write_text(json, "Name", name);
		json_write_hex(json, "Size", function ? function->length : 0);
		json_write_hex(json, "Start", function ? style->image_base + function->rva : 0);
	} else if (!located) {
		json_write_text(json, "Message", other ? "another module than the image" : "the image cannot be read");
	}
	json_close(json, located ? ']' : '}');
	if (other)
		json_write_string(json, "ModuleName", query->name, query->name_length);
	else
		json_write_text(json, "ModuleName", style->module);
	if (query->is_symbol)
		json_write_string(json, "SymName", query->name, query->name_length);
	json_close(json, '}');
	if (json->depth == 0) /* else the object is an element of an array (record_open_array()) */
		json_end(json);
	return true;
}

static bool print_record_json(struct record_style *style, struct out *out, uint64_t address, struct subject subject)
{
	struct json *json = &style->json;
	if (style->symbol)
		return print_json_record(style, out, style->symbol, subject, NULL, NULL);
	const bool pretty = style->pretty, element = json->depth > 0;
	if (element)
		open_json(style, out, '{');
	char *p = out_room(out);
	if (!element) {
		*p++ = '{';
		json->depth++;
	}
	p = put_hex(PUT_KEY(p, 0, "", "Address", "\""), address, hex_digit_count(address));
	p = put_module(style, out, PUT_KEY(p, 0, "\",", "ModuleName", "\""));
	p = PUT_KEY(p, 0, "\",", "Symbol", "[");
	json->depth++;
	p = put_symbols(style, out, p, subject);
	json->depth--;
	if (!p)
		return false;
	p = PUT_LINE(p, 0, "", "]");
	json->depth--;
	p = PUT_LINE(p, 0, "", "}");
	json->after_value = element;
	if (!element)
		*p++ = '\n';
	out_commit(out, p);
	return true;
}

/* Store in STARTS where the outermost functions of all RECORDS begin.  Doing this before printing overlaps the cache
   misses of these look-ups: with a look-up in each record, a million addresses take 1.3 times as long. */
static void find_function_starts(const struct record_style *style, const struct records *records, uint64_t *starts)
{
	struct rossym_function function;
	for (size_t i = 0; i < records->count; i++) {
		const struct subject subject = get_subject(records, i);
		/* This cannot fail, because the block has been read. */
		const bool known = subject.count > 0 &&
				   rossym_function_at(style->outermost_from, subject.frames->row_rva, &function,
						      NULL) == 1;
		starts[i] = known ? style->image_base + function.rva : UINT64_MAX;
	}
}

static bool print_json(struct record_style *style, struct out *out, const struct records *records)
{
	uint64_t starts[RECORDS_MAX];
	bool good = true;
	if (style->outermost_from)
		find_function_starts(style, records, starts);
	for (size_t i = 0; good && i < records->count; i++) {
		struct subject subject = get_subject(records, i);
		if (style->outermost_from)
			subject.start = starts[i];
		good = print_record_json(style, out, records->addresses[i], subject);
	}
	return good;
}

/* ------------------------------------------------------------------------------------------------ all */

void record_open_array(struct record_style *style, struct out *out)
{
	if (style->form == RECORD_JSON)
		open_json(style, out, '[');
}

void record_close_array(struct record_style *style)
{
	if (style->form != RECORD_JSON)
		return;
	json_close(&style->json, ']');
	json_end(&style->json);
}

bool records_want_frames(const struct record_style *style)
{
	return style->inlines || (style->form != RECORD_GNU && style->outermost_from);
}

bool records_print(struct record_style *style, struct out *out, const struct records *records)
{
	return style->form == RECORD_JSON ? print_json(style, out, records) : print_text(style, out, records);
}

bool record_print_failure(struct record_style *style, struct out *out, const struct query *query)
{
	return style->form == RECORD_JSON ? print_json_record(style, out, query, no_subject, NULL, NULL)
					  : print_record_text(style, out, query->shown, no_subject);
}

bool record_print_data(struct record_style *style, struct out *out, const struct query *query,
		       const struct rossym_function *function)
{
	struct display_name name = get_unknown_name(style);
	char numbers[64];
	if (function && function->name) {
		const struct rossym_frame frame = { .function = function->name,
						    .function_length = (uint32_t)strlen(function->name) };
		name = record_get_function(style, &frame);
	}
	if (!name.text)
		return false;
	if (style->form == RECORD_JSON)
		return print_json_record(style, out, query, no_subject, name.text, function);
	snprintf(numbers, sizeof numbers, "\n%" PRIu64 " %" PRIu32 "\n\?\?:?\n\n",
		 function ? style->image_base + function->rva : 0, function ? function->length : 0);
	out_text(out, name.text);
	out_text(out, numbers);
	return true;
}

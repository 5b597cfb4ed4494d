// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/record-json.h"
#include "tool/digits.h"

#include <string.h>

/* PUT_LINE writes BEFORE and TEXT; PUT_KEY writes BEFORE, the JSON key KEY, and AFTER.  All are string literals.  In
   indented output, a new line begins after BEFORE, and is DEPTH levels deeper than the object or array that is open.
   Both macros return the new end, and use the caller's PRETTY and STYLE. */
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

static inline char *put_hex(char *p, uint64_t number)
{
	return hex_put(OUT_LITERAL(p, "0x"), number, hex_digit_count(number));
}

/* Write SHOWN with escapes, without quotes.  SHOWN is TEXT, a string of the table; or its demangled or mapped form. */
static inline char *put_string(const struct record_style *style, struct out *out, char *p, struct display_name shown,
			       const char *text)
{
	if (style->overreadable && shown.text == text && shown.length <= ROSSYM_STRING_READABLE &&
	    json_copy_plain(p, text, shown.length))
		return p + shown.length;
	out_commit(out, p);
	json_write_escaped(out, shown.text, shown.length);
	return out_room(out);
}

static inline char *put_file(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame)
{
	const struct display_name shown = record_file(style, frame);
	return shown.text ? put_string(style, out, p, shown, frame->file) : NULL;
}

static inline char *put_function(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame)
{
	const struct display_name shown = record_function(style, frame);
	return shown.text ? put_string(style, out, p, shown, frame->function) : NULL;
}

/* Write FILE, in which a function begins.  FILE is no string of a table, so nothing after its NUL may be read. */
static char *put_start_file(struct record_style *style, struct out *out, char *p, const char *file)
{
	const struct rossym_frame frame = { .file = file, .file_length = (uint32_t)strnlen(file, ROSSYM_LENGTH_MAX) };
	const struct display_name shown = record_file(style, &frame);
	if (!shown.text)
		return NULL;
	out_commit(out, p);
	json_write_escaped(out, shown.text, shown.length);
	return out_room(out);
}

/* Write a symbol with the keys of llvm-symbolizer, in alphabetical order, as there.  FRAME is NULL if nothing is known.
   put_symbol(), put_symbols() and put_module() return the end of what was written; NULL: no memory. */
static inline char *put_symbol(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame,
			       struct record_detail detail, const uint64_t *start)
{
	const bool pretty = style->pretty;
	p = PUT_LINE(p, 0, "", "{");
	if (!pretty && !style->details) {
		p = OUT_LITERAL(p, "\"Column\":0,\"Discriminator\":0");
	} else {
		p = decimal_put(PUT_KEY(p, 1, "", "Column", ""), detail.column);
		p = decimal_put(PUT_KEY(p, 1, ",", "Discriminator", ""), detail.discriminator);
	}
	p = PUT_KEY(p, 1, ",", "FileName", "\"");
	if (frame && frame->file && !(p = put_file(style, out, p, frame)))
		return NULL;
	p = PUT_KEY(out_advance(out, p), 1, "\",", "FunctionName", "\"");
	if (frame && frame->function && !(p = put_function(style, out, p, frame)))
		return NULL;
	p = decimal_put(PUT_KEY(out_advance(out, p), 1, "\",", "Line", ""), frame ? frame->line : 0);
	p = PUT_KEY(p, 1, ",", "StartAddress", "\"");
	if (start)
		p = put_hex(p, *start);
	p = PUT_KEY(p, 1, "\",", "StartFileName", "\"");
	if (detail.start_file && !(p = put_start_file(style, out, p, detail.start_file)))
		return NULL;
	p = decimal_put(PUT_KEY(p, 1, "\",", "StartLine", ""), detail.start_line);
	return PUT_LINE(p, 0, "", "}");
}

/* Write a symbol for each frame; without -i one symbol.  Only the outermost frame, the last one, has a start address. */
static char *put_symbols(struct record_style *style, struct out *out, char *p, struct record_subject subject)
{
	struct rossym_frame joined;
	if (!style->inlines || subject.count == 0)
		return put_symbol(style, out, p, record_join_frames(subject, &joined), record_detail(subject, 0),
				  subject.start);
	for (uint32_t i = 0; i + 1 < subject.count; i++) {
		p = put_symbol(style, out, p, &subject.frames[i], record_detail(subject, i), NULL);
		if (!p)
			return NULL;
		*p++ = ',';
		p = out_advance(out, p);
	}
	return put_symbol(style, out, p, &subject.frames[subject.count - 1], record_detail(subject, subject.count - 1),
			  subject.start);
}

/* Write the path of the module, which is the same in each record: so find out only once whether it is short and needs
   no escapes.  When this is found out for each record, a million addresses take 1.2 times as long. */
static inline char *put_module(struct record_style *style, struct out *out, char *p)
{
	const size_t known = style->module_length, length = known ? known : strlen(style->module);
	if (known) {
		memcpy(p, style->module, known);
		return out_advance(out, p + known);
	}
	if (length <= OUT_ROOM / 2 && json_plain_length(style->module, length) == length)
		style->module_length = length;
	out_commit(out, p);
	json_write_escaped(out, style->module, length);
	return out_room(out);
}

static void open_object(struct record_style *style, struct out *out)
{
	style->json.out = out;
	style->json.indent = style->pretty;
	json_open(&style->json, NULL, '{');
}

/* End a record: with a newline, unless it is an element of the array of operands. */
static void close_object(struct record_style *style)
{
	json_close(&style->json, '}');
	if (style->json.depth == 0)
		json_end(&style->json);
}

/* Print the record of the symbol of QUERY.  Like llvm-symbolizer's, it has at most one file and line, and none if the
   file is not known.  False: no memory. */
static bool put_symbol_record(struct record_style *style, struct out *out, const struct query *query,
			      struct record_subject subject)
{
	struct json *json = &style->json;
	struct rossym_frame joined;
	const struct rossym_frame *frame = record_join_frames(subject, &joined);
	open_object(style, out);
	json_open(json, "Loc", '[');
	if (frame && frame->file) {
		char *p = put_symbol(style, out, out_room(out), frame, record_detail(subject, 0), subject.start);
		if (!p)
			return false;
		out_commit(out, p);
		json->after_value = true;
	}
	json_close(json, ']');
	json_write_text(json, "ModuleName", style->module);
	json_write_string(json, "SymName", query->name, query->name_length);
	close_object(style);
	return true;
}

bool record_print_json(struct record_style *style, struct out *out, uint64_t address, struct record_subject subject)
{
	struct json *json = &style->json;
	if (style->symbol)
		return put_symbol_record(style, out, style->symbol, subject);
	const bool pretty = style->pretty, element = json->depth > 0;
	if (element)
		open_object(style, out);
	char *p = out_room(out);
	if (!element) {
		*p++ = '{';
		json->depth++;
	}
	p = put_hex(PUT_KEY(p, 0, "", "Address", "\""), address);
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

void record_print_json_data(struct record_style *style, struct out *out, const struct query *query, const char *name,
			    uint64_t start, uint64_t size)
{
	struct json *json = &style->json;
	open_object(style, out);
	if (!query->is_symbol)
		json_write_hex(json, "Address", query->shown);
	json_open(json, "Data", '{');
	json_write_text(json, "Name", name);
	json_write_hex(json, "Size", size);
	json_write_hex(json, "Start", start);
	json_close(json, '}');
	json_write_text(json, "ModuleName", style->module);
	if (query->is_symbol)
		json_write_string(json, "SymName", query->name, query->name_length);
	close_object(style);
}

void record_print_json_failure(struct record_style *style, struct out *out, const struct query *query)
{
	struct json *json = &style->json;
	if (query->kind != QUERY_OTHER_MODULE && query->kind != QUERY_NO_IMAGE) {
		(void)put_symbol_record(style, out, query, (struct record_subject){ .frames = NULL });
		return;
	}
	const bool other = query->kind == QUERY_OTHER_MODULE;
	open_object(style, out);
	if (!query->is_symbol)
		json_write_hex(json, "Address", query->shown);
	json_open(json, "Error", '{');
	json_write_text(json, "Message", other ? "another module than the image" : "the image cannot be read");
	json_close(json, '}');
	if (other)
		json_write_string(json, "ModuleName", query->name, query->name_length);
	else
		json_write_text(json, "ModuleName", style->module);
	if (query->is_symbol)
		json_write_string(json, "SymName", query->name, query->name_length);
	close_object(style);
}

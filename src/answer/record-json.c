// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/record-json.h"
#include "answer/record-compact.h"

#include <string.h>

static void put_pair(struct json *json, struct out *out, const char *key, const char *text)
{
	json_key(json, out, key);
	json_string(json, out, text, strlen(text));
}

/* Print the start of a function; an empty string if START is NULL. */
static void put_start(struct json *json, struct out *out, const uint64_t *start)
{
	json_key(json, out, "StartAddress");
	if (start)
		json_hex(json, out, *start);
	else
		json_string(json, out, "", 0);
}

/* Print a symbol with the keys of llvm-symbolizer, in its order, which is alphabetical.  A table has no columns, so
   those are 0.  FRAME is NULL if nothing is known.  False: no memory. */
static bool put_symbol(struct record_style *style, struct out *out, const struct rossym_frame *frame,
		       const uint64_t *start)
{
	struct json *json = &style->json;
	struct display_name function = { "", 0 }, file = { "", 0 };
	if (frame && frame->function)
		function = record_function(style, frame);
	if (frame && frame->file)
		file = record_file(style, frame);
	if (!function.text || !file.text)
		return false;

	json_open(json, out, '{');
	json_key(json, out, "Column");
	json_number(json, out, 0);
	json_key(json, out, "Discriminator");
	json_number(json, out, 0);
	json_key(json, out, "FileName");
	json_string(json, out, file.text, file.length);
	json_key(json, out, "FunctionName");
	json_string(json, out, function.text, function.length);
	json_key(json, out, "Line");
	json_number(json, out, frame ? frame->line : 0);
	put_start(json, out, start);
	put_pair(json, out, "StartFileName", "");
	json_key(json, out, "StartLine");
	json_number(json, out, 0);
	json_close(json, out, '}');
	return true;
}

/* Print a symbol for each frame; without -i one symbol.  Only the outermost frame, the last one, has a start address.
   False: no memory. */
static bool put_symbols(struct record_style *style, struct out *out, struct record_subject subject)
{
	struct rossym_frame joined;
	bool good = true;
	if (!style->inlines || subject.count == 0)
		return put_symbol(style, out, record_join(subject, &joined), subject.start);
	for (uint32_t i = 0; good && i < subject.count; i++)
		good = put_symbol(style, out, &subject.frames[i], i + 1 == subject.count ? subject.start : NULL);
	return good;
}

static void open_object(struct record_style *style, struct out *out)
{
	style->json.indent = style->pretty;
	json_open(&style->json, out, '{');
}

/* End a record: with a newline, unless it is an element of the array of operands. */
static void close_object(struct record_style *style, struct out *out)
{
	json_close(&style->json, out, '}');
	if (style->json.depth == 0)
		json_end(&style->json, out);
}

/* Print the record of style->symbol.  Like llvm-symbolizer's, it has at most one place, and none if the file is not
   known.  False: no memory. */
static bool put_symbol_record(struct record_style *style, struct out *out, struct record_subject subject)
{
	struct json *json = &style->json;
	struct rossym_frame joined;
	const struct rossym_frame *frame = record_join(subject, &joined);
	open_object(style, out);
	json_key(json, out, "Loc");
	json_open(json, out, '[');
	bool good = !frame || !frame->file || put_symbol(style, out, frame, subject.start);
	json_close(json, out, ']');
	put_pair(json, out, "ModuleName", style->module);
	json_key(json, out, "SymName");
	json_string(json, out, style->symbol->name, style->symbol->name_length);
	close_object(style, out);
	return good;
}

bool record_json(struct record_style *style, struct out *out, uint64_t address, struct record_subject subject)
{
	struct json *json = &style->json;
	if (style->symbol)
		return put_symbol_record(style, out, subject);
	if (!style->pretty && json->depth == 0)
		return record_compact(style, out, address, subject);
	open_object(style, out);
	json_key(json, out, "Address");
	json_hex(json, out, address);
	put_pair(json, out, "ModuleName", style->module);
	json_key(json, out, "Symbol");
	json_open(json, out, '[');
	bool good = put_symbols(style, out, subject);
	json_close(json, out, ']');
	close_object(style, out);
	return good;
}

void record_json_data(struct record_style *style, struct out *out, const struct query *query, const char *name,
		      uint64_t start, uint64_t size)
{
	struct json *json = &style->json;
	open_object(style, out);
	if (!query->is_symbol) {
		json_key(json, out, "Address");
		json_hex(json, out, query->shown);
	}
	json_key(json, out, "Data");
	json_open(json, out, '{');
	put_pair(json, out, "Name", name);
	json_key(json, out, "Size");
	json_hex(json, out, size);
	json_key(json, out, "Start");
	json_hex(json, out, start);
	json_close(json, out, '}');
	put_pair(json, out, "ModuleName", style->module);
	if (query->is_symbol) {
		json_key(json, out, "SymName");
		json_string(json, out, query->name, query->name_length);
	}
	close_object(style, out);
}

void record_json_failure(struct record_style *style, struct out *out, const struct query *query)
{
	struct json *json = &style->json;
	open_object(style, out);
	if (query->kind == QUERY_OTHER_MODULE) {
		json_key(json, out, "Address");
		json_hex(json, out, query->shown);
		json_key(json, out, "Error");
		json_open(json, out, '{');
		put_pair(json, out, "Message", "another module than the image");
		json_close(json, out, '}');
		json_key(json, out, "ModuleName");
		json_string(json, out, query->name, query->name_length);
	} else {
		json_key(json, out, "Loc");
		json_open(json, out, '[');
		json_close(json, out, ']');
		put_pair(json, out, "ModuleName", style->module);
		json_key(json, out, "SymName");
		json_string(json, out, query->name, query->name_length);
	}
	close_object(style, out);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/record-json.h"
#include "answer/record-compact.h"

#include <string.h>

/* Print the start of a function; an empty string if START is NULL. */
static void put_start(struct json *json, const uint64_t *start)
{
	if (start)
		json_hex(json, "StartAddress", *start);
	else
		json_text(json, "StartAddress", "");
}

/* Print the file in which a function begins.  False: no memory. */
static bool put_start_file(struct record_style *style, const char *file)
{
	struct rossym_frame frame = { .file = file };
	struct display_name shown = { "", 0 };
	if (file) {
		frame.file_length = (uint32_t)strnlen(file, ROSSYM_LENGTH_MAX);
		shown = record_file(style, &frame);
	}
	if (shown.text)
		json_string(&style->json, "StartFileName", shown.text, shown.length);
	return shown.text != NULL;
}

/* Print a symbol with the keys of llvm-symbolizer, in alphabetical order, as there.  FRAME is NULL if nothing is known.
   False: no memory. */
static bool put_symbol(struct record_style *style, const struct rossym_frame *frame, struct record_detail detail,
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

	json_open(json, NULL, '{');
	json_number(json, "Column", detail.column);
	json_number(json, "Discriminator", detail.discriminator);
	json_string(json, "FileName", file.text, file.length);
	json_string(json, "FunctionName", function.text, function.length);
	json_number(json, "Line", frame ? frame->line : 0);
	put_start(json, start);
	if (!put_start_file(style, detail.start_file))
		return false;
	json_number(json, "StartLine", detail.start_line);
	json_close(json, '}');
	return true;
}

/* Print a symbol for each frame; without -i one symbol.  Only the outermost frame, the last one, has a start address.
   False: no memory. */
static bool put_symbols(struct record_style *style, struct record_subject subject)
{
	struct rossym_frame joined;
	bool good = true;
	if (!style->inlines || subject.count == 0)
		return put_symbol(style, record_join(subject, &joined), record_detail(subject, 0), subject.start);
	for (uint32_t i = 0; good && i < subject.count; i++)
		good = put_symbol(style, &subject.frames[i], record_detail(subject, i),
				  i + 1 == subject.count ? subject.start : NULL);
	return good;
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

/* Print the record of style->symbol.  Like llvm-symbolizer's, it has at most one place, and none if the file is not
   known.  False: no memory. */
static bool put_symbol_record(struct record_style *style, struct out *out, struct record_subject subject)
{
	struct json *json = &style->json;
	struct rossym_frame joined;
	const struct rossym_frame *frame = record_join(subject, &joined);
	open_object(style, out);
	json_open(json, "Loc", '[');
	bool good = !frame || !frame->file || put_symbol(style, frame, record_detail(subject, 0), subject.start);
	json_close(json, ']');
	json_text(json, "ModuleName", style->module);
	json_string(json, "SymName", style->symbol->name, style->symbol->name_length);
	close_object(style);
	return good;
}

bool record_json(struct record_style *style, struct out *out, uint64_t address, struct record_subject subject)
{
	struct json *json = &style->json;
	if (style->symbol)
		return put_symbol_record(style, out, subject);
	if (!style->pretty && json->depth == 0 && !subject.details)
		return record_compact(style, out, address, subject);
	open_object(style, out);
	json_hex(json, "Address", address);
	json_text(json, "ModuleName", style->module);
	json_open(json, "Symbol", '[');
	bool good = put_symbols(style, subject);
	json_close(json, ']');
	close_object(style);
	return good;
}

void record_json_data(struct record_style *style, struct out *out, const struct query *query, const char *name,
		      uint64_t start, uint64_t size)
{
	struct json *json = &style->json;
	open_object(style, out);
	if (!query->is_symbol) {
		json_hex(json, "Address", query->shown);
	}
	json_open(json, "Data", '{');
	json_text(json, "Name", name);
	json_hex(json, "Size", size);
	json_hex(json, "Start", start);
	json_close(json, '}');
	json_text(json, "ModuleName", style->module);
	if (query->is_symbol) {
		json_string(json, "SymName", query->name, query->name_length);
	}
	close_object(style);
}

void record_json_failure(struct record_style *style, struct out *out, const struct query *query)
{
	struct json *json = &style->json;
	open_object(style, out);
	if (query->kind == QUERY_OTHER_MODULE || query->kind == QUERY_NO_IMAGE) {
		const bool other = query->kind == QUERY_OTHER_MODULE;
		if (!query->is_symbol)
			json_hex(json, "Address", query->shown);
		json_open(json, "Error", '{');
		json_text(json, "Message", other ? "another module than the image" : "the image cannot be read");
		json_close(json, '}');
		if (other)
			json_string(json, "ModuleName", query->name, query->name_length);
		else
			json_text(json, "ModuleName", style->module);
		if (query->is_symbol)
			json_string(json, "SymName", query->name, query->name_length);
	} else {
		json_open(json, "Loc", '[');
		json_close(json, ']');
		json_text(json, "ModuleName", style->module);
		json_string(json, "SymName", query->name, query->name_length);
	}
	close_object(style);
}

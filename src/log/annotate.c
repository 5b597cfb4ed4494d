// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/annotate.h"
#include "tool/demangle.h"
#include "tool/json.h"
#include "tool/mask.h"

#include <stdlib.h>
#include <string.h>

static void add_masked(struct text *text, const char *string)
{
	if (string)
		text_add_masked(text, string, strnlen(string, ROSSYM_LENGTH_MAX));
}

/* Limits in bytes for the parts of a note.  A note of more than LONGEST_NOTE bytes would not be recognised in a later
   run. */
enum { LONGEST_FUNCTION = 1000, LONGEST_FILE = 1000, ENOUGH_CALLERS = 1024 };

/* Append the beginning of NAME and dots; then a ")" for each parenthesis that is still open, so that those of the note
   match. */
static void add_cut(struct text *text, const char *name)
{
	size_t open = 0, length = 0;
	for (; length < LONGEST_FUNCTION - 3 - open; length++)
		open = name[length] == '(' ? open + 1 : name[length] == ')' && open > 0 ? open - 1 : open;
	text_add_masked(text, name, length);
	text_add(text, "...");
	while (open-- > 0)
		text_add_char(text, ')');
}

static void add_function(struct text *text, const struct settings *settings, const char *function)
{
	char *plain = function && settings->demangle ? demangle(function, false) : NULL;
	const char *name = plain ? plain : function;
	if (name && strnlen(name, LONGEST_FUNCTION + 1) > LONGEST_FUNCTION)
		add_cut(text, name);
	else
		add_masked(text, name);
	free(plain);
}

static const char *shown_file(struct text *text, struct settings *settings, const char *file)
{
	if (!file)
		return "";
	const char *shown = paths_show(&settings->paths, file);
	text->no_memory |= !shown;
	return shown ? shown : file;
}

/* A path that is too long loses its beginning. */
static void add_file(struct text *text, struct settings *settings, const char *file)
{
	const char *shown = shown_file(text, settings, file);
	size_t length = strnlen(shown, ROSSYM_LENGTH_MAX), cut = length > LONGEST_FILE ? length - LONGEST_FILE : 0;
	text_add_masked(text, shown + cut, length - cut);
}

/* Start with the caller of the innermost frame.  False: there is none, or inlines are not wanted.  A chain that cannot be
   read was reported when the block was read, and counts as none. */
static bool callers_begin(const struct settings *settings, const struct answer *answer, struct rossym_frames *frames)
{
	struct rossym_frame innermost;
	return settings->inlines && rossym_frames_begin(answer->found.image, &answer->found.frame, frames, NULL) == 0 &&
	       rossym_frames_next(frames, &innermost) > 0;
}

static void add_callers(struct text *text, struct settings *settings, const struct answer *answer)
{
	struct rossym_frames frames;
	struct rossym_frame caller;
	size_t begin = text->length;
	if (!callers_begin(settings, answer, &frames))
		return;
	while (rossym_frames_next(&frames, &caller) > 0 && text->length - begin < ENOUGH_CALLERS) {
		text_add(text, ", inlined by ");
		add_file(text, settings, caller.file);
		text_add_char(text, ':');
		text_add_decimal(text, caller.line);
		text_add(text, " (");
		add_function(text, settings, caller.function);
		text_add_char(text, ')');
	}
}

/* With two looked-up addresses (ANSWER->differs), what differs for the byte before is added in brackets:
   file[file]:line[line]. */
void annotate_note(struct text *text, struct settings *settings, const struct answer *answer)
{
	const struct rossym_frame *frame = &answer->found.frame, *before = answer->differs ? &answer->before : NULL;
	text_add(text, settings->color ? " \033[32m(" : " (");
	add_file(text, settings, frame->file);
	if (before && before->file && (!frame->file || strncmp(frame->file, before->file, ROSSYM_LENGTH_MAX) != 0)) {
		text_add_char(text, '[');
		add_file(text, settings, before->file);
		text_add_char(text, ']');
	}
	text_add_char(text, ':');
	text_add_decimal(text, frame->line);
	if (before && before->line != frame->line) {
		text_add_char(text, '[');
		text_add_decimal(text, before->line);
		text_add_char(text, ']');
	}
	text_add(text, " (");
	add_function(text, settings, frame->function);
	if (before && before->function && (!frame->function || strncmp(frame->function, before->function, ROSSYM_LENGTH_MAX) != 0)) {
		text_add_char(text, '[');
		add_function(text, settings, before->function);
		text_add_char(text, ']');
	}
	text_add_char(text, ')');
	add_callers(text, settings, answer);
	if (answer->found.module->other_stamp)
		text_add(text, " - other DateStamp");
	text_add(text, settings->color ? ")\033[0m" : ")");
}

/* ------------------------------------------------------------------------------------------------- JSON */

static void put_string(struct json *json, struct out *out, const char *key, const char *string)
{
	json_key(json, out, key);
	if (string)
		json_string(json, out, string, strlen(string));
	else
		json_word(json, out, "null");
}

/* The same for a string of a table, of which at most ROSSYM_LENGTH_MAX bytes are printed: a damaged table can have
   endless ones. */
static void put_table_string(struct json *json, struct out *out, const char *key, const char *string)
{
	json_key(json, out, key);
	if (string)
		json_string(json, out, string, strnlen(string, ROSSYM_LENGTH_MAX));
	else
		json_word(json, out, "null");
}

/* False: no memory. */
static bool put_frame(struct json *json, struct out *out, struct settings *settings, const struct rossym_frame *frame)
{
	char *plain = frame->function && settings->demangle ? demangle(frame->function, false) : NULL;
	const char *file = frame->file ? paths_show(&settings->paths, frame->file) : NULL;
	json_open(json, out, '{');
	json_key(json, out, "line");
	if (frame->line)
		json_number(json, out, frame->line);
	else
		json_word(json, out, "null");
	put_table_string(json, out, "file", file ? file : frame->file);
	put_table_string(json, out, "function", plain ? plain : frame->function);
	json_close(json, out, '}');
	free(plain);
	return file || !frame->file;
}

static bool put_frames(struct json *json, struct out *out, struct settings *settings, const struct answer *answer)
{
	struct rossym_frames frames;
	struct rossym_frame caller;
	bool good = put_frame(json, out, settings, &answer->found.frame);
	for (bool more = callers_begin(settings, answer, &frames); more && rossym_frames_next(&frames, &caller) > 0;)
		good &= put_frame(json, out, settings, &caller);
	return good;
}

static void put_address(struct json *json, struct out *out, const struct token *token, const struct answer *answer,
			const struct place *place)
{
	const struct rossym_module *module = answer->found.module;
	json_key(json, out, "line");
	json_number(json, out, place->line);
	json_key(json, out, "column");
	json_number(json, out, token->begin + 1);
	if (place->log)
		put_string(json, out, "log", place->log);
	json_key(json, out, "token");
	json_string(json, out, place->text + token->begin, token->end - token->begin);
	put_string(json, out, "module", module ? module->name : NULL);
	if (token->absolute) {
		json_key(json, out, "address");
		json_hex(json, out, token->number);
	}
	if (module) {
		json_key(json, out, "rva");
		json_hex(json, out, answer->rva);
	}
	json_key(json, out, "return_address");
	json_word(json, out, answer->is_return == IS_OPEN ? "null" : answer->is_return == IS_RETURN ? "true" : "false");
}

bool annotate_json(struct out *out, struct settings *settings, const struct token *token, const struct answer *answer,
		   const struct place *place)
{
	char label[600];
	struct json json = { .indent = false };
	const struct rossym_module *module = answer->found.module;
	bool answered = answer->found.why == ROSSYM_WHY_ANSWERED, good = true;
	json_open(&json, out, '{');
	put_address(&json, out, token, answer, place);
	if (answered) {
		put_string(&json, out, "image", modules_file(module, label, sizeof label));
		put_string(&json, out, "datestamp", !module->time_date_stamp ? "unknown" : module->other_stamp ? "other" : "same");
	}
	json_key(&json, out, "frames");
	json_open(&json, out, '[');
	if (answered)
		good = put_frames(&json, out, settings, answer);
	json_close(&json, out, ']');
	if (!answered)
		put_string(&json, out, "why", rossym_why_text(answer->found.why));
	json_close(&json, out, '}');
	json_end(&json, out);
	return good;
}

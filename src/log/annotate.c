// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/annotate.h"
#include "log/mask.h"
#include "log/chars.h"
#include "tool/demangle.h"

#include <stdlib.h>
#include <string.h>

static void add_masked(struct text *text, const char *string)
{
	if (string)
		text_add_masked(text, string, strnlen(string, ROSSYM_LENGTH_MAX));
}

/* To be freed; NULL if FUNCTION is to be shown as it is. */
static char *demangled(const struct settings *settings, const char *function)
{
	bool wanted = function && settings->demangle && strnlen(function, ROSSYM_LENGTH_MAX) < ROSSYM_LENGTH_MAX;
	return wanted ? demangle(function, false) : NULL;
}

static void add_function(struct text *text, const struct settings *settings, const char *function)
{
	char *plain = demangled(settings, function);
	add_masked(text, plain ? plain : function);
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

/* The callers of an inlined function.  A table whose chain cannot be read has told so elsewhere: it has none. */
static bool callers_begin(const struct settings *settings, const struct answer *answer, struct rossym_frames *frames)
{
	struct rossym_image *image = settings->inlines ? modules_image(answer->module) : NULL;
	struct rossym_frame innermost;
	return image && rossym_frames_begin(image, &answer->frame, frames, NULL) == 0 &&
	       rossym_frames_next(frames, &innermost) > 0;
}

static void add_callers(struct text *text, struct settings *settings, const struct answer *answer)
{
	enum { ENOUGH = 1024 };		/* a note that is too long would not be known again for one */
	struct rossym_frames frames;
	struct rossym_frame caller;
	size_t begin = text->length;
	if (!callers_begin(settings, answer, &frames))
		return;
	while (rossym_frames_next(&frames, &caller) > 0 && text->length - begin < ENOUGH) {
		text_add(text, ", inlined by ");
		add_masked(text, shown_file(text, settings, caller.file));
		text_add_char(text, ':');
		text_add_decimal(text, caller.line);
		text_add(text, " (");
		add_function(text, settings, caller.function);
		text_add_char(text, ')');
	}
}

void annotate_note(struct text *text, struct settings *settings, const struct answer *answer)
{
	const struct rossym_frame *frame = &answer->frame, *before = answer->differs ? &answer->before : NULL;
	text_add(text, settings->color ? " \033[32m(" : " (");
	add_masked(text, shown_file(text, settings, frame->file));
	if (before && before->file && (!frame->file || strncmp(frame->file, before->file, ROSSYM_LENGTH_MAX) != 0)) {
		text_add_char(text, '[');
		add_masked(text, shown_file(text, settings, before->file));
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
	if (answer->module->other_stamp)
		text_add(text, " - other DateStamp");
	text_add(text, settings->color ? ")\033[0m" : ")");
}

/* ------------------------------------------------------------------------------------------------- JSON */

static void add_json(struct text *text, const char *bytes, size_t length)
{
	text_add_char(text, '"');
	while (length > 0) {
		size_t n = utf8_length(bytes, length);
		if (n == 0) {
			text_add(text, "\\ufffd");
			n = 1;
		} else if (n == 1 && (*bytes == '"' || *bytes == '\\')) {
			text_add_char(text, '\\');
			text_add_char(text, *bytes);
		} else if (n == 1 && is_control(*bytes)) {
			text_add(text, "\\u00");
			text_add_char(text, "0123456789abcdef"[(unsigned char)*bytes >> 4]);
			text_add_char(text, "0123456789abcdef"[(unsigned char)*bytes & 15]);
		} else {
			text_add_bytes(text, bytes, n);
		}
		bytes += n;
		length -= n;
	}
	text_add_char(text, '"');
}

static void add_member(struct text *text, const char *name, const char *string)
{
	text_add(text, ",\"");
	text_add(text, name);
	text_add(text, "\":");
	if (string)
		add_json(text, string, strnlen(string, ROSSYM_LENGTH_MAX));
	else
		text_add(text, "null");
}

static void add_hex(struct text *text, const char *name, uint64_t number)
{
	text_add(text, ",\"");
	text_add(text, name);
	text_add(text, "\":\"0x");
	text_add_hex(text, number);
	text_add_char(text, '"');
}

static void add_frame(struct text *text, struct settings *settings, const struct rossym_frame *frame)
{
	char *plain = demangled(settings, frame->function);
	text_add(text, "{\"line\":");
	if (frame->line)
		text_add_decimal(text, frame->line);
	else
		text_add(text, "null");
	add_member(text, "file", frame->file ? shown_file(text, settings, frame->file) : NULL);
	add_member(text, "function", plain ? plain : frame->function);
	text_add_char(text, '}');
	free(plain);
}

void annotate_json(struct text *text, struct settings *settings, const struct token *token,
		   const struct answer *answer, const struct place *place)
{
	char label[600];
	const struct module *module = answer->module;
	text_add(text, "{\"line\":");
	text_add_decimal(text, place->line);
	text_add(text, ",\"column\":");
	text_add_decimal(text, token->begin + 1);
	if (place->log)
		add_member(text, "log", place->log);
	text_add(text, ",\"token\":");
	add_json(text, place->text + token->begin, token->end - token->begin);
	add_member(text, "module", module ? module->name : NULL);
	if (token->absolute)
		add_hex(text, "address", token->number);
	if (module)
		add_hex(text, "rva", answer->rva);
	text_add(text, answer->is_return ? ",\"return_address\":true" : ",\"return_address\":false");
	if (answer->why == WHY_ANSWERED) {
		add_member(text, "image", modules_file(module, label, sizeof label));
		text_add(text, ",\"datestamp\":");
		text_add(text, !module->stamp ? "\"unknown\"" : module->other_stamp ? "\"other\"" : "\"same\"");
	}
	text_add(text, ",\"frames\":[");
	if (answer->why == WHY_ANSWERED) {
		struct rossym_frames frames;
		struct rossym_frame caller;
		add_frame(text, settings, &answer->frame);
		for (bool more = callers_begin(settings, answer, &frames);
		     more && rossym_frames_next(&frames, &caller) > 0;) {
			text_add_char(text, ',');
			add_frame(text, settings, &caller);
		}
	}
	text_add_char(text, ']');
	if (answer->why != WHY_ANSWERED)
		add_member(text, "why", why_text(answer->why));
	text_add(text, "}\n");
}

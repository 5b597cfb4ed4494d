// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/annotate.h"
#include "log/read/note.h"
#include "log/url.h"
#include "tool/demangle.h"
#include "tool/json.h"

#include <stdlib.h>
#include <string.h>

/* State of writing one note. */
struct note_writer {
	struct strbuf *text;
	struct settings *settings;
	const char *commit; /* passed to url_add() */
	char *plain;	    /* the demangled name of the last frame, or NULL */
	struct strbuf url;  /* the URL of the last frame */
	size_t links;	    /* upper bound for the bytes of `text` that are links and their escape sequences */
};

/* Append the URL of FRAME, whose file is shown as FILE, to URL.  Returns false if there is none. */
static bool add_url(struct strbuf *url, const struct settings *settings, const struct rossym_frame *frame,
		    const char *file, const char *commit)
{
	return settings->source_url && url_add(url, settings->source_url, file, frame->line, commit);
}

/* Returns the URL that the note links to for FRAME; NULL if links are off, if FRAME has no URL, or if the note's links
   might take more than NOTE_LINKS bytes. */
static const char *link_to(struct note_writer *w, const struct rossym_frame *frame, const char *file)
{
	enum { SEQUENCES = 2 * sizeof NOTE_LINK NOTE_LINK_END };
	w->url.length = 0;
	if (!w->settings->hyperlinks || w->links + URL_LENGTH_MAX + SEQUENCES > NOTE_LINKS ||
	    !add_url(&w->url, w->settings, frame, file, w->commit))
		return NULL;
	w->links += w->url.length + SEQUENCES;
	return w->url.bytes;
}

/* Returns FRAME as the note shows it; valid until the next call. */
static struct note_frame shown_frame(struct note_writer *w, const struct rossym_frame *frame)
{
	const char *file = frame->file ? paths_show(&w->settings->paths, frame->file) : NULL;
	w->text->no_memory |= frame->file && !file;
	free(w->plain);
	w->plain = frame->function && w->settings->demangle ? demangle(frame->function, false) : NULL;
	return (struct note_frame){ file ? file : frame->file, w->plain ? w->plain : frame->function, frame->line,
				    link_to(w, frame, file) };
}

/* Begin a note with FRAME.  BEFORE, unless it is NULL, is the frame for the byte before the address, which the note
   shows, too (see note_begin()). */
static void begin_note(struct note_writer *w, const struct rossym_frame *frame, const struct rossym_frame *before)
{
	char *plain_before = NULL;
	struct strbuf path = { .bytes = NULL };
	struct note_frame other = { .file = NULL };
	if (before) {
		/* shown_frame() keeps the strings of its last call only, so save those of BEFORE. */
		other = shown_frame(w, before);
		if (other.file) {
			strbuf_add_bytes(&path, other.file, strnlen(other.file, ROSSYM_LENGTH_MAX));
			other.file = path.bytes;
		}
		plain_before = w->plain;
		w->plain = NULL;
	}
	const struct note_frame innermost = shown_frame(w, frame);
	note_begin(w->text, &innermost, before ? &other : NULL, w->settings->color);
	w->text->no_memory |= path.no_memory;
	strbuf_clear(&path);
	free(plain_before);
}

/* Returns the frames of ANSWER that are to be shown, the innermost first.  They can be in ROOM, ROSSYM_FRAMES_MAX
   frames. */
static struct rossym_found frames_of(const struct settings *settings, const struct answer *answer,
				     struct rossym_frame *room)
{
	struct rossym_found shown = { .frames = room, .count = 1 };
	struct rossym_frames frames;
	room[0] = answer->found.frame;
	if (!settings->inlines)
		return shown;
	if (answer->found.found.count > 0)
		return answer->found.found;
	if (rossym_frames_begin(answer->found.image, &answer->found.frame, &frames, NULL) == 0)
		for (shown.count = 0; rossym_frames_next(&frames, &room[shown.count]) > 0;)
			shown.count++;
	return shown;
}

static void add_caller(struct note_writer *w, const struct rossym_frame *frame)
{
	const struct note_frame caller = shown_frame(w, frame);
	if (w->settings->html)
		strbuf_add_char(w->text, NOTE_CALLER);
	note_caller(w->text, &caller);
}

/* Add the callers, all of FOUND but the first.  If they are too long for a note, "..." replaces those between the first
   ones and the last one, which is the function that was not inlined. */
static void add_callers(struct note_writer *w, const struct rossym_found *found)
{
	static const struct note_frame more = { .function = "..." };
	const size_t begin = w->text->length - w->links;
	uint32_t i = 1;
	for (; i < found->count && w->text->length - w->links - begin < NOTE_CALLERS; i++)
		add_caller(w, &found->frames[i]);
	if (i + 1 < found->count)
		note_caller(w->text, &more);
	if (i < found->count)
		add_caller(w, &found->frames[found->count - 1]);
	if (w->settings->html)
		strbuf_add_char(w->text, NOTE_CALLERS_END);
}

enum note_other annotate_other(const struct answer *answer)
{
	return answer->build == BUILD_OTHER	   ? NOTE_OTHER_BUILD
	       : answer->build == BUILD_UNDECIDED  ? NOTE_UNDECIDED_BUILD
	       : answer->found.module->other_stamp ? NOTE_OTHER_STAMP
						   : NOTE_SAME;
}

void annotate_note(struct strbuf *text, struct settings *settings, const struct answer *answer, bool no_return)
{
	struct note_writer writer = { .text = text, .settings = settings, .commit = answer->commit };
	struct rossym_frame room[ROSSYM_FRAMES_MAX];
	const struct rossym_found found = frames_of(settings, answer, room);
	begin_note(&writer, found.frames, answer->differs ? &answer->before : NULL);
	if (settings->inlines)
		add_callers(&writer, &found);
	note_end(text, (struct note_remarks){ annotate_other(answer), answer->no_call, no_return }, settings->color);
	text->no_memory |= writer.url.no_memory;
	strbuf_clear(&writer.url);
	free(writer.plain);
}

/* Returns where the symbols of ANSWER's module come from, or why there are none; the text may be in BUFFER. */
static const char *symbols_of(const struct resolver *resolver, const struct answer *answer, char *buffer, size_t size)
{
	return answer->refused || !answer->found.module
		       ? answer->why
		       : modules_describe_symbols(&resolver->modules, answer->found.module, buffer, size);
}

void annotate_symbols(struct strbuf *text, const struct resolver *resolver, const struct answer *answer)
{
	char buffer[NOTE_SYMBOLS + 1];
	const bool found = answer->found.why == ROSSYM_WHY_ANSWERED;
	note_symbols(text, found, symbols_of(resolver, answer, buffer, sizeof buffer),
		     found ? annotate_other(answer) : NOTE_SAME, resolver->settings->color);
}

/* Call VISIT for FRAME, as a note shows it.  Returns false if there is no memory. */
static bool visit_frame(struct settings *settings, const struct rossym_frame *frame, const char *commit,
			void (*visit)(void *context, const struct note_frame *frame), void *context)
{
	struct strbuf url = { .bytes = NULL };
	char *plain = frame->function && settings->demangle ? demangle(frame->function, false) : NULL;
	const char *file = frame->file ? paths_show(&settings->paths, frame->file) : NULL;
	const bool linked = add_url(&url, settings, frame, file, commit);
	visit(context, &(const struct note_frame){ file ? file : frame->file, plain ? plain : frame->function,
						   frame->line, linked ? url.bytes : NULL });
	bool good = (file || !frame->file) && !url.no_memory;
	strbuf_clear(&url);
	free(plain);
	return good;
}

bool annotate_frames(struct settings *settings, const struct answer *answer,
		     void (*visit)(void *context, const struct note_frame *frame), void *context)
{
	struct rossym_frame room[ROSSYM_FRAMES_MAX];
	const struct rossym_found found = frames_of(settings, answer, room);
	bool good = true;
	for (uint32_t i = 0; i < found.count; i++)
		good &= visit_frame(settings, &found.frames[i], answer->commit, visit, context);
	return good;
}

/* ------------------------------------------------------------------------------------------------- JSON */

/* Print a string of a table.  A string of a damaged table may have no end, so at most
   ROSSYM_LENGTH_MAX bytes are printed. */
static void put_table_string(struct json *json, const char *key, const char *string)
{
	json_string(json, key, string, string ? strnlen(string, ROSSYM_LENGTH_MAX) : 0);
}

static void put_frame(void *context, const struct note_frame *frame)
{
	struct json *json = context;
	json_open(json, NULL, '{');
	if (frame->line)
		json_number(json, "line", frame->line);
	else
		json_word(json, "line", "null");
	put_table_string(json, "file", frame->file);
	put_table_string(json, "function", frame->function);
	if (frame->url)
		json_text(json, "url", frame->url);
	json_close(json, '}');
}

static void put_place(struct json *json, const struct token *token, const struct log_position *place)
{
	json_number(json, "line", place->line);
	json_number(json, "column", place->column + token->begin);
	if (place->log)
		json_text(json, "log", place->log);
	json_string(json, "token", place->text + token->begin, token->end - token->begin);
}

static void put_address(struct json *json, const struct token *token, const struct answer *answer,
			const struct log_position *place)
{
	const struct rossym_module *module = answer->found.module;
	put_place(json, token, place);
	json_text(json, "module", module ? module->name : NULL);
	if (token->absolute) {
		json_hex(json, "address", token->number);
	}
	if (module) {
		json_hex(json, "rva", answer->rva);
	}
	json_word(json, "return_address",
		  answer->is_return == IS_OPEN	   ? "null"
		  : answer->is_return == IS_RETURN ? "true"
						   : "false");
}

/* Print what is known of the image of ANSWER's module. */
static void put_image(struct json *json, const struct answer *answer)
{
	static const char *const build_words[] = { [BUILD_UNKNOWN] = "unknown",
						   [BUILD_SAME] = "same",
						   [BUILD_OTHER] = "other",
						   [BUILD_UNDECIDED] = "undecided" };
	const struct rossym_module *module = answer->found.module;
	const struct file *image = modules_image(module);
	json_text(json, "image", image ? image->label : NULL);
	if (image && image->debug_file)
		json_text(json, "debug_information", image->debug_file->label);
	json_text(json, "datestamp", !module->time_date_stamp ? "unknown" : module->other_stamp ? "other" : "same");
	json_text(json, "build", build_words[answer->build]);
}

bool annotate_json(struct out *out, struct settings *settings, const struct token *token, const struct answer *answer,
		   const struct log_position *place)
{
	struct json json = { .out = out };
	bool answered = answer->found.why == ROSSYM_WHY_ANSWERED, good = true;
	json_open(&json, NULL, '{');
	put_address(&json, token, answer, place);
	if (answered || answer->refused)
		put_image(&json, answer);
	json_open(&json, "frames", '[');
	if (answered)
		good = annotate_frames(settings, answer, put_frame, &json);
	json_close(&json, ']');
	if (answered && answer->no_call) {
		json_word(&json, "no_call", "true");
	}
	if (!answered)
		json_text(&json, "why", answer->why);
	json_close(&json, '}');
	json_end(&json);
	return good;
}

void annotate_symbols_json(struct out *out, const struct resolver *resolver, const struct answer *answer,
			   const struct token *token, const struct log_position *place)
{
	char buffer[NOTE_SYMBOLS + 1];
	struct json json = { .out = out };
	const bool found = answer->found.why == ROSSYM_WHY_ANSWERED;
	json_open(&json, NULL, '{');
	put_place(&json, token, place);
	json_text(&json, "module", answer->found.module ? answer->found.module->name : NULL);
	if (found || answer->refused)
		put_image(&json, answer);
	json_word(&json, "symbols", found ? "true" : "false");
	if (!found)
		json_text(&json, "why", symbols_of(resolver, answer, buffer, sizeof buffer));
	json_close(&json, '}');
	json_end(&json);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/annotate.h"
#include "log/read/chars.h"
#include "log/url.h"
#include "tool/demangle.h"
#include "tool/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A frame as notes show it, and the memory of its strings, which clear_shown_frame() frees. */
struct shown {
	struct note_frame frame;
	char *plain; /* the demangled name, or NULL */
	struct strbuf path, url;
	bool no_memory;
};

/* Store in *SHOWN how notes show FRAME: demangled, with paths changed as the settings say.  COMMIT: for the URL. */
static void prepare_shown_frame(struct shown *shown, struct settings *settings, const struct rossym_frame *frame,
				const char *commit)
{
	const char *file = frame->file ? paths_shown_path(&settings->paths, frame->file) : NULL;
	*shown = (struct shown){ .no_memory = frame->file && !file };
	if (file)
		strbuf_add_bytes(&shown->path, file, strnlen(file, ROSSYM_LENGTH_MAX));
	shown->plain = frame->function && settings->demangle ? demangle(frame->function, false) : NULL;
	shown->frame = (struct note_frame){ shown->path.bytes, shown->plain ? shown->plain : frame->function,
					    frame->line, NULL };
	if (settings->source_url && url_add(&shown->url, settings->source_url, file, frame->line, commit))
		shown->frame.url = shown->url.bytes;
	shown->no_memory |= shown->path.no_memory || shown->url.no_memory;
}

static void clear_shown_frame(struct shown *shown)
{
	strbuf_clear(&shown->path);
	strbuf_clear(&shown->url);
	free(shown->plain);
}

/* State of writing one note. */
struct note_writer {
	struct strbuf *text;
	struct settings *settings;
	const char *commit; /* the commit of the source, for url_add() */
	size_t links;	    /* upper bound for the bytes of `text` that are links and their escape sequences */
};

/* Store in *SHOWN how the note shows FRAME: without its URL if links are off, or if the note's links might take more
   than NOTE_LINKS bytes. */
static void prepare_frame_of_note(struct note_writer *w, struct shown *shown, const struct rossym_frame *frame)
{
	enum { SEQUENCES = 2 * sizeof NOTE_LINK NOTE_LINK_END };
	prepare_shown_frame(shown, w->settings, frame, w->commit);
	if (!w->settings->hyperlinks || w->links + URL_LENGTH_MAX + SEQUENCES > NOTE_LINKS)
		shown->frame.url = NULL;
	if (shown->frame.url)
		w->links += shown->url.length + SEQUENCES;
	w->text->no_memory |= shown->no_memory;
}

/* Begin a note with FRAME.  BEFORE: the frame for the byte before the address, if the note also shows it; else NULL. */
static void begin_note(struct note_writer *w, const struct rossym_frame *frame, const struct rossym_frame *before)
{
	struct shown innermost, other = { .no_memory = false };
	if (before)
		prepare_frame_of_note(w, &other, before);
	prepare_frame_of_note(w, &innermost, frame);
	note_begin(w->text, &innermost.frame, before ? &other.frame : NULL, w->settings->color);
	clear_shown_frame(&innermost);
	clear_shown_frame(&other);
}

/* Returns the frames of ANSWER that are to be shown, the innermost first.  They may be stored in ROOM, an array of
   ROSSYM_FRAMES_MAX frames. */
static struct rossym_found choose_shown_frames(const struct settings *settings, const struct answer *answer,
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
	struct shown caller;
	prepare_frame_of_note(w, &caller, frame);
	if (w->settings->html)
		strbuf_add_char(w->text, NOTE_CALLER);
	note_add_caller(w->text, &caller.frame);
	clear_shown_frame(&caller);
}

/* Add the callers: all frames of FOUND but the first.  If they are too long for a note, "..." replaces those between
   the first ones and the last one, which is the function that was not inlined. */
static void add_callers(struct note_writer *w, const struct rossym_found *found)
{
	static const struct note_frame more = { .function = "..." };
	const size_t begin = w->text->length - w->links;
	uint32_t i = 1;
	for (; i < found->count && w->text->length - w->links - begin < NOTE_CALLERS; i++)
		add_caller(w, &found->frames[i]);
	if (i + 1 < found->count)
		note_add_caller(w->text, &more);
	if (i < found->count)
		add_caller(w, &found->frames[found->count - 1]);
	if (w->settings->html)
		strbuf_add_char(w->text, NOTE_CALLERS_END);
}

enum note_other annotate_choose_remark(const struct answer *answer)
{
	return answer->build == BUILD_OTHER	   ? NOTE_OTHER_BUILD
	       : answer->build == BUILD_UNDECIDED  ? NOTE_UNDECIDED_BUILD
	       : answer->found.module->other_stamp ? NOTE_OTHER_STAMP
						   : NOTE_SAME;
}

void annotate_add_note(struct strbuf *text, struct settings *settings, const struct answer *answer, bool no_return)
{
	struct note_writer writer = { .text = text, .settings = settings, .commit = answer->commit };
	struct rossym_frame room[ROSSYM_FRAMES_MAX];
	const struct rossym_found found = choose_shown_frames(settings, answer, room);
	begin_note(&writer, found.frames, answer->differs ? &answer->before : NULL);
	if (settings->inlines)
		add_callers(&writer, &found);
	note_end(text, (struct note_remarks){ annotate_choose_remark(answer), answer->no_call, no_return },
		 settings->color);
}

/* Returns where the symbols of ANSWER's module come from, or why there are none.  The string may be in BUFFER. */
static const char *describe_symbols(const struct resolver *resolver, const struct answer *answer, char *buffer,
				    size_t size)
{
	return answer->refused || !answer->found.module
		       ? answer->why
		       : modules_describe_symbols(&resolver->modules, answer->found.module, buffer, size);
}

void annotate_add_symbols_note(struct strbuf *text, const struct resolver *resolver, const struct answer *answer)
{
	char buffer[NOTE_SYMBOLS + 1];
	const bool found = answer->found.why == ROSSYM_WHY_ANSWERED;
	note_add_symbols(text, found, describe_symbols(resolver, answer, buffer, sizeof buffer),
			 found ? annotate_choose_remark(answer) : NOTE_SAME, resolver->settings->color);
}

/* Call VISIT for the innermost frame of ANSWER and, with settings->inlines, for each caller into which it is inlined.
   ANSWER's found.why must be ROSSYM_WHY_ANSWERED.  Names are demangled and paths changed as the settings say.  The
   strings are valid during the call.  Returns false if there is no memory. */
static bool visit_frames(struct settings *settings, const struct answer *answer,
			 void (*visit)(void *context, const struct note_frame *frame), void *context)
{
	struct rossym_frame room[ROSSYM_FRAMES_MAX];
	const struct rossym_found found = choose_shown_frames(settings, answer, room);
	bool good = true;
	for (uint32_t i = 0; i < found.count; i++) {
		struct shown shown;
		prepare_shown_frame(&shown, settings, &found.frames[i], answer->commit);
		visit(context, &shown.frame);
		good &= !shown.no_memory;
		clear_shown_frame(&shown);
	}
	return good;
}

/* ---------------------------------------------------------------------------------------- printing JSON */

/* Write STRING, which is from a symbol table, as member KEY.  In a damaged table, a string may have no end, so at most
   ROSSYM_LENGTH_MAX bytes are written. */
static void write_table_string(struct json *json, const char *key, const char *string)
{
	json_write_string(json, key, string, string ? strnlen(string, ROSSYM_LENGTH_MAX) : 0);
}

static void write_frame(void *context, const struct note_frame *frame)
{
	struct json *json = context;
	json_open(json, NULL, '{');
	if (frame->line)
		json_write_number(json, "line", frame->line);
	else
		json_write_word(json, "line", "null");
	write_table_string(json, "file", frame->file);
	write_table_string(json, "function", frame->function);
	if (frame->url)
		json_write_text(json, "url", frame->url);
	json_close(json, '}');
}

static void write_address(struct json *json, const struct token *token, const struct answer *answer)
{
	if (token->absolute)
		json_write_hex(json, "address", token->number);
	if (answer->found.module)
		json_write_hex(json, "rva", answer->rva);
	json_write_word(json, "return_address",
			answer->is_return == IS_OPEN	 ? "null"
			: answer->is_return == IS_RETURN ? "true"
							 : "false");
}

/* Write the image of ANSWER's module, its debug file, and whether its DateStamp and build are those in the log. */
static void write_image(struct json *json, const struct answer *answer)
{
	static const char *const build_words[] = { [BUILD_UNKNOWN] = "unknown",
						   [BUILD_SAME] = "same",
						   [BUILD_OTHER] = "other",
						   [BUILD_UNDECIDED] = "undecided" };
	const struct rossym_module *module = answer->found.module;
	const struct file *image = modules_image_file(module);
	json_write_text(json, "image", image ? image->label : NULL);
	if (image && image->debug_file)
		json_write_text(json, "debug_information", image->debug_file->label);
	json_write_text(json, "datestamp",
			!module->time_date_stamp ? "unknown"
			: module->other_stamp	 ? "other"
						 : "same");
	json_write_text(json, "build", build_words[answer->build]);
}

bool annotate_print_json(struct out *out, struct settings *settings, const struct resolver *resolver,
			 const struct token *token, const struct answer *answer, const struct log_position *place)
{
	char buffer[NOTE_SYMBOLS + 1];
	struct json json = { .out = out };
	const bool answered = answer->found.why == ROSSYM_WHY_ANSWERED;
	bool good = true;
	json_open(&json, NULL, '{');
	json_write_number(&json, "line", place->line);
	json_write_number(&json, "column", place->column + token->begin);
	if (place->log)
		json_write_text(&json, "log", place->log);
	json_write_string(&json, "token", place->text + token->begin, token->end - token->begin);
	json_write_text(&json, "module", answer->found.module ? answer->found.module->name : NULL);
	if (!token->is_module)
		write_address(&json, token, answer);
	if (answered || answer->refused)
		write_image(&json, answer);
	if (token->is_module) {
		json_write_word(&json, "symbols", answered ? "true" : "false");
	} else {
		json_open(&json, "frames", '[');
		if (answered)
			good = visit_frames(settings, answer, write_frame, &json);
		json_close(&json, ']');
	}
	if (answered && answer->no_call)
		json_write_word(&json, "no_call", "true");
	if (!answered)
		json_write_text(&json, "why",
				token->is_module ? describe_symbols(resolver, answer, buffer, sizeof buffer)
						 : answer->why);
	json_close(&json, '}');
	json_end(&json);
	return good;
}

/* ------------------------------------------------------------------- adding frames to the stack of a crash */

static void add_frame_to_stack(void *stack, const struct note_frame *frame)
{
	stack_add_call(stack, frame);
}

/* Add to STACK the calls that NOTE, a note in the log, names.  Returns the remarks of the note. */
static struct note_remarks add_calls_of_note(struct stack *stack, const struct plain_note *note)
{
	char file[STACK_STRING + 1], function[STACK_STRING + 1];
	struct note_part part;
	struct note_remarks remarks;
	for (size_t at = 0; note_next_frame(note->text, note->length, &at, &part);) {
		const char *text = note->text;
		snprintf(file, sizeof file, "%.*s", (int)(part.file_end - part.begin), text + part.begin);
		snprintf(function, sizeof function, "%.*s", (int)(part.function_end - part.function),
			 text + part.function);
		stack_add_call(stack, &(struct note_frame){ .file = file, .function = function, .line = part.line });
	}
	(void)note_read_remarks(note->text, note->length, &remarks);
	return remarks;
}

/* Add REMARKS as one string to STACK.  Returns the position of that string. */
static size_t add_remarks_text(struct stack *stack, struct note_remarks remarks)
{
	char text[NOTE_REMARKS];
	snprintf(text, sizeof text, "%s%s", note_get_remark(remarks.other), remarks.no_call ? NOTE_NO_CALL : "");
	return stack_add_string(stack, text, strlen(text));
}

bool annotate_add_crash_frame(struct crashes *crashes, struct settings *settings, const struct crash_address *address)
{
	bool good = true;
	const struct found_token *found = address->found;
	const struct answer *answer = address->answer;
	struct stack *stack = &crashes->addresses;
	struct stack_frame *frame = stack_add_frame(stack);
	if (!frame)
		return true;
	frame->begin = found->begin;
	frame->end = found->end;
	const struct plain_note *note = &found->note;
	/* If the module is not known, use what the log has: an absolute address; or a module's name and an offset. */
	const struct token *token = &found->token;
	const struct rossym_module *module = answer ? answer->found.module : NULL;
	frame->number = module ? answer->rva : token->number;
	if (module)
		frame->module = stack_add_string(stack, module->name, strlen(module->name));
	else if (!token->absolute)
		frame->module = stack_add_string(stack, token->module, token->module_length);
	frame->is_return = answer ? answer->is_return : token->is_return;
	frame->line = address->line->number;
	frame->letter = address->letter;
	frame->id = address->id;
	if (answer && answer->found.why == ROSSYM_WHY_ANSWERED) {
		good = visit_frames(settings, answer, add_frame_to_stack, stack);
		frame->remark = add_remarks_text(stack, (struct note_remarks){ .other = annotate_choose_remark(answer),
									       .no_call = answer->no_call });
	} else if (note_is_answer(note->text, note->length) && !(answer && answer->refused)) {
		frame->remark = add_remarks_text(stack, add_calls_of_note(stack, note));
	}
	return good;
}

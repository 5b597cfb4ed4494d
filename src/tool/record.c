// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/record.h"
#include "tool/decimal.h"

#include <string.h>
#include <strings.h>

bool record_form_by_name(const char *name, enum record_form *form)
{
	static const char *const names[] = { [RECORD_GNU] = "GNU", [RECORD_LLVM] = "LLVM", [RECORD_JSON] = "JSON" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0) {
			*form = (enum record_form)i;
			return true;
		}
	/* To LLVM's tools every word other than "GNU" and "JSON" means their own style.  So "gnu" would not mean GNU's
	   there, and is refused here. */
	*form = RECORD_LLVM;
	return strcasecmp(name, "LLVM") == 0;
}

void record_style_fork(struct record_style *fork, const struct record_style *style)
{
	*fork = *style;
	fork->paths.buffer = NULL;
	fork->shown_functions.slots = NULL;
	fork->shown_files.slots = NULL;
}

void record_style_clear(struct record_style *style)
{
	shown_clear(&style->shown_functions);
	shown_clear(&style->shown_files);
	paths_forget(&style->paths);
}

static const struct shown unknown = { "??", 2 };

struct shown record_function(struct record_style *style, const struct rossym_frame *frame)
{
	if (style->demangle)
		return shown_function(&style->shown_functions, frame, style->no_recursion_limit);
	return (struct shown){ frame->function, frame->function_length };
}

struct shown record_file(struct record_style *style, const struct rossym_frame *frame)
{
	if (!paths_are_plain(&style->paths))
		return shown_file(&style->shown_files, frame, &style->paths);
	return (struct shown){ frame->file, frame->file_length };
}

/* ------------------------------------------------------------------------------------------------- text */

/*
 * Text is written straight into the output's buffer, at P.  There is always room for OUT_ROOM bytes at P: enough for all parts
 * of a record without its strings, and for a string of ROSSYM_STRING_READABLE bytes.
 */

/* Write TEXT through the output, which copies any length; returns where to go on.  For strings that may not fit at P. */
static char *put_long(struct out *out, char *p, const char *text, size_t length)
{
	out_put(out, p);
	out_bytes(out, text, length);
	return out_room(out);
}

/* Write TEXT at P; returns where it ends.  READABLE: ROSSYM_STRING_READABLE bytes of TEXT can be read, so a short TEXT
   is copied with this fixed length, which compilers turn into a few moves.  With put_long() alone, a million addresses
   with -a take 1.3 times as long. */
static inline char *put_string(struct out *out, char *p, const char *text, size_t length, bool readable)
{
	if (!readable || length > ROSSYM_STRING_READABLE)
		return put_long(out, p, text, length);
	memcpy(p, text, ROSSYM_STRING_READABLE);
	return p + length;
}

/* Write a string literal at P; gives where it ends. */
#define PUT_LITERAL(p, text) ((char *)memcpy((p), (text), sizeof (text) - 1) + (sizeof (text) - 1))

static char *put_hex(char *p, uint64_t number, int digits)
{
	p = PUT_LITERAL(p, "0x");
	for (int i = digits; i-- > 0; number >>= 4)
		p[i] = "0123456789abcdef"[number & 15];
	return p + digits;
}

/* Write SHOWN, which is TEXT itself or another string for it.  NULL: no memory. */
static inline char *put_shown(const struct record_style *style, struct out *out, char *p, struct shown shown, const char *text)
{
	return shown.text ? put_string(out, p, shown.text, shown.length, style->readable && shown.text == text) : NULL;
}

static inline char *put_function(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame)
{
	return put_shown(style, out, p, frame->function ? record_function(style, frame) : unknown, frame->function);
}

static inline char *put_file(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame)
{
	return put_shown(style, out, p, frame->file ? record_file(style, frame) : unknown, frame->file);
}

/* The beginning of a frame in all forms of text: the function, if it is wanted, and the file with a colon. */
static inline char *put_names(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame)
{
	if (style->functions) {
		p = put_function(style, out, p, frame);
		if (!p)
			return NULL;
		p = style->pretty ? PUT_LITERAL(p, " at ") : PUT_LITERAL(p, "\n");
	}
	p = put_file(style, out, p, frame);
	if (!p)
		return NULL;
	*p++ = ':';
	return p;
}

/* A frame in GNU's form; FRAME is NULL if nothing is known.  NULL: no memory, as for all of these. */
static inline char *put_gnu(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame)
{
	if (!frame) {
		if (style->functions)
			p = style->pretty ? PUT_LITERAL(p, "?? ") : PUT_LITERAL(p, "??\n");
		return PUT_LITERAL(p, "??:0\n");
	}
	p = put_names(style, out, p, frame);
	if (!p)
		return NULL;
	if (frame->line)
		p = decimal_put(p, frame->line);
	else
		*p++ = '?';
	*p++ = '\n';
	return p;
}

/* A frame in the form of LLVM; FRAME is NULL if nothing is known. */
static char *put_llvm(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame)
{
	static const struct rossym_frame nothing = { .function = NULL };
	if (!frame)
		frame = &nothing;
	p = put_names(style, out, p, frame);
	if (!p)
		return NULL;
	p = decimal_put(p, frame->line);
	return PUT_LITERAL(p, ":0\n");
}

/* Do as LLVM's tools do without inlines: show the place of the innermost frame with the function of the outermost one.
   If there is a block, *FRAME becomes JOINED, which has both.  False: no memory. */
static bool join_frames(const struct record_style *style, const struct rossym_frame **frame, struct rossym_frame *joined)
{
	struct rossym_frames frames;
	struct rossym_frame outer;
	if (!style->block || !*frame)
		return true;
	if (rossym_frames_begin(style->block, *frame, &frames, NULL) < 0)
		return false;
	rossym_frames_next(&frames, joined);
	while (rossym_frames_next(&frames, &outer)) {
		joined->function = outer.function;
		joined->function_length = outer.function_length;
	}
	*frame = joined;
	return true;
}

static char *put_joined(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame)
{
	struct rossym_frame joined;
	return join_frames(style, &frame, &joined) ? put_llvm(style, out, p, frame) : NULL;
}

/* All frames of the address that FRAME answers for. */
static char *put_frames(struct record_style *style, struct out *out, char *p, const struct rossym_frame *frame)
{
	struct rossym_frames frames;
	struct rossym_frame one;
	/* The block has been read, so that this cannot fail. */
	if (rossym_frames_begin(style->inlines, frame, &frames, NULL) < 0)
		return NULL;
	for (bool more = false; p && rossym_frames_next(&frames, &one); more = true) {
		if (more) {
			out_put(out, p);
			p = out_room(out);
			if (style->pretty)
				p = PUT_LITERAL(p, " (inlined by) ");
		}
		p = style->form == RECORD_GNU ? put_gnu(style, out, p, &one) : put_llvm(style, out, p, &one);
	}
	return p;
}

static inline bool print_text(struct record_style *style, struct out *out, uint64_t address, const struct rossym_frame *frame)
{
	char *p = out_room(out);
	if (style->addresses) {
		p = put_hex(p, address, style->form == RECORD_GNU ? style->digits : out_hex_digits(address));
		p = style->pretty ? PUT_LITERAL(p, ": ") : PUT_LITERAL(p, "\n");
	}
	if (style->inlines && frame)
		p = put_frames(style, out, p, frame);
	else
		p = style->form == RECORD_GNU ? put_gnu(style, out, p, frame) : put_joined(style, out, p, frame);
	if (!p)
		return false;
	if (style->form != RECORD_GNU)
		*p++ = '\n';
	out_put(out, p);
	return true;
}

/* ------------------------------------------------------------------------------------------------- JSON */

static void put_pair(struct json *json, struct out *out, const char *key, const char *text)
{
	json_key(json, out, key);
	json_string(json, out, text, strlen(text));
}

/* Print the start address of the outermost function around FRAME, which is an answer. */
static void put_start(struct record_style *style, struct out *out, const struct rossym_frame *frame)
{
	struct rossym_function function;
	json_key(&style->json, out, "StartAddress");
	/* The block has been read, so that this cannot fail. */
	if (style->block && frame && rossym_function_at(style->block, frame->row_rva, &function, NULL) == 1)
		json_hex(&style->json, out, style->image_base + function.rva);
	else
		json_string(&style->json, out, "", 0);
}

/* Print a symbol with the keys of llvm-symbolizer, in alphabetical order, as it does.  A table has no columns, so those
   are 0.  OUTERMOST is the answer that FRAME belongs to, if FRAME shows the outermost function; else NULL. */
static bool put_symbol(struct record_style *style, struct out *out, const struct rossym_frame *frame,
		       const struct rossym_frame *outermost)
{
	struct json *json = &style->json;
	struct shown function = { "", 0 }, file = { "", 0 };
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
	put_start(style, out, outermost);
	put_pair(json, out, "StartFileName", "");
	json_key(json, out, "StartLine");
	json_number(json, out, 0);
	json_close(json, out, '}');
	return true;
}

/* Print a symbol for each frame, or one symbol without inlines.  Only the last one, the outermost, has a start
   address. */
static bool put_symbols(struct record_style *style, struct out *out, const struct rossym_frame *frame)
{
	struct rossym_frames frames;
	struct rossym_frame one, outer;
	const struct rossym_frame *joined = frame;
	bool good = true;
	if (!style->inlines || !frame)
		return join_frames(style, &joined, &one) && put_symbol(style, out, joined, frame);
	if (rossym_frames_begin(style->inlines, frame, &frames, NULL) < 0)
		return false;
	rossym_frames_next(&frames, &one);
	for (; good && rossym_frames_next(&frames, &outer); one = outer)
		good = put_symbol(style, out, &one, NULL);
	return good && put_symbol(style, out, &one, frame);
}

/* Objects on the top level end with a newline; those of operands are in an array. */
static void open_object(struct record_style *style, struct out *out)
{
	json_open(&style->json, out, '{');
}

static void close_object(struct record_style *style, struct out *out)
{
	json_close(&style->json, out, '}');
	if (style->json.depth == 0)
		json_end(&style->json, out);
}

static bool print_json(struct record_style *style, struct out *out, uint64_t address, const struct rossym_frame *frame)
{
	struct json *json = &style->json;
	open_object(style, out);
	json_key(json, out, "Address");
	json_hex(json, out, address);
	put_pair(json, out, "ModuleName", style->module);
	json_key(json, out, "Symbol");
	json_open(json, out, '[');
	bool good = put_symbols(style, out, frame);
	json_close(json, out, ']');
	close_object(style, out);
	return good;
}

static void print_json_failure(struct record_style *style, struct out *out, const struct query *query)
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

void record_open_array(struct record_style *style, struct out *out)
{
	style->json.indent = style->pretty;
	if (style->form == RECORD_JSON)
		json_open(&style->json, out, '[');
}

void record_close_array(struct record_style *style, struct out *out)
{
	if (style->form != RECORD_JSON)
		return;
	json_close(&style->json, out, ']');
	json_end(&style->json, out);
}

/* ------------------------------------------------------------------------------------------------- all forms */

static inline bool print_one(struct record_style *style, struct out *out, uint64_t address,
			     const struct rossym_frame *frame)
{
	if (style->form != RECORD_JSON)
		return print_text(style, out, address, frame);
	style->json.indent = style->pretty;
	return print_json(style, out, address, frame);
}

/* Whether each record is nothing but the table's strings and a number; then print_plain() may print them. */
static bool is_plain(const struct record_style *style)
{
	return style->form == RECORD_GNU && style->readable && !style->addresses && !style->pretty && !style->inlines &&
	       !style->demangle && paths_are_plain(&style->paths);
}

/* Print records of plain answers, as print_one() does, up to the first that is not plain or for which there is no room.
   Returns how many were printed.  This takes the decisions about the style once instead of for each record: with
   print_one() alone, a million addresses take 1.3 times as long. */
static size_t print_plain(struct out *out, bool functions, const struct rossym_frame *frames, size_t count)
{
	char *p = out_room(out);
	const char *full = out->buffer + OUT_SIZE;
	size_t i = 0;
	for (; i < count && p < full; i++) {
		const struct rossym_frame *frame = &frames[i];
		/* Both strings have 1 to 32 bytes.  The length of an unknown one is 0, and 0 - 1 is a large number. */
		if (((frame->function_length - 1) | (frame->file_length - 1)) >= ROSSYM_STRING_READABLE || !frame->line)
			break;
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
	}
	out_put(out, p);
	return i;
}

bool records_print(struct record_style *style, struct out *out, const uint64_t *addresses,
		   const struct rossym_frame *frames, size_t count)
{
	bool plain = is_plain(style);
	for (size_t i = 0; i < count; i++) {
		if (plain)
			i += print_plain(out, style->functions, frames + i, count - i);
		if (i < count && !print_one(style, out, addresses[i], frame_is_known(&frames[i]) ? &frames[i] : NULL))
			return false;
	}
	return true;
}

bool record_print_failure(struct record_style *style, struct out *out, const struct query *query)
{
	if (style->form != RECORD_JSON)
		return print_text(style, out, query->shown, NULL);
	style->json.indent = style->pretty;
	print_json_failure(style, out, query);
	return true;
}

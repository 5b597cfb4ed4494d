// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/read/note.h"
#include "log/read/chars.h"
#include "rossym.h"
#include "tool/mask.h"

#include <string.h>

static const char caller_word[] = NOTE_INLINED_BY, stamp_remark[] = " - other DateStamp",
		  build_remark[] = " - other build", undecided_remark[] = " - perhaps other build",
		  end_marker[] = " (:0 (" ROSSYM_TERMINATOR "))";

/* The most bytes from a note's parenthesis to the line number of its first frame: two paths (note_begin()), of which
   each byte may have become two (NOTE_LENGTH_MAX). */
enum { OPENING_MAX = 2 * NOTE_FRAME };

/* Returns the first position from P on, before END, that has no decimal digit; END if there is none. */
static const char *skip_digits(const char *p, const char *end)
{
	while (p < end && is_digit(*p))
		p++;
	return p;
}

/* If TEXT begins with the text between the file and the function of a frame, ":1066 (" or ":1066[1065] (", returns the
   length of that text without the parenthesis; otherwise returns 0. */
static size_t measure_line_number(const char *text, size_t length)
{
	const char *end = text + length, *p, *bracket;
	if (length == 0 || *text != ':' || (p = skip_digits(text + 1, end)) == text + 1)
		return 0;
	if (p < end && *p == '[' && (bracket = skip_digits(p + 1, end)) < end && *bracket == ']')
		p = bracket + 1;
	return end - p >= 2 && p[0] == ' ' && p[1] == '(' ? (size_t)(p - text) + 1 : 0;
}

/* ----------------------------------------------------------------------------------------------- write */

/* In the name from BEGIN to the end of TEXT, replace by "?" what would confuse note_find(): the colon of ":1066 (", and
   parentheses without a partner, first the closing ones, then the opening ones. */
static void mask_name(struct strbuf *text, size_t begin)
{
	size_t open = 0, closed = 0;
	for (size_t i = begin; i < text->length; i++) {
		char *p = &text->bytes[i];
		if (measure_line_number(p, text->length - i) > 0 || (*p == ')' && open == 0))
			*p = '?';
		else if (*p == '(')
			open++;
		else if (*p == ')')
			open--;
	}
	for (size_t i = text->length; open > 0 && i-- > begin;) {
		char *p = &text->bytes[i];
		if (*p == ')') {
			closed++;
		} else if (*p == '(' && closed > 0) {
			closed--;
		} else if (*p == '(') {
			*p = '?';
			open--;
		}
	}
}

/* Append the path FILE, or its end if it is too long. */
static void add_file(struct strbuf *text, const char *file)
{
	size_t begin = text->length, length = file ? strnlen(file, ROSSYM_LENGTH_MAX) : 0;
	size_t cut = length > NOTE_FILE ? length - NOTE_FILE : 0;
	if (length > 0)
		strbuf_add_masked(text, file + cut, length - cut);
	mask_name(text, begin);
}

/* Append a NAME that is too long: its beginning, "...", and a ")" for each parenthesis that is still open. */
static void add_cut_name(struct strbuf *text, const char *name)
{
	size_t open = 0, length = 0;
	for (; length < NOTE_FUNCTION - 3 - open; length++)
		open = name[length] == '(' ? open + 1 : name[length] == ')' && open > 0 ? open - 1 : open;
	strbuf_add_masked(text, name, length);
	strbuf_add(text, "...");
	while (open-- > 0)
		strbuf_add_char(text, ')');
}

static void add_function(struct strbuf *text, const char *name)
{
	size_t begin = text->length, length = name ? strnlen(name, NOTE_FUNCTION + 1) : 0;
	if (length > NOTE_FUNCTION)
		add_cut_name(text, name);
	else if (length > 0)
		strbuf_add_masked(text, name, length);
	mask_name(text, begin);
}

/* Whether A is known and differs from B. */
static bool is_known_and_differs(const char *a, const char *b)
{
	return a && (!b || strncmp(a, b, ROSSYM_LENGTH_MAX) != 0);
}

static void add_link(struct strbuf *text, const char *url)
{
	strbuf_add(text, NOTE_LINK);
	strbuf_add(text, url);
	strbuf_add(text, NOTE_LINK_END);
}

/* Append "file:line" of FRAME, with what differs in BEFORE in brackets; BEFORE may be NULL. */
static void add_place(struct strbuf *text, const struct note_frame *frame, const struct note_frame *before)
{
	add_file(text, frame->file);
	if (before && is_known_and_differs(before->file, frame->file)) {
		strbuf_add_char(text, '[');
		add_file(text, before->file);
		strbuf_add_char(text, ']');
	}
	strbuf_add_char(text, ':');
	strbuf_add_decimal(text, frame->line);
	if (before && before->line != frame->line) {
		strbuf_add_char(text, '[');
		strbuf_add_decimal(text, before->line);
		strbuf_add_char(text, ']');
	}
}

static void add_frame(struct strbuf *text, const struct note_frame *frame, const struct note_frame *before)
{
	if (frame->url)
		add_link(text, frame->url);
	add_place(text, frame, before);
	if (frame->url)
		add_link(text, "");
	strbuf_add(text, " (");
	add_function(text, frame->function);
	if (before && is_known_and_differs(before->function, frame->function)) {
		strbuf_add_char(text, '[');
		add_function(text, before->function);
		strbuf_add_char(text, ']');
	}
	strbuf_add_char(text, ')');
}

void note_begin(struct strbuf *text, const struct note_frame *innermost, const struct note_frame *before, bool color)
{
	strbuf_add(text, color ? " " NOTE_COLOR "(" : " (");
	add_frame(text, innermost, before);
}

void note_add_caller(struct strbuf *text, const struct note_frame *caller)
{
	strbuf_add(text, caller_word);
	if (caller->file || caller->line)
		add_frame(text, caller, NULL);
	else
		add_function(text, caller->function ? caller->function : "??");
}

static bool ends_with(const char *text, size_t length, const char *end)
{
	size_t n = strlen(end);
	return length >= n && memcmp(text + length - n, end, n) == 0;
}

const char *note_get_remark(enum note_other other)
{
	return other == NOTE_SAME	       ? ""
	       : other == NOTE_OTHER_BUILD     ? build_remark
	       : other == NOTE_UNDECIDED_BUILD ? undecided_remark
					       : stamp_remark;
}

void note_end(struct strbuf *text, struct note_remarks remarks, bool color)
{
	strbuf_add(text, note_get_remark(remarks.other));
	if (remarks.no_call)
		strbuf_add(text, NOTE_NO_CALL);
	/* If the last name of the note ended like NOTE_NO_RETURN, an undo (-u) would take that end for the remark. */
	if (text->length > 0 && ends_with(text->bytes, text->length, NOTE_NO_RETURN))
		text->bytes[text->length - 1] = '?';
	if (remarks.no_return)
		strbuf_add(text, NOTE_NO_RETURN);
	strbuf_add(text, color ? ")" NOTE_PLAIN : ")");
}

void note_add_end_marker(struct strbuf *text)
{
	strbuf_add(text, end_marker);
}

/* ------------------------------------------------------------------------------------------- recognise */

/* What a text that begins with " (" is. */
enum shape {
	SHAPE_NOTE,
	SHAPE_OTHER, /* its parentheses are balanced, but it has no frame */
	/* no note with balanced parentheses, but perhaps one of KDBG's with unbalanced ones (match_unbalanced()) */
	SHAPE_ODD,
	SHAPE_OPEN, /* the text ends before the closing parenthesis */
};

/* Whether TEXT begins with WORD, or is a beginning of WORD. */
static bool may_begin_with(const char *text, size_t length, const char *word)
{
	size_t n = strlen(word);
	return memcmp(text, word, n < length ? n : length) == 0;
}

/* Whether TEXT, which follows the function of a frame, begins with something that a note can have there. */
static bool may_follow_frame(const char *text, size_t length)
{
	return may_begin_with(text, length, ")") || may_begin_with(text, length, caller_word) ||
	       may_begin_with(text, length, stamp_remark) || may_begin_with(text, length, build_remark) ||
	       may_begin_with(text, length, undecided_remark) || may_begin_with(text, length, NOTE_NO_CALL) ||
	       may_begin_with(text, length, NOTE_NO_RETURN);
}

/* Returns what TEXT, which begins with " (", is up to the matching ")".  For SHAPE_NOTE and SHAPE_OTHER, stores the
   position after that ")" in *RET_END. */
static enum shape match_balanced(const char *text, size_t length, size_t *ret_end)
{
	size_t depth = 0;
	bool frame = false, function = false; /* frame: a frame has begun; function: its function is being read */
	for (size_t at = 1; at < length; at++) {
		if (text[at] == '(') {
			depth++;
		} else if (text[at] == ')' && --depth == 0) {
			*ret_end = at + 1;
			return frame ? SHAPE_NOTE : SHAPE_OTHER;
		} else if (text[at] == ')' && depth == 1 && function) {
			if (!may_follow_frame(text + at + 1, length - at - 1))
				return SHAPE_ODD;
			function = false;
		} else if (is_control(text[at])) {
			return SHAPE_ODD;
		} else if (measure_line_number(text + at, length - at) > 0) {
			/* A frame in an inner parenthesis belongs to the note of a token in that parenthesis. */
			if (depth > 1)
				return SHAPE_ODD;
			frame = function = true;
		}
	}
	return SHAPE_OPEN;
}

/* Find the end of a note of KDBG with an unbalanced parenthesis in its path, " (a(b.c:7 (f))": the first "))"
   ends it.  Returns the same as match_balanced(), but never SHAPE_ODD. */
static enum shape match_unbalanced(const char *text, size_t length, size_t *ret_end)
{
	size_t frames = 0;
	for (size_t at = 2; at + 1 < length; at++) {
		if (text[at] == ')' && text[at + 1] == ')') {
			*ret_end = at + 2;
			return frames == 1 ? SHAPE_NOTE : SHAPE_OTHER;
		}
		/* Another " (" before the frame begins a note of its own: then the first parenthesis is not a note. */
		if (is_control(text[at]) || frames > 1 || (frames == 0 && text[at] == ' ' && text[at + 1] == '('))
			return SHAPE_OTHER;
		size_t line = measure_line_number(text + at, length - at);
		frames += line > 0;
		at += line;
	}
	return SHAPE_OPEN;
}

/* Returns what TEXT, which begins with " (", is.  For SHAPE_NOTE, stores the position after the note in *RET_END. */
static enum shape match_note(const char *text, size_t length, size_t *ret_end)
{
	const size_t most = length < NOTE_LENGTH_MAX ? length : NOTE_LENGTH_MAX;
	const enum shape shape = match_balanced(text, most, ret_end);
	return shape == SHAPE_ODD || shape == SHAPE_OPEN ? match_unbalanced(text, most, ret_end) : shape;
}

bool note_is_cut(const char *text, size_t length)
{
	size_t end;
	return length < NOTE_LENGTH_MAX && length > 1 && text[0] == ' ' && text[1] == '(' &&
	       match_note(text, length, &end) == SHAPE_OPEN;
}

/* Returns where a note that has the colon at COLON of TEXT begins: at the blank before the nearest parenthesis that is
   open at COLON and has a blank before it.  Returns COLON if there is none from FROM on. */
static size_t find_opening_before(const char *text, size_t from, size_t colon)
{
	size_t depth = 0;
	const size_t least = colon - from > OPENING_MAX ? colon - OPENING_MAX : from;
	for (size_t at = colon; at-- > least + 1;) {
		if (is_control(text[at]))
			break;
		if (text[at] == ')')
			depth++;
		else if (text[at] == '(' && depth > 0)
			depth--;
		else if (text[at] == '(' && text[at - 1] == ' ')
			return at - 1;
	}
	return colon;
}

static const char found_word[] = "symbols: ", no_word[] = "no symbols: ";

/* Returns the length of the note about symbols at TEXT, which begins with " ("; 0 if there is none. */
static size_t measure_symbols_note(const char *text, size_t length)
{
	size_t depth = 0;
	const char *first = text + 2;
	if (!(length > sizeof found_word + 1 && memcmp(first, found_word, sizeof found_word - 1) == 0) &&
	    !(length > sizeof no_word + 1 && memcmp(first, no_word, sizeof no_word - 1) == 0))
		return 0;
	for (size_t at = 1; at < length && at < NOTE_LENGTH_MAX; at++) {
		depth += text[at] == '(';
		if (text[at] == ')' && --depth == 0)
			return at + 1;
	}
	return 0;
}

size_t note_find(const char *text, size_t length, size_t from, size_t *ret_length)
{
	size_t tried = SIZE_MAX; /* the last position where a note was looked for, but none begins */
	const char *colon = text + from;
	*ret_length = 0;
	for (; from < length && (colon = memchr(colon, ':', length - (size_t)(colon - text))) != NULL; colon++) {
		const size_t at = (size_t)(colon - text), word = sizeof "symbols" - 1;
		const bool symbols = at - from > word && colon[-1] == 's' && memcmp(colon - word, "symbols", word) == 0;
		if (!symbols && measure_line_number(colon, length - at) == 0)
			continue;
		const size_t begin = find_opening_before(text, from, at);
		if (begin == at || begin == 0 || begin == tried)
			continue;
		size_t end = 0;
		if (symbols)
			end = measure_symbols_note(text + begin, length - begin);
		else if (match_note(text + begin, length - begin, &end) != SHAPE_NOTE)
			end = 0;
		if (end > 0) {
			*ret_length = end;
			return begin;
		}
		tried = symbols ? tried : begin;
	}
	return length;
}

static bool is_end_marker(const char *text, size_t length)
{
	return length == sizeof end_marker - 1 && memcmp(text, end_marker, length) == 0;
}

bool note_is_answer(const char *text, size_t length)
{
	return length > 0 && !is_end_marker(text, length);
}

/* If SUFFIX is in TEXT directly before *END, move *END to where SUFFIX begins.  Returns whether it is there. */
static bool cut_suffix(const char *text, size_t *end, const char *suffix)
{
	const bool has = ends_with(text, *end, suffix);
	*end -= has ? strlen(suffix) : 0;
	return has;
}

size_t note_read_remarks(const char *text, size_t length, struct note_remarks *ret)
{
	size_t end = length - (length > 0);
	*ret = (struct note_remarks){ .no_return = cut_suffix(text, &end, NOTE_NO_RETURN) };
	ret->no_call = cut_suffix(text, &end, NOTE_NO_CALL);
	for (enum note_other other = NOTE_OTHER_STAMP; other <= NOTE_UNDECIDED_BUILD && !ret->other; other++)
		if (cut_suffix(text, &end, note_get_remark(other)))
			ret->other = other;
	return end;
}

bool note_is_or_was_end_marker(const char *text, size_t length)
{
	struct note_remarks remarks;
	(void)note_read_remarks(text, length, &remarks);
	return remarks.no_return || is_end_marker(text, length);
}

bool note_is_of_other_build(const char *text, size_t length)
{
	struct note_remarks remarks;
	(void)note_read_remarks(text, length, &remarks);
	return remarks.other != NOTE_SAME;
}

/* Returns the decimal number at P; 0 if it has more than 32 bits. */
static uint32_t parse_line_number(const char *p, const char *end)
{
	uint64_t number = 0;
	for (; p < end && is_digit(*p) && number <= UINT32_MAX; p++)
		number = number * 10 + (unsigned)(*p - '0');
	return number <= UINT32_MAX ? (uint32_t)number : 0;
}

size_t note_find_line(const char *text, size_t length, uint32_t *line)
{
	size_t at = 0;
	while (at < length && measure_line_number(text + at, length - at) == 0)
		at++;
	*line = parse_line_number(text + at + (at < length), text + length);
	return at;
}

bool note_next_frame(const char *text, size_t length, size_t *at, struct note_part *part)
{
	struct note_remarks remarks;
	const size_t words = sizeof caller_word - 1, last = note_read_remarks(text, length, &remarks);
	const size_t begin = *at == 0 ? 2 : *at;
	size_t end = begin;
	if (begin >= last)
		return false;
	while (end < last && (last - end < words || memcmp(text + end, caller_word, words) != 0))
		end++;
	*at = end < last ? end + words : length;
	*part = (struct note_part){
		.begin = begin, .file_end = begin, .end = begin, .function = begin, .function_end = end
	};
	const size_t colon = begin + note_find_line(text + begin, end - begin, &part->line);
	if (colon == end)
		return true;
	part->file_end = colon;
	part->end = colon + measure_line_number(text + colon, end - colon) - 1;
	part->function = part->end + strlen(" (");
	part->function_end -= text[end - 1] == ')';
	return true;
}

void note_read_function(const char *text, size_t length, char *name, size_t size)
{
	struct note_part part;
	size_t at = 0, used = 0;
	if (note_next_frame(text, length, &at, &part))
		for (at = part.function; at < part.function_end && text[at] != ')' && used + 1 < size; at++)
			name[used++] = text[at];
	name[used] = '\0';
}

/* ------------------------------------------------------------------------------------------- symbols */

void note_add_symbols(struct strbuf *text, bool found, const char *what, enum note_other other, bool color)
{
	strbuf_add(text, color ? " " NOTE_COLOR "(" : " (");
	strbuf_add(text, found ? found_word : no_word);
	const size_t begin = text->length;
	strbuf_add_masked(text, what, strnlen(what, NOTE_SYMBOLS));
	mask_name(text, begin);
	strbuf_add(text, note_get_remark(other));
	strbuf_add(text, color ? ")" NOTE_PLAIN : ")");
}

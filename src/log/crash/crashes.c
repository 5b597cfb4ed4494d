// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/crash/crashes.h"
#include "log/read/chars.h"
#include "log/read/cursor.h"
#include "tool/array.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	/* The most lines by which these can follow the last line of a crash, and still belong to the crash: */
	NEAR_PARAMETERS = 2, /* the parameters of a bugcheck, on a line that was wrapped or interrupted */
	NEAR_REPORT = 100,   /* another report of the same bugcheck */
	NEAR_ROW = 40,	     /* the first row of a stack without a heading; another report of the same exception */
	NEAR_STACK = 200,    /* the heading of a stack, or another statement about the crash */

	ROWS_MISSED = 12, /* a stack ends if more lines than this come without another row */
};

/* ------------------------------------------------------------------------------------------------ crashes */

static void clear_crash(struct crash *crash)
{
	stack_clear(&crash->place);
	stack_clear(&crash->stack);
}

void crashes_clear(struct crashes *c)
{
	for (size_t i = 0; i < c->count; i++)
		clear_crash(&c->items[i]);
	for (size_t i = 0; i < c->log_count; i++)
		free(c->logs[i].name);
	free(c->items);
	free(c->logs);
	clear_crash(&c->current);
	stack_clear(&c->addresses);
	strbuf_clear(&c->process);
	strbuf_clear(&c->build);
	strbuf_clear(&c->notes);
	*c = (struct crashes){ .items = NULL };
}

static bool have_same_string(const struct crash *a, size_t in_a, const struct crash *b, size_t in_b)
{
	return strcmp(stack_string(&a->stack, in_a), stack_string(&b->stack, in_b)) == 0;
}

static bool have_same_parameters(const struct crash *a, const struct crash *b)
{
	if (a->parameter_count != b->parameter_count)
		return false;
	for (unsigned i = 0; i < a->parameter_count; i++)
		if (a->parameters[i] != b->parameters[i])
			return false;
	return true;
}

/* Whether A and B are equal.  Parameters and place are compared only if there are no stacks: parameters are often
   addresses of data, which differ between equal crashes. */
static bool is_equal_crash(const struct crash *a, const struct crash *b)
{
	return a->kind == b->kind && a->has_code == b->has_code && a->code == b->code &&
	       (a->kind != CRASH_ASSERTION || have_same_string(a, a->text, b, b->text)) &&
	       have_same_string(a, a->build, b, b->build) && have_same_string(a, a->process, b, b->process) &&
	       stack_is_equal(&a->stack, &b->stack) &&
	       (a->stack.frame_count > 0 || (have_same_parameters(a, b) && stack_is_equal(&a->place, &b->place)));
}

/* Returns the stored crash that is equal to the current one, or NULL. */
static struct crash *find_equal_crash(const struct crashes *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (is_equal_crash(&c->items[i], &c->current))
			return &c->items[i];
	return NULL;
}

/* Move the current crash to the end of c->items.  Returns false if that would exceed a limit, or there is no memory. */
static bool store_current_crash(struct crashes *c)
{
	const size_t size = sizeof c->current + stack_allocated_size(&c->current.stack) +
			    stack_allocated_size(&c->current.place);
	if (c->count == CRASHES_MAX || size > CRASHES_MEMORY - c->memory)
		return false;
	if (!ARRAY_GROW(c->items, c->room, c->count)) {
		c->no_memory = true;
		return false;
	}
	c->memory += size;
	c->items[c->count++] = c->current;
	c->current = (struct crash){ .count = 0 };
	return true;
}

/* ------------------------------------------------------------------------------------------------ symbols */

void crashes_add_symbols_note(struct crashes *c, const char *name, size_t name_length, const char *note, size_t length)
{
	struct strbuf *notes = &c->notes;
	const char *begin = memchr(note, '(', length);
	while (length > 0 && note[length - 1] != ')')
		length--;
	if (!begin || length < (size_t)(begin - note) + 2)
		return;
	strbuf_add_bytes(notes, name, name_length);
	strbuf_add_char(notes, '\0');
	strbuf_add_bytes(notes, begin + 1, length - 2 - (size_t)(begin - note));
	strbuf_add_char(notes, '\0');
}

/* Returns the text of the last note about the module NAME in NOTES, which is crashes->notes; NULL if there is none. */
static const char *find_symbols_note(const struct strbuf *notes, const char *name)
{
	const char *found = NULL;
	for (size_t at = 0; at < notes->length;) {
		const char *module = notes->bytes + at, *text = module + strlen(module) + 1;
		if (strcasecmp(module, name) == 0)
			found = text;
		at = (size_t)(text - notes->bytes) + strlen(text) + 1;
	}
	return found;
}

/* Whether SYMBOLS has a note about the module whose name is at position MODULE in the strings of STACK. */
static bool has_symbols_note(const struct crash_symbols *symbols, size_t module, const struct stack *stack)
{
	size_t i = 0;
	while (i < symbols->count &&
	       strcmp(stack_string(stack, symbols->list[i].module), stack_string(stack, module)) != 0)
		i++;
	return i < symbols->count;
}

/* For each module that has a frame in the stack of the current crash, but at most CRASH_SYMBOLS modules, add the
   module's last note to the symbols of the crash. */
static void add_symbols_notes(struct crashes *c)
{
	struct crash_symbols *symbols = &c->current.symbols;
	struct stack *stack = &c->current.stack;
	static const char found_word[] = "symbols: ", no_word[] = "no symbols: ";
	for (size_t i = 0; i < stack->frame_count && symbols->count < CRASH_SYMBOLS; i++) {
		const size_t module = stack->frames[i].module;
		if (!module || has_symbols_note(symbols, module, stack))
			continue;
		const char *text = find_symbols_note(&c->notes, stack_string(stack, module));
		if (!text)
			continue;
		const bool found = strncmp(text, found_word, sizeof found_word - 1) == 0;
		text += found ? sizeof found_word - 1 : sizeof no_word - 1;
		symbols->list[symbols->count].module = module;
		symbols->list[symbols->count].text = stack_add_string(stack, text, strlen(text));
		symbols->list[symbols->count++].found = found;
	}
}

/* ------------------------------------------------------------------------------------------------ crashes */

/* Count the current crash with the stored crash that is equal to it; if there is none, store it.  But drop it if it is
   only the heading of a stack, without frames. */
void crashes_end_current(struct crashes *c)
{
	if (!c->is_open)
		return;
	c->is_open = false;
	add_symbols_notes(c);
	c->no_memory |= c->notes.no_memory || c->current.stack.no_memory || c->current.place.no_memory;
	const bool is_empty = c->current.kind == CRASH_STACK && c->current.stack.frame_count == 0;
	struct crash *equal = is_empty ? NULL : find_equal_crash(c);
	if (equal && equal->count < CRASH_PLACES)
		equal->places[equal->count] = c->current.places[0];
	if (equal)
		equal->count++;
	else if (!is_empty && !store_current_crash(c))
		c->left_out++;
	clear_crash(&c->current);
}

/* End the current crash, and begin another at LINE. */
static void begin_crash(struct crashes *c, enum crash_kind kind, const struct crash_line *line)
{
	crashes_end_current(c);
	c->current = (struct crash){ .kind = kind, .count = 1 };
	c->current.places[0] = (struct crash_place){ c->log_count - 1, line->number, c->logs[c->log_count - 1].boots };
	c->current.build = stack_add_string(&c->current.stack, c->build.bytes, c->build.length);
	c->current.process = stack_add_string(&c->current.stack, c->process.bytes, c->process.length);
	c->process.length = 0;
	c->is_open = true;
	c->rows = ROWS_NONE;
	c->last = line->number;
}

/* Whether there is a current crash, and LINE is at most DISTANCE lines after its last line so far. */
static bool is_near_crash(const struct crashes *c, const struct crash_line *line, unsigned distance)
{
	return c->is_open && line->number - c->last <= distance;
}

/* ------------------------------------------------------------------------------------------------ statements */

static void set_crash_parameters(struct crash *crash, const struct statement *s)
{
	crash->parameter_count = s->count;
	memcpy(crash->parameters, s->numbers, sizeof crash->parameters);
}

static void set_code_if_unset(struct crash *crash, const struct statement *s)
{
	if (crash->has_code)
		return;
	crash->has_code = s->has_code;
	crash->code = s->code;
}

/* If *STRING is 0, add the text of the statement S to the current crash's strings, and store its position in
   *STRING. */
static void set_string_if_unset(struct crashes *c, size_t *string, const struct statement *s)
{
	if (!*string)
		*string = stack_add_string(&c->current.stack, s->text, s->length);
}

/* Handle S, a bugcheck.  It is another report of the current crash if three things are true: the codes are equal; the
   parameters are equal, or one report has none; and a debugger repeats the report, or it comes soon and before the
   stack.  Otherwise it begins a crash. */
static void handle_bugcheck(struct crashes *c, const struct statement *s, const struct crash_line *line)
{
	const struct crash new = { .parameter_count = s->count,
				   .parameters = { s->numbers[0], s->numbers[1], s->numbers[2], s->numbers[3] } };
	const bool repeated = s->kind == STATEMENT_BUGCHECK_REPEATED;
	if (!c->is_open || c->current.kind != CRASH_BUGCHECK || c->current.code != s->code ||
	    (s->count && c->current.parameter_count && !have_same_parameters(&c->current, &new)) ||
	    (!repeated && (c->rows != ROWS_NONE || !is_near_crash(c, line, NEAR_REPORT))))
		begin_crash(c, CRASH_BUGCHECK, line);
	set_code_if_unset(&c->current, s);
	if (s->count)
		set_crash_parameters(&c->current, s);
}

/* Handle S, an exception.  It is another report of the current crash if S is STATEMENT_EXCEPTION_AGAIN and comes soon,
   and that crash is an exception whose stack has not begun.  Otherwise it begins a crash. */
static void handle_exception(struct crashes *c, const struct statement *s, const struct crash_line *line)
{
	const struct crash *crash = &c->current;
	const bool again = s->kind == STATEMENT_EXCEPTION_AGAIN;
	if (!again || !is_near_crash(c, line, NEAR_ROW) || crash->kind != CRASH_EXCEPTION || c->rows != ROWS_NONE)
		begin_crash(c, CRASH_EXCEPTION, line);
	set_code_if_unset(&c->current, s);
	set_string_if_unset(c, s->kind == STATEMENT_FAULT ? &c->current.process : &c->current.text, s);
}

/* Handle S, the heading of a stack.  It begins the stack of the crash, if that has not begun.  If rows of that stack
   were read, it ends the stack, because another begins; but one row, the place of the crash, can precede the heading
   "Frames:". */
static void handle_stack_heading(struct crashes *c, const struct statement *s, const struct crash_line *line)
{
	const size_t frames = c->is_open ? c->current.stack.frame_count : 0;
	const bool after_place = s->kind == STATEMENT_FRAMES || s->kind == STATEMENT_CRASH_FRAMES;
	if (c->rows == ROWS_THERE && s->kind != STATEMENT_STACK_GOES_ON && frames > after_place)
		c->rows = ROWS_OVER;
	/* The first heading of KDBG is "Eip:" on i386, and "Frames:" on amd64. */
	if ((s->kind == STATEMENT_CRASH_STACK || s->kind == STATEMENT_CRASH_FRAMES) && !c->is_open)
		begin_crash(c, CRASH_STACK, line);
	if (c->rows == ROWS_NONE && is_near_crash(c, line, NEAR_STACK)) {
		c->rows = ROWS_THERE;
		c->missed = 0;
	}
}

/* End the stack of the current crash, if a row of it has been read. */
static void end_stack_of_crash(struct crashes *c)
{
	if (c->rows == ROWS_THERE && c->current.stack.frame_count > 0)
		c->rows = ROWS_OVER;
}

/* Store in the current crash the detail that is in the statement S, if crashes of this kind have such a detail. */
static void add_crash_detail(struct crashes *c, const struct statement *s, const struct crash_line *line)
{
	struct crash *crash = &c->current;
	size_t *const strings[STATEMENT_STACK_END + 1] = { [STATEMENT_DETAIL] = &crash->detail,
							   [STATEMENT_SOURCE] = &crash->source,
							   [STATEMENT_MODULE] = &crash->module,
							   [STATEMENT_PROCESS] = &crash->process };
	switch (s->kind) {
	case STATEMENT_PARAMETERS:
		if (crash->kind == CRASH_BUGCHECK && crash->parameter_count == 0 &&
		    is_near_crash(c, line, NEAR_PARAMETERS))
			set_crash_parameters(crash, s);
		break;
	case STATEMENT_PARAMETER:
		if (crash->kind != CRASH_BUGCHECK)
			break;
		crash->parameters[s->code - 1] = s->numbers[0];
		if (crash->parameter_count < s->code)
			crash->parameter_count = s->code;
		break;
	case STATEMENT_CODE:
		if (crash->kind == CRASH_EXCEPTION)
			set_code_if_unset(crash, s);
		break;
	default:
		if (strings[s->kind])
			set_string_if_unset(c, strings[s->kind], s);
	}
}

static void handle_statement(struct crashes *c, const struct statement *s, const struct crash_line *line)
{
	switch (s->kind) {
	case STATEMENT_BUGCHECK:
	case STATEMENT_BUGCHECK_REPEATED:
		handle_bugcheck(c, s, line);
		break;
	case STATEMENT_EXCEPTION:
	case STATEMENT_EXCEPTION_AGAIN:
	case STATEMENT_FAULT:
		handle_exception(c, s, line);
		break;
	case STATEMENT_ASSERTION:
		begin_crash(c, CRASH_ASSERTION, line);
		set_string_if_unset(c, &c->current.text, s);
		break;
	case STATEMENT_STACK:
	case STATEMENT_FRAMES:
	case STATEMENT_CRASH_FRAMES:
	case STATEMENT_STACK_GOES_ON:
	case STATEMENT_CRASH_STACK:
		handle_stack_heading(c, s, line);
		break;
	case STATEMENT_STACK_END:
		end_stack_of_crash(c);
		break;
	case STATEMENT_NEXT_PROCESS:
		c->process.length = 0;
		strbuf_add_bytes(&c->process, s->text, s->length);
		c->no_memory |= c->process.no_memory;
		break;
	default:
		if (is_near_crash(c, line, NEAR_STACK))
			add_crash_detail(c, s, line);
	}
	c->last = line->number;
}

/* ------------------------------------------------------------------------------------------------ rows */

/*
 * Rows of stacks, by their form:
 *
 *     <ntoskrnl.exe:89b21>
 *     [FFFFF88003CFB490] <ntoskrnl.exe:7bdd0>
 *     =>0 0x7c92f0a0 in ntdll (+0xf0a0) (0x0033fed8)
 *     f793e190 80889b00 00000000 00000000 00000000 btrfs+0x2200
 *     f793e0ec 80545357 f793e114 00000000 f793e234 nt!KiDispatchException+0x25		a symbol, and no address
 *
 * Before the address or the symbol, a row has only numbers and punctuation.
 */

/* Whether C can come before the address of a row.  "V" is for Java's "V  [jvm.dll+0x1]", "P" for "PC 0x0000F7209888" of
   EDK2, and "x" for "0x". */
static bool can_precede_row_address(char c)
{
	static const char marks[] = "[]<>(){}#=:`.|,xVP";
	return is_hex(c) || is_blank(c) || memchr(marks, c, sizeof marks - 1) != NULL;
}

/* Whether the address from BEGIN to END of the line TEXT is in a row of a stack.  START: where the line begins after
   its prefixes (such as time stamps), or the end of the previous address on the line. */
static bool row_has_address(const char *text, size_t length, size_t start, size_t begin, size_t end)
{
	for (size_t i = start; i < begin; i++)
		if (!can_precede_row_address(text[i]))
			return false;
	while (end < length && (text[end] == '>' || text[end] == ')' || text[end] == ']'))
		end++;
	/* An address with a colon after it is from KDBG's dump of memory or its disassembly: "<hal.dll:1230>:
	   90909090". */
	return end == length || text[end] != ':';
}

/* Whether TEXT, a line without its prefixes, is a row with a symbol and no address.  Stores the symbol's offset. */
static bool row_has_symbol(const char *text, size_t length, size_t *ret)
{
	size_t symbol = 0, at = 0;
	while (at < length && can_precede_row_address(text[at])) {
		at++;
		if (is_blank(text[at - 1]))
			symbol = at;
	}
	*ret = symbol;
	/* The row must begin with a hexadecimal digit, "#" or "="; the symbol must have a "!" or an offset. */
	return symbol > 0 && at < length && is_hex(text[0] == '#' || text[0] == '=' ? '0' : text[0]) &&
	       (contains_word(text + symbol, length - symbol, "!") ||
		contains_word(text + symbol, length - symbol, "+0x"));
}

/* Whether TEXT, a line without its prefixes, is winedbg's row for an address in no module: "=>0 0x82cd9360
   (0x0080f2c8)".  Stores the address in *RET. */
static bool row_has_bare_address(const char *text, size_t length, uint64_t *ret)
{
	struct number number;
	struct cursor c = { .text = text, .end = length };
	cursor_read_word(&c, "=>");
	const size_t digits = c.at;
	while (c.at < length && is_digit(text[c.at]))
		c.at++;
	if (c.at == digits || c.at - digits > 3 || cursor_skip_blanks(&c) == 0 || !cursor_read_number(&c, &number))
		return false;
	*ret = number.value;
	return number.prefix && (cursor_read_word(&c, " (0x") || c.ended);
}

/* Add a frame to the current stack for each address of LINE, up to the first that is not in a row of a stack
   (row_has_address()).  ALL: add one for every address.  Returns false if none was added. */
static bool add_address_frames(struct crashes *c, const struct crash_line *line, bool all)
{
	const struct statement_line *text = &line->text;
	size_t start = text->begin;
	bool found = false;
	for (size_t i = 0; i < c->addresses.frame_count; i++) {
		const struct stack_frame *frame = &c->addresses.frames[i];
		if (!all && !row_has_address(text->text, text->length, start, frame->begin, frame->end))
			break;
		stack_copy_frame(&c->current.stack, &c->addresses, i);
		start = frame->end;
		found = true;
	}
	return found;
}

/* Add the call in the LENGTH bytes at TEXT to the last frame: "nt!f+0xee", or "nt!f+0xee [assert.c @ 132]". */
static void add_symbol_call(struct stack *stack, const char *text, size_t length)
{
	char symbol[2 * STACK_STRING] = "";
	struct note_frame call = { .function = symbol };
	memcpy(symbol, text, length < sizeof symbol ? length : sizeof symbol - 1);
	char *bracket = strstr(symbol, " ["), *mark = bracket ? strstr(bracket, " @ ") : NULL;
	if (mark && is_digit(mark[sizeof " @ " - 1])) {
		*bracket = *mark = '\0';
		call.file = bracket + sizeof " [" - 1;
		call.line = (uint32_t)strtoul(mark + sizeof " @ " - 1, NULL, 10);
	}
	stack_add_call(stack, &call);
}

/* If the scanner has found no address in LINE, but LINE is a row with a symbol, or with an address in no module, add
   its frame and return true.  The address of a stack's first frame counts as exact, others as return addresses. */
static bool add_row_without_address(struct crashes *c, const struct crash_line *line)
{
	const char *own = line->text.text + line->text.begin;
	size_t length = line->text.length - line->text.begin, at;
	uint64_t number;
	while (length > 0 && (own[length - 1] == '\r' || own[length - 1] == ' '))
		length--;
	if (c->addresses.frame_count > 0)
		return false;
	const bool is_number = row_has_bare_address(own, length, &number);
	if (!is_number && !row_has_symbol(own, length, &at))
		return false;
	struct stack *stack = &c->current.stack;
	struct stack_frame *frame = stack_add_frame(stack);
	if (!frame)
		return true;
	frame->is_return = stack->frame_count == 1 ? IS_EXACT : IS_RETURN;
	frame->line = line->number;
	if (is_number)
		frame->number = number;
	else
		add_symbol_call(stack, own + at, length - at);
	return true;
}

/* Whether LINE, after its prefixes, begins as a row of KDBG ("<" or "[") or of EDK2 ("PC ").  Only such a row can begin
   a stack without a heading. */
static bool begins_like_row(const struct statement_line *line)
{
	const char *own = line->text + line->begin;
	const size_t length = line->length - line->begin;
	return length > 0 && (*own == '<' || *own == '[' || (length > 3 && memcmp(own, "PC ", 3) == 0));
}

/* Add the frames on LINE to the stack of the current crash, if this stack has begun, or if LINE begins it.  HEADING:
   LINE also has the heading of the stack, so all its addresses are frames.  Returns false if it has no frames. */
static bool add_line_frames(struct crashes *c, const struct crash_line *line, bool heading)
{
	bool found = false;
	if (c->rows == ROWS_THERE)
		found = add_address_frames(c, line, heading) || add_row_without_address(c, line);
	else if (c->rows == ROWS_NONE && begins_like_row(&line->text) && is_near_crash(c, line, NEAR_ROW))
		found = add_address_frames(c, line, false);
	if (!found)
		return false;
	c->rows = ROWS_THERE;
	c->missed = 0;
	c->last = line->number;
	return true;
}

/* Set the place of the current crash to the first address on the line that is no return address; but keep a place that
   has symbols. */
static void set_place_of_crash(struct crashes *c)
{
	struct stack *place = &c->current.place;
	if (place->frame_count > 0 && place->call_count > 0)
		return;
	for (size_t i = 0; i < c->addresses.frame_count; i++) {
		if (c->addresses.frames[i].is_return == IS_RETURN)
			continue;
		stack_remove_frames(place);
		stack_copy_frame(place, &c->addresses, i);
		return;
	}
}

/* ------------------------------------------------------------------------------------------------ events */

void crashes_begin_log(struct crashes *c, const char *name)
{
	const bool good = ARRAY_GROW(c->logs, c->log_room, c->log_count);
	char *copy = good && name ? strdup(name) : NULL;
	c->no_memory |= !good || (name && !copy);
	if (good)
		c->logs[c->log_count++] = (struct crash_log){ copy, 0 };
	c->process.length = c->build.length = c->notes.length = 0;
}

void crashes_begin_boot(struct crashes *c)
{
	crashes_end_current(c);
	if (c->log_count > 0)
		c->logs[c->log_count - 1].boots++;
	c->process.length = c->build.length = c->notes.length = 0;
}

void crashes_set_build(struct crashes *c, const char *build)
{
	c->build.length = 0;
	strbuf_add(&c->build, build);
	c->no_memory |= c->build.no_memory;
}

bool crashes_end_line(struct crashes *c, const struct crash_line *line)
{
	size_t at = 0;
	struct statement statement;
	bool heading = false, place = false, says = false;
	if (c->log_count == 0)
		return false; /* there was no memory */
	/* A debugger prints its prompt after the stack is complete; rows on later lines answer other commands. */
	if (line->prompt) {
		end_stack_of_crash(c);
		c->last = line->number;
	}
	while (statement_find_next(&line->text, &at, &statement)) {
		handle_statement(c, &statement, line);
		says = true;
		heading |= statement.kind >= STATEMENT_STACK && statement.kind <= STATEMENT_CRASH_STACK;
		/* If the line has no frames of the stack, an address on it is the place of the crash. */
		place |= statement.kind <= STATEMENT_PLACE ||
			 (statement.kind == STATEMENT_REGISTER && c->rows == ROWS_NONE &&
			  c->current.kind == CRASH_EXCEPTION);
	}
	if (c->is_open && !add_line_frames(c, line, heading)) {
		if (place)
			set_place_of_crash(c);
		if (c->rows == ROWS_THERE && ++c->missed > ROWS_MISSED)
			c->rows = c->current.stack.frame_count > 0 ? ROWS_OVER : ROWS_NONE;
	}
	c->no_memory |= c->addresses.no_memory;
	stack_remove_frames(&c->addresses);
	return says;
}

/* Whether A and B name the same module.  The part after the first dot is ignored, because debuggers leave it out. */
static bool are_names_of_one_module(const char *a, const char *b)
{
	const size_t length = strcspn(a, ".");
	return strcspn(b, ".") == length && equal_ignoring_case(a, b, length);
}

bool crashes_place_is_first(const struct crash *crash)
{
	const struct stack *place = &crash->place, *stack = &crash->stack;
	return place->frame_count > 0 && stack->frame_count > 0 && place->frames[0].number == stack->frames[0].number &&
	       are_names_of_one_module(stack_string(place, place->frames[0].module),
				       stack_string(stack, stack->frames[0].module));
}

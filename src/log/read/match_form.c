// SPDX-License-Identifier: GPL-2.0-or-later
/* match_form.c - compares a line with the forms of form.h */
#include "config.h"
#include "log/read/form.h"
#include "log/read/build-name.h"
#include "log/read/chars.h"

#include <limits.h>
#include <string.h>

enum { PAGE = 0x1000 };
#define RVA_MAX UINT64_C(0x7fffffff)
#define KERNEL UINT64_C(0x80000000) /* the lowest address of the kernel on i386 */

/* What has been read of a line with the parts of a form. */
struct form_reading {
	struct cursor cursor;
	const struct log_form *form;
	unsigned seen; /* a bit for each role (enum role) whose number is in `numbers` */
	uint64_t numbers[ROLE_COUNT];
	bool has_begin; /* `begin`, where the token begins, is set */
	bool marked;	/* {>} has set `end`, where the token ends */
	size_t begin, end;
	const char *name;
	size_t name_length;
	struct statement says; /* what the line says about a crash */
	bool at_code;	       /* the RVA may be an offset from where the module's code begins */
};

/* Whether `numbers` has the number of ROLE. */
static bool was_read(const struct form_reading *r, enum role role)
{
	return r->seen & 1u << role;
}

/* -------------------------------------------------------------------------------------------------- parts */

/* Read TEXT, in which Markdown can have put a backslash before some characters. */
static bool read_text(struct cursor *c, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (may_be_escaped(text[i]) && c->at + 1 < c->end && c->text[c->at] == '\\' &&
		    c->text[c->at + 1] == text[i])
			c->at++;
		if (!cursor_read_char(c, text[i]))
			return false;
	}
	return true;
}

/* Read the first text of CHOICE that is at C. */
static bool read_choice(struct cursor *c, const struct form_part *choice)
{
	const char first = cursor_is_at_end(c) ? '\\' : c->text[c->at];
	for (const struct form_part *text = choice + 1; text <= choice + choice->length; text++) {
		struct cursor next = *c;
		if (first != *text->text && first != '\\')
			continue; /* this saves a call of read_text() */
		if (read_text(&next, text->text, text->length)) {
			*c = next;
			return true;
		}
		c->ended |= next.ended;
	}
	return false;
}

/* Read at least LEAST blanks, or a tab and any blanks, or the blanks up to the end of the line. */
static bool read_blanks(struct cursor *c, size_t least)
{
	const size_t from = c->at;
	if (cursor_skip_to_line_end(c))
		return true;
	c->at = from;
	const bool tab = c->text[from] == '\t';
	return cursor_skip_blanks(c) >= (tab ? 1 : least);
}

/* Extend the token up to the cursor.  If it has no beginning yet, it begins at BEGIN.  An end set by {>} stays. */
static void extend_token_place(struct form_reading *r, size_t begin)
{
	if (!r->has_begin)
		r->begin = begin;
	if (!r->marked)
		r->end = r->cursor.at;
	r->has_begin = true;
}

/* Read a hexadecimal number, and store it if it has the digits and the prefix that PART requires. */
static bool read_number(struct form_reading *r, const struct form_part *part)
{
	struct number number;
	const size_t begin = r->cursor.at;
	if (!cursor_read_number(&r->cursor, &number))
		return false;
	const unsigned least = number.prefix && part->length == NUMBER_HALF ? 5 : part->length;
	const bool full = number.digits == NUMBER_HALF || number.digits == 2 * NUMBER_HALF;
	if (part->spec == SPEC_FULL ? !full || number.prefix
				    : number.digits < least || (part->spec == SPEC_PREFIX && !number.prefix))
		return false;
	/* a number with more than 3 digits is an address, not the number of a row */
	if (part->role == ROLE_ROW && number.digits > 3)
		return false;
	if ((part->spec == SPEC_GRAVE && !number.grave) ||
	    (part->spec == SPEC_TWO && (number.digits > least || number.prefix)))
		return false;
	/* the "b" of a name such as "b.sys" is no DateStamp */
	const struct cursor *c = &r->cursor;
	if (part->role == ROLE_STAMP && c->at + 1 < c->end && c->text[c->at] == '.' && is_word_char(c->text[c->at + 1]))
		return false;
	r->numbers[part->role] = number.value;
	r->seen |= 1u << part->role;
	if (part->role == ROLE_STATUS) {
		r->says.has_code = true;
		r->says.code = (uint32_t)number.value;
	}
	r->at_code |= part->spec == SPEC_CODE;
	if (part->role == ROLE_ADDRESS || part->role == ROLE_RVA)
		extend_token_place(r, begin);
	return true;
}

/* Whether the number from BEGIN to C has at most six digits, and with the blanks before it at least six columns, as
   `cat -n` and `nl` print the numbers of lines.  A number in fewer columns belongs to a table. */
static bool has_six_columns(const struct cursor *c, size_t begin)
{
	enum { COLUMNS = 6 };
	const size_t digits = c->at - begin;
	while (begin > 0 && c->text[begin - 1] == ' ')
		begin--;
	return digits <= COLUMNS && c->at - begin >= COLUMNS;
}

/* Read and store a decimal number.  Returns false if its digits or columns are not those that PART requires. */
static bool read_decimal(struct form_reading *r, const struct form_part *part)
{
	/* the number of a row has at most 3 digits */
	const size_t most = part->most ? part->most : part->role == ROLE_ROW ? 3 : 10;
	struct cursor *c = &r->cursor;
	const size_t begin = c->at;
	uint64_t value = 0;
	while (!cursor_is_at_end(c) && is_digit(c->text[c->at]) && c->at - begin < most)
		value = value * 10 + (unsigned)(c->text[c->at++] - '0');
	r->numbers[part->role] = value;
	r->seen |= 1u << part->role;
	/* more digits than are allowed, or a hexadecimal number */
	if (part->most && !cursor_is_at_end(c) && is_hex(c->text[c->at]))
		return false;
	return c->at > begin && c->at - begin >= part->length &&
	       (part->spec != SPEC_ALIGNED || has_six_columns(c, begin));
}

/* Read up to four hexadecimal numbers, which commas or blanks separate, into r->says. */
static void read_numbers(struct form_reading *r)
{
	struct number number;
	struct statement *s = &r->says;
	struct cursor c = r->cursor;
	while (s->count < STATEMENT_NUMBERS && (s->begins[s->count] = c.at, cursor_read_number(&c, &number))) {
		s->ends[s->count] = c.at;
		s->numbers[s->count++] = number.value;
		r->cursor = c;
		cursor_skip_blanks(&c);
		cursor_read_char(&c, ',');
		cursor_skip_blanks(&c);
	}
}

/* Skip hexadecimal numbers without "0x", and colons, as long as a blank or the end of the line follows each of them. */
static void skip_arguments(struct cursor *c)
{
	enum { ARGUMENTS_MAX = 10 };
	struct number number;
	struct cursor next = *c;
	for (unsigned i = 0; i < ARGUMENTS_MAX; i++) {
		if (!cursor_read_char(&next, ':') && (!cursor_read_number(&next, &number) || number.prefix))
			return;
		if (cursor_skip_blanks(&next) == 0 && !cursor_skip_to_line_end(&next))
			return;
		*c = next;
	}
}

/* Whether PART is {<} or {>}. */
static bool is_token_limit(const struct form_part *part)
{
	return part->kind == PART_BEGIN || part->kind == PART_END;
}

static const struct form_part *find_next_part(const struct form_part *part)
{
	return part + 1 + (part->kind == PART_OPTION || part->kind == PART_CHOICE ? part->length : 0);
}

/* Whether the first part from NEXT on that is not {<} or {>} is a text or blanks: these show where a name ends. */
static bool does_text_follow(const struct form_part *next, const struct form_part *end)
{
	while (next < end && is_token_limit(next))
		next++;
	return next < end && (next->kind == PART_TEXT || next->kind == PART_CHOICE || next->kind == PART_BLANKS);
}

static bool skip_to_parts(struct cursor *c, const struct form_part *next, const struct form_part *end);

/* Whether a module's name, as PART requires it, is at C, and after it a text that the next parts can read. */
static bool is_module_at(struct cursor c, const struct form_part *part, const struct form_part *end)
{
	const char *name = c.text + c.at;
	const size_t begin = c.at;
	return skip_to_parts(&c, part + 1, end) && match_is_module_name(name, c.at - begin) &&
	       !contains_word(name, c.at - begin, ": ") &&
	       !(part->role == ROLE_NAME && match_has_separator(name, c.at - begin));
}

/* Whether the texts from PART on, up to the first part that is no text, are at C.  If this first part is a number, the
   end of the line, or a name that must be a module's, what it reads must follow these texts. */
static bool are_parts_at(const struct cursor *c, const struct form_part *part, const struct form_part *end)
{
	struct cursor after = *c;
	struct number number;
	for (; part < end && (is_token_limit(part) || does_text_follow(part, part + 1)); part = find_next_part(part))
		if ((part->kind == PART_TEXT && !read_text(&after, part->text, part->length)) ||
		    (part->kind == PART_CHOICE && !read_choice(&after, part)) ||
		    (part->kind == PART_BLANKS && !read_blanks(&after, part->length)))
			return false;
	if (part < end && part->kind == PART_LINE_END)
		return cursor_skip_to_line_end(&after);
	if (part < end && part->kind == PART_NAME && part->spec == SPEC_MODULE && does_text_follow(part + 1, end))
		return is_module_at(after, part, end);
	return part == end || part->kind != PART_NUMBER ||
	       (cursor_read_number(&after, &number) && number.digits >= (number.prefix ? 1 : part->length) &&
		(number.prefix || part->spec != SPEC_PREFIX));
}

/* Move C forward, by less than NAME_LENGTH_MAX bytes, to the first place where the parts from NEXT up to END can begin
   (are_parts_at()).  Returns false if there is none. */
static bool skip_to_parts(struct cursor *c, const struct form_part *next, const struct form_part *end)
{
	const bool is_text = next < end && next->kind == PART_TEXT && !may_be_escaped(*next->text);
	for (size_t n = 0; n < NAME_LENGTH_MAX; n++, c->at++) {
		if (is_text && c->at < c->end && c->text[c->at] != *next->text)
			continue; /* quicker than are_parts_at() */
		if (are_parts_at(c, next, end))
			return true;
		if (cursor_is_at_end(c))
			return false;
	}
	return false;
}

/* Whether a name can end before C: at C is a character that no name has, or such a character after a full stop. */
static bool can_end_name(struct cursor c)
{
	cursor_read_char(&c, '.');
	return cursor_is_at_end(&c) || !is_module_char(c.text[c.at]);
}

/* Returns the length of the module's name at C, which has no quotation marks around it and may have blanks: "my
   app.exe" in "my app.exe Reading from location 00072925."  Without an extension of modules, the name is one word. */
static size_t find_name_length(struct cursor c)
{
	const char *name = c.text + c.at;
	const size_t begin = c.at, left = c.end - c.at < NAME_LENGTH_MAX ? c.end - c.at : NAME_LENGTH_MAX;
	size_t word = 0;
	for (size_t n = 1; n <= left; n++) {
		c.at = begin + n;
		if (can_end_name(c) && match_is_module_name(name, n))
			return n;
	}
	while (word < left && !is_blank(name[word]) && name[word] != '\r')
		word++;
	return word > 0 && name[word - 1] == '.' ? word - 1 : word;
}

/* Whether NAME is that of an ELF file, as in some rows of Wine's stacks: "libc.so.6", "<elf>"; or is empty. */
static bool is_elf_name(const char *name, size_t length)
{
	for (size_t i = 0, end = 3; end <= length; i++, end++)
		if (memcmp(name + i, ".so", 3) == 0 &&
		    (end == length || (end + 1 < length && name[end] == '.' && is_digit(name[end + 1]))))
			return true;
	return length == 0 || name[0] == '<';
}

/* Cut the path NAME to the file's name without its extension, because a log may have Shell.dll for the file Shell.efi.
   Returns whether the result can be a module's name. */
static bool cut_to_file_name(const char **name, size_t *length)
{
	*name = base_name(*name, length);
	const char *dot = memchr(*name, '.', *length);
	if (dot)
		*length = (size_t)(dot - *name);
	for (size_t i = 0; i < *length; i++)
		if (!is_module_char((*name)[i]))
			return false;
	return true;
}

/* Whether the "++" of a name that began at BEGIN is at C: "libstdc++-6.dll". */
static bool is_plus_plus_of_name(const struct cursor *c, size_t begin)
{
	return c->at > begin && is_word_char(c->text[c->at - 1]) && c->end - c->at > 2 &&
	       memcmp(c->text + c->at, "++", 2) == 0;
}

/* Read PART, a name or another text, and store it, unless its role is ROLE_WORD.  The parts after it end at END. */
static bool read_name(const struct tokens *t, struct form_reading *r, const struct form_part *part,
		      const struct form_part *end)
{
	struct cursor *c = &r->cursor;
	const size_t begin = c->at;
	const struct form_part *next = part + 1;
	const bool stops = does_text_follow(next, end);
	const char *name = c->text + begin;
	size_t length;
	switch (part->role) {
	case ROLE_WORD:
		while (!cursor_is_at_end(c) && is_word_char(c->text[c->at]) &&
		       (part->spec != SPEC_UPPER || c->text[c->at] < 'a'))
			c->at++;
		return c->at - begin >= part->length;
	case ROLE_FILE:
		length = find_name_length(*c);
		c->at += length;
		/* a path without an extension of modules can have blanks: it is all up to the end of the line */
		if (!match_is_module_name(name, length) && match_is_absolute_path(name, length) &&
		    match_find_trimmed_end(t) > c->at)
			c->at = match_find_trimmed_end(t);
		break;
	case ROLE_PATH:
	case ROLE_TEXT:
		if (stops && !skip_to_parts(c, next, end))
			return false;
		if (stops ||
		    (next < end && next->kind == PART_OPTION && skip_to_parts(c, next + 1, next + 1 + next->length)))
			break;
		c->at = match_find_trimmed_end(t) > begin ? match_find_trimmed_end(t) : begin;
		/* no name of a file has a "<": in a page, a tag begins there */
		if (part->role == ROLE_PATH && memchr(name, '<', c->at - begin))
			return false;
		break;
	case ROLE_IMAGE:
		if (stops && !skip_to_parts(c, next, end))
			return false;
		while (!stops && !cursor_is_at_end(c) && !is_blank(c->text[c->at]) && c->text[c->at] != '\r')
			c->at++;
		break;
	default:
		while (!cursor_is_at_end(c) && (is_module_char(c->text[c->at]) || is_plus_plus_of_name(c, begin)))
			c->at += is_module_char(c->text[c->at]) ? 1 : 2;
	}
	length = c->at - begin;
	while (length > 0 && is_blank(name[length - 1]))
		length--;
	if (part->role == ROLE_TEXT) {
		r->says.text = name;
		r->says.length = length;
		return length > 0;
	}
	/* a name that other text follows has neither two blanks in a row nor a blank after a colon */
	if (length > NAME_LENGTH_MAX || is_elf_name(name, length) ||
	    (stops && (contains_word(name, length, "  ") || contains_word(name, length, ": "))) ||
	    (part->spec == SPEC_MODULE && !match_is_module_name(name, length)) ||
	    (part->spec == SPEC_ABSOLUTE && !match_is_absolute_path(name, length)) ||
	    (part->role == ROLE_IMAGE && !cut_to_file_name(&name, &length)))
		return false;
	r->name = name;
	r->name_length = length;
	return length > 0;
}

/* Read PART; the parts after it end at END. */
static bool read_part(const struct tokens *t, struct form_reading *r, const struct form_part *part,
		      const struct form_part *end)
{
	struct cursor *c = &r->cursor;
	switch ((enum part_kind)part->kind) {
	case PART_TEXT:
		return read_text(c, part->text, part->length);
	case PART_CHOICE:
		return read_choice(c, part);
	case PART_BLANKS:
		return read_blanks(c, part->length);
	case PART_NUMBER:
		return read_number(r, part);
	case PART_DECIMAL:
		return read_decimal(r, part);
	case PART_NUMBERS:
		read_numbers(r);
		return true;
	case PART_ARGUMENTS:
		skip_arguments(c);
		return true;
	case PART_NAME:
		return read_name(t, r, part, end);
	case PART_SKIP:
		return skip_to_parts(c, part + 1, end);
	case PART_LINE_END:
		return cursor_skip_to_line_end(c);
	case PART_BEGIN:
		r->begin = c->at;
		r->has_begin = true;
		return true;
	case PART_END:
		r->end = c->at;
		r->marked = true;
		return true;
	case PART_OPTION: /* read_parts() reads it */
		break;
	}
	return true;
}

/* Whether a text that PART reads can begin with C. */
static bool part_can_begin_with(const struct form_part *part, char c)
{
	switch ((enum part_kind)part->kind) {
	case PART_BEGIN:
		return part_can_begin_with(part + 1, c);
	case PART_TEXT:
		return c == *part->text || (c == '\\' && may_be_escaped(*part->text));
	case PART_CHOICE:
		for (unsigned n = 1; n < part->length; n++)
			if (part_can_begin_with(part + n, c))
				return true;
		return part_can_begin_with(part + part->length, c);
	case PART_NUMBER:
	case PART_NUMBERS:
		return part->spec == SPEC_PREFIX ? c == '0' : is_hex(c);
	case PART_DECIMAL:
		return is_digit(c);
	case PART_BLANKS:
		return is_blank(c) || c == '\r' || c == '\n';
	case PART_OPTION:
		return part_can_begin_with(part + 1, c) || part_can_begin_with(find_next_part(part), c);
	case PART_NAME:
		return part->role == ROLE_WORD ? is_word_char(c) : part->role != ROLE_NAME || is_module_char(c);
	default:
		return true;
	}
}

static bool read_parts(const struct tokens *t, struct form_reading *r, const struct form_part *part,
		       const struct form_part *end);

/* Read the parts from PART to END; if not all are there, read nothing. */
static void read_option(const struct tokens *t, struct form_reading *r, const struct form_part *part,
			const struct form_part *end)
{
	const struct form_reading before = *r;
	if (!read_parts(t, r, part, end))
		*r = before;
}

static bool read_parts(const struct tokens *t, struct form_reading *r, const struct form_part *part,
		       const struct form_part *end)
{
	for (; part < end; part = find_next_part(part)) {
		if (part->kind == PART_OPTION)
			read_option(t, r, part + 1, find_next_part(part));
		else if (!read_part(t, r, part, end))
			return false;
	}
	return true;
}

static bool read_pattern(const struct tokens *t, struct form_reading *r)
{
	return read_parts(t, r, r->form->parts, r->form->parts + r->form->count);
}

/* ---------------------------------------------------------------------------------------- what the parts mean */

/* Compute the load address of a module from ADDRESS and its OFFSET in the module, and store it in *BASE: a multiple of
   64 KiB.  If the difference is 1 more than that, the program has subtracted 1 from the offset of a return address;
   *CORRECTED is whether it has.  With another remainder, ADDRESS and OFFSET do not fit together: returns false. */
static bool derive_base(uint64_t address, uint64_t offset, uint64_t *base, bool *corrected)
{
	*base = address - offset;
	*corrected = *base % IMAGE_GRANULE == 1;
	*base -= *corrected;
	return address >= offset && *base >= IMAGE_GRANULE && *base % IMAGE_GRANULE == 0;
}

/* Store in *RVA the RVA of the address that R has read, in *BASE where its module is loaded (0: unknown), and
   *CORRECTED as derive_base() does.  Returns false if the numbers of R contradict each other. */
static bool find_rva_and_base(const struct form_reading *r, uint64_t *rva, uint64_t *base, bool *corrected)
{
	const uint64_t address = r->numbers[ROLE_ADDRESS];
	*base = was_read(r, ROLE_BASE) ? r->numbers[ROLE_BASE] : 0;
	*corrected = false;
	*rva = r->numbers[ROLE_RVA];
	if (!was_read(r, ROLE_ADDRESS))
		return *base % PAGE == 0 &&
		       (*rva <= RVA_MAX || form_find_word(r->form, TELLS_BASED) || form_find_word(r->form, OF_KEPT));
	if (was_read(r, ROLE_BASE))
		return address >= *base && (!was_read(r, ROLE_RVA) || address - *base == *rva) &&
		       (*rva = address - *base, true);
	return derive_base(address, *rva, base, corrected) ||
	       (r->at_code && derive_base(address, *rva += PAGE, base, corrected));
}

/* If MATCH, the result of match_make_absolute(), is MATCH_TOKEN, store NAME in the token: the module in which the
   address is, as the line says.  Returns MATCH. */
static enum match store_module_name(struct tokens *t, enum match match, const char *name, size_t length)
{
	if (match == MATCH_TOKEN) {
		t->token.module = name;
		t->token.module_length = length;
	}
	return match;
}

/* Make the fact that a module is loaded, or only FACT_STAMP if the line does not say where.  With TELLS_MODULE, also
   queue a token for a note at the end of the line. */
static enum match make_loaded_fact(struct tokens *t, const struct form_reading *r)
{
	uint64_t size = was_read(r, ROLE_SIZE) ? r->numbers[ROLE_SIZE] : 0,
		 base = was_read(r, ROLE_BASE) ? r->numbers[ROLE_BASE] : 0;
	if (was_read(r, ROLE_CODE)) {
		/* Most modules have code from their second page on.  resolve.c derives a better base from the image. */
		if (r->numbers[ROLE_CODE] < PAGE)
			return MATCH_NONE;
		base = (r->numbers[ROLE_CODE] - 1) / PAGE * PAGE;
	}
	if (was_read(r, ROLE_LAST)) {
		if (r->numbers[ROLE_LAST] <= base)
			return MATCH_NONE;
		size = r->numbers[ROLE_LAST] - base;
	}
	if (was_read(r, ROLE_PAGES) && r->numbers[ROLE_PAGES] <= UINT32_MAX)
		size = r->numbers[ROLE_PAGES] * PAGE;
	const enum match match = match_make_loaded_fact(t, r->cursor.at, r->name, r->name_length, base, size);
	t->fact.code = was_read(r, ROLE_CODE) ? r->numbers[ROLE_CODE] : 0;
	t->fact.stamp = was_read(r, ROLE_STAMP) ? (uint32_t)r->numbers[ROLE_STAMP] : 0;
	if (!was_read(r, ROLE_BASE) && !was_read(r, ROLE_CODE))
		t->fact.kind = FACT_STAMP;
	t->fact.user = form_find_word(r->form, TELLS_USER) != NULL;
	t->has_queued_token = form_find_word(r->form, TELLS_MODULE) != NULL;
	if (t->has_queued_token) {
		/* As the note is at the end of the line, no other token can follow. */
		t->at = t->length;
		const size_t begin = (size_t)(r->name - t->text);
		t->token = (struct token){ .begin = begin,
					   .end = begin + r->name_length,
					   .note = match_find_trimmed_end(t),
					   .module = r->name,
					   .module_length = r->name_length,
					   .is_return = IS_EXACT,
					   .tentative = true,
					   .is_module = true };
	}
	return match;
}

/* Make the token of R, and queue a fact if R shows the module's base.  KIND: enum is_return, KIND_TRACE and so on. */
static enum match make_token(struct tokens *t, struct context *context, const struct form_reading *r, unsigned kind)
{
	const bool relative = (was_read(r, ROLE_RVA) || was_read(r, ROLE_BASE)) &&
			      (r->name || !form_find_word(r->form, OF_KEPT));
	const uint64_t address = r->numbers[was_read(r, ROLE_ADDRESS) ? ROLE_ADDRESS : ROLE_RVA];
	bool corrected = false;
	uint64_t rva = 0, base = 0;
	enum is_return is_return = kind <= IS_RETURN ? (enum is_return)kind : IS_OPEN;
	if ((relative && (!r->name || !find_rva_and_base(r, &rva, &base, &corrected))) ||
	    (was_read(r, ROLE_SAME) && r->numbers[ROLE_SAME] != r->numbers[ROLE_ADDRESS]))
		return MATCH_NONE;
	if (kind == KIND_ROW) {
		/* Breakpad lists the registers of a row on the lines after the row: these lines have no number */
		const uint64_t above = r->form->wants && r->form->wants->effect == WANTS_FRAME ? context->frame : 0;
		const uint64_t row = was_read(r, ROLE_ROW) ? r->numbers[ROLE_ROW] : above;
		is_return = row == 0 || corrected ? IS_EXACT : IS_RETURN;
	}
	/* a thread in the kernel waits after a call; an address outside the kernel is where it has left user mode */
	if (kind == KIND_THREAD)
		is_return = r->numbers[ROLE_ADDRESS] >= KERNEL ? IS_RETURN : IS_EXACT;
	/* Go: after the row of a signal handler comes the instruction that the signal has interrupted, or a call */
	if (kind == KIND_FRAME)
		is_return = r->numbers[ROLE_ADDRESS] == context->fault	   ? IS_EXACT
			    : context_has_kept_state(context, KEPT_SIGNAL) ? IS_OPEN
									   : IS_RETURN;
	if (kind == KIND_WRITTEN && relative)
		return match_make_written(t, r->begin, r->end, r->name, r->name_length, rva);
	/* the address is a module's base, so this row is of the list of modules after the stack */
	if (kind == KIND_TRACE && !relative && r->name_length > 0 && address % IMAGE_GRANULE == 0)
		return MATCH_NONE;
	enum match match = relative ? match_make_relative(t, r->begin, r->end,
							  make_module_offset(r->name, r->name_length, rva), is_return)
				    : store_module_name(t, match_make_absolute(t, r->begin, r->end, address, is_return),
							r->name, r->name_length);
	if (match != MATCH_TOKEN)
		return match;
	if (was_read(r, ROLE_STAMP)) {
		/* The fact comes first: its DateStamp decides which of several images of that name is used. */
		t->token.tentative = false;
		match = make_loaded_fact(t, r);
		t->has_queued_token = true;
		return match;
	}
	if (base > 0) {
		match_queue_base(t, base);
		t->queued.user = form_find_word(r->form, TELLS_USER) != NULL;
	}
	t->token.may_have_base = form_find_word(r->form, TELLS_BASED) != NULL;
	t->form_end = r->cursor.at > t->at ? r->cursor.at : 0;
	if (kind == KIND_TRACE)
		t->token.is_return = context_count_trace_row(context);
	if (kind == KIND_LOADED)
		t->token.is_return = context_count_token(
			context, &(struct spelling){ .loaded = true, .row = r->begin == t->begin });
	if (kind == KIND_CALL_SITE) {
		t->token.is_return = context_count_call_site(context, was_read(r, ROLE_ROW), r->numbers[ROLE_ROW]);
		t->token.tentative |= !relative; /* WinDbg also prints such rows for addresses that no module has */
		t->stack_row = true;
	}
	if (kind == KIND_TRACE && corrected)
		t->token.is_return = IS_EXACT;
	return match;
}

/* Whether the line and the log are in the state that FORM requires (form->wants). */
static bool has_wanted_state(const struct log_form *form, const struct tokens *t, const struct context *context)
{
	switch (form->wants ? form->wants->effect : MAKES) {
	case SETS_HEADING:
		return context->heading == (enum heading)form->wants->value ||
		       (form->wants->value == HEADING_WINDBG && context->heading == HEADING_WINDBG_ROWS);
	case SETS_TABLE:
		return context->table == (enum table)form->wants->value;
	case SETS_LINE:
		return t->line_state == (enum line_state)form->wants->value;
	case KEEPS:
		return context_has_kept_state(context, form->wants->value);
	case WANTS_FIELD:
		return context_has_kept_state(context, KEPT_DATA) && context->kept_fields + 1 == form->wants->value;
	case WANTS_FRAME:
		return context->frame_line > 0 && context->line <= context->frame_line + form->wants->value;
	case WANTS_BUGCHECK:
		return context->bugcheck_lines == 1 && context_may_have_parameters(context) &&
		       context->bugcheck_read >= form->wants->value;
	default:
		return true;
	}
}

/* Record the fault of R, at ADDRESS.  Returns whether a dump begins at it; BEGINS is a value of BEGINS_DUMP.  Java
   (DUMP_ONCE) prints a fault on the terminal and again in its report, and Wine announces (DUMP_ANNOUNCES) what its
   debugger then reports (DUMP_ANNOUNCED): the second time, no dump begins.  None begins at the first fault that Wine
   announces, or at its fault on the line after another: we would forget the modules that Wine has listed before. */
static bool record_fault(struct context *context, const struct form_reading *r, uint64_t address, unsigned begins)
{
	const uint64_t process = was_read(r, ROLE_PROCESS) ? r->numbers[ROLE_PROCESS] : 0, line = context->fault_line;
	const bool again = (begins != DUMP_ONCE && line > 0 && context->line <= line + 1) ||
			   (context->fault_is_new && context->fault == address && context->fault_process == process);
	context->fault = address;
	context->fault_process = process;
	context->fault_is_new = begins != DUMP_ANNOUNCED;
	context->fault_line = context->line;
	return !again && (begins != DUMP_ANNOUNCES || line > 0);
}

/* Make a FACT_USER: the dump of a process begins.  If MATCH is a token, queue it; else AT is where the form ends. */
static enum match make_dump_fact(struct tokens *t, struct context *context, enum match match, size_t at)
{
	context->kept = 0;
	t->fact = (struct fact){ .kind = FACT_USER };
	t->has_queued_token = match == MATCH_TOKEN;
	t->at = match == MATCH_TOKEN ? t->at : at;
	return MATCH_FACT;
}

/* Make a fact of KIND from the name of a build at BEGIN (build_read_name()), and set tokens->at to AT or to the end of
   that name, whichever is later.  If there is no name: if MUST, returns MATCH_NONE; else makes a fact without text. */
static enum match make_build_fact(struct tokens *t, enum fact_kind kind, size_t begin, size_t at, bool must)
{
	struct build build;
	size_t length = t->length - begin;
	length = build_read_name(t->text + begin, length < BANNER_LENGTH_MAX ? length : BANNER_LENGTH_MAX, &build);
	if (must && length == 0)
		return MATCH_NONE;
	t->fact = (struct fact){ .kind = kind, .text = t->text + begin, .text_length = length };
	/* Skip the text: an annotation of a token in it would change what build it names. */
	t->at = begin + length > at ? begin + length : at;
	return MATCH_FACT;
}

/* As make_build_fact(), for FACT_BOOT: the build of the system that boots.  This also resets CONTEXT. */
static enum match make_boot_fact(struct tokens *t, struct context *context, size_t begin, size_t at, bool must)
{
	const enum match match = make_build_fact(t, FACT_BOOT, begin, at, must);
	if (match == MATCH_FACT) {
		context_reset(context);
		context->int3 = false;
		context->kept = 0;
	}
	return match;
}

/* Apply the effect of WORD, a word of the form that R has read from BEGIN on, to T and CONTEXT.  MATCH is the result of
   the form so far.  Returns its new result. */
static enum match apply_word(struct tokens *t, struct context *context, const struct form_reading *r,
			     const struct form_word *word, size_t begin, enum match match)
{
	const size_t at = r->cursor.at;
	switch (word->effect) {
	case SETS_HEADING:
		context_record_heading(context, (enum heading)word->value);
		break;
	case SETS_TABLE:
		context_record_table(context, (enum table)word->value);
		break;
	case SETS_PLACE:
		context_announce_place(context,
				       word->value == PLACE_REGISTERS ? IS_EXACT : (enum is_return)word->value);
		context->place_line += word->value == PLACE_REGISTERS;
		break;
	case ENDS_PC:
		t->pc_end = t->at;
		break;
	case SETS_LINE:
		t->line_state = (enum line_state)word->value;
		break;
	case SETS_FRAMES:
		context_record_heading(context,
				       context->heading == HEADING_ADDRESS ? HEADING_USER_FRAMES : HEADING_FRAMES);
		t->numbers = true;
		break;
	case COUNTS_ROW:
		if (context->heading == HEADING_TRACE) {
			(void)context_count_trace_row(context);
			break;
		}
		(void)context_count_call_site(context, was_read(r, ROLE_ROW), r->numbers[ROLE_ROW]);
		t->stack_row = true;
		context->windbg_trap = contains_word(t->text + at, t->length - at, "Trap") ||
				       contains_word(t->text + at, t->length - at, "Fault");
		break;
	case BREAKS:
		if (context->heading == HEADING_WINDBG && context->seen > 0)
			context->heading = HEADING_WINDBG_ROWS;
		break;
	case ENDS_TABLES:
		context_reset(context);
		break;
	case SETS_FAULT:
		context->fault = t->token.number;
		break;
	case KEEPS:
		context_keep_state(context, word->value, r->name, r->name_length);
		break;
	case COUNTS_FIELD:
		context->kept_fields++;
		break;
	case BEGINS_DUMP:
		if (word->value && !record_fault(context, r, t->token.number, word->value))
			break;
		return make_dump_fact(t, context, match, at);
	case BEGINS_BOOT:
		return make_boot_fact(t, context, begin, at, !word->value);
	case SETS_INT3:
		context->int3 = true;
		context->int3_address = t->token.number;
		break;
	case TELLS_BUILD:
		return begin + word->value > at ? MATCH_NONE
						: make_build_fact(t, FACT_BUILD, begin + word->value, at, true);
	case TELLS_MACHINE:
		t->has_queued_token = match == MATCH_TOKEN;
		t->fact = (struct fact){ .kind = FACT_MACHINE, .machine = (uint16_t)word->value };
		return MATCH_FACT;
	case READS_BUGCHECK: {
		const unsigned before = was_read(r, ROLE_INDEX) ? (unsigned)r->numbers[ROLE_INDEX] - 1
					: r->says.has_code	? 0
								: context->bugcheck_read;
		return match_bugcheck(t, context, &(struct form_bugcheck){ &r->says, before, at }, word->value);
	}
	default:
		break;
	}
	return match;
}

/* Prepare R to read FORM from BEGIN on. */
static void begin_reading(struct form_reading *r, const struct tokens *t, const struct log_form *form, size_t begin)
{
	*r = (struct form_reading){
		.cursor = cursor_make(t, begin), .form = form, .name = form->module, .name_length = form->module_length
	};
}

/* Match FORM at BEGIN.  If it is there, make its token or fact, and apply the effects of its words. */
static enum match match_one_form(struct tokens *t, struct context *context, struct log_form *form, size_t begin)
{
	struct form_reading r;
	begin_reading(&r, t, form, begin);
	const bool of_kept = (form->wants && form->wants->effect >= KEEPS) || form_find_word(form, OF_KEPT);
	if (of_kept && context->kept_length > 0) {
		r.name = context->kept_name;
		r.name_length = context->kept_length;
	}
	if (!read_pattern(t, &r)) {
		const bool cut = r.cursor.ended && r.seen && form_find_word(form, WRAPS);
		t->stack_cut |= cut;
		if (!cut || !form->wants)
			return MATCH_NONE;
		/* tokens.c will read this line together with the next one. */
		t->stack_row = true;
		t->at = t->length;
		return MATCH_QUIET;
	}
	const struct form_word *makes = form_find_word(form, MAKES);
	enum match match = MATCH_QUIET;
	if (makes)
		match = make_token(t, context, &r, makes->value);
	else if (r.name && (was_read(&r, ROLE_BASE) || was_read(&r, ROLE_CODE) || was_read(&r, ROLE_STAMP)))
		match = make_loaded_fact(t, &r);
	else if (!form_find_word(form, BEGINS_BOOT) && !form_find_word(form, TELLS_BUILD) &&
		 !form_find_word(form, READS_BUGCHECK))
		t->at = r.cursor.at;
	if (match == MATCH_NONE)
		return MATCH_NONE;
	if (form_find_word(form, SETS_FRAME) && was_read(&r, ROLE_ROW)) {
		context->frame = (unsigned)r.numbers[ROLE_ROW];
		context->frame_line = context->line;
	}
	if (!form->anywhere && !(form->wants && form->wants->effect == SETS_TABLE))
		context->table = TABLE_NONE;
	const struct form_part *last = form->parts + form->count - 1;
	if (makes && last->kind == PART_LINE_END)
		t->at = r.cursor.at; /* read no token in the rest of the form */
	for (size_t i = 0; i < form->word_count && match != MATCH_NONE; i++)
		match = apply_word(t, context, &r, form->words[i], begin, match);
	if (match == MATCH_TOKEN && form->wants && form->wants->effect >= KEEPS && was_read(&r, ROLE_RVA))
		context->kept = 0; /* this is the place of the fault, so no other place follows */
	form->matched |= match != MATCH_NONE;
	return match;
}

/* Match FORM at BEGIN, and store in *S what the line says about a crash.  S->text is what {text} has read, from {<} on
   if that comes first; without {text}, from {<} to {>}.  Returns false if FORM is not there, or lacks parameters. */
static bool read_statement(struct tokens *t, struct log_form *form, size_t begin, struct statement *s)
{
	struct form_reading r;
	begin_reading(&r, t, form, begin);
	if (!read_pattern(t, &r))
		return false;
	*s = r.says;
	for (unsigned i = s->count; i < STATEMENT_NUMBERS; i++)
		s->numbers[i] = 0;
	s->kind = (enum statement_kind)form->says->value;
	if (s->kind == STATEMENT_PARAMETER) {
		s->has_code = was_read(&r, ROLE_INDEX);
		s->code = s->has_code ? (uint32_t)r.numbers[ROLE_INDEX] : 0;
		s->count = s->count > 0;
	}
	const char *end = s->text ? s->text + s->length : t->text + (r.marked ? r.end : r.cursor.at);
	if (form->only_says && r.has_begin && (!s->text || t->text + r.begin < s->text)) {
		s->text = t->text + r.begin;
		s->length = (size_t)(end - s->text);
	}
	t->at = r.cursor.at;
	form->matched = true;
	return (s->kind != STATEMENT_PARAMETER || (s->count && s->code - 1 < STATEMENT_NUMBERS)) &&
	       (s->kind != STATEMENT_PARAMETERS || s->count == STATEMENT_NUMBERS);
}

/* ----------------------------------------------------------------------------------------------- which forms */

enum {
	BYTES = UCHAR_MAX + 1,
	LINE_FORMS = BYTES,
	STATEMENTS = 2 * BYTES,
	PREFIXES = 4 * BYTES,
	CHAINS = 5 * BYTES,
};

/* For each byte, there are five chains of forms that can begin with it.  Chain BYTE has those that may be anywhere in a
   line, chain LINE_FORMS + BYTE those that must begin a line.  Chains STATEMENTS + BYTE and STATEMENTS + LINE_FORMS +
   BYTE have the same for forms that say something about a crash, chain PREFIXES + BYTE those with the word "prefix".
   Forms are tried in the order of their chain. */
static struct {
	unsigned links[CHAINS + 1]; /* where the links of each chain begin; the last: where they end */
	unsigned short forms[4 * FORMS_MAX * BYTES];
	bool made;
} chains;

/* Whether CHAIN has forms of the kind of FORM. */
static bool has_kind_of_chain(const struct log_form *form, unsigned chain)
{
	if (chain >= PREFIXES)
		return form->prefix != NULL;
	return (chain < STATEMENTS ? !form->only_says && !form->prefix : form->says != NULL) &&
	       form->anywhere == (chain % STATEMENTS < LINE_FORMS);
}

/* Make the chains, unless that was done before. */
static void make_chains(void)
{
	unsigned links = 0;
	if (chains.made)
		return;
	const size_t count = forms_load_and_count();
	for (unsigned chain = 0; chain < CHAINS; chain++) {
		for (size_t i = 0; i < count; i++) {
			const struct log_form *form = form_get(i);
			if (has_kind_of_chain(form, chain) && part_can_begin_with(form->parts, (char)(chain % BYTES)))
				chains.forms[links++] = (unsigned short)i;
		}
		chains.links[chain + 1] = links;
	}
	chains.made = true;
}

/* Try the forms that can begin at BEGIN, in the chain for the byte there; FIRST is the first chain of its kind.  Chains
   from STATEMENTS on store in *S, and use no CONTEXT; for other chains, S is NULL. */
static enum match match_forms_at(struct tokens *t, struct context *context, struct statement *s, unsigned first,
				 size_t begin)
{
	const unsigned chain = first + (begin < t->length ? (unsigned char)t->text[begin] : '\n');
	enum match match = MATCH_NONE;
	for (unsigned i = chains.links[chain]; match == MATCH_NONE && i < chains.links[chain + 1]; i++) {
		struct log_form *form = form_get(chains.forms[i]);
		if (!s && !has_wanted_state(form, t, context))
			continue;
		if (s)
			match = read_statement(t, form, begin, s) ? MATCH_QUIET : MATCH_NONE;
		else
			match = match_one_form(t, context, form, begin);
	}
	return match;
}

bool match_prefix(const struct tokens *t, struct cursor *c, bool after_stamp, enum prefix *ret_kind)
{
	struct form_reading r;
	if (cursor_is_at_end(c))
		return false;
	make_chains();
	const unsigned chain = PREFIXES + (unsigned char)c->text[c->at];
	for (unsigned i = chains.links[chain]; i < chains.links[chain + 1]; i++) {
		struct log_form *form = form_get(chains.forms[i]);
		const enum prefix kind = (enum prefix)form->prefix->value;
		if (kind == PREFIX_AFTER_STAMP && !after_stamp)
			continue;
		begin_reading(&r, t, form, c->at);
		if (!read_pattern(t, &r) || r.cursor.at == c->at)
			continue;
		const size_t at = r.cursor.at;
		if (kind == PREFIX_STAMP && at < c->end && c->text[at - 1] != ' ' && !memchr(" \t\",;", c->text[at], 5))
			continue;
		form->matched = true;
		c->at = at;
		*ret_kind = kind;
		return true;
	}
	return false;
}

enum match match_form(struct tokens *t, struct context *context)
{
	make_chains();
	return match_forms_at(t, context, NULL, 0, t->at);
}

enum match match_line_form(struct tokens *t, struct context *context)
{
	make_chains();
	return match_forms_at(t, context, NULL, LINE_FORMS, t->begin);
}

bool statement_find_next(const struct statement_line *line, size_t *at, struct statement *s)
{
	struct tokens t = { .text = line->text };
	enum match match = MATCH_NONE;
	bool is_first = *at == 0;
	make_chains();
	for (size_t i = is_first ? line->begin : *at; match == MATCH_NONE && i < line->length; i++) {
		/* A line can have very many words with which a statement begins: the limit keeps the time linear. */
		t.length = line->length - i < FACT_LENGTH_MAX ? line->length : i + FACT_LENGTH_MAX;
		if (is_first)
			match = match_forms_at(&t, NULL, s, STATEMENTS + LINE_FORMS, i);
		if (match == MATCH_NONE && (is_first || !is_word_char(line->text[i - 1])))
			match = match_forms_at(&t, NULL, s, STATEMENTS, i);
		is_first = false;
	}
	*at = match == MATCH_NONE ? line->length : t.at;
	return match != MATCH_NONE;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/crash/crash-symbols.h"
#include "log/read/chars.h"

#include <string.h>

void crash_symbols_add_note(struct crash_symbol_notes *notes, const char *name, size_t name_length, const char *note,
			    size_t length)
{
	const char *begin = memchr(note, '(', length);
	while (length > 0 && note[length - 1] != ')')
		length--;
	if (!begin || length < (size_t)(begin - note) + 2)
		return;
	strbuf_add_bytes(&notes->text, name, name_length);
	strbuf_add_char(&notes->text, '\0');
	strbuf_add_bytes(&notes->text, begin + 1, length - 2 - (size_t)(begin - note));
	strbuf_add_char(&notes->text, '\0');
}

/* Whether A and B are equal but for upper and lower case. */
static bool is_same(const char *a, const char *b)
{
	const size_t length = strlen(a);
	return strlen(b) == length && same_letters(a, b, length);
}

/* Returns the text of the last note of the module NAME; NULL: there is none. */
static const char *find_note(const struct crash_symbol_notes *notes, const char *name)
{
	const char *found = NULL;
	for (size_t at = 0; at < notes->text.length;) {
		const char *module = notes->text.bytes + at, *text = module + strlen(module) + 1;
		if (is_same(module, name))
			found = text;
		at = (size_t)(text - notes->text.bytes) + strlen(text) + 1;
	}
	return found;
}

/* Whether SYMBOLS has a note about the module whose name is at position MODULE in the strings of STACK. */
static bool has_note(const struct crash_symbols *symbols, size_t module, const struct stack *stack)
{
	size_t i = 0;
	while (i < symbols->count &&
	       strcmp(stack_string(stack, symbols->list[i].module), stack_string(stack, module)) != 0)
		i++;
	return i < symbols->count;
}

void crash_symbols_take(struct crash_symbols *symbols, const struct crash_symbol_notes *notes, struct stack *stack)
{
	static const char found_word[] = "symbols: ", no_word[] = "no symbols: ";
	for (size_t i = 0; i < stack->frame_count && symbols->count < CRASH_SYMBOLS; i++) {
		const size_t module = stack->frames[i].module;
		if (!module || has_note(symbols, module, stack))
			continue;
		const char *text = find_note(notes, stack_string(stack, module));
		if (!text)
			continue;
		const bool found = strncmp(text, found_word, sizeof found_word - 1) == 0;
		text += found ? sizeof found_word - 1 : sizeof no_word - 1;
		symbols->list[symbols->count].module = module;
		symbols->list[symbols->count].text = stack_add_string(stack, text, strlen(text));
		symbols->list[symbols->count++].found = found;
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* words.c - finds out what a string of a table is: a name, the mark of the end of code, or a linker constant */
#include "core/words.h"
#include "core/layout.h"
#include "core/mem.h"
#include "core/packed.h"
#include "core/text.h"

/* The longest name below has 25 bytes and its NUL, so the first WINDOW bytes of a string suffice to compare it with
   each of these names. */
enum { CONSTANT_NAME_SIZE = 26, WINDOW = 32 };

/* The most underscores that are skipped.  In a hostile table, millions of names can be suffixes of one long run of
   underscores; without a limit, the run would be read once for each name. */
enum { UNDERSCORES_MAX = 255 };

/* GNU ld's absolute symbols, without the underscores before them.  These are arrays and not pointers, because pointers
   are data that a loader would have to relocate. */
static const char constants[][CONSTANT_NAME_SIZE] = {
	"ImageBase",
	"image_base__",
	"dll__",
	"section_alignment__",
	"file_alignment__",
	"major_os_version__",
	"minor_os_version__",
	"major_image_version__",
	"minor_image_version__",
	"major_subsystem_version__",
	"minor_subsystem_version__",
	"subsystem__",
	"size_of_stack_reserve__",
	"size_of_stack_commit__",
	"size_of_heap_reserve__",
	"size_of_heap_commit__",
	"loader_flags__",
	"dll_characteristics__",
};
static const char terminator[CONSTANT_NAME_SIZE] = RS_TERMINATOR_NAME;
enum { CONSTANTS = sizeof constants / sizeof *constants };

/* Returns the first bytes of the string at OFFSET, at most WINDOW, and stores how many there are in *LENGTH.  Returns
   NULL on a fault. */
/*@ requires judging(words) && offset <= words->strings->length && room(buffer, WINDOW) && \valid(length);
    requires \separated(words, words->strings, words->fault, length, buffer + (0 .. WINDOW - 1));
    assigns *length, words->failed, *words->fault, buffer[0 .. WINDOW - 1];
    ensures *length <= WINDOW && offset + *length <= words->strings->length;
    ensures offset < words->strings->length ==> *length > 0;
    ensures \result == \null || bytes(\result, *length); */
static const uint8_t *view_string_start(struct rs_words *words, uint32_t offset, uint8_t buffer[WINDOW],
					uint32_t *length)
{
	const struct rs_strings *strings = words->strings;
	uint32_t left = strings->length - offset;
	*length = left < WINDOW ? left : WINDOW;
	const uint8_t *p = rs_view(&strings->reader, strings->offset + offset, *length, buffer, words->fault);
	words->failed |= !p;
	return p;
}

/* Whether the LENGTH bytes at P begin with the string NAME and a NUL.  If the bytes end right after NAME, that counts
   as a NUL, because they end so early only where the table's strings end.  NAME has at least CONSTANT_NAME_SIZE - 1
   readable bytes: one caller passes an array without its first byte. */
/*@ requires bytes(p, length) && \valid_read(name + (0 .. CONSTANT_NAME_SIZE - 2));
    assigns \nothing; */
static bool begins_with_name(const uint8_t *p, uint32_t length, const char *name)
{
	uint32_t i = 0;
	/*@ loop invariant i <= length && i < CONSTANT_NAME_SIZE;
	    loop assigns i;
	    loop variant CONSTANT_NAME_SIZE - i; */
	for (; i < CONSTANT_NAME_SIZE - 1 && name[i] != '\0'; i++)
		if (i == length || p[i] != (uint8_t)name[i])
			return false;
	return i == length || p[i] == '\0';
}

/* Do what rs_classify_string() does, for a string that begins with an underscore, as few do.  Skips up to
   UNDERSCORES_MAX underscores before a name, because targets and tools differ in how many they add. */
/*@ requires judging(words) && offset < words->strings->length;
    assigns words->failed, *words->fault; */
static enum rs_word classify_underscored_string(struct rs_words *words, uint32_t offset)
{
	uint8_t buffer[WINDOW];
	uint32_t underscores = 0, at = 0, length = 0;
	const uint8_t *p = NULL;
	/*@ loop invariant at <= length <= WINDOW && underscores <= UNDERSCORES_MAX;
	    loop invariant offset + underscores + (length - at) <= words->strings->length;
	    loop invariant length > 0 ==> bytes(p, length);
	    loop assigns p, at, length, underscores, words->failed, *words->fault, buffer[0 .. WINDOW - 1];
	    loop variant UNDERSCORES_MAX - underscores; */
	for (; underscores < UNDERSCORES_MAX; underscores++, at++) {
		if (at == length) {
			p = view_string_start(words, offset + underscores, buffer, &length);
			at = 0;
			if (!p || length == 0)
				return RS_WORD_TEXT;
		}
		if (p[at] != '_')
			break;
	}
	/* The name may begin near the end of the window: read a window that begins with it. */
	p = view_string_start(words, offset + underscores, buffer, &length);
	if (!p)
		return RS_WORD_NOTHING;
	/*@ loop assigns i;
	    loop variant CONSTANTS - i; */
	for (unsigned i = 0; i < CONSTANTS; i++)
		if (begins_with_name(p, length, constants[i]))
			return RS_WORD_CONSTANT;
	return underscores == 1 && begins_with_name(p, length, &terminator[1]) ? RS_WORD_TERMINATOR : RS_WORD_TEXT;
}

/* Do what rs_classify_string() does, for a packed string.  Unpacks one byte; only if that is an underscore, unpacks as
   many bytes as classify_underscored_string() can read. */
/*@ requires judging(words) && words->strings->packed && offset < words->strings->length;
    assigns words->failed, *words->fault; */
static enum rs_word classify_packed_string(struct rs_words *words, uint32_t offset)
{
	uint8_t text[UNDERSCORES_MAX + WINDOW];
	uint32_t length = 0;
	int r = rs_text_copy(words->strings, offset, text, 1, &length, words->fault);
	if (r >= 0 && length > 0 && text[0] != '_')
		return RS_WORD_TEXT;
	if (r > 0)
		r = rs_text_copy(words->strings, offset, text, sizeof text, &length, words->fault);
	words->failed |= r < 0;
	if (r < 0 || length == 0)
		return RS_WORD_NOTHING;
	const struct rs_strings plain = { .reader = { .memory = text, .size = length }, .length = length };
	struct rs_words own = rs_words_make(&plain, words->fault);
	return classify_underscored_string(&own, 0);
}

/*@ requires judging(words);
    assigns words->failed, *words->fault; */
enum rs_word rs_classify_string(struct rs_words *words, uint32_t offset)
{
	uint8_t buffer[WINDOW];
	uint32_t length;
	if (offset == 0 || offset >= words->strings->length)
		return RS_WORD_NOTHING;
	if (rs_is_packed_flag_set(words->strings->packed))
		return classify_packed_string(words, offset);
	const uint8_t *p = view_string_start(words, offset, buffer, &length);
	if (!p || p[0] == '\0')
		return RS_WORD_NOTHING;
	return p[0] == '_' ? classify_underscored_string(words, offset) : RS_WORD_TEXT;
}

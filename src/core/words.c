// SPDX-License-Identifier: GPL-2.0-or-later
/* words.c - judge strings */
#include "core/words.h"
#include "core/layout.h"
#include "core/mem.h"

/* The longest name below has 25 bytes and its NUL, so a window of WINDOW bytes shows any of them whole. */
enum { NAME_SIZE = 26, WINDOW = 32 };

/* Underscores that are skipped at most.  The names of a damaged table can be millions of suffixes of one long run of
   underscores; without a limit, each of them would be read to its end. */
enum { MOST_UNDERSCORES = 255 };

/* GNU ld's absolute symbols, without the underscores before them.  These are arrays and not pointers, because pointers
   are data that a loader would have to relocate. */
static const char constants[][NAME_SIZE] = {
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

/* Returns the first bytes of the string at OFFSET, at most WINDOW, and stores how many there are in *LENGTH.  Returns
   NULL on a fault. */
static const uint8_t *window_at(struct rs_words *words, uint32_t offset, uint8_t buffer[WINDOW], uint32_t *length)
{
	const struct rs_strings *strings = words->strings;
	uint32_t left = strings->length - offset;
	*length = left < WINDOW ? left : WINDOW;
	const uint8_t *p = rs_view(&strings->reader, strings->offset + offset, *length, buffer, words->fault);
	words->failed |= !p;
	return p;
}

/* Whether the LENGTH bytes at P begin with the string NAME and a NUL.  The end of the window counts as a NUL: it is the
   end of all strings, since a window is longer than any NAME. */
static bool is_name(const uint8_t *p, uint32_t length, const char *name)
{
	if (length == 0 || p[0] != (uint8_t)name[0]) /* as for all the names of C++ and Rust, "_ZN..." */
		return false;
	size_t wanted = strlen(name);
	return length >= wanted && memcmp(p, name, wanted) == 0 && (length == wanted || p[wanted] == '\0');
}

/* Judge a string that begins with an underscore, as only a few in a thousand do.  The number of underscores is skipped
   because targets and tools differ in it. */
static enum rs_word judge_underscored(struct rs_words *words, uint32_t offset)
{
	uint8_t buffer[WINDOW];
	uint32_t underscores = 0, at = 0, length = 0;
	const uint8_t *p = NULL;
	for (; underscores < MOST_UNDERSCORES; underscores++, at++) {
		if (at == length) {
			p = window_at(words, offset + underscores, buffer, &length);
			at = 0;
			if (!p || length == 0)
				return RS_WORD_TEXT;
		}
		if (p[at] != '_')
			break;
	}
	/* The name's own bytes, which may go on past the window. */
	p = window_at(words, offset + underscores, buffer, &length);
	if (!p)
		return RS_WORD_NOTHING;
	for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
		if (is_name(p, length, constants[i]))
			return RS_WORD_CONSTANT;
	return underscores == 1 && is_name(p, length, &RS_TERMINATOR_NAME[1]) ? RS_WORD_TERMINATOR : RS_WORD_TEXT;
}

enum rs_word rs_word_judge(struct rs_words *words, uint32_t offset)
{
	uint8_t buffer[WINDOW];
	uint32_t length;
	if (offset == 0 || offset >= words->strings->length)
		return RS_WORD_NOTHING;
	const uint8_t *p = window_at(words, offset, buffer, &length);
	if (!p || p[0] == '\0')
		return RS_WORD_NOTHING;
	return p[0] == '_' ? judge_underscored(words, offset) : RS_WORD_TEXT;
}

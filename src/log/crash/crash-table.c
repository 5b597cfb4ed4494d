// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/crash/crash-table.h"
#include "log/crash/crash-block.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TOP_FRAMES = 3 };

/* Whether FUNCTION is one by which the system reports a crash, or enters a debugger. */
static bool is_reporter(const char *function)
{
	static const char *const names[] = { "RtlpBreakWithStatusInstruction",
					     "DbgBreakPoint",
					     "RtlAssert",
					     "KiDispatchException",
					     "KiExceptionDispatch",
					     "KeBugCheck",
					     "KiBugCheck",
					     "KiTrap",
					     "KiPageFault",
					     "KiDoubleFault",
					     "KiGeneralProtectionFault" };
	const char *module_end = strchr(function, '!'); /* "nt!KeBugCheckEx+0x104", in a row of WinDbg */
	function = module_end ? module_end + 1 : function;
	function += strspn(function, "_@");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(function, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

/* Append the module and the function or offset of the frame: "a.sys!f", "a.sys+0x1230", "0x1230". */
static void add_where(struct strbuf *text, const struct stack *stack, const struct stack_frame *frame)
{
	const char *function = frame->call_count ? stack_string(stack, stack->calls[frame->calls].function) : "";
	strbuf_add(text, stack_string(stack, frame->module));
	if (*function)
		strbuf_addf(text, "%s%s", frame->module ? "!" : "", function);
	else
		strbuf_addf(text, "%s0x%" PRIx64, frame->module ? "+" : "", frame->number);
}

static bool frame_reports(const struct stack *stack, const struct stack_frame *frame)
{
	return frame->call_count > 0 && is_reporter(stack_string(stack, stack->calls[frame->calls].function));
}

static void add_what(struct strbuf *text, const struct crash *crash)
{
	const struct stack *stack = crash->stack.frame_count > 0 ? &crash->stack : &crash->place;
	size_t first = 0;
	block_add_title(text, crash);
	while (first < stack->frame_count && frame_reports(stack, &stack->frames[first]))
		first++;
	for (size_t i = first; i < stack->frame_count && i < first + TOP_FRAMES; i++) {
		strbuf_add(text, i == first ? ": " : ", ");
		add_where(text, stack, &stack->frames[i]);
	}
}

/* Count crash NUMBER in the one of the *COUNT ROWS with the same text, or in a new row. */
static void add_crash(struct crash_row *rows, size_t *count, const struct crashes *crashes, size_t number)
{
	size_t i = 0;
	struct strbuf what = { .bytes = NULL };
	add_what(&what, &crashes->items[number]);
	while (i < *count && !strbuf_is_same(&rows[i].what, &what))
		i++;
	if (i == *count) {
		rows[(*count)++] = (struct crash_row){ .what = what };
	} else {
		strbuf_clear(&what);
		strbuf_add(&rows[i].blocks, ", ");
	}
	strbuf_add_decimal(&rows[i].blocks, number + 1);
	rows[i].count += crashes->items[number].count;
}

/* For qsort(): the most frequent first; among equally frequent ones, the one whose first block has the lower number. */
static int compare_rows(const void *a, const void *b)
{
	const struct crash_row *x = a, *y = b;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	const long i = x->blocks.bytes ? strtol(x->blocks.bytes, NULL, 10) : 0;
	const long j = y->blocks.bytes ? strtol(y->blocks.bytes, NULL, 10) : 0;
	return (i > j) - (i < j);
}

struct crash_row *table_make(struct crashes *crashes, size_t *count)
{
	*count = 0;
	struct crash_row *rows = crashes->count ? calloc(crashes->count, sizeof *rows) : NULL;
	crashes->no_memory |= !rows && crashes->count;
	for (size_t i = 0; rows && i < crashes->count; i++)
		add_crash(rows, count, crashes, i);
	for (size_t i = 0; i < *count; i++)
		crashes->no_memory |= rows[i].what.no_memory || rows[i].blocks.no_memory;
	if (rows)
		qsort(rows, *count, sizeof *rows, compare_rows);
	return rows;
}

void table_free(struct crash_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		strbuf_clear(&rows[i].what);
		strbuf_clear(&rows[i].blocks);
	}
	free(rows);
}

void table_add(struct strbuf *text, struct crashes *crashes)
{
	size_t count;
	struct crash_row *rows = table_make(crashes, &count);
	if (count > 0)
		strbuf_add(text, "Count  Crash\n");
	for (size_t i = 0; i < count; i++) {
		const char *what = rows[i].what.bytes, *blocks = rows[i].blocks.bytes ? rows[i].blocks.bytes : "";
		strbuf_addf(text, "%5llu  %s (block%s %s)\n", rows[i].count, what ? what : "",
			    strchr(blocks, ',') ? "s" : "", blocks);
	}
	table_free(rows, count);
}

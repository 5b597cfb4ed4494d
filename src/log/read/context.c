// SPDX-License-Identifier: GPL-2.0-or-later
/* context.c - records headings, and applies the rules about addresses that context.h lists */
#include "config.h"
#include "log/read/context.h"

#include <string.h>

enum {
	/* a heading is forgotten after this many lines in a row that do not belong to it */
	FOREIGN_LINES = 12,
	/* the most lines between the announcement and the place of a crash that count as the rests of wrapped lines */
	PLACE_WRAPS_MAX = 2,
};

/* Whether parameters of a bugcheck are expected: the bugcheck is at most bugcheck_lines lines before this line. */
static bool are_parameters_expected(const struct context *context)
{
	return context->line <= context->bugcheck_line + context->bugcheck_lines && context->bugcheck_lines > 0;
}

void context_begin_line(struct context *context)
{
	context->line++;
	context->on_heading_line = false;
	if (context->heading != HEADING_NONE && context->line - context->heading_last_line > FOREIGN_LINES)
		context->heading = HEADING_NONE;
	if (!are_parameters_expected(context))
		context->bugcheck_lines = 0;
}

void context_record_heading(struct context *context, enum heading heading)
{
	context->heading = heading;
	context->heading_last_line = context->line;
	context->on_heading_line = true;
	context->seen = 0;
	context->table = TABLE_NONE;
}

void context_record_table(struct context *context, enum table table)
{
	context_reset(context);
	context->table = table;
}

void context_reset(struct context *context)
{
	context->heading = HEADING_NONE;
	context->table = TABLE_NONE;
}

void context_announce_place(struct context *context, enum is_return kind)
{
	context->place_line = context->line;
	context->place_wraps = 0;
	context->place_kind = kind;
	context->place_rva = 0;
}

/* Whether the place of a crash is expected: its announcement is at most two lines before the current one, not counting
   lines that may be the rest of a wrapped line. */
static bool is_place_expected(const struct context *context)
{
	return context->place_line > 0 && context->line <= context->place_line + 2 + context->place_wraps;
}

bool context_may_have_parameters(const struct context *context)
{
	return are_parameters_expected(context) && context->line > context->bugcheck_line;
}

bool context_may_have_place(const struct context *context)
{
	return is_place_expected(context) && context->line > context->place_line;
}

bool context_may_have_frames(const struct context *context)
{
	return context->line > context->heading_last_line && context->heading != HEADING_NONE &&
	       context->heading <= HEADING_FRAMES;
}

void context_keep_state(struct context *context, unsigned state, const char *name, size_t length)
{
	context->kept_length = name && length <= sizeof context->kept_name ? length : 0;
	if (context->kept_length > 0)
		memmove(context->kept_name, name, length);
	if (!state)
		return;
	context->kept = state;
	context->kept_line = context->line;
	context->kept_fields = 0;
}

bool context_has_kept_state(const struct context *context, unsigned states)
{
	/* for how many lines a state counts: about the length of the part of a report that follows it */
	enum { SIGNAL_LINES = 2, SIGNATURE_LINES = 8, ARGUMENT_LINES = 16, LINES_MAX = 60, WATSON_LINES = 1000 };
	const unsigned most = context->kept == KEPT_SIGNAL	? SIGNAL_LINES
			      : context->kept == KEPT_SIGNATURE ? SIGNATURE_LINES
			      : context->kept == KEPT_ARGUMENTS ? ARGUMENT_LINES
			      : context->kept == KEPT_WATSON	? WATSON_LINES
								: LINES_MAX;
	return (context->kept & states) && context->line - context->kept_line <= most;
}

void context_join_lines(struct context *context, uint64_t first)
{
	uint64_t *const lines[] = { &context->heading_last_line, &context->bugcheck_line, &context->place_line,
				    &context->kept_line, &context->frame_line };
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (*lines[i] == first)
			*lines[i] = context->line;
}

void context_record_wrapped_line(struct context *context, const struct context *before)
{
	if (context->place_wraps < PLACE_WRAPS_MAX)
		context->place_wraps++;
	if (before->table == TABLE_LM)
		context->table = TABLE_LM;
}

bool context_expects_rows(const struct context *context)
{
	return context->table != TABLE_NONE || context->heading != HEADING_NONE || are_parameters_expected(context) ||
	       is_place_expected(context);
}

bool context_needs_every_line(const struct context *context)
{
	return context_expects_rows(context) || (context->wraps_line > 0 && context->line <= context->wraps_line + 1);
}

/* Count an address of the current line, which belongs to the heading. */
static void count_address(struct context *context)
{
	context->heading_last_line = context->line;
	context->seen++;
}

/* Returns the kind of an address with this SPELLING after the current heading; IS_OPEN if the heading shows none. */
static enum is_return find_kind_by_heading(const struct context *context, const struct spelling *spelling)
{
	bool first = context->seen == 0;
	switch (context->heading) {
	case HEADING_NONE:
	case HEADING_PAIRS:
	case HEADING_WINDBG:
	case HEADING_WINDBG_ROWS:
	case HEADING_TRACE:
		break;
	case HEADING_EIP:
	case HEADING_ADDRESS:
		return first ? IS_EXACT : IS_OPEN;
	case HEADING_USER_FRAMES:
		return IS_RETURN;
	case HEADING_TSS:
	case HEADING_FRAMES:
		if (first && context->heading == HEADING_TSS)
			return IS_EXACT;
		/* KDBG on x64 prints the interrupted place as the first frame, and return addresses as the others. */
		if (spelling->has_pointer)
			return first ? IS_EXACT : IS_RETURN;
		/* KDBG on i386 has subtracted 5 from each address that it could print as "<module:rva>", so such an
		   address is exact.  From addresses with the other spellings, nothing was subtracted. */
		return spelling->bare || spelling->space || spelling->loaded || context->on_heading_line ? IS_RETURN
													 : IS_EXACT;
	}
	return IS_OPEN;
}

enum is_return context_count_token(struct context *context, const struct spelling *spelling)
{
	const enum is_return kind = find_kind_by_heading(context, spelling);
	if (context->heading != HEADING_NONE)
		count_address(context);
	if (spelling->exact || (spelling->row && spelling->colon))
		return IS_EXACT;
	if (spelling->space && (spelling->padded || spelling->path))
		return IS_RETURN;
	return kind;
}

bool context_is_corrected(const struct context *context, const struct spelling *spelling)
{
	const bool frames = context->heading == HEADING_FRAMES ||
			    (context->heading == HEADING_TSS && context->seen > 1);
	return frames && !spelling->exact && !spelling->has_pointer;
}

enum is_return context_count_call_site(struct context *context, bool numbered, uint64_t row)
{
	const bool trap = context->windbg_trap;
	if (context->heading != HEADING_WINDBG && context->heading != HEADING_WINDBG_ROWS)
		context_record_heading(context, HEADING_WINDBG_ROWS);
	const bool known = numbered || context->heading == HEADING_WINDBG,
		   first = numbered ? row == 0 : context->seen == 0;
	count_address(context);
	context->windbg_trap = false; /* match_form.c sets it after this, if the row is a trap handler's */
	if (known && first)
		return IS_EXACT;
	return known && !trap ? IS_RETURN : IS_OPEN;
}

enum is_return context_count_trace_row(struct context *context)
{
	if (context->heading != HEADING_TRACE)
		return IS_OPEN;
	count_address(context);
	return context->seen == 1 ? IS_EXACT : IS_RETURN;
}

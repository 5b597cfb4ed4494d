// SPDX-License-Identifier: GPL-2.0-or-later
/* context.c - keep the heading, and apply the rules that context.h lists */
#include "config.h"
#include "log/context.h"

/* A heading is forgotten after so many lines in a row that do not belong to it. */
enum { FOREIGN_LINES = 12 };

void context_line(struct context *context)
{
	context->line++;
	context->on_heading_line = false;
	if (context->heading != HEADING_NONE && context->line - context->heading_line > FOREIGN_LINES)
		context->heading = HEADING_NONE;
}

void context_heading(struct context *context, enum heading heading)
{
	context->heading = heading;
	context->heading_line = context->line;
	context->on_heading_line = true;
	context->seen = 0;
	context->table = TABLE_NONE;
}

void context_frames(struct context *context)
{
	enum heading before = context->heading;
	context_heading(context, before == HEADING_EIP ? HEADING_KDBG_FRAMES
			      : before == HEADING_ADDRESS ? HEADING_USER_FRAMES : HEADING_FRAMES);
}

void context_table(struct context *context, enum table table)
{
	context_reset(context);
	context->table = table;
	context->rows = 0;
}

void context_reset(struct context *context)
{
	context->heading = HEADING_NONE;
	context->table = TABLE_NONE;
}

bool context_every_line_counts(const struct context *context)
{
	return context->table != TABLE_NONE || context->heading == HEADING_FRAMES || context->heading == HEADING_PAIRS ||
	       context->heading == HEADING_WINDBG_STACK || context->stop_parameter > 0;
}

/* Count an address on the current line as one that belongs to the heading. */
static void count_address(struct context *context)
{
	context->heading_line = context->line;
	context->seen++;
}

/* Whether the heading makes a token of this SPELLING a return address. */
static bool by_heading(const struct context *context, const struct spelling *spelling)
{
	switch (context->heading) {
	case HEADING_NONE:
	case HEADING_EIP:
	case HEADING_ADDRESS:
	case HEADING_PAIRS:
	case HEADING_WINDBG_STACK:
		return false;
	case HEADING_USER_FRAMES:
		return true;
	case HEADING_KDBG_FRAMES:
		return spelling->bare || spelling->space || context->on_heading_line;
	case HEADING_FRAMES:
		return spelling->bare || spelling->space || spelling->path_follows || context->on_heading_line;
	case HEADING_ROSDUMP:
		return spelling->bare;
	}
	return false;
}

bool context_is_return(struct context *context, const struct spelling *spelling)
{
	/* KDBG on x64: the first frame is the place where the processor stopped.  The heading may be missing from an excerpt. */
	if (spelling->stack_pointer) {
		if (context->heading != HEADING_FRAMES && context->heading != HEADING_KDBG_FRAMES)
			context_heading(context, HEADING_FRAMES);
		bool is_caller = context->seen > 0;
		count_address(context);
		return is_caller;
	}
	/* KeRosDumpStackFrames, which prints no heading. */
	if (spelling->space && (spelling->padded || spelling->path)) {
		if (context->heading == HEADING_NONE)
			context_heading(context, HEADING_ROSDUMP);
		count_address(context);
		return true;
	}
	bool is_return = by_heading(context, spelling);
	if (context->heading != HEADING_NONE)
		count_address(context);
	return is_return;
}

bool context_is_caller(struct context *context)
{
	return context->rows++ > 0;
}

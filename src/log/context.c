// SPDX-License-Identifier: GPL-2.0-or-later
/* context.c - keep the heading, and apply the rules that context.h lists */
#include "config.h"
#include "log/context.h"

/* A heading is forgotten after so many lines in a row that do not belong to it. */
enum { FOREIGN_LINES = 12 };

void context_line(struct context *context)
{
	context->line++;
	context->on_header_line = false;
	if (context->header != HEADER_NONE && context->line - context->header_line > FOREIGN_LINES)
		context->header = HEADER_NONE;
}

void context_header(struct context *context, enum header header)
{
	context->header = header;
	context->header_line = context->line;
	context->on_header_line = true;
	context->seen = 0;
	context->table = TABLE_NONE;
}

void context_frames(struct context *context)
{
	enum header before = context->header;
	context_header(context, before == HEADER_EIP ? HEADER_KDBG_FRAMES
			      : before == HEADER_ADDRESS ? HEADER_USER_FRAMES : HEADER_FRAMES);
}

void context_table(struct context *context, enum table table)
{
	context_reset(context);
	context->table = table;
	context->rows = 0;
}

void context_reset(struct context *context)
{
	context->header = HEADER_NONE;
	context->table = TABLE_NONE;
}

bool context_every_line_counts(const struct context *context)
{
	return context->table != TABLE_NONE || context->header == HEADER_FRAMES || context->header == HEADER_PAIRS ||
	       context->header == HEADER_WINDBG_STACK || context->stop_parameter > 0;
}

/* Count an address on the current line as one that belongs to the heading. */
static void count_address(struct context *context)
{
	context->header_line = context->line;
	context->seen++;
}

/* Whether the heading makes a token of this SPELLING a return address. */
static bool by_header(const struct context *context, const struct spelling *spelling)
{
	switch (context->header) {
	case HEADER_NONE:
	case HEADER_EIP:
	case HEADER_ADDRESS:
	case HEADER_PAIRS:
	case HEADER_WINDBG_STACK:
		return false;
	case HEADER_USER_FRAMES:
		return true;
	case HEADER_KDBG_FRAMES:
		return spelling->bare || spelling->space || context->on_header_line;
	case HEADER_FRAMES:
		return spelling->bare || spelling->space || spelling->path_follows || context->on_header_line;
	case HEADER_ROSDUMP:
		return spelling->bare;
	}
	return false;
}

bool context_is_return(struct context *context, const struct spelling *spelling)
{
	/* KDBG on x64: the first frame is the place where the processor stopped.  The heading may be missing from an excerpt. */
	if (spelling->stack_pointer) {
		if (context->header != HEADER_FRAMES && context->header != HEADER_KDBG_FRAMES)
			context_header(context, HEADER_FRAMES);
		bool is_caller = context->seen > 0;
		count_address(context);
		return is_caller;
	}
	/* KeRosDumpStackFrames, which prints no heading. */
	if (spelling->space && (spelling->padded || spelling->path)) {
		if (context->header == HEADER_NONE)
			context_header(context, HEADER_ROSDUMP);
		count_address(context);
		return true;
	}
	bool is_return = by_header(context, spelling);
	if (context->header != HEADER_NONE)
		count_address(context);
	return is_return;
}

bool context_is_caller(struct context *context)
{
	return context->rows++ > 0;
}

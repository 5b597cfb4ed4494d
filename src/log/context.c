// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/context.h"

/* How many lines that do not belong to it a header survives. */
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

static void belongs(struct context *context)
{
	context->header_line = context->line;
	context->seen++;
}

static bool by_header(struct context *context, const struct spelling *spelling)
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
		return spelling->bare || spelling->space || spelling->path_behind || context->on_header_line;
	case HEADER_ROSDUMP:
		return spelling->bare;
	}
	return false;
}

bool context_is_return(struct context *context, const struct spelling *spelling)
{
	/* This printer says of each address that it is a frame, and the first of them is where it stopped. */
	if (spelling->stack_pointer) {
		if (context->header != HEADER_FRAMES && context->header != HEADER_KDBG_FRAMES)
			context_header(context, HEADER_FRAMES);
		bool caller = context->seen > 0;
		belongs(context);
		return caller;
	}
	if (spelling->space && (spelling->padded || spelling->path)) {
		if (context->header == HEADER_NONE)
			context_header(context, HEADER_ROSDUMP);
		belongs(context);
		return true;
	}
	bool is_return = by_header(context, spelling);
	if (context->header != HEADER_NONE)
		belongs(context);
	return is_return;
}

bool context_is_caller(struct context *context)
{
	return context->rows++ > 0;
}

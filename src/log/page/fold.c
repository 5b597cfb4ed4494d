// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/page/fold.h"

/* Print the buffered lines.  If at least FOLD_LEAST lines come before the last VISIBLE ones, fold those earlier
   lines. */
static void print_buffered(struct fold *fold, struct out *out, unsigned visible)
{
	const uint64_t folded = fold->lines > visible ? fold->lines - visible : 0;
	size_t at = 0;
	if (folded >= FOLD_LEAST) {
		struct strbuf number = { .bytes = NULL };
		strbuf_add_decimal(&number, folded);
		at = visible > 0 ? fold->begins[folded % (FOLD_CONTEXT + 1)] : fold->held.length;
		out_text(out, "<details class=\"lines\"><summary>");
		out_bytes(out, number.bytes, number.length);
		out_text(out, " lines</summary>");
		out_bytes(out, fold->held.bytes, at);
		out_text(out, "</details>");
		fold->held.no_memory |= number.no_memory;
		strbuf_clear(&number);
	}
	if (at < fold->held.length)
		out_bytes(out, fold->held.bytes + at, fold->held.length - at);
	fold->held.length = 0;
	fold->lines = 0;
}

void fold_begin_line(struct fold *fold, struct out *out)
{
	fold->is_shown = fold->context > 0;
	if (fold->is_shown) {
		fold->context--;
		return;
	}
	if (fold->held.length >= FOLD_BYTES)
		print_buffered(fold, out, 0);
	fold->begins[fold->lines++ % (FOLD_CONTEXT + 1)] = fold->held.length;
}

void fold_put(struct fold *fold, struct out *out, const char *bytes, size_t length)
{
	/* A very long line would make the buffer exceed 2 * FOLD_BYTES: print it without buffering. */
	if (!fold->is_shown && length > (size_t)2 * FOLD_BYTES - fold->held.length)
		fold_show(fold, out);
	if (fold->is_shown)
		out_bytes(out, bytes, length);
	else
		strbuf_add_bytes(&fold->held, bytes, length);
}

void fold_show(struct fold *fold, struct out *out)
{
	if (!fold->is_shown)
		print_buffered(fold, out, FOLD_CONTEXT + 1);
	fold->is_shown = true;
	fold->context = FOLD_CONTEXT;
}

bool fold_end(struct fold *fold, struct out *out)
{
	print_buffered(fold, out, FOLD_CONTEXT);
	fold->context = 0;
	return !fold->held.no_memory;
}

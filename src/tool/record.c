// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/record.h"
#include "tool/demangle.h"

#include <stdlib.h>

static void print_function(const struct record_style *style, struct out *out, const char *function)
{
	char *demangled = function && style->demangle ? demangle(function, style->no_recursion_limit) : NULL;
	out_text(out, demangled ? demangled : function ? function : "??");
	free(demangled);
}

bool record_print(struct record_style *style, struct out *out, uint64_t address, const struct rossym_frame *frame)
{
	if (style->addresses) {
		out_text(out, "0x");
		out_hex(out, address, style->digits);
		out_text(out, style->pretty ? ": " : "\n");
	}
	if (!frame) {
		if (style->functions)
			out_text(out, style->pretty ? "?? " : "??\n");
		out_text(out, "??:0\n");
		return true;
	}
	const char *file = frame->file ? paths_show(&style->paths, frame->file) : "??";
	if (!file)
		return false;
	if (style->functions) {
		print_function(style, out, frame->function);
		out_text(out, style->pretty ? " at " : "\n");
	}
	out_text(out, file);
	out_char(out, ':');
	if (frame->line)
		out_decimal(out, frame->line);
	else
		out_char(out, '?');
	out_char(out, '\n');
	return true;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log2lines.h - the command line of ReactOS's log2lines, for those who are used to it */
#ifndef LOG2LINES_H
#define LOG2LINES_H

#include "log/resolve.h"
#include "log/settings.h"
#include "tool/out.h"

#include <stdbool.h>

struct log2lines {
	/* What options are read into. */
	struct settings *settings;
	struct resolver *resolver;
	struct out *out;

	bool print_index;	/* -F: print the index and end */
	int operands;		/* index of the first operand */
	char *directory;	/* the default one; the caller frees it */
};

/* Read the options.  The status to exit with at once, or -1 to go on. */
int log2lines_parse(struct log2lines *log2lines, int argc, char **argv);

/* "N[+M][,DIR]", of -S; DIR only if ROOT is not NULL.  False if it is not that. */
bool log2lines_source(struct settings *settings, char *text, const char **root);

#endif

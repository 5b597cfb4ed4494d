/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log2lines.h - the command line that rossym-log has when it is called log2lines: that of ReactOS's tool */
#ifndef LOG2LINES_H
#define LOG2LINES_H

#include "log/resolve.h"
#include "log/read/settings.h"
#include "tool/out.h"

#include <stdbool.h>

struct log2lines {
	/* The options are stored in these three. */
	struct settings *settings;
	struct resolver *resolver;
	struct out *out;

	bool print_index; /* -F: print the index of modules and exit */
	int operands;	  /* index of the first operand */
	char *directory;  /* the default of -d, or NULL; the caller frees it */
};

/* Read the options.  Returns -1 to go on, else the exit status. */
int log2lines_parse(struct log2lines *log2lines, int argc, char **argv);

/* Read "N[+M][,DIR]", the argument of -S.  If ROOT is NULL, ",DIR" is not allowed.  False if TEXT has another form. */
bool log2lines_source(struct settings *settings, char *text, const char **root);

#endif

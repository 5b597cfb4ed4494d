/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settings.h - what the command line asked for */
#ifndef LOG_SETTINGS_H
#define LOG_SETTINGS_H

#include "tool/paths.h"

#include <stdbool.h>

enum assume { ASSUME_NOTHING, ASSUME_EXACT, ASSUME_RETURN };

struct settings {
	bool raw;		/* pass everything on as it is */
	bool json;
	bool undo;		/* remove annotations ... */
	bool redo;		/* ... and make them anew */
	bool mark_answered;	/* "* " before lines with an annotation, */
	bool mark_unanswered;	/* "? " before those with none that want one */
	bool color;
	bool demangle;
	bool inlines;		/* show the callers of inlined functions */
	bool both;		/* show what address and address - 1 say, where they differ */
	bool console;		/* obey commands typed at KDBG's prompt */
	bool statistics;
	bool verbose;
	enum assume assume;
	bool source;		/* lines of source after each line with an annotation */
	unsigned source_before, source_after;
	const char *source_root;
	struct paths paths;
};

#endif

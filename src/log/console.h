/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * console.h - the commands of log2lines -c
 *
 * The user types them at the kernel debugger's prompt, after a grave accent: "kdb:> `m".  They are read as a part of
 * the log, and a log is untrusted.  So commands of ReactOS's log2lines that open, write or run something are refused.
 */
#ifndef LOG_CONSOLE_H
#define LOG_CONSOLE_H

#include "tool/encoding.h"
#include "log/resolve/resolve.h"
#include "log/scan/settings.h"

#include <stddef.h>

/* What commands may change, and where they print replies: to `out`, in the encoding of the log. */
struct console {
	struct settings *settings;
	struct resolver *resolver;
	struct encoding *encoding;
	struct out *out;
};

/* If LINE has a command, execute it, and print a reply.  A NUL must follow the LENGTH bytes of LINE. */
void console_execute_line(const struct console *console, const char *line, size_t length);

#endif

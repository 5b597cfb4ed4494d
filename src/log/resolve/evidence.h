/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence.h - the return addresses of a log, which may show of which build it is (find/fit.h)
 *
 * The log must be a file: it is read from its beginning on, up to the addresses that suffice, and read again later.  Of
 * absolute addresses those count that are in a module of which the log has told base and length before.
 */
#ifndef LOG_RESOLVE_EVIDENCE_H
#define LOG_RESOLVE_EVIDENCE_H

#include "log/find/fit.h"
#include "log/read/scanner.h"

/* How much of a log is read to find addresses. */
enum { EVIDENCE_REACH = 64 * 1024 * 1024 };

/* A log that has not been searched yet. */
struct evidence_log {
	int fd;
	const char *name; /* NULL: standard input */
	off_t begin;
	bool is_file;
};

struct evidence {
	struct fit_frames frames;
	bool has_build; /* the log names its build, or a DateStamp: then nothing need be found out */
	bool no_memory;
};

/* Note where a log begins that is read from FD; -1: it is no file. */
void evidence_begin(struct evidence_log *log, int fd, const char *name);

/* Read LOG, a file.  ANYWAY: go on when it names its build.  False after an error of reading, with errno. */
bool evidence_read(struct evidence *evidence, const struct evidence_log *log, const struct settings *settings,
		   bool anyway);

#endif

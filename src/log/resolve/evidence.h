/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evidence.h - collects the return addresses of a log, from which fit.h finds the build of the log
 *
 * The log must be a regular file: it is read here until there are enough addresses, and later again for the answers.
 * An absolute address counts only if the log has given base and length of its module before.
 */
#ifndef LOG_RESOLVE_EVIDENCE_H
#define LOG_RESOLVE_EVIDENCE_H

#include "log/find/fit.h"
#include "log/scan/scanner.h"

/* How many bytes of a log are searched for addresses, at most. */
enum { EVIDENCE_REACH = 64 * 1024 * 1024 };

/* A log that can be searched for return addresses. */
struct evidence_log {
	int fd;
	const char *name; /* NULL: standard input */
	off_t begin;	  /* the offset at which the log begins in FD */
	bool is_file;	  /* FD is a regular file */
};

struct evidence {
	struct fit_frames frames;
	bool has_build; /* the log names its build or a DateStamp, so its build need not be found from addresses */
	bool no_memory;
};

/* Set *LOG to the log that begins at the current offset of FD.  FD is -1 if the log has no descriptor. */
void evidence_begin(struct evidence_log *log, int fd, const char *name);

/* Collect the return addresses of LOG, a regular file.  Reading stops where the log names its build or a DateStamp,
   unless PAST_BUILD is set.  Sets EVIDENCE->no_memory if there is no memory.  False: a read error, in errno. */
bool evidence_read(struct evidence *evidence, const struct evidence_log *log, const struct settings *settings,
		   bool past_build);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scout.h - find load addresses that a log tells only after an address that needs them
 *
 *     Entered debugger on embedded INT3 at 0x0008:0x809935F2.
 *     kdb:> mod
 *       Base      Size      Name
 *       80800000  00200000  ntoskrnl.exe
 *
 * If the log is a file, a *scout* reads ahead of the scanner when an address is in no module that is known yet.  It
 * reads no byte twice and holds no text back; it only keeps the load addresses that it meets, with their positions.
 *
 * A load address holds for an address before it only if the scanner would not have forgotten it on the way back:
 * neither a boot may come between, nor, in a process, the beginning of another dump.  These are *borders*.
 */
#ifndef LOG_RESOLVE_SCOUT_H
#define LOG_RESOLVE_SCOUT_H

#include "log/find/modules.h"
#include "log/read/scanner.h"

enum {
	/* the load address of a module counts up to so many bytes after an address in it */
	SCOUT_REACH = 64 * 1024 * 1024,
	/* load addresses that are kept, each for processes and the kernel; then it waits */
	SCOUT_MOST = 2048,
};

/* A load address that the scout has met.  Positions are bytes from the beginning of the log. */
struct sighting {
	uint64_t border;   /* the position of the last border before it */
	uint64_t position; /* of its end */
	struct fact fact;  /* its `module` is a copy */
	/* the module has no address that is this far above its base, or farther */
	uint64_t reach;
};

/* Sightings, by border and base.  Between two borders, modules do not overlap: the first one at a place is kept. */
struct sightings {
	struct sighting *list;
	size_t count, room;
	uint64_t border;       /* the last border that the scanner has passed */
	uint64_t border_ahead; /* the last one that the scout has met */
};

struct scout {
	const struct scanner *scanner; /* of the log; NULL: the log is no file, so nothing can be read ahead */
	int fd;
	struct scanner ahead; /* its buffer is NULL until an address needs it */
	struct sightings kernel, user;
	bool ended; /* the file had no more */
	bool no_memory;
};

/* Begin another log, which SCANNER reads from FD. */
void scout_start(struct scout *scout, const struct scanner *scanner, int fd);

void scout_clear(struct scout *scout);

/* The scanner has found FACT, which may be a border. */
void scout_pass(struct scout *scout, const struct fact *fact);

/* Find the module that is loaded at ADDRESS, which the scanner has found at the current place, by what the log says
   later.  Returns it, and stores its base in *BASE; or NULL. */
const struct rossym_module *scout_find(struct scout *scout, struct modules *modules, uint64_t address, uint64_t *base);

#endif

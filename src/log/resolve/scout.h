/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scout.h - finds the load addresses that a log gives only after an address that needs them
 *
 *     Entered debugger on embedded INT3 at 0x0008:0x809935F2.
 *     kdb:> mod
 *       Base      Size      Name
 *       80800000  00200000  ntoskrnl.exe
 *
 * If the log is a file, and an address is in no module that is known yet, a *scout* looks for such load addresses in
 * the events (events.h) of later lines, which another scanner reads ahead.
 *
 * A load address is valid for an address before it only if no *border* is between them.  A boot of the system is one;
 * for modules of a process, so is the start of another process's dump.  A module from 2 to 4 GiB is the kernel's,
 * unless its load address is in a form that only programs of user mode print (fact.user).
 */
#ifndef LOG_RESOLVE_SCOUT_H
#define LOG_RESOLVE_SCOUT_H

#include "log/find/modules.h"
#include "log/scan/scanner.h"

enum {
	/* a load address is used only for addresses at most this many bytes of the log before it */
	SCOUT_REACH = 64 * 1024 * 1024,
	/* the most load addresses in each of the two lists, for processes and for the kernel; then reading ends */
	SCOUT_MAX = 2048,
};

/* A load address that the scout has found.  Positions are bytes from the beginning of the log. */
struct sighting {
	uint64_t position; /* where the first text with the load address ends */
	uint64_t last;	   /* where the last text with it ends; equal to `position` if there is only one */
	struct fact fact;  /* the load address; fact.module is a copy */
	/* The module ends at most so many bytes after its base: its length, that of its image, or 4 GiB if neither is
	   known yet; 0: do not use this sighting. */
	uint64_t reach;
};

/* The sightings from the scanner's line up to the next border, sorted by base, then by position.  Their modules do not
   overlap, as far as the log has their sizes: a load address whose module would overlap an earlier one is ignored,
   unless both have the same base. */
struct sightings {
	struct sighting *list;
	size_t count, room;
	uint64_t border; /* the last border's position; load addresses before it are not used */
	size_t line;	 /* the index of the next line of events.lines whose facts are to be stored */
	uint64_t until;	 /* where in the log the line at `line` begins; 0: begin again at the scanner's line */
	bool ended;	 /* the line at index `line` has the next border */
};

struct scout {
	const struct scanner *scanner; /* the log's scanner; NULL: the log is no file, so nothing can be read ahead */
	struct sightings kernel, user;
	bool no_memory;
};

/* Begin another log, which SCANNER reads; NULL: nothing can be read ahead. */
void scout_begin_log(struct scout *scout, const struct scanner *scanner);

void scout_clear(struct scout *scout);

/* If FACT, which the scanner has just found, is a border, use only load addresses after it from now on. */
void scout_record_border(struct scout *scout, const struct fact *fact);

/* Find the module at ADDRESS, which the scanner has found at its current position, by load addresses that come later in
   the log.  Returns the module, and stores its base in *BASE; NULL if there is none. */
const struct rossym_module *scout_find_module(struct scout *scout, struct modules *modules, uint64_t address,
					      uint64_t *base);

#endif

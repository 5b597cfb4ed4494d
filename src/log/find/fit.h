/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit.h - which build the return addresses of a log fit
 *
 * A log that names no build still has addresses that only one build can have: before a return address there is a call,
 * and a direct call goes to the function of the next inner frame.  In another build of a module the code is elsewhere,
 * and few of its addresses come after a call.
 *
 * The images of each place (builds.h) are compared with the addresses.  A place without a kernel is of an unknown build;
 * it counts as a build of its own.
 */
#ifndef LOG_FIND_FIT_H
#define LOG_FIND_FIT_H

#include "log/find/modules.h"

enum {
	FIT_BUILDS = 1000, /* the most places that are compared */
	FIT_FRAMES = 128,  /* the most addresses */
	FIT_NAME = 128,	   /* of a module, with the NUL; a longer name is cut */
};

/* An address in a module. */
struct fit_address {
	char module[FIT_NAME];
	uint64_t rva;
};

/* A frame of a stack. */
struct fit_frame {
	struct fit_address site;
	/* how many bytes the program may have subtracted from the return address to get SITE; 0: none */
	unsigned subtracted;
	bool has_callee; /* CALLEE is code of the function that was called here */
	struct fit_address callee;
};

struct fit_frames {
	struct fit_frame list[FIT_FRAMES];
	size_t count;
};

/* How many frames fit a place. */
struct fit_place {
	const struct built_place *place;
	unsigned fits;
};

struct build_fit {
	struct fit_place *places; /* those that were compared, from the best to the worst */
	size_t count;
	size_t left_out;  /* so many places were not compared: there are too many, or archives would cost too much */
	bool over_budget; /* ... the latter */
	unsigned frames;  /* in modules of which a place has an image */
	unsigned next;	  /* so many fit the best place that is of another build than the first one */
	bool no_memory;
};

/* Compare FRAMES with the places of MODULES.  *FIT must be given to fit_clear(). */
void fit_compare(struct build_fit *fit, struct modules *modules, const struct fit_frames *frames);
void fit_clear(struct build_fit *fit);

/* Whether only the build of the first place can be that of the log: all frames fit it, no other build fits more than half
   of them, all places were compared, and the frames are so many that this is no chance. */
bool fit_decides(const struct build_fit *fit);

/* Say how many builds were not compared, if there are any. */
void fit_say_left_out(const struct build_fit *fit);

/* Write to BUFFER how PLACE is called: "build NAME", or its path if its build has no name.  Returns BUFFER. */
const char *fit_name(const struct built_place *place, char *buffer, size_t size);

#endif

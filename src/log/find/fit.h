/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit.h - which build the return addresses of a log fit, and the list of places that --builds prints
 *
 * If a log does not name its build, its return addresses can show it.  A call ends at each return address, and a direct
 * call goes to the function of the next inner frame.  In another build of a module the code is at other addresses, so
 * calls end at few of the log's addresses.
 *
 * The addresses are compared with the images of each place (builds.h).  A place without a kernel is of an unknown
 * build, which counts as different from all others.
 */
#ifndef LOG_FIND_FIT_H
#define LOG_FIND_FIT_H

#include "log/find/modules.h"
#include "tool/out.h"

enum {
	FIT_BUILDS = 1000, /* the most places that are compared */
	FIT_FRAMES = 128,  /* the most frames that are compared */
	FIT_NAME = 128,	   /* bytes of a module's name, with the NUL; a longer name is cut */
};

/* An address in a module. */
struct fit_address {
	char module[FIT_NAME];
	uint64_t rva;
};

/* A frame of a stack. */
struct fit_frame {
	struct fit_address site; /* the return address, as the log has it */
	/* if not 0: the program that printed `site` may have subtracted so many bytes from the return address */
	unsigned subtracted;
	bool has_callee;	   /* `callee` is known */
	struct fit_address callee; /* an address in the function that the call before `site` has called */
};

struct fit_frames {
	struct fit_frame list[FIT_FRAMES];
	size_t count;
};

/* How many frames fit a place. */
struct fit_place {
	const struct image_place *place;
	unsigned fits;
};

struct build_fit {
	struct fit_place *places; /* the places that were compared, from the best to the worst; to be freed */
	size_t count;
	/* how many places were not compared: there are too many, or reading archives would cost too much */
	size_t left_out;
	bool over_budget; /* places were left out because reading archives would cost too much */
	unsigned frames;  /* how many frames are in modules of which a place has an image */
	unsigned next;	  /* how many frames fit the best place of another build than that of places[0] */
};

/* Compare FRAMES with the places of MODULES, and store the result in *FIT. */
void fit_compare(struct build_fit *fit, struct modules *modules, const struct fit_frames *frames);

/* Whether the log must be of the build of the first place: all frames fit it, no other build fits more than half of
   them, all places were compared, and there are so many frames that this is no coincidence. */
bool fit_decides(const struct build_fit *fit);

/* If places were not compared, warn, and say how many they are, and why. */
void fit_warn_left_out(const struct build_fit *fit);

/* Write to BUFFER the name of PLACE for messages: "build NAME"; if its build has no name, its path.  Returns BUFFER. */
const char *fit_place_name(const struct image_place *place, char *buffer, size_t size);

/* Write a line for each place of MODULES: path, version, build name and commit, separated by tabs, empty if unknown,
   with control characters masked.  JSON: write an object in place of each line. */
void fit_print_builds(struct out *out, struct modules *modules, bool json);

/* Write a sentence about the build that the log fits best.  Then, unless fit->frames is 0, write a line like those of
   fit_print_builds() for each place that was compared, the best first, with one more column: how many frames fit it.
   The sentence begins with LOG, the log's name, unless that is NULL.  JSON: write only an object for each place. */
void fit_print(struct out *out, const struct build_fit *fit, const char *log, bool json);

#endif

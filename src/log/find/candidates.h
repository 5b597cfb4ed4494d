/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidates.h - offers files of the index to the set (rossym-set.h), which chooses one as the image of a module
 *
 * To open a file in an archive can take seconds.  So files that the set would not choose are not offered.  If nothing
 * can decide between several ISOs, files of only two are offered.  Files of another build than the log's are offered
 * only if the log has the DateStamp of the module (the time in its PE headers), or if no place has the log's build.
 *
 * If an exception in the log shows the machine, images of firmware for other machines are not offered either.  The name
 * in the log does not show the machine: "systemd-boot" can be systemd-bootx64.efi or systemd-bootaa64.efi, and "Shell"
 * one of several files Shell.efi.  Only files whose names end in .efi or .efi.stub are left out, because a log with an
 * exception of firmware can also be about modules of an operating system.
 */
#ifndef LOG_FIND_CANDIDATES_H
#define LOG_FIND_CANDIDATES_H

#include "log/find/builds.h"
#include "rossym-set.h"

struct firmware {
	uint16_t machine; /* the processor, as PE headers number it; 0: not known */
	bool met;	  /* an image of firmware was considered, so another `machine` may change the choice */
	const struct file
		*left_out; /* the first file that was left out for the module that is being looked up; NULL: none */
};

/* Offer to CANDIDATES the files that have the WANTED name: wanted->name itself; or if wanted->suffix is not NULL, a
   name that begins with wanted->name and ends with that suffix.  Sets firmware->met and firmware->left_out.  If a build
   is wanted, builds_find_places() must have been called.  Returns 0, or -1 with *ERR. */
int candidates_offer(struct index *index, const struct builds *builds, struct firmware *firmware,
		     const struct rossym_wanted *wanted, struct rossym_candidates *candidates,
		     struct rossym_error *err);

/* Offer to CANDIDATES the files of PLACE that have the WANTED name, of any build and machine.  Returns 0 or -1. */
int candidates_offer_of_place(struct index *index, const struct image_place *place, const struct rossym_wanted *wanted,
			      struct rossym_candidates *candidates, struct rossym_error *err);

#endif

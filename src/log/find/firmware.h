/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * firmware.h - leaves out images of firmware that cannot have run on the machine that an exception in the log is from
 *
 * A log names systemd-boot or Shell, but there is a file of that name for each machine: systemd-bootx64.efi and
 * systemd-bootaa64.efi; or several files Shell.efi.  Only files whose names end in .efi or .efi.stub are left out,
 * because a log with an exception of firmware can also be about modules of an operating system.
 */
#ifndef LOG_FIND_FIRMWARE_H
#define LOG_FIND_FIRMWARE_H

#include "log/find/file-index.h"

struct firmware {
	uint16_t machine; /* as in PE headers; 0: not known */
	bool met;	  /* an image of firmware was considered, so another `machine` can lead to another choice */
	const struct file
		*left_out; /* the first file that was left out for the module that is being looked up; NULL: none */
};

/* Returns whether FILE is an image of firmware for another machine than firmware->machine, so that it is to be left
   out.  Sets firmware->met if FILE is an image of firmware, and firmware->left_out if FILE is the first that is left
   out.  If the machine is known, the first call for FILE reads the file's headers. */
bool firmware_leaves_out(struct firmware *firmware, struct index *index, struct file *file);

#endif

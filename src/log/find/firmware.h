/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * firmware.h - leaves out images of firmware that cannot have run on the machine that an exception in the log tells
 *
 * A log names systemd-boot or Shell; the files are systemd-bootx64.efi and systemd-bootaa64.efi, or Shell.efi for each
 * machine.  Only files whose names end in .efi or .efi.stub are left out: a log can have more
 * than its firmware's exception.
 */
#ifndef LOG_FIND_FIRMWARE_H
#define LOG_FIND_FIRMWARE_H

#include "log/find/file-index.h"

struct firmware {
	uint16_t machine; /* as in PE headers; 0: not known */
	bool met;	  /* an image of firmware was considered, so another machine can change a choice */
	const struct file
		*left_out; /* the first file that was left out for the module that is being looked up; NULL: none */
};

/* Returns whether FILE is an image of firmware for another machine than the log tells, so that it is to be left out.
   Stores in FIRMWARE that the file was met, and whether it is left out.  If the log tells a machine, the first call for
   FILE reads the file's headers. */
bool firmware_leaves_out(struct firmware *firmware, struct index *index, struct file *file);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * driver.h - the interface between a loader and the driver, a PE image
 *
 * The entry point of the image takes a step and a struct driver.  The loader does what an operating system does: it maps the
 * image, and it supplies memory and the bytes of the image's file.
 */
#ifndef DRIVER_H
#define DRIVER_H

#include <stdint.h>

/* Images are called, and call back, as Windows does.  On other machines Linux does the same for these functions. */
#if defined __x86_64__ && !defined _WIN32
#define WINDOWS_CALL __attribute__((ms_abi))
#else
#define WINDOWS_CALL
#endif

enum driver_step {
	DRIVER_CREATE,		/* make INFO from the image in memory */
	DRIVER_CREATE_FILE,	/* ... or from its file */
	DRIVER_ANSWER,		/* write TEXT: what INFO says about return addresses of the driver's own calls */
	DRIVER_DELETE,		/* free INFO */
};

struct driver {
	void *image;		/* as it is mapped */
	uintptr_t size;
	void *(WINDOWS_CALL *alloc)(uintptr_t size);
	void (WINDOWS_CALL *free)(void *memory);
	unsigned char (WINDOWS_CALL *read)(void *file, void *buffer, uint32_t size);
	unsigned char (WINDOWS_CALL *seek)(void *file, uintptr_t position);
	void *file;		/* for these two */
	struct _ROSSYM_INFO *info;	/* the driver's */
	char *text;
	uintptr_t room;		/* bytes of TEXT */
	uintptr_t length;	/* bytes that the driver has written */
};

/* Returns 1 if the step is done, or 0. */
typedef int (WINDOWS_CALL *driver_entry)(struct driver *driver, enum driver_step step);

/* The entry point of the image. */
int driver_main(struct driver *driver, enum driver_step step);

#endif

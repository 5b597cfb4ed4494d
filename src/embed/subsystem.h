/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subsystem.h - finds out whether an image is a kernel-mode image */
#ifndef EMBED_SUBSYSTEM_H
#define EMBED_SUBSYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the SIZE bytes at IMAGE begin with the headers of a PE image of the subsystem "native".  Such images are the
   kernel, its drivers and DLLs, and the few programs that run before the Windows subsystem starts. */
bool subsystem_is_native(const unsigned char *image, size_t size);

#endif

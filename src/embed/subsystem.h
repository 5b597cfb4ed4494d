/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subsystem.h - whether an image is for the kernel */
#ifndef EMBED_SUBSYSTEM_H
#define EMBED_SUBSYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the SIZE bytes at IMAGE are headers of a PE image of the subsystem "native": the kernel, what it loads, and
   the few programs that run before Windows's subsystem does. */
bool subsystem_is_native(const unsigned char *image, size_t size);

#endif

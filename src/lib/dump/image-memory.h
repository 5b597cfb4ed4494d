/* SPDX-License-Identifier: GPL-2.0-or-later */
/* image-memory.h - the bytes of an image as the loader puts them into memory, but not relocated */
#ifndef RS_IMAGE_MEMORY_H
#define RS_IMAGE_MEMORY_H

#include "rossym.h"

#include <stdbool.h>

/* Read SIZE bytes at RVA: of the headers, of sections, and else zeros.  False: they cannot be read. */
bool rs_image_memory_read(struct rossym_image *image, uint32_t rva, void *bytes, size_t size);

#endif

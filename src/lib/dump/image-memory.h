/* SPDX-License-Identifier: GPL-2.0-or-later */
/* image-memory.h - the bytes of an image as the loader puts them into memory, but not relocated */
#ifndef RS_IMAGE_MEMORY_H
#define RS_IMAGE_MEMORY_H

#include "rossym.h"

#include <stdbool.h>

/* Read SIZE bytes at RVA: the bytes of headers and sections, and zeros where neither has bytes.  False: reading
   failed. */
bool rs_image_memory_read(struct rossym_image *image, uint32_t rva, void *bytes, size_t size);

#endif

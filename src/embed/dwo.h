/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwo.h - the files that hold the rest of an image's debug information, after gcc -gsplit-dwarf
 *
 * The image names these files, but the image is not trusted: only the last part of a name counts, and the program looks
 * for it only in the directory of the image and in those that the user named.  A child reads the names out of the
 * image; this process opens the files, before it gives up the right to.
 */
#ifndef EMBED_DWO_H
#define EMBED_DWO_H

#include "embed/files.h"

/* Add all files that IMAGE names and that exist to DWOS.  If FILES has debug information of the image, it names them.
   Returns false after a message. */
bool dwo_read(struct files *dwos, const struct file_content *image, const struct files *files,
	      const struct places *places);

#endif

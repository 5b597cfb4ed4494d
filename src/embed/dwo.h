/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwo.h - the files that hold the rest of an image's debug information, after gcc -gsplit-dwarf
 *
 * The image has the paths of these files, but it is not trusted: only the last part of a path is used, and only in the
 * directory of the image and in those that the user named.  A child process reads the names in the image; this process
 * opens the files, before it drops the privilege to open any.
 */
#ifndef EMBED_DWO_H
#define EMBED_DWO_H

#include "embed/files.h"

/* Add to DWOS the .dwo files that exist of those that IMAGE, or its debug information in FILES, names; and the .dwp
   files of IMAGE.  Returns false after a message. */
bool dwo_read(struct files *dwos, const struct file_content *image, const struct files *files,
	      const struct places *places);

#endif

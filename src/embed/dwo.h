/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwo.h - the files that hold the rest of an image's debug information (lib/open/split-files.h)
 *
 * A child process reads the names in the image; this process opens the files, before it drops the privilege to open any.
 */
#ifndef EMBED_DWO_H
#define EMBED_DWO_H

#include "lib/open/split-files.h"
#include "tool/files/file.h"

/* Add to DWOS the .dwo files that exist of those that IMAGE, or its debug information in FILES, names; and the .dwp
   files of IMAGE.  Returns false after a message. */
bool dwo_read(struct rs_debug_files *dwos, const struct file_content *image, const struct rs_debug_files *files,
	      const struct rs_debug_places *places);

#endif

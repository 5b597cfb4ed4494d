/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * missing.h - which files would help to answer more for a module: --missing
 *
 * If there is no image of the module's build, it is that image.  If there is one, and neither it nor a file that was
 * found has debug information, it is the PDB file or debug file that the image names.
 */
#ifndef LOG_FIND_MISSING_H
#define LOG_FIND_MISSING_H

#include "log/find/file-index.h"
#include "rossym-set.h"
#include "tool/files/wanted-files.h"

/* Add to WANTED the files for MODULE, for which an image has been looked for in INDEX.  IMAGE is the one that was
   found, as the answer of the last look-up has it; or NULL. */
void missing_note(struct wanted_files *wanted, struct index *index, const struct rossym_module *module,
		  struct rossym_image *image);

#endif

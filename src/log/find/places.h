/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * places.h - the directories and archives in which modules are searched for without -e and -d
 *
 * The environment variable ROSSYM_PATH lists them.  If it names none, the current directory is the only one, but only
 * if it looks like a build directory of ReactOS or like the content of an ISO of ReactOS.  The work to find that out is
 * limited, because the current directory may be any directory.
 */
#ifndef LOG_FIND_PLACES_H
#define LOG_FIND_PLACES_H

#include "tool/files/search-path.h"

/* Add the paths of these directories and archives to PLACES, after a message that names them, if there are any.
   DEBUG_INFO: a build directory also counts if its images have debug information in place of tables.  Returns false
   after a message if there is no memory. */
bool places_add(struct search_path *places, bool debug_info);

#endif

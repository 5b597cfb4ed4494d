/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * places.h - where modules are looked for when the command line does not say it
 *
 * The places in the environment variable ROSSYM_PATH; without it the current directory, but only if it looks like the
 * build directory of ReactOS or like the content of one of its ISOs.  The current directory may be anything: what it
 * takes to find this out has a limit.
 */
#ifndef LOG_FIND_PLACES_H
#define LOG_FIND_PLACES_H

#include <stdbool.h>

/* Call TAKE with CONTEXT and the path of each place: a directory or an archive.  Print first on standard error which
   places they are; without any, nothing is printed.  DEBUG_INFO: a build directory may have debug information in place
   of tables.  False: no memory. */
bool places_for_each(bool debug_info, void (*take)(void *context, const char *path), void *context);

#endif

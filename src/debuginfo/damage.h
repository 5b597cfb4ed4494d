/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * damage.h - warns of debug information that is there but cannot be found, because of damage
 *
 * A reader looks for a section by its name, and does nothing if there is none.  So damaged headers would look as if
 * there were no debug information.
 */
#ifndef DEBUGINFO_DAMAGE_H
#define DEBUGINFO_DAMAGE_H

#include "debuginfo/base/reading.h"

/* Warn of sections and symbols that cannot be found: names of sections that are cut or lost, bytes that are not in the
   file.  Counts them in counts.unreadable and counts.damaged. */
void rs_damage_warn(struct reading *reading);

/* Call this if no reader has found anything.  Warns if the part of the image that refers to symbol files is damaged.
   Returns 0; or -1 after storing an error. */
int rs_damage_warn_references(struct reading *reading);

#endif

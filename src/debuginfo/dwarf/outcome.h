/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outcome.h - what became of a unit */
#ifndef DEBUGINFO_DWARF_OUTCOME_H
#define DEBUGINFO_DWARF_OUTCOME_H

enum outcome {
	UNIT_OK = 0,
	UNIT_REJECTED = 1, /* the unit's fault tells the reason */
	UNIT_FATAL = -1,   /* the reading's error is set */
};

#endif

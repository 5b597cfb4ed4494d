/* SPDX-License-Identifier: GPL-2.0-or-later */
/* outcome.h - the result of reading a unit, or a part of it */
#ifndef DEBUGINFO_DWARF_OUTCOME_H
#define DEBUGINFO_DWARF_OUTCOME_H

enum outcome {
	UNIT_OK = 0,
	UNIT_REJECTED = 1, /* it cannot be used; unit->fault has the reason */
	UNIT_FATAL = -1,   /* the reading must end; reading->err has the error */
};

#endif

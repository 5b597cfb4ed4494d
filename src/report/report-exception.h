/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-exception.h - the parameters of an exception in a report */
#ifndef REPORT_EXCEPTION_H
#define REPORT_EXCEPTION_H

#include "report/report-state.h"

/* Append which memory was accessed and how, if the parameters of exception CODE tell that; else append the COUNT
   PARAMETERS as they are. */
void report_parameters(struct report_state *r, uint32_t code, const uint64_t *parameters, uint32_t count);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-exception.h - what an exception in a report was about */
#ifndef REPORT_EXCEPTION_H
#define REPORT_EXCEPTION_H

#include "report/report-state.h"

/* Append what was done to which memory, or the COUNT PARAMETERS of exception CODE. */
void report_parameters(struct report_state *r, uint32_t code, const uint64_t *parameters, uint32_t count);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* report-exception.h - what an exception in a report was about */
#ifndef DUMP_REPORT_EXCEPTION_H
#define DUMP_REPORT_EXCEPTION_H

#include "dump/report-state.h"

/* Append what was done to which memory, or the COUNT PARAMETERS of exception CODE. */
void report_parameters(struct report_state *r, uint32_t code, const uint64_t *parameters, uint32_t count);

#endif

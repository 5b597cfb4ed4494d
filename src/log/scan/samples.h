/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * samples.h - checks the samples of forms:  sample "TEXT" "FOUND"
 *
 * FOUND lists what is found in TEXT: "@8094136a" and "a.sys+1e80" for addresses, with "-" behind a return address, "?" behind an
 * open one, and "/a.sys" if the line names the module of an address; "{a.sys@80400000,1000,5db90293}" for a module, its base, size
 * and DateStamp; "{boot}", "{build}", "{dump}", "{machine}"; "crash:exception,c0000005:Page Fault" for what a line says about a
 * crash, after what else is found in the line.
 */
#ifndef LOG_SCAN_SAMPLES_H
#define LOG_SCAN_SAMPLES_H

#include "log/read/form.h"

/* Check each sample in TEXT, whose forms have been added first, and that each of these forms has one. */
bool samples_check(const char *text, size_t length, struct form_error *error);

#endif

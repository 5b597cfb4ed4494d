/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comes before every source of "make coverage".  Counts are written by exit(), which a child that ends with _exit()
 * does not call; and no fault that a test asked for (tests/tools/faults-preload.c) is meant for the writing.
 */
#ifndef COVERAGE_H
#define COVERAGE_H

_Noreturn void _exit(int status);
int unsetenv(const char *name);
void __gcov_dump(void);

_Noreturn static inline void coverage_exit(int status)
{
	unsetenv("FAULT");
	__gcov_dump();
	_exit(status);
}
#define _exit coverage_exit

#endif

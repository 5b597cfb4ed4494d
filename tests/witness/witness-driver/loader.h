/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loader.h - runs the driver, on any system
 *
 * linux.c and windows.c map the image, each in its system's way; loader.c does the rest.
 */
#ifndef LOADER_H
#define LOADER_H

#include <stddef.h>
#include <stdint.h>

/* Writes TEXT to standard output. */
void system_write(const char *text, size_t length);

/* Overwrites SIZE bytes at MEMORY, which begins a page, and forbids to read or write their pages.  Returns 0 or -1. */
int system_take_away(void *memory, size_t size);

/* Prints "loader: TEXT" and returns 1, for the exit status. */
int loader_failed(const char *text);

/* Whether two texts are equal. */
int loader_same(const char *a, const char *b);

uint16_t loader_get2(const void *from);
uint32_t loader_get4(const void *from);

/* The PE header in FILE, the address that its image would like to be loaded at, and how many bytes it then has. */
const unsigned char *loader_header(const unsigned char *file);
uint64_t loader_preferred(const unsigned char *file);
uint32_t loader_size(const unsigned char *file);

/*
 * Go through all steps with the mapped IMAGE: create; take away the headers and what can be discarded, the table; answer; delete.
 * If FROM_FILE is not 0, that is taken away before all else, and the driver reads FILE, which has SIZE bytes.
 * Prints how many blocks of memory were in use, and the driver's text.  Returns the exit status.
 */
int loader_run(unsigned char *image, const unsigned char *file, size_t size, int from_file);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * out.h - standard output, a large write at a time
 *
 * What is put in comes out when the buffer is full or out_flush() is called, never by itself: the program decides
 * when somebody may be waiting for it.  The first write error is kept, and everything after it is dropped.
 */
#ifndef TOOL_OUT_H
#define TOOL_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OUT_SIZE = 65536 };

struct out {
	int error;		/* the errno of the first failed write, or 0 */
	int copy;		/* a file that gets the same, or 0 */
	int copy_error;		/* as error, of the copy */
	size_t used;
	char buffer[OUT_SIZE];
};

void out_bytes(struct out *out, const void *bytes, size_t length);
void out_text(struct out *out, const char *text);
void out_char(struct out *out, char c);
void out_decimal(struct out *out, uint64_t number);
void out_hex(struct out *out, uint64_t number, int digits);	/* lower case, the lowest DIGITS digits */
void out_flush(struct out *out);

#endif

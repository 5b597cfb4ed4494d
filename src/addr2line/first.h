/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * first.h - what an image without a table is asked first
 *
 * Tables for a few addresses are made much faster than for all.  So the addresses of the command line are asked
 * together.  For addresses of standard input, which are not known yet, a probe tells whether there is any answer.  If many of
 * them wait, the first table is for all addresses.
 */
#ifndef ADDR2LINE_FIRST_H
#define ADDR2LINE_FIRST_H

#include "addr2line/command.h"

/* The `first` of struct supply.  CONTEXT is the struct addr2line_command. */
int first_look_up(void *context, struct rossym_image *image, struct rossym_error *err);

#endif

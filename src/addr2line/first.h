/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * first.h - the first look-up in an image without a table, for which rossym-embed makes the first table
 *
 * A table for a few addresses is made much faster than one for all.  So the first table is for the addresses of the
 * command line.  If there are none, or none in a section, it is for the first address of the code, to find out whether
 * the image has debug information at all; --missing asks no more than this.  If much of standard input has arrived already, or if another job than
 * printing records is to be done, the first table is for all addresses.
 */
#ifndef ADDR2LINE_FIRST_H
#define ADDR2LINE_FIRST_H

#include "addr2line/command.h"

/* The `first` function of struct table_supply.  CONTEXT is the struct addr2line_command. */
int first_look_up(void *context, struct rossym_image *image, struct rossym_error *err);

#endif

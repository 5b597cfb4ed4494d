/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * named-images.h - answers for the images that the input names, as llvm-symbolizer does without --obj
 *
 * This process reads no image.  For each one that a line names it starts this program again, with -e IMAGE and the other
 * options, sends it the lines without their image, and copies its answers.  So each image is read in a process of its
 * own, with the sandbox and the limits of an image that -e names, and cannot reach the answers for another one.
 */
#ifndef ADDR2LINE_NAMED_IMAGES_H
#define ADDR2LINE_NAMED_IMAGES_H

#include "addr2line/command.h"

/* Whether COMMAND takes lines that name their image. */
bool named_images_are_wanted(const struct addr2line_command *command);

/* Answer all operands, or all lines of standard input.  A line that names no image is about COMMAND->path.  Returns the
   exit status: 1 if an image could not be read. */
int named_images_run(struct addr2line_command *command);

#endif

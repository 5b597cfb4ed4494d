/* SPDX-License-Identifier: GPL-2.0-or-later */
/* image-serve.h - a child that reads the debug information of an image, and makes tables of it */
#ifndef LOG_FIND_IMAGE_SERVE_H
#define LOG_FIND_IMAGE_SERVE_H

#include <stddef.h>

/* What the child does, for forkserver_start(): drop all privileges, then answer requests about the image until the
   program closes the pipe.  FILES are the COUNT open files of struct image_file. */
void image_serve(const int *files, size_t count, int reading, int writing);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* archive-serve.h - the child that reads an archive */
#ifndef LOG_ARCHIVE_ARCHIVE_SERVE_H
#define LOG_ARCHIVE_ARCHIVE_SERVE_H

/* Give up all rights, and answer the requests that come from READING about the archive in FILE (archive-message.h),
   until there are no more.  For forkserver_start(). */
void archive_serve(int file, int reading, int writing);

#endif

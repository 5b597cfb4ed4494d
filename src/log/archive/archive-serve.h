/* SPDX-License-Identifier: GPL-2.0-or-later */
/* archive-serve.h - the child that reads an archive */
#ifndef LOG_ARCHIVE_ARCHIVE_SERVE_H
#define LOG_ARCHIVE_ARCHIVE_SERVE_H

/* What the child does, for forkserver_start(): drop all privileges, then answer requests about the archive in FILE
   (archive-message.h), from the pipe READING to the pipe WRITING.  It exits when the program closes either pipe. */
void archive_serve(int file, int reading, int writing);

#endif

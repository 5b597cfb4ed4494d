/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * response.h - response files: arguments "@file", by the rules of the GNU tools
 *
 * Each argument "@file" is replaced by the words of that file.  White space separates words, unless it is in quotes or
 * after a backslash.  Quotes and backslashes mean what they mean in a shell, as in GNU's tools since Binutils 2.44.  In
 * older GNU tools, a backslash was an escape in all quotes, and before the end of a line.  If a file cannot be
 * read, the argument stays as it is.
 */
#ifndef TOOL_COMMAND_RESPONSE_H
#define TOOL_COMMAND_RESPONSE_H

/* If there is an argument "@file", replace *ARGC and *ARGV by an expanded copy, which is never freed.  Returns an exit
   status: 0; or 1, after a message, if one of the files is a directory, if there are 2000 files or more than 64 MiB in
   them, perhaps because a file names itself, or if there is no memory. */
int response_expand_arguments(int *argc, char ***argv);

#endif

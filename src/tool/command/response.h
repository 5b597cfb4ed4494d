/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * response.h - response files: arguments "@file", by the rules of the GNU tools
 *
 * Each argument "@file" is replaced by the words of that file.  White space separates words, unless it is in quotes or
 * after a backslash.  Quotes and backslashes mean what they mean in a shell, as in GNU's tools since Binutils 2.44: until
 * then a backslash was an escape in all quotes, and before the end of a line.  If a file cannot be read, the argument
 * stays as it is.
 */
#ifndef TOOL_COMMAND_RESPONSE_H
#define TOOL_COMMAND_RESPONSE_H

enum response_status {
	RESPONSE_OK,
	RESPONSE_DIRECTORY, /* one of the files is a directory */
	RESPONSE_TOO_MANY,  /* 2000 files, or more than 64 MiB; perhaps a file names itself */
	RESPONSE_NO_MEMORY,
};

struct response; /* owns the words of the files */

/* If there is an argument "@file", replace *ARGC and *ARGV by an expanded copy, which is valid until
   response_free(*RET).  If there is none, set *RET to NULL. */
enum response_status response_expand(int *argc, char ***argv, struct response **ret);

/* As response_expand(), but prints a message after an error.  Returns an exit status: 0; or 1 after an error. */
int response_arguments(int *argc, char ***argv, struct response **ret);

void response_free(struct response *response);

#endif

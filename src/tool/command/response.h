/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * response.h - "@file" arguments, by the rules of the GNU tools
 *
 * Each argument "@file" is replaced by the words of that file.  Words are separated by white space, which quotes and
 * backslashes protect.  If a file cannot be read, the argument stays as it is.
 */
#ifndef TOOL_COMMAND_RESPONSE_H
#define TOOL_COMMAND_RESPONSE_H

enum response_status {
	RESPONSE_OK,
	RESPONSE_DIRECTORY, /* one of the files is a directory */
	RESPONSE_TOO_MANY,  /* there are 2000 files or 64 MiB of them; perhaps a file names itself */
	RESPONSE_NO_MEMORY,
};

struct response; /* owns the words of the files */

/* If there is an "@file", replace *ARGC and *ARGV by an expanded copy, which is valid until response_free(*RET).  Else
   *RET is NULL. */
enum response_status response_expand(int *argc, char ***argv, struct response **ret);
/* As response_expand(), with messages.  Returns an exit status: 0, or 1 after a message. */
int response_arguments(int *argc, char ***argv, struct response **ret);

void response_free(struct response *response);

#endif

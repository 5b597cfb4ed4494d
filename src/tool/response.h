/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * response.h - "@file" arguments, by the rules of the GNU tools
 *
 * An argument "@file" is replaced by the words of that file, wherever it stands.  Words are separated by white space;
 * quotes and backslashes protect it.  A file that cannot be read stays as it is written.
 */
#ifndef TOOL_RESPONSE_H
#define TOOL_RESPONSE_H

enum response_status {
	RESPONSE_OK,
	RESPONSE_DIRECTORY,	/* one of the files is a directory */
	RESPONSE_TOO_MANY,	/* a file names itself, or there are 2000 of them, or 64 MiB */
	RESPONSE_NO_MEMORY
};

struct response;	/* the words, which belong to it */

/* Replace *ARGC and *ARGV by an expanded copy, if there is anything to expand; then *RET wants response_free(). */
enum response_status response_expand(int *argc, char ***argv, struct response **ret);
/* The same for a program's arguments: 0, or 1, its exit status, after saying what is wrong. */
int response_arguments(int *argc, char ***argv, struct response **ret);

void response_free(struct response *response);

#endif

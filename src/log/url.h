/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * url.h - the URL of a place in the source: the template of --source-url, filled in
 *
 *	%f	the file, as annotations name it
 *	%l	the line
 *	%c	the commit of the log's build; of an answer from another build, that of the image
 *	%%	a percent sign
 *
 * Names come from images, and a click must not lead elsewhere than the template says.  So they are percent-encoded,
 * they cannot be or change the host, and ".." does not lead out of the directory that the template names.
 */
#ifndef LOG_URL_H
#define LOG_URL_H

#include "tool/strbuf.h"

/* Browsers and editors.  What such a URL opens is shown and not run. */
#define URL_SCHEMES \
	"http https file atom clion cursor emacs idea jetbrains mvim subl txmt vscode vscode-insiders vscodium zed"

enum { URL_LONGEST = 2083 }; /* many terminals ignore a link with a longer one */

/* Returns what is wrong with TEMPLATE, as a phrase; NULL: nothing. */
const char *url_wrong(const char *template);

/* Append the URL to TEXT.  FILE is NULL, LINE 0, COMMIT "" if they are unknown.  False, and TEXT is as it was: the
   file is unknown, or something else that TEMPLATE asks for; the file is outside the directory; or the URL is longer
   than URL_LONGEST. */
bool url_add(struct strbuf *text, const char *template, const char *file, uint32_t line, const char *commit);

#endif

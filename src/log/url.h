/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * url.h - the URL of a source line: the template of --source-url, with values in place of
 *
 *	%f	the file, as annotations name it
 *	%l	the line
 *	%c	the commit: that of the log's build; if the image is of another build, that of the image's build
 *	%%	a percent sign
 *
 * File names come from images, so they are untrusted: a link must not lead anywhere else than the template says.  So
 * names are percent-encoded, they cannot be or change the host, and ".." does not lead out of the template's directory.
 */
#ifndef LOG_URL_H
#define LOG_URL_H

#include "tool/strbuf.h"

/* Schemes of browsers and editors, which show the file that such a URL names.  What a URL with the scheme "file" does
   depends on the terminal. */
#define URL_SCHEMES \
	"http https file atom clion cursor emacs idea jetbrains mvim subl txmt vscode vscode-insiders vscodium zed"

enum { URL_LENGTH_MAX = 2083 }; /* bytes; many terminals ignore links to longer URLs */

/* Check TEMPLATE.  Returns what is wrong with it, as a phrase; NULL if nothing is. */
const char *url_check_template(const char *template);

/* Append the URL of a source line to TEXT.  FILE is NULL, LINE 0, COMMIT "" if they are unknown.  Returns false and
   leaves TEXT as it was if the file, or another value that TEMPLATE needs, is unknown; if the file is outside of the
   template's directory; if the URL is longer than URL_LENGTH_MAX; or if there is no memory. */
bool url_add(struct strbuf *text, const char *template, const char *file, uint32_t line, const char *commit);

#endif

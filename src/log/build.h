/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build.h - which build of ReactOS something is of
 *
 * ReactOS names its build in these places (and prints them on one line, but for `ver`, which needs two):
 *
 *     (ntoskrnl/kd64/kdinit.c:74) ReactOS 0.4.17-x86-dev (Build 20260924-0.4.17-dev-915-g3f5fd48) (Commit 3f5fd48b...)
 *							the kernel at each boot, with or without the place in the source: the *banner*
 *     ReactOS 0.4.2 (Build 20160816-r72234)		... of older kernels
 *     FreeLdr 0.4.17-x86-dev 20260924-0.4.17-dev-915-g3f5fd48		FreeLoader, when it fails
 *     ReactOS [Version 0.4.17-x86-dev 20260924-0.4.17-dev-915-g3f5fd48]	the command prompt, when it starts
 *     Version 0.4.17-x86-dev 20260924-0.4.17-dev-915-g3f5fd48		`ver`, after "ReactOS Command Line Interpreter"
 *
 * The *build name* is made of the day of the build and what `git describe` says.  Images of one build name fit together.
 */
#ifndef LOG_BUILD_H
#define LOG_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Each string is "" if it is unknown.  All bytes are printable ASCII without blanks. */
struct build {
	char version[48];	/* "0.4.17-x86-dev" */
	char name[96];		/* "20260924-0.4.17-dev-915-g3f5fd48" */
	char commit[48];	/* hexadecimal digits */
};

/* Find one of the texts above in the LENGTH bytes at TEXT, and store what it says in *BUILD.  False: there is none, or its build
   name is too long; then *BUILD is empty.  A version or a commit that is not as it should be counts as unknown. */
bool build_parse(const char *text, size_t length, struct build *build);

/* What is known of BUILD, as the banner has it: "0.4.17-x86-dev (Build 20260924-...) (Commit 3f5fd48...)".  It may be in
   BUFFER.  If nothing is, it
   is "of an unknown build". */
enum { BUILD_TEXT = sizeof(struct build) + sizeof " (Build ) (Commit )" };
const char *build_text(const struct build *build, char buffer[BUILD_TEXT]);
/* Whether A and B have the same fields. */
static inline bool build_is_equal(const struct build *a, const struct build *b)
{
	return strcmp(a->version, b->version) == 0 && strcmp(a->name, b->name) == 0 && strcmp(a->commit, b->commit) == 0;
}

enum build_same { BUILD_UNKNOWN, BUILD_SAME, BUILD_OTHER };

/* Whether A and B are one build.  BUILD_OTHER: a version, a build name or a commit that both have differs.  Of commits, the
   shorter one may be the beginning of the other.  BUILD_SAME: nothing differs, and both have a build name or a commit.
   Equal versions alone tell nothing, so then it is BUILD_UNKNOWN, as when A or B is NULL. */
enum build_same build_compare(const struct build *a, const struct build *b);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * build-name.h - the names of builds of ReactOS: find them in a log, and compare builds
 *
 * These lines name a build.  (`ver` prints two lines; the second names the build.)
 *
 *     (ntoskrnl/kd64/kdinit.c:74) ReactOS 0.4.17-x86-dev (Build 20260924-0.4.17-dev-915-g3f5fd48) (Commit 3f5fd48b...)
 *				the *banner*, which the kernel prints at each boot; "(file:line) " may be missing
 *     ReactOS 0.4.2 (Build 20160816-r72234)		the banner of older kernels
 *     FreeLdr 0.4.17-x86-dev 20260924-0.4.17-dev-915-g3f5fd48		FreeLoader, when it fails
 *     ReactOS [Version 0.4.17-x86-dev 20260924-0.4.17-dev-915-g3f5fd48]	the command prompt, when it starts
 *     Version 0.4.17-x86-dev 20260924-0.4.17-dev-915-g3f5fd48		`ver`, after "ReactOS Command Line Interpreter"
 *     reactos-bootcd-0.4.17-dev-915-g3f5fd48-x86-gcc-lin-dbg.iso	the name of an ISO; only the commit is read
 *     0.4.17-dev-915-g3f5fd48					what people call a build; only the commit is read
 *
 * The *build name* is the day of the build and the output of `git describe`, or in older builds the Subversion
 * revision.  Images with the same build name fit together.
 */
#ifndef LOG_READ_BUILD_NAME_H
#define LOG_READ_BUILD_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A field that is not known is "".  All bytes are printable ASCII without blanks. */
struct build {
	char version[48]; /* "0.4.17-x86-dev" */
	char name[96];	  /* "20260924-0.4.17-dev-915-g3f5fd48" */
	char commit[48];  /* hexadecimal digits */
};

/* If TEXT begins with one of the forms above, but without anything before "ReactOS" or "Version", store in *BUILD the
   build that this form names, and return the length of the form in bytes.  If TEXT begins with none of the forms, or if
   build.name has no room, return 0; *BUILD is empty then.  A version that is too long and a malformed commit count as
   unknown. */
size_t build_read_name(const char *text, size_t length, struct build *build);

/* Find the first of the above forms in the LENGTH bytes at TEXT, and read it like build_read_name().  The last form,
   which begins with a digit, only counts at TEXT itself.  If TEXT has no form, returns false, and *BUILD is empty. */
bool build_find_name(const char *text, size_t length, struct build *build);

/* Returns BUILD in the form of the banner, "0.4.17-x86-dev (Build 20260924-...) (Commit 3f5fd48...)", without unknown
   fields.  If all are unknown, returns "of an unknown build".  The result may point into BUFFER. */
enum { BUILD_TEXT = sizeof(struct build) + sizeof " (Build ) (Commit )" };
const char *build_to_text(const struct build *build, char buffer[BUILD_TEXT]);

/* Whether BUILD can be compared with others: a version alone cannot show that two builds are the same. */
static inline bool build_is_known(const struct build *build)
{
	return build->name[0] || build->commit[0];
}

/* Whether A and B have the same fields. */
static inline bool build_is_equal(const struct build *a, const struct build *b)
{
	return strcmp(a->version, b->version) == 0 && strcmp(a->name, b->name) == 0 &&
	       strcmp(a->commit, b->commit) == 0;
}

/* Returns the commit of BUILD, or else the digits after "-g" at the end of BUILD's name; "" if there are none. */
const char *build_find_commit(const struct build *build);

enum build_same {
	BUILD_UNKNOWN,
	BUILD_SAME,
	BUILD_OTHER,
	/* the log names no build, and there are images of several builds; build_compare() never returns this */
	BUILD_UNDECIDED,
};

/* Compare A and B, each of which may be NULL (unknown).  Returns BUILD_OTHER if a version, name or commit that both
   have differs; of two commits, only the digits that both have are compared.  Returns BUILD_SAME if nothing differs,
   and both have a name or both a commit (build_find_commit()).  Else BUILD_UNKNOWN: equal versions prove nothing. */
enum build_same build_compare(const struct build *a, const struct build *b);

#endif

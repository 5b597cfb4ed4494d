/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * error.h - fill in a struct rossym_error; check what the library's caller gives
 *
 * Every function whose name begins with rs_fail returns -1, so that a caller can write `return rs_fail_memory(err)`.
 */
#ifndef RS_ERROR_H
#define RS_ERROR_H

#include "rossym.h"
#include "compat/format.h"

#include <stddef.h>

/* Store an error in *ERR, unless ERR is NULL.  WHAT and FORMAT say what is wrong, in lower case and without the name of
   the file.  OFFSET is the place in the file, or 0.  NUMBER is an errno.  FAULT is an error as src/core stores it. */
int rs_fail(struct rossym_error *err, enum rossym_code code, uint64_t offset, const char *format, ...)
	COMPAT_PRINTF(4, 5);
int rs_fail_errno(struct rossym_error *err, int number, const char *what);
int rs_fail_memory(struct rossym_error *err);
int rs_fail_fault(struct rossym_error *err, const struct rossym_fault *fault);

static inline int rs_fail_with(struct rossym_error *err, const struct rossym_error *why)
{
	if (err)
		*err = *why;
	return -1;
}

/* Check a NAME that the library's caller gave.  Returns 0; or -1, ROSSYM_EREFUSED, if it is NULL. */
static inline int rs_check_name(const char *name, struct rossym_error *err)
{
	return name ? 0 : rs_fail(err, ROSSYM_EREFUSED, 0, "a name is NULL");
}

/* Check FLAGS from the library's caller.  Returns 0; or -1, ROSSYM_EREFUSED, if FLAGS has bits that KNOWN lacks. */
static inline int rs_check_flags(unsigned flags, unsigned known, struct rossym_error *err)
{
	const unsigned unknown = flags & ~known;
	return unknown ? rs_fail(err, ROSSYM_EREFUSED, 0, "unknown flags 0x%x", unknown) : 0;
}

/* ------------------------------------------------------------------------------------------- structures with a size */

/* Some structures begin with a size_t, in which the library's caller stores the sizeof of the structure.  It shows
   which fields the caller's header declares, so a later version can append fields without a new soname. */

/*
 * Copy the structure at GIVEN, which the library's caller has filled, to TO.  Such a structure has KNOWN bytes in this
 * version of the library and SMALLEST in the first.  Fields that the caller's header lacks become 0.  Returns 0; or -1,
 * ROSSYM_EREFUSED, if the size in GIVEN is below SMALLEST, or if a field that this version lacks is not 0.
 */
int rs_sized_copy_in(void *to, size_t known, size_t smallest, const void *given, struct rossym_error *err);

/* Check the size of the structure at RESULT, which the library will fill.  Returns 0; or -1, ROSSYM_EREFUSED, if the
   size is below SMALLEST. */
int rs_sized_check(const void *result, size_t smallest, struct rossym_error *err);

/* Copy FROM, which has KNOWN bytes, to RESULT, except the field `size`, and no more than RESULT has room for.  Bytes of
   RESULT beyond KNOWN become 0. */
void rs_sized_fill(void *result, const void *from, size_t known);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sized.h - structures of the interface that begin with their size
 *
 * The library's caller stores sizeof the structure in its first field, a size_t.  So the library knows which fields the
 * caller's header declares, and a later version can append fields without a new soname.
 */
#ifndef RS_SIZED_H
#define RS_SIZED_H

#include "rossym.h"

#include <stddef.h>

/*
 * Copy the structure at GIVEN, which the library's caller filled, to TO.  Its size is KNOWN in this version of the
 * library, and was SMALLEST in the first version.  Fields that the caller's header lacks become 0.  Returns 0; or -1,
 * ROSSYM_EREFUSED, if the size in GIVEN is below SMALLEST, or if a field that this version lacks is not 0.
 */
int rs_sized_take(void *to, size_t known, size_t smallest, const void *given, struct rossym_error *err);

/* Check the size of the structure at RESULT, which the library will fill.  Returns 0; or -1, ROSSYM_EREFUSED, if the
   size is below SMALLEST. */
int rs_sized_check(const void *result, size_t smallest, struct rossym_error *err);

/* Fill RESULT from FROM, which has KNOWN bytes.  The field `size` of RESULT stays; fields that this version lacks
   become 0. */
void rs_sized_give(void *result, const void *from, size_t known);

#endif

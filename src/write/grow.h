/* SPDX-License-Identifier: GPL-2.0-or-later */
/* grow.h - room for one more item in an array: `items = rs_grow(items, &room, count, sizeof *items)` */
#ifndef RS_GROW_H
#define RS_GROW_H

#include <stddef.h>
#include <stdint.h>

/* ITEMS holds COUNT items of SIZE bytes and has room for *ROOM.  Return ITEMS if it is not full; else a copy with twice
   as much room, and free ITEMS.  Return NULL if memory runs out; ITEMS and *ROOM stay as they are.  COUNT is at most
   2^30. */
void *rs_grow(void *items, uint32_t *room, uint32_t count, size_t size);

#endif

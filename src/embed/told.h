/* SPDX-License-Identifier: GPL-2.0-or-later */
/* told.h - warnings that were shown: of an image of which several tables are made, each is shown once */
#ifndef EMBED_TOLD_H
#define EMBED_TOLD_H

#include <stdbool.h>
#include <stddef.h>

/* All zeros at the start. */
struct told {
	char **texts;
	size_t count, room;
};

/* Whether TEXT is new.  Remembers it then; but a bounded number of texts only, and all further ones are new. */
bool told_is_new(struct told *told, const char *text);
void told_clear(struct told *told);

#endif

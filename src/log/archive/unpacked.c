// SPDX-License-Identifier: GPL-2.0-or-later
/* unpacked.c - a list, the most recently used content first.  A linear search suffices: it runs once for each entry
   that is read or unpacked, which costs far more. */
#include "config.h"
#include "log/archive/unpacked.h"

#include <stdlib.h>

static void unlink_content(struct unpacked *unpacked, struct content *content)
{
	*(content->newer ? &content->newer->older : &unpacked->newest) = content->older;
	*(content->older ? &content->older->newer : &unpacked->oldest) = content->newer;
}

static void link_as_newest(struct unpacked *unpacked, struct content *content)
{
	content->newer = NULL;
	content->older = unpacked->newest;
	*(content->older ? &content->older->newer : &unpacked->oldest) = content;
	unpacked->newest = content;
}

struct content *unpacked_find(struct unpacked *unpacked, uint32_t archive, uint32_t entry)
{
	struct content *content = unpacked->newest;
	while (content && (content->archive != archive || content->entry != entry))
		content = content->older;
	if (content) {
		unlink_content(unpacked, content);
		link_as_newest(unpacked, content);
	}
	return content;
}

static bool has_room(const struct unpacked *unpacked, size_t size)
{
	return unpacked->bytes <= unpacked->most && size <= unpacked->most - unpacked->bytes;
}

void *unpacked_remove(struct unpacked *unpacked, struct content *content)
{
	void *bytes = content->bytes;
	unlink_content(unpacked, content);
	unpacked->bytes -= content->size;
	free(content);
	return bytes;
}

static void free_if_unused(struct unpacked *unpacked, struct content *content)
{
	if (!content->users && !content->loans)
		free(unpacked_remove(unpacked, content));
}

bool unpacked_make_room(struct unpacked *unpacked, size_t size)
{
	for (struct content *content = unpacked->oldest, *newer; content && !has_room(unpacked, size);
	     content = newer) {
		newer = content->newer;
		free_if_unused(unpacked, content);
	}
	return has_room(unpacked, size);
}

struct content *unpacked_add(struct unpacked *unpacked, uint32_t archive, uint32_t entry, void *bytes, size_t size)
{
	struct content *content = malloc(sizeof *content);
	if (!content) {
		free(bytes);
		return NULL;
	}
	/* If this does not make enough room, the cache exceeds its limit, because the caller needs the content now. */
	unpacked_make_room(unpacked, size);
	*content = (struct content){ .bytes = bytes, .size = size, .archive = archive, .entry = entry };
	unpacked->bytes += size;
	link_as_newest(unpacked, content);
	return content;
}

void unpacked_lend(struct unpacked *unpacked, struct content *content)
{
	if (content->loans++ == 0)
		unpacked->bytes -= content->size;
}

void unpacked_take_back(struct unpacked *unpacked, struct content *content, bool keep)
{
	if (--content->loans > 0)
		return;
	unpacked->bytes += content->size;
	if (!keep)
		free_if_unused(unpacked, content);
	unpacked_make_room(unpacked, 0);
}

void unpacked_clear(struct unpacked *unpacked)
{
	for (struct content *content = unpacked->newest, *older; content; content = older) {
		older = content->older;
		free(content->bytes);
		free(content);
	}
	*unpacked = (struct unpacked){ .most = unpacked->most };
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* contents.c - a list, the most recently used content first.  It is searched from its beginning, which costs little
   beside opening an image: nothing else searches it. */
#include "config.h"
#include "log/archive/contents.h"

#include <stdlib.h>

static void unlink_content(struct contents *contents, struct content *content)
{
	*(content->newer ? &content->newer->older : &contents->newest) = content->older;
	*(content->older ? &content->older->newer : &contents->oldest) = content->newer;
}

static void link_newest(struct contents *contents, struct content *content)
{
	content->newer = NULL;
	content->older = contents->newest;
	*(content->older ? &content->older->newer : &contents->oldest) = content;
	contents->newest = content;
}

struct content *contents_find(struct contents *contents, uint32_t archive, uint32_t entry)
{
	struct content *content = contents->newest;
	while (content && (content->archive != archive || content->entry != entry))
		content = content->older;
	if (content) {
		unlink_content(contents, content);
		link_newest(contents, content);
	}
	return content;
}

static bool has_room(const struct contents *contents, size_t size)
{
	return contents->bytes <= contents->most && size <= contents->most - contents->bytes;
}

void *contents_remove(struct contents *contents, struct content *content)
{
	void *bytes = content->bytes;
	unlink_content(contents, content);
	contents->bytes -= content->size;
	free(content);
	return bytes;
}

void contents_drop(struct contents *contents, struct content *content)
{
	/* Bytes may be in use.  Those of an open image are not even counted, so that freeing them would make
	   no room. */
	if (!content->users && !content->images)
		free(contents_remove(contents, content));
}

bool contents_make_room(struct contents *contents, size_t size)
{
	for (struct content *content = contents->oldest, *newer; content && !has_room(contents, size);
	     content = newer) {
		newer = content->newer;
		contents_drop(contents, content);
	}
	return has_room(contents, size);
}

struct content *contents_add(struct contents *contents, uint32_t archive, uint32_t entry, void *bytes, size_t size)
{
	struct content *content = malloc(sizeof *content);
	if (!content) {
		free(bytes);
		return NULL;
	}
	/* If there is not enough room, the content is kept all the same: the caller needs it now. */
	contents_make_room(contents, size);
	*content = (struct content){ .bytes = bytes, .size = size, .archive = archive, .entry = entry };
	contents->bytes += size;
	link_newest(contents, content);
	return content;
}

void contents_lend(struct contents *contents, struct content *content)
{
	if (content->images++ == 0)
		contents->bytes -= content->size;
}

void contents_take_back(struct contents *contents, struct content *content)
{
	if (--content->images == 0) {
		contents->bytes += content->size;
		contents_make_room(contents, 0);
	}
}

void contents_clear(struct contents *contents)
{
	for (struct content *content = contents->newest, *older; content; content = older) {
		older = content->older;
		free(content->bytes);
		free(content);
	}
	*contents = (struct contents){ .most = contents->most };
}

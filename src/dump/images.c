// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/images.h"
#include "lib/base/alloc.h"

#include <string.h>

enum { PAGES = 128 }; /* slots of the cache */

#define IMAGE_SIZE_MAX (UINT32_MAX - 2 * DUMP_PAGE) /* the most bytes of an image that can be read */

struct dump_image_state {
	bool asked, found;
	uint64_t base; /* image base that the image was linked for */
	struct dump_pdb pdb;
};

struct dump_image_page {
	bool used, good; /* "used": the source was called for this page; "good": it has read the page */
	uint32_t number, rva;
	uint8_t bytes[DUMP_PAGE];
};

bool rs_dump_images_open(struct dump_images *images, const struct dump_contents *dump,
			 const struct dump_image_source *source)
{
	*images = (struct dump_images){ .source = source, .dump = dump };
	if (!source || !source->find)
		return true;
	images->states = rs_alloc((size_t)dump->module_count + 1, sizeof *images->states);
	images->pages = rs_alloc(PAGES, sizeof *images->pages);
	return images->states && images->pages;
}

void rs_dump_images_close(struct dump_images *images)
{
	for (uint32_t i = 0; images->states && i < images->dump->module_count; i++)
		rs_msf_close(&images->states[i].pdb.msf);
	rs_free(images->states);
	rs_free(images->pages);
	images->states = NULL;
	images->pages = NULL;
}

/* Count a call of the source, which counts as COST calls.  Returns whether the call may be made. */
static bool count_source_call_if_allowed(struct dump_images *images, uint32_t cost)
{
	const bool may = cost <= DUMP_QUESTIONS - images->questions;
	images->questions += may ? cost : 0;
	return may;
}

bool rs_dump_images_has_image(struct dump_images *images, uint32_t number, uint64_t *base)
{
	const struct dump_image_source *source = images->source;
	if (!images->states || number >= images->dump->module_count)
		return false;
	struct dump_image_state *state = &images->states[number];
	if (!state->asked)
		state->found = count_source_call_if_allowed(images, DUMP_FIND_COST) &&
			       rs_dump_read_module(images->dump, number, true, &images->module) &&
			       source->find(source->context, number, &images->module, &state->base);
	state->asked = true;
	if (base)
		*base = state->base;
	return state->found;
}

struct dump_pdb *rs_dump_images_get_pdb(struct dump_images *images, uint32_t number)
{
	if (!images->states || number >= images->dump->module_count)
		return NULL;
	struct dump_pdb *pdb = &images->states[number].pdb;
	pdb->images = images;
	pdb->number = number;
	return pdb;
}

void rs_dump_images_forget_pdb(struct dump_images *images, uint32_t number)
{
	struct dump_pdb *pdb = &images->states[number].pdb;
	rs_msf_close(&pdb->msf);
	pdb->asked = pdb->good = false;
}

void rs_dump_images_forget(struct dump_images *images, uint32_t number)
{
	rs_dump_images_forget_pdb(images, number);
	images->states[number].asked = false;
	for (size_t i = 0; i < PAGES; i++)
		images->pages[i].used &= images->pages[i].number != number;
}

bool rs_dump_images_find_section(struct dump_images *images, uint32_t number, const char *name, uint32_t *rva,
				 uint32_t *size)
{
	return rs_dump_images_has_image(images, number, NULL) && count_source_call_if_allowed(images, 1) &&
	       images->source->section(images->source->context, number, name, rva, size);
}

/* Returns the bytes of the page of image (or PDB file) NUMBER that begins at RVA; NULL: it cannot be read. */
static const uint8_t *find_or_read_page(struct dump_images *images, uint32_t number, uint32_t rva)
{
	struct dump_image_page *page = &images->pages[(rva / DUMP_PAGE + number * 31) % PAGES];
	if (!page->used || page->number != number || page->rva != rva) {
		page->used = true;
		page->number = number;
		page->rva = rva;
		page->good = count_source_call_if_allowed(images, 1) &&
			     images->source->read(images->source->context, number, rva, page->bytes, DUMP_PAGE);
	}
	return page->good ? page->bytes : NULL;
}

/* Read SIZE bytes at RVA of image (or PDB file) NUMBER, page by page, through the cache.  False: some of
   them cannot be read. */
static bool read_cached_pages(struct dump_images *images, uint32_t number, uint32_t rva, void *bytes, size_t size)
{
	char *to = bytes;
	if (rva > IMAGE_SIZE_MAX || size > IMAGE_SIZE_MAX - rva)
		return false;
	while (size > 0) {
		const uint32_t within = rva % DUMP_PAGE;
		const size_t n = size < DUMP_PAGE - within ? size : DUMP_PAGE - within;
		const uint8_t *page = find_or_read_page(images, number, rva - within);
		if (!page)
			return false;
		memcpy(to, page + within, n);
		to += n;
		rva += (uint32_t)n;
		size -= n;
	}
	return true;
}

bool rs_dump_images_read(struct dump_images *images, uint32_t number, uint32_t rva, void *bytes, size_t size)
{
	return rs_dump_images_has_image(images, number, NULL) && read_cached_pages(images, number, rva, bytes, size);
}

bool rs_dump_images_find_pdb(struct dump_images *images, uint32_t number, uint32_t choice, uint8_t guid[DUMP_GUID],
			     uint64_t *size)
{
	const struct dump_image_source *source = images->source;
	/* Call find() of the source first: find_pdb() may come only after it, and can succeed even if find() fails. */
	rs_dump_images_has_image(images, number, NULL);
	if (!images->states || number >= DUMP_IMAGES || !source->find_pdb ||
	    !count_source_call_if_allowed(images, DUMP_FIND_COST) ||
	    !source->find_pdb(source->context, number, choice, guid, size))
		return false;
	for (unsigned i = 0; i < PAGES; i++)
		images->pages[i].used &= images->pages[i].number != number + DUMP_IMAGES;
	return true;
}

bool rs_dump_images_read_pdb(struct dump_images *images, uint32_t number, uint32_t offset, void *bytes, size_t size)
{
	return images->states && number < images->dump->module_count &&
	       read_cached_pages(images, number + DUMP_IMAGES, offset, bytes, size);
}

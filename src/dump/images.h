/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * images.h - the bytes of modules' images, for memory that a dump lacks
 *
 * A reader of dumps opens no files: it asks a source.  What the source has said is kept, a page at a time, because an
 * answer may come from another process.
 */
#ifndef DUMP_IMAGES_H
#define DUMP_IMAGES_H

#include "dump/contents.h"

enum {
	DUMP_IMAGES = 8192, /* the most */
	DUMP_PAGE = 4096,
	DUMP_GUID = 16,
	DUMP_PDB_CHOICES = 4,
	DUMP_QUESTIONS = 1 << 20, /* that the source is asked; then nothing more is known */
};

/* All zeros: no image is there. */
struct dump_image_source {
	/* Find the image of MODULE, which is called by this NUMBER from now on, and store for which address it was
	   linked.  False: there is none.  It is called once for a module, and before the other functions. */
	bool (*find)(void *context, uint32_t number, const struct dump_module *module, uint64_t *base);
	/* Find the section NAME, of at most 15 bytes.  False: there is none, or it cannot be read. */
	bool (*section)(void *context, uint32_t number, const char *name, uint32_t *rva, uint32_t *size);
	/* Read SIZE bytes, at most a page, at RVA as the loader puts them there, but not relocated.  False: they cannot
	   be read. */
	bool (*read)(void *context, uint32_t number, uint32_t rva, void *bytes, size_t size);
	/* Find the file number CHOICE that may be the PDB file of the image.  From now on read() reads that file for the number
	   NUMBER + DUMP_IMAGES, at an offset.  GUID becomes that in the image.  False: there are not so many. */
	bool (*find_pdb)(void *context, uint32_t number, uint32_t choice, uint8_t guid[DUMP_GUID]);
	void *context;
};

struct dump_image_state;
struct dump_image_page;

struct dump_images {
	const struct dump_image_source *source;
	const struct dump_contents *dump;
	struct dump_image_state *states; /* for each module */
	struct dump_image_page *pages;
	uint32_t questions;	   /* so many have been asked */
	struct dump_module module; /* scratch */
};

/* SOURCE may be NULL: there are no images.  False: there is no memory.  rs_dump_images_close() frees it in any case. */
bool rs_dump_images_open(struct dump_images *images, const struct dump_contents *dump,
			 const struct dump_image_source *source);
void rs_dump_images_close(struct dump_images *images);

/* Whether the image of module NUMBER is there, and for which address it was linked.  BASE may be NULL. */
bool rs_dump_images_find(struct dump_images *images, uint32_t number, uint64_t *base);

/* Forget what is known of the image of module NUMBER: the source has another one. */
void rs_dump_images_forget(struct dump_images *images, uint32_t number);

/* As the source does; a read may be of any size. */
bool rs_dump_images_section(struct dump_images *images, uint32_t number, const char *name, uint32_t *rva,
			    uint32_t *size);
bool rs_dump_images_read(struct dump_images *images, uint32_t number, uint32_t rva, void *bytes, size_t size);

/* Open the file that may be the PDB file, as the source does, and read it.  A file of an earlier choice is no longer open. */
bool rs_dump_images_find_pdb(struct dump_images *images, uint32_t number, uint32_t choice, uint8_t guid[DUMP_GUID]);
bool rs_dump_images_read_pdb(struct dump_images *images, uint32_t number, uint32_t offset, void *bytes, size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * images.h - reads the images (files) of modules, for memory that a dump lacks; and finds FrameData and FPO data, which
 * tell how to find the caller of i386 code, in the PDB files of images
 *
 * The reader of dumps opens no files: the caller supplies a source, whose functions find images and read their bytes.
 * What they read is cached, a page at a time, because a read may be a request to another process.
 */
#ifndef DUMP_IMAGES_H
#define DUMP_IMAGES_H

#include "dump/contents.h"
#include "lib/base/msf.h"
#include "unwind/unwind.h"

enum {
	DUMP_IMAGES = 8192, /* the most modules of a dump */
	DUMP_PAGE = 4096,
	DUMP_GUID = 16,
	DUMP_PDB_CHOICES = 4, /* the most files that are tried as the PDB file of an image */
	/* The most calls of functions of the source; further ones fail without a call.  A search for a file counts as
	   DUMP_FIND_COST calls, because the source may have to open files. */
	DUMP_QUESTIONS = 1 << 20,
	DUMP_FIND_COST = 16,
};

/* All zeros: the source has no images. */
struct dump_image_source {
	/* Find the image of MODULE.  NUMBER, the number of MODULE, identifies the image in other calls.  Store in *BASE
	   the image base that the image was linked for.  False: there is no image.  Called once for each module, before
	   the other functions; and again after rs_dump_images_forget(). */
	bool (*find)(void *context, uint32_t number, const struct dump_module *module, uint64_t *base);
	/* Find the section NAME, of at most 15 bytes, of an image.  False: there is none, or it cannot be read. */
	bool (*section)(void *context, uint32_t number, const char *name, uint32_t *rva, uint32_t *size);
	/* Read SIZE bytes, at most a page, at RVA of an image as the loader maps it, but before relocation.  False:
	   they cannot be read. */
	bool (*read)(void *context, uint32_t number, uint32_t rva, void *bytes, size_t size);
	/* Open candidate CHOICE, counted from 0, for the PDB file of image NUMBER.  From then on, read() with the
	   number NUMBER + DUMP_IMAGES reads that file, at an offset instead of an RVA.  GUID becomes the GUID that the
	   image names, and *SIZE the size of the file.  False: there is no such candidate. */
	bool (*find_pdb)(void *context, uint32_t number, uint32_t choice, uint8_t guid[DUMP_GUID], uint64_t *size);
	void *context;
};

struct dump_image_state;
struct dump_image_page;

struct dump_images {
	const struct dump_image_source *source;
	const struct dump_contents *dump;
	struct dump_image_state *states; /* one for each module; NULL: there are no images */
	struct dump_image_page *pages;
	uint32_t questions;	   /* calls of functions of the source so far, counted as for DUMP_QUESTIONS */
	struct dump_module module; /* memory for a module that is being read */
};

/* Make IMAGES use SOURCE for the images of the modules of DUMP.  SOURCE may be NULL: there are no images.  False: no
   heap memory is left.  rs_dump_images_close() frees IMAGES in either case. */
bool rs_dump_images_open(struct dump_images *images, const struct dump_contents *dump,
			 const struct dump_image_source *source);
void rs_dump_images_close(struct dump_images *images);

/* Whether the source has the image of module NUMBER.  *BASE becomes the image base that the image was linked for; BASE
   may be NULL. */
bool rs_dump_images_has_image(struct dump_images *images, uint32_t number, uint64_t *base);

/* Drop what is cached of the image of module NUMBER and of its PDB file, because the source has another image now.  The
   second function does so for the PDB file alone. */
void rs_dump_images_forget(struct dump_images *images, uint32_t number);
void rs_dump_images_forget_pdb(struct dump_images *images, uint32_t number);

/* Find the section NAME of the image of module NUMBER.  The second function reads, through the cache, SIZE bytes at RVA
   of that image, which may be more than a page.  False: there is no such section, or some bytes cannot be read. */
bool rs_dump_images_find_section(struct dump_images *images, uint32_t number, const char *name, uint32_t *rva,
				 uint32_t *size);
bool rs_dump_images_read(struct dump_images *images, uint32_t number, uint32_t rva, void *bytes, size_t size);

/* Whether module NUMBER has a PDB file with FrameData or FPO data. */
bool rs_dump_has_frame_data(struct dump_images *images, uint32_t number);

/* Find the FrameData for RVA in the PDB file of module NUMBER; FPO data are converted to FrameData.
   False: there is none. */
bool rs_dump_find_frame_data(struct dump_images *images, uint32_t number, uint32_t rva,
			     struct rossym_unwind_frame_data *data);

#endif

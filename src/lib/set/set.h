/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * set.h - what a set is made of, for the files that implement the functions of rossym-set.h
 *
 * A name has one module record, or one for each build of that name.  A base refers to the record of the module that is
 * loaded there.  A record refers to the file that was chosen as its image, and the file has the image while it is open.
 */
#ifndef RS_SET_H
#define RS_SET_H

#include "rossym-set.h"
#include "lib/set/set-bases.h"
#include "lib/set/set-files.h"
#include "lib/set/set-names.h"
#include "search/listings.h"

#include <stdbool.h>

struct rs_set_module {
	struct rossym_module known;  /* the part of the record that the program gets */
	struct rs_set_module *other; /* the next build of the same name; after the last one comes the first */
	bool fixed;		     /* only ROSSYM_LOADED_FIXED changes DateStamp, GUID, length and path */
	char *path;		     /* from rossym_set_add(), or NULL */
	struct rs_set_file *file;    /* the file that was chosen as its image, or NULL */
	char name[RS_MODULE_NAME_LENGTH_MAX + 1];
};

struct rossym_set {
	bool short_names;
	bool loaded;			/* rossym_set_load() has returned 0, and nothing has changed since */
	struct rs_keys names;		/* from a name to the record that the name means now: one of its builds */
	struct rs_set_module **modules; /* by number */
	uint32_t count, room;
	struct rs_bases bases;
	struct rs_set_files files;
	struct listings listings; /* of the directories in which the set itself looks for images */
};

/* The result of comparing a module and an image, or two sets of facts: are they of the same build? */
enum rs_match { RS_MATCH_UNKNOWN, RS_MATCH_SAME, RS_MATCH_OTHER };

/* set-modules.c: compare two GUIDs.  Zeros mean that a GUID is not known. */
enum rs_match rs_match_guids(const uint8_t *a, const uint8_t *b);

/* set-modules.c: whether the DateStamp or the GUID of KNOWN is known: these differ from build to build. */
bool rs_has_identity(const struct rossym_module *known);

/* set-modules.c: returns the record that NAME means; makes one if there is none.  NAME is from
   rs_normalize_module_name().  NULL: ROSSYM_ENOMEM or ROSSYM_EREFUSED. */
struct rs_set_module *rs_set_module(struct rossym_set *set, const char *name, struct rossym_error *err);

/* set-modules.c: store the facts of LOADED, which is about a module called NAME.  MODULE is the record of the module
   that is already known at the base of LOADED; NULL: take the record that NAME means.  If LOADED is about another build
   than MODULE, finds the record of that build, or makes one.  Returns the record that has the facts now; from now on,
   NAME means this record.  NULL as rs_set_module(). */
struct rs_set_module *rs_set_learn(struct rossym_set *set, struct rs_set_module *module, const char *name,
				   const struct rossym_loaded *loaded, struct rossym_error *err);

/* set-modules.c: forget the facts of all modules that are not fixed. */
void rs_set_forget_facts(struct rossym_set *set);

/* set-modules.c: forget which images were chosen. */
void rs_set_forget_images(struct rossym_set *set);

/* set-modules.c: free all records. */
void rs_set_free_modules(struct rossym_set *set);

/* set-choose.c: choose the image of MODULE.  Opens candidates to compare them; the chosen one need not be open
   afterwards.  Returns 0: then module->file is the image, or it is NULL, and known.why has the reason.  Returns -1:
   ROSSYM_ENOMEM, or the error of `find`. */
int rs_set_choose(struct rossym_set *set, struct rs_set_module *module, struct rossym_error *err);

/* set-choose.c: call TAKE with CONTEXT and the path of each candidate for the image of MODULE, until it returns false.
   Opens none.  Returns 0; or -1: ROSSYM_ENOMEM, or the error of `find`. */
int rs_set_visit_candidates(struct rossym_set *set, const struct rossym_module *module,
			    bool (*take)(void *context, const char *path), void *context, struct rossym_error *err);

/* set-directories.c: call TAKE with CONTEXT and the path of each file in the directories of the set that WANTED
   describes, until it returns -1.  Returns 0; or -1 after that, or without memory. */
int rs_set_search(struct rossym_set *set, const struct rossym_wanted *wanted,
		  int (*take)(void *context, const char *path, struct rossym_error *err), void *context,
		  struct rossym_error *err);

/* set-lookup.c: choose and open the image of MODULE for COUNT look-ups.  After rossym_set_load(), this does nothing.
   Returns 0: then the image is open, or known.why says why not; or -1 as rs_set_choose(). */
int rs_set_ready(struct rossym_set *set, struct rs_set_module *module, size_t count, struct rossym_error *err);

/* set-lookup.c: a look-up in the image of MODULE has failed with REASON.  Returns 0, after storing that its file is
   broken or has no symbols; or -1 for ROSSYM_ENOMEM. */
int rs_set_failed(struct rossym_set *set, struct rs_set_module *module, const struct rossym_error *reason,
		  struct rossym_error *err);

/* set-lookup.c: check the flags of a look-up.  Returns 0; or -1, ROSSYM_EREFUSED. */
int rs_check_lookup_flags(unsigned flags, struct rossym_error *err);

static inline bool rs_frame_is_known(const struct rossym_frame *frame)
{
	return frame->function || frame->file || frame->line;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * set.h - what a set is made of, for the files that implement the functions of rossym-set.h
 *
 * A name has one module record, or several if builds of that name differ.  A base refers to the record of the module
 * that is loaded there.  A record refers to the file that was chosen for it, and files know their images.
 */
#ifndef RS_SET_H
#define RS_SET_H

#include "rossym-set.h"
#include "lib/set/set-bases.h"
#include "lib/set/set-files.h"
#include "lib/set/set-names.h"

#include <stdbool.h>

struct rs_set_module {
	struct rossym_module known;  /* what the program sees */
	struct rs_set_module *other; /* the next build of the same name; the last one's is the first */
	bool fixed;		     /* DateStamp, length and path stay */
	char *path;		     /* that was given, or NULL */
	struct rs_set_file *file;    /* that was chosen, or NULL */
	char name[RS_MODULE_NAME_MAX + 1];
};

struct rossym_set {
	bool short_names;
	bool loaded;			/* look-ups change nothing */
	struct rs_keys names;		/* the record of a name that was last used */
	struct rs_set_module **modules; /* by number */
	uint32_t count, room;
	struct rs_bases bases;
	struct rs_set_files files;
};

/* Whether a module and an image, or two things that were said of one, are of one build. */
enum rs_match { RS_MATCH_UNKNOWN, RS_MATCH_SAME, RS_MATCH_OTHER };

/* set-modules.c: compare two GUIDs; zeros are unknown. */
enum rs_match rs_match_guids(const uint8_t *a, const uint8_t *b);

/* set-modules.c: whether something was said of KNOWN that only one build has. */
bool rs_has_identity(const struct rossym_module *known);

/* set-modules.c: return the record that NAME means, a result of rs_module_name(); make one if there is none.  NULL:
   ROSSYM_ENOMEM or ROSSYM_EREFUSED. */
struct rs_set_module *rs_set_module(struct rossym_set *set, const char *name, struct rossym_error *err);

/* set-modules.c: store what LOADED says about the module NAME.  MODULE is its record, or NULL: take the one that NAME
   means.  If LOADED is about another build, take the record of that build, or make one.  Returns the record that was
   taken, which is what NAME means from now on, or NULL as rs_set_module(). */
struct rs_set_module *rs_set_learn(struct rossym_set *set, struct rs_set_module *module, const char *name,
				   const struct rossym_loaded *loaded, struct rossym_error *err);

/* set-modules.c: forget what is not fixed. */
void rs_set_forget_facts(struct rossym_set *set);

/* set-modules.c: forget which images were chosen. */
void rs_set_forget_images(struct rossym_set *set);

/* set-modules.c: free all records. */
void rs_set_free_modules(struct rossym_set *set);

/* set-choose.c: choose the image of MODULE and open it.  0, or -1: ROSSYM_ENOMEM, or the error of `find`. */
int rs_set_choose(struct rossym_set *set, struct rs_set_module *module, struct rossym_error *err);

/* set-lookup.c: make MODULE ready for COUNT look-ups: its image is open, or `why` of its record tells why not.  Returns
   as rs_set_choose(). */
int rs_set_ready(struct rossym_set *set, struct rs_set_module *module, size_t count, struct rossym_error *err);

/* set-lookup.c: the image of MODULE has failed with REASON.  0: MODULE is broken from now on; -1: that
   was ROSSYM_ENOMEM. */
int rs_set_failed(struct rossym_set *set, struct rs_set_module *module, const struct rossym_error *reason,
		  struct rossym_error *err);

/* set-lookup.c: refuse flags that are not for look-ups. */
int rs_check_lookup_flags(unsigned flags, struct rossym_error *err);

#endif

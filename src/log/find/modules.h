/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modules.h - the set of modules that a log speaks of, and what the program says about them
 *
 * The library's set chooses images (rossym-set.h).  Here are the files that it chooses from, in directories and
 * archives, and the messages: each problem of a module or a file is said once.
 */
#ifndef LOG_FIND_MODULES_H
#define LOG_FIND_MODULES_H

#include "rossym-set.h"
#include "log/find/builds.h"
#include "log/find/table-maker.h"

#include <stdbool.h>
#include <stddef.h>

struct modules {
	struct rossym_set *set;
	struct index index;
	struct builds builds;
	struct table_maker *maker; /* makes tables for images without one; NULL: these have no answers */
	bool default_places;	   /* no file or directory was added: look in those of places.h */
	bool default_added;	   /* they have been added to the index */
	bool is_stored;		   /* the module that is looked for was found in a symbol store */
	bool verbose;		   /* -v */
	bool says_builds;	   /* the builds of all places are wanted, even if the log names none */
	bool failed;		   /* for modules_failed() */
	bool out_of_memory;
	bool reported_too_many, reported_over_budget;
	/* the last look-up needed an archive, and the budget for archives was used up */
	bool put_off;
	struct module_notes *notes; /* by the module's number */
	size_t note_room;
};

/* Counted for one module, and what has been said about it. */
struct module_notes {
	unsigned long long tokens, answered;
	/* as the log told them when it last had an address in the module; 0: it did not */
	uint64_t base, length;
	uint32_t stamp;	      /* likewise */
	uint32_t image_stamp; /* likewise the image's, if that is another one */
	/* the last one that was looked into, which a boot makes the set forget; or NULL */
	const struct file *image;
	bool several_images; /* others were looked into before */
	const char *why;     /* no image: the reason, as a phrase */
	bool reported_missing, reported_choice;
	const struct file *reported_image; /* what was said last was about this file, */
	uint32_t reported_stamp;	   /* and the log had this DateStamp, or 0 */
};

/* Files and directories are read only when the first module is looked for.  But a path that does not exist is
   reported at once.  False: no memory.  DEFAULT_PLACES: if none is added, not even one that does not exist, look in
   those of places.h. */
bool modules_init(struct modules *modules, bool default_places);
bool modules_add_file(struct modules *modules, const char *path);
bool modules_add_directory(struct modules *modules, const char *path);
bool modules_add_debug_file(struct modules *modules, const char *path);
bool modules_add_debug_files(struct modules *modules, const struct modules *others); /* those of OTHERS */
void modules_clear(struct modules *modules);

/* Read all directories and archives. */
void modules_index(struct modules *modules);

/* Whether archives may be read. */
bool modules_may_have_archives(const struct modules *modules);

/* Whether there is a place to look in for modules.  The default places are read to find out. */
bool modules_have_place(struct modules *modules);

/* Take note that a log says that a module is loaded. */
void modules_loaded(struct modules *modules, const struct rossym_loaded *loaded);

/* Returns the module of that name, which may be a path.  NULL if there are too many modules, or no memory. */
const struct rossym_module *modules_get(struct modules *modules, const char *name, size_t length);

/* Store in *INFO what MODULE's image is, as far as it can be chosen now.  False: it has none. */
bool modules_image(struct modules *modules, const struct rossym_module *module, struct rossym_info *info);

/* Returns what has been noted about MODULE; valid until the next call.  NULL: no memory. */
struct module_notes *modules_notes(struct modules *modules, const struct rossym_module *module);

/* Look up RVA in MODULE and report what is wrong with its image, once.  TENTATIVE: a module that does not exist is not
   reported, because the text may be no token at all.  The answer is valid until the next call for another module. */
void modules_lookup(struct modules *modules, const struct rossym_module *module, uint64_t rva, bool tentative,
		    struct rossym_answer *answer);

/* Returns an English phrase for WHY, the reason for which the last look-up in MODULE had no answer.  MODULE may
   be NULL. */
const char *modules_why(const struct modules *modules, const struct rossym_module *module, enum rossym_why why);

/* Returns the label of the file that the module's answers come from; it may be in BUFFER.  NULL: there is none. */
const char *modules_file(const struct rossym_module *module, char *buffer, size_t size);

/* Returns the label of the file whose debug information these answers come from; it may be in BUFFER.  NULL: they come
   from a table. */
const char *modules_origin(const struct rossym_module *module, char *buffer, size_t size);

/* Returns where MODULE's symbols come from, after a look-up in it, or which file is missing; it may be in BUFFER. */
const char *modules_symbols(const struct modules *modules, const struct rossym_module *module, char *buffer,
			    size_t size);

/* Returns where the answers that NOTES has counted come from, or why there are none; it may be in BUFFER. */
const char *modules_answered_by(const struct module_notes *notes, char *buffer, size_t size);

/* From now on, prefer images from places of this build: the one that the log names.  BUILD is copied; empty: the log
   names none. */
void modules_want_build(struct modules *modules, const struct build *build);

/* From now on, prefer images of PLACE, until another build is preferred. */
void modules_choose_place(struct modules *modules, const struct built_place *place);

/* Read all places, and find their builds. */
void modules_read_builds(struct modules *modules);

/* Call SAY, a function of diag.h, for each place whose build has been found out. */
void modules_say_builds(const struct modules *modules, void (*say)(const char *format, ...));

/* Returns the build of the place that MODULE's image comes from, as the kernel there tells it.  It stays until
   modules_clear().  NULL: the module has no image, or the build of its place is not known. */
const struct build *modules_build(const struct rossym_module *module);

/* Whether MODULE's image is one of several builds of which each could be meant, if the log names no build: by no
   DateStamp either. */
bool modules_is_undecided(struct modules *modules, const struct rossym_module *module);

/* Whether something that was asked for could not be read. */
bool modules_failed(const struct modules *modules);

#endif

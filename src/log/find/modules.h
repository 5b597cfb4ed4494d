/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modules.h - the modules that a log names, their images, and the messages about both
 *
 * The library's set chooses an image for each module (rossym-set.h).  This code gives the set the files to choose from,
 * in directories and archives, and prints the messages: it reports each problem of a module or a file once.
 */
#ifndef LOG_FIND_MODULES_H
#define LOG_FIND_MODULES_H

#include "rossym-set.h"
#include "log/find/builds.h"
#include "log/find/candidates.h"
#include "log/find/asked-image.h"
#include "tool/files/wanted-files.h"

#include <stdbool.h>
#include <stddef.h>

struct modules {
	struct rossym_set *set;
	struct index index;
	struct builds builds;
	struct firmware firmware;
	struct image_asker *asker; /* looks up addresses in images without a .rossym table; NULL: they get no answer */
	bool default_places;	   /* use the default places (file-index.h), because no file or directory was added */
	const char *symbol_path;   /* the value of _NT_SYMBOL_PATH, whose directories are searched last; or NULL */
	bool places_added;	   /* the default places, and the directories of `symbol_path`, are in the index */
	bool is_stored;		   /* a symbol store has the image that the set asked for last */
	bool verbose;		   /* -v is given: print more messages */
	bool says_builds;	   /* find the builds of all places, to print them, even if the log names no build */
	bool lists_missing;	   /* --missing: store in `wanted` which files would help */
	struct wanted_files wanted;
	bool failed; /* a failure was reported (modules_have_failed()) */
	bool out_of_memory;
	bool reported_too_many, reported_over_budget; /* reported: too many modules; the budget is used up */
	/* the last look-up needed a file in an archive, which was not read because the budget for
	   archives was used up */
	bool over_budget;
	struct module_notes *notes; /* the notes of all modules; the index is the module's number */
	size_t note_room;
};

/* What the program counts and stores about one module, for its messages. */
struct module_notes {
	unsigned long long tokens;   /* how many tokens (addresses) of the log were in the module */
	unsigned long long answered; /* how many of them were answered */
	/* load address, length and DateStamp of the module when the log last had an address in it; 0: unknown */
	uint64_t base, length;
	uint32_t stamp;
	uint32_t image_stamp; /* the DateStamp of the image at that time, if it differs from `stamp`; else 0 */
	/* the file that was last used as its image, even if the set has forgotten it, as for a new boot; or NULL */
	const struct file *image;
	bool several_images; /* other files were used before */
	/* the first file that was left out when the module's image was last chosen (candidates.h); NULL: none */
	const struct file *left_out;
	const char *why;			/* if `image` is NULL: why there is no image, as a phrase */
	bool reported_missing, reported_choice; /* reported: that there is no image; that several could be it */
	bool loaded;				/* the module's load address was in the log */
	/* With `lists_missing`: the facts at the last call of record_missing_file(), which does nothing if they are
	   the same; `is`: there was a call. */
	struct noted {
		bool is;
		enum rossym_why why;
		uint32_t stamp;
		uint64_t length;
		const struct file *file, *debug_file; /* the image, and where its debug information is from */
	} noted;
	const struct file *reported_image; /* the image that the last message was about */
	uint32_t reported_stamp;	   /* the DateStamp in the log at that message, or 0 */
};

/* Prepare MODULES.  DEFAULT_PLACES: use the default places if options name no file or directory, not even one that
   does not exist.  Returns false if there is no memory. */
bool modules_init(struct modules *modules, bool default_places);

/* Handle the options that name files, for a struct modules.  Report at once a PATH that does not exist; what exists is
   read when the first module is searched for.  Return -1, or an exit status (tool/command/options.h). */
int modules_take_file(void *modules, const char *path); /* PATH or NAME=PATH */
int modules_take_directory(void *modules, const char *path);
int modules_take_debug_file(void *modules, const char *path);
void modules_clear(struct modules *modules);

/* Add the default places, if they are used, and the directories of `symbol_path` to the index, but do not read them. */
void modules_add_places(struct modules *modules);

/* Read all directories and archives. */
void modules_read_index(struct modules *modules);

/* Whether there are places or files to choose images from: a directory or an archive that the user named, or a file of
   the index.  Reads the default places, if they are used, to find that out. */
bool modules_have_place(struct modules *modules);

/* Record that LOADED, a module, is loaded, as the log says. */
void modules_record_loaded(struct modules *modules, const struct rossym_loaded *loaded);

/* Returns the module NAME, which may be a path; adds it if it is new.  NULL: too many modules, or no memory. */
const struct rossym_module *modules_get_module(struct modules *modules, const char *name, size_t length);

/* Store in *INFO the facts of MODULE's image, as the log so far makes the set choose it.  Returns false if it has none,
   if it was not read because a budget is used up, or if there is no memory. */
bool modules_get_image_info(struct modules *modules, const struct rossym_module *module, struct rossym_info *info);

/* Returns the notes of MODULE, which are valid until the next call.  Returns NULL if there is no memory. */
struct module_notes *modules_get_notes(struct modules *modules, const struct rossym_module *module);

/* Look up RVA in MODULE, and report once what is wrong with its image.  TENTATIVE: do not report that MODULE has no
   image, because the text in the log may be no address.  The answer is valid until the next call for another module. */
void modules_look_up(struct modules *modules, const struct rossym_module *module, uint64_t rva, bool tentative,
		     struct rossym_answer *answer);

/* Returns a phrase for WHY, the reason why the last look-up in MODULE had no answer.  MODULE may be NULL. */
const char *modules_why_unanswered(const struct modules *modules, const struct rossym_module *module,
				   enum rossym_why why);

/* Returns the file that is MODULE's image; NULL if it has none. */
const struct file *modules_image_file(const struct rossym_module *module);

/* After a look-up in MODULE, returns which files have its symbols, or why none has.  The string is in BUFFER. */
const char *modules_describe_symbols(const struct modules *modules, const struct rossym_module *module, char *buffer,
				     size_t size);

/* Returns which files the answers counted in NOTES come from, or why there are none.  The string may be in BUFFER. */
const char *modules_describe_answers(const struct module_notes *notes, char *buffer, size_t size);

/* From now on, prefer images from places of BUILD, which the log names; an empty BUILD prefers none.  BUILD is copied.
   If PLACE, whose build is unknown, is not NULL, prefer images from there, until another build is wanted. */
void modules_prefer_build(struct modules *modules, const struct build *build, const struct image_place *place);

/* From now on, leave out images of firmware of other machines than MACHINE (candidates.h); 0 leaves out none. */
void modules_set_machine(struct modules *modules, uint16_t machine);

/* Read all places, and find their builds. */
void modules_read_builds(struct modules *modules);

/* Call SAY, a function of diag.h, to print the build of each place whose build has a name. */
void modules_report_builds(const struct modules *modules, bool (*say)(const char *format, ...));

/* Returns the build of the place that MODULE's image comes from; it is valid until modules_clear().  Returns NULL if
   the module has no image, or if the build of its place is unknown. */
const struct build *modules_get_build(const struct rossym_module *module);

/* For a log that does not name its build: whether there are several builds, and no DateStamp shows that MODULE's image
   is of the right one. */
bool modules_is_undecided(struct modules *modules, const struct rossym_module *module);

/* Whether a file, directory or archive does not exist, could not be read when it was needed, or has no symbols though
   the user named it; a message has reported that. */
bool modules_have_failed(const struct modules *modules);

/* Whether NAME, of LENGTH bytes, which may be a path, can mean MODULE.  Case does not count.  One of the two names may
   lack its extension, or may be cut as KDBG cuts long names.  All names of the kernel mean the kernel.  An empty name,
   with a LENGTH of 0, can mean every module. */
bool module_name_fits(const struct rossym_module *module, const char *name, size_t length);

#endif

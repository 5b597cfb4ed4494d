/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * modules.h - from a module's name in a log to an image
 *
 * Many files can have the name, and the file can have another one: the kernel, HAL and debugger DLL are logged as
 * ntoskrnl.exe, hal.dll and kdcom.dll whichever was loaded, and WinDbg leaves extensions out.  Where the log has the
 * module's DateStamp, it decides; else its size, if the log has that; else the order in which the user named places,
 * a file before a directory.  What could not be decided is said once, and so is a module that there is no image
 * for.
 *
 * An image is opened when it is first asked for an address.  Open files are few at a time, and what is read out of
 * archives is limited; what was not used for the longest time makes way.
 */
#ifndef LOG_MODULES_H
#define LOG_MODULES_H

#include "rossym.h"
#include "log/index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why there is no answer. */
enum why {
	WHY_ANSWERED,
	WHY_NO_BASE,		/* an address, and no module is known to be there */
	WHY_NO_MODULE,		/* no file of that name */
	WHY_NO_SYMBOLS,		/* its file has no table */
	WHY_BROKEN,		/* its file cannot be read */
	WHY_OUTSIDE,		/* beyond the image's end */
	WHY_UNKNOWN,		/* the table has nothing there */
	WHY_COUNT
};

const char *why_text(enum why why);

/* A module as logs name it. */
struct module {
	char *name;		/* lower case */
	struct module *next;
	uint32_t stamp;		/* what the log says about it, or 0 */
	uint64_t size;
	bool chosen;		/* file and why are valid */
	enum why why;		/* not to be had, and why; or WHY_ANSWERED */
	struct file *file;
	bool other_stamp;	/* the file's DateStamp is not the log's */
	bool said_missing, said_stamp, said_choice;
	unsigned long long tokens, answered;
};

struct modules {
	struct index index;
	const char **directories;	/* not yet in the index */
	size_t directory_count;
	bool indexed;
	bool verbose;
	bool failed;		/* something that was asked for could not be read */
	struct module **buckets;	/* by name */
	struct module **modules;	/* in the order of the log */
	size_t module_count, module_size;
	bool said_too_many;
	struct opened *open;	/* most recently used first */
	unsigned open_files;
	size_t open_bytes;
};

/* Nothing is read before it is needed; but what is not there is said at once.  False: no memory. */
bool modules_init(struct modules *modules);
bool modules_add_file(struct modules *modules, const char *path);
bool modules_add_directory(struct modules *modules, const char *path);
void modules_clear(struct modules *modules);

/* Read all directories and archives. */
void modules_index(struct modules *modules);

/* The module of that name, which may be a path.  NULL if there have been too many, or no memory. */
struct module *modules_get(struct modules *modules, const char *name, size_t length);

/* Whether NAME, perhaps with a path, is the module LOWER. */
bool modules_is_name(const char *name, size_t length, const char *lower);

/* The modules in the order in which the log named them, from *AT on, which is 0 at first; NULL: no more. */
const struct module *modules_next(const struct modules *modules, size_t *at);

/* The log says this about the module; 0: nothing. */
void modules_learn(struct module *module, uint32_t stamp, uint64_t size);

/* Forget what the log said. */
void modules_forget(struct modules *modules);

/* Look up RVA.  WHY_ANSWERED: the answer is in *FRAME and valid until the next call.  TENTATIVE: do not complain if
   there is no such module. */
enum why modules_lookup(struct modules *modules, struct module *module, uint64_t rva, bool tentative,
			struct rossym_frame *frame);

/* The image from which MODULE answered last, until something else is looked up; NULL if it is not open. */
struct rossym_image *modules_image(const struct module *module);

/* The label of the file that the module's answers come from, or NULL. */
const char *modules_file(const struct module *module, char *buffer, size_t size);

#endif

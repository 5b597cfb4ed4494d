/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * set.h - what a set is made of, for the files that implement the functions of rossym-set.h
 *
 * A module's name has one record, or one for each build of that name.  A base, which is an address at which a module is
 * loaded, refers to the record of that module.  A record refers to the file that was chosen as its image, and the file
 * has the image while it is open.
 */
#ifndef RS_SET_H
#define RS_SET_H

#include "rossym-set.h"
#include "search/listings.h"
#include "compat/hash.h"

#include <stdbool.h>

struct rs_set_module;

/* ------------------------------------------------------------------------------------- set-modules.c */

enum { RS_MODULE_NAME_LENGTH_MAX = 127 }; /* bytes, without the NUL */

/* KDBG, the debugger in the ReactOS kernel, prints the first 63 characters of a name.  So a name of this length may be
   the beginning of a longer one. */
enum { RS_CUT_NAME = 63 };

struct rs_base {
	uint64_t address;
	uint64_t size; /* bytes, or 0: not known */
	struct rs_set_module *module;
	bool fixed; /* stays when it is overlapped by other bases, or when all others are removed */
	bool user;  /* the module is loaded in a process, even if the address looks like the kernel's */
};

/* ------------------------------------------------------------------------------------- set-files.c */

struct rs_set_file {
	char *path;		   /* the path for rossym_open(); NULL: the callback `open` opens the file */
	void *handle;		   /* `file` of the struct rossym_candidate, for `open`; NULL if there is a path */
	bool known;		   /* opening has been tried: the fields from here to `debug_only` are valid */
	enum rossym_why why;	   /* ROSSYM_WHY_ANSWERED: the file has symbols; else ..._NO_SYMBOLS or ..._BROKEN */
	struct rossym_error error; /* if `why` is not ROSSYM_WHY_ANSWERED: what is wrong with the file */
	uint32_t stamp;
	uint32_t size_of_image;
	uint16_t machine;
	uint8_t guid[16];	       /* GUID of its PDB file, or its build-id; zeros: it has neither */
	uint32_t grade;		       /* how good its symbols are; 0 is the best (struct rossym_opened) */
	bool debug_only;	       /* the file has sections of code, but not their bytes: it is a debug file */
	struct rossym_opened opened;   /* opened.image is NULL while the image is closed */
	size_t made_bytes;	       /* bytes of the tables or answers that were made on demand for the image */
	size_t lookups;		       /* how many look-ups were announced since the image was opened */
	uint64_t used;		       /* the value of files->uses when the image was last used */
	struct rs_set_file *next_open; /* in the list of open images */
};

struct rs_set_files {
	struct rossym_set_options options; /* limits and callbacks; a limit of 0 has been replaced by its default */
	char **directories;		   /* copies of the options.directory_count names in the options */
	struct rs_set_file **items;	   /* all files; number N is items[N - 1] */
	uint32_t count, room;
	struct hash_table table;  /* finds the number of a file by its path or handle */
	uint64_t uses;		  /* how often images have been opened or used */
	struct rs_set_file *open; /* the list of open images */
	uint32_t open_count;	  /* how many images keep a file open */
	size_t open_bytes;	  /* bytes of images that keep no file open, and of what was made on demand */
};

/* Returns the record of the file at PATH or, if PATH is NULL, of HANDLE; makes one if there is none.  NULL:
   there is no memory. */
struct rs_set_file *rs_set_find_or_add_file(struct rs_set_files *files, const char *path, void *handle);

/*
 * Open the image of FILE, unless it is open or file->why says that it cannot be used, and make it the most recently
 * used one.  KEEP: do not close other images, even if a limit is exceeded.  Returns 0, and then the image is open, or
 * file->why is the reason why not; or -1 for ROSSYM_ENOMEM.
 */
int rs_set_file_open(struct rs_set_files *files, struct rs_set_file *file, bool keep, struct rossym_error *err);

/* Look up the COUNT addresses RVAS in FILE, whose image is open: store the answers in FRAMES as rossym_lookup_many()
   does and, if opened.look_up gives them, all frames in FOUND.  Returns 0 or -1. */
int rs_set_file_look_up(struct rs_set_file *file, const uint64_t *rvas, size_t count, unsigned flags,
			struct rossym_frame *frames, struct rossym_found *found, struct rossym_error *err);

/* Count the bytes of the tables or answers that were made for look-ups in the image of FILE, and close other images if
   the limit is exceeded.  Call this after look-ups. */
void rs_set_file_count_made_bytes(struct rs_set_files *files, struct rs_set_file *file);

/* Announce COUNT look-ups in FILE, which is open: build an index for its image if that saves time.  LOAD: read the
   whole table and the block, so that no later look-up reads the file.  Returns what rs_set_file_open() does; or -1,
   ROSSYM_EREFUSED, if LOAD is set and opened.look_up answers for FILE. */
int rs_set_file_prepare(struct rs_set_files *files, struct rs_set_file *file, bool load, size_t count,
			struct rossym_error *err);

/* Close the image of FILE and store REASON, with which opening or reading has failed, so that FILE is not opened again.
   Returns 0.  If REASON is ROSSYM_ENOMEM, only returns -1 with *ERR, because opening FILE again can succeed. */
int rs_set_file_handle_failure(struct rs_set_files *files, struct rs_set_file *file, const struct rossym_error *reason,
			       struct rossym_error *err);

/* Close the image of FILE, if it is open. */
void rs_set_file_close(struct rs_set_files *files, struct rs_set_file *file);

void rs_set_files_clear(struct rs_set_files *files);

/* ------------------------------------------------------------------------------------------ the set */

struct rs_set_module {
	struct rossym_module known;  /* the public part of the record */
	struct rs_set_module *other; /* the next build of the same name; after the last one comes the first */
	bool fixed;		     /* DateStamp, GUID, length and path change only with ROSSYM_LOADED_FIXED */
	char *path;		     /* path of the image, from rossym_set_add(); or NULL */
	struct rs_set_file *file;    /* the file that was chosen as its image, or NULL */
	char name[RS_MODULE_NAME_LENGTH_MAX + 1];
};

struct rossym_set {
	bool short_names;
	bool loaded; /* rossym_set_load() has returned 0, and nothing has changed since */
	/* for each name, 1 + the number of its current record; a name can have records of several builds */
	struct hash_table names;
	struct rs_set_module **modules; /* all records, by their numbers */
	uint32_t count, room;
	struct rs_base *bases; /* ascending by address */
	uint32_t base_count, base_room;
	struct rs_set_files files;
	struct listings listings; /* of the directories, which are searched if there is no callback `find` */
};

/* Whether two files or modules are of the same build, as far as their facts tell. */
enum rs_match { RS_MATCH_UNKNOWN, RS_MATCH_SAME, RS_MATCH_OTHER };

/* set-modules.c: compare two GUIDs.  Zeros mean that a GUID is not known. */
enum rs_match rs_compare_guids(const uint8_t *a, const uint8_t *b);

/* set-modules.c: whether KNOWN has a DateStamp or a GUID, which identify a build. */
bool rs_has_identity(const struct rossym_module *known);

/* set-modules.c: returns the RVA at which the image of MODULE ends; UINT64_MAX if this is unknown or it has none. */
uint64_t rs_set_get_end(const struct rs_set_module *module);

/* set-choose.c: choose the image of MODULE.  Opens candidates to compare them; the chosen one need not be open
   afterwards.  Returns 0: then module->file is the image, or it is NULL, and known.why has the reason.  Returns -1:
   ROSSYM_ENOMEM, or the error of `find`. */
int rs_set_choose_image(struct rossym_set *set, struct rs_set_module *module, struct rossym_error *err);

/* set-choose.c: call TAKE with CONTEXT and the path of each candidate for the image of MODULE, until TAKE returns
   false.  Opens no candidate.  Returns 0; or -1: ROSSYM_ENOMEM, or the error of `find`. */
int rs_set_visit_candidates(struct rossym_set *set, const struct rossym_module *module,
			    bool (*take)(void *context, const char *path), void *context, struct rossym_error *err);

#endif

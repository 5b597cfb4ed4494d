/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rossym-set.h - look up addresses in all the modules that a process or a system has loaded
 *
 * A set stores modules by name, and where they are loaded.  It finds, opens and closes their images itself: in
 * directories, or among the files that a callback of the program offers.
 *
 *     const char *const directories[] = { "C:\\Symbols" };
 *     struct rossym_set_options options = { .size = sizeof options, .open_flags = ROSSYM_OPEN_DEBUG_INFO,
 *                                           .directories = directories, .directory_count = 1 };
 *     struct rossym_answer answer = { .size = sizeof answer };
 *     rossym_set_create(&options, &set, &err);
 *     rossym_set_add(set, &loaded, &err);              for each module: its name and base, and what else is known
 *     if (rossym_set_lookup(set, address, 0, &answer, &err) > 0)
 *             rossym_symbolize(answer.image, answer.rva, NULL, symbols, ROSSYM_FRAMES_MAX, &err);
 *
 * Terms
 *     module      what the program says is loaded: a name, perhaps with a base, a length, a DateStamp, a path
 *     base        the address at which a module is loaded; base + RVA is an address
 *     DateStamp   the TimeDateStamp of the PE header, which tells builds of one module apart
 *     candidate   a file that may be a module's image
 *
 * Names     Names of modules are compared without path (both '/' and '\' end a directory) and without regard to the
 *           case of ASCII letters.  A name of more than 127 bytes is cut there by rossym_set_add() and refused by
 *           rossym_set_find().
 *
 * Choice    A module's image is chosen when it is first needed, and again after rossym_set_add() has given a new fact
 *           about the module.  These decide, in this order: whether DateStamp or GUID are the module's; whether the
 *           build is the one that runs, as far as the program knows (struct rossym_candidate); whether the length in
 *           pages is the module's; whether the user named the file (order 0); whether the file has the code, unlike a
 *           debug file; which grade is lower (struct rossym_opened); which candidate was offered first.  Candidates
 *           without symbols are never chosen.  If only a look-up finds out that there are none (rossym_opened.look_up),
 *           the choice is made again, without that candidate.  The fields of struct rossym_module say whether the image
 *           is of the module's build.  Kernel debuggers cut names at 63 characters.  So if a module's name has 63
 *           bytes, and no file has that name, the image can be a file whose longer name begins with it; but only if
 *           there is one such file, or if DateStamp, GUID or length decide.
 *
 * Threads   Different sets are independent.  A set may be used by one thread at a time.  After rossym_set_load()
 *           returned 0, any number of threads may call the functions that take a const set and all functions whose
 *           names begin with rossym_set_lookup, as long as nobody calls another function of this set.
 *
 * Signals   After rossym_set_load() returned 0, and until another function of this set is called, rossym_set_locate(),
 *           rossym_set_lookup() and rossym_set_lookup_rva() may be called in a signal handler: they neither allocate
 *           nor lock nor read files.  The same holds for rossym_frames_begin() and rossym_frames_next() with the
 *           answers of these functions.
 *
 * Lifetime  A struct rossym_module stays valid, at the same address, until rossym_set_destroy(); its fields change when
 *           facts are added, or when an image is chosen.  Images and strings of an answer are valid until the next call
 *           of a function of the set that does not take a const set; after rossym_set_load() returned 0, calls of
 *           functions whose names begin with rossym_set_lookup leave them valid, too.
 *
 * Errors    As in rossym.h: -1 and *ERR; ERR may be NULL.  No function prints anything.  Structures begin with their
 *           size, as there.  Structures without a size never change, but for those that the library owns, which can get
 *           more fields at their ends.
 */
#ifndef ROSSYM_SET_H
#define ROSSYM_SET_H

#include "rossym.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rossym_set;

/* Why an address has an answer, or none. */
enum rossym_why {
	ROSSYM_WHY_ANSWERED,   /* there is an answer */
	ROSSYM_WHY_NO_BASE,    /* no module is known to be at the address */
	ROSSYM_WHY_NO_MODULE,  /* there is no candidate for the module */
	ROSSYM_WHY_NO_SYMBOLS, /* the only candidates have no table */
	ROSSYM_WHY_BROKEN,     /* the only candidates cannot be read, or the chosen one is damaged */
	ROSSYM_WHY_OUTSIDE,    /* the RVA is beyond the image's end */
	ROSSYM_WHY_UNKNOWN,    /* the table has nothing there */
};

/* Returns an English phrase for WHY, such as "module not found".  It is a static string. */
const char *rossym_why_text(enum rossym_why why);

/* ------------------------------------------------------------------------------------------------ callbacks */

/* Which files the library asks `find` for.  The library fills it; names are in lower case. */
struct rossym_wanted {
	const char *name; /* the file's name, without path */
	/* NULL: a file called `name` is wanted.  Else: all files whose names begin with `name` and end with `suffix` */
	const char *suffix;
	uint32_t time_date_stamp; /* the module's DateStamp; 0: not known */
	uint64_t length;	  /* the module's length in bytes; 0: not known */
	uint8_t guid[16];	  /* the module's GUID; zeros: not known */
};

/* Whether a candidate is of the build that runs, as far as the program knows by other signs than its DateStamp: it
   comes from the same release, the same disc ... */
enum rossym_build {
	ROSSYM_BUILD_UNKNOWN,
	ROSSYM_BUILD_SAME, /* wins over candidates of unknown build, but for those of order 0 */
	/* chosen only if no other candidate is usable, or if its DateStamp or GUID is the module's; not even opened if
	   neither is possible */
	ROSSYM_BUILD_OTHER,
};

/* A file that may be a module's image. */
struct rossym_candidate {
	size_t size; /* sizeof(struct rossym_candidate) */
	/* the path with which the set opens the file, with ROSSYM_OPEN_WHOLE_STRINGS and `open_flags`; copied.  NULL:
	   the callback `open` opens the file */
	const char *path;
	void *file;	/* what `open` gets: the same pointer for the same file; ignored if there is a path */
	uint32_t order; /* 0: named by the user; all other numbers mean the same: not named by the user */
	enum rossym_build build;
};

/* The list to which the callback `find` adds candidates for one module; valid only during that call. */
struct rossym_candidates;

/* What the function `look_up` of struct rossym_opened finds at an address. */
struct rossym_found {
	const struct rossym_frame *frames; /* COUNT frames, from the innermost to the outermost */
	uint32_t count;			   /* 0: nothing is known */
};

/* An image that the callback `open` has opened.  The library sets all fields to 0 before it calls `open`. */
struct rossym_opened {
	struct rossym_image *image; /* the set closes it */
	void *content;		    /* NULL, or what the set gives to `release` after closing the image */
	size_t bytes;		    /* memory that the file's content takes, or 0: the image keeps a file open */
	/* 0: the image has a table.  1 to 3: debug information answers (ROSSYM_OPEN_DEBUG_INFO), or `look_up`; the
	   lower the number, the better are the answers */
	uint32_t grade;
	/* The next two are since 0.4.0. */
	/* NULL; or a function that answers in place of IMAGE, for example by asking a process that reads the debug
	   information.  Of IMAGE, the set then uses only headers and sections: ROSSYM_OPEN_HEADERS is enough.  The set
	   calls it for each look-up, so rossym_set_load() refuses such images.  RVAS are COUNT addresses, which may be
	   outside all sections; FLAGS are those of rossym_lookup().  Stores what is at address I in FOUND[I], which the
	   set has filled with 0, and returns 0.  Frames and strings must stay until the set calls `release`.  Or
	   returns -1 and an error, as `open` does.  After ROSSYM_ENOSYMS the set chooses another image. */
	int (*look_up)(struct rossym_opened *opened, const uint64_t *rvas, size_t count, unsigned flags,
		       struct rossym_found *found, struct rossym_error *err);
	/* Memory that answers take until `release`.  `look_up` may change it; it counts towards most_bytes */
	size_t kept;
};

/* How to make a set.  All fields but size may be 0. */
struct rossym_set_options {
	size_t size;	       /* sizeof(struct rossym_set_options) */
	unsigned flags;	       /* ROSSYM_SET_x */
	uint32_t most_modules; /* the most modules that are kept, and the most bases; 0: 8,192 */
	uint32_t most_open;    /* how many images may keep a file open; 0: 48 */
	size_t most_bytes;     /* how many bytes of content may be held; 0: 384 MiB */

	void *context; /* the first argument of the callbacks */

	/* Call rossym_set_offer() for each file that WANTED describes, in the order of preference.  Returns 0; or -1
	   and an error: then the call that needed the module fails with that error, and the next one calls `find`
	   again.  If `find` is NULL, only modules with a path have images, and those whose files are in DIRECTORIES.
	   The library calls `find` several times for one module, because the kernel and the HAL have other names in
	   logs than on disk, and because names in logs can lack the extension or be cut. */
	int (*find)(void *context, const struct rossym_wanted *wanted, struct rossym_candidates *candidates,
		    struct rossym_error *err);

	/* Open FILE, which was offered without a path, by a function of rossym.h.  Returns 0, or -1 and an error:
	   ROSSYM_ENOTPE, ROSSYM_EARCHIVE and ROSSYM_ENOSYMS mean that the file has no symbols for the set.  After
	   ROSSYM_ENOMEM the call that needed the file fails, and the next one calls `open` again.  All other codes mean
	   that the file is broken.  To stay within the limits, the set closes images and opens them again. */
	int (*open)(void *context, void *file, struct rossym_opened *opened, struct rossym_error *err);

	/* Free CONTENT.  `release` may be NULL: then nothing is freed. */
	void (*release)(void *context, void *content);

	/* The next three are since 0.4.0. */
	/* How the set opens files by their paths: ROSSYM_OPEN_DEBUG_INFO, and those flags that are for use with it; or
	   0: only tables answer */
	unsigned open_flags;
	/* NULL; or directories in which the set itself looks for images, unless there is a `find`.  It looks for
	   files with the module's name, in upper or lower case; in a symbol store, also by DateStamp and length.
	   When the set opens an image, the directories are its debug_directories, too (struct rossym_open_options).
	   Copied.  Each is listed once; rossym_set_forget() with ROSSYM_FORGET_IMAGES lets the set list them again */
	const char *const *directories;
	size_t directory_count;
};

/* For rossym_set_options.flags: a module that rossym_set_add() adds can also be found by its name without extension,
   and ntoskrnl.exe by the name nt.  Kernel debuggers use these names. */
#define ROSSYM_SET_SHORT_NAMES 1u

/*
 * Create a set without modules.  OPTIONS may be NULL, and is not kept.  Returns 0 and stores in *RET a set that the
 * caller must give to rossym_set_destroy(); or -1 (ROSSYM_ENOMEM, ROSSYM_EREFUSED).
 */
int rossym_set_create(const struct rossym_set_options *options, struct rossym_set **ret, struct rossym_error *err);

/* Close all images and free all that SET owns.  SET may be NULL.  Cannot fail. */
void rossym_set_destroy(struct rossym_set *set);

/*
 * Add CANDIDATE to CANDIDATES.  Only `find` may call this.  A file that has been offered before for the same module is
 * ignored, and so are all after the sixty-fourth.  Returns 0, or -1 (ROSSYM_ENOMEM, ROSSYM_EREFUSED).
 */
int rossym_set_offer(struct rossym_candidates *candidates, const struct rossym_candidate *candidate,
		     struct rossym_error *err);

/* ------------------------------------------------------------------------------------------------ modules */

/* A module that is loaded. */
struct rossym_loaded {
	size_t size;	    /* sizeof(struct rossym_loaded) */
	unsigned flags;	    /* ROSSYM_LOADED_x */
	const char *name;   /* may be a path; need not end in NUL if name_length is not 0; copied */
	size_t name_length; /* bytes of the name; 0: it ends in a NUL */
	const char *path;   /* the image's file, a candidate of order 0; copied.  NULL: not known */
	uint64_t base;
	uint64_t length;	  /* bytes of the module in memory; 0: not known */
	uint32_t time_date_stamp; /* 0: not known */
	/* the GUID of its PDB file, or its build-id, as in struct rossym_debug_reference; zeros: not known */
	uint8_t guid[16];
};

/* The facts of this call stay until the set is destroyed: later calls without this flag do not change them. */
#define ROSSYM_LOADED_FIXED 1u

/* It is not known where the module is loaded: `base` is ignored, and only the other facts are stored. */
#define ROSSYM_LOADED_ANYWHERE 2u

/* The module belongs to a user-mode process, even if its base looks like a kernel address: ROSSYM_FORGET_USER forgets
   this base.  Without this flag, a base from 2 to 4 GiB, which a 32-bit process can have, is taken for the kernel's. */
#define ROSSYM_LOADED_USER 4u

/*
 * Add a module that is loaded.  If it overlaps modules that were added before, these have been unloaded, so the set
 * forgets their bases, unless the bases are fixed.  Facts that LOADED lacks, and that an earlier call gave for the same
 * module, stay.  Several builds of one name can be loaded at once: where GUIDs, DateStamps or paths differ, each has a
 * module record of its own.  If LOADED and an image both have a GUID, the GUIDs decide whether the image is of this
 * build; else the DateStamps do.
 *
 * Returns 0; or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for a name that is empty or has a NUL, a module that goes beyond
 * the end of the address space, or one too many (most_modules).  If the base could not be added, because memory ran out
 * or there are too many, all bases that are not fixed are forgotten: an address in this module must not get an answer
 * of the module below it.
 */
int rossym_set_add(struct rossym_set *set, const struct rossym_loaded *loaded, struct rossym_error *err);

/* For rossym_set_forget(): forget only the bases of modules in processes.  They are those at user-mode addresses (below
   2 GiB, or from 4 GiB up to 128 TiB), and those that were added with ROSSYM_LOADED_USER.
   DateStamps and lengths stay. */
#define ROSSYM_FORGET_USER 1u

/* For rossym_set_forget(): forget which images were chosen, and keep all facts.  A program uses it when other files can
   be offered than before. */
#define ROSSYM_FORGET_IMAGES 2u

/*
 * Forget where modules are loaded, and their lengths, DateStamps, GUIDs and paths, but for what is fixed.  FLAGS is 0,
 * or one of ROSSYM_FORGET_x to forget only what that flag names.  Returns 0, or -1 (ROSSYM_EREFUSED).
 */
int rossym_set_forget(struct rossym_set *set, unsigned flags, struct rossym_error *err);

/* A module, as the set knows it.  The library owns and fills it. */
struct rossym_module {
	uint32_t number;	  /* counted from 0, in the order in which modules were first named */
	const char *name;	  /* the module's name in lower case, without path */
	uint32_t time_date_stamp; /* from rossym_set_add(), or 0 */
	uint64_t length;	  /* in bytes, from rossym_set_add(), or 0 */

	int chosen;		   /* 1: an image has been looked for; the fields below are valid */
	enum rossym_why why;	   /* ANSWERED: there is an image; else NO_MODULE, NO_SYMBOLS or BROKEN */
	struct rossym_error error; /* for NO_SYMBOLS and BROKEN: what is wrong with the image */
	const char *path;	   /* the image's path, as it was given or offered; NULL if it has none */
	void *file;		   /* the image's file, as it was offered without a path; else NULL */
	uint32_t image_stamp;	   /* the image's DateStamp */
	/* 1: rossym_set_add() gave a GUID or a DateStamp, and the image has another one: it is of another build */
	int other_stamp;
	/* The rival: another candidate, of another build, that fits the known facts as well as the image.  With
	   NO_MODULE: one of several files whose names begin with this name, which may be cut.  Its path; NULL if there
	   is no rival, or if it was offered without a path */
	const char *rival_path;
	void *rival_file;	/* the rival as it was offered, if it has no path; else NULL */
	uint8_t guid[16];	/* from rossym_set_add(), or zeros */
	uint8_t image_guid[16]; /* the image's GUID; zeros: it has none */
};

/*
 * Find the module NAME, of LENGTH bytes; it may be a path.  A name that is new becomes a module without base.  If
 * several builds have that name, the one that rossym_set_add() was last called for is found, or a fixed one if there is
 * one.  Returns 0 and stores the module in *MODULE; or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for a name that is empty,
 * too long or has a NUL, or if there are too many modules.
 */
int rossym_set_find(struct rossym_set *set, const char *name, size_t length, const struct rossym_module **module,
		    struct rossym_error *err);

/* Store module NUMBER, counted from 0, in *MODULE.  Returns 1, or 0 if there is no such module. */
int rossym_set_get_module(const struct rossym_set *set, uint32_t number, const struct rossym_module **module);

/*
 * Find the module that is loaded at ADDRESS: the one with the greatest base at or below it, unless ADDRESS is beyond
 * its length.  If its length is not known, that of its image counts, when an image has been chosen.  Without an image
 * the module is taken to reach to the next module, but not more than 4 GiB, and never from user-mode addresses
 * (ROSSYM_FORGET_USER) to others.
 * Returns 1 and stores the module in *MODULE and ADDRESS - base in *RVA; or returns 0.
 */
int rossym_set_locate(const struct rossym_set *set, uint64_t address, const struct rossym_module **module,
		      uint64_t *rva);

/* ------------------------------------------------------------------------------------------------ look-ups */

/* The answer for an address. */
struct rossym_answer {
	size_t size; /* sizeof(struct rossym_answer) */
	enum rossym_why why;
	const struct rossym_module *module; /* NULL for ROSSYM_WHY_NO_BASE */
	uint64_t rva;			    /* the address as RVA in the module; 0 for ROSSYM_WHY_NO_BASE */
	/* the module's image, if ANSWERED, OUTSIDE or UNKNOWN; else NULL.  It belongs to the set: do not close it */
	struct rossym_image *image;
	struct rossym_frame frame; /* if ANSWERED; else all 0 */
	/* If the function `look_up` of struct rossym_opened has answered: all frames, of which `frame` is the first.
	   Else all 0: rossym_frames_begin() gives them.  Since 0.4.0 */
	struct rossym_found found;
};

/*
 * Find what is known about ADDRESS, an address in one of the loaded modules; or about RVA in MODULE, a module of SET.
 * Addresses are taken as they are: subtract 1 from a return address first.  FLAGS is that of rossym_lookup().  Returns
 * 1 if there is an answer; or 0 if there is none, and ANSWER->why is the reason.  Fills *ANSWER in both cases.  Returns
 * -1: ROSSYM_ENOMEM, ROSSYM_EREFUSED for flags or ANSWER->size, or the error of `find`.  An image that cannot be read
 * is no error, but ROSSYM_WHY_BROKEN.  After rossym_set_load(), only ROSSYM_EREFUSED makes these functions fail.
 */
int rossym_set_lookup(struct rossym_set *set, uint64_t address, unsigned flags, struct rossym_answer *answer,
		      struct rossym_error *err);
int rossym_set_lookup_rva(struct rossym_set *set, const struct rossym_module *module, uint64_t rva, unsigned flags,
			  struct rossym_answer *answer, struct rossym_error *err);

/*
 * Look up COUNT addresses: calls VISIT once for each, with CONTEXT, the index of the address in ADDRESSES, and its
 * answer.  Addresses of one module follow one another, in their order in ADDRESSES, so that each image is opened once.
 * The answer is valid during the call of VISIT, which may call only functions of the set that take a const set.  Takes
 * 16 bytes of memory for each address meanwhile.  Returns 0, or -1 as rossym_set_lookup(); some addresses may have been
 * visited by then.
 */
int rossym_set_lookup_many(struct rossym_set *set, const uint64_t *addresses, size_t count, unsigned flags,
			   void (*visit)(void *context, size_t index, const struct rossym_answer *answer),
			   void *context, struct rossym_error *err);

/*
 * Choose, open and read the images of all modules, and build their indexes.  They stay open until rossym_set_add(),
 * rossym_set_forget(), rossym_set_find() with a new name or rossym_set_destroy() is called.  The limits of the options
 * do not hold here: this takes as many open files as there are modules with images, and for each the memory of
 * rossym_prepare().  Returns 0: then the fields of each module say whether it has an image, and all tables that
 * look-ups will use are sound.  Returns -1: ROSSYM_ENOMEM, the error of `find`, or ROSSYM_EREFUSED if an image has a
 * function `look_up`.
 */
int rossym_set_load(struct rossym_set *set, struct rossym_error *err);

#ifdef __cplusplus
}
#endif

#endif /* ROSSYM_SET_H */

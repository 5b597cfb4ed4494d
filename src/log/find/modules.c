// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/modules.h"
#include "log/read/chars.h"
#include "tool/files/search-path.h"
#include "search/symbol-store.h"
#include "tool/array.h"
#include "tool/diag.h"
#include "tool/strbuf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* A limit for hostile logs: no real system has so many modules. */
enum { MODULES_MAX = 8192 };

/* Report that FILE cannot be used. */
static void report_unusable_file(struct modules *modules, struct file *file, const struct rossym_error *err)
{
	diag_image_error(file->label, err);
	modules->failed = true;
	file->reported_broken = true;
}

/* -------------------------------------------------------------------- adding places to the index, and reading them */

void modules_add_places(struct modules *modules)
{
	struct index *index = &modules->index;
	if (modules->places_added)
		return;
	modules->places_added = true;
	if (modules->default_places && !index_add_default_places(index, modules->asker != NULL))
		modules->failed = true;
	index->whole_count = index->places.count;
	modules->out_of_memory |= !search_path_add_symbols(&index->places, modules->symbol_path);
}

void modules_read_index(struct modules *modules)
{
	modules_add_places(modules);
	index_read_places(&modules->index);
}

/* ------------------------------------------------------------------------------------ functions that the set calls */

/* Read FILE, which is in an archive.  After an error, reports it (a used-up budget only once), and returns NULL. */
static struct content *read_content(struct modules *modules, struct file *file, struct rossym_error *err)
{
	struct archives_error why;
	struct content *content = archives_read_file(modules->index.archives, &file->place, &why);
	if (content)
		return content;
	if (!why.reported && !(why.over_budget && modules->reported_over_budget))
		diag("%s: %s", file->label, why.what);
	modules->failed = true;
	if (why.over_budget) {
		modules->reported_over_budget = modules->over_budget = true;
		/* ROSSYM_ENOMEM, because after this error the set asks for the file again later. */
		*err = (struct rossym_error){ .code = ROSSYM_ENOMEM };
	} else {
		file->reported_broken = true;
		*err = (struct rossym_error){ .code = ROSSYM_EDAMAGED, .what = "cannot be read out of its archive" };
	}
	return NULL;
}

/* Report that FILE cannot answer, as ERR says.  If FILE has no symbols, or is no image, that is an error only if the
   user has named FILE; otherwise it is reported with -v only.  With --missing, a file without symbols is not reported:
   the list says which file has them.  But a file with an MZ header whose other headers cannot be read (offset > 0) may
   be the wanted module, and is always reported. */
static void report_useless_file(void *context, struct file *file, const struct rossym_error *err)
{
	struct modules *modules = context;
	const bool is_damaged = err->code != ROSSYM_ENOSYMS && err->code != ROSSYM_ENOTPE &&
				err->code != ROSSYM_EARCHIVE;
	if (modules->lists_missing && err->code == ROSSYM_ENOSYMS)
		return;
	if (is_damaged || file->order == 0)
		report_unusable_file(modules, file, err);
	else if (modules->verbose || (err->code == ROSSYM_ENOTPE && err->offset > 0))
		diag_image_error(file->label, err);
}

/* Parts of an open image: they are freed after it is closed. */
struct image_parts {
	struct content *content;   /* the file's bytes if it is in an archive; or NULL */
	struct asked_image *asked; /* answers for the image; NULL: it has a table */
};

/* The function `release` of struct rossym_set_options: frees CONTENT, the parts of an image that was closed. */
static void release_for_set(void *context, void *content)
{
	const struct modules *modules = context;
	struct image_parts *parts = content;
	if (parts->asked)
		asked_image_free(parts->asked);
	archives_release_content(modules->index.archives, parts->content);
	free(parts);
}

/* The function `look_up` of struct rossym_opened: finds the frames at COUNT addresses in debug information. */
static int look_up_for_set(struct rossym_opened *opened, const uint64_t *rvas, size_t count, unsigned flags,
			   struct rossym_found *found, struct rossym_error *err)
{
	const struct image_parts *parts = opened->content;
	struct rossym_section section;
	int result = 0;
	(void)flags;
	for (size_t i = 0; i < count && result == 0; i++)
		if (rossym_section_at(opened->image, rvas[i], &section, NULL) > 0)
			result = asked_image_look_up(parts->asked, (uint32_t)rvas[i], &found[i], &opened->kept, err);
	return result;
}

/* Open FILE.  If it has no table, its debug information answers.  Returns 0, or -1 with *ERR. */
static int open_image_or_debug_files(struct modules *modules, struct file *file, struct image_parts *parts,
				     struct rossym_opened *opened, struct rossym_error *err)
{
	const struct rossym_open_options options = { .size = sizeof options, .flags = ROSSYM_OPEN_WHOLE_STRINGS };
	if (file_image_open(file, parts->content, &options, &opened->image, err) == 0)
		return 0;
	if (err->code != ROSSYM_ENOSYMS || !modules->asker)
		return -1;
	const struct rossym_error why = *err;
	const struct asked_subject from = { &modules->index, file, parts->content, report_useless_file, modules };
	int grade = asked_image_open_and_grade(modules->asker, &from, &why, &opened->image, &parts->asked, err);
	opened->grade = grade > 0 ? (uint32_t)grade : 0;
	opened->look_up = look_up_for_set;
	return grade > 0 ? 0 : -1;
}

/* The function `open` of struct rossym_set_options: opens the file HANDLE as the image of a module. */
static int open_for_set(void *context, void *handle, struct rossym_opened *opened, struct rossym_error *err)
{
	struct modules *modules = context;
	struct file *file = handle;
	struct image_parts *parts = calloc(1, sizeof *parts);
	if (!parts)
		return diag_store_no_memory(err);
	if (file->inside && !(parts->content = read_content(modules, file, err))) {
		free(parts);
		return -1;
	}
	if (open_image_or_debug_files(modules, file, parts, opened, err) == 0) {
		opened->content = parts;
		opened->bytes = parts->content ? parts->content->size : 0;
		return 0;
	}
	release_for_set(modules, parts);
	/* If there was no memory, nothing is wrong with the file. */
	if (err->code != ROSSYM_ENOMEM)
		report_useless_file(modules, file, err);
	return -1;
}

/* A search in symbol stores for the image of a module that has the wanted DateStamp. */
struct stored_search {
	struct modules *modules;
	const struct rossym_wanted *wanted;
	size_t place; /* the store is index.places.items[place] */
	bool found;
};

/* Whether PATH is an image with the DateStamp STAMP and with symbols. */
static bool has_stamp_and_symbols(struct modules *modules, const char *path, uint32_t stamp)
{
	struct rossym_info info = { .size = sizeof info };
	struct rossym_opened opened = { .image = NULL };
	struct image_parts parts = { .content = NULL };
	struct rossym_error err;
	struct file *file = index_get_outside_file(&modules->index, path);
	if (!file || open_image_or_debug_files(modules, file, &parts, &opened, &err) < 0)
		return false;
	rossym_get_info(opened.image, &info, NULL);
	rossym_close(opened.image);
	if (parts.asked)
		asked_image_free(parts.asked);
	return info.time_date_stamp == stamp;
}

/* Add the file PATH of a symbol store to the index if it is the wanted one.  Returns whether the search must go on. */
static bool try_stored_file(void *context, const char *path)
{
	struct stored_search *search = context;
	search->found = has_stamp_and_symbols(search->modules, path, search->wanted->time_date_stamp) &&
			index_add_if_missing(&search->modules->index, search->wanted->name, path, search->place);
	return !search->found;
}

/* Search the symbol stores among the places FIRST to END - 1 for the file of module WANTED with the wanted DateStamp,
   and add it to the index.  Returns whether it was found. */
static bool add_from_stores(struct modules *modules, const struct rossym_wanted *wanted, size_t first, size_t end)
{
	struct stored_search search = { .modules = modules, .wanted = wanted, .place = first };
	char key[16];
	const struct symbol_store_wanted in_store = { .name = wanted->name, .key = key, .beginning = true };
	snprintf(key, sizeof key, "%08" PRIX32, wanted->time_date_stamp);
	for (; wanted->time_date_stamp && !search.found && search.place < end; search.place++)
		modules->out_of_memory |= !rs_symbol_store_find_files(&modules->index.listings,
								      modules->index.places.items[search.place],
								      &in_store, try_stored_file, &search);
	return search.found;
}

void modules_report_builds(const struct modules *modules, bool (*say)(const char *format, ...))
{
	for (size_t i = 0; i < modules->builds.count; i++) {
		const struct image_place *place = modules->builds.places[i];
		if (place->build.name[0])
			say("%s: build %s", place->path, place->build.name);
	}
}

/* Add to the index all files that may be the module WANTED.  Reading all directories can take long, so that is done
   only if no symbol store has a file with the wanted DateStamp.  The set calls this several times for one module, first
   without a suffix. */
static void add_possible_files_to_index(struct modules *modules, const struct rossym_wanted *wanted)
{
	struct index *index = &modules->index;
	modules_add_places(modules);
	if (!wanted->suffix)
		modules->is_stored = !index->read && add_from_stores(modules, wanted, 0, index->whole_count);
	if (modules->is_stored)
		return;
	modules_read_index(modules);
	if (!wanted->suffix && index->whole_count < index->places.count) {
		modules->out_of_memory |= !index_add_files_called(index, wanted->name);
		add_from_stores(modules, wanted, index->whole_count, index->places.count);
	}
	const bool first = !modules->builds.read;
	if (!modules->says_builds && !modules->builds.chosen && !build_is_known(&modules->builds.wanted))
		return;
	/* Find out which places have the build of the log.  With -v, report once which place has which build. */
	modules_read_builds(modules);
	if (first && modules->verbose)
		modules_report_builds(modules, diag);
}

/* Offer to the set the files that may be the module WANTED. */
static int offer_files_to_set(void *context, const struct rossym_wanted *wanted, struct rossym_candidates *candidates,
			      struct rossym_error *err)
{
	struct modules *modules = context;
	add_possible_files_to_index(modules, wanted);
	return candidates_offer(&modules->index, &modules->builds, &modules->firmware, wanted, candidates, err);
}

/* -------------------------------------------------------------------- files and directories that the user names */

bool modules_init(struct modules *modules, bool default_places)
{
	struct rossym_set_options options = {
		.size = sizeof options,
		.flags = ROSSYM_SET_SHORT_NAMES,
		.most_modules = MODULES_MAX,
		.context = modules,
		.find = offer_files_to_set,
		.open = open_for_set,
		.release = release_for_set,
	};
	*modules = (struct modules){ .default_places = default_places, .index.discs = default_places };
	builds_init(&modules->builds);
	return rossym_set_create(&options, &modules->set, NULL) == 0;
}

/* Returns whether PATH exists.  If not, reports that: now, when the option is read, and not later, when the first
   address needs the file.  WHAT is what PATH should name, for the message, such as "an image". */
static bool report_if_absent(struct modules *modules, const char *path, const char *what)
{
	/* Use access(), because on Windows stat() does not find "C:\symbols\". */
	if (*path && access(path, F_OK) == 0)
		return true;
	if (*path)
		diag("%s: %s", path, strerror(errno));
	else
		diag("the name of %s is empty", what);
	modules->failed = true;
	return false;
}

int modules_take_file(void *context, const char *path)
{
	struct modules *modules = context;
	const char *equals = strchr(path, '='), *file = path;
	char *name = NULL;
	modules->default_places = false;
	/* PATH is NAME=FILE, unless there is a file that has all of this as its name. */
	if (equals && equals > path && access(path, F_OK) != 0) {
		file = equals + 1;
		name = copy_text(path, (size_t)(equals - path));
		if (!name)
			return diag_memory_exit_status();
	}
	const bool good = !report_if_absent(modules, file, "an image") || index_add_file(&modules->index, file, name);
	free(name);
	return good ? -1 : 1;
}

int modules_take_debug_file(void *context, const char *path)
{
	struct modules *modules = context;
	return report_if_absent(modules, path, "a debug file") ? search_path_add_path(&modules->index.debug_files, path)
							       : -1;
}

int modules_take_directory(void *context, const char *path)
{
	struct modules *modules = context;
	modules->default_places = false;
	if (!report_if_absent(modules, path, "a directory or an archive"))
		return -1;
	const int status = search_path_add_path(&modules->index.places, path);
	modules->index.whole_count = modules->index.places.count;
	return status;
}

bool modules_have_place(struct modules *modules)
{
	if (modules->default_places)
		modules_read_index(modules);
	return (!modules->default_places && modules->index.whole_count > 0) || modules->index.count > 0;
}

void modules_clear(struct modules *modules)
{
	rossym_set_destroy(modules->set);
	builds_clear(&modules->builds);
	index_clear(&modules->index);
	wanted_files_clear(&modules->wanted);
	free(modules->notes);
}

/* ---------------------------------------------------------------------------------- modules that are loaded */

/* Handle ERR, the reason why the set has refused a module: an invalid name, too many modules, or no memory.  Report
   only that there are too many, and only once. */
static void report_refusal(struct modules *modules, const struct rossym_error *err)
{
	const struct rossym_module *last;
	modules->out_of_memory |= err->code == ROSSYM_ENOMEM;
	if (modules->reported_too_many || !rossym_set_get_module(modules->set, MODULES_MAX - 1, &last))
		return;
	modules->reported_too_many = true;
	diag_warning("more than %d module names in the log; the others are left out", (int)MODULES_MAX);
}

void modules_record_loaded(struct modules *modules, const struct rossym_loaded *loaded)
{
	struct rossym_loaded given = *loaded;
	struct rossym_error err;
	/* Noise on a serial line can put a NUL into a name: cut the name there.  If the module were left out, its
	   addresses would be taken for those of the module before it in memory. */
	given.name = base_name(given.name, &given.name_length);
	given.name_length = strnlen(given.name, given.name_length);
	/* If there were too many load addresses, the first call has made the set forget them: so call it again. */
	if (rossym_set_add(modules->set, &given, &err) < 0 && rossym_set_add(modules->set, &given, &err) < 0)
		report_refusal(modules, &err);
	const struct rossym_module *module = modules_get_module(modules, given.name, given.name_length);
	struct module_notes *notes = module ? modules_get_notes(modules, module) : NULL;
	if (notes)
		notes->loaded |= !(given.flags & ROSSYM_LOADED_ANYWHERE);
}

const struct rossym_module *modules_get_module(struct modules *modules, const char *name, size_t length)
{
	const struct rossym_module *module;
	struct rossym_error err;
	if (rossym_set_find(modules->set, name, length, &module, &err) == 0)
		return module;
	report_refusal(modules, &err);
	return NULL;
}

/* Look up RVA in MODULE, which has NOTES.  If its image is chosen now, store in NOTES which file was left out
   (candidates.h).  Returns 0; or -1 if a budget is used up, or there is no memory. */
static int look_up_and_record_left_out(struct modules *modules, const struct rossym_module *module,
				       struct module_notes *notes, uint64_t rva, struct rossym_answer *answer)
{
	const bool was_chosen = module->chosen;
	answer->size = sizeof *answer;
	modules->firmware.left_out = NULL;
	modules->over_budget = false;
	if (modules->asker)
		modules->asker->over_budget = false;
	const int status = rossym_set_lookup_rva(modules->set, module, rva, 0, answer, NULL) < 0 ? -1 : 0;
	if (!was_chosen)
		notes->left_out = modules->firmware.left_out;
	modules->out_of_memory |= status < 0 && !modules->over_budget &&
				  !(modules->asker && modules->asker->over_budget);
	return status;
}

bool modules_get_image_info(struct modules *modules, const struct rossym_module *module, struct rossym_info *info)
{
	struct rossym_answer answer;
	struct module_notes *notes = modules_get_notes(modules, module);
	if (!notes || look_up_and_record_left_out(modules, module, notes, 0, &answer) < 0)
		return false;
	return answer.image && rossym_get_info(answer.image, info, NULL) == 0;
}

void modules_prefer_build(struct modules *modules, const struct build *build, const struct image_place *place)
{
	if (builds_set_wanted(&modules->builds, build, place))
		rossym_set_forget(modules->set, ROSSYM_FORGET_IMAGES, NULL);
}

void modules_set_machine(struct modules *modules, uint16_t machine)
{
	if (modules->firmware.machine != machine && modules->firmware.met)
		rossym_set_forget(modules->set, ROSSYM_FORGET_IMAGES, NULL);
	modules->firmware.machine = machine;
}

void modules_read_builds(struct modules *modules)
{
	modules_read_index(modules);
	builds_find_places(&modules->builds, &modules->index);
	modules->out_of_memory |= modules->builds.out_of_memory;
}

const struct file *modules_image_file(const struct rossym_module *module)
{
	return module->chosen && module->why == ROSSYM_WHY_ANSWERED ? module->file : NULL;
}

const struct build *modules_get_build(const struct rossym_module *module)
{
	return builds_get_build(modules_image_file(module));
}

bool modules_is_undecided(struct modules *modules, const struct rossym_module *module)
{
	if (modules->builds.chosen || !modules_image_file(module) || (module->time_date_stamp && !module->other_stamp))
		return false;
	if (module->rival_path)
		return true;
	/* Only one place has the module, but the log can still be of the build of another place. */
	if (!modules->builds.read)
		modules_read_builds(modules);
	return modules_get_build(module) && builds_are_several(&modules->builds);
}

struct module_notes *modules_get_notes(struct modules *modules, const struct rossym_module *module)
{
	if (ARRAY_REACH(modules->notes, modules->note_room, module->number))
		return &modules->notes[module->number];
	modules->out_of_memory = true;
	return NULL;
}

/* ------------------------------------------------------------ messages about modules and their images */

static void warn_missing_image(const struct modules *modules, const struct rossym_module *module,
			       const struct module_notes *notes)
{
	const struct file *rival = module->rival_file;
	if (module->why != ROSSYM_WHY_NO_MODULE)
		diag_warning("%s: %s", module->name, rossym_why_text(module->why));
	else if (rival)
		diag_warning("%s: the name may be cut, and %s is not the only file that begins so", module->name,
			     rival->label);
	else if (notes->left_out)
		diag_warning("%s: %s is of another machine than the exception in the log", module->name,
			     notes->left_out->label);
	else if (modules->index.count == 0 && modules->index.whole_count > 0 && !modules->default_places)
		diag_warning("%s: there are no images below %s%s", module->name, modules->index.places.items[0],
			     modules->index.whole_count > 1 ? " and in the other places" : "");
	else if (modules->index.count == 0 && modules->index.places.count == 0)
		diag_warning("%s: no modules given; see -e and -d", module->name);
	else
		diag_warning("%s: module not found", module->name);
}

/* Write to BUFFER the label of FILE, and if its answers come from debug information, the label of the file that has it.
   Returns BUFFER. */
static const char *write_file_names(const struct file *file, char *buffer, size_t size)
{
	const struct file *from = file->debug_file;
	snprintf(buffer, size, "%s%s%s", file->label,
		 !from		? ""
		 : from == file ? ", its debug information"
				: ", debug information of ",
		 from && from != file ? from->label : "");
	return buffer;
}

/* Report what is new about MODULE's image, which may have changed because the log has another DateStamp. */
static void report_image(const struct modules *modules, const struct rossym_module *module, struct module_notes *notes)
{
	char label[1300];
	const struct file *file = module->file, *rival = module->rival_file;
	bool same = notes->reported_image == file;
	if (module->other_stamp && !(same && notes->reported_stamp == module->time_date_stamp))
		diag_warning("%s: the log has DateStamp %08" PRIx32 ", %s has %08" PRIx32, module->name,
			     module->time_date_stamp, file->label, module->image_stamp);
	if (rival && !notes->reported_choice) {
		diag_warning("%s: not the only one, nothing in the log decides; taking %s, not %s", module->name,
			     file->label, rival->label);
		notes->reported_choice = true;
	}
	if (modules->verbose && !same)
		diag("%s: %s", module->name, write_file_names(file, label, sizeof label));
	notes->reported_image = file;
	notes->reported_stamp = module->time_date_stamp;
}

/* The most images of one name that are opened; the set considers no more for a module. */
enum { MISSING_IMAGES_MAX = 64 };

/* Add to WANTED the files with symbols for IMAGE, which is FILE, unless another file already answers for FILE. */
static void add_wanted_symbols(struct wanted_files *wanted, struct rossym_image *image, const struct file *file)
{
	if (!file->debug_file || file->debug_file == file)
		wanted_files_add_symbols(wanted, image, file->inside ? file->inside : file->path);
}

/* If FILE can be MODULE's image by its DateStamp, add to modules->wanted the files with its symbols: the set has not
   chosen FILE, so FILE has none itself.  Returns whether FILE can be that image. */
static bool add_symbols_if_image(struct modules *modules, const struct rossym_module *module, const struct file *file)
{
	struct rossym_info info = { .size = sizeof info };
	struct rossym_opened headers;
	if (!file_image_unpack_and_open(&modules->index, file, ROSSYM_OPEN_HEADERS, &headers, NULL))
		return false;
	rossym_get_info(headers.image, &info, NULL);
	const bool is = !module->time_date_stamp || info.time_date_stamp == module->time_date_stamp;
	if (is)
		add_wanted_symbols(&modules->wanted, headers.image, file);
	file_image_close(&modules->index, &headers, true);
	return is;
}

/* Call add_symbols_if_image() for all files with the name of MODULE.  Returns whether it has returned true for one.  A
   file in a symbol store is not in the index if it has no symbols, so index->others is searched, too. */
static bool add_symbols_of_all_named(struct modules *modules, const struct rossym_module *module)
{
	const struct index *index = &modules->index;
	size_t count;
	unsigned opened = 0;
	bool is = false;
	struct file **files = index_find(&modules->index, module->name, strlen(module->name) + 1, &count);
	for (size_t i = 0; i < count && opened < MISSING_IMAGES_MAX; i++, opened++)
		is |= add_symbols_if_image(modules, module, files[i]);
	for (size_t i = 0; i < index->other_count && opened < MISSING_IMAGES_MAX; i++)
		if (strcmp(index->others[i]->name, module->name) == 0) {
			is |= add_symbols_if_image(modules, module, index->others[i]);
			opened++;
		}
	return is;
}

/* Store in modules->wanted which file would help to answer more for MODULE, whose last look-up gave ANSWER: an image of
   the module's build, if there is none; or the PDB file or debug file that the image names, if it has no debug
   information.  Does nothing if the last call was for the same facts (struct noted). */
static void record_missing_file(struct modules *modules, const struct rossym_module *module, struct module_notes *notes,
				const struct rossym_answer *answer)
{
	const struct file *file = module->file;
	const struct noted now = { true,	   module->why, module->time_date_stamp,
				   module->length, file,	file ? file->debug_file : NULL };
	const struct noted *last = &notes->noted;
	if (last->is && last->why == now.why && last->stamp == now.stamp && last->length == now.length &&
	    last->file == now.file && last->debug_file == now.debug_file)
		return;
	notes->noted = now;
	if (file && answer->image && !module->other_stamp)
		add_wanted_symbols(&modules->wanted, answer->image, file);
	else if (answer->image || module->why == ROSSYM_WHY_BROKEN || !add_symbols_of_all_named(modules, module))
		wanted_files_add_image(&modules->wanted, module->name, module->time_date_stamp, module->length);
}

void modules_look_up(struct modules *modules, const struct rossym_module *module, uint64_t rva, bool tentative,
		     struct rossym_answer *answer)
{
	struct module_notes *notes = modules_get_notes(modules, module);
	if (!notes || look_up_and_record_left_out(modules, module, notes, rva, answer) < 0) {
		*answer = (struct rossym_answer){ .why = ROSSYM_WHY_BROKEN, .module = module, .rva = rva };
		return;
	}
	const bool is_module = module->file ||
			       !(tentative && module->why == ROSSYM_WHY_NO_MODULE && !module->rival_file);
	if (modules->lists_missing && is_module)
		record_missing_file(modules, module, notes, answer);
	if (module->file) {
		report_image(modules, module, notes);
		/* Report what is wrong with the image, as the look-up has found out. */
		struct file *file = module->file;
		if (module->why != ROSSYM_WHY_ANSWERED && !file->reported_broken)
			report_unusable_file(modules, file, &module->error);
		if (answer->image && !file->reported_short && rossym_stayed_short(answer->image, NULL)) {
			diag_warn_of_cut_names(answer->image, file->label);
			file->reported_short = true;
		}
	} else if (is_module && !notes->reported_missing && !modules->lists_missing) {
		warn_missing_image(modules, module, notes);
		notes->reported_missing = true;
	}
}

const char *modules_why_unanswered(const struct modules *modules, const struct rossym_module *module,
				   enum rossym_why why)
{
	if (why == ROSSYM_WHY_BROKEN && modules->asker && modules->asker->over_budget)
		return "the budget for debug information is used up";
	bool over_budget = why == ROSSYM_WHY_BROKEN && modules->over_budget;
	/* the set could not choose an image, because the budget was used up */
	bool undecided = why == ROSSYM_WHY_NO_MODULE && module && !module->chosen && modules->reported_over_budget;
	return over_budget || undecided ? "the budget for archives is used up" : rossym_why_text(why);
}

bool modules_have_failed(const struct modules *modules)
{
	return modules->failed || modules->index.failed || archives_have_crashed(modules->index.archives);
}

const char *modules_describe_symbols(const struct modules *modules, const struct rossym_module *module, char *buffer,
				     size_t size)
{
	const struct file *image = modules_image_file(module);
	if (image)
		return write_file_names(image, buffer, size);
	if (module->chosen && module->error.what[0])
		snprintf(buffer, size, "the image %s: %s",
			 module->why == ROSSYM_WHY_NO_SYMBOLS ? "has none" : "cannot be read", module->error.what);
	else if (module->chosen && module->why == ROSSYM_WHY_NO_MODULE && !module->rival_file)
		snprintf(buffer, size, "%s was not found", module->name);
	else
		snprintf(buffer, size, "%s", modules_why_unanswered(modules, module, module->why));
	return buffer;
}

const char *modules_describe_answers(const struct module_notes *notes, char *buffer, size_t size)
{
	if (!notes->image)
		return notes->why ? notes->why : "";
	write_file_names(notes->image, buffer, size);
	size_t length = strlen(buffer);
	if (notes->several_images)
		snprintf(buffer + length, size - length, ", and others before");
	return buffer;
}

/* -------------------------------------------------------------------------- comparing the names of modules */

/* How many characters of a long name KDBG, the debugger in ReactOS's kernel, prints. */
enum { CUT_NAME = 63 };

/* Whether NAME is an extension, which begins with its only dot. */
static bool is_extension(const char *name, size_t length)
{
	return length > 0 && name[0] == '.' && !memchr(name + 1, '.', length - 1);
}

/* Whether A and B can be names of one file: they are equal, one of them is cut, or one of them lacks its extension. */
static bool can_name_one_file(const char *a, size_t a_length, const char *b, size_t b_length)
{
	const size_t n = a_length < b_length ? a_length : b_length;
	if (strncasecmp(a, b, n) != 0)
		return false;
	return a_length == b_length || n >= CUT_NAME || is_extension(a + n, a_length - n) ||
	       is_extension(b + n, b_length - n);
}

static bool is_kernel_name(const char *name, size_t length)
{
	bool is = can_name_one_file(name, length, "nt", 2);
	for (size_t i = 0; kernel_names[i] && !is; i++)
		is = can_name_one_file(name, length, kernel_names[i], strlen(kernel_names[i]));
	return is;
}

bool module_name_fits(const struct rossym_module *module, const char *name, size_t length)
{
	const size_t known = strlen(module->name);
	if (length == 0)
		return true;
	name = base_name(name, &length);
	return can_name_one_file(module->name, known, name, length) ||
	       (is_kernel_name(module->name, known) && is_kernel_name(name, length));
}

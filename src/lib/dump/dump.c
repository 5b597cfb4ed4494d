// SPDX-License-Identifier: GPL-2.0-or-later
/* dump.c - the public functions that open a crash dump, and read its threads, modules and memory */
#include "config.h"
#include "rossym-unwind.h"
#include "core/bytes.h"
#include "dump/address-space.h"
#include "dump/contents.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"
#include "lib/base/source.h"
#include "lib/open/debug-files.h"
#include "lib/set/set.h"

#include <string.h>

/* The image and the PDB file of a module. */
struct module_files {
	struct rossym_image *image; /* NULL: the caller has given none, and none has been found in a set */
	bool own;		    /* rossym_dump_use_set() has opened the image; rossym_dump_close() closes it */
	bool has_pdb;
	struct rs_source pdb; /* its PDB file, if it has one */
};

struct rossym_dump {
	struct rs_source file;
	struct dump_input input;
	struct dump_problems problems;
	struct rossym_error first_problem;
	struct dump_contents contents;
	struct dump_image_source source;
	struct dump_space space;
	struct module_files *files; /* for each module, by its number */
	struct dump_module module;  /* the module that was read last; callers have a pointer to its name */
	char thread_name[DUMP_NAME];
};

/* ------------------------------------------------------------------------------------------------ opening */

static bool read_input(void *context, uint64_t offset, void *bytes, size_t size)
{
	const struct rossym_dump *dump = context;
	return rs_source_copy(&dump->file, offset, size, bytes, NULL) == 0;
}

static void keep_first_problem(void *context, const char *what, bool in_memory, uint64_t number, const char *wrong)
{
	struct rossym_dump *dump = context;
	if (dump->first_problem.code == ROSSYM_OK)
		rs_fail(&dump->first_problem, ROSSYM_EDAMAGED, number, "%s%s %s", what, in_memory ? " in memory" : "",
			wrong);
}

static struct rossym_image *get_image_of_module(const struct rossym_dump *dump, uint32_t number)
{
	return number < dump->contents.module_count ? dump->files[number].image : NULL;
}

/* Through dump->source, stack walks call these functions, down to read_image(), to read images and PDB files. */
static bool find_image_base(void *context, uint32_t number, const struct dump_module *module, uint64_t *base)
{
	struct rossym_info info = { .size = sizeof info };
	(void)module;
	if (!get_image_of_module(context, number) ||
	    rossym_get_info(get_image_of_module(context, number), &info, NULL) < 0)
		return false;
	*base = info.image_base;
	return true;
}

static bool find_section(void *context, uint32_t number, const char *name, uint32_t *rva, uint32_t *size)
{
	struct rossym_section section;
	if (!get_image_of_module(context, number) ||
	    rossym_find_section(get_image_of_module(context, number), name, &section, NULL) <= 0)
		return false;
	*rva = section.rva;
	*size = section.size;
	return true;
}

/* Store the size of the PDB file of module NUMBER, and the GUID that the file must have, from the dump or the image.
   Returns false if there is no PDB file or no GUID, or if CHOICE is not 0, as a module has at most one PDB file. */
static bool find_pdb_size_and_guid(void *context, uint32_t number, uint32_t choice, uint8_t guid[DUMP_GUID],
				   uint64_t *size)
{
	struct rossym_dump *dump = context;
	struct dump_module module;
	struct rossym_debug_reference reference = { .size = sizeof reference };
	if (choice > 0 || !dump->files[number].has_pdb)
		return false;
	*size = dump->files[number].pdb.size;
	if (rs_dump_read_module(&dump->contents, number, true, &module) && module.has_key) {
		memcpy(guid, module.key, DUMP_GUID);
		return true;
	}
	for (uint32_t i = 0; get_image_of_module(dump, number) &&
			     rossym_get_debug_reference(get_image_of_module(dump, number), i, &reference, NULL) > 0;
	     i++)
		if (reference.kind == ROSSYM_REFERENCE_PDB) {
			memcpy(guid, reference.guid, DUMP_GUID);
			return true;
		}
	return false;
}

/* Read SIZE bytes at OFFSET of the PDB file of module NUMBER.  Bytes beyond its end are 0.  False: there is no such
   file, or reading failed. */
static bool read_pdb(struct rossym_dump *dump, uint32_t number, uint32_t offset, void *bytes, size_t size)
{
	memset(bytes, 0, size);
	return number < dump->contents.module_count && dump->files[number].has_pdb &&
	       rs_source_copy_present(&dump->files[number].pdb, offset, size, bytes, NULL) == 0;
}

static bool read_image(void *context, uint32_t number, uint32_t rva, void *bytes, size_t size)
{
	if (number >= DUMP_IMAGES)
		return read_pdb(context, number - DUMP_IMAGES, rva, bytes, size);
	return get_image_of_module(context, number) &&
	       rossym_read_mapped(get_image_of_module(context, number), rva, size, bytes, NULL) == 0;
}

/* Read the contents of the dump, whose file is open.  Returns 0 or -1. */
static int open_contents(struct rossym_dump *dump, struct rossym_error *err)
{
	dump->input = (struct dump_input){ read_input, dump, dump->file.size };
	dump->problems = (struct dump_problems){ .say = keep_first_problem, .context = dump };
	dump->source = (struct dump_image_source){ .find = find_image_base,
						   .section = find_section,
						   .read = read_image,
						   .find_pdb = find_pdb_size_and_guid,
						   .context = dump };
	if (!rs_dump_contents_open(&dump->contents, &dump->input, &dump->problems)) {
		if (dump->first_problem.code == ROSSYM_OK)
			return rs_fail_memory(err);
		return rs_fail(err, ROSSYM_ENOTPE, dump->first_problem.offset, "%s", dump->first_problem.what);
	}
	dump->files = rs_alloc((size_t)dump->contents.module_count + 1, sizeof *dump->files);
	if (!dump->files || !rs_dump_space_open(&dump->space, &dump->contents, &dump->source))
		return rs_fail_memory(err);
	return 0;
}

/* Open the dump in SOURCE.  SOURCE is closed by rossym_dump_close(), or here after a failure.  Returns 0 or -1. */
static int open_source(struct rs_source *source, struct rossym_dump **ret, struct rossym_error *err)
{
	struct rossym_dump *dump = rs_alloc(1, sizeof *dump);
	if (!dump) {
		rs_source_close(source);
		return rs_fail_memory(err);
	}
	dump->file = *source;
	if (open_contents(dump, err) < 0) {
		rossym_dump_close(dump);
		return -1;
	}
	*ret = dump;
	return 0;
}

int rossym_dump_open(const char *path, struct rossym_dump **ret, struct rossym_error *err)
{
	struct rs_source source = RS_SOURCE_INIT;
	if (rs_check_name(path, err) < 0 || rs_source_open(&source, path, err) < 0)
		return -1;
	return open_source(&source, ret, err);
}

int rossym_dump_open_reader(const struct rossym_reader *reader, struct rossym_dump **ret, struct rossym_error *err)
{
	struct rs_source source;
	return rs_source_open_reader(&source, reader, err) < 0 ? -1 : open_source(&source, ret, err);
}

static void close_image(struct module_files *files)
{
	if (files->own)
		rossym_close(files->image);
	files->own = false;
}

static void close_pdb(struct module_files *files)
{
	if (files->has_pdb)
		rs_source_close(&files->pdb);
	files->has_pdb = false;
}

void rossym_dump_close(struct rossym_dump *dump)
{
	if (!dump)
		return;
	for (uint32_t i = 0; dump->files && i < dump->contents.module_count; i++) {
		close_image(&dump->files[i]);
		close_pdb(&dump->files[i]);
	}
	rs_dump_space_close(&dump->space);
	rs_dump_contents_close(&dump->contents);
	rs_source_close(&dump->file);
	rs_free(dump->files);
	rs_free(dump);
}

/* ------------------------------------------------------------------------------------------ what the dump says */

static uint32_t get_machine_of_dump(const struct rossym_dump *dump)
{
	const struct dump_processor *processor = rs_dump_find_processor(&dump->contents);
	return processor ? processor->image_machine : 0;
}

int rossym_dump_get_info(struct rossym_dump *dump, struct rossym_dump_info *result, struct rossym_error *err)
{
	struct rossym_dump_info info = { .size = sizeof info };
	const struct kernel_dump *kernel = &dump->contents.kernel;
	const struct dump_exception *exception = rs_dump_get_exception(&dump->contents);
	if (rs_sized_check(result, sizeof info, err) < 0)
		return -1;
	info.kind = dump->contents.is_kernel ? ROSSYM_DUMP_KERNEL : ROSSYM_DUMP_MINIDUMP;
	info.machine = get_machine_of_dump(dump);
	info.module_count = dump->contents.module_count;
	info.thread_count = rs_dump_count_threads(&dump->contents);
	info.has_exception = exception != NULL;
	if (exception) {
		info.exception_code = exception->code;
		info.exception_address = exception->address;
	}
	if (dump->contents.is_kernel) {
		info.bugcheck = kernel->bugcheck;
		memcpy(info.bugcheck_parameters, kernel->parameters, sizeof info.bugcheck_parameters);
	} else if (exception) {
		info.exception_thread = dump->contents.minidump.crashed;
	}
	info.problem_count = dump->problems.count;
	info.first_problem = dump->first_problem;
	rs_sized_fill(result, &info, sizeof info);
	return 0;
}

int rossym_dump_get_module(struct rossym_dump *dump, uint32_t number, struct rossym_dump_module *result,
			   struct rossym_error *err)
{
	struct rossym_dump_module module = { .size = sizeof module };
	const struct dump_module *inner = &dump->module;
	if (rs_sized_check(result, sizeof module, err) < 0)
		return -1;
	if (number >= dump->contents.module_count || !rs_dump_read_module(&dump->contents, number, true, &dump->module))
		return 0;
	module.base = inner->base;
	module.length = inner->size;
	module.time_date_stamp = inner->stamp;
	module.checksum = inner->checksum;
	memcpy(module.version, inner->version, sizeof module.version);
	module.has_guid = inner->has_key;
	if (inner->has_key) {
		memcpy(module.guid, inner->key, sizeof module.guid);
		module.age = rs_le32(inner->key + sizeof module.guid);
	}
	module.name = inner->name;
	rs_sized_fill(result, &module, sizeof module);
	return 1;
}

int rossym_dump_get_thread(struct rossym_dump *dump, uint32_t number, struct rossym_dump_thread *result,
			   struct rossym_error *err)
{
	struct rossym_dump_thread thread = { .size = sizeof thread };
	struct dump_thread inner;
	if (rs_sized_check(result, sizeof thread, err) < 0)
		return -1;
	if (!rs_dump_read_thread(&dump->contents, number, &inner))
		return 0;
	thread.id = inner.id;
	thread.crashed = inner.crashed;
	dump->thread_name[0] = '\0';
	if (!dump->contents.is_kernel)
		rs_minidump_read_thread_name(&dump->contents.minidump, inner.id, dump->thread_name);
	thread.name = dump->thread_name;
	thread.frame.size = sizeof thread.frame;
	thread.frame.machine = get_machine_of_dump(dump);
	thread.has_frame = rs_dump_read_thread_frame(&dump->contents, &inner, &thread.frame);
	rs_sized_fill(result, &thread, sizeof thread);
	return 1;
}

/* ------------------------------------------------------------------------------------------------ images, memory */

int rossym_dump_set_image(struct rossym_dump *dump, uint32_t number, struct rossym_image *image,
			  struct rossym_error *err)
{
	if (number >= dump->contents.module_count)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "there is no module %u", (unsigned)number);
	close_image(&dump->files[number]);
	dump->files[number].image = image;
	rs_dump_images_forget(&dump->space.images, number);
	return 0;
}

int rossym_dump_set_pdb(struct rossym_dump *dump, uint32_t number, const char *path, struct rossym_error *err)
{
	if (number >= dump->contents.module_count)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "there is no module %u", (unsigned)number);
	struct module_files *files = &dump->files[number];
	close_pdb(files);
	rs_dump_images_forget_pdb(&dump->space.images, number);
	if (!path)
		return 0;
	if (rs_source_open(&files->pdb, path, err) < 0)
		return -1;
	files->has_pdb = true;
	if (rs_dump_has_frame_data(&dump->space.images, number))
		return 1;
	close_pdb(files);
	return 0;
}

/* ------------------------------------------------------------------------------------------------ a set of modules */

/* Add all modules of the dump to SET.  Returns 0 or -1. */
static int add_modules_to_set(struct rossym_dump *dump, struct rossym_set *set, struct rossym_error *err)
{
	struct rossym_dump_module module = { .size = sizeof module };
	for (uint32_t i = 0; i < dump->contents.module_count; i++) {
		if (rossym_dump_get_module(dump, i, &module, NULL) <= 0 || !module.name[0] ||
		    module.length > UINT64_MAX - module.base)
			continue;
		struct rossym_loaded loaded = { .size = sizeof loaded,
						.flags = dump->contents.is_kernel ? 0 : ROSSYM_LOADED_USER,
						.name = module.name,
						.base = module.base,
						.length = module.length,
						.time_date_stamp = module.time_date_stamp };
		memcpy(loaded.guid, module.guid, sizeof loaded.guid);
		if (rossym_set_add(set, &loaded, err) < 0)
			return -1;
	}
	return 0;
}

/* Whether IMAGE is of the build that is loaded as MODULE, and has the length of MODULE. */
static bool is_same_build(struct rossym_image *image, const struct rossym_dump_module *module)
{
	struct rossym_info info = { .size = sizeof info };
	struct rossym_debug_reference reference = { .size = sizeof reference };
	rossym_get_info(image, &info, NULL);
	if (info.size_of_image != module->length)
		return false;
	if (module->time_date_stamp && info.time_date_stamp == module->time_date_stamp)
		return true;
	for (uint32_t i = 0; module->has_guid && rossym_get_debug_reference(image, i, &reference, NULL) > 0; i++)
		if (memcmp(reference.guid, module->guid, sizeof module->guid) == 0)
			return true;
	return false;
}

/* Find and use the PDB file of module NUMBER, whose image for x86 is at PATH.  Returns 0, or -1 without memory. */
static int find_and_use_pdb(struct rossym_dump *dump, uint32_t number, const char *path, const struct rossym_set *set,
			    struct rossym_error *err)
{
	struct rs_warnings unused = { .warn = NULL };
	struct rs_debug_files files = { .count = 0 };
	const struct rs_debug_places places = { .image = path,
						.directories = (const char *const *)set->files.directories,
						.directory_count = set->files.options.directory_count,
						.warnings = &unused };
	int found = rs_debug_files_find(&files, dump->files[number].image, &places, err);
	for (uint32_t i = 0; found == 0 && i < files.count; i++) {
		struct rossym_error why;
		if (!files.items[i].opened->pdb)
			continue;
		found = rossym_dump_set_pdb(dump, number, files.items[i].path, &why);
		if (found < 0 && why.code == ROSSYM_ENOMEM && err)
			*err = why;
		else if (found < 0 && why.code != ROSSYM_ENOMEM)
			found = 0;
	}
	rs_debug_files_clear(&files);
	return found < 0 ? -1 : 0;
}

/* A search for the image of a module; the context of use_image_if_of_module(). */
struct module_search {
	struct rossym_dump *dump;
	uint32_t number;
	const struct rossym_dump_module *module;
	const struct rossym_set *set;
	struct rossym_error *err;
	int result; /* 0; -1: there is no memory */
};

/* Use the file PATH if it is the module's image.  Returns whether the search must go on. */
static bool use_image_if_of_module(void *context, const char *path)
{
	const struct rossym_open_options headers = { .size = sizeof headers, .flags = ROSSYM_OPEN_HEADERS };
	struct module_search *search = context;
	struct rossym_dump *dump = search->dump;
	struct rossym_image *image;
	struct rossym_error why;
	if (rossym_open(path, &headers, &image, &why) < 0) {
		if (why.code == ROSSYM_ENOMEM)
			search->result = rs_fail_memory(search->err);
		return search->result == 0;
	}
	if (!is_same_build(image, search->module)) {
		rossym_close(image);
		return true;
	}
	rossym_dump_set_image(dump, search->number, image, NULL);
	dump->files[search->number].own = true;
	if (get_machine_of_dump(dump) == ROSSYM_MACHINE_X86)
		search->result = find_and_use_pdb(dump, search->number, path, search->set, search->err);
	return false;
}

int rossym_dump_use_set(struct rossym_dump *dump, struct rossym_set *set, struct rossym_error *err)
{
	struct rossym_dump_module module = { .size = sizeof module };
	if (add_modules_to_set(dump, set, err) < 0)
		return -1;
	for (uint32_t i = 0; i < dump->contents.module_count; i++) {
		struct module_search search = { .dump = dump, .number = i, .module = &module, .set = set, .err = err };
		const struct rossym_module *known;
		uint64_t rva;
		if (rossym_dump_get_module(dump, i, &module, NULL) <= 0 ||
		    !rossym_set_locate(set, module.base, &known, &rva) || rva != 0)
			continue;
		if (rs_set_visit_candidates(set, known, use_image_if_of_module, &search, err) < 0 || search.result < 0)
			return -1;
	}
	return 0;
}

int rossym_dump_get_space(struct rossym_dump *dump, struct rossym_unwind_space *result, struct rossym_error *err)
{
	const struct unwind_space known = rs_dump_space_for_unwinder(&dump->space);
	const struct rossym_unwind_space space = { .size = sizeof space,
						   .context = known.context,
						   .read = known.read,
						   .module = known.module,
						   .section = known.section,
						   .read_image = known.read_image,
						   .frame_data = known.frame_data };
	if (rs_sized_check(result, sizeof space, err) < 0)
		return -1;
	rs_sized_fill(result, &space, sizeof space);
	return 0;
}

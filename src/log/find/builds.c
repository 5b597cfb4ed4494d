// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/builds.h"
#include "log/read/chars.h"
#include "log/find/file-index.h"
#include "tool/array.h"
#include "tool/strbuf.h"
#include "compat/bisect.h"

#include <stdlib.h>
#include <string.h>

/* The most kernels in directories; each is compared with all others, which takes quadratic time. */
enum { KERNELS_MAX = 2048 };

static const uint64_t most_bytes = (uint64_t)1 << 30; /* the most bytes read from all kernels together */

/* ------------------------------------------------------------------------------------------------ a kernel's build */

/* The initialised data of a kernel have one or two strings that name the build:
 *
 *	NtBuildLab	"20260924-0.4.17-dev-915-g3f5fd48.GNU_12.2.0": the build name, a dot, the compiler.
 *			Every kernel has it
 *	the banner	with version and commit (build-name.h).  Only kernels that print it have it
 *
 * Only sections with initialised data are read, one window at a time; code and tables are not.  The strings are read
 * only once, so hostile data cost no more than others. */

const char *const kernel_names[] = { "ntoskrnl.exe", "ntkrnlmp.exe", "ntkrnlpa.exe", "ntkrpamp.exe", NULL };

enum {
	STRING_LENGTH_MAX = 512,   /* bytes of the longest string; the rest of a longer one is read as another string */
	WINDOW = 65536,		   /* bytes that are read at once */
	READ_BYTES_MAX = 16 << 20, /* the most bytes read of one kernel; real kernels have 1 MiB of data */
	BANNERS_MAX = 64,	   /* the most strings that are parsed because they look like a banner */
};

/* Flags of sections, from the PE format. */
enum { INITIALIZED_DATA = 0x40, DISCARDABLE = 0x2000000 };

struct kernel_strings {
	char string[STRING_LENGTH_MAX]; /* the string that is being read: the printable characters so far */
	size_t length;
	struct build *build; /* the build that was found so far */
	bool is_banner;	     /* the build is from a banner: stop reading, because nothing better can follow */
	unsigned banners;    /* how many strings looked like a banner */
};

/* Returns the length of the build name at the beginning of STRING; 0 if STRING cannot be NtBuildLab.  The name begins
   with a date, 8 digits and '-', and ends at the dot before the compiler's name: dots in versions are followed by
   digits. */
static size_t find_build_name_length(const char *string, size_t length)
{
	enum { DATE = 8 };
	size_t at = 0;
	while (at < length && at < DATE && is_digit(string[at]))
		at++;
	if (at < DATE || at == length || string[at] != '-')
		return 0;
	for (; at + 1 < length && string[at] != ' '; at++)
		if (string[at] == '.' && is_letter(string[at + 1]))
			return at;
	return 0;
}

/* Whether the string looks like a banner; if so, counts it.  After BANNERS_MAX strings that look like one, always
   returns false, because parsing is expensive. */
static bool count_if_banner(struct kernel_strings *strings)
{
	return strings->banners < BANNERS_MAX && contains_word(strings->string, strings->length, "(Build ") &&
	       ++strings->banners;
}

/* Handle the complete string: if it is the first NtBuildLab or a banner, store its build.  The build of a banner
   replaces that of NtBuildLab.  Then begin another string. */
static void store_build_of_string(struct kernel_strings *strings)
{
	struct build banner;
	size_t lab = find_build_name_length(strings->string, strings->length);
	if (lab > 0 && lab < sizeof strings->build->name && !strings->build->name[0]) {
		memcpy(strings->build->name, strings->string, lab);
	} else if (count_if_banner(strings) && build_find_name(strings->string, strings->length, &banner)) {
		*strings->build = banner;
		strings->is_banner = true;
	}
	strings->length = 0;
}

static void collect_strings(struct kernel_strings *strings, const char *bytes, size_t count)
{
	for (size_t i = 0; i < count && !strings->is_banner; i++) {
		bool printable = bytes[i] >= ' ' && bytes[i] <= '~';
		if (printable)
			strings->string[strings->length++] = bytes[i];
		if (strings->length > 0 && (!printable || strings->length == STRING_LENGTH_MAX))
			store_build_of_string(strings);
	}
}

/* Read the strings in the raw data of SECTION, number NUMBER.  Read at most *LEFT bytes; subtract them from *LEFT. */
static void collect_strings_of_section(struct kernel_strings *strings, struct rossym_image *image, uint32_t number,
				       const struct rossym_section *section, uint64_t *left)
{
	char window[WINDOW];
	for (uint32_t at = 0; at < section->raw_size && !strings->is_banner;) {
		size_t size = section->raw_size - at < WINDOW ? section->raw_size - at : WINDOW;
		if (size > *left || rossym_read_section(image, number, at, size, window, NULL) <= 0)
			break;
		*left -= size;
		at += (uint32_t)size;
		collect_strings(strings, window, size);
	}
	store_build_of_string(strings);
}

/* Find the build of IMAGE, which may have been opened with ROSSYM_OPEN_HEADERS, and store it in *BUILD; its name is
   empty if there is none.  Reads at most *LEFT bytes, and subtracts from *LEFT what it has read.  Returns whether IMAGE
   can be a kernel: it has initialised data, unlike a debug file. */
static bool find_build_of_kernel(struct rossym_image *image, uint64_t *left, struct build *build)
{
	struct kernel_strings strings = { .length = 0, .build = build };
	struct rossym_section section;
	uint64_t most = *left < READ_BYTES_MAX ? *left : READ_BYTES_MAX, rest = most;
	bool data = false;
	*build = (struct build){ .name = "" };
	for (uint32_t i = 0; !strings.is_banner && rossym_get_section(image, i, &section, NULL) > 0; i++)
		/* initialised data that stay in memory, and no code */
		if ((section.characteristics & (INITIALIZED_DATA | DISCARDABLE)) == INITIALIZED_DATA &&
		    !rossym_section_is_code(&section) && section.raw_size > 0 && section.raw_offset > 0) {
			data = true;
			collect_strings_of_section(&strings, image, i, &section, &rest);
		}
	*left -= most - rest;
	return data;
}

/* Find the build of the kernel FILE, and store it in *BUILD.  A file in an archive is read only if it must be unpacked
   and PACKED is true, or if it need not be unpacked and PACKED is false.  Returns false if FILE is not read, or is
   no kernel.  The bytes of a kernel of the wanted build stay in memory, because they will be needed soon. */
static bool read_kernel(struct builds *builds, struct index *index, const struct file *file, bool packed,
			struct build *build)
{
	struct rossym_opened headers;
	*build = (struct build){ .name = "" };
	if ((file->inside && (file->place.in_place == 1) == packed) ||
	    !file_image_unpack_and_open(index, file, ROSSYM_OPEN_HEADERS, &headers, NULL))
		return false;
	const bool is_kernel = find_build_of_kernel(headers.image, &builds->kernel_bytes_left, build);
	file_image_close(index, &headers, build_compare(build, &builds->wanted) == BUILD_SAME);
	return is_kernel;
}

/* ----------------------------------------------------------------------------------------- finding the places */

/* Returns the index of the place whose path is the first LENGTH bytes of PATH; or if there is none, the index at which
   it must be inserted.  *FOUND: whether there is one. */
static size_t find_place_index(const struct builds *builds, const char *path, size_t length, bool *found)
{
	size_t at;
	BISECT(at, builds->count, strncmp(builds->places[at]->path, path, length) < 0);
	*found = at < builds->count && strncmp(builds->places[at]->path, path, length) == 0 &&
		 !builds->places[at]->path[length];
	return at;
}

/* Returns the place whose path is the first LENGTH bytes of PATH; adds it if there is none.  NULL: no memory. */
static struct image_place *find_or_add_place(struct builds *builds, const char *path, size_t length, unsigned order)
{
	bool found;
	const size_t at = find_place_index(builds, path, length, &found);
	if (found)
		return builds->places[at];
	const bool good = ARRAY_GROW(builds->places, builds->room, builds->count);
	struct image_place *place = calloc(1, sizeof *place);
	char *copy = copy_text(path, length);
	if (!good || !place || !copy) {
		builds->out_of_memory = true;
		free(place);
		free(copy);
		return NULL;
	}
	*place = (struct image_place){ .path = copy, .order = order };
	memmove(builds->places + at + 1, builds->places + at, (builds->count++ - at) * sizeof *builds->places);
	builds->places[at] = place;
	return place;
}

/* A kernel in a directory; or in the cabinet of an unpacked ISO, if the directory that the user named has no other. */
struct found_kernel {
	const struct file *file;
	struct build build;
};

struct kernels {
	struct builds *builds;
	struct index *index;
	struct found_kernel list[KERNELS_MAX];
	size_t count;
	bool too_many; /* the list is full, and more files have a kernel's name: builds of directories stay unknown */
};

/* Add FILE to the list if read_kernel() finds that it is a kernel.  PACKED is for read_kernel(). */
static void add_kernel(struct kernels *kernels, const struct file *file, bool packed)
{
	struct found_kernel *found = &kernels->list[kernels->count];
	kernels->too_many |= kernels->count == KERNELS_MAX;
	if (!kernels->too_many && read_kernel(kernels->builds, kernels->index, file, packed, &found->build)) {
		found->file = file;
		kernels->count++;
	}
}

/* Whether the list has a kernel from the directory with the number ORDER (`order` in file-index.h). */
static bool has_kernel_of_directory(const struct kernels *kernels, unsigned order)
{
	for (size_t i = 0; i < kernels->count; i++)
		if (kernels->list[i].file->order == order)
			return true;
	return false;
}

/* Add the kernel FILE, which is in an archive, to the kernels of the archive's place. */
static void add_archive_kernel(struct builds *builds, struct file *file)
{
	struct image_place *place = find_or_add_place(builds, file->path, strlen(file->path), file->order);
	if (place && place->kernel_count > 0)
		place->mixed |= file->place.iso != place->kernels[0]->place.iso;
	if (place && place->kernel_count < KERNELS_TRIED)
		place->kernels[place->kernel_count++] = file;
}

/* Add the files of the index that have the name of a kernel: those in archives if INSIDE is set, or else the others. */
static void add_kernels(struct kernels *kernels, bool inside)
{
	for (size_t n = 0; kernel_names[n]; n++) {
		size_t count;
		struct file **files = index_find(kernels->index, kernel_names[n], strlen(kernel_names[n]) + 1, &count);
		for (size_t i = 0; i < count; i++) {
			struct file *file = files[i];
			if ((file->inside != NULL) != inside)
				continue;
			if (inside && index_is_archive_a_place(kernels->index, file->path, file->order))
				add_archive_kernel(kernels->builds, file);
			else if (!inside || !has_kernel_of_directory(kernels, file->order))
				add_kernel(kernels, file, inside);
		}
	}
}

/* Whether PATH is the directory whose path is the first LENGTH bytes of DIRECTORY, or is below it. */
static bool is_below(const char *path, const char *directory, size_t length)
{
	return strncmp(path, directory, length) == 0 && (!path[length] || is_separator(path[length]));
}

/* Whether the directory whose path is the first LENGTH bytes of FOUND's path has a kernel of another build than FOUND,
   or an archive with kernels. */
static bool has_other_kernels(const struct kernels *kernels, const struct found_kernel *found, size_t length)
{
	const char *path = found->file->path;
	for (size_t i = 0; i < kernels->count; i++)
		if (&kernels->list[i] != found && is_below(kernels->list[i].file->path, path, length) &&
		    build_compare(&kernels->list[i].build, &found->build) != BUILD_SAME)
			return true;
	for (size_t i = 0; i < kernels->builds->count; i++)
		if (kernels->builds->places[i]->kernel_count > 0 &&
		    is_below(kernels->builds->places[i]->path, path, length))
			return true;
	return false;
}

/* Add the place of the kernel FOUND: the highest directory on its path that has neither a kernel of another build nor
   an archive with kernels, not above the directory that the user named.  If the user named the kernel's file, or its
   own directory has kernels of several builds, the place is the file alone.  In a symbol store, the place is the
   directory NAME/KEY of the kernel: the other modules of the store can be of any build. */
static void add_place_of_kernel(struct kernels *kernels, const struct found_kernel *found)
{
	const struct file *file = found->file;
	const char *path = file->path;
	size_t key_end, end = strlen(path),
			length = file->order ? strlen(kernels->index->places.items[file->order - 1]) : end;
	while (length > 0 && length < end && is_separator(path[length - 1]))
		length--;
	file_find_store_key(path, &key_end);
	/* Begin with the directory that the user named, and go down one level at a time. */
	while (length < end && (length < key_end || has_other_kernels(kernels, found, length)))
		for (length++; length < end && !is_separator(path[length]);)
			length++;
	struct image_place *place = find_or_add_place(kernels->builds, path, length, file->order);
	if (place)
		place->build = found->build;
}

/* ----------------------------------------------------------------------------------------- from a file to its place */

/* Returns the innermost place that PATH is in, or NULL. */
static struct image_place *find_place_of_path(const struct builds *builds, const char *path)
{
	bool found;
	size_t length = strlen(path), at = find_place_index(builds, path, length, &found);
	while (!found && length > 0) {
		if (is_separator(path[--length]))
			at = find_place_index(builds, path, length, &found);
	}
	return found ? builds->places[at] : NULL;
}

/* Add a place of an unknown build for each directory or archive that the user named and that has no place yet. */
static void add_places_of_unknown_build(struct builds *builds, const struct index *index)
{
	for (unsigned order = 1; order <= index->whole_count; order++) {
		const char *path = index->places.items[order - 1];
		size_t length = strlen(path), i = 0;
		while (i < builds->count && builds->places[i]->order != order)
			i++;
		while (length > 1 && is_separator(path[length - 1]))
			length--;
		if (i == builds->count)
			find_or_add_place(builds, path, length, order);
	}
}

/* Find the places among the files of INDEX, and store in each file the place that it is from. */
static void find_places(struct builds *builds, struct index *index)
{
	struct kernels *kernels = malloc(sizeof *kernels);
	builds->out_of_memory |= !kernels;
	if (!kernels)
		return;
	kernels->builds = builds;
	kernels->index = index;
	kernels->count = 0;
	kernels->too_many = false;
	/* Add the kernels outside archives before those in archives: a kernel in an archive counts only if none was
	   found in the directory that the user named (has_kernel_of_directory()). */
	add_kernels(kernels, false);
	add_kernels(kernels, true);
	for (size_t i = 0; i < kernels->count && !kernels->too_many; i++)
		add_place_of_kernel(kernels, &kernels->list[i]);
	free(kernels);
	add_places_of_unknown_build(builds, index);
	for (size_t i = 0; i < index->count; i++)
		index->files[i]->image_place = find_place_of_path(builds, index->files[i]->path);
}

/* ------------------------------------------------------------------------------------ the functions of builds.h */

void builds_init(struct builds *builds)
{
	*builds = (struct builds){ .kernel_bytes_left = most_bytes };
}

void builds_clear(struct builds *builds)
{
	for (size_t i = 0; i < builds->count; i++) {
		free(builds->places[i]->path);
		free(builds->places[i]);
	}
	free(builds->places);
	builds_init(builds);
}

void builds_find_places(struct builds *builds, struct index *index)
{
	if (builds->read)
		return;
	builds->read = true;
	find_places(builds, index);
	for (size_t i = 0; i < builds->count; i++) {
		struct image_place *place = builds->places[i];
		/* Try first the kernels of the archive that need no unpacking. */
		for (int packed = 0; packed <= 1 && !place->mixed; packed++)
			for (unsigned k = 0; !place->build.name[0] && k < place->kernel_count; k++)
				(void)read_kernel(builds, index, place->kernels[k], packed, &place->build);
	}
}

bool builds_set_wanted(struct builds *builds, const struct build *build, const struct image_place *place)
{
	if (build_is_equal(&builds->wanted, build) && builds->chosen == place)
		return false;
	builds->wanted = *build;
	builds->chosen = place;
	return true;
}

bool builds_have_preferred(const struct builds *builds)
{
	bool has = builds->chosen;
	for (size_t i = 0; i < builds->count && build_is_known(&builds->wanted) && !has; i++)
		has = build_compare(&builds->places[i]->build, &builds->wanted) == BUILD_SAME;
	return has;
}

enum build_same builds_compare_file(const struct builds *builds, const struct file *file)
{
	if (file->image_place && builds->chosen)
		return file->image_place == builds->chosen ? BUILD_SAME : BUILD_OTHER;
	return file->image_place ? build_compare(&file->image_place->build, &builds->wanted) : BUILD_UNKNOWN;
}

bool builds_are_several(const struct builds *builds)
{
	const struct build *first = NULL;
	for (size_t i = 0; i < builds->count; i++) {
		const struct build *build = &builds->places[i]->build;
		if (!build_is_known(build))
			continue;
		if (first && build_compare(first, build) != BUILD_SAME)
			return true;
		first = build;
	}
	return false;
}

const struct build *builds_get_build(const struct file *file)
{
	const struct image_place *place = file ? file->image_place : NULL;
	return place && build_is_known(&place->build) ? &place->build : NULL;
}

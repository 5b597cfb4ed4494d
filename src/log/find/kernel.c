// SPDX-License-Identifier: GPL-2.0-or-later
/* kernel.c - reads the strings in a kernel's data only once, so hostile data cost no more than others */
#include "config.h"
#include "log/find/kernel.h"
#include "log/read/chars.h"

#include <string.h>

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

/* Read the strings in the raw data of SECTION, which has number NUMBER. */
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

enum kernel kernel_find_build(struct rossym_image *image, uint64_t *left, struct build *build)
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
	return build->name[0] ? KERNEL_OF_BUILD : data ? KERNEL_OF_UNKNOWN_BUILD : KERNEL_NONE;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/open-image.h"
#include "tool/diag.h"
#include "search/debug-names.h"
#include "tool/files/file.h"
#include "tool/process/sandbox.h"

#include <inttypes.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* ------------------------------------------------------------------------------------------------ names for -b */

/* BFD's names of targets for PE images and COFF objects. */
static const char *const formats[] = {
	"default",
	"pe-i386",
	"pei-i386",
	"pe-x86-64",
	"pei-x86-64",
	"pe-bigobj-i386",
	"pe-bigobj-x86-64",
	"pe-aarch64-little",
	"pei-aarch64-little",
	"pe-arm-little",
	"pei-arm-little",
	"pe-arm-wince-little",
	"pei-arm-wince-little",
	"pei-ia64",
	"pei-riscv64-little",
	"pei-loongarch64",
	"pe-powerpcle",
	"pei-powerpcle",
	"pe-mips",
	"pei-mips",
	"pe-shl",
	"pei-shl",
};

/* GNU's configuration triplets CPU-*-SYSTEM that have PE.  "?" in a CPU matches a digit from 3 to 7; "*" after a system
   matches any text. */
static const struct {
	const char *cpu, *system;
} triplets[] = {
	{ "i?86", "mingw32*" }, { "i?86", "cygwin*" },	 { "i?86", "pe" },	  { "i?86", "winnt" },
	{ "i?86", "interix*" }, { "i?86", "beospe*" },	 { "i?86", "netbsdpe*" }, { "x86_64", "mingw*" },
	{ "x86_64", "cygwin" }, { "x86_64", "pe" },	 { "x86_64", "pep" },	  { "aarch64", "mingw*" },
	{ "aarch64", "pe*" },	{ "arm", "mingw32ce*" }, { "arm", "cegcc*" },	  { "arm", "wince" },
	{ "arm", "pe*" },
};

/* Returns what follows CPU and a dash at the beginning of NAME; NULL if NAME does not begin with them. */
static const char *skip_cpu(const char *name, const char *cpu)
{
	for (; *cpu; cpu++, name++)
		if (*cpu == '?' ? *name < '3' || *name > '7' : *name != *cpu)
			return NULL;
	return *name == '-' ? name + 1 : NULL;
}

/* Whether TEXT, such as "w64-mingw32", ends with SYSTEM after one of its dashes; a "*" at its end matches any text. */
static bool has_system(const char *text, const char *system)
{
	size_t length = strcspn(system, "*");
	for (const char *dash = strchr(text, '-'); dash; dash = strchr(dash + 1, '-'))
		if (strncmp(dash + 1, system, length) == 0 && (system[length] == '*' || dash[1 + length] == '\0'))
			return true;
	return false;
}

static bool is_pe_target(const char *name)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (strcmp(name, formats[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof triplets / sizeof *triplets; i++) {
		const char *rest = skip_cpu(name, triplets[i].cpu);
		if (rest && has_system(rest, triplets[i].system))
			return true;
	}
	return false;
}

/* ------------------------------------------------------------------------------------------------ opening */

/* Make the checks that GNU addr2line makes before it opens a file, and print its messages.  Returns false after a
   message; for an empty file, without a message. */
static bool check_readable_file(const char *path)
{
	struct stat st;
	if (stat(path, &st) < 0)
		return errno == ENOENT ? diag("'%s': No such file", path)
				       : diag("Warning: could not locate '%s'.  reason: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return diag("Warning: '%s' is a directory", path);
	if (!S_ISREG(st.st_mode))
		return diag("Warning: '%s' is not an ordinary file", path);
	return st.st_size > 0;
}

/* Whether ERR names the kind of the file.  Then its text begins with an article: "an ELF file" (rossym-core.h). */
static bool names_kind_of_file(const struct rossym_error *err)
{
	return strncmp(err->what, "a ", 2) == 0 || strncmp(err->what, "an ", 3) == 0;
}

/* Print why PATH could not be opened, with GNU addr2line's message if there is one. */
static void print_open_error(const char *path, bool explain, const struct rossym_error *err)
{
	const bool unexplained = err->code == ROSSYM_ENOTPE && !explain;
	if (unexplained)
		diag("%s: file format not recognized", path);
	if (err->code == ROSSYM_EARCHIVE)
		diag("%s: cannot get addresses from archive", path);
	else if (err->code == ROSSYM_ENOSYMS)
		diag("%s: no .rossym section; %s", path,
		     err->offset ? err->what : "use addr2line, or add the table with rossym-embed");
	else if (err->code == ROSSYM_ESYS)
		diag("%s: %s", path, strerror(err->sys_errno));
	else if (!unexplained || names_kind_of_file(err))
		diag_image_error(path, err);
}

/* Open the headers of the image PATH.  Returns false after a message. */
static bool open_headers_only(const char *path, struct rossym_image **ret)
{
	const struct rossym_open_options options = { .size = sizeof options,
						     .flags = ROSSYM_OPEN_HEADERS | ROSSYM_OPEN_ONE_THREAD };
	struct rossym_error err;
	return rossym_open(path, &options, ret, &err) == 0 || diag_image_error(path, &err);
}

/* Open PATH so that its debug information answers if it has no table.  CHOSEN is the descriptor of the file
   how->debug->chosen, or -1 if that is NULL.  Returns 0 or -1. */
static int open_with_debug_info(const char *path, const struct open_image *how, int chosen, struct rossym_image **ret,
				struct rossym_error *err)
{
	const struct debug_sources *debug = how->debug;
	const struct rossym_debug_file file = { .path = debug->chosen,
						.fd = chosen,
						.flags = ROSSYM_DEBUG_FILE_CHOSEN };
	const struct rossym_open_options options = {
		.size = sizeof options,
		.flags = how->flags | debug->flags | ROSSYM_OPEN_ONE_THREAD | ROSSYM_OPEN_DEBUG_INFO |
			 ROSSYM_OPEN_MAPPED | (sandbox_limits_paths() ? 0 : ROSSYM_OPEN_ALL_FILES),
		.debug_directories = (const char *const *)debug->directories.items,
		.debug_directory_count = debug->directories.count,
		.debug_files = &file,
		.debug_file_count = debug->chosen ? 1 : 0,
		.warn = diag_print_warning,
		.warn_context = (char *)path,
	};
	return rossym_open(path, &options, ret, err);
}

/* Print ERR: PATH has no table and no debug information.  If ERR names a PDB file, print its GUID and age, too. */
static void print_why_no_table(const char *path, const struct rossym_error *err)
{
	struct rossym_debug_reference reference = { .size = sizeof reference };
	struct rossym_image *image = NULL;
	char guid[33];
	if (strncmp(err->what, "its symbols are in ", strlen("its symbols are in ")) == 0 &&
	    open_headers_only(path, &image) && rossym_get_debug_reference(image, 0, &reference, NULL) > 0 &&
	    reference.kind == ROSSYM_REFERENCE_PDB) {
		rs_guid_to_hex(reference.guid, true, guid);
		diag("%s: no .rossym section; %s (GUID %s, age %" PRIu32 ")", path, err->what, guid, reference.age);
	} else {
		diag("%s: no .rossym section; %s", path, err->what);
	}
	rossym_close(image);
}

bool open_image(const char *path, const struct open_image *how, struct rossym_image **ret)
{
	const struct rossym_open_options options = { .size = sizeof options,
						     .flags = how->flags | ROSSYM_OPEN_ONE_THREAD };
	struct rossym_error err;
	int chosen = -1;
	if (!check_readable_file(path))
		return false;
	if (how->target && !is_pe_target(how->target)) {
		if (how->fallback)
			fallback_exec(how->fallback);
		return diag("%s: invalid bfd target", path);
	}
	if (rossym_open(path, &options, ret, &err) == 0)
		return true;
	const bool debug = how->debug && err.code == ROSSYM_ENOSYMS;
	if (debug && how->debug->chosen && (chosen = file_open_regular(how->debug->chosen)) < 0)
		return false;
	if (debug && open_with_debug_info(path, how, chosen, ret, &err) == 0)
		return true;
	if (how->even_without && debug && err.code == ROSSYM_ENOSYMS)
		return open_headers_only(path, ret);
	const bool foreign = err.code == ROSSYM_ENOTPE || err.code == ROSSYM_EARCHIVE || err.code == ROSSYM_ENOSYMS;
	if (how->fallback && foreign) /* another addr2line may be able to read it */
		fallback_exec(how->fallback);
	if (debug && err.code == ROSSYM_ENOSYMS)
		print_why_no_table(path, &err);
	else
		print_open_error(path, how->explain, &err);
	return false;
}

int read_block_or_warn(struct rossym_image *image, const char *path)
{
	struct rossym_error err;
	int found = rossym_read_block(image, NULL, &err);
	if (found >= 0)
		return found;
	if (err.code != ROSSYM_EDAMAGED) {
		diag_image_error(path, &err);
		return -1;
	}
	diag_warning("%s: at 0x%" PRIx64 ": %s; nothing is known about inlined calls", path, err.offset, err.what);
	return 0;
}

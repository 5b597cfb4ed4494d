/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/tool/files/debug-names.c: which names are those of files on every system, and which files an image may have. */
#include "config.h"
#include "search/debug-names.h"
#include "tests/lib/makepe.h"
#include "tests/lib/tap.h"

static void plain(void)
{
	static const char *const good[] = {
		"a",	"x.pdb", "x y.pdb", "NULL", "CONS.pdb",	    "COM", "COM10",
		"COMX", "LPT.x", "x.CON",   "aux1", "\303\244.pdb", "x..",
	};
	static const char *const bad[] = {
		"",	".",	    "..",      ".x",	      "a/b",	   "a\\b",   "C:x",	  "x:y",
		"CON",	"con",	    "Nul.pdb", "PRN .x",      "AUX",	   "CONIN$", "conout$.y", "CLOCK$",
		"COM0", "com9.pdb", "LPT1",    "LPT\302\271", "COM\262.x", "a*",     "a?",	  "a<",
		"a>",	"a|",	    "a\"",     "a\n",	      "\033[m",
	};
	char name[DEBUG_NAME_LENGTH_MAX + 2];
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		ok(rs_debug_name_is_plain(good[i]), "a file: %s", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(!rs_debug_name_is_plain(bad[i]), "no file: number %u", (unsigned)i);
	memset(name, 'n', sizeof name);
	name[DEBUG_NAME_LENGTH_MAX + 1] = '\0';
	ok(!rs_debug_name_is_plain(name), "a name that is too long");
	ok(rs_debug_name_is_plain(name + 1), "the longest one");
}

/* The names of an image called PATH with a section NAME, as one text. */
static const char *names_of(const char *path, const char *section)
{
	static struct makepe m;
	static char text[4096];
	static struct debug_names names;
	struct rossym_image *image;
	size_t size;
	makepe_start(&m, MAKEPE_32);
	makepe_section(&m, section, 0x1000, 0x100, 0x100, MAKEPE_DATA);
	uint8_t *bytes = makepe_build(&m, &size);
	text[0] = '\0';
	if (rossym_open_memory(bytes, size, NULL, &image, NULL) == 0) {
		rs_debug_names_make(&names, image, path);
		rossym_close(image);
		for (unsigned i = 0; i < names.count; i++) {
			strcat(text, names.items[i].name);
			strcat(text, names.items[i].key[0] || names.items[i].build_id[0] || names.items[i].recorded[0]
					     ? "! "
					     : " ");
		}
	}
	free(bytes);
	return text;
}

int main(void)
{
	char path[400];
	plain();
	is_str(names_of("dir.d/x.exe", ".text"), "x.exe.dbg x.dbg x.exe ", "the names that follow from the image's");
	is_str(names_of("x", ".text"), "x.dbg x ", "without an extension");
	is_str(names_of("x.a.sys", ".text"), "x.a.sys.dbg x.a.dbg x.a.sys ", "the last part is the extension");
	is_str(names_of("x.exe", ".stab"), "", "an image with stabs needs none");
	is_str(names_of("dir.d/x.efi", ".text"), "x.efi.dbg x.dbg x.efi x.debug x.so x.elf x.dll x.efi.debug ",
	       "firmware has ELF files");
	is_str(names_of("X.EFI", ".text"), "X.EFI.dbg X.dbg X.EFI X.debug X.so X.elf X.dll X.EFI.debug ",
	       "in capitals");
	is_str(names_of("x.efi2", ".text"), "x.efi2.dbg x.dbg x.efi2 ", "no firmware");
	memset(path, 'n', sizeof path);
	path[252] = '\0';
	is_str(names_of(path, ".text"), "", "a name without room for more");
	return done_testing();
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "answer/target.h"

#include <stddef.h>
#include <string.h>

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

/* Returns what follows CPU and a dash in NAME; NULL: NAME does not begin with them. */
static const char *skip_cpu(const char *name, const char *cpu)
{
	for (; *cpu; cpu++, name++)
		if (*cpu == '?' ? *name < '3' || *name > '7' : *name != *cpu)
			return NULL;
	return *name == '-' ? name + 1 : NULL;
}

/* Whether SYSTEM matches the rest of TEXT after one of its dashes. */
static bool has_system(const char *text, const char *system)
{
	size_t length = strcspn(system, "*");
	for (const char *dash = strchr(text, '-'); dash; dash = strchr(dash + 1, '-'))
		if (strncmp(dash + 1, system, length) == 0 && (system[length] == '*' || dash[1 + length] == '\0'))
			return true;
	return false;
}

bool target_is_pe(const char *name)
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

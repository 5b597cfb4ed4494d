/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mutants.h - many inputs that are made by chance, each of which a function makes and judges */
#ifndef TESTS_MUTANTS_H
#define TESTS_MUTANTS_H

#include "tests/lib/random.h"
#include "tests/lib/tap.h"

/* Call TRY for seeds from 0 on, each time with the random numbers of the seed, until it returns what is wrong.  There are MUTATIONS
   (environment, default 1000) / PART. */
static inline void mutants_try(const char *name, unsigned part, const char *(*try)(unsigned long seed))
{
	const char *count = getenv("MUTATIONS"), *wrong = NULL;
	const unsigned long most = (count ? strtoul(count, NULL, 10) : 1000) / part;
	unsigned long seed = 0;
	for (; !wrong && seed < most; seed++) {
		random_start(seed);
		wrong = try(seed);
	}
	if (!ok(!wrong, "%lu %s", most, name))
		diag("seed %lu: %s", seed - 1, wrong);
}

#endif

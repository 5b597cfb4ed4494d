/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TAP for unit tests in C: include it in the one file of the test, return done_testing() from main.  The standard headers that it
 * includes are the test's, too.
 *
 *	ok(a < b, "a is below %d", b);
 *	is_uint(lookup(0x10), 3, "line of 0x10");
 *	is_str(name, "main", "its name");
 *	return done_testing();
 *
 * Every check prints one line and, on failure, where it stands and what was seen as diagnostics; it returns whether it
 * passed.  Arguments are evaluated once.
 */
#ifndef TAP_H
#define TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/random.h"

#ifdef __GNUC__
#define TAP_PRINTF(text, first) __attribute__((format(printf, text, first), unused))
#else
#define TAP_PRINTF(text, first)
#endif

static unsigned tap_count, tap_failed;

/* How much of something is enough: MANY in "make check-long", else FEW. */
static inline unsigned amount(unsigned many, unsigned few)
{
	const char *is_long = getenv("LONG");
	return is_long && strcmp(is_long, "1") == 0 ? many : few;
}

/* A line of diagnostics; no newline in FORMAT.  Returns false, because the diag() of the programs does. */
TAP_PRINTF(1, 2) static bool diag(const char *format, ...)
{
	va_list ap;

	fputs("# ", stdout);
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
	return false;
}

TAP_PRINTF(1, 0) static inline void tap_name(const char *format, va_list ap)
{
	vprintf(format, ap);
	putchar('\n');
	/* A crash in the next check must not swallow this one. */
	fflush(stdout);
}

/* Prints the result line; the caller adds its own diagnostics when this returns false. */
TAP_PRINTF(4, 5) static bool tap_check(bool good, const char *file, int line, const char *format, ...)
{
	va_list ap;

	printf("%s %u - ", good ? "ok" : "not ok", ++tap_count);
	va_start(ap, format);
	tap_name(format, ap);
	va_end(ap);
	if (!good) {
		tap_failed++;
		diag("failed at %s:%d", file, line);
	}
	return good;
}

static inline bool tap_uint(uint64_t got, uint64_t want, const char *file, int line, const char *name)
{
	const bool good = tap_check(got == want, file, line, "%s", name);
	if (!good)
		diag("expected 0x%llx (%llu), seen 0x%llx (%llu)", (unsigned long long)want, (unsigned long long)want,
		     (unsigned long long)got, (unsigned long long)got);
	return good;
}

static inline bool tap_int(int64_t got, int64_t want, const char *file, int line, const char *name)
{
	const bool good = tap_check(got == want, file, line, "%s", name);
	if (!good)
		diag("expected %lld, seen %lld", (long long)want, (long long)got);
	return good;
}

static inline bool tap_same_str(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* NULL equals only NULL. */
static inline bool tap_str(const char *got, const char *want, const char *file, int line, const char *name)
{
	const bool good = tap_check(tap_same_str(got, want), file, line, "%s", name);
	if (!good)
		diag("expected %s%s%s, seen %s%s%s", want ? "\"" : "", want ? want : "NULL", want ? "\"" : "",
		     got ? "\"" : "", got ? got : "NULL", got ? "\"" : "");
	return good;
}

static inline bool tap_mem(const void *got, const void *want, size_t n, const char *file, int line, const char *name)
{
	const unsigned char *g = got, *w = want;
	size_t i = 0;
	while (i < n && g[i] == w[i])
		i++;
	const bool good = tap_check(i == n, file, line, "%s", name);
	if (!good)
		diag("byte %llu of %llu: expected 0x%02x, seen 0x%02x", (unsigned long long)i, (unsigned long long)n,
		     w[i], g[i]);
	return good;
}

/* ok(CONDITION, FORMAT...); the others take one ready NAME. */
#define ok(good, ...) tap_check((good), __FILE__, __LINE__, __VA_ARGS__)
#define is_uint(got, want, name) tap_uint((got), (want), __FILE__, __LINE__, (name))
#define is_int(got, want, name) tap_int((got), (want), __FILE__, __LINE__, (name))
#define is_str(got, want, name) tap_str((got), (want), __FILE__, __LINE__, (name))
#define is_mem(got, want, n, name) tap_mem((got), (want), (n), __FILE__, __LINE__, (name))

/* A test that cannot run here. */
static inline void skip(const char *name, const char *reason)
{
	printf("ok %u # SKIP %s: %s\n", ++tap_count, name, reason);
	fflush(stdout);
}

/* The whole file cannot: `return skip_all("why");' from main, before any other check. */
static inline int skip_all(const char *reason)
{
	printf("1..0 # SKIP %s\n", reason);
	return fflush(stdout) != 0;
}

/* The plan; returns main's status. */
static inline int done_testing(void)
{
	printf("1..%u\n", tap_count);
	return fflush(stdout) != 0 || tap_failed != 0;
}

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

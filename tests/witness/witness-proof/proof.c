// SPDX-License-Identifier: GPL-2.0-or-later
/* C, as kernels write it: calling conventions, sections, cold code, nested inlining, line numbers beyond 16 bits. */
#include "proof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __i386__
#define FASTCALL __attribute__((fastcall))
#define STDCALL __attribute__((stdcall))
#else
#define FASTCALL
#define STDCALL
#endif
#define NOINLINE __attribute__((noinline))

struct list {
	struct list *next;
	int value;
};

static struct list first = { NULL, 1 }, second = { &first, 2 };
static volatile int sink;

__attribute__((cold, noinline)) static void give_up(const char *why)
{
	if (why)
		puts(why);
	exit(3);
}

static inline int sum_of(const struct list *list)
{
	int sum = 0;
	for (; list; list = list->next)
		sum += four_times(list->value);
	return sum;
}

NOINLINE int FASTCALL fast_one(int a, int b)
{
	if (a < 0)
		give_up("negative");
	return sum_of(&second) + a * b;
}

NOINLINE int STDCALL standard_one(int a, int b, int c)
{
	switch (a & 7) {
	case 0:
		return b;
	case 1:
		return c * four_times(b);
	case 2:
		sink = b;
		return sink;
	case 5:
		give_up("five");
		/* fall through */
	case 6:
		return fast_one(b, c);
	default:
		return b - c;
	}
}

/* Only its parts are used after -O2; --gc-sections has it removed where it stands alone. */
int unused_one(int n)
{
	return twice(n) + sink;
}

static int partly(int n, const char *text)
{
	if (!text)
		return -1;
	int length = (int)strlen(text);
	for (int i = 0; i < length; i++)
		sink += text[i] * n;
	if (sink == 12345)
		give_up(text);
	return length;
}

NOINLINE int recursive(int n)
{
	return n < 2 ? n : recursive(n - 1) + recursive(n - 2);
}

__attribute__((section("PAGE"), noinline)) int in_paged_code(int n)
{
	int local = twice(n);
	if (local == 6)
		return partly(local, "paged");
	return local;
}

NOINLINE int in_c(int n)
{
	int r = fast_one(n, 3) + standard_one(n, 4, 5) + recursive(n & 7);
	r += partly(n, n & 1 ? "odd" : NULL) + partly(r, "again");
#line 70000 "generated/far-away.c"
	r += twice(r);
	if (r == 7)
		sink = r;
	return r;
}

#line 200 "proof.c"
int main(int argc, char **argv)
{
	int r = in_c(argc) + in_paged_code(argc) + in_cxx(argc) + in_assembler(argc) + after_alias(argc) + elsewhere(argc);
	if (argc > 100)
		r += (int)strlen(argv[0]);
	return r & 1;
}

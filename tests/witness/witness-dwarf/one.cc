// SPDX-License-Identifier: GPL-2.0-or-later
// one.cc - inlined calls in inlined calls, and code in two ranges: what is rare stands apart
#include "inline.h"

static int __attribute__((noinline)) sum(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += twice(i) + four(s & 7);
	if (s > 1000) {
		rare(s);
		s = twice(sink);
		rare(s + 1);
	}
	return s;
}

extern "C" int entry(int count)
{
	shapes::Box box = { count, 2 };
	return sum(count) + box.grow(count) + box.area();
}

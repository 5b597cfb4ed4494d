// SPDX-License-Identifier: GPL-2.0-or-later
/* The same inlined code in another file; functions that identical code folding makes one; line numbers that jump. */
#include "inline.h"

namespace fold {

int first(int x)
{
	return sink(x) + 7;
}

int second(int x)
{
	return sink(x) + 7;
}

template <typename T> struct box {
	T *value;
	__attribute__((noinline)) T *get() const { sink(1); return value; }
};

}

#line 70000 "elsewhere.y"
static int from_a_grammar(int x)
{
	return lib::thrice(x) - 1;
}
#line 30 "two.cc"

extern "C" int other(int n)
{
	fold::box<int> a = { &n };
	fold::box<short> b = { (short *)&n };
	lib::ring<int, 4> ring;
	int sum = fold::first(n) + fold::second(n);
	sum += from_a_grammar(n) + ring.sum();
	return sum + *a.get() + *b.get();
}

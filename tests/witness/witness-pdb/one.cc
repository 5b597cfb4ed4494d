// SPDX-License-Identifier: GPL-2.0-or-later
/* Namespaces, templates, classes, lambdas, static functions, inlining. */
#include "inline.h"

void operator delete(void *) noexcept
{
}

namespace lib {

int shape::count = 4;

int shape::area(int scale) const
{
	int sum = 0;
	for (int i = 0; i < width; i++)
		sum += sink(i) * height * scale;
	return sum;
}

shape::~shape()
{
	count--;
	sink(count);
}

int shape::operator()(int x)
{
	width = thrice(x);
	return width * count;
}

namespace {

int unnamed(int a)
{
	return twice(a) - 5;
}

}

template <typename T> __attribute__((noinline)) T larger(T a, T b)
{
	sink((int)a);
	return a < b ? b : a;
}

template int larger<int>(int, int);
template short larger<short>(short, short);

__attribute__((noinline)) static int local_one(int x)
{
	auto multiply = [x](int y) {
		return twice(x * y);
	};
	auto again = [&](int z) { return multiply(z) + multiply(z + 1); };
	return again(x) + multiply(3);
}

}

extern "C" int enter_one(int n)
{
	lib::ring<int, 4> ring;
	lib::ring<short, 3> small;
	lib::shape shape;
	ring.put(sink(n));
	small.put((short)n);
	int sum = ring.sum() + small.sum();
	sum += shape(n) + shape.area(n);
	sum += lib::local_one(n);
	if (n > 3)
		sum += lib::unnamed(n) + lib::larger(sum, n);
	else
		sum += lib::larger<short>((short)n, 7);
	return sum + (shape < shape) + other(n);
}

/* Newer compilers call this one. */
void operator delete(void *, decltype(sizeof 0)) noexcept
{
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inline.h - what both units of the witness's programs inline */
#ifndef INLINE_H
#define INLINE_H

extern volatile int sink;
extern "C" int entry(int count);
void __attribute__((cold, noinline)) rare(int x);

namespace shapes {
struct Box {
	int width, height;
	inline int area() const { return width * height; }
	int grow(int by);
};
}

static inline int twice(int x)
{
	if (x > 100)
		sink = x;
	return x * 2;
}

static inline int four(int x)
{
	return twice(twice(x)) + 1;
}

#endif

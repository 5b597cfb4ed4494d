// SPDX-License-Identifier: GPL-2.0-or-later
// two.cc - the other unit
#include "inline.h"

volatile int sink;

int shapes::Box::grow(int by)
{
	width += four(by);
	return area();
}

void rare(int x)
{
#line 70000 "generated.y"
	sink = twice(x) + x;
}

/* Nobody calls it, so --gc-sections takes it out. */
int unused(int x)
{
	return twice(x) - four(x);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Functions with prologs and epilogs of many kinds.  Nobody runs them: tests/tools/arm64-steps does so on a model. */
#include <stdarg.h>
#include <stddef.h>

#define NOINLINE __attribute__((noinline))

int _fltused = 1;
extern int use(const void *bytes);
extern double real(double a);
NOINLINE __attribute__((noreturn)) void ends(int code);
volatile int sink;
volatile double real_sink;

__attribute__((naked)) void __chkstk(void)
{
	__asm__("ret");
}

void *memcpy(void *to, const void *from, size_t size)
{
	for (volatile char *at = to; size-- > 0;)
		*at++ = *(const char *)from;
	return to;
}

void *memset(void *to, int value, size_t size)
{
	for (volatile char *at = to; size-- > 0;)
		*at++ = (char)value;
	return to;
}

NOINLINE int use(const void *bytes)
{
	sink += *(const char *)bytes;
	return sink;
}

NOINLINE double real(double a)
{
	real_sink += a;
	return real_sink;
}

NOINLINE int leaf(int a)
{
	return a * 3;
}

NOINLINE int small(int a)
{
	return use(&a) + a;
}

#define FRAME(size)                          \
	NOINLINE int frame_##size(int a)     \
	{                                    \
		char bytes[size];            \
		bytes[a] = (char)a;          \
		return use(bytes) + bytes[0]; \
	}
FRAME(100)
FRAME(490)
FRAME(520)
FRAME(4000)
FRAME(4090)
FRAME(5000)
FRAME(60000)
FRAME(2000000)

NOINLINE int dynamic(int a)
{
	char *bytes = __builtin_alloca((size_t)a);
	bytes[0] = 1;
	return use(bytes) + small(a);
}

NOINLINE int aligned(int a)
{
	char bytes[300] __attribute__((aligned(128)));
	bytes[a] = 3;
	return use(bytes) + a;
}

NOINLINE int aligned_dynamic(int a)
{
	char bytes[64] __attribute__((aligned(64)));
	char *more = __builtin_alloca((size_t)a);
	bytes[a] = more[0] = 3;
	return use(bytes) + use(more);
}

#define INTEGERS(n, list, sum)                  \
	NOINLINE int integers_##n(int a)        \
	{                                       \
		int list;                       \
		const int r = use(&a);          \
		return r + small(r) + (sum);    \
	}
INTEGERS(1, b = sink, b)
INTEGERS(2, b = sink; int c = sink, b * c)
INTEGERS(3, b = sink; int c = sink; int d = sink, b * c + d)
INTEGERS(5, b = sink; int c = sink; int d = sink; int e = sink; int f = sink, b * c + d * e + f)
INTEGERS(9, b = sink; int c = sink; int d = sink; int e = sink; int f = sink; int g = sink; int h = sink; int i = sink;
	 int j = sink, b * c + d * e + f * g + h * i + j)
INTEGERS(12, b = sink; int c = sink; int d = sink; int e = sink; int f = sink; int g = sink; int h = sink; int i = sink;
	 int j = sink; int k = sink; int l = sink; int m = sink, b * c + d * e + f * g + h * i + j * k + l * m)

#define REALS(n, list, sum)                     \
	NOINLINE double reals_##n(double a)     \
	{                                       \
		double list;                    \
		const double r = real(a);       \
		return r + real(r) + (sum);     \
	}
REALS(1, b = real_sink, b)
REALS(2, b = real_sink; double c = real_sink, b * c)
REALS(3, b = real_sink; double c = real_sink; double d = real_sink, b * c + d)
REALS(8, b = real_sink; double c = real_sink; double d = real_sink; double e = real_sink; double f = real_sink;
      double g = real_sink; double h = real_sink; double i = real_sink, b * c + d * e + f * g + h * i)

NOINLINE double both(int a, double x)
{
	int b = sink, c = sink, d = sink;
	double y = real_sink, z = real_sink;
	char bytes[700];
	bytes[a] = 1;
	const int r = use(bytes);
	return real(x) * y + z + r * b + c * d;
}

NOINLINE int variable(int a, ...)
{
	va_list arguments;
	va_start(arguments, a);
	const int r = va_arg(arguments, int) + (int)va_arg(arguments, double);
	const int s = use(va_arg(arguments, void *));
	va_end(arguments);
	return r + s;
}

NOINLINE int many_arguments(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j)
{
	return use(&a) + b + c + d + e + f + g + h + i * j;
}

struct big {
	long long values[20];
};

NOINLINE struct big returns_big(struct big big, int a)
{
	big.values[a] = use(&big);
	return big;
}

NOINLINE int tail(int a)
{
	if (use(&a) > 7)
		return small(a + 1);
	return many_arguments(a, 1, 2, 3, 4, 5, 6, 7, 8, 9);
}

/* The frame is made in one of the ways only. */
NOINLINE int shrink_wrapped(int a, int b)
{
	if (a == 0)
		return b;
	for (int i = 0; i < a; i++)
		b += small(i) * a;
	return b + sink;
}

NOINLINE int recursion(int a)
{
	return a ? recursion(a - 1) + recursion(a - 2) : sink;
}

NOINLINE int chooses(int a)
{
	switch (a) {
	case 0: return small(1);
	case 1: return leaf(a) + small(2);
	case 2: ends(a);
	case 3: return integers_5(a);
	case 4: return variable(a, 1, 2.0, &a) + 1;
	case 5: return frame_100(a) * 2;
	case 6: sink = 7; break;
	case 7: return dynamic(a);
	default: return 3;
	}
	return use(&a);
}

NOINLINE __attribute__((noreturn)) void ends(int code)
{
	small(code);
	for (;;)
		sink = code;
}

NOINLINE int many_ends(int a, int b)
{
	if (use(&a) == 1)
		return small(b);
	if (use(&b) == 2)
		return b + small(a);
	if (a == 3)
		ends(b);
	return use(&a) + b;
}

static int (*volatile pointer)(int) = small;

NOINLINE int through_pointer(int a)
{
	const int r = pointer(a);
	return pointer(r) + a;
}

#ifdef _MSC_VER
int __C_specific_handler(void)
{
	return 1;
}

NOINLINE int guarded(int a)
{
	int r = a;
	__try {
		r += small(a);
	} __except (use(&r)) {
		r = small(3);
	}
	return r + use(&r);
}

NOINLINE int finally(int a)
{
	int r = a;
	__try {
		r += small(a);
	} __finally {
		r += use(&r);
	}
	return r;
}
#endif

int start(int a)
{
	struct big big = { { a } };
	return small(a) + frame_100(a) + frame_490(a) + frame_520(a) + frame_4000(a) + frame_4090(a) + frame_5000(a) +
	       frame_60000(a) + frame_2000000(a) + dynamic(a) + aligned(a) + aligned_dynamic(a) + integers_1(a) +
	       integers_2(a) + integers_3(a) + integers_5(a) + integers_9(a) + integers_12(a) + (int)reals_1(a) +
	       (int)reals_2(a) + (int)reals_3(a) + (int)reals_8(a) + (int)both(a, 1) + variable(a, 1, 2.0, &a) +
	       many_arguments(a, a, a, a, a, a, a, a, a, a) + (int)returns_big(big, a).values[3] + tail(a) +
	       shrink_wrapped(a, a) + recursion(a) + chooses(a) + many_ends(a, a) + through_pointer(a);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* C++: templates, members of every calling convention, lambdas, local classes, virtual functions, COMDATs. */
#include "proof.h"

#ifdef __i386__
#define STDCALL __attribute__((stdcall))
#else
#define STDCALL
#endif
#define NOINLINE __attribute__((noinline))

namespace io {

template <typename T, int Size> class Queue {
	T items[Size];
	int count = 0;

public:
	NOINLINE void push(const T &item)
	{
		items[count++ % Size] = item;
	}
	T sum() const
	{
		T sum{};
		for (const auto &item : items)
			sum += item;
		return sum;
	}
};

struct Irp {
	virtual int complete(int status) = 0;
	virtual int STDCALL cancel(int a, int b)
	{
		return twice(a) - b;
	}
	int pending = 0;
};

struct ReadIrp : Irp {
	NOINLINE int complete(int status) override
	{
		pending = four_times(status);
		return pending;
	}
};

struct WriteIrp : Irp {
	int complete(int status) override;
	int STDCALL cancel(int a, int b) override;
	static int STDCALL count(long long wide, char c);
	int bytes = 0;
};

int WriteIrp::complete(int status)
{
	struct Local {
		static NOINLINE int round(int n)
		{
			return (twice(n) + 7) & ~7;
		}
	};
	bytes = Local::round(status);
	return bytes;
}

int STDCALL WriteIrp::cancel(int a, int b)
{
	return Irp::cancel(a, b) + bytes;
}

int STDCALL WriteIrp::count(long long wide, char c)
{
	return static_cast<int>(wide >> 3) + c;
}

template <typename F> NOINLINE int apply(F f, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += f(i);
	return sum;
}

/* The name of its instance takes more than 255 bytes. */
template <typename... T> struct Types {};
template <typename... T> NOINLINE int long_named(Types<T...>, int n)
{
	return twice(n) + static_cast<int>(sizeof...(T));
}

} // namespace io

namespace {

struct Global {
	int value;
	Global() : value(in_assembler(2)) {}
};
Global global;

int generic()
{
	return 0;
}
template <typename T, typename... Rest> int generic(T t, Rest... rest)
{
	return static_cast<int>(t) + generic(rest...);
}

} // namespace

extern "C" int unused_cxx(int n)
{
	io::Queue<char, 3> queue;
	queue.push(static_cast<char>(n));
	return queue.sum();
}

extern "C" int in_cxx(int n)
{
	io::ReadIrp read;
	io::WriteIrp write;
	io::Irp *irp = n > 1 ? static_cast<io::Irp *>(&read) : &write;
	io::Queue<int, 8> small;
	io::Queue<double, 4> large;
	small.push(irp->complete(n));
	large.push(irp->cancel(n, 4));
	using Many = io::Types<io::Queue<int, 8>, io::Queue<double, 4>, io::ReadIrp, io::WriteIrp, io::Queue<io::Irp *, 3>,
			       io::Queue<io::ReadIrp *, 55>, io::Queue<unsigned long long, 1000>, io::Types<char, long>,
			       io::Queue<io::Queue<long, 1>, 2>, io::Types<io::Types<io::Types<int, char, long>>>,
			       io::Queue<io::Queue<io::WriteIrp *, 12345>, 67890>, io::Types<short, float, double>>;
	return io::apply([&](int i) { return i * n + twice(i); }, 5) + small.sum() + static_cast<int>(large.sum()) +
	       io::WriteIrp::count(n, 'c') + generic(n, 2.5, 'x', 7L) + io::long_named(Many(), n) + global.value;
}

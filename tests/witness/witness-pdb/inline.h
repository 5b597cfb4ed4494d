/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code of a header, which is inlined into functions of both C++ files, in several levels. */
extern "C" int sink(int);
extern "C" int other(int);

namespace lib {

inline int twice(int x)
{
	int sum = sink(x);
	sum += sink(x + 1);
	return sum;
}

inline int thrice(int x)
{
	if (x > 100)
		return twice(x) + 3;
	return sink(x) +
	       twice(x * 3);
}

template <typename T, int N> struct ring {
	T items[N];
	int used;
	ring() : used(0) { put((T)N); }
	void put(T item)
	{
		items[used % N] = item;
		used++;
	}
	T sum() const
	{
		T all = 0;
		for (int i = 0; i < N; i++)
			all += items[i] + (T)sink(i);
		return all;
	}
};

class shape {
public:
	virtual int area(int scale) const;
	virtual ~shape();
	bool operator<(const shape &other) const { return area(1) < other.area(1); }
	int operator()(int x);
	static int count;
	int width, height;
};

}

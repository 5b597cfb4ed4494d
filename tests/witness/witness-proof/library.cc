// SPDX-License-Identifier: GPL-2.0-or-later
/* The standard library and exceptions: deep inlining, thousands of COMDATs, cold parts.  For make check-long. */
#include "proof.h"

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Base {
	virtual ~Base() = default;
	virtual int run(int n) = 0;
};

struct Names : Base {
	std::map<std::string, int> names;
	int run(int n) override
	{
		names["n" + std::to_string(n)] = n;
		return static_cast<int>(names.size());
	}
};

struct Numbers : Base {
	std::vector<int> numbers;
	int run(int n) override
	{
		for (int i = 0; i < n; i++)
			numbers.push_back(four_times(n - i));
		std::sort(numbers.begin(), numbers.end());
		if (numbers.empty())
			throw std::runtime_error("none");
		return numbers[0];
	}
};

__attribute__((noinline)) int apply(const std::function<int(int)> &f, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += f(i);
	return sum;
}

} // namespace

extern "C" int in_cxx(int n)
{
	Names names;
	Numbers numbers;
	Base *base = n > 1 ? static_cast<Base *>(&names) : &numbers;
	try {
		return base->run(n) + apply([&](int i) { return i + n + twice(i); }, 10);
	} catch (const std::exception &e) {
		return static_cast<int>(std::string(e.what()).size());
	}
}

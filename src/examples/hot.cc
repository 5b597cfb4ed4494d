/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hot.cc - where a program spends its time, from sampled addresses in all its modules
 *
 *	hot MODULE@BASE... ADDRESS...
 *
 * MODULE is the path of an image, BASE where it is loaded, ADDRESS a sample; both in hexadecimal.  All addresses are looked up by
 * one call, which opens each image once, however the samples are mixed.
 */
#include <rossym-set.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Destroy {
	void operator()(rossym_set *set) const { rossym_set_destroy(set); }
};
using Set = std::unique_ptr<rossym_set, Destroy>;
using Counts = std::map<std::string, unsigned>;

[[noreturn]] void fail(const rossym_error &err)
{
	char message[512];
	rossym_format_error(&err, "hot", std::strerror(err.sys_errno), message, sizeof message);
	std::cerr << message << '\n';
	std::exit(1);
}

void count(void *context, size_t, const rossym_answer *answer)
{
	std::string place = answer->module ? answer->module->name : "nowhere";
	place += answer->frame.function ? std::string(" ") + answer->frame.function : std::string(": ") + rossym_why_text(answer->why);
	++(*static_cast<Counts *>(context))[place];
}

void add(rossym_set *set, const std::string &path, uint64_t base)
{
	rossym_error err;
	rossym_loaded loaded{};
	loaded.size = sizeof loaded;
	loaded.name = path.c_str();
	loaded.name_length = path.size();
	loaded.path = path.c_str();
	loaded.base = base;
	if (rossym_set_add(set, &loaded, &err) < 0)
		fail(err);
}

/* The function in which a module begins: an address can also be one of a module that has a name and no base. */
void show_begin(rossym_set *set, const rossym_module *module)
{
	rossym_error err;
	rossym_answer answer;
	const rossym_module *same;
	if (rossym_set_find(set, module->name, std::strlen(module->name), &same, &err) < 0 ||
	    rossym_set_lookup_rva(set, same, 0x1000, 0, &answer, &err) < 0)
		fail(err);
	std::cout << module->name << " begins with " << (answer.frame.function ? answer.frame.function : "??") << '\n';
}

}

int main(int argc, char **argv)
{
	rossym_error err;
	rossym_set *created;
	if (rossym_set_create(nullptr, &created, &err) < 0)
		fail(err);
	Set set(created);
	std::vector<uint64_t> samples;
	for (int i = 1; i < argc; i++) {
		const char *at = std::strrchr(argv[i], '@');
		if (at)
			add(set.get(), std::string(argv[i], static_cast<size_t>(at - argv[i])), std::strtoull(at + 1, nullptr, 16));
		else
			samples.push_back(std::strtoull(argv[i], nullptr, 16));
	}

	Counts counts;
	if (rossym_set_lookup_many(set.get(), samples.data(), samples.size(), 0, count, &counts, &err) < 0)
		fail(err);
	for (const auto &place : counts)
		std::cout << place.second << ' ' << place.first << '\n';

	const rossym_module *module;
	for (uint32_t i = 0; rossym_set_get_module(set.get(), i, &module); i++)
		show_begin(set.get(), module);

	/* The process has ended: what was loaded is no more. */
	uint64_t rva;
	if (rossym_set_forget(set.get(), 0, &err) < 0)
		fail(err);
	return !samples.empty() && rossym_set_locate(set.get(), samples[0], &module, &rva);
}

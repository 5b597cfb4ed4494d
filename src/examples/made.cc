/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * made.cc - a table of our own, put into an image, and read from there
 *
 *	made IMAGE
 *
 * A just-in-time compiler knows its code without a debug format.  Here it says: at 0x1640 there is code of inner(), which was
 * inlined into outer() at outer.c:7; outer() has 16 bytes.
 */
#include <rossym-write.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>

namespace {

/* What a function of the library returned, unless it failed. */
int checked(int result, const rossym_error &err)
{
	if (result < 0)
		throw std::string(err.what);
	return result;
}

void add_row(rossym_builder *builder, uint32_t rva, const char *function, const char *file, uint32_t line, uint32_t outer)
{
	rossym_error err;
	rossym_new_row row{};
	row.size = sizeof row;
	row.rva = rva;
	row.function = function;
	row.file = file;
	row.line = line;
	row.outer = outer;
	checked(rossym_builder_add(builder, &row, &err), err);
}

void add_code(rossym_builder *builder)
{
	rossym_error err;
	uint32_t number;
	rossym_new_frame frame{};
	frame.size = sizeof frame;
	frame.function = "outer";
	frame.file = "outer.c";
	frame.line = 7;
	checked(rossym_builder_add_frame(builder, &frame, &number, &err), err);
	rossym_new_function function{};
	function.size = sizeof function;
	function.name = "outer";
	function.rva = 0x1640;
	function.length = 16;
	checked(rossym_builder_add_function(builder, &function, &err), err);
	add_row(builder, 0x1640, "inner", "inner.c", 3, number);
	add_row(builder, 0x1650, ROSSYM_TERMINATOR, nullptr, 0, 0);
}

using Bytes = std::unique_ptr<void, void (*)(void *)>;

/* IMAGE with the table in place of its own; SIZE becomes the size of the result. */
Bytes embedded(const std::string &image, size_t &size)
{
	rossym_error err;
	rossym_builder *created;
	checked(rossym_builder_create(nullptr, &created, &err), err);
	std::unique_ptr<rossym_builder, void (*)(rossym_builder *)> builder(created, rossym_builder_destroy);
	add_code(builder.get());
	rossym_built built{};
	built.size = sizeof built;
	checked(rossym_builder_finish(builder.get(), &built, &err), err);
	Bytes table(built.bytes, rossym_free);
	void *result;
	checked(rossym_embed(image.data(), image.size(), table.get(), built.bytes_size, nullptr, &result, &size, nullptr, &err), err);
	return Bytes(result, rossym_free);
}

void show(const void *bytes, size_t size)
{
	rossym_error err;
	rossym_image *image;
	rossym_frame frames[8];
	const std::uint64_t rva = 0x1644;
	uint32_t end;
	checked(rossym_open_memory(bytes, size, nullptr, &image, &err), err);
	std::unique_ptr<rossym_image, void (*)(rossym_image *)> owner(image, rossym_close);
	checked(rossym_lookup_frames(image, &rva, 1, 0, frames, 8, &end, &err), err);
	if (!frames[0].function)
		throw std::string("no answer");
	for (uint32_t i = 0; i < end; i++)
		std::cout << frames[i].function << ' ' << frames[i].file << ':' << frames[i].line << '\n';
}

}

int main(int argc, char **argv)
{
	std::ifstream file(argc == 2 ? argv[1] : "", std::ios::binary);
	std::string image{ std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>() };
	try {
		size_t size;
		Bytes made = embedded(image, size);
		show(made.get(), size);
	} catch (const std::string &what) {
		std::cerr << "made: " << what << '\n';
		return 1;
	}
	return 0;
}

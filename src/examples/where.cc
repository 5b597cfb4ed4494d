/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * where.cc - where functions, source lines and addresses of an image are, and a table of our own, in C++
 *
 * The image is read through a stream, as from an archive or another process.  Then it gets a table as a just-in-time compiler
 * would make it, which knows its code without a debug format: at 0x1640 there is code of inner(), which was inlined into outer()
 * at outer.c:7; outer() has 16 bytes.
 */
#include <rossym-write.h>

#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

class Failure : public std::runtime_error {
public:
	explicit Failure(const rossym_error &err) : std::runtime_error(text(err)) {}
private:
	static std::string text(const rossym_error &err)
	{
		char message[512];
		rossym_format_error(&err, nullptr, std::strerror(err.sys_errno), message, sizeof message);
		return message;
	}
};

struct Close {
	void operator()(rossym_image *image) const { rossym_close(image); }
};
using Image = std::unique_ptr<rossym_image, Close>;

/* What a function of the library returned, unless it failed. */
int checked(int result, const rossym_error &err)
{
	if (result < 0)
		throw Failure(err);
	return result;
}

int read_stream(void *context, uint64_t offset, void *buffer, size_t count, rossym_fault *)
{
	auto *stream = static_cast<std::ifstream *>(context);
	stream->clear();
	stream->seekg(static_cast<std::streamoff>(offset));
	stream->read(static_cast<char *>(buffer), static_cast<std::streamsize>(count));
	return stream->gcount() == static_cast<std::streamsize>(count) ? 0 : -1;
}

Image open_stream(std::ifstream &stream, const rossym_open_options *options)
{
	rossym_image *image;
	rossym_error err;
	rossym_reader reader{};
	stream.seekg(0, std::ios::end);
	reader.size = static_cast<uint64_t>(stream.tellg());
	reader.read = read_stream;
	reader.context = &stream;
	checked(rossym_open_reader(&reader, options, &image, &err), err);
	return Image(image);
}

std::ostream &operator<<(std::ostream &out, const rossym_frame &frame)
{
	if (!frame.function && !frame.file && !frame.line)
		return out << "unknown";
	return out << (frame.function ? frame.function : "??") << ' ' << (frame.file ? frame.file : "??") << ':' << frame.line;
}

void show_addresses(rossym_image *image, const std::vector<uint64_t> &rvas)
{
	rossym_error err;
	std::vector<rossym_frame> frames(rvas.size());
	checked(rossym_prepare_addresses(image, rvas.data(), rvas.size(), &err), err);
	checked(rossym_prepare_for(image, 1000000, &err), err);
	checked(rossym_lookup_many(image, rvas.data(), rvas.size(), ROSSYM_LOOKUP_DATA, frames.data(), &err), err);
	for (size_t i = 0; i < rvas.size(); i++) {
		rossym_section section;
		bool inside = checked(rossym_section_at(image, rvas[i], &section, &err), err) > 0;
		std::cout << std::hex << "0x" << rvas[i] << std::dec << ' ' << (inside ? section.name : "-") << ' ' << frames[i]
			  << '\n';
	}
	std::cout << (rossym_is_prepared(image) ? "prepared\n" : "not prepared\n");
}

void show_function(rossym_image *image, const char *name)
{
	rossym_error err;
	rossym_function function;
	if (checked(rossym_find_function(image, name, &function, &err), err) > 0)
		std::cout << name << " is at 0x" << std::hex << function.rva << std::dec << '\n';
}

void show_line(rossym_image *image, const char *file, uint32_t line)
{
	rossym_error err;
	rossym_place *places;
	size_t count;
	checked(rossym_find_line(image, file, line, 0, &places, &count, &err), err);
	std::unique_ptr<rossym_place, void (*)(void *)> owner(places, rossym_free);
	for (size_t i = 0; i < count; i++)
		std::cout << places[i].frame << " is at 0x" << std::hex << places[i].range.first << "-0x" << places[i].range.last
			  << std::dec << '\n';
}

/* The content of the section NAME; nothing if there is none. */
std::vector<unsigned char> section_bytes(rossym_image *image, const char *name)
{
	rossym_error err;
	rossym_section section, wanted;
	std::vector<unsigned char> bytes;
	if (checked(rossym_find_section(image, name, &wanted, &err), err) == 0)
		return bytes;
	for (uint32_t i = 0; checked(rossym_get_section(image, i, &section, &err), err) > 0; i++) {
		if (section.rva != wanted.rva)
			continue;
		bytes.resize(section.raw_size);
		checked(rossym_read_section(image, i, 0, bytes.size(), bytes.data(), &err), err);
	}
	return bytes;
}

/* The table alone, and then the image with this table in place of its own: all answer alike. */
void show_table(std::ifstream &stream, rossym_image *image)
{
	rossym_error err;
	rossym_image *alone;
	std::vector<unsigned char> table = section_bytes(image, ".rossym");
	std::cout << "the table's CRC is " << std::hex << rossym_debuglink_crc(0, table.data(), table.size()) << std::dec << '\n';
	checked(rossym_open_memory(table.data(), table.size(), nullptr, &alone, &err), err);
	Image owner(alone);
	show_function(alone, "KeBugCheckEx");

	rossym_open_options options{};
	options.size = sizeof options;
	options.table = table.data();
	options.table_size = table.size();
	Image both = open_stream(stream, &options);
	checked(rossym_prepare(both.get(), &err), err);
	show_function(both.get(), "KeBugCheckEx");
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

void show_made(const void *bytes, size_t size)
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
		throw std::runtime_error("no answer");
	for (uint32_t i = 0; i < end; i++)
		std::cout << frames[i].function << ' ' << frames[i].file << ':' << frames[i].line << '\n';
}

}

int main(int argc, char **argv)
{
	if (argc != 2) {
		std::cerr << "usage: where IMAGE\n";
		return 2;
	}
	try {
		std::ifstream stream(argv[1], std::ios::binary);
		Image image = open_stream(stream, nullptr);
		std::cout << "rossym " << rossym_version() << '\n';
		show_addresses(image.get(), { 0x1640, 0x16c7, 0x1000, 0x4000, 1 });
		show_function(image.get(), "_KeBugCheckEx@20");
		show_line(image.get(), "bug.c", 19);
		show_table(stream, image.get());
		stream.clear();
		stream.seekg(0);
		std::string bytes{ std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>() };
		size_t size;
		Bytes made = embedded(bytes, size);
		show_made(made.get(), size);
	} catch (const std::runtime_error &failure) {
		std::cerr << "where: " << argv[1] << ": " << failure.what() << '\n';
		return 1;
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * where.cc - finds functions, source lines and addresses of an image, and makes a table of its own, in C++
 *
 * The image is read through a stream, as from an archive or another process.  Then it gets a new table, made of the
 * program's own data, as a just-in-time compiler has them: at 0x1640 is code of inner(), which was inlined into
 * outer() at outer.c:7; outer() has 16 bytes.
 */
#include <rossym.hh>

#include <fstream>
#include <iostream>
#include <stdexcept>
#include <vector>

namespace {

/* Returns RESULT, which a function of the library has returned; throws if ERR says that it failed. */
template <typename T> T return_or_throw(T result, const rossym::error &err)
{
	if (err)
		throw std::runtime_error(err.message());
	return result;
}

int read_ifstream(void *context, uint64_t offset, void *buffer, size_t count, rossym_fault *)
{
	auto *stream = static_cast<std::ifstream *>(context);
	stream->clear();
	stream->seekg(static_cast<std::streamoff>(offset));
	stream->read(static_cast<char *>(buffer), static_cast<std::streamsize>(count));
	return stream->gcount() == static_cast<std::streamsize>(count) ? 0 : -1;
}

rossym::image open_ifstream(std::ifstream &stream, const rossym_open_options *options)
{
	rossym::error err;
	rossym_reader reader{};
	stream.seekg(0, std::ios::end);
	reader.size = static_cast<uint64_t>(stream.tellg());
	reader.read = read_ifstream;
	reader.context = &stream;
	return return_or_throw(rossym::open_reader(reader, err, options), err);
}

std::ostream &operator<<(std::ostream &out, const rossym_frame &frame)
{
	if (!frame.function && !frame.file && !frame.line)
		return out << "unknown";
	return out << (frame.function ? frame.function : "??") << ' ' << (frame.file ? frame.file : "??") << ':' << frame.line;
}

void show_addresses(const rossym::image &image, const std::vector<uint64_t> &rvas)
{
	rossym::error err;
	std::vector<rossym_frame> frames(rvas.size());
	return_or_throw(rossym_prepare_addresses(image.get(), rvas.data(), rvas.size(), &err), err);
	return_or_throw(rossym_prepare_for(image.get(), 1000000, &err), err);
	return_or_throw(rossym_lookup_many(image.get(), rvas.data(), rvas.size(), ROSSYM_LOOKUP_DATA, frames.data(), &err), err);
	for (size_t i = 0; i < rvas.size(); i++) {
		rossym_section section;
		bool inside = return_or_throw(rossym_section_at(image.get(), rvas[i], &section, &err), err) > 0;
		std::cout << std::hex << "0x" << rvas[i] << std::dec << ' ' << (inside ? section.name : "-") << ' ' << frames[i]
			  << '\n';
	}
	std::cout << (rossym_is_prepared(image.get()) ? "prepared\n" : "not prepared\n");
}

void show_function(const rossym::image &image, const char *name)
{
	rossym::error err;
	rossym_function function;
	if (return_or_throw(rossym_find_function(image.get(), name, &function, &err), err) > 0)
		std::cout << name << " is at 0x" << std::hex << function.rva << std::dec << '\n';
}

void show_line(const rossym::image &image, const char *file, uint32_t line)
{
	rossym::error err;
	for (const rossym_place &place : rossym::places(image, file, line, err))
		std::cout << place.frame << " is at 0x" << std::hex << place.range.first << "-0x" << place.range.last << std::dec << '\n';
	return_or_throw(0, err);
}

/* Returns the content of the section NAME; nothing if there is none. */
std::vector<unsigned char> section_bytes(const rossym::image &image, const char *name)
{
	rossym::error err;
	rossym_section wanted;
	std::vector<unsigned char> bytes;
	uint32_t number = 0;
	if (return_or_throw(rossym_find_section(image.get(), name, &wanted, &err), err) == 0)
		return bytes;
	for (const rossym_section &section : rossym::sections(image, err)) {
		if (section.rva == wanted.rva) {
			bytes.resize(section.raw_size);
			rossym_read_section(image.get(), number, 0, bytes.size(), bytes.data(), &err);
		}
		number++;
	}
	return return_or_throw(bytes, err);
}

/* Open the table alone, then the image with this table in place of its own.  Both answer as the image does. */
void show_table(std::ifstream &stream, const rossym::image &image)
{
	rossym::error err;
	std::vector<unsigned char> table = section_bytes(image, ".rossym");
	std::cout << "the table's CRC is " << std::hex << rossym_debuglink_crc(0, table.data(), table.size()) << std::dec << '\n';
	show_function(return_or_throw(rossym::open_memory(table.data(), table.size(), err), err), "KeBugCheckEx");

	rossym_open_options options = rossym::sized<rossym_open_options>();
	options.table = table.data();
	options.table_size = table.size();
	rossym::image both = open_ifstream(stream, &options);
	return_or_throw(rossym_prepare(both.get(), &err), err);
	show_function(both, "KeBugCheckEx");
}

void add_row(const rossym::builder &builder, uint32_t rva, const char *function, const char *file, uint32_t line, uint32_t outer)
{
	rossym::error err;
	rossym_new_row row = rossym::sized<rossym_new_row>();
	row.rva = rva;
	row.function = function;
	row.file = file;
	row.line = line;
	row.outer = outer;
	return_or_throw(rossym_builder_add(builder.get(), &row, &err), err);
}

void add_code(const rossym::builder &builder)
{
	rossym::error err;
	uint32_t number;
	rossym_new_frame frame = rossym::sized<rossym_new_frame>();
	frame.function = "outer";
	frame.file = "outer.c";
	frame.line = 7;
	return_or_throw(rossym_builder_add_frame(builder.get(), &frame, &number, &err), err);
	rossym_new_function function = rossym::sized<rossym_new_function>();
	function.name = "outer";
	function.rva = 0x1640;
	function.length = 16;
	return_or_throw(rossym_builder_add_function(builder.get(), &function, &err), err);
	add_row(builder, 0x1640, "inner", "inner.c", 3, number);
	add_row(builder, 0x1650, ROSSYM_TERMINATOR, nullptr, 0, 0);
}

/* Returns IMAGE with the new table in place of its own; SIZE becomes the size of the result. */
rossym::memory embed_new_table(const std::string &image, size_t &size)
{
	rossym::error err;
	rossym::builder builder = return_or_throw(rossym::make_builder(err), err);
	add_code(builder);
	rossym_built built = rossym::sized<rossym_built>();
	return_or_throw(rossym_builder_finish(builder.get(), &built, &err), err);
	rossym::memory table(built.bytes);
	void *result = nullptr;
	return_or_throw(rossym_embed(image.data(), image.size(), table.get(), built.bytes_size, nullptr, &result, &size, nullptr, &err), err);
	return rossym::memory(result);
}

void show_made_image(const void *bytes, size_t size)
{
	rossym::error err;
	rossym_frame frames[8];
	const uint64_t rva = 0x1644;
	uint32_t end;
	rossym::image image = return_or_throw(rossym::open_memory(bytes, size, err), err);
	return_or_throw(rossym_lookup_frames(image.get(), &rva, 1, 0, frames, 8, &end, &err), err);
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
		rossym::image image = open_ifstream(stream, nullptr);
		std::cout << "rossym " << rossym_version() << '\n';
		show_addresses(image, { 0x1640, 0x16c7, 0x1000, 0x4000, 1 });
		show_function(image, "_KeBugCheckEx@20");
		show_line(image, "bug.c", 19);
		show_table(stream, image);
		stream.clear();
		stream.seekg(0);
		std::string bytes{ std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>() };
		size_t size;
		rossym::memory made = embed_new_table(bytes, size);
		show_made_image(made.get(), size);
	} catch (const std::runtime_error &failure) {
		std::cerr << "where: " << argv[1] << ": " << failure.what() << '\n';
		return 1;
	}
	return 0;
}

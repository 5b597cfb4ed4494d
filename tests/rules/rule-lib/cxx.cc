// SPDX-License-Identifier: GPL-2.0-or-later
// Uses all of rossym.hh.
#include <rossym.hh>

#include <cstdio>

static const char *or_unknown(const char *text)
{
	return text ? text : "??";
}

static void show_image(const char *path)
{
	rossym::error err;
	rossym::image image = rossym::open(path, err);
	for (const rossym_section &section : rossym::sections(image, err))
		std::printf("section %s at 0x%lx\n", section.name, static_cast<unsigned long>(section.rva));
	for (const rossym_frame &frame : rossym::frames(image, 0x1560, err))
		std::printf("frame %s %s:%lu\n", or_unknown(frame.function), or_unknown(frame.file), static_cast<unsigned long>(frame.line));
	for (const rossym_frame &frame : rossym::frames(image, 1, err))
		std::printf("frame %s where nothing is known\n", or_unknown(frame.function));
	for (const rossym_symbol &symbol : rossym::symbolize(image, 0x1560, err))
		std::printf("symbol %s %s:%lu\n", or_unknown(symbol.function), or_unknown(symbol.file), static_cast<unsigned long>(symbol.line));
	std::size_t functions = 0, rows = 0;
	for (const rossym_function &function : rossym::functions(image, err))
		functions += function.name != nullptr;
	rossym::range<rossym::row_source> all = rossym::rows(image, err);
	for (auto row = all.begin(); row != all.end(); ++row)
		rows += row->rva < UINT32_MAX;
	if (image)
		std::printf("%zu functions, %zu rows\n", functions, rows);
	rossym::places places(image, "bug.h", 10, err);
	std::printf("%zu places\n", places.size());
	for (const rossym_place &place : places)
		std::printf("0x%lx %s\n", static_cast<unsigned long>(place.range.first), or_unknown(place.frame.function));
	rossym_info info = rossym::sized<rossym_info>();
	if (image && rossym_get_info(image.get(), &info, &err) == 0)
		std::printf("machine 0x%x\n", info.machine);
	if (err)
		std::printf("failed: %s\n", err.message("IMAGE").c_str());
}

static void show_made()
{
	rossym::error err;
	rossym::builder builder = rossym::make_builder(err);
	rossym_new_row row = rossym::sized<rossym_new_row>();
	row.rva = 0x1000;
	row.function = "made";
	row.line = 7;
	rossym_built built = rossym::sized<rossym_built>();
	if (rossym_builder_add(builder.get(), &row, &err) < 0 || rossym_builder_finish(builder.get(), &built, &err) < 0)
		return;
	rossym::memory owner(built.bytes);
	rossym::image image = rossym::open_memory(built.bytes, built.bytes_size, err);
	for (const rossym_row &made : rossym::rows(image, err))
		std::printf("row 0x%lx %s:%lu\n", static_cast<unsigned long>(made.rva), made.function, static_cast<unsigned long>(made.line));
	rossym_reader reader = rossym_reader();
	reader.memory = built.bytes;
	reader.size = built.bytes_size;
	std::printf("reader: %d\n", rossym::open_reader(reader, err) != nullptr);
	rossym::set set = rossym::make_set(err);
	std::printf("set: %d\n", set != nullptr);
	rossym::image none = rossym::open_fd(-1, err);
	std::printf("none: %d, %d\n", none == nullptr, err.code == ROSSYM_ESYS);
	const std::string path(5000, 'p');
	std::printf("a long path: %d\n", err.message(path.c_str()) == path + ": " + err.message());
	err.clear();
	std::printf("clear: %d\n", !err);
	std::size_t size = 1;
	std::printf("no table of no image: %d, %d\n", rossym::read_table(none, size, err) == nullptr, !err);
}

static void show_dump(const char *path)
{
	rossym::error err;
	rossym::dump dump = rossym::open_dump(path, err);
	for (const rossym_dump_module &module : rossym::modules(dump, err))
		std::printf("module %s\n", module.name);
	for (const rossym_dump_thread &thread : rossym::threads(dump, err)) {
		std::printf("thread 0x%lx %s\n", static_cast<unsigned long>(thread.id), thread.name);
		for (const rossym_unwind_frame &frame : rossym::stack(dump, thread, err))
			std::printf("  0x%lx\n", static_cast<unsigned long>(frame.ip));
	}
	rossym_unwind_frame frame = rossym::sized<rossym_unwind_frame>();
	unsigned count = 0;
	for (const rossym_unwind_frame &refused : rossym::stack(rossym::sized<rossym_unwind_space>(), frame, err))
		count += refused.ip == 0;
	std::printf("%u frame, %d\n", count, err.code == ROSSYM_EREFUSED);
	err.clear();
	std::printf("no dump: %d\n", !rossym::open_dump(rossym_reader(), err) && err.code == ROSSYM_EREFUSED);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		show_dump(*++argv), argc--;
	for (int i = 1; i < argc; i++)
		show_image(argv[i]);
	show_made();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rossym.hh - librossym in C++11: owners, ranges, errors
 *
 *     rossym::error err;
 *     rossym_open_options options = rossym_open_options();
 *     options.size = sizeof options;
 *     options.flags = ROSSYM_OPEN_DEBUG_INFO;
 *     rossym::image image = rossym::open("ntoskrnl.exe", err, &options);
 *     for (const rossym_symbol &symbol : rossym::symbolize(image, 0x1640, err))
 *         std::cout << (symbol.function ? symbol.function : "??") << '\n';
 *     if (err)
 *         std::cerr << err.message("ntoskrnl.exe") << '\n';
 *
 * rossym.h, rossym-set.h, rossym-write.h and rossym-unwind.h say what the C functions do.  To call one of these, pass
 * an owner's get().
 *
 * Errors    Only std::string and std::vector throw, if memory runs out; programs need no exceptions.  A function that
 *           fails stores the reason in its rossym::error, which then converts to true until clear().  An owner that the
 *           function returns is then empty, and a range ends.  With an empty image, functions do nothing and leave the
 *           error as it is: one test after several calls is enough.
 * Ranges    A range can be gone through once.  The image must live as long as the range.  An item is valid until the
 *           next one, its strings until the image is closed.
 */
#ifndef ROSSYM_HH
#define ROSSYM_HH

#include "rossym.h"
#include "rossym-set.h"
#include "rossym-unwind.h"
#include "rossym-write.h"

#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace rossym {

/* Why a call failed; converts to false if no call has failed. */
struct error : rossym_error {
	error() : rossym_error() {}
	explicit operator bool() const { return code != ROSSYM_OK; }
	void clear() { *this = error(); }
	/* Returns the message of rossym_format_error(), with strerror() as the text of an errno. */
	std::string message(const char *name = nullptr) const
	{
		const char *reason = code == ROSSYM_ESYS ? std::strerror(sys_errno) : nullptr;
		const std::size_t length = static_cast<std::size_t>(rossym_format_error(this, name, reason, nullptr, 0));
		std::string text(length + 1, '\0');
		rossym_format_error(this, name, reason, &text[0], length + 1);
		text.resize(length);
		return text;
	}
};

/* ------------------------------------------------------------------------------------------------- owners */

template <typename T, void (*free)(T *)> struct deleter {
	void operator()(T *owned) const noexcept { free(owned); }
};
using image = std::unique_ptr<rossym_image, deleter<rossym_image, rossym_close>>;
using set = std::unique_ptr<rossym_set, deleter<rossym_set, rossym_set_destroy>>;
using builder = std::unique_ptr<rossym_builder, deleter<rossym_builder, rossym_builder_destroy>>;
using dump = std::unique_ptr<rossym_dump, deleter<rossym_dump, rossym_dump_close>>;
using memory = std::unique_ptr<void, deleter<void, rossym_free>>;

/* Returns a structure with its size in the first field, and zeros in all others. */
template <typename T> T sized()
{
	T made = T();
	made.size = sizeof made;
	return made;
}

/* Calls FUNCTION(ARGUMENTS..., &made, &err).  Returns an owner of `made`; an empty one after an error. */
template <typename Owner, typename Function, typename... Arguments> Owner made_by(Function function, error &err, Arguments... arguments)
{
	typename Owner::pointer made = nullptr;
	return Owner(function(arguments..., &made, &err) < 0 ? nullptr : made);
}

inline image open(const char *path, error &err, const rossym_open_options *options = nullptr)
{
	return made_by<image>(rossym_open, err, path, options);
}
inline image open_fd(int fd, error &err, const rossym_open_options *options = nullptr)
{
	return made_by<image>(rossym_open_fd, err, fd, options);
}
inline image open_memory(const void *data, std::size_t size, error &err, const rossym_open_options *options = nullptr)
{
	return made_by<image>(rossym_open_memory, err, data, size, options);
}
inline image open_reader(const rossym_reader &reader, error &err, const rossym_open_options *options = nullptr)
{
	return made_by<image>(rossym_open_reader, err, &reader, options);
}
inline set make_set(error &err, const rossym_set_options *options = nullptr)
{
	return made_by<set>(rossym_set_create, err, options);
}
inline builder make_builder(error &err, const rossym_builder_options *options = nullptr)
{
	return made_by<builder>(rossym_builder_create, err, options);
}

inline dump open_dump(const char *path, error &err)
{
	return made_by<dump>(rossym_dump_open, err, path);
}
inline dump open_dump(const rossym_reader &reader, error &err)
{
	return made_by<dump>(rossym_dump_open_reader, err, &reader);
}

/* As rossym_read_table() and rossym_pack(), but return an owner of the bytes, which is empty after an error.  Store the
   number of bytes in MADE_SIZE. */
inline memory read_table(const image &of, std::size_t &made_size, error &err)
{
	void *made = nullptr;
	return memory(!of || rossym_read_table(of.get(), &made, &made_size, &err) < 0 ? nullptr : made);
}
inline memory pack(const void *table, std::size_t size, std::size_t &made_size, error &err, bool wide = false)
{
	void *made = nullptr;
	return memory(rossym_pack(table, size, wide, &made, &made_size, &err) < 0 ? nullptr : made);
}

/* Returns the frames at ADDRESS, the innermost first; none if nothing is known there. */
inline std::vector<rossym_symbol> symbolize(const image &of, uint64_t address, error &err,
					    const rossym_symbolize_options *options = nullptr)
{
	std::vector<rossym_symbol> symbols(8);
	symbols[0].size = sizeof symbols[0];
	int count = 0;
	while (of) {
		const uint32_t room = static_cast<uint32_t>(symbols.size());
		count = rossym_symbolize(of.get(), address, options, symbols.data(), room, &err);
		if (count <= static_cast<int>(room))
			break;
		symbols.resize(static_cast<std::size_t>(count));
	}
	symbols.resize(static_cast<std::size_t>(count > 0 ? count : 0));
	return symbols;
}

/* ------------------------------------------------------------------------------------------------- ranges */

/* An input range.  SOURCE has a type `item`, and `int next(item &, error &)`: returns 1 after storing an item, 0 at the
   end, -1 on an error. */
template <typename Source> class range {
public:
	using item = typename Source::item;
	class iterator {
	public:
		using iterator_category = std::input_iterator_tag;
		using value_type = item;
		using difference_type = std::ptrdiff_t;
		using pointer = const item *;
		using reference = const item &;
		explicit iterator(range *from = nullptr) : from_(from) { ++*this; }
		reference operator*() const { return from_->item_; }
		pointer operator->() const { return &from_->item_; }
		iterator &operator++()
		{
			if (from_ && from_->source_.next(from_->item_, *from_->err_) <= 0)
				from_ = nullptr;
			return *this;
		}
		void operator++(int) { ++*this; }
		bool operator==(const iterator &other) const { return from_ == other.from_; }
		bool operator!=(const iterator &other) const { return from_ != other.from_; }
	private:
		range *from_;
	};
	range(const Source &source, error &err) : source_(source), item_(), err_(&err) {}
	iterator begin() { return iterator(this); }
	iterator end() { return iterator(); }
private:
	Source source_;
	item item_;
	error *err_;
};
struct frame_source {
	using item = rossym_frame;
	rossym_frames state;
	bool known;
	int next(item &frame, error &) { return known ? rossym_frames_next(&state, &frame) : 0; }
};
struct function_source {
	using item = rossym_function;
	rossym_functions state;
	int next(item &function, error &err) { return state.image ? rossym_functions_next(&state, &function, &err) : 0; }
};
struct row_source {
	using item = rossym_row;
	rossym_rows state;
	int next(item &row, error &err) { return state.image ? rossym_rows_next(&state, &row, &err) : 0; }
};
struct section_source {
	using item = rossym_section;
	rossym_image *image;
	uint32_t number;
	int next(item &section, error &err) { return image ? rossym_get_section(image, number++, &section, &err) : 0; }
};

/* A source of the items that GET(dump, 0), GET(dump, 1) ... store, until GET returns 0 or -1. */
template <typename Item, int (*get)(rossym_dump *, uint32_t, Item *, rossym_error *)> struct dump_source {
	using item = Item;
	rossym_dump *dump;
	uint32_t number;
	int next(item &made, error &err)
	{
		made.size = sizeof made;
		return dump ? get(dump, number++, &made, &err) : 0;
	}
};
using module_source = dump_source<rossym_dump_module, rossym_dump_get_module>;
using thread_source = dump_source<rossym_dump_thread, rossym_dump_get_thread>;
struct step_source {
	using item = rossym_unwind_frame;
	rossym_unwind_space space;
	item frame;
	unsigned left;
	bool begun;
	int next(item &next, error &err)
	{
		if (left == 0)
			return 0;
		left--;
		const int known = begun ? rossym_unwind_step(&space, &frame, &err) : 1;
		begun = true;
		next = frame;
		return known;
	}
};

/* Returns the frames at RVA, the innermost first; none if nothing is known there. */
inline range<frame_source> frames(const image &of, uint64_t rva, error &err, unsigned flags = 0)
{
	frame_source source = frame_source();
	rossym_frame answer;
	source.known = of && rossym_lookup(of.get(), rva, flags, &answer, &err) > 0 &&
		       rossym_frames_begin(of.get(), &answer, &source.state, &err) == 0;
	return range<frame_source>(source, err);
}
inline range<function_source> functions(const image &of, error &err)
{
	function_source source = function_source();
	rossym_functions_begin(of.get(), &source.state);
	return range<function_source>(source, err);
}
inline range<row_source> rows(const image &of, error &err, uint32_t first = 0)
{
	row_source source = row_source();
	rossym_rows_begin(of.get(), first, &source.state);
	return range<row_source>(source, err);
}
inline range<section_source> sections(const image &of, error &err)
{
	return range<section_source>({ of.get(), 0 }, err);
}

/* These functions return the modules and the threads of a dump. */
inline range<module_source> modules(const dump &of, error &err)
{
	return range<module_source>({ of.get(), 0 }, err);
}
inline range<thread_source> threads(const dump &of, error &err)
{
	return range<thread_source>({ of.get(), 0 }, err);
}
/* The first function returns FRAME and its callers in SPACE, at most MOST frames.  The second one returns those of
   THREAD; the range is empty if the frame of THREAD is not known. */
inline range<step_source> stack(const rossym_unwind_space &space, const rossym_unwind_frame &frame, error &err, unsigned most = 1024)
{
	return range<step_source>({ space, frame, most, false }, err);
}
inline range<step_source> stack(const dump &of, const rossym_dump_thread &thread, error &err, unsigned most = 1024)
{
	rossym_unwind_space space = sized<rossym_unwind_space>();
	const bool known = of && thread.has_frame && rossym_dump_get_space(of.get(), &space, &err) == 0;
	return stack(space, thread.frame, err, known ? most : 0);
}

/* The addresses of a source line.  Unlike a range, an object of this class can be gone through more than once. */
class places {
public:
	places(const image &of, const char *file, uint32_t line, error &err, unsigned flags = 0) : owner_(), count_(0)
	{
		rossym_place *found = nullptr;
		if (of && rossym_find_line(of.get(), file, line, flags, &found, &count_, &err) > 0)
			owner_.reset(found);
	}
	const rossym_place *begin() const { return static_cast<const rossym_place *>(owner_.get()); }
	const rossym_place *end() const { return begin() + count_; }
	std::size_t size() const { return count_; }
private:
	memory owner_;
	std::size_t count_;
};
}
#endif

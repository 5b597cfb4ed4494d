// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/minidump.h"
#include "core/bytes.h"

#include <string.h>

enum stream {
	THREAD_LIST = 3,
	MODULE_LIST = 4,
	MEMORY_LIST = 5,
	EXCEPTION = 6,
	SYSTEM_INFO = 7,
	MEMORY64_LIST = 9,
	UNLOADED_LIST = 14,
	MISC_INFO = 15,
	THREAD_NAMES = 24,
};

enum {
	HEADER_SIZE = 32,
	FORMAT = 0xa793, /* MINIDUMP_VERSION */
	DIRECTORY_ENTRY = 12,
	THREAD_SIZE = 48,
	MODULE_SIZE = 108,
	MEMORY_SIZE = 16, /* of an entry of MEMORY_LIST and of MEMORY64_LIST */
	EXCEPTION_SIZE = 168,
	SYSTEM_SIZE = 56,
	MISC_SIZE = 12,
	THREAD_NAME_SIZE = 12,
	UNLOADED_SIZE = 24, /* bytes that are read of an entry; entries can be larger */
};

static struct minidump_location parse_location(const uint8_t *bytes)
{
	return (struct minidump_location){ rs_le32(bytes), rs_le32(bytes + 4) };
}

/* ------------------------------------------------------------------------------------------------ single streams */

/* Read the first SIZE bytes of the stream LOCATION.  If it has fewer bytes, or cannot be read, report a problem for
   WHAT, and return false. */
static bool read_stream_head(const struct minidump *dump, const char *what, struct minidump_location location,
			     uint8_t *bytes, uint32_t size)
{
	const char *wrong = location.size < size				       ? "is too short"
			    : !rs_dump_read(dump->input, location.offset, bytes, size) ? rs_dump_past_end
										       : NULL;
	if (wrong)
		rs_dump_add_problem(dump->problems, what, location.offset, wrong);
	return !wrong;
}

static bool read_system_info(const struct minidump *dump, struct minidump_location location,
			     struct minidump_system *system)
{
	uint8_t bytes[SYSTEM_SIZE];
	if (location.size == 0 || !read_stream_head(dump, "the system", location, bytes, sizeof bytes))
		return false;
	*system = (struct minidump_system){ .machine = rs_le16(bytes),
					    .processors = bytes[6],
					    .major = rs_le32(bytes + 8),
					    .minor = rs_le32(bytes + 12),
					    .build = rs_le32(bytes + 16),
					    .platform = rs_le32(bytes + 20) };
	return true;
}

static bool read_process_id(const struct minidump *dump, struct minidump_location location, uint32_t *id)
{
	enum { ID_IS_VALID = 1 };
	uint8_t bytes[MISC_SIZE];
	if (location.size == 0 || !read_stream_head(dump, "the process", location, bytes, sizeof bytes))
		return false;
	*id = rs_le32(bytes + 8);
	return rs_le32(bytes + 4) & ID_IS_VALID;
}

static bool read_exception(struct minidump *dump, struct minidump_location location)
{
	uint8_t bytes[EXCEPTION_SIZE];
	if (location.size == 0 || !read_stream_head(dump, "the exception", location, bytes, sizeof bytes))
		return false;
	dump->exception_thread = rs_le32(bytes);
	dump->exception_context = parse_location(bytes + 160);
	if (!rs_dump_parse_exception(&dump->exception, true, bytes + 8))
		rs_dump_add_problem(dump->problems, "the exception", location.offset,
				    "has more parameters than there can be");
	return true;
}

/* ------------------------------------------------------------------------------------------------ the directory */

/* Returns the list of COUNT entries, each of SIZE bytes, in the stream LOCATION, after its first SKIPPED bytes.  The
   list is cut after MOST entries, and where the stream or the file ends.  WHAT is its name in reports of problems. */
static struct minidump_list make_list(const struct minidump *dump, const char *what, struct minidump_location location,
				      uint32_t skipped, uint64_t count, uint32_t size, uint32_t most)
{
	const uint64_t offset = (uint64_t)location.offset + skipped;
	const struct dump_list_claim claim = {
		what, location.offset, offset, count, (location.size - skipped) / size, size, most
	};
	return (struct minidump_list){ offset, rs_dump_count_entries(dump->input, dump->problems, &claim), size };
}

/* Find the list in the stream LOCATION, which begins with the number of entries. */
static struct minidump_list open_list(const struct minidump *dump, const char *what, struct minidump_location location,
				      uint32_t size, uint32_t most)
{
	uint8_t number[4];
	if (!read_stream_head(dump, what, location, number, sizeof number))
		return (struct minidump_list){ (uint64_t)location.offset + 4, 0, size };
	/* Some writers align the entries to 8 bytes: 4 bytes of padding come after the number of entries. */
	const uint64_t count = rs_le32(number);
	return make_list(dump, what, location, location.size == 8 + count * size ? 8 : 4, count, size, most);
}

/* Find the entries of MEMORY64_LIST.  All memory that they describe is in one piece of the file.  The list begins with
   the number of entries and the offset of that piece. */
static void open_memory64(struct minidump *dump, struct minidump_location location)
{
	static const char what[] = "the list of memory";
	uint8_t head[16];
	if (!read_stream_head(dump, what, location, head, sizeof head))
		return;
	dump->memory64_data = rs_le64(head + 8);
	dump->memory64 = make_list(dump, what, location, sizeof head, rs_le64(head), MEMORY_SIZE, MINIDUMP_MEMORY);
}

/* Find the list of unloaded modules.  It begins with a head of three numbers: the size of the head, the size of an
   entry, and how many entries there are. */
static void open_unloaded_modules(struct minidump *dump, struct minidump_location location)
{
	static const char what[] = "the list of unloaded modules";
	uint8_t head[12];
	if (!read_stream_head(dump, what, location, head, sizeof head))
		return;
	const uint32_t before = rs_le32(head), size = rs_le32(head + 4);
	if (before < sizeof head || before > location.size || size < UNLOADED_SIZE)
		rs_dump_add_problem(dump->problems, what, location.offset, "has entries of no possible size");
	else
		dump->unloaded = make_list(dump, what, location, before, rs_le32(head + 8), size, MINIDUMP_UNLOADED);
}

/* The streams that are read only after the whole directory has been read. */
struct single_streams {
	struct minidump_location system, process, exception;
	struct minidump_list names;
};

/* If the stream LOCATION, which is of KIND, is a list, find its entries.  If it is a stream that is read later, store
   LOCATION in STREAMS. */
static void open_stream(struct minidump *dump, struct single_streams *streams, uint32_t kind,
			struct minidump_location location)
{
	switch (kind) {
	case THREAD_LIST:
		dump->threads = open_list(dump, "the list of threads", location, THREAD_SIZE, MINIDUMP_THREADS);
		break;
	case MODULE_LIST:
		dump->modules = open_list(dump, "the list of modules", location, MODULE_SIZE, MINIDUMP_MODULES);
		break;
	case MEMORY_LIST:
		dump->memory = open_list(dump, "the list of memory", location, MEMORY_SIZE, MINIDUMP_MEMORY);
		break;
	case MEMORY64_LIST:
		open_memory64(dump, location);
		break;
	case EXCEPTION:
		streams->exception = location;
		break;
	case SYSTEM_INFO:
		streams->system = location;
		break;
	case MISC_INFO:
		streams->process = location;
		break;
	case UNLOADED_LIST:
		open_unloaded_modules(dump, location);
		break;
	case THREAD_NAMES:
		streams->names = open_list(dump, "the list of threads' names", location, THREAD_NAME_SIZE,
					   MINIDUMP_THREADS);
		break;
	default:
		break;
	}
}

static void read_directory(struct minidump *dump, struct single_streams *streams, uint32_t offset, uint32_t count)
{
	uint8_t entry[DIRECTORY_ENTRY];
	uint32_t seen = 0;
	if (count > MINIDUMP_STREAMS) {
		rs_dump_add_problem(dump->problems, "the directory", offset, "has more entries than are read");
		count = MINIDUMP_STREAMS;
	}
	for (uint32_t i = 0; i < count; i++) {
		const uint64_t at = (uint64_t)offset + (uint64_t)i * DIRECTORY_ENTRY;
		if (!rs_dump_read(dump->input, at, entry, sizeof entry)) {
			rs_dump_add_problem(dump->problems, "the directory", offset, rs_dump_past_end);
			break;
		}
		const uint32_t kind = rs_le32(entry);
		/* If two streams are of one kind, open only the first. */
		if (kind < 32 && seen & UINT32_C(1) << kind)
			continue;
		seen |= kind < 32 ? UINT32_C(1) << kind : 0;
		open_stream(dump, streams, kind, parse_location(entry + 4));
	}
}

/* Read the first SIZE bytes of entry number I of LIST.  False: there is no such entry, or it cannot be read. */
static bool read_list_entry(const struct minidump *dump, const struct minidump_list *list, uint32_t i, uint8_t *bytes,
			    uint32_t size)
{
	return i < list->count && rs_dump_read(dump->input, list->offset + (uint64_t)i * list->size, bytes, size);
}

/* Store in dump->names the offsets that LIST, the list of threads' names, has.  False: no heap memory is left. */
static bool list_thread_names(struct minidump *dump, const struct minidump_list *list)
{
	uint8_t bytes[THREAD_NAME_SIZE];
	if (!rs_dump_pieces_begin(&dump->names, UINT64_MAX, list->count))
		return false;
	for (uint32_t i = 0; i < list->count && read_list_entry(dump, list, i, bytes, sizeof bytes); i++)
		if (rs_le64(bytes + 4))
			rs_dump_pieces_add(&dump->names, (struct dump_piece){ rs_le32(bytes), 1, rs_le64(bytes + 4) });
	rs_dump_pieces_sort_and_cut(&dump->names);
	return true;
}

bool rs_minidump_open(struct minidump *dump, const struct dump_input *input, struct dump_problems *problems)
{
	uint8_t header[HEADER_SIZE];
	struct single_streams streams = { .system = { 0, 0 } };
	struct dump_thread thread;
	*dump = (struct minidump){ .input = input, .problems = problems };
	if (!rs_dump_read(input, 0, header, sizeof header)) {
		rs_dump_add_problem(problems, "the header", 0, rs_dump_past_end);
		return false;
	}
	if (memcmp(header, MINIDUMP_SIGNATURE, 4) != 0 || rs_le16(header + 4) != FORMAT) {
		rs_dump_add_problem(problems, "the header", 0, "is not that of a minidump");
		return false;
	}
	dump->time = rs_le32(header + 20);
	const uint32_t directory = rs_le32(header + 12);
	read_directory(dump, &streams, directory, rs_le32(header + 8));
	if (!dump->modules.offset)
		rs_dump_add_problem(problems, "the directory", directory, "has no list of modules");
	if (!dump->threads.offset)
		rs_dump_add_problem(problems, "the directory", directory, "has no list of threads");
	dump->has_system = read_system_info(dump, streams.system, &dump->system);
	dump->has_process = read_process_id(dump, streams.process, &dump->process);
	dump->has_exception = read_exception(dump, streams.exception);
	/* dump->crashed becomes the number of threads if no thread in the list has raised the exception. */
	while (dump->crashed < dump->threads.count &&
	       !(dump->has_exception && rs_minidump_read_thread(dump, dump->crashed, &thread) &&
		 thread.id == dump->exception_thread))
		dump->crashed++;
	return list_thread_names(dump, &streams.names);
}

/* ------------------------------------------------------------------------------------------------ entries of lists */

bool rs_minidump_read_thread(const struct minidump *dump, uint32_t i, struct dump_thread *thread)
{
	uint8_t bytes[THREAD_SIZE];
	if (!read_list_entry(dump, &dump->threads, i, bytes, sizeof bytes))
		return false;
	const struct minidump_location context = parse_location(bytes + 40);
	*thread = (struct dump_thread){ rs_le32(bytes), false, context.offset, context.size };
	return true;
}

bool rs_minidump_read_module(const struct minidump *dump, uint32_t i, bool whole, struct dump_module *module)
{
	uint8_t bytes[MODULE_SIZE], key[DUMP_KEY_RECORD];
	if (!read_list_entry(dump, &dump->modules, i, bytes, sizeof bytes))
		return false;
	const struct minidump_location record = parse_location(bytes + 76);
	*module = (struct dump_module){ .base = rs_le64(bytes),
					.size = rs_le32(bytes + 8),
					.stamp = rs_le32(bytes + 16),
					.checksum = rs_le32(bytes + 12) };
	if (!whole)
		return true;
	rs_dump_store_version(module, bytes + 24);
	if (record.size >= sizeof key && rs_dump_read(dump->input, record.offset, key, sizeof key))
		(void)rs_dump_store_key(module, key);
	rs_dump_read_name(dump->input, dump->problems, "the name of a module", rs_le32(bytes + 20), 1, true,
			  module->name);
	return true;
}

/* ------------------------------------------------------------------------------------------------ names, unloaded */

bool rs_minidump_read_thread_name(const struct minidump *dump, uint32_t id, char *name)
{
	uint64_t offset, gap;
	name[0] = '\0';
	if (rs_dump_pieces_find(&dump->names, id, &offset, &gap))
		rs_dump_read_name(dump->input, dump->problems, "the name of a thread", offset, 1, false, name);
	return name[0];
}

bool rs_minidump_read_unloaded(const struct minidump *dump, uint32_t i, struct dump_module *module)
{
	uint8_t bytes[UNLOADED_SIZE];
	if (!read_list_entry(dump, &dump->unloaded, i, bytes, sizeof bytes))
		return false;
	*module = (struct dump_module){ .base = rs_le64(bytes),
					.size = rs_le32(bytes + 8),
					.checksum = rs_le32(bytes + 12),
					.stamp = rs_le32(bytes + 16) };
	rs_dump_read_name(dump->input, dump->problems, "the name of an unloaded module", rs_le32(bytes + 20), 1, true,
			  module->name);
	return true;
}

uint32_t rs_minidump_find_unloaded(const struct minidump *dump, uint64_t address)
{
	uint8_t bytes[UNLOADED_SIZE];
	for (uint32_t i = dump->unloaded.count; i-- > 0;)
		if (read_list_entry(dump, &dump->unloaded, i, bytes, sizeof bytes) &&
		    address - rs_le64(bytes) < rs_le32(bytes + 8))
			return i;
	return dump->unloaded.count;
}

/* ------------------------------------------------------------------------------------------------ memory */

/* Add to PIECES the memory of the entries of LIST, each of which has a MINIDUMP_MEMORY_DESCRIPTOR at offset AT. */
static void add_memory_of_list(const struct minidump *dump, const struct minidump_list *list, uint32_t at,
			       struct dump_pieces *pieces)
{
	uint8_t bytes[THREAD_SIZE];
	for (uint32_t i = 0; i < list->count; i++) {
		if (!read_list_entry(dump, list, i, bytes, list->size))
			continue;
		const struct minidump_location location = parse_location(bytes + at + 8);
		/* Offset 0: the memory of this entry is in MEMORY64_LIST. */
		if (location.offset)
			rs_dump_pieces_add(pieces,
					   (struct dump_piece){ rs_le64(bytes + at), location.size, location.offset });
	}
}

bool rs_minidump_list_memory(const struct minidump *dump, struct dump_pieces *pieces)
{
	uint8_t bytes[MEMORY_SIZE];
	uint64_t offset = dump->memory64_data;
	const size_t most = (size_t)dump->memory.count + dump->memory64.count + dump->threads.count;
	if (!rs_dump_pieces_begin(pieces, dump->input->size, most))
		return false;
	add_memory_of_list(dump, &dump->memory, 0, pieces);
	add_memory_of_list(dump, &dump->threads, 24, pieces); /* the stack of each thread */
	/* The entries of MEMORY64_LIST have no offset: the memory of each follows that of the entry before. */
	for (uint32_t i = 0; i < dump->memory64.count; i++) {
		if (!read_list_entry(dump, &dump->memory64, i, bytes, sizeof bytes) ||
		    rs_le64(bytes + 8) > UINT64_MAX - offset)
			break;
		rs_dump_pieces_add(pieces, (struct dump_piece){ rs_le64(bytes), rs_le64(bytes + 8), offset });
		offset += rs_le64(bytes + 8);
	}
	rs_dump_pieces_sort_and_cut(pieces);
	return true;
}

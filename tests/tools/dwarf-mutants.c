// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dwarf-mutants COUNT [FIRST]	whether our answers for damaged DWARF are libdwarf's
 * dwarf-mutants 1 FIRST FILE	also writes the image of that mutant, for other readers
 *
 * Mutant number N is made by chance from N: units that tests/fuzz/units.c makes, of which some bytes are changed.  A mutant of
 * which we or libdwarf cannot read something is only read.  Of all others each address is compared:
 *	its file and line must be those of a row that libdwarf has there, and none only if libdwarf has none;
 *	so must its function be one that libdwarf has there, with all callers around it, their files and lines.
 * Where rows or functions overlap, each of them is right.  Stops at the first answer that is not, and shows it.
 *
 * One difference is known and not left out, as it is rare (430919, 673280 and 973910): libdwarf begins a line program after
 * the files, also where the header's length says otherwise.
 *
 * libdwarf breaks or hangs on some mutants.  So a child reads them, which notes where it is, and another child goes on after
 * the mutant at which one has ended.
 */
#include "config.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/parts.h"
#include "tests/fuzz/sections.h"
#include "tests/fuzz/units.h"
#include "tests/lib/libdwarf.h"
#include "tests/lib/maketable.h"
#include "tests/lib/random.h"

#include <inttypes.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	CHOICES_MAX = 1200,
	IMAGE_BASE = 0x400000,
	CODE = 0x401000,
	CODE_END = 0x411000,
	ADDRESSES = UNITS_CODE + 256,
	MICROSECONDS_MAX = 50000
};

/* What the child tells the parent. */
enum result { REJECTED, REFUSED, AGREES, DIFFERS, RESULTS };
static struct progress {
	uint64_t number; /* of the current mutant */
	bool in_libdwarf;
	uint64_t results[RESULTS];
} * progress;

/* ------------------------------------------------------------------------------------------------ libdwarf */

struct object {
	struct part parts[SECTIONS_KINDS];
	bool wide;
};

/* Whether a line program may have a discriminator, or an address, that is not as long as its opcode says.  The opcode decides,
   but libdwarf goes on after the number, and takes as many bytes as the unit's addresses have. */
static bool has_odd_opcode(const struct object *object)
{
	enum { SET_ADDRESS = 2, DISCRIMINATOR = 4, LINES = 6 };
	const struct part *lines = &object->parts[LINES];
	must(sections_kinds[LINES].letter == 'l');
	for (size_t i = 2; i + 1 < lines->size; i++) {
		const uint8_t *at = lines->bytes + i;
		const bool is_extended = at[-2] == 0 || (at[-2] >= 0x80 && at[-1] == 0);
		if ((at[0] == DISCRIMINATOR && (at[1] >= 0x80 || (is_extended && at[-1] != 2))) ||
		    (at[0] == SET_ADDRESS && is_extended && at[-1] != (object->wide ? 9 : 5)))
			return true;
	}
	return false;
}

/* Whether the headers in .debug_rnglists are sound: with others, libdwarf frees memory twice. */
static bool has_sound_lists(const struct object *object)
{
	enum { LISTS = 12, COUNT = 4, HEADER = 8 };
	const struct part *lists = &object->parts[LISTS];
	must(sections_kinds[LISTS].letter == 'R');
	for (size_t at = 0; at < lists->size;) {
		uint64_t length = 0, count = 0;
		const unsigned size = lists->bytes[at] == 0xff ? 8 : 4;
		at += size == 8 ? 4 : 0;
		if (lists->size - at < size)
			return false;
		memcpy(&length, lists->bytes + at, size);
		at += size;
		if (length > lists->size - at || length < HEADER || lists->bytes[at] != 5 || lists->bytes[at + 1] != 0)
			return false;
		memcpy(&count, lists->bytes + at + COUNT, 4);
		if (count > (length - HEADER) / size)
			return false;
		at += length;
	}
	return true;
}

/* Read all that libdwarf says of OBJECT into *W, in which all texts are DBG's.  Returns false if it cannot read something. */
static bool ask_libdwarf(const struct object *object, struct witness_object *sections, struct witness *w,
			 Dwarf_Debug *dbg)
{
	if (!has_sound_lists(object))
		return false;
	sections->wide = object->wide;
	for (int i = 0; i < SECTIONS_KINDS; i++)
		if (sections_kinds[i].name && object->parts[i].bytes)
			witness_add_section(sections, sections_kinds[i].name, object->parts[i].bytes,
					    object->parts[i].size);
	progress->in_libdwarf = true;
	setitimer(ITIMER_VIRTUAL, &(struct itimerval){ .it_value = { .tv_usec = MICROSECONDS_MAX } }, NULL);
	if (!witness_open(sections, dbg))
		return false;
	witness_read(w, *dbg);
	return w->faults == 0 && w->disorders == 0;
}

/* ------------------------------------------------------------------------------------------------ mutants */

static unsigned warnings;

static void count_warning(void *context, const char *text)
{
	(void)context, (void)text;
	warnings++;
}

static void show_warning(void *context, const char *text)
{
	(void)context;
	fprintf(stderr, "# %s\n", text);
}

/* Change some bytes of the parts, which are in UNITS. */
static void mutate(struct units *units, const struct object *object)
{
	for (unsigned n = random_below(4); n > 0; n--) {
		const struct part *part = &object->parts[random_below(SECTIONS_KINDS)];
		if (part->size == 0)
			continue;
		uint8_t *at = units->sections + (part->bytes - units->sections) + random_below((uint32_t)part->size);
		switch (random_below(3)) {
		case 0:
			*at = (uint8_t)random_u32();
			break;
		case 1:
			*at = (uint8_t)(*at + random_below(9) - 4);
			break;
		default:
			*at ^= (uint8_t)(1 << random_below(8));
			break;
		}
	}
}

/* ------------------------------------------------------------------------------------------------ comparing */

/* To us, a range or a sequence of rows that begins outside of code has been discarded. */
static bool is_code(uint64_t begin)
{
	return begin >= CODE && begin < CODE_END;
}

static bool same_text(const char *ours, const char *theirs)
{
	return theirs && theirs[0] ? ours && strcmp(ours, theirs) == 0 : !ours;
}

/* Whether what is said of a place is the same.  A line that is too large is unknown to us.  For libdwarf a name with a colon is
   a whole path; for us, as for GNU addr2line, only one that begins with a slash is. */
static bool same_place(const struct rossym_frame *frame, const char *file, uint64_t line)
{
	const char *last = file && file[0] != '/' && strchr(file, ':') && frame->file ? strrchr(frame->file, '/')
										      : NULL;
	if (last)
		return strcmp(last + 1, file) == 0 && frame->line == line;
	return same_text(frame->file, file) && (frame->line == line || (line >= UINT32_MAX && frame->line == 0));
}

/* Whether FRAME has the place of a row of UNIT.  *COVERED: there is one. */
static bool right_place(const struct witness *w, unsigned unit, const struct rossym_frame *frame, uint64_t address,
			bool *covered)
{
	for (size_t i = 0; i < w->row_count; i++) {
		const struct witness_row *row = &w->rows[i];
		if (row->unit != unit || !is_code(row->sequence) || row->low > address || row->high <= address)
			continue;
		*covered = true;
		if (same_place(frame, row->file, row->line) || same_place(frame, row->other, row->line))
			return true;
	}
	return !*covered && !frame->file && frame->line == 0;
}

/* Whether FRAMES are those of SCOPE and the scopes around it. */
static bool is_chain(const struct witness *w, int scope, const struct rossym_frame *frames, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		if (scope < 0 || !same_text(frames[i].function, witness_name(w, scope)))
			return false;
		const struct witness_scope *call = &w->scopes[scope];
		if (i + 1 < count &&
		    (call->parent < 0 || !same_place(&frames[i + 1], call->call_file, call->call_line)))
			return false;
		scope = call->parent;
	}
	return scope < 0;
}

/* Whether FRAMES are those of a function or inlined call of UNIT.  *COVERED: there is one. */
static bool right_chain(const struct witness *w, unsigned unit, const struct rossym_frame *frames, unsigned count,
			uint64_t address, bool *covered)
{
	for (size_t i = 0; i < w->range_count; i++) {
		const struct witness_range *range = &w->ranges[i];
		if (range->unit != unit || !is_code(range->low) || range->low > address || range->high <= address)
			continue;
		*covered = true;
		if (is_chain(w, range->scope, frames, count))
			return true;
	}
	return !*covered && count == 1 && !frames[0].function;
}

/* Whether FRAMES are what some unit says of ADDRESS, or nothing if none says anything. */
static bool right(const struct witness *w, const struct rossym_frame *frames, unsigned count, uint64_t address)
{
	bool any = false;
	for (unsigned unit = 0; unit < w->unit_count; unit++) {
		bool has_place = false, has_chain = false;
		const bool place = right_place(w, unit, &frames[0], address, &has_place);
		const bool chain = right_chain(w, unit, frames, count, address, &has_chain);
		if (place && chain && (has_place || has_chain))
			return true;
		any |= has_place || has_chain;
	}
	return !any && count == 1 && !frames[0].function && !frames[0].file && frames[0].line == 0;
}

static void show(uint64_t number, uint64_t address, const struct witness *w, const struct rossym_frame *frames,
		 unsigned count)
{
	fprintf(stderr, "mutant %" PRIu64 ": the answer for 0x%" PRIx64 " is\n", number, address);
	for (unsigned i = 0; i < count; i++)
		fprintf(stderr, "\t%s %s:%u\n", frames[i].function ? frames[i].function : "??",
			frames[i].file ? frames[i].file : "??", (unsigned)frames[i].line);
	fprintf(stderr, "and libdwarf has\n");
	for (size_t i = 0; i < w->row_count; i++)
		if (w->rows[i].low <= address && address < w->rows[i].high)
			fprintf(stderr, "\tfrom 0x%" PRIx64 " to 0x%" PRIx64 ": %s:%" PRIu64 "\n", w->rows[i].low,
				w->rows[i].high, w->rows[i].file ? w->rows[i].file : "??", w->rows[i].line);
	for (size_t i = 0; i < w->range_count; i++) {
		if (w->ranges[i].low > address || address >= w->ranges[i].high)
			continue;
		fprintf(stderr, "\tfrom 0x%" PRIx64 " to 0x%" PRIx64 ":", w->ranges[i].low, w->ranges[i].high);
		for (int scope = w->ranges[i].scope; scope >= 0; scope = w->scopes[scope].parent) {
			const char *name = witness_name(w, scope);
			fprintf(stderr, " %s (called at %s:%" PRIu64 ")", name ? name : "??",
				w->scopes[scope].call_file ? w->scopes[scope].call_file : "??",
				w->scopes[scope].call_line);
		}
		fprintf(stderr, "\n");
	}
}

/* Whether all answers of the table are right; without one, there are none.  With NUMBER, show one that is not. */
static bool compare(struct rossym_image *table, const struct witness *w, const uint64_t *number)
{
	for (unsigned i = 0; i < ADDRESSES; i++) {
		struct rossym_frame frames[ROSSYM_FRAMES_MAX] = { { .function = NULL } };
		struct rossym_error err;
		const uint64_t rva = UNITS_FIRST + i, address = IMAGE_BASE + rva;
		uint32_t count = 1;
		if (table)
			must(rossym_lookup_frames(table, &rva, 1, 0, frames, ROSSYM_FRAMES_MAX, &count, &err) == 1);
		if (right(w, frames, count, address))
			continue;
		if (number)
			show(*number, address, w, frames, count);
		return false;
	}
	return true;
}

/* Read IMAGE ourselves, and compare with what libdwarf says of OBJECT. */
static enum result try_image(uint64_t number, const uint8_t *image, size_t size, struct object *object, bool verbose)
{
	struct debuginfo_options options = { .warn = verbose ? show_warning : count_warning };
	struct rossym_built built;
	struct rossym_image *table = NULL;
	struct rossym_error err;
	struct witness w = { .faults = 0 };
	struct witness_object sections = { .count = 0 };
	Dwarf_Debug dbg = NULL;
	enum result result = REJECTED;
	warnings = 0;
	must(maketable_of_image(image, size, &options, &built, &err) == 0);
	if (built.rows > 0)
		must(rossym_open_memory(built.bytes, built.bytes_size, NULL, &table, &err) == 0);
	if (warnings == 0)
		result = !ask_libdwarf(object, &sections, &w, &dbg) ? REFUSED
			 : compare(table, &w, NULL)		    ? AGREES
								    : DIFFERS;
	if (result == DIFFERS && has_odd_opcode(object))
		result = REFUSED;
	if (result == DIFFERS)
		compare(table, &w, &number);
	if (dbg)
		witness_close(dbg);
	setitimer(ITIMER_VIRTUAL, &(struct itimerval){ .it_value = { 0 } }, NULL);
	progress->in_libdwarf = false;
	witness_free(&w);
	witness_free_object(&sections);
	if (table)
		rossym_close(table);
	rossym_free(built.bytes);
	return result;
}

/* With PATH, show warnings, and write the image there. */
static enum result try_mutant(uint64_t number, const char *path)
{
	static struct units units;
	uint8_t choices[CHOICES_MAX];
	char letters[SECTIONS_KINDS + 1] = { 0 };
	size_t image_size;
	random_start(number);
	for (unsigned i = 0; i < CHOICES_MAX; i++)
		choices[i] = (uint8_t)random_u32();
	units_make(&units, choices, sizeof choices);
	struct object object = { .wide = units.sections[0] & SECTIONS_WIDE };
	for (int i = 0; i < SECTIONS_KINDS; i++)
		letters[i] = sections_kinds[i].letter;
	if (units.size == 0 || !parts_cut(units.sections, units.size, letters, object.parts))
		return REJECTED;
	mutate(&units, &object);
	uint8_t *image = sections_image(units.sections, units.size, &image_size);
	must(image != NULL);
	FILE *file = path ? fopen(path, "wb") : NULL;
	if (file) {
		must(fwrite(image, 1, image_size, file) == image_size);
		fclose(file);
	}
	const enum result result = try_image(number, image, image_size, &object, path != NULL);
	free(image);
	return result;
}

/* Try mutants from the current one up to END, in the child. */
static void try_mutants(uint64_t end, const char *path)
{
	for (; progress->number < end; progress->number++) {
		const enum result result = try_mutant(progress->number, path);
		progress->results[result]++;
		if (result == DIFFERS && !getenv("DWARF_MUTANTS_ALL"))
			break;
	}
}

/* The same, in children.  Returns false if an answer is wrong, or if we break. */
static bool try_in_children(uint64_t end, const char *path)
{
	while (progress->number < end && (progress->results[DIFFERS] == 0 || getenv("DWARF_MUTANTS_ALL"))) {
		int status = 0;
		const pid_t child = fork();
		must(child >= 0);
		if (child == 0) {
			try_mutants(end, path);
			_exit(0);
		}
		must(waitpid(child, &status, 0) == child);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
			continue;
		if (!progress->in_libdwarf) {
			fprintf(stderr, "mutant %" PRIu64 " breaks us\n", progress->number);
			return false;
		}
		progress->results[REFUSED]++;
		progress->in_libdwarf = false;
		progress->number++;
	}
	return progress->results[DIFFERS] == 0;
}

int main(int argc, char **argv)
{
	const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	must(progress != MAP_FAILED);
	const uint64_t first = progress->number = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	const bool good = try_in_children(first + count, argc > 3 ? argv[3] : NULL);
	const uint64_t *results = progress->results;
	printf("%" PRIu64 " mutants: %" PRIu64 " have the same answers, %" PRIu64 " have others, %" PRIu64
	       " are in part unreadable, %" PRIu64 " for libdwarf alone\n",
	       results[0] + results[1] + results[2] + results[3], results[AGREES], results[DIFFERS], results[REJECTED],
	       results[REFUSED]);
	return !good;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* run.c - runs --diff: chooses the addresses, gets both answers for each, and prints differences */
#include "config.h"
#include "diff/diff.h"
#include "diff/reference.h"
#include "search/debug-names.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "tool/mask.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ----------------------------------------------------------------------------------------------- images */

/*
 * Images of the same build have the same machine, image base, and addresses, sizes and bytes of all code sections.
 * They may differ in what strip or another run of the linker can change: time stamp, checksum, offsets in the file,
 * data, and sections without code.
 */

/* An image, whose code sections are compared one after another. */
struct compared_image {
	struct rossym_image *image;
	const char *path;
	uint32_t next;		       /* index of the section after the current one; 0 at first */
	struct rossym_section section; /* the current section */
};

/* Print that `here` and `there`, variables of the caller, differ in what FORMAT says.  The macro's value is false. */
#define DIFFER(format, ...) \
	diag("%s and %s are not the same build: they differ in " format, here->path, there->path, __VA_ARGS__)

/* Go to the next code section.  Returns 1; 0 if there are no more; -1 after a message. */
static int go_to_next_code_section(struct compared_image *side)
{
	struct rossym_error err;
	int found;
	do
		found = rossym_get_section(side->image, side->next++, &side->section, &err);
	while (found > 0 && !rossym_section_is_code(&side->section));
	if (found < 0)
		diag_image_error(side->path, &err);
	return found;
}

/* Returns how many bytes of SECTION are in the file; in memory, its other bytes are zeros. */
static uint32_t get_size_in_file(const struct rossym_section *section)
{
	return section->size < section->raw_size ? section->size : section->raw_size;
}

/* Read LENGTH bytes at offset AT of the current section.  False after a message. */
static bool read_bytes(const struct compared_image *side, uint32_t at, size_t length, uint8_t *bytes)
{
	struct rossym_error err;
	int r = rossym_read_section(side->image, side->next - 1, at, length, bytes, &err);
	if (r == 0)
		err = (struct rossym_error){ .code = ROSSYM_ENOTPE,
					     .offset = side->section.raw_offset,
					     .what = "a section lies past the end of the file" };
	return r > 0 || diag_image_error(side->path, &err);
}

/* Check that the current sections of both images are the same.  False after a message. */
static bool check_same_section(const struct compared_image *here, const struct compared_image *there)
{
	enum { WINDOW = 16384 };
	const struct rossym_section *a = &here->section, *b = &there->section;
	uint8_t ours[WINDOW], theirs[WINDOW];
	if (a->rva != b->rva)
		return DIFFER("the address of code section %s, RVA 0x%" PRIx32 " and 0x%" PRIx32 " (%s)", a->name,
			      a->rva, b->rva, b->name);
	if (a->size != b->size)
		return DIFFER("the size of code section %s, 0x%" PRIx32 " and 0x%" PRIx32, a->name, a->size, b->size);
	uint32_t length = get_size_in_file(a) < get_size_in_file(b) ? get_size_in_file(a) : get_size_in_file(b), part;
	for (uint32_t at = 0; at < length; at += part) {
		part = length - at < WINDOW ? length - at : WINDOW;
		if (!read_bytes(here, at, part, ours) || !read_bytes(there, at, part, theirs))
			return false;
		for (uint32_t i = 0; i < part; i++)
			if (ours[i] != theirs[i])
				return DIFFER("the code of section %s at RVA 0x%" PRIx32 ", %02x and %02x", a->name,
					      a->rva + at + i, (unsigned)ours[i], (unsigned)theirs[i]);
	}
	return true;
}

/* Check that two images of the same machine and image base have the same code.  False after a message. */
static bool check_same_code(struct compared_image *here, struct compared_image *there)
{
	for (;;) {
		int more_here = go_to_next_code_section(here),
		    more_there = more_here < 0 ? 0 : go_to_next_code_section(there);
		if (more_here < 0 || more_there < 0)
			return false;
		if (more_here != more_there)
			return DIFFER("code section %s, which only the %s image has",
				      more_here ? here->section.name : there->section.name,
				      more_here ? "first" : "second");
		if (!more_here || !check_same_section(here, there))
			return !more_here;
	}
}

/* Whether HERE and THERE are of the same build.  If not, or if one of them cannot be read, prints a message. */
static bool check_same_build(struct compared_image *here, struct compared_image *there)
{
	struct rossym_info a = { .size = sizeof a }, b = a;
	rossym_get_info(here->image, &a, NULL);
	rossym_get_info(there->image, &b, NULL);
	if (a.machine != b.machine)
		return DIFFER("the machine, 0x%x and 0x%x", (unsigned)a.machine, (unsigned)b.machine);
	if (a.image_base != b.image_base)
		return DIFFER("the image base, 0x%" PRIx64 " and 0x%" PRIx64, a.image_base, b.image_base);
	return check_same_code(here, there);
}

/* Whether IMAGE names a PDB file, and has no debug information of its own. */
static bool has_only_pdb(struct rossym_image *image)
{
	struct rossym_debug_reference reference = { .size = sizeof reference };
	return !rs_image_has_dwarf_or_stabs(image) && rossym_get_debug_reference(image, 0, &reference, NULL) > 0 &&
	       reference.kind == ROSSYM_REFERENCE_PDB;
}

/* Check that the image request->nostrip is of the same build as the image with the table, and set diff->pdb.  False
   after a message.  Only the headers and the code of request->nostrip are read, because it may have no table. */
static bool check_build(struct diff *diff)
{
	const struct rossym_open_options headers = { .size = sizeof headers, .flags = ROSSYM_OPEN_HEADERS };
	struct rossym_image *there;
	struct rossym_error err;
	if (rossym_open(diff->request->nostrip, &headers, &there, &err) < 0)
		return diag_image_error(diff->request->nostrip, &err);
	struct compared_image ours = { .image = diff->rules->image, .path = diff->rules->path };
	struct compared_image theirs = { .image = there, .path = diff->request->nostrip };
	bool same = check_same_build(&ours, &theirs);
	diff->pdb = has_only_pdb(there);
	rossym_close(there);
	return same;
}

static bool add_target_of_text(void *data, char *text)
{
	struct diff *diff = data;
	struct query query;
	if (!query_parse_text(diff->rules, text, &query, &diff->seen))
		return false;
	return targets_add(&diff->targets, query.shown, query.kind == QUERY_ADDRESS ? query.rva : UINT64_MAX, 1) ||
	       diag_report_no_memory();
}

static bool add_targets_of_numbers(void *data, const uint64_t *numbers, size_t count)
{
	struct diff *diff = data;
	uint64_t rvas[INPUT_NUMBERS];
	query_convert_numbers(diff->rules, numbers, count, rvas, &diff->seen);
	for (size_t i = 0; i < count; i++)
		if (!targets_add(&diff->targets, numbers[i], rvas[i], 1))
			return diag_report_no_memory();
	return true;
}

static bool collect_given_targets(struct diff *diff, struct input *input)
{
	static const struct input_visitor visitor = { .text = add_target_of_text, .numbers = add_targets_of_numbers };
	input->visitor = &visitor;
	input->data = diff;
	if (!input_visit_all(input))
		return false;
	query_print_hint(diff->rules, &diff->seen);
	return true;
}

/* Make the targets, the addresses to compare, that the options ask for.  If the user gave addresses, there is nothing
   to do: they are targets already.  False after a message. */
static bool choose_targets(struct diff *diff)
{
	struct rossym_error err;
	struct targets *targets = &diff->targets;
	int failed;
	if (diff->request->all == DIFF_GIVEN)
		return true;
	if (diff->request->all == DIFF_ROWS)
		failed = targets_add_rows(targets, diff->rules->image, diff->lookup_flags, &err);
	else
		failed = targets_add_bytes(targets, diff->rules->image,
					   diff->request->all == DIFF_BYTES ? diff->lookup_flags : 0, &err);
	if (failed < 0)
		return diag_image_error(diff->rules->path, &err);
	if (diff->request->all == DIFF_SPREAD && targets->count > diff->request->spread)
		targets->count = diff->request->spread;
	const char *why = diff->request->all == DIFF_ROWS ? "no row of the table is in code" : "no section has code";
	return targets->count > 0 || diag("%s: %s, so there is nothing to compare", diff->rules->path, why);
}

/* ------------------------------------------------------------------------------------------- report */

/*
 *     0x004016c7-0x004016d1: function, line
 *     < KeBugCheckEx
 *     < ke/bug.c:18
 *     > fingerprint
 *     > /src/ke/bug.h:5
 *
 * "<" marks the answer of the table, and ">" that of the reference, in the form in which addr2line prints it.
 * Addresses are printed as one range if they are compared one after another, ascend, and all have the same "<" lines
 * and the same ">" lines.  If standard error is a terminal, a line on it says how far a long comparison is.
 */

/* At first all members are zeros, except DIFF and METER_LAST. */
struct report {
	const struct diff *diff;

	/* The current range, which has not been printed yet: RUN addresses, from FIRST to LAST, differ in CLASSES and
	   have the answers in BODY.  NEXT is a buffer for the answers of the next address. */
	uint64_t first, last;
	size_t run;
	unsigned classes;
	struct strbuf body, next;

	/* How many addresses were compared, how many of them differ in a class that is not ignored, and how many differ
	   only in ignored classes; and for each class, how many differ in it. */
	size_t compared, differ, only_ignored;
	size_t by_class[DIFF_CLASSES];

	time_t meter_last; /* when show_meter() printed last, or would have if standard error were a terminal */
};

/* Append NAME, or ?? for NULL, masked, because it is from an untrusted file, and the report can go to a terminal. */
static void add_name(struct strbuf *text, const char *name)
{
	name = name ? name : "??";
	strbuf_add_masked(text, name, strlen(name));
}

/* Append the lines of ANSWER as rossym-addr2line prints them, each after MARK, which is "< " or "> ", as in diff(1). */
static void add_answer(struct strbuf *text, const struct diff *diff, const char *mark, const struct diff_answer *answer)
{
	const struct record_style *style = diff->style;
	const size_t count = answer->count == 0 || !diff->inlines ? 1 : answer->count;
	for (size_t i = 0; i < count; i++) {
		const struct rossym_frame *frame = answer->count > 0 ? &answer->frames[i] : NULL;
		strbuf_add(text, mark);
		if (i > 0 && style->pretty)
			strbuf_add(text, " (inlined by) ");
		if (style->functions) {
			const char *function = frame ? frame->function : NULL;
			char *plain = function && style->demangle ? demangle(function, style->no_recursion_limit)
								  : NULL;
			add_name(text, plain ? plain : function);
			free(plain);
			strbuf_add(text, !style->pretty ? "\n" : frame ? " at " : " ");
			strbuf_add(text, style->pretty ? "" : mark);
		}
		add_name(text, frame ? frame->file : NULL);
		if (frame && frame->line)
			strbuf_addf(text, ":%u\n", (unsigned)frame->line);
		else
			strbuf_add(text, frame ? ":?\n" : ":0\n");
	}
}

/* Print how far the comparison is, first when it has taken a second, and then about every second. */
static void show_meter(struct report *report)
{
	const time_t last = report->meter_last;
	report->meter_last = time(NULL);
	if (report->meter_last == last || !isatty(STDERR_FILENO))
		return;
	char line[96];
	const int length = snprintf(line, sizeof line, "\r%zu of %" PRIu64 " addresses compared (%u %%)",
				    report->compared, report->diff->targets.count,
				    (unsigned)((uint64_t)report->compared * 100 / report->diff->targets.count));
	/* Standard output may be the same terminal, so its buffered text must come before this line. */
	diag_hide_progress();
	out_flush(report->diff->out);
	diag_show_progress(line, (size_t)length);
}

/* Print the current range, if there is one. */
static void report_print_range(struct report *report)
{
	struct out *out = report->diff->out;
	if (report->run == 0)
		return;
	diag_hide_progress();
	out_text(out, "0x");
	out_hex(out, report->first, report->diff->style->digits);
	if (report->run > 1) {
		out_text(out, "-0x");
		out_hex(out, report->last, report->diff->style->digits);
	}
	const char *before = ": ";
	for (size_t i = 0; i < DIFF_CLASSES; i++)
		if (report->classes & DIFF_BIT(i)) {
			out_text(out, before);
			out_text(out, diff_class_names[i]);
			before = ", ";
		}
	out_char(out, '\n');
	out_bytes(out, report->body.bytes, report->body.length);
	report->run = 0;
}

/* Add ADDRESS to the current range if the range has the same answers; else begin a new range.  False: no memory. */
static bool add_to_range(struct report *report, uint64_t address, unsigned classes, const struct diff_answer *here,
			 const struct diff_answer *there)
{
	report->next.length = 0;
	add_answer(&report->next, report->diff, "< ", here);
	add_answer(&report->next, report->diff, "> ", there);
	if (report->next.no_memory)
		return false;
	if (report->run > 0 && classes == report->classes && address >= report->last &&
	    strbuf_is_same(&report->next, &report->body)) {
		report->last = address;
		report->run += address != report->first;
		return true;
	}
	report_print_range(report);
	struct strbuf body = report->body;
	report->body = report->next;
	report->next = body;
	report->first = report->last = address;
	report->classes = classes;
	report->run = 1;
	return true;
}

/* Add the answers for one address, which differ in CLASSES (0: not at all).  False: out of memory. */
static bool report_add_answers(struct report *report, uint64_t address, unsigned classes,
			       const struct diff_answer *here, const struct diff_answer *there)
{
	const unsigned reported = classes & ~report->diff->request->ignored;
	bool good = true;
	report->compared++;
	report->differ += reported != 0;
	report->only_ignored += classes && !reported;
	for (size_t i = 0; i < DIFF_CLASSES; i++)
		report->by_class[i] += (classes & DIFF_BIT(i)) != 0;
	if (!reported)
		report_print_range(report);
	else if (!report->diff->request->brief)
		good = add_to_range(report, address, reported, here, there);
	show_meter(report);
	return good;
}

/* Returns "differs" or "differ", whichever fits COUNT addresses. */
static const char *choose_verb(size_t count)
{
	return count == 1 ? "differs" : "differ";
}

/* Print on standard error how many addresses differ, and how many in each class. */
static void report_print_summary(const struct report *report)
{
	const char *addresses = report->compared == 1 ? "address" : "addresses";
	if (report->diff->request->all == DIFF_ROWS)
		diag("of each row, only the first and the last byte were compared");
	if (report->differ + report->only_ignored == 0) {
		diag("%zu %s compared: no differences", report->compared, addresses);
		return;
	}
	diag("%zu %s compared: %zu %s, %zu %s only in what is ignored", report->compared, addresses, report->differ,
	     choose_verb(report->differ), report->only_ignored, choose_verb(report->only_ignored));
	for (size_t i = 0; i < DIFF_CLASSES; i++) {
		const char *note = report->diff->request->ignored & DIFF_BIT(i) ? " (ignored)" : "";
		if (report->by_class[i] > 0)
			diag("%9zu %s%s", report->by_class[i], diff_class_names[i], note);
	}
}

/* ------------------------------------------------------------------------------------------- comparison */

/* The table's answer for one address: COUNT frames, the innermost first, with copies of their paths as shown. */
struct own_answer {
	struct rossym_frame frames[ROSSYM_FRAMES_MAX];
	char *paths[ROSSYM_FRAMES_MAX];
	uint32_t count;
};

/* Look RVA up, and store the table's answer in *HERE, which must be empty.  False after a message. */
static bool find_own_answer(const struct diff *diff, uint64_t rva, struct own_answer *here)
{
	struct rossym_image *image = diff->rules->image;
	struct rossym_error err;
	uint32_t count = 1;
	int found = diff->style->inlines ? rossym_lookup_frames(image, &rva, 1, diff->lookup_flags, here->frames,
								ROSSYM_FRAMES_MAX, &count, &err)
					 : rossym_lookup_many(image, &rva, 1, diff->lookup_flags, here->frames, &err);
	if (found < 0)
		return diag_image_error(diff->rules->path, &err);
	/* Copy each path, because the result of paths_shown_path() is valid only until the next call. */
	for (uint32_t i = 0; frame_is_known(here->frames) && i < count; here->count = ++i) {
		struct rossym_frame *frame = &here->frames[i];
		const char *file = frame->file ? paths_shown_path(&diff->style->paths, frame->file) : NULL;
		here->paths[i] = file ? strdup(file) : NULL;
		if (frame->file && !here->paths[i])
			return diag_report_no_memory();
		frame->file = here->paths[i];
	}
	return true;
}

/*
 * Whether TARGET can be a byte for which the table has a line on purpose, and the reference has none.  If a sequence of
 * lines ends with a call, rossym-embed makes its last row one byte longer, so that the call's return address has a
 * line.  This function does not look for a call: it accepts the last byte of any row, if the reference has no line.
 */
static bool may_be_added_byte(const struct diff *diff, const struct target *target, const struct diff_answer *there)
{
	struct rossym_frame here, after;
	struct rossym_error err;
	uint64_t rva = target->rva;
	return rva != UINT64_MAX && (there->count == 0 || !there->frames[0].line) &&
	       rossym_lookup(diff->rules->image, rva, diff->lookup_flags, &here, &err) > 0 && here.line &&
	       here.row_rva < rva &&
	       (rossym_lookup(diff->rules->image, rva + 1, diff->lookup_flags, &after, &err) == 0 ||
		after.row_rva == rva + 1);
}

/* Compare all targets.  Adds to *FOUND for how many the reference has a function or line.  False after a message. */
static bool compare_all_targets(struct diff *diff, struct reference *reference, struct report *report, size_t *found)
{
	struct own_answer own = { .count = 0 };
	bool good = true;
	for (uint64_t i = 0; i < diff->targets.count && !diff->out->error && good; i++) {
		const struct target target = targets_get(&diff->targets, i);
		struct diff_answer there;
		good = reference_read_answer(reference, &there) && find_own_answer(diff, target.rva, &own);
		if (good) {
			const struct diff_answer here = { own.frames, own.count };
			*found += there.count > 0 && (there.frames[0].function || there.frames[0].line);
			unsigned classes = diff_compare_answers(diff, &here, &there);
			/* For code without a line, LLVM gives the nearest name below it, however far away, so
			   that name proves nothing. */
			if (diff->pdb && here.count == 0 && !there.frames[0].line)
				classes = 0;
			if (classes && may_be_added_byte(diff, &target, &there))
				classes = DIFF_BIT(DIFF_END);
			good = report_add_answers(report, target.shown, classes, &here, &there) ||
			       diag_report_no_memory();
		}
		while (own.count > 0)
			free(own.paths[--own.count]);
	}
	if (!good)
		return false;
	report_print_range(report);
	return diff->out->error || reference_end_and_check(reference);
}

/* Print a message and return false if the reference has an answer for none of the addresses: its image may be stripped,
   or of a kind that the reference cannot read.  If the user gave the addresses, perhaps there is nothing to answer, so
   this prints only a warning and returns true. */
static bool check_reference_has_answers(const struct diff *diff, const struct report *report, size_t found)
{
	if (found > 0 || report->by_class[DIFF_NOTHING_THERE] == 0)
		return true;
	if (diff->request->all)
		diag("%s: the reference knows none of the addresses; has it debug information?",
		     diff->request->nostrip);
	else
		diag_warning("%s: the reference knows none of the addresses", diff->request->nostrip);
	return !diff->request->all;
}

/* Run the reference with COMMAND (NULL: the default command), and compare all targets.  Returns the exit status. */
static int run_reference_and_compare(struct diff *diff, const char *command)
{
	static struct reference reference; /* too big for a stack */
	struct report report = { .diff = diff, .meter_last = time(NULL) };
	const unsigned machine = diff->info.machine;
	size_t found = 0;
	bool started = reference_start(&reference, diff, command);
	bool good = started && compare_all_targets(diff, &reference, &report, &found);
	diag_hide_progress();
	/* Some references, such as Debian's addr2line, end before the first answer for a machine that they lack. */
	if (started && !good && reference.answered == 0 && machine != DIFF_I386 && machine != DIFF_AMD64)
		diag_hint("the reference may not know machine 0x%x; see --reference=llvm-addr2line", machine);
	if (good && (diff->request->brief || report.differ + report.only_ignored > 0))
		report_print_summary(&report);
	good = good && check_reference_has_answers(diff, &report, found);
	strbuf_clear(&report.body);
	strbuf_clear(&report.next);
	reference_clear(&reference);
	return !good ? DIFF_TROUBLE : report.differ > 0 ? DIFF_DIFFERENT : DIFF_SAME;
}

/* Check that the images can be compared, choose targets and reference, and compare.  Returns the exit status. */
static int compare_images(struct diff *diff)
{
	const struct diff_request *request = diff->request;
	const char *path = diff->rules->path;
	struct rossym_error err;
	diff->info.size = sizeof diff->info;
	rossym_get_info(diff->rules->image, &diff->info, NULL);
	bool good = diff->info.kind != ROSSYM_BARE ||
		    diag("%s: a bare table has no code that could be compared with that of %s", path, request->nostrip);
	good = good && check_build(diff) &&
	       (rossym_prepare(diff->rules->image, &err) == 0 || diag_image_error(path, &err));
	if (!good || !choose_targets(diff))
		return DIFF_TROUBLE;
	if (!diff->pdb || request->reference)
		return run_reference_and_compare(diff, request->reference);

	char *llvm = reference_find_for_pdb();
	if (!llvm)
		diag("%s: its symbols are in a PDB file, and there is no llvm-symbolizer to ask; see --reference",
		     request->nostrip);
	int status = llvm ? run_reference_and_compare(diff, llvm) : DIFF_TROUBLE;
	free(llvm);
	return status;
}

int diff_run(struct diff *diff, struct input *input)
{
	bool good = diff->request->all || collect_given_targets(diff, input);
	int status = good ? compare_images(diff) : DIFF_TROUBLE;
	targets_clear(&diff->targets);
	return status;
}

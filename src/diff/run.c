// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "diff/run.h"
#include "diff/compare.h"
#include "diff/diff-report.h"
#include "diff/reference.h"
#include "diff/same.h"
#include "tool/diag.h"

#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------- images */

/* Whether IMAGE names a PDB file, and has no debug information of its own. */
static bool has_only_pdb(struct rossym_image *image)
{
	static const char *const others[] = { ".debug_info", ".debug_line", ".zdebug_info", ".stab" };
	struct rossym_debug_reference reference = { .size = sizeof reference };
	struct rossym_section section;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (rossym_find_section(image, others[i], &section, NULL) != 0)
			return false;
	return rossym_get_debug_reference(image, 0, &reference, NULL) > 0 && reference.kind == ROSSYM_REFERENCE_PDB;
}

/* Check that request->nostrip is of the image's build; false after a message.  Only its headers and code are read,
   because it may have no table.  Sets diff->pdb. */
static bool check_build(struct diff *diff)
{
	const struct rossym_open_options headers = { .size = sizeof headers, .flags = ROSSYM_OPEN_HEADERS };
	struct rossym_image *there;
	struct rossym_error err;
	if (rossym_open(diff->request->nostrip, &headers, &there, &err) < 0) {
		diag_image(diff->request->nostrip, &err);
		return false;
	}
	struct compared_image ours = { .image = diff->rules->image, .path = diff->rules->path };
	struct compared_image theirs = { .image = there, .path = diff->request->nostrip };
	bool same = is_same_build(&ours, &theirs);
	diff->pdb = has_only_pdb(there);
	rossym_close(there);
	return same;
}

/* The data of the input's visitor, which collects the addresses that the user gave. */
struct given_addresses {
	struct diff *diff;
	struct query_seen seen;
};

/* False after a message. */
static bool add_given_address(struct given_addresses *given, uint64_t shown, uint64_t rva)
{
	return targets_add(&given->diff->targets, shown, rva, 1) || diag_out_of_memory();
}

static bool add_text(void *data, char *text)
{
	struct given_addresses *given = data;
	struct query query;
	if (!query_text(given->diff->rules, text, &query, &given->seen))
		return false;
	return add_given_address(given, query.shown, query.kind == QUERY_ADDRESS ? query.rva : UINT64_MAX);
}

static bool add_numbers(void *data, const uint64_t *numbers, size_t count)
{
	struct given_addresses *given = data;
	uint64_t rvas[INPUT_NUMBERS];
	query_numbers(given->diff->rules, numbers, count, rvas, &given->seen);
	for (size_t i = 0; i < count; i++)
		if (!add_given_address(given, numbers[i], rvas[i]))
			return false;
	return true;
}

static bool collect_given(struct diff *diff, struct input *input)
{
	static const struct input_visitor visitor = { .text = add_text, .numbers = add_numbers };
	struct given_addresses given = { .diff = diff };
	input->visitor = &visitor;
	input->data = &given;
	if (!input_run(input))
		return false;
	query_hint(diff->rules, &given.seen);
	return true;
}

/* Make the targets that the options ask for; nothing if the user gave addresses.  False after a message. */
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
	if (failed < 0) {
		diag_image(diff->rules->path, &err);
		return false;
	}
	if (diff->request->all == DIFF_SPREAD && targets->count > diff->request->spread)
		targets->count = diff->request->spread;
	const char *why = diff->request->all == DIFF_ROWS ? "no row of the table is in code" : "no section has code";
	if (targets->count == 0)
		diag("%s: %s, so there is nothing to compare", diff->rules->path, why);
	return targets->count > 0;
}

/* ------------------------------------------------------------------------------------------- comparison */

/* The table's answer for one address: COUNT frames, the innermost first, with copies of their paths as they are shown. */
struct here {
	struct rossym_frame frames[ROSSYM_FRAMES_MAX];
	char *paths[ROSSYM_FRAMES_MAX];
	uint32_t count;
};

static void here_clear(struct here *here)
{
	while (here->count > 0)
		free(here->paths[--here->count]);
}

/* Look RVA up, and store the table's answer.  HERE has been cleared.  False after a message. */
static bool find_own_answer(const struct diff *diff, uint64_t rva, struct here *here)
{
	struct rossym_image *image = diff->rules->image;
	struct rossym_error err;
	uint32_t count = 1;
	int found = diff->style->inlines ? rossym_lookup_frames(image, &rva, 1, diff->lookup_flags, here->frames,
								ROSSYM_FRAMES_MAX, &count, &err)
					 : rossym_lookup_many(image, &rva, 1, diff->lookup_flags, here->frames, &err);
	if (found < 0) {
		diag_image(diff->rules->path, &err);
		return false;
	}
	/* The result of paths_show() is valid until the next call only. */
	for (uint32_t i = 0; frame_is_known(here->frames) && i < count; here->count = ++i) {
		struct rossym_frame *frame = &here->frames[i];
		const char *file = frame->file ? paths_show(&diff->style->paths, frame->file) : NULL;
		here->paths[i] = file ? strdup(file) : NULL;
		if (frame->file && !here->paths[i])
			return diag_out_of_memory();
		frame->file = here->paths[i];
	}
	return true;
}

/* Whether the reference's answer has a function or a line. */
static bool has_function_or_line(const struct diff_answer *there)
{
	return there->count > 0 && (there->frames[0].function || there->frames[0].line);
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

/* Compare all targets; *FOUND becomes how many of them the reference knows.  False after a message. */
static bool compare_all_targets(struct diff *diff, struct reference *reference, struct report *report, size_t *found)
{
	struct here own = { .count = 0 };
	bool good = true;
	for (uint64_t i = 0; i < diff->targets.count && !diff->out->error && good; i++) {
		const struct target target = targets_get(&diff->targets, i);
		struct diff_answer there;
		good = reference_next(reference, &there) && find_own_answer(diff, target.rva, &own);
		if (good) {
			const struct diff_answer here = { own.frames, own.count };
			*found += has_function_or_line(&there);
			unsigned classes = diff_compare(diff, &here, &there);
			/* For code without a line, LLVM gives the nearest name below it, however far away, so
			   that name proves nothing. */
			if (diff->pdb && here.count == 0 && !there.frames[0].line)
				classes = 0;
			if (classes && may_be_added_byte(diff, &target, &there))
				classes = DIFF_BIT(DIFF_END);
			good = report_add(report, target.shown, classes, &here, &there) || diag_out_of_memory();
		}
		here_clear(&own);
	}
	if (!good)
		return false;
	report_flush(report);
	return diff->out->error || reference_finish(reference);
}

/* Returns false after a message if the reference knows none of the addresses: its image may be stripped, or of a kind that
   it cannot read.  If the user gave the addresses, such answers may be right; then only warns and returns true. */
static bool check_reference_knows(const struct diff *diff, const struct report *report, size_t found)
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

/* Run the reference, and compare all targets.  COMMAND starts the reference; NULL: the default command.  Returns the
   exit status. */
static int compare_targets(struct diff *diff, const char *command)
{
	static struct reference reference; /* too big for a stack */
	struct report report = { .diff = diff };
	const unsigned machine = diff->info.machine;
	size_t found = 0;
	report_start_meter(&report);
	bool started = reference_start(&reference, diff, command);
	bool good = started && compare_all_targets(diff, &reference, &report, &found);
	report_hide_meter(&report);
	/* Some references, such as Debian's addr2line, end before the first answer if they do not know the machine. */
	if (started && !good && reference.answered == 0 && machine != DIFF_I386 && machine != DIFF_AMD64)
		diag_hint("the reference may not know machine 0x%x; see --reference=llvm-addr2line", machine);
	if (good && (diff->request->brief || report.differ + report.only_ignored > 0))
		report_summary(&report);
	good = good && check_reference_knows(diff, &report, found);
	report_clear(&report);
	reference_clear(&reference);
	return !good ? DIFF_TROUBLE : report.differ > 0 ? DIFF_DIFFERENT : DIFF_SAME;
}

/* Check that the images can be compared, choose the targets and the reference, and compare.
   Returns the exit status. */
static int compare_images(struct diff *diff)
{
	const struct diff_request *request = diff->request;
	const char *path = diff->rules->path;
	struct rossym_error err;
	diff->info.size = sizeof diff->info;
	rossym_get_info(diff->rules->image, &diff->info, NULL);
	if (diff->info.kind == ROSSYM_BARE) {
		diag("%s: a bare table has no code that could be compared with that of %s", path, request->nostrip);
		return DIFF_TROUBLE;
	}
	if (!check_build(diff))
		return DIFF_TROUBLE;
	if (rossym_prepare(diff->rules->image, &err) < 0) {
		diag_image(path, &err);
		return DIFF_TROUBLE;
	}
	if (!choose_targets(diff))
		return DIFF_TROUBLE;
	if (!diff->pdb || request->reference)
		return compare_targets(diff, request->reference);

	char *llvm = reference_for_pdb();
	if (!llvm)
		diag("%s: its symbols are in a PDB file, and there is no llvm-symbolizer to ask; see --reference",
		     request->nostrip);
	int status = llvm ? compare_targets(diff, llvm) : DIFF_TROUBLE;
	free(llvm);
	return status;
}

int diff_run(struct diff *diff, struct input *input)
{
	bool good = diff->request->all || collect_given(diff, input);
	int status = good ? compare_images(diff) : DIFF_TROUBLE;
	targets_clear(&diff->targets);
	return status;
}

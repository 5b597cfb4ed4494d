// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "diff/diff.h"
#include "diff/same.h"
#include "diff/compare.h"
#include "diff/meter.h"
#include "diff/reference.h"
#include "diff/diff-report.h"
#include "tool/array.h"
#include "tool/diag.h"

#include <stdlib.h>
#include <string.h>

enum { MACHINE_I386 = 0x14c, MACHINE_AMD64 = 0x8664 };

#define IGNORED_BY_DEFAULT \
	(DIFF_BIT(DIFF_DECORATION) | DIFF_BIT(DIFF_SOURCE_ROOT) | DIFF_BIT(DIFF_CUT) | DIFF_BIT(DIFF_NOTHING_THERE) | \
	 DIFF_BIT(DIFF_END))

const struct diff_request diff_defaults = { .ignored = IGNORED_BY_DEFAULT, .timeout = 600 };

/* --------------------------------------------------------------------------------------------- options */

/* Returns the class whose name is the LENGTH bytes at NAME; DIFF_CLASSES if there is none. */
static size_t find_class(const char *name, size_t length)
{
	size_t i = 0;
	while (i < DIFF_CLASSES &&
	       (strncmp(name, diff_class_names[i], length) != 0 || diff_class_names[i][length] != '\0'))
		i++;
	return i;
}

const char *diff_set_ignored(struct diff_request *request, const char *names, size_t *length)
{
	for (;; names += *length + 1) {
		*length = strcspn(names, ",");
		size_t class = find_class(names, *length);
		if (class < DIFF_CLASSES)
			request->ignored |= DIFF_BIT(class);
		else if (*length == 4 && memcmp(names, "none", 4) == 0)
			request->ignored = 0;
		else
			return names;
		if (names[*length] == '\0')
			return NULL;
	}
}

bool diff_set_number(uint32_t *number, const char *text, uint32_t lowest)
{
	size_t digits = strspn(text, "0123456789");
	if (digits == 0 || digits > 10 || text[digits] != '\0')
		return false;
	uint64_t value = strtoull(text, NULL, 10);
	if (value < lowest || value > UINT32_MAX)
		return false;
	*number = (uint32_t)value;
	return true;
}

bool diff_set_all(struct diff_request *request, const char *argument)
{
	request->all = !argument ? DIFF_BYTES : strcmp(argument, "rows") == 0 ? DIFF_ROWS : DIFF_SPREAD;
	return request->all != DIFF_SPREAD || diff_set_number(&request->spread, argument, 1);
}

bool diff_is_requested(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strncmp(argv[i], "--diff", 6) == 0)
			return true;
	return false;
}

/* ----------------------------------------------------------------------------------------------- images */

/* Whether the image and THERE are of one build.  False after a message. */
static bool is_same_build(const struct diff *diff, struct rossym_image *there)
{
	struct rossym_image *failed;
	struct rossym_error err;
	char what[256];
	switch (same_build(diff->rules->image, there, what, sizeof what, &failed, &err)) {
	case 1:
		return true;
	case 0:
		diag("%s and %s are not the same build: they differ in %s", diff->rules->path, diff->request->nostrip,
		     what);
		return false;
	default:
		diag_image(failed == there ? diff->request->nostrip : diff->rules->path, &err);
		return false;
	}
}

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
	bool same = is_same_build(diff, there);
	diff->pdb = has_only_pdb(there);
	rossym_close(there);
	return same;
}

/* The data of the input's visitor, which collects the addresses that the user gave. */
struct given_addresses {
	struct diff *diff;
	struct query_seen seen;
};

/* Add an address; the RVA is UINT64_MAX if the image does not have it.  False after a message. */
static bool add_given_address(struct given_addresses *given, uint64_t shown, uint64_t rva)
{
	return targets_add(&given->diff->targets, shown, rva, rva != UINT64_MAX) || diag_out_of_memory();
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
	int failed = 0;
	switch (diff->request->all) {
	case DIFF_GIVEN:
		return true;
	case DIFF_BYTES:
		failed = targets_set_bytes(targets, diff->rules->image, diff->lookup_flags, &err);
		break;
	case DIFF_ROWS:
		failed = targets_add_rows(targets, diff->rules->image, diff->lookup_flags, &err);
		break;
	case DIFF_SPREAD:
		failed = targets_add_spread(targets, diff->rules->image, diff->request->spread, &err);
		break;
	}
	if (failed < 0) {
		diag_image(diff->rules->path, &err);
		return false;
	}
	const char *why = diff->request->all == DIFF_ROWS ? "no row of the table is in code" : "no section has code";
	if (targets->count == 0)
		diag("%s: %s, so there is nothing to compare", diff->rules->path, why);
	return targets->count > 0;
}

/* ------------------------------------------------------------------------------------------- comparison */

/* The table's answer for one address. */
struct here {
	struct diff_frame *frames; /* the innermost first */
	char **paths;		   /* for each frame, a copy of its path if it is shown in another form; else NULL */
	size_t count, frame_room, path_room;
};

static void empty_here(struct here *here)
{
	for (size_t i = 0; i < here->count; i++)
		free(here->paths[i]);
	here->count = 0;
}

static void here_clear(struct here *here)
{
	empty_here(here);
	free(here->frames);
	free(here->paths);
}

/* Make room for one more frame.  False: no memory. */
static bool here_grow(struct here *here)
{
	struct diff_frame *frames = array_with_room(here->frames, &here->frame_room, here->count, sizeof *frames);
	here->frames = frames ? frames : here->frames;
	char **paths = array_with_room(here->paths, &here->path_room, here->count, sizeof *paths);
	here->paths = paths ? paths : here->paths;
	return frames && paths;
}

/* Add FRAME, with its path in the form in which it is shown.  False: no memory. */
static bool here_add(struct here *here, const struct diff *diff, const struct rossym_frame *frame)
{
	if (!here_grow(here))
		return false;
	const char *file = frame->file ? paths_show(&diff->style->paths, frame->file) : NULL;
	char *copy = NULL;
	if (file && file != frame->file) { /* FILE is valid until the next paths_show() only */
		copy = strdup(file);
		if (!copy)
			return false;
	} else if (frame->file && !file) {
		return false;
	}
	here->frames[here->count] = (struct diff_frame){ frame->function, copy ? copy : file, frame->line };
	here->paths[here->count++] = copy;
	return true;
}

/* Add all frames of ANSWER, or only the innermost one without -i.  False: no memory. */
static bool add_frames(struct here *here, const struct diff *diff, const struct rossym_frame *answer)
{
	struct rossym_frames frames;
	struct rossym_frame frame;
	if (!diff->style->inlines)
		return here_add(here, diff, answer);
	if (rossym_frames_begin(diff->rules->image, answer, &frames, NULL) < 0)
		return false;
	while (rossym_frames_next(&frames, &frame))
		if (!here_add(here, diff, &frame))
			return false;
	return true;
}

/* Look TARGET up, and store the table's answer with paths as they are shown.  *ANSWER is valid until the next call.
   False after a message. */
static bool find_own_answer(const struct diff *diff, const struct target *target, struct here *here,
			    struct diff_answer *answer)
{
	struct rossym_frame frame;
	struct rossym_error err;
	int found = target->present ? rossym_lookup(diff->rules->image, target->rva, diff->lookup_flags, &frame, &err)
				    : 0;
	if (found < 0) {
		diag_image(diff->rules->path, &err);
		return false;
	}
	empty_here(here);
	if (found > 0 && !add_frames(here, diff, &frame))
		return diag_out_of_memory();
	*answer = (struct diff_answer){ here->frames, here->count };
	return true;
}

/* With -s, remove the directories from the reference's paths, as paths_show() does for the table's. */
static void remove_directories(const struct diff *diff, struct reference *reference, const struct diff_answer *answer)
{
	for (size_t i = 0; diff->style->paths.basenames && i < answer->count; i++) {
		const char *slash = answer->frames[i].file ? strrchr(answer->frames[i].file, '/') : NULL;
		if (slash)
			reference->frames[i].file = slash + 1;
	}
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
	return target->present && (there->count == 0 || !there->frames[0].line) &&
	       rossym_lookup(diff->rules->image, rva, diff->lookup_flags, &here, &err) > 0 && here.line &&
	       here.row_rva < rva &&
	       (rossym_lookup(diff->rules->image, rva + 1, diff->lookup_flags, &after, &err) == 0 ||
		after.row_rva == rva + 1);
}

/* Compare all targets; *FOUND becomes how many of them the reference knows.  False after a message. */
static bool compare_all_targets(struct diff *diff, struct reference *reference, struct report *report, size_t *found)
{
	struct rossym_info info = { .size = sizeof info };
	rossym_get_info(diff->rules->image, &info, NULL);
	const struct diff_focus focus = { .functions = diff->style->functions,
					  .inlines = diff->inlines,
					  .demangle = diff->style->demangle,
					  .x86_32 = info.machine == MACHINE_I386 };
	struct here frames = { .count = 0 };
	bool good = true;
	for (size_t i = 0; i < diff->targets.count && !diff->out->error && good; i++) {
		const struct target target = targets_get(&diff->targets, i);
		struct diff_answer here, there;
		good = reference_next(reference, &there) && find_own_answer(diff, &target, &frames, &here);
		if (!good)
			break;
		remove_directories(diff, reference, &there);
		*found += has_function_or_line(&there);
		unsigned classes = diff_compare(&focus, &here, &there);
		/* For code without a line, LLVM gives the nearest name below it, however far away, so
		   that name proves nothing. */
		if (diff->pdb && here.count == 0 && !there.frames[0].line)
			classes = 0;
		if (classes && may_be_added_byte(diff, &target, &there))
			classes = DIFF_BIT(DIFF_END);
		good = report_add(report, target.shown, classes, &here, &there) || diag_out_of_memory();
		meter_at(report->meter, i + 1);
	}
	here_clear(&frames);
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
static int compare_targets(struct diff *diff, struct reference *reference, const char *command)
{
	struct rossym_info info = { .size = sizeof info };
	struct meter meter;
	rossym_get_info(diff->rules->image, &info, NULL);
	struct report report = { .out = diff->out,
				 .meter = &meter,
				 .style = diff->style,
				 .ignored = diff->request->ignored,
				 .brief = diff->request->brief,
				 .inlines = diff->inlines,
				 .quick = diff->request->all == DIFF_ROWS };
	size_t found = 0;
	meter_start(&meter, diff->out, diff->targets.count);
	reference->targets = &diff->targets;
	reference->image_base = info.image_base;
	reference->short_addresses = info.kind != ROSSYM_PE32PLUS;
	bool started = reference_start(reference, command, diff->request->nostrip, diff->request->timeout);
	bool good = started && compare_all_targets(diff, reference, &report, &found);
	meter_hide(&meter);
	/* Some references, such as Debian's addr2line, end before the first answer if they do not know the machine. */
	if (started && !good && reference->answered == 0 && info.machine != MACHINE_I386 &&
	    info.machine != MACHINE_AMD64)
		diag_hint("the reference may not know machine 0x%x; see --reference=llvm-addr2line",
			  (unsigned)info.machine);
	if (good && (report.brief || report.differ + report.only_ignored > 0))
		report_summary(&report);
	good = good && check_reference_knows(diff, &report, found);
	report_clear(&report);
	return !good ? DIFF_TROUBLE : report.differ > 0 ? DIFF_DIFFERENT : DIFF_SAME;
}

/* Check that the images can be compared, choose the targets and the reference, and compare.
   Returns the exit status. */
static int compare_images(struct diff *diff)
{
	struct rossym_image *image = diff->rules->image;
	const char *path = diff->rules->path;
	struct rossym_info info = { .size = sizeof info };
	struct rossym_error err;
	rossym_get_info(image, &info, NULL);
	if (info.kind == ROSSYM_BARE) {
		diag("%s: a bare table has no code that could be compared with that of %s", path,
		     diff->request->nostrip);
		return DIFF_TROUBLE;
	}
	if (!check_build(diff))
		return DIFF_TROUBLE;
	if (rossym_prepare(image, &err) < 0) {
		diag_image(path, &err);
		return DIFF_TROUBLE;
	}
	if (!choose_targets(diff))
		return DIFF_TROUBLE;

	char *llvm = diff->pdb && !diff->request->reference ? reference_for_pdb() : NULL;
	if (diff->pdb && !diff->request->reference && !llvm) {
		diag("%s: its symbols are in a PDB file, and there is no llvm-symbolizer to ask; see --reference",
		     diff->request->nostrip);
		return DIFF_TROUBLE;
	}
	struct reference *reference = calloc(1, sizeof *reference); /* too big for a stack */
	if (!reference) {
		diag_out_of_memory();
		free(llvm);
		return DIFF_TROUBLE;
	}
	int status = compare_targets(diff, reference, llvm ? llvm : diff->request->reference);
	reference_clear(reference);
	free(llvm);
	free(reference);
	return status;
}

int diff_run(struct diff *diff, struct input *input)
{
	bool good = diff->request->all || collect_given(diff, input);
	int status = good ? compare_images(diff) : DIFF_TROUBLE;
	targets_clear(&diff->targets);
	return status;
}

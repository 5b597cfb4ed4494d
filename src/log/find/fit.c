// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/fit.h"
#include "log/find/call-site.h"
#include "tool/diag.h"
#include "tool/json.h"
#include "tool/mask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* State of comparing one place after the other. */
struct fitting {
	struct modules *modules;
	struct rossym_set *set;		 /* the modules of the frames, with images from the current place only */
	const struct image_place *place; /* the current place */
	/* an archive of the current place was not read, because reading it would cost too much */
	bool over_budget;
	bool no_memory;
};

/* ------------------------------------------------------------------------------------------------ images of a place */

static int offer_files_of_place(void *context, const struct rossym_wanted *wanted, struct rossym_candidates *candidates,
				struct rossym_error *err)
{
	const struct fitting *fitting = context;
	return candidates_offer_of_place(&fitting->modules->index, fitting->place, wanted, candidates, err);
}

/* The function `open` of struct rossym_set_options: opens FILE with its table; if it has none, only its headers. */
static int open_for_set(void *context, void *file, struct rossym_opened *opened, struct rossym_error *err)
{
	struct fitting *fitting = context;
	struct index *index = &fitting->modules->index;
	const struct budget *budget = &index->budget;
	/* Half of the budget for archives is reserved for the images in which addresses will be looked up. */
	bool over_budget = ((const struct file *)file)->inside &&
			   (budget->bytes <= budget->most / 2 || budget->steps <= BUDGET_STEPS / 2);
	if (!over_budget && (file_image_unpack_and_open(index, file, 0, opened, &over_budget) ||
			     file_image_unpack_and_open(index, file, ROSSYM_OPEN_HEADERS, opened, &over_budget)))
		return 0;
	/* ROSSYM_ENOMEM: after this error, the set may use the file later. */
	fitting->over_budget |= over_budget;
	*err = (struct rossym_error){ .code = over_budget ? ROSSYM_ENOMEM : ROSSYM_EDAMAGED };
	return -1;
}

static void release_content(void *context, void *content)
{
	const struct fitting *fitting = context;
	archives_release_content(fitting->modules->index.archives, content);
}

static bool create_set(struct fitting *fitting)
{
	const struct rossym_set_options options = {
		.size = sizeof options,
		.flags = ROSSYM_SET_SHORT_NAMES,
		.context = fitting,
		.find = offer_files_of_place,
		.open = open_for_set,
		.release = release_content,
	};
	return rossym_set_create(&options, &fitting->set, NULL) == 0;
}

/* Look up ADDRESS in its image of the current place.  Returns false if the place has no image for it. */
static bool look_up_in_place(struct fitting *fitting, const struct fit_address *address, struct rossym_answer *answer)
{
	const struct rossym_module *module;
	struct rossym_error err;
	if (rossym_set_find(fitting->set, address->module, strlen(address->module), &module, &err) < 0)
		return false;
	if (rossym_set_lookup_rva(fitting->set, module, address->rva, 0, answer, &err) < 0) {
		fitting->no_memory |= err.code == ROSSYM_ENOMEM && !fitting->over_budget;
		return false;
	}
	return answer->image != NULL;
}

/* -------------------------------------------------------------------------- whether a frame fits a place */

/* Whether the code at RVA of IMAGE can be in the function that begins at TARGET.  Also true if the name of the function
   at one of these addresses is unknown. */
static bool may_be_in_function(struct rossym_image *image, uint64_t target, uint64_t rva)
{
	struct rossym_function function;
	struct rossym_frame callee, inner;
	if (rossym_function_at(image, rva, &function, NULL) > 0 && function.rva == target)
		return true;
	if (rossym_lookup(image, target, 0, &callee, NULL) <= 0 || rossym_lookup(image, rva, 0, &inner, NULL) <= 0 ||
	    !callee.function || !inner.function)
		return true;
	return strncmp(callee.function, inner.function, ROSSYM_LENGTH_MAX) == 0;
}

/* Whether a call ends at RVA of IMAGE that can have called the callee of FRAME. */
static bool is_after_call_of_callee(struct rossym_image *image, uint64_t rva, const struct fit_frame *frame)
{
	bool jumps;
	if (code_classify_before(image, rva) != CODE_CALL)
		return false;
	const uint64_t target = frame->has_callee ? code_find_call_target(image, rva, &jumps) : 0;
	if (target == 0 || jumps)
		return true;
	return strcmp(frame->site.module, frame->callee.module) == 0 &&
	       may_be_in_function(image, target, frame->callee.rva);
}

/* Whether FRAME fits the current place.  Stores in *KNOWN whether the place has an image of its module.  A frame whose
   callee is entered by the processor (code_classify_entry()) always fits: it need not be after a call. */
static bool fits_place(struct fitting *fitting, const struct fit_frame *frame, bool *known)
{
	struct rossym_answer answer = { .size = sizeof answer };
	if (frame->has_callee && look_up_in_place(fitting, &frame->callee, &answer) &&
	    answer.why == ROSSYM_WHY_ANSWERED && code_classify_entry(answer.frame.function) != NOT_ENTERED) {
		*known = true;
		return true;
	}
	*known = look_up_in_place(fitting, &frame->site, &answer);
	if (!*known)
		return false;
	return is_after_call_of_callee(answer.image, frame->site.rva, frame) ||
	       (frame->subtracted > 0 &&
		is_after_call_of_callee(answer.image, frame->site.rva + frame->subtracted, frame));
}

/* -------------------------------------------------------------------------------------- comparing places */

/* Store in *COUNT how many of FRAMES fit the current place.  Set KNOWN[I] if the place has an image of frame I's
   module.  Returns false, and sets no KNOWN[I], if an archive of the place was not read. */
static bool count_fitting_frames(struct fitting *fitting, const struct fit_frames *frames, bool known[FIT_FRAMES],
				 unsigned *count)
{
	bool now_known[FIT_FRAMES];
	*count = 0;
	rossym_set_forget(fitting->set, ROSSYM_FORGET_IMAGES, NULL);
	fitting->over_budget = false;
	for (size_t i = 0; i < frames->count && !fitting->over_budget; i++)
		*count += fits_place(fitting, &frames->list[i], &now_known[i]);
	for (size_t i = 0; i < frames->count && !fitting->over_budget; i++)
		known[i] |= now_known[i];
	return !fitting->over_budget;
}

static int compare_fit_places(const void *a, const void *b)
{
	const struct fit_place *first = a, *second = b;
	if (first->fits != second->fits)
		return first->fits > second->fits ? -1 : 1;
	return strcmp(first->place->path, second->place->path);
}

/* Compare FRAMES with the places, one after the other, until reading costs too much.  Store the counts in *FIT. */
static void count_fits_of_all_places(struct build_fit *fit, struct fitting *fitting, const struct fit_frames *frames)
{
	const struct builds *builds = &fitting->modules->builds;
	bool known[FIT_FRAMES] = { false };
	for (size_t i = 0; i < builds->count; i++) {
		unsigned count;
		fitting->place = builds->places[i];
		if (fit->count == FIT_BUILDS || fit->over_budget) {
			fit->left_out++;
		} else if (count_fitting_frames(fitting, frames, known, &count)) {
			fit->places[fit->count++] = (struct fit_place){ fitting->place, count };
		} else {
			fit->over_budget = true;
			fit->left_out++;
		}
	}
	for (size_t i = 0; i < frames->count; i++)
		fit->frames += known[i];
}

void fit_compare(struct build_fit *fit, struct modules *modules, const struct fit_frames *frames)
{
	struct fitting fitting = { .modules = modules };
	*fit = (struct build_fit){ .places = NULL };
	modules_read_builds(modules);
	fit->places = calloc(FIT_BUILDS, sizeof *fit->places);
	fitting.no_memory = !fit->places || !create_set(&fitting);
	if (!fitting.no_memory) {
		count_fits_of_all_places(fit, &fitting, frames);
		qsort(fit->places, fit->count, sizeof *fit->places, compare_fit_places);
		for (size_t i = 1; i < fit->count && fit->next == 0; i++)
			if (build_compare(&fit->places[0].place->build, &fit->places[i].place->build) != BUILD_SAME)
				fit->next = fit->places[i].fits;
	}
	modules->out_of_memory |= fitting.no_memory;
	rossym_set_destroy(fitting.set);
}

/* Returns how many frames must fit a build to prove that it is the right one: so many fit a wrong build in at most one
   of 1,000 logs.  In a wrong build a call ends at about 1 of 10 addresses, so N frames fit it with a probability of
   10^-N.  For COUNT builds, N is 3 plus the number of digits of COUNT. */
static unsigned compute_needed_frames(size_t count)
{
	unsigned needed = 3;
	for (; count > 0; count /= 10)
		needed++;
	return needed;
}

bool fit_decides(const struct build_fit *fit)
{
	return fit->count > 0 && fit->left_out == 0 && fit->frames >= compute_needed_frames(fit->count) &&
	       fit->places[0].fits == fit->frames && 2 * fit->next <= fit->frames;
}

void fit_warn_left_out(const struct build_fit *fit)
{
	if (fit->left_out)
		diag_warning("%zu of %zu builds were not compared with the log: %s", fit->left_out,
			     fit->left_out + fit->count,
			     fit->over_budget ? "too much would be read from archives" : "there are too many");
}

const char *fit_place_name(const struct image_place *place, char *buffer, size_t size)
{
	const bool named = place->build.name[0] != '\0';
	snprintf(buffer, size, "%s%s", named ? "build " : "", named ? place->build.name : place->path);
	mask_text(buffer, strlen(buffer));
	return buffer;
}

/* ----------------------------------------------------------------------------------- printing for --builds */

/* A list of places that is printed.  If `fit` is not NULL, it is the result of comparing the places with a log. */
struct list {
	struct out *out;
	bool json;
	const struct build_fit *fit;
	const char *log;
	struct strbuf line;
};

enum { FIELDS = 4 }; /* how many fields are printed for each place, without those about a log */

/* Write a JSON object with VALUES, the fields of a place.  If a log was compared, FITS of its frames fit the place. */
static void print_place_as_json(const struct list *list, const char *const values[FIELDS], unsigned fits)
{
	static const char *const keys[FIELDS] = { "place", "version", "build", "commit" };
	struct json json = { .out = list->out };
	json_open(&json, NULL, '{');
	for (size_t i = 0; i < FIELDS; i++)
		json_write_text(&json, keys[i], *values[i] ? values[i] : NULL);
	if (list->fit) {
		json_write_text(&json, "log", list->log);
		json_write_number(&json, "fits", fits);
		json_write_number(&json, "frames", list->fit->frames);
	}
	json_close(&json, '}');
	json_end(&json);
}

static void print_and_clear_line(struct list *list)
{
	if (!list->line.no_memory)
		out_bytes(list->out, list->line.bytes, list->line.length);
	list->line.length = 0;
}

/* Write PLACE as an object of JSON, or as a line of columns.  The columns are masked, so that a tab or a newline in a
   path cannot end a column or the line.  If a log was compared, FITS of its frames fit PLACE. */
static void print_place(struct list *list, const struct image_place *place, unsigned fits)
{
	const struct build *build = &place->build;
	const char *const values[FIELDS] = { place->path, build->version, build->name, build->commit };
	if (list->json) {
		print_place_as_json(list, values, fits);
		return;
	}
	for (size_t i = 0; i < FIELDS; i++) {
		strbuf_add(&list->line, i > 0 ? "\t" : "");
		strbuf_add_masked(&list->line, values[i], strlen(values[i]));
	}
	if (list->fit)
		strbuf_addf(&list->line, "\t%u", fits);
	strbuf_add_char(&list->line, '\n');
	print_and_clear_line(list);
}

void fit_print_builds(struct out *out, struct modules *modules, bool json)
{
	struct list list = { .out = out, .json = json };
	modules_read_builds(modules);
	/* The list is in the order in which the user has named the places. */
	for (unsigned order = 0; order <= modules->index.places.count; order++)
		for (size_t i = 0; i < modules->builds.count; i++) {
			const struct image_place *place = modules->builds.places[i];
			if (place->order == order)
				print_place(&list, place, 0);
		}
	modules->out_of_memory |= list.line.no_memory;
	strbuf_clear(&list.line);
}

/* Write which build the log fits best. */
static void print_best_fit(struct list *list)
{
	char name[600];
	const struct build_fit *fit = list->fit;
	struct strbuf *line = &list->line;
	if (list->log) {
		strbuf_add_masked(line, list->log, strlen(list->log));
		strbuf_add(line, ": ");
	}
	if (fit->frames == 0) {
		strbuf_add(line, "no frames that could show a build\n");
	} else {
		strbuf_addf(line, "%u of %u frames fit %s; next best %u of %u\n", fit->places[0].fits, fit->frames,
			    fit_place_name(fit->places[0].place, name, sizeof name), fit->next, fit->frames);
	}
	print_and_clear_line(list);
}

void fit_print(struct out *out, const struct build_fit *fit, const char *log, bool json)
{
	struct list list = { .out = out, .json = json, .fit = fit, .log = log };
	if (!json)
		print_best_fit(&list);
	for (size_t i = 0; i < fit->count && fit->frames > 0; i++)
		print_place(&list, fit->places[i].place, fit->places[i].fits);
	strbuf_clear(&list.line);
}

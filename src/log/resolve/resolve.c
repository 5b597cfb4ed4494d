// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/resolve/resolve.h"
#include "tool/diag.h"
#include "tool/strbuf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ boots */

/* Forget the build of the current boot, because another log begins, or the machine boots again. */
static void boots_end_current(struct boots *boots)
{
	boots->build = (struct build){ .name = "" };
	boots->several = false;
	boots->current = NULL;
}

/* Returns the counts for BUILD, added if there are none yet; if no element is free, returns the last one. */
static struct boots_count *find_or_add_counts(struct boots *boots, const struct build *build)
{
	for (size_t i = 0; i < boots->count; i++)
		if (build_is_equal(&boots->counts[i].build, build))
			return &boots->counts[i];
	if (boots->count == BOOTS_BUILDS)
		return &boots->counts[BOOTS_BUILDS - 1];
	boots->counts[boots->count].build = *build;
	return &boots->counts[boots->count++];
}

/* Set the build of the current boot from the LENGTH bytes at TEXT, a banner or a mark (resolve.h).  IS_NEW: it is a
   banner that begins the boot.  Returns whether that changed boots->build. */
static bool boots_set_build_from_text(struct boots *boots, const char *text, size_t length, bool is_new)
{
	struct build build;
	const struct build *known = &boots->build;
	if (!build_find_name(text, length, &build) ||
	    (build_compare(known, &build) == BUILD_SAME && (*known->commit || !*build.commit) &&
	     (*known->version || !*build.version)))
		return false; /* TEXT names no build; or the known one, without a commit or version that was unknown */
	const bool is_mark = !is_new && !*build.name;
	if (is_mark && (*boots->build.name || boots->several))
		return false;
	if (is_mark && build_compare(&boots->build, &build) == BUILD_OTHER) {
		boots_end_current(boots);
		boots->several = true;
		return true;
	}
	boots->several = false;
	boots->build = build;
	boots->current = find_or_add_counts(boots, &build);
	boots->current->boots += is_new;
	return true;
}

/* ------------------------------------------------------------------------------------------------ look-ups */

/* Find the module at ADDRESS, and the RVA in it.  If the log has not given the length of the module, the size of its
   image decides whether ADDRESS is in it: so choose the image, then search again.  False: no module is there. */
static bool locate_address(struct modules *modules, uint64_t address, const struct rossym_module **module,
			   uint64_t *rva)
{
	struct rossym_info image = { .size = sizeof image };
	if (!rossym_set_locate(modules->set, address, module, rva))
		return false;
	if ((*module)->chosen)
		return true;
	modules_get_image_info(modules, *module, &image);
	return rossym_set_locate(modules->set, address, module, rva);
}

/* Whether TOKEN can be in MODULE: its line names MODULE, or no module. */
static bool can_be_in_module(const struct token *token, const struct rossym_module *module)
{
	return module_name_fits(module, token->module, token->module_length);
}

/* Find the module of TOKEN, an absolute address, by load addresses that come later in the log.  Returns the module, and
   stores its base in *BASE; NULL if there is none, or TOKEN's line names another one. */
static const struct rossym_module *find_module_later_in_log(struct resolver *resolver, const struct token *token,
							    uint64_t *base)
{
	const struct rossym_module *module = scout_find_module(&resolver->scout, &resolver->modules, token->number,
							       base);
	return module && can_be_in_module(token, module) ? module : NULL;
}

/* Returns the module of TOKEN, and stores the RVA in it in *RVA.  If no module is known at the address, or only one
   whose end is not known, a module whose load address comes later in the log takes precedence.  NULL: no module is
   known there; or the line names another one, because the known module has been unloaded, or was in another process. */
static const struct rossym_module *find_token_module(struct resolver *resolver, const struct token *token,
						     uint64_t *rva)
{
	struct modules *modules = &resolver->modules;
	const struct rossym_module *module;
	uint64_t base = 0;
	*rva = token->number;
	if (!token->absolute)
		return modules_get_module(modules, token->module, token->module_length);
	const bool is_here = locate_address(modules, token->number, &module, rva) && can_be_in_module(token, module);
	if (is_here && (module->length || modules_image_file(module)))
		return module;
	const struct rossym_module *later = find_module_later_in_log(resolver, token, &base);
	if (later) {
		*rva = token->number - base;
		return later;
	}
	if (is_here)
		return module;
	*rva = token->number;
	return NULL;
}

/* If the log has no load address of the module that TOKEN's line names, find TOKEN in this module at the preferred base
   of its image.  Stores the module and the RVA of TOKEN in ANSWER, and returns the module.  If TOKEN is not there,
   stores the module in ANSWER->unplaced, and returns NULL. */
static const struct rossym_module *locate_at_preferred_base(struct resolver *resolver, const struct token *token,
							    struct answer *answer)
{
	struct rossym_info image = { .size = sizeof image };
	struct modules *modules = &resolver->modules;
	const struct rossym_module *module = modules_get_module(modules, token->module, token->module_length), *other;
	uint64_t rva;
	const struct module_notes *notes = module ? modules_get_notes(modules, module) : NULL;
	if (!notes || notes->loaded || !modules_get_image_info(modules, module, &image))
		return NULL;
	if (token->number < image.image_base || token->number - image.image_base >= image.size_of_image ||
	    rossym_set_locate(modules->set, token->number, &other, &rva)) {
		answer->unplaced = module;
		return NULL;
	}
	answer->found.module = module;
	answer->rva = token->number - image.image_base;
	return module;
}

static bool is_equal_name(const char *a, const char *b)
{
	return a == b || (a && b && strncmp(a, b, ROSSYM_LENGTH_MAX) == 0);
}

/* For log2lines -t, look up also the byte before RVA, and store its answer, and whether that differs. */
static void look_up_byte_before(struct resolver *resolver, uint64_t rva, struct answer *answer)
{
	struct rossym_answer before;
	const struct rossym_frame *frame = &answer->found.frame;
	modules_look_up(&resolver->modules, answer->found.module, rva - 1, true, &before);
	answer->before = before.frame;
	if (before.why == ROSSYM_WHY_ANSWERED)
		answer->differs = !is_equal_name(frame->function, before.frame.function) ||
				  !is_equal_name(frame->file, before.frame.file) || frame->line != before.frame.line;
	/* If this look-up found the image damaged, it has closed it, and freed the strings of the first answer. */
	if (before.why == ROSSYM_WHY_BROKEN)
		answer->found = before;
}

/* Decide by the options and the log whether TOKEN is a return address.  In a trace, the address in the row below a trap
   handler is exact after a fault, but a return address after a system call: so it stays open. */
static enum is_return decide_return_kind(const struct resolver *resolver, const struct token *token)
{
	switch (resolver->settings->assume) {
	case ASSUME_EXACT:
		return IS_EXACT;
	case ASSUME_RETURN:
		return IS_RETURN;
	case ASSUME_NOTHING:
		break;
	}
	return token->is_return == IS_RETURN && resolver->after == ENTERED_AT_FAULT ? IS_OPEN : token->is_return;
}

/* If the RVA of TOKEN is outside the image, take it for an address, because many programs print one in place of an RVA:
   in the loaded module or, as AddressSanitizer does, in the image at its preferred base.  Stores the RVA of this
   address in ANSWER->rva.  Returns whether ANSWER->rva was changed. */
static bool replace_address_by_rva(const struct resolver *resolver, const struct token *token, struct answer *answer)
{
	struct rossym_info info = { .size = sizeof info };
	const struct rossym_image *image = answer->found.image;
	const struct rossym_module *module;
	uint64_t rva;
	if (!token->may_have_base || answer->found.why != ROSSYM_WHY_OUTSIDE || !image ||
	    rossym_get_info(image, &info, NULL) < 0)
		return false;
	if (rossym_set_locate(resolver->modules.set, token->number, &module, &rva) && module == answer->found.module) {
		answer->rva = rva;
		return true;
	}
	answer->rva -= answer->rva < info.image_base ? 0 : info.image_base;
	return answer->rva < token->number;
}

/* Whether no call is before TOKEN's address, which should be a return address.  KDBG prints a return address minus 5,
   but before 2010 it printed the address itself, and both look alike.  So a call should be before the printed address,
   or before that address plus 5.  In the same way, only newer versions of Breakpad print a return address minus 1. */
static bool lacks_call_before(const struct resolver *resolver, const struct token *token, const struct answer *answer)
{
	struct rossym_image *image = answer->found.image;
	const bool corrected = answer->is_return == IS_EXACT && token->subtracted > 0 &&
			       resolver->settings->assume == ASSUME_NOTHING;
	if (!resolver->settings->calls || resolver->after != NOT_ENTERED ||
	    !(corrected || answer->is_return == IS_RETURN) || code_classify_before(image, answer->rva) != CODE_NO_CALL)
		return false;
	return code_classify_before(image, answer->rva + (corrected ? token->subtracted : 1)) == CODE_NO_CALL;
}

/* Whether the code shows that TOKEN's address, which the log leaves open, is a return address: a call is before it.
   But if the program that printed the address may have subtracted the length of a call, and a call also ends that many
   bytes after the address, the question stays open. */
static bool is_return_by_code(const struct resolver *resolver, const struct token *token, const struct answer *answer)
{
	struct rossym_image *image = answer->found.image;
	return resolver->settings->calls && answer->is_return == IS_OPEN &&
	       code_classify_before(image, answer->rva) == CODE_CALL &&
	       !(token->subtracted > 0 && code_classify_before(image, answer->rva + token->subtracted) == CODE_CALL);
}

/* Whether TOKEN, an address in ANSWER's module, is where token->proof requires it: in code, or after a call. */
static bool satisfies_proof(const struct token *token, const struct answer *answer)
{
	struct rossym_section section;
	struct rossym_image *image = answer->found.image;
	if (token->proof == PROOF_NONE)
		return true;
	if (!image || rossym_section_at(image, answer->rva, &section, NULL) <= 0 || !rossym_section_is_code(&section))
		return false;
	return token->proof != PROOF_CALL || code_classify_before(image, answer->rva) == CODE_CALL;
}

/* Look up the address in its module.  For a return address, look up the byte before it, which belongs to the call.  An
   address that stays open is looked up as it is, because most of these are exact: KDBG on i386 has subtracted 5
   already, and people mostly copy a trace from its first row on. */
static void look_up_in_module(struct resolver *resolver, const struct token *token, struct answer *answer)
{
	uint64_t rva = answer->rva;
	answer->found.why = ROSSYM_WHY_UNKNOWN;
	if (answer->is_return == IS_RETURN && rva-- == 0)
		return;
	modules_look_up(&resolver->modules, answer->found.module, rva, token->tentative, &answer->found);
	if (replace_address_by_rva(resolver, token, answer)) {
		rva = answer->rva - (answer->is_return == IS_RETURN && answer->rva > 0);
		modules_look_up(&resolver->modules, answer->found.module, rva, token->tentative, &answer->found);
	}
	if (answer->found.why == ROSSYM_WHY_ANSWERED && !satisfies_proof(token, answer)) {
		answer->found.why = ROSSYM_WHY_UNKNOWN;
		return;
	}
	if (is_return_by_code(resolver, token, answer)) {
		answer->is_return = IS_RETURN;
		rva = answer->rva - 1;
		modules_look_up(&resolver->modules, answer->found.module, rva, token->tentative, &answer->found);
	}
	if (answer->found.why == ROSSYM_WHY_ANSWERED && resolver->settings->both && rva > 0)
		look_up_byte_before(resolver, rva, answer);
	answer->no_call = answer->found.why == ROSSYM_WHY_ANSWERED && lacks_call_before(resolver, token, answer);
}

/* Compare the build of MODULE's image with that of the log.  An equal DateStamp proves that they are the same, even if
   the image is in a place of another build. */
static enum build_same compare_with_log_build(struct resolver *resolver, const struct rossym_module *module)
{
	if (!resolver->settings->builds)
		return BUILD_UNKNOWN;
	if (!build_is_known(&resolver->boots.build) && modules_is_undecided(&resolver->modules, module))
		return BUILD_UNDECIDED;
	enum build_same same = build_compare(&resolver->boots.build, modules_get_build(module));
	return same == BUILD_OTHER && module->time_date_stamp && !module->other_stamp ? BUILD_SAME : same;
}

/* Warn that MODULE's image is of another build than the log, and record that this warning has been printed. */
static void warn_other_build(struct resolver *resolver, const struct rossym_module *module)
{
	char build[BUILD_TEXT], image[BUILD_TEXT];
	diag_warning("the log is of ReactOS %s, but %s is of ReactOS %s: %s",
		     build_to_text(&resolver->boots.build, build), modules_image_file(module)->label,
		     build_to_text(modules_get_build(module), image),
		     resolver->settings->strict ? "addresses get no answers from another build"
						: "answers from another build are marked, and may be wrong");
	resolver->reported_build = true;
}

/* Compare the build that ANSWER is from with the log's, and store the result in ANSWER.  With --strict, refuse an
   answer that is, or may be, from another build.  Returns whether the build or the DateStamp of the image differs. */
static bool check_build_of_answer(struct resolver *resolver, struct answer *answer)
{
	const struct rossym_module *module = answer->found.module;
	if (answer->found.why != ROSSYM_WHY_ANSWERED)
		return false;
	answer->build = compare_with_log_build(resolver, module);
	if (answer->build == BUILD_OTHER && !resolver->reported_build)
		warn_other_build(resolver, module);
	bool other = answer->build == BUILD_OTHER || module->other_stamp;
	const struct build *build = modules_get_build(module);
	/* The source lines of the answer are those of the image's commit. */
	if (other)
		answer->commit = build ? build_find_commit(build) : "";
	if ((other || answer->build == BUILD_UNDECIDED) && resolver->settings->strict) {
		answer->refused = true;
		answer->found.why = ROSSYM_WHY_UNKNOWN;
		answer->why = RESOLVE_REFUSED;
	}
	return other;
}

/* Count TOKEN and its ANSWER for MODULE, and store where MODULE is, and which image the look-up has used, or why MODULE
   has none. */
static void count_module(struct resolver *resolver, const struct rossym_module *module, const struct token *token,
			 const struct answer *answer)
{
	struct module_notes *notes = modules_get_notes(&resolver->modules, module);
	if (!notes)
		return;
	notes->tokens++;
	notes->answered += answer->found.why == ROSSYM_WHY_ANSWERED;
	if (token->absolute)
		notes->base = token->number - answer->rva;
	if (module->length)
		notes->length = module->length;
	if (module->time_date_stamp) {
		notes->stamp = module->time_date_stamp;
		notes->image_stamp = module->other_stamp ? module->image_stamp : 0;
	}
	const struct file *image = modules_image_file(module);
	if (!image) {
		notes->why = modules_why_unanswered(&resolver->modules, module, module->why);
		return;
	}
	notes->several_images |= notes->image && notes->image != image;
	notes->image = image;
}

/* Use images of the build that the return addresses of the log fit; or, if that build is not known, images of the place
   (a directory or an archive) that they fit. */
static void use_fitting_build(struct resolver *resolver, const char *log, const struct build_fit *fit)
{
	const struct image_place *place = fit->places[0].place;
	char name[600];
	diag("%s names no build; %u of %u frames fit %s, whose images are used; next best %u of %u", log,
	     fit->places[0].fits, fit->frames, fit_place_name(place, name, sizeof name), fit->next, fit->frames);
	const bool known = build_is_known(&place->build);
	if (known) {
		resolver->boots.build = place->build;
		resolver->boots.current = find_or_add_counts(&resolver->boots, &place->build);
	}
	modules_prefer_build(&resolver->modules, &place->build, known ? NULL : place);
}

/* If the log has named neither its build nor the DateStamp of MODULE so far, try to find the build by the log's return
   addresses, but only once for each log.  Returns whether it was tried now: then modules may have other images. */
static bool find_build_by_addresses(struct resolver *resolver, const struct rossym_module *module)
{
	struct build_fit fit;
	struct modules *modules = &resolver->modules;
	if (!resolver->evidence || !resolver->settings->builds || build_is_known(&resolver->boots.build) ||
	    module->time_date_stamp)
		return false;
	struct scanner *ahead = resolver->evidence;
	resolver->evidence = NULL;
	modules_read_builds(modules);
	if (modules->builds.count < 2)
		return false;
	if (!evidence_compare(&fit, modules, ahead, resolver->settings, false))
		return true;
	if (fit.frames > 0)
		fit_warn_left_out(&fit);
	if (fit_decides(&fit))
		use_fitting_build(resolver, resolver->log ? resolver->log : "standard input", &fit);
	free(fit.places);
	return true;
}

/* Record that the frame on the current line is in FUNCTION; NULL: it is not known. */
static void record_last_function(struct resolver *resolver, const char *function)
{
	resolver->after = code_classify_entry(function);
	resolver->function_line = resolver->line;
}

void resolve_count_noted(struct resolver *resolver, const char *function)
{
	resolver->counts.skipped++;
	record_last_function(resolver, function);
}

void resolve_token(struct resolver *resolver, const struct token *token, struct answer *answer)
{
	/* the most lines from one row of a trace to the next: mailers wrap rows, and other output is between them */
	enum { ROW_DISTANCE_MAX = 6 };
	uint64_t rva;
	if (resolver->line - resolver->function_line > ROW_DISTANCE_MAX)
		resolver->after = NOT_ENTERED;
	const struct rossym_module *module = find_token_module(resolver, token, &rva);
	if (module && find_build_by_addresses(resolver, module))
		module = find_token_module(resolver, token, &rva);
	*answer = (struct answer){
		.rva = rva,
		.is_return = decide_return_kind(resolver, token),
		.commit = resolver->boots.build.commit,
		.found = { .why = token->absolute ? ROSSYM_WHY_NO_BASE : ROSSYM_WHY_NO_MODULE, .module = module },
	};
	if (!module && token->absolute && token->module_length > 0)
		module = locate_at_preferred_base(resolver, token, answer);
	if (module)
		look_up_in_module(resolver, token, answer);
	answer->why = modules_why_unanswered(&resolver->modules, module, answer->found.why);
	if (resolve_is_no_address(token, answer))
		return;
	const bool other = check_build_of_answer(resolver, answer);
	if (resolver->boots.current) {
		resolver->boots.current->tokens++;
		resolver->boots.current->other += other;
	}
	record_last_function(resolver, answer->found.why == ROSSYM_WHY_ANSWERED ? answer->found.frame.function : NULL);
	resolver->counts.tokens++;
	if (answer->refused)
		resolver->counts.refused++;
	else
		resolver->counts.why[answer->found.why]++;
	if (module)
		count_module(resolver, module, token, answer);
}

void resolve_find_symbols(struct resolver *resolver, const struct token *token, struct answer *answer)
{
	struct modules *modules = &resolver->modules;
	const struct rossym_module *module = modules_get_module(modules, token->module, token->module_length);
	if (module && find_build_by_addresses(resolver, module))
		module = modules_get_module(modules, token->module, token->module_length);
	*answer = (struct answer){ .commit = resolver->boots.build.commit,
				   .found = { .why = ROSSYM_WHY_NO_MODULE, .module = module } };
	if (module) {
		struct rossym_section section;
		modules_look_up(modules, module, 0, true, &answer->found);
		/* RVA 0, outside all sections, is answered without loading symbols.  So look up a section, too. */
		if (answer->found.image && rossym_get_section(answer->found.image, 0, &section, NULL) > 0)
			modules_look_up(modules, module, section.rva, true, &answer->found);
		answer->found.why = module->chosen ? module->why : answer->found.why;
	}
	answer->why = modules_why_unanswered(modules, module, answer->found.why);
	if (module)
		check_build_of_answer(resolver, answer);
}

const struct rossym_module *resolve_find_module(struct resolver *resolver, const struct token *token)
{
	const struct rossym_module *module;
	uint64_t base;
	if (!token->absolute)
		return modules_get_module(&resolver->modules, token->module, token->module_length);
	if (rossym_set_locate(resolver->modules.set, token->number, &module, &base) && can_be_in_module(token, module))
		return module;
	return find_module_later_in_log(resolver, token, &base);
}

/* Forget where modules are loaded, and the machine and the build of the boot that has ended. */
static void end_boot(struct resolver *resolver)
{
	rossym_set_forget(resolver->modules.set, 0, NULL);
	modules_set_machine(&resolver->modules, 0);
	resolver->after = NOT_ENTERED;
	boots_end_current(&resolver->boots);
}

/* Store the build that FACT names; if FACT is a boot, end the last boot.  Returns whether the build is new, or a boot
   begins.  Calls modules_prefer_build() only after the new build is known, so that a boot of the same build does not
   make modules choose their images again. */
static bool store_build_of_fact(struct resolver *resolver, const struct fact *fact)
{
	bool is_boot = fact->kind == FACT_BOOT;
	if (is_boot)
		end_boot(resolver);
	if (!resolver->settings->builds)
		return false;
	bool is_news = boots_set_build_from_text(&resolver->boots, fact->text, fact->text_length, is_boot);
	modules_prefer_build(&resolver->modules, &resolver->boots.build, NULL);
	return is_news || is_boot;
}

/* Returns where the module of FACT is loaded.  If the log has only the address where its code begins, subtracts the RVA
   of the code in the image. */
static uint64_t find_loaded_base(struct resolver *resolver, const struct fact *fact)
{
	struct modules *modules = &resolver->modules;
	const struct rossym_module *module = fact->code ? modules_get_module(modules, fact->module, fact->module_length)
							: NULL;
	struct rossym_answer found = { .image = NULL };
	struct rossym_section section;
	if (module)
		modules_look_up(modules, module, 0, true, &found);
	for (uint32_t i = 0; found.image && rossym_get_section(found.image, i, &section, NULL) > 0; i++)
		if (rossym_section_is_code(&section) && section.rva <= fact->code)
			return fact->code - section.rva;
	return fact->base;
}

bool resolve_store_fact(struct resolver *resolver, const struct fact *fact)
{
	const struct rossym_loaded loaded = {
		.size = sizeof loaded,
		.name = fact->module,
		.name_length = fact->module_length,
		.base = find_loaded_base(resolver, fact),
		.length = fact->size,
		.time_date_stamp = fact->stamp,
		.flags = fact->kind == FACT_STAMP ? ROSSYM_LOADED_ANYWHERE
			 : fact->user		  ? ROSSYM_LOADED_USER
						  : 0,
	};
	scout_record_border(&resolver->scout, fact);
	switch (fact->kind) {
	case FACT_LOADED:
	case FACT_STAMP:
		modules_record_loaded(&resolver->modules, &loaded);
		break;
	case FACT_BOOT:
	case FACT_BUILD:
		return store_build_of_fact(resolver, fact);
	case FACT_MACHINE:
		modules_set_machine(&resolver->modules, fact->machine);
		break;
	case FACT_USER:
		rossym_set_forget(resolver->modules.set, ROSSYM_FORGET_USER, NULL);
		break;
	}
	return false;
}

void resolve_begin_log(struct resolver *resolver, const struct scanner *scanner, const char *name)
{
	scout_begin_log(&resolver->scout, scanner);
	resolver->log = name;
	resolver->evidence = scanner ? scanner->ahead : NULL;
	end_boot(resolver);
	modules_prefer_build(&resolver->modules, &resolver->boots.build, NULL);
}

/* ------------------------------------------------------------------------------------------ what -s prints */

/* Append to TEXT what the log has said about a module: "; loaded: DateStamp 1, size 2, base 3". */
static void add_loaded_facts(struct strbuf *text, const struct module_notes *notes)
{
	const struct {
		const char *what;
		uint64_t number;
	} facts[] = {
		{ "DateStamp ", notes->stamp },
		{ "size ", notes->length },
		{ "base ", notes->base },
	};
	const char *before = "; loaded: ";
	for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
		if (!facts[i].number)
			continue;
		strbuf_addf(text, "%s%s%" PRIx64, before, facts[i].what, facts[i].number);
		before = ", ";
	}
}

static void print_counts(const struct token_counts *counts)
{
	char skipped[48] = "", undone[48] = "";
	if (counts->skipped)
		snprintf(skipped, sizeof skipped, ", already annotated: %llu", counts->skipped);
	if (counts->undone)
		snprintf(undone, sizeof undone, ", annotations removed: %llu", counts->undone);
	diag_print_plain("tokens: %llu, resolved: %llu%s%s", counts->tokens, counts->why[ROSSYM_WHY_ANSWERED], skipped,
			 undone);
	for (unsigned why = ROSSYM_WHY_ANSWERED + 1; why <= ROSSYM_WHY_UNKNOWN; why++)
		if (counts->why[why])
			diag_print_plain("unresolved: %llu: %s", counts->why[why],
					 rossym_why_text((enum rossym_why)why));
	if (counts->refused)
		diag_print_plain("unresolved: %llu: %s", counts->refused, RESOLVE_REFUSED);
}

static void print_boots(const struct boots *boots)
{
	for (size_t i = 0; i < boots->count; i++) {
		const struct boots_count *counts = &boots->counts[i];
		bool is_rest = i == BOOTS_BUILDS - 1;
		char text[BUILD_TEXT], other[64] = "";
		if (counts->other)
			snprintf(other, sizeof other, ", from another build: %llu", counts->other);
		diag_print_plain("ReactOS %s: boots: %llu, tokens: %llu%s",
				 is_rest ? "of further builds" : build_to_text(&counts->build, text), counts->boots,
				 counts->tokens, other);
	}
}

/* Print a row for each module of RESOLVER in which an address was looked up: which file has answered, or why none; and
   what the log says of the module. */
static void print_modules(const struct resolver *resolver)
{
	char label[1300];
	const struct modules *modules = &resolver->modules;
	const struct rossym_module *module;
	struct strbuf text = { .bytes = NULL };
	for (uint32_t i = 0; i < modules->note_room && rossym_set_get_module(modules->set, i, &module); i++) {
		const struct module_notes *notes = &modules->notes[i];
		if (!notes->tokens)
			continue;
		text.length = 0;
		strbuf_add(&text, modules_describe_answers(notes, label, sizeof label));
		if (resolver->settings->builds)
			add_loaded_facts(&text, notes);
		diag_print_plain("%s: %llu of %llu, %s", module->name, notes->answered, notes->tokens,
				 text.bytes ? text.bytes : "");
	}
	strbuf_clear(&text);
}

void statistics_print(const struct resolver *resolver)
{
	struct token_counts sum = resolver->counts;
	for (const struct resolver *other = resolver->next; other; other = other->next) {
		sum.tokens += other->counts.tokens;
		sum.refused += other->counts.refused;
		for (unsigned why = 0; why <= ROSSYM_WHY_UNKNOWN; why++)
			sum.why[why] += other->counts.why[why];
	}
	print_counts(&sum);
	print_boots(&resolver->boots);
	for (const struct resolver *each = resolver; each; each = each->next)
		print_modules(each);
	if (resolver->modules.says_builds)
		modules_report_builds(&resolver->modules, diag_print_plain);
}

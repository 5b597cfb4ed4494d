// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rossym-addr2line - what GNU addr2line does, for images that carry their symbols in a .rossym table
 */
#include "config.h"
#include "addr2line/request.h"
#include "addr2line/raddr2line.h"
#include "diff/diff.h"
#include "tool/address.h"
#include "tool/crew.h"
#include "tool/demangle.h"
#include "tool/called.h"
#include "tool/common.h"
#include "tool/child.h"
#include "tool/diag.h"
#include "tool/inspect.h"
#include "tool/open.h"
#include "tool/options.h"
#include "tool/response.h"
#include "tool/sandbox.h"
#include "tool/std.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- options */

enum {
	OPT_RVA = 256,
	OPT_LOAD_ADDRESS,
	OPT_RETURN_ADDRESSES,
	OPT_DATA,
	OPT_FALLBACK,
	OPT_SOURCE_ROOT,
	OPT_PATH_MAP,
	OPT_OUTPUT_STYLE,
	OPT_COUNT,
	OPT_FOLDED,
	OPT_RAW,
	OPT_DUMP,
	OPT_CHECK,
	OPT_DIFF,
	OPT_DIFF_ALL,
	OPT_DIFF_IGNORE,
	OPT_DIFF_TIMEOUT,
	OPT_BRIEF,
	OPT_REFERENCE
};

static const char letters[] = "ab:Ce:rRsfHhij:pP:Vv";

/* In the order of GNU addr2line's own table, which its error messages show; --help has another. */
static const struct option_row gnu_options[] = {
	{ 'a', "addresses", NULL, "Show addresses" },
	{ 's', "basenames", NULL, "Strip directory names" },
	{ 'C', "demangle", "[=style]", "Demangle function names" },
	{ 'e', "exe", "=<executable>", "Set the input file name (default is a.out)" },
	{ 'f', "functions", NULL, "Show function names" },
	{ 'i', "inlines", NULL, "Unwind inlined functions" },
	{ 'p', "pretty-print", NULL, "Make the output easier to read for humans" },
	{ 'R', "recurse-limit", NULL, "Enable a limit on recursion whilst demangling.  [Default]" },
	{ 'R', "recursion-limit", NULL, NULL },
	{ 'r', "no-recurse-limit", NULL, "Disable a limit on recursion whilst demangling" },
	{ 'r', "no-recursion-limit", NULL, NULL },
	{ 'j', "section", "=<name>", "Read section-relative offsets instead of addresses" },
	{ 'b', "target", "=<bfdname>", "Set the binary file format" },
	{ 'h', "help", NULL, "Display this information" },
	{ 'v', "version", NULL, "Display the program's version" },
	{ 0, NULL, NULL, NULL }
};
static const char gnu_help_order[] = "abeijpsfCRrhv";

static const struct option_row own_options[] = {
	{ OPT_RVA, "rva", NULL, "Addresses are relative to the image base" },
	{ OPT_LOAD_ADDRESS, "load-address", "=ADDR", "Addresses are of an image that was loaded at ADDR" },
	{ OPT_RETURN_ADDRESSES, "return-addresses", NULL, "Look up the byte before each address" },
	{ OPT_DATA, "data", NULL, "Answer for data as well as for code" },
	{ OPT_FALLBACK, "fallback", "=PROGRAM", "Let this addr2line take files without a table" },
	{ OPT_SOURCE_ROOT, "source-root", "=DIR", "Put relative file names below DIR" },
	{ OPT_PATH_MAP, "path-map", "=OLD=NEW", "Replace OLD at the beginning of file names by NEW" },
	{ OPT_OUTPUT_STYLE, "output-style", "=STYLE", "Print as GNU (default), LLVM or JSON" },
	{ OPT_COUNT, "count", "[=WHAT]", "Count addresses by function (default), line or file" },
	{ OPT_FOLDED, "folded", NULL, "Count stacks, one a line, for flame graphs" },
	{ OPT_RAW, "raw", "=BITS", "Read binary addresses of 32 or 64 bits" },
	{ 'P', "parallel", "=N", "Let N threads work" },
	{ OPT_DUMP, "dump", NULL, "Print the whole table, tab-separated" },
	{ OPT_CHECK, "check", NULL, "Validate the table" },
	{ OPT_DIFF, "diff", "=FILE", "Compare with what addr2line says about FILE, the image before it was stripped" },
	{ OPT_DIFF_ALL, "diff-all", "[=WHAT]", "Compare all code (default), rows: each row's ends, or so many addresses" },
	{ OPT_DIFF_IGNORE, "diff-ignore", "=CLASS,...", "Ignore these differences too; none: ignore nothing" },
	{ OPT_BRIEF, "brief", NULL, "Print only how many differences there are" },
	{ OPT_REFERENCE, "reference", "=COMMAND", "Compare with this addr2line" },
	{ OPT_DIFF_TIMEOUT, "diff-timeout", "=SECONDS", "Wait so long for it; 0 is for ever" },
	{ 0, NULL, NULL, NULL }
};

static void put_usage(struct out *out)
{
	out_text(out, "Usage: ");
	out_text(out, diag_program());
	out_text(out, " [option(s)] [addr(s)]\n"
		 " Convert addresses into line number/file name pairs.\n"
		 " If no addresses are specified on the command line, they will be read from stdin\n"
		 " The options are:\n"
		 "  @<file>                Read options from <file>\n");
	options_help(out, gnu_options, gnu_help_order);
	out_text(out, " Options that GNU addr2line does not have:\n");
	options_help(out, own_options, NULL);
	out_text(out, "\n");
	out_text(out, diag_program());
	out_text(out, ": supported targets: pei-i386 pei-x86-64 pe-i386 pe-x86-64\n");
}

static void put_version(struct out *out)
{
	common_version(out, "rossym-addr2line");
	out_text(out, "Answers from .rossym tables of PE images, in the format of GNU addr2line.\n");
	out_text(out, demangle_available ? "Demangler: libiberty\n" : "Demangler: none\n");
	out_text(out, !child_available ? "Reference of --diff: none\n"
		    : HAVE_LIBBFD ? "Reference of --diff: libbfd\n" : "Reference of --diff: addr2line\n");
}

static int bad_argument(const char *option, const char *argument, const char *wanted)
{
	diag("%s: '%s' is not %s", option, argument, wanted);
	return 1;
}

/* The options of --diff; returns as take_option(). */
static int take_diff_option(struct request *rq, int option, char *argument)
{
	size_t length;
	const char *bad;
	switch (option) {
	case OPT_DIFF:
		rq->what = RUN_DIFF;
		rq->diff.nostrip = argument;
		break;
	case OPT_DIFF_ALL:
		if (!diff_set_all(&rq->diff, argument))
			return bad_argument("--diff-all", argument, "rows or a number of addresses");
		break;
	case OPT_DIFF_IGNORE:
		bad = diff_set_ignored(&rq->diff, argument, &length);
		if (bad) {
			diag("--diff-ignore: there is no class '%.*s'", (int)length, bad);
			return 1;
		}
		break;
	case OPT_DIFF_TIMEOUT:
		if (!diff_set_number(&rq->diff.timeout, argument, 0)) {
			diag("--diff-timeout: '%s' is not a number of seconds", argument);
			return 1;
		}
		break;
	case OPT_BRIEF:
		rq->diff.brief = true;
		break;
	case OPT_REFERENCE:
		rq->diff.reference = argument;
		break;
	}
	return -1;
}

/* The number of workers, or 0. */
static unsigned parse_workers(const char *text)
{
	unsigned number = 0;
	for (; *text >= '0' && *text <= '9' && number <= MOST_WORKERS; text++)
		number = number * 10 + (unsigned)(*text - '0');
	return *text == '\0' && number <= MOST_WORKERS ? number : 0;
}

static enum profile_kind parse_profile(const char *name)
{
	if (!name || strcmp(name, "function") == 0)
		return PROFILE_FUNCTIONS;
	return strcmp(name, "line") == 0 ? PROFILE_LINES : strcmp(name, "file") == 0 ? PROFILE_FILES : PROFILE_NONE;
}

/* The status to exit with at once, or -1 to go on. */
static int take_option(void *context, int option, char *argument)
{
	struct request *rq = context;
	const char *end;
	switch (option) {
	case 'a':
		rq->style.addresses = true;
		break;
	case 'b':
		rq->target = argument;
		break;
	case 'C':
		if (argument && !demangle_set_style(argument)) {
			diag("unknown demangling style `%s'", argument);
			return 1;
		}
		rq->style.demangle = !argument || strcmp(argument, "none") != 0;
		break;
	case 'e':
		rq->path = argument;
		break;
	case 'r':
	case 'R':
		rq->style.no_recursion_limit = option == 'r';
		break;
	case 's':
		rq->style.paths.basenames = true;
		break;
	case 'f':
		rq->style.functions = true;
		break;
	case 'p':
		rq->style.pretty = true;
		break;
	case 'i':
		rq->inlines = true;
		break;
	case 'j':
		rq->section = argument;
		rq->origin = FROM_SECTION;
		break;
	case 'v':
	case 'V':
		put_version(rq->out);
		return 0;
	case 'h':
	case 'H':
		put_usage(rq->out);
		return 0;
	case OPT_RVA:
		rq->origin = FROM_RVA;
		break;
	case OPT_LOAD_ADDRESS:
		rq->origin = FROM_LOAD_ADDRESS;
		rq->load_address = address_number(argument, &end);
		if (end == argument || *end != '\0') {
			diag("--load-address: '%s' is not a hexadecimal number", argument);
			return 1;
		}
		break;
	case OPT_RETURN_ADDRESSES:
		rq->return_addresses = true;
		break;
	case OPT_DATA:
		rq->lookup_flags |= ROSSYM_LOOKUP_DATA;
		break;
	case OPT_FALLBACK:
		fallback_take(&rq->fallback, argument);
		break;
	case OPT_SOURCE_ROOT:
		rq->style.paths.source_root = argument;
		break;
	case OPT_PATH_MAP:
		return common_path_map(&rq->style.paths, argument);
	case OPT_OUTPUT_STYLE:
		if (!record_form_by_name(argument, &rq->style.form))
			return bad_argument("--output-style", argument, "GNU, LLVM or JSON");
		break;
	case OPT_COUNT:
		rq->what = RUN_PROFILE;
		rq->profile = parse_profile(argument);
		if (rq->profile == PROFILE_NONE)
			return bad_argument("--count", argument, "function, line or file");
		break;
	case OPT_FOLDED:
		rq->what = RUN_PROFILE;
		rq->profile = PROFILE_FOLDED;
		break;
	case OPT_RAW:
		rq->raw_bytes = strcmp(argument, "32") == 0 ? 4 : strcmp(argument, "64") == 0 ? 8 : 0;
		if (rq->raw_bytes == 0)
			return bad_argument("--raw", argument, "32 or 64");
		break;
	case 'P':
		rq->workers = parse_workers(argument);
		if (rq->workers == 0)
			return bad_argument("-P", argument, "a number from 1 to 256");
		break;
	case OPT_DUMP:
		rq->what = RUN_DUMP;
		break;
	case OPT_CHECK:
		rq->what = RUN_CHECK;
		break;
	case OPT_DIFF:
	case OPT_DIFF_ALL:
	case OPT_DIFF_IGNORE:
	case OPT_DIFF_TIMEOUT:
	case OPT_BRIEF:
	case OPT_REFERENCE:
		return take_diff_option(rq, option, argument);
	default:
		return common_usage_error(put_usage);
	}
	return -1;
}

static int parse(struct request *rq, int argc, char **argv)
{
	struct options options = { .argc = argc, .argv = argv, .letters = letters, .first = gnu_options,
				   .second = own_options };
	int operands, status = common_options(&options, take_option, rq, &operands);
	if (status >= 0)
		return status;

	rq->operands = argv + operands;
	rq->operand_count = argc - operands;
	const char *alone = rq->what == RUN_DUMP ? "--dump" : rq->what == RUN_CHECK ? "--check"
			  : rq->what == RUN_DIFF && rq->diff.all ? "--diff-all" : NULL;
	if (alone && rq->operand_count > 0) {
		diag("%s takes no addresses", alone);
		return 1;
	}
	const char *idle = rq->diff.nostrip ? NULL : rq->diff.all ? "--diff-all" : rq->diff.brief ? "--brief"
			 : rq->diff.reference ? "--reference" : NULL;
	if (idle) {
		diag("%s goes with --diff", idle);
		return 1;
	}
	if (rq->what == RUN_DIFF && !child_available) {
		diag("built without --diff: on this system it cannot run another program");
		return 1;
	}
	if (rq->operand_count > 0 && (rq->raw_bytes > 0 || (rq->what == RUN_PROFILE && rq->profile == PROFILE_FOLDED))) {
		diag("%s takes no addresses but from standard input", rq->raw_bytes > 0 ? "--raw" : "--folded");
		return 1;
	}
	if (rq->raw_bytes > 0 && rq->what == RUN_PROFILE && rq->profile == PROFILE_FOLDED) {
		diag("--folded wants lines, not --raw");
		return 1;
	}
	if (!rq->target)
		rq->target = getenv("GNUTARGET");
	return -1;
}

/* --------------------------------------------------------------------------------------------- look-ups */

bool prepare_if_it_pays(const struct request *rq, struct rossym_image *image, uint64_t done, uint64_t lookups)
{
	/* A look-up in the file takes as long as preparing some 500 rows; and from here on twice as long as it would have
	   taken to prepare at once is the most that is lost, if it turns out that it would have been better. */
	enum { ROWS_A_LOOKUP = 500, LOOKUPS_OF_ANY = 32 };
	struct rossym_info info;
	struct rossym_error err;
	if (rossym_is_prepared(image))
		return true;
	rossym_get_info(image, &info);
	uint64_t threshold = LOOKUPS_OF_ANY + info.rows / ROWS_A_LOOKUP;
	if (done >= threshold || done + lookups < threshold)
		return true;	/* it has been tried, or is too early */
	if (rossym_prepare(image, &err) == 0 || err.code == ROSSYM_ENOMEM)
		return true;
	diag_image(rq->path, &err);
	return false;
}

static int find_section(const struct request *rq, struct rossym_image *image, struct rossym_section *section)
{
	struct rossym_error err;
	int found;
	for (uint32_t i = 0; (found = rossym_get_section(image, i, section, &err)) > 0; i++)
		if (strcmp(section->name, rq->section) == 0)
			return 0;
	if (found < 0)
		diag_image(rq->path, &err);
	else
		diag("%s: cannot find section %s", rq->path, rq->section);
	return 1;
}

void give_hint(const struct query_rules *rules, const struct query_seen *seen)
{
	struct rossym_info info;
	rossym_get_info(rules->image, &info);
	if (!seen->number || seen->inside || info.kind == ROSSYM_BARE)
		return;
	diag("hint: no address was inside the image, 0x%" PRIx64 "-0x%" PRIx64 "; see --rva and --load-address",
	     info.image_base, info.image_base + info.size_of_image - 1);
}

/* Whether names of functions are printed. */
static bool shows_functions(const struct request *rq)
{
	if (rq->what == RUN_PROFILE)
		return rq->profile == PROFILE_FUNCTIONS || rq->profile == PROFILE_FOLDED;
	return rq->style.functions || rq->style.form == RECORD_JSON;
}

/* Read the block, if an option needs it.  False after a message. */
static bool read_block(struct request *rq, struct rossym_image *image)
{
	/* The styles of LLVM print the function of the outermost frame, which the block knows. */
	bool outermost = rq->what == RUN_LOOKUPS && rq->style.form != RECORD_GNU && shows_functions(rq);
	if (!rq->inlines && !outermost)
		return !shows_functions(rq) || open_whole_names(image, rq->path);
	int found = open_block(image, rq->path);
	rq->style.inlines = found > 0 && rq->inlines ? image : NULL;
	rq->style.block = found > 0 && outermost ? image : NULL;
	return found >= 0;
}

/* Whatever asks for addresses: records, profiles, comparisons. */
static int run_addresses(struct request *rq, struct rossym_image *image, int failed)
{
	struct query_rules rules;
	struct symbols symbols = { .sections.names = NULL };
	struct rossym_info info;
	struct rossym_section section;
	rossym_get_info(image, &info);
	rq->style.digits = info.kind == ROSSYM_PE32PLUS ? 16 : 8;
	rq->style.module = rq->path;
	if (rq->section && find_section(rq, image, &section) != 0)
		return failed;
	query_rules(&rules, image, rq->path, &symbols, rq->origin, rq->load_address, &section);
	rq->style.image_base = info.image_base;
	if (!read_block(rq, image))
		return failed;
	if (rq->return_addresses && rq->what != RUN_PROFILE)
		query_take_returns(&rules);
	int status = rq->what == RUN_PROFILE ? profile_run(rq, &rules)
		   : rq->what == RUN_DIFF ? comparison_run(rq, &rules) : lookups_run(rq, &rules);
	symbols_clear(&symbols);
	warn_short_names(image, rq->path);
	return status;
}

/* Warn about options that this build cannot obey. */
static void warn_of_lacks(struct request *rq)
{
	if (rq->workers > 1 && !crew_available) {
		diag_warning("built without threads: -P %u is taken for -P 1", rq->workers);
		rq->workers = 1;
	}
	if (rq->style.demangle && !demangle_available)
		diag_warning("built without a demangler: names are shown as they are");
}

/* FAILED is the exit status of what cannot be done. */
static int run(struct request *rq, int failed)
{
	struct rossym_image *image;
	int status = failed;
	/* Another addr2line can do look-ups, and nothing else that we do. */
	if (!open_image(rq->path, rq->target, rq->what == RUN_CHECK || rq->what == RUN_DIFF,
			rq->what == RUN_LOOKUPS ? &rq->fallback : NULL, &image))
		return failed;
	warn_of_lacks(rq);
	/* --diff starts another program. */
	if (rq->what != RUN_DIFF)
		sandbox_reader(rq->workers > 1);
	switch (rq->what) {
	case RUN_LOOKUPS:
	case RUN_PROFILE:
	case RUN_DIFF:
		status = run_addresses(rq, image, failed);
		break;
	case RUN_DUMP:
		status = inspect_dump(image, rq->path, rq->out);
		break;
	case RUN_CHECK:
		status = inspect_check(image, rq->path, rq->out);
		break;
	}
	rossym_close(image);
	return status == 1 && rq->what != RUN_DIFF ? failed : status;
}

int main(int argc, char **argv)
{
	static struct out out;		/* too big for a stack, and touched only as far as it is used */
	struct request rq = { .out = &out, .path = "a.out", .workers = 1, .diff = diff_defaults };
	struct response *response = NULL;
	char **typed = argv;

	std_streams();
	called_plainly(argv);
	diag_start(argc > 0 ? argv[0] : "rossym-addr2line", &out);
	if (called_as(argv[0], "raddr2line"))
		return diag_finish(raddr2line(argc, argv, &out), 1);

	/* A failure is 1, as for GNU addr2line, unless 1 means "different". */
	bool diff_seen = diff_is_among(argc, argv);
	int status = response_arguments(&argc, &argv, &response);
	diff_seen = diff_seen || diff_is_among(argc, argv);
	if (status == 0 && !fallback_open(&rq.fallback, typed, argv))
		status = diag_no_memory();
	if (status == 0)
		status = parse(&rq, argc, argv);
	int failed = diff_seen ? DIFF_TROUBLE : 1;
	status = status < 0 ? run(&rq, failed) : status == 1 ? failed : status;
	paths_clear(&rq.style.paths);
	demangle_end();
	status = diag_finish(status, failed);
	fallback_close(&rq.fallback);
	response_free(response);
	return status;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "addr2line/command.h"
#include "tool/address.h"
#include "tool/process/child.h"
#include "tool/command/common.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "tool/command/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	OPT_RVA = 256,
	OPT_LOAD_ADDRESS,
	OPT_RETURN_ADDRESSES,
	OPT_DATA,
	OPT_FALLBACK,
	OPT_NO_DEBUG_INFO,
	OPT_PDB,
	OPT_DEBUG_DIRECTORY,
	OPT_RECORDED_PATHS,
	OPT_DECORATED,
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
	OPT_REFERENCE,
	OPT_NO_INLINES,
	OPT_NO_DEMANGLE,
	OPT_INLINING,
	OPT_FUNCTIONS_STYLE,
	OPT_ADJUST_VMA,
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
	{ 0, NULL, NULL, NULL },
};
static const char gnu_help_order[] = "abeijpsfCRrhv";

static const struct option_row own_options[] = {
	{ OPT_RVA, "rva", NULL, "Addresses are relative to the image base" },
	{ OPT_LOAD_ADDRESS, "load-address", "=ADDR", "Addresses are of an image that was loaded at ADDR" },
	{ OPT_RETURN_ADDRESSES, "return-addresses", NULL, "Look up the byte before each address" },
	{ OPT_DATA, "data", NULL, "Answer for data as well as for code" },
	{ OPT_NO_DEBUG_INFO, "no-debug-info", NULL, "Answer from a table only" },
	{ OPT_PDB, "pdb", "=FILE", "Without a table, take the symbols from FILE, the image's PDB or debug file" },
	{ OPT_DEBUG_DIRECTORY, "debug-directory", "=DIR", "... or from files that belong to the image in DIR" },
	{ OPT_RECORDED_PATHS, "recorded-paths", NULL, "... or where the image says that they are" },
	{ OPT_DECORATED, "decorated", NULL, "Without a table, keep the decoration of names, such as _f@4" },
	{ OPT_FALLBACK, "fallback", "=PROGRAM", "Let this addr2line take files without an answer" },
	{ OPT_SOURCE_ROOT, "source-root", "=DIR", "Put relative file names below DIR" },
	{ OPT_PATH_MAP, "path-map", "=OLD=NEW", "Replace OLD at the beginning of file names by NEW" },
	{ OPT_OUTPUT_STYLE, "output-style", "=STYLE", "Print as GNU (default), LLVM or JSON" },
	{ OPT_COUNT, "count", "[=WHAT]", "Count addresses by function (default), line or file" },
	{ OPT_FOLDED, "folded", NULL, "Count stacks, one a line, for flame graphs" },
	{ OPT_RAW, "raw", "=BITS", "Read binary addresses of 32 or 64 bits" },
	{ 'P', "parallel", "=N", "Answer standard input in up to N threads" },
	{ OPT_DUMP, "dump", NULL, "Print the whole table, tab-separated" },
	{ OPT_CHECK, "check", NULL, "Validate the table" },
	{ OPT_DIFF, "diff", "=FILE", "Compare with what addr2line says about FILE, the image before it was stripped" },
	{ OPT_DIFF_ALL, "diff-all", "[=WHAT]", "Compare all code (default), rows: their ends, or N addresses" },
	{ OPT_DIFF_IGNORE, "diff-ignore", "=CLASS,...", "Ignore these differences too; none: ignore nothing" },
	{ OPT_BRIEF, "brief", NULL, "Print only how many differences there are" },
	{ OPT_REFERENCE, "reference", "=COMMAND", "Compare with this addr2line" },
	{ OPT_DIFF_TIMEOUT, "diff-timeout", "=SECONDS", "Wait so long for it; 0 is for ever" },
	{ 0, NULL, NULL, NULL },
};

static const struct option_heading own_headings[] = {
	{ "rva", " What addresses are, and where symbols come from (not in GNU addr2line):" },
	{ "source-root", " What is read and printed (not in GNU addr2line):" },
	{ "dump", " Without look-ups: the whole table (not in GNU addr2line):" },
	{ NULL, NULL },
};

/* Another name of --pdb, and options of llvm-symbolizer: of some, the value is that of the option that they are a
   synonym of.  rossym-addr2line(1) has them in one paragraph, and --help does not have them. */
static const struct option_row synonyms[] = {
	{ OPT_PDB, "debug-file", "=FILE", NULL },
	{ 'e', "obj", "=FILE", NULL },
	{ 'a', "print-address", NULL, NULL },
	{ OPT_RVA, "relative-address", NULL, NULL },
	{ OPT_INLINING, "inlining", "[=WHETHER]", NULL },
	{ OPT_NO_INLINES, "no-inlines", NULL, NULL },
	{ OPT_NO_DEMANGLE, "no-demangle", NULL, NULL },
	{ OPT_FUNCTIONS_STYLE, "functions", "=STYLE", NULL },
	{ OPT_DEBUG_DIRECTORY, "debug-file-directory", "=DIR", NULL },
	{ OPT_ADJUST_VMA, "adjust-vma", "=OFFSET", NULL },
	{ 0, NULL, NULL, NULL },
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
	options_help_in_order(out, gnu_options, gnu_help_order);
	options_help(out, own_options, own_headings);
	out_text(out, "\n");
	out_text(out, diag_program());
	out_text(out, ": supported targets: pei-i386 pei-x86-64 pe-i386 pe-x86-64\n");
}

static void put_version(struct out *out)
{
	common_version(out, "rossym-addr2line");
	out_text(out, "Answers from .rossym tables of PE images, in the format of GNU addr2line;\n"
		      "without a table, from what rossym-embed reads (see rossym-embed --version).\n");
	out_text(out, demangle_available ? "Demangler: libiberty\n" : "Demangler: none\n");
	out_text(out, !child_available ? "Reference of --diff: none\n"
		      : HAVE_LIBBFD    ? "Reference of --diff: libbfd\n"
				       : "Reference of --diff: addr2line\n");
}

/* Report an argument that an option does not take.  Returns the exit status. */
static int bad_argument(const char *option, const char *argument, const char *wanted)
{
	diag("%s: '%s' is not %s", option, argument, wanted);
	return 1;
}

/* Take an option of --diff; returns as take_option(). */
static int take_diff_option(struct command *command, int option, char *argument)
{
	size_t length;
	const char *bad;
	switch (option) {
	case OPT_DIFF:
		command->run = RUN_DIFF;
		command->diff.nostrip = argument;
		break;
	case OPT_DIFF_ALL:
		if (!diff_set_all(&command->diff, argument))
			return bad_argument("--diff-all", argument, "rows or a number of addresses");
		break;
	case OPT_DIFF_IGNORE:
		bad = diff_set_ignored(&command->diff, argument, &length);
		if (bad) {
			diag("--diff-ignore: there is no class '%.*s'", (int)length, bad);
			return 1;
		}
		break;
	case OPT_DIFF_TIMEOUT:
		if (!diff_set_number(&command->diff.timeout, argument, 0)) {
			diag("--diff-timeout: '%s' is not a number of seconds", argument);
			return 1;
		}
		break;
	case OPT_BRIEF:
		command->diff.brief = true;
		break;
	case OPT_REFERENCE:
		command->diff.reference = argument;
		break;
	}
	return COMMAND_RUN;
}

enum { MOST_WORKERS = 256 };

/* Returns the number of workers that TEXT says; 0 if it is not a number from 1 to MOST_WORKERS. */
static unsigned parse_workers(const char *text)
{
	unsigned number = 0;
	for (; *text >= '0' && *text <= '9' && number <= MOST_WORKERS; text++)
		number = number * 10 + (unsigned)(*text - '0');
	return *text == '\0' && number <= MOST_WORKERS ? number : 0;
}

/* Take the argument of --count, which may be NULL.  False if it is none of the three words. */
static bool parse_count(struct command *command, const char *what)
{
	static const char *const words[] = {
		[COUNT_FUNCTIONS] = "function", [COUNT_FILES] = "file", [COUNT_LINES] = "line"
	};
	unsigned count = COUNT_FUNCTIONS;
	while (what && count < sizeof words / sizeof *words && strcmp(what, words[count]) != 0)
		count++;
	command->count = (enum count_by)count;
	return count < sizeof words / sizeof *words;
}

struct parsing {
	struct command *command;
	struct out *out;
	const struct options *options;
};

/* Pass WORD, and ARGUMENT unless it is NULL, on to rossym-embed.  Returns as take_option(). */
static int pass_on(struct command *command, const char *word, const char *argument)
{
	command->passed[command->passed_count++] = word;
	if (argument)
		command->passed[command->passed_count++] = argument;
	return COMMAND_RUN;
}

/* Translate a synonym for the fallback, which does not know it: to WORD, or, if that is NULL, to nothing. */
static void translate(const struct parsing *parsing, const char *word, char *argument)
{
	const struct options *options = parsing->options;
	if (options->word && options_is_synonym(options, options->word))
		fallback_translate(&parsing->command->fallback, options->word, word, argument);
}

/* Whether an option --output-style, before or after the present one, is for LLVM or JSON. */
static bool has_llvm_form(const struct options *options)
{
	enum record_form form = RECORD_GNU;
	for (int i = 1; i < options->argc && form == RECORD_GNU; i++) {
		const char *equals = strchr(options->argv[i], '=');
		if (strncmp(options->argv[i], "--o", 3) == 0 && (equals || i + 1 < options->argc))
			(void)record_form_by_name(equals ? equals + 1 : options->argv[i + 1], &form);
	}
	return form != RECORD_GNU;
}

/* Take an option that only llvm-symbolizer has; returns as take_option(). */
static int take_llvm_option(struct parsing *parsing, int option, char *argument)
{
	struct command *command = parsing->command;
	char *end;
	switch (option) {
	case OPT_INLINING:
		if (argument && strcmp(argument, "true") != 0 && strcmp(argument, "false") != 0)
			return bad_argument("--inlining", argument, "true or false");
		command->inlines = !argument || strcmp(argument, "true") == 0;
		translate(parsing, command->inlines ? "-i" : NULL, NULL);
		break;
	case OPT_NO_INLINES:
		command->inlines = false;
		translate(parsing, NULL, NULL);
		break;
	case OPT_NO_DEMANGLE:
		command->style.demangle = false;
		translate(parsing, "--demangle=none", NULL);
		break;
	case OPT_FUNCTIONS_STYLE:
		/* GNU addr2line has --functions without an argument, so in its form this is an error, with
		   its message. */
		if (!has_llvm_form(parsing->options)) {
			diag("option '--functions' doesn't allow an argument");
			return common_usage_error(put_usage);
		}
		command->style.functions = strcmp(argument, "none") != 0;
		if (command->style.functions && strcmp(argument, "linkage") != 0)
			return bad_argument("--functions", argument, "none or linkage: tables have no short names");
		break;
	case OPT_ADJUST_VMA:
		errno = 0;
		command->origin = FROM_ADJUSTED;
		command->load_address = strtoull(argument, &end, 0);
		if (end == argument || *end != '\0' || errno != 0)
			return bad_argument("--adjust-vma", argument, "a number");
		translate(parsing, NULL, argument);
		break;
	}
	return COMMAND_RUN;
}

/* Take one option.  Returns COMMAND_RUN to go on, or the exit status. */
static int take_option(void *context, int option, char *argument)
{
	struct parsing *parsing = context;
	struct command *command = parsing->command;
	const char *end;
	switch (option) {
	case 'a':
		command->style.addresses = true;
		translate(parsing, "-a", NULL);
		break;
	case 'b':
		command->target = argument;
		break;
	case 'C':
		if (argument && !demangle_set_style(argument)) {
			diag("unknown demangling style `%s'", argument);
			return 1;
		}
		command->style.demangle = !argument || strcmp(argument, "none") != 0;
		break;
	case 'e':
		command->path = argument;
		translate(parsing, "-e", argument);
		break;
	case 'r':
	case 'R':
		command->style.no_recursion_limit = option == 'r';
		break;
	case 's':
		command->style.paths.basenames = true;
		break;
	case 'f':
		command->style.functions = true;
		break;
	case 'p':
		command->style.pretty = true;
		break;
	case 'i':
		command->inlines = true;
		break;
	case 'j':
		command->section = argument;
		command->origin = FROM_SECTION;
		break;
	case 'v':
	case 'V':
		put_version(parsing->out);
		return 0;
	case 'h':
	case 'H':
		put_usage(parsing->out);
		return 0;
	case OPT_RVA:
		command->origin = FROM_RVA;
		break;
	case OPT_LOAD_ADDRESS:
		command->origin = FROM_LOAD_ADDRESS;
		command->load_address = address_number(argument, &end);
		if (end == argument || *end != '\0') {
			diag("--load-address: '%s' is not a hexadecimal number", argument);
			return 1;
		}
		break;
	case OPT_RETURN_ADDRESSES:
		command->return_addresses = true;
		break;
	case OPT_DATA:
		command->lookup_flags |= ROSSYM_LOOKUP_DATA;
		return pass_on(command, "--data", NULL);
	case OPT_NO_DEBUG_INFO:
		command->no_debug_info = true;
		break;
	case OPT_PDB:
		translate(parsing, NULL, argument);
		return pass_on(command, "--pdb", argument);
	case OPT_DEBUG_DIRECTORY:
		translate(parsing, NULL, argument);
		return pass_on(command, "--debug-directory", argument);
	case OPT_RECORDED_PATHS:
		return pass_on(command, "--recorded-paths", NULL);
	case OPT_DECORATED:
		return pass_on(command, "--decorated", NULL);
	case OPT_FALLBACK:
		fallback_take(&command->fallback, argument);
		break;
	case OPT_SOURCE_ROOT:
		command->style.paths.source_root = argument;
		break;
	case OPT_PATH_MAP:
		return common_path_map(&command->style.paths, argument);
	case OPT_OUTPUT_STYLE:
		if (!record_form_by_name(argument, &command->style.form))
			return bad_argument("--output-style", argument, "GNU, LLVM or JSON");
		break;
	case OPT_COUNT:
		command->run = RUN_COUNT;
		if (!parse_count(command, argument))
			return bad_argument("--count", argument, "function, line or file");
		break;
	case OPT_FOLDED:
		command->run = RUN_FOLDED;
		break;
	case OPT_RAW:
		command->number_size = strcmp(argument, "32") == 0 ? 4 : strcmp(argument, "64") == 0 ? 8 : 0;
		if (command->number_size == 0)
			return bad_argument("--raw", argument, "32 or 64");
		break;
	case 'P':
		command->workers = parse_workers(argument);
		if (command->workers == 0)
			return bad_argument("-P", argument, "a number from 1 to 256");
		break;
	case OPT_DUMP:
		command->run = RUN_DUMP;
		break;
	case OPT_CHECK:
		command->run = RUN_CHECK;
		break;
	case OPT_DIFF:
	case OPT_DIFF_ALL:
	case OPT_DIFF_IGNORE:
	case OPT_DIFF_TIMEOUT:
	case OPT_BRIEF:
	case OPT_REFERENCE:
		return take_diff_option(command, option, argument);
	case OPT_INLINING:
	case OPT_NO_INLINES:
	case OPT_NO_DEMANGLE:
	case OPT_FUNCTIONS_STYLE:
	case OPT_ADJUST_VMA:
		return take_llvm_option(parsing, option, argument);
	default:
		return common_usage_error(put_usage);
	}
	return COMMAND_RUN;
}

/* Whether options contradict each other or the operands; then after a message. */
static bool is_contradiction(const struct command *command)
{
	const struct diff_request *diff = &command->diff;
	/* ALONE: an option that reads no addresses.  IDLE: one that has an effect only with --diff.  STREAMED: one that
	   reads standard input only. */
	const char *alone = command->run == RUN_DUMP		    ? "--dump"
			    : command->run == RUN_CHECK		    ? "--check"
			    : command->run == RUN_DIFF && diff->all ? "--diff-all"
								    : NULL;
	const char *idle = diff->nostrip     ? NULL
			   : diff->all	     ? "--diff-all"
			   : diff->brief     ? "--brief"
			   : diff->reference ? "--reference"
					     : NULL;
	const char *streamed = command->number_size > 0 ? "--raw" : command->run == RUN_FOLDED ? "--folded" : NULL;
	if (alone && command->operand_count > 0)
		diag("%s takes no addresses", alone);
	else if (idle)
		diag("%s goes with --diff", idle);
	else if (command->run == RUN_DIFF && !child_available)
		diag("built without --diff: on this system it cannot run another program");
	else if (streamed && command->operand_count > 0)
		diag("%s takes no addresses but from standard input", streamed);
	else if (command->number_size > 0 && command->run == RUN_FOLDED)
		diag("--folded wants lines, not --raw");
	else
		return false;
	return true;
}

int command_parse(struct command *command, struct out *out, int argc, char **argv)
{
	struct options options = { .argc = argc,
				   .argv = argv,
				   .letters = letters,
				   .first = gnu_options,
				   .second = own_options,
				   .synonyms = synonyms };
	struct parsing parsing = { command, out, &options };
	/* Each word can be several short options, but only long ones are passed on: two words each, and a NULL. */
	command->passed = calloc((size_t)argc * 2 + 1, sizeof *command->passed);
	if (!command->passed)
		return diag_no_memory();
	command->supply.options = command->passed;
	int operands, status = common_options(&options, take_option, &parsing, &operands);
	if (status != COMMAND_RUN)
		return status;
	command->operands = argv + operands;
	command->operand_count = argc - operands;
	if (is_contradiction(command))
		return 1;
	if (!command->target)
		command->target = getenv("GNUTARGET");
	return COMMAND_RUN;
}

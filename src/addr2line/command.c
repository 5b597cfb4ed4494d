// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "addr2line/command.h"
#include "tool/address.h"
#include "tool/process/child.h"
#include "tool/command/argv0.h"
#include "tool/command/common.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "tool/command/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = "ab:Ce:rRsfHhij:pP:Vv";

/* Print that ARGUMENT of OPTION is not WANTED, such as "a number".  Returns the exit status. */
static int bad_argument(const char *option, const char *argument, const char *wanted)
{
	diag("%s: '%s' is not %s", option, argument, wanted);
	return 1;
}

/* --------------------------------------------------------------------------------------------- what options do */

static void add_directory(struct addr2line_command *command, const char *path)
{
	command->debug.directories[command->debug.directory_count++] = path;
}

/* If the option that is being parsed is a synonym, which the fallback program does not know, replace it in that
   program's arguments by WORD with ARGUMENT; WORD NULL: remove it.  Returns COMMAND_RUN. */
static int translate(struct addr2line_command *command, const char *word, const char *argument)
{
	const struct options *options = command->options;
	if (options->word && options_is_synonym(options, options->word))
		fallback_translate(&command->fallback, options->word, word, argument);
	return COMMAND_RUN;
}

static int opt_addresses(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->style.addresses = true;
	return translate(command, "-a", argument);
}

static int opt_demangle(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->style.demangle = !argument || strcmp(argument, "none") != 0;
	return common_demangle(argument);
}

static int opt_image(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->path = command->paths[command->path_count++] = argument;
	return translate(command, "-e", argument);
}

static int opt_section(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->section = argument;
	command->origin = FROM_SECTION;
	return COMMAND_RUN;
}

static int opt_load_address(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	const char *end;
	command->origin = FROM_LOAD_ADDRESS;
	command->load_address = address_number(argument, &end);
	if (end != argument && *end == '\0')
		return COMMAND_RUN;
	diag("--load-address: '%s' is not a hexadecimal number", argument);
	return 1;
}

static int opt_data(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->lookup_flags |= ROSSYM_LOOKUP_DATA;
	(void)argument;
	command->debug.flags |= ROSSYM_OPEN_DATA;
	return COMMAND_RUN;
}

static int opt_pdb(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->debug.chosen = argument;
	return translate(command, NULL, argument);
}

static int opt_debug_directory(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	add_directory(command, argument);
	return translate(command, NULL, argument);
}

static int opt_recorded_paths(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	(void)argument;
	command->debug.flags |= ROSSYM_OPEN_RECORDED_PATHS;
	return COMMAND_RUN;
}

static int opt_decorated(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	(void)argument;
	command->debug.flags |= ROSSYM_OPEN_DECORATED;
	return COMMAND_RUN;
}

static int opt_fallback(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	fallback_take(&command->fallback, argument);
	return COMMAND_RUN;
}

static int opt_path_map(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	return common_path_map(&command->style.paths, argument);
}

static int opt_output_style(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	return record_form_by_name(argument, &command->style.form)
		       ? COMMAND_RUN
		       : bad_argument("--output-style", argument, "GNU, LLVM or JSON");
}

static int opt_count(void *context, const char *argument)
{
	static const char *const words[] = {
		[COUNT_FUNCTIONS] = "function", [COUNT_FILES] = "file", [COUNT_LINES] = "line"
	};
	struct addr2line_command *command = context;
	unsigned count = COUNT_FUNCTIONS;
	while (argument && count < sizeof words / sizeof *words && strcmp(argument, words[count]) != 0)
		count++;
	if (count == sizeof words / sizeof *words)
		return bad_argument("--count", argument, "function, line or file");
	command->run = RUN_COUNT;
	command->count = (enum count_by)count;
	return COMMAND_RUN;
}

static int opt_raw(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->number_size = strcmp(argument, "32") == 0 ? 4 : strcmp(argument, "64") == 0 ? 8 : 0;
	return command->number_size > 0 ? COMMAND_RUN : bad_argument("--raw", argument, "32 or 64");
}

static int opt_parallel(void *context, const char *argument)
{
	enum { WORKERS_MAX = 256 };
	struct addr2line_command *command = context;
	const char *at = argument;
	unsigned number = 0;
	for (; *at >= '0' && *at <= '9' && number <= WORKERS_MAX; at++)
		number = number * 10 + (unsigned)(*at - '0');
	if (*at != '\0' || number == 0 || number > WORKERS_MAX)
		return bad_argument("-P", argument, "a number from 1 to 256");
	command->workers = number;
	return COMMAND_RUN;
}

static int opt_help(void *context, const char *argument);

static int opt_version(void *context, const char *argument)
{
	const struct addr2line_command *command = context;
	struct out *out = command->out;
	(void)argument;
	common_version(out, "rossym-addr2line");
	out_text(out, "Answers from .rossym tables of PE images, in the format of GNU addr2line;\n"
		      "without a table, from what rossym-embed reads (see rossym-embed --version).\n");
	out_text(out, demangle_available ? "Demangler: libiberty\n" : "Demangler: none\n");
	out_text(out, !child_available ? "Reference of --diff: none\n"
		      : HAVE_LIBBFD    ? "Reference of --diff: libbfd\n"
				       : "Reference of --diff: addr2line\n");
	return 0;
}

/* ---------------------------------------------------------------------------------------------------- --diff */

static int opt_diff(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->run = RUN_DIFF;
	command->diff.nostrip = argument;
	return COMMAND_RUN;
}

static int opt_diff_all(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	return diff_set_all(&command->diff, argument)
		       ? COMMAND_RUN
		       : bad_argument("--diff-all", argument, "rows or a number of addresses");
}

static int opt_diff_ignore(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	size_t length;
	const char *bad = diff_set_ignored(&command->diff, argument, &length);
	if (!bad)
		return COMMAND_RUN;
	diag("--diff-ignore: there is no class '%.*s'", (int)length, bad);
	return 1;
}

static int opt_diff_timeout(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	if (diff_set_number(&command->diff.timeout, argument, 0))
		return COMMAND_RUN;
	diag("--diff-timeout: '%s' is not a number of seconds", argument);
	return 1;
}

/* ------------------------------------------------------------------------------------ options of llvm-symbolizer */

/* Whether an option --output-style anywhere on the command line chooses LLVM or JSON. */
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

static int opt_inlining(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	if (argument && strcmp(argument, "true") != 0 && strcmp(argument, "false") != 0)
		return bad_argument("--inlining", argument, "true or false");
	command->inlines = !argument || strcmp(argument, "true") == 0;
	return translate(command, command->inlines ? "-i" : NULL, NULL);
}

static int opt_no_inlines(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->inlines = false;
	return translate(command, NULL, argument);
}

static int opt_no_demangle(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->style.demangle = false;
	return translate(command, "--demangle=none", argument);
}

static int opt_functions_style(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	/* In GNU's output style, --functions=STYLE is an error, with GNU addr2line's message. */
	if (!has_llvm_form(command->options)) {
		diag("option '--functions' doesn't allow an argument");
		return command->options->wrong();
	}
	command->style.functions = strcmp(argument, "none") != 0;
	command->style.base_names = strcmp(argument, "short") == 0;
	if (command->style.functions && !command->style.base_names && strcmp(argument, "linkage") != 0)
		return bad_argument("--functions", argument, "none, linkage or short");
	return COMMAND_RUN;
}

static int opt_adjust_vma(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	char *end;
	errno = 0;
	command->origin = FROM_ADJUSTED;
	command->load_address = strtoull(argument, &end, 0);
	if (end == argument || *end != '\0' || errno != 0)
		return bad_argument("--adjust-vma", argument, "a number");
	return translate(command, NULL, argument);
}

/* --------------------------------------------------------------------------------------------------- tables */

/* These options have the order of GNU addr2line's own table, because its messages about an ambiguous abbreviation list
   them in that order.  Its --help has another order. */
static const struct option_row gnu_options[] = {
	{ 'a', "addresses", NULL, "Show addresses", OPTION_CALLS(opt_addresses) },
	{ 's', "basenames", NULL, "Strip directory names",
	  OPTION_SETS(struct addr2line_command, style.paths.basenames) },
	{ 'C', "demangle", "[=style]", "Demangle function names", OPTION_CALLS(opt_demangle) },
	{ 'e', "exe", "=<executable>", "Set the input file name (default is a.out)", OPTION_CALLS(opt_image) },
	{ 'f', "functions", NULL, "Show function names", OPTION_SETS(struct addr2line_command, style.functions) },
	{ 'i', "inlines", NULL, "Unwind inlined functions", OPTION_SETS(struct addr2line_command, inlines) },
	{ 'p', "pretty-print", NULL, "Make the output easier to read for humans",
	  OPTION_SETS(struct addr2line_command, style.pretty) },
	{ 'R', "recurse-limit", NULL, "Enable a limit on recursion whilst demangling.  [Default]",
	  OPTION_CLEARS(struct addr2line_command, style.no_recursion_limit) },
	{ 'R', "recursion-limit", NULL, NULL, OPTION_CLEARS(struct addr2line_command, style.no_recursion_limit) },
	{ 'r', "no-recurse-limit", NULL, "Disable a limit on recursion whilst demangling",
	  OPTION_SETS(struct addr2line_command, style.no_recursion_limit) },
	{ 'r', "no-recursion-limit", NULL, NULL, OPTION_SETS(struct addr2line_command, style.no_recursion_limit) },
	{ 'j', "section", "=<name>", "Read section-relative offsets instead of addresses", OPTION_CALLS(opt_section) },
	{ 'b', "target", "=<bfdname>", "Set the binary file format", OPTION_STORES(struct addr2line_command, target) },
	{ 'h', "help", NULL, "Display this information", OPTION_CALLS(opt_help) },
	{ 'v', "version", NULL, "Display the program's version", OPTION_CALLS(opt_version) },
	OPTION_ROWS_END,
};
static const char gnu_help_order[] = "abeijpsfCRrhv";

static const struct option_row own_options[] = {
	{ 0, "rva", NULL, "Addresses are relative to the image base",
	  OPTION_CHOOSES(struct addr2line_command, origin, FROM_RVA) },
	{ 0, "load-address", "=ADDR", "Addresses are of an image that was loaded at ADDR",
	  OPTION_CALLS(opt_load_address) },
	{ 0, "return-addresses", NULL, "Look up the byte before each address",
	  OPTION_SETS(struct addr2line_command, return_addresses) },
	{ 0, "data", NULL, "Answer for data as well as for code", OPTION_CALLS(opt_data) },
	{ 0, "no-debug-info", NULL, "Answer from a table only", OPTION_SETS(struct addr2line_command, no_debug_info) },
	{ 0, "pdb", "=FILE", "Without a table, take the symbols from FILE, the image's PDB or debug file",
	  OPTION_CALLS(opt_pdb) },
	{ 0, "debug-directory", "=DIR", "... or from files that belong to the image in DIR",
	  OPTION_CALLS(opt_debug_directory) },
	{ 0, "recorded-paths", NULL, "... or where the image says that they are", OPTION_CALLS(opt_recorded_paths) },
	{ 0, "missing", NULL, "Print which of these files would help, and nothing else",
	  OPTION_CHOOSES(struct addr2line_command, run, RUN_MISSING) },
	{ 0, "decorated", NULL, "Without a table, keep the decoration of names, such as _f@4",
	  OPTION_CALLS(opt_decorated) },
	{ 0, "fallback", "=PROGRAM", "Let this addr2line take files without an answer", OPTION_CALLS(opt_fallback) },
	{ 0, "source-root", "=DIR", "Put relative file names below DIR",
	  OPTION_STORES(struct addr2line_command, style.paths.source_root) },
	{ 0, "path-map", "=OLD=NEW", "Replace OLD at the beginning of file names by NEW", OPTION_CALLS(opt_path_map) },
	{ 0, "output-style", "=STYLE", "Print as GNU (default), LLVM or JSON", OPTION_CALLS(opt_output_style) },
	{ 0, "count", "[=WHAT]", "Count addresses by function (default), line or file", OPTION_CALLS(opt_count) },
	{ 0, "folded", NULL, "Count stacks, one a line, for flame graphs",
	  OPTION_CHOOSES(struct addr2line_command, run, RUN_FOLDED) },
	{ 0, "raw", "=BITS", "Read binary addresses of 32 or 64 bits", OPTION_CALLS(opt_raw) },
	{ 'P', "parallel", "=N", "Answer standard input in up to N threads", OPTION_CALLS(opt_parallel) },
	{ 0, "dump", NULL, "Print the whole table, tab-separated",
	  OPTION_CHOOSES(struct addr2line_command, run, RUN_DUMP) },
	{ 0, "check", NULL, "Validate the table", OPTION_CHOOSES(struct addr2line_command, run, RUN_CHECK) },
	{ 0, "diff", "=FILE", "Compare with what addr2line says about FILE, the image before it was stripped",
	  OPTION_CALLS(opt_diff) },
	{ 0, "diff-all", "[=WHAT]", "Compare all code (default), rows: their ends, or N addresses",
	  OPTION_CALLS(opt_diff_all) },
	{ 0, "diff-ignore", "=CLASS,...", "Ignore these differences too; none: ignore nothing",
	  OPTION_CALLS(opt_diff_ignore) },
	{ 0, "brief", NULL, "Print only how many differences there are",
	  OPTION_SETS(struct addr2line_command, diff.brief) },
	{ 0, "reference", "=COMMAND", "Compare with this addr2line",
	  OPTION_STORES(struct addr2line_command, diff.reference) },
	{ 0, "diff-timeout", "=SECONDS", "Wait so long for it; 0 is for ever", OPTION_CALLS(opt_diff_timeout) },
	OPTION_ROWS_END,
};

static const struct option_heading own_headings[] = {
	{ "rva", " What addresses are, and where symbols come from (not in GNU addr2line):" },
	{ "source-root", " What is read and printed (not in GNU addr2line):" },
	{ "dump", " Without look-ups: the whole table (not in GNU addr2line):" },
	{ NULL, NULL },
};

/* Another name of --pdb, and options of llvm-symbolizer.  rossym-addr2line(1) describes them in one paragraph; --help
   does not list them. */
static const struct option_row synonyms[] = {
	{ 0, "debug-file", "=FILE", NULL, OPTION_CALLS(opt_pdb) },
	{ 0, "obj", "=FILE", NULL, OPTION_CALLS(opt_image) },
	{ 0, "print-address", NULL, NULL, OPTION_CALLS(opt_addresses) },
	{ 0, "relative-address", NULL, NULL, OPTION_CHOOSES(struct addr2line_command, origin, FROM_RVA) },
	{ 0, "inlining", "[=WHETHER]", NULL, OPTION_CALLS(opt_inlining) },
	{ 0, "no-inlines", NULL, NULL, OPTION_CALLS(opt_no_inlines) },
	{ 0, "no-demangle", NULL, NULL, OPTION_CALLS(opt_no_demangle) },
	{ 0, "functions", "=STYLE", NULL, OPTION_CALLS(opt_functions_style) },
	{ 0, "debug-file-directory", "=DIR", NULL, OPTION_CALLS(opt_debug_directory) },
	{ 0, "adjust-vma", "=OFFSET", NULL, OPTION_CALLS(opt_adjust_vma) },
	OPTION_ROWS_END,
};

static const struct option_row short_only[] = {
	{ 'H', "", NULL, NULL, OPTION_CALLS(opt_help) },
	{ 'V', "", NULL, NULL, OPTION_CALLS(opt_version) },
	OPTION_ROWS_END,
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

static int opt_help(void *context, const char *argument)
{
	const struct addr2line_command *command = context;
	(void)argument;
	put_usage(command->out);
	return 0;
}

static int refuse(void)
{
	return common_suggest_help("--help");
}

/* As refuse(), but prints what GNU addr2line prints. */
static int refuse_as_addr2line(void)
{
	return common_usage_error(put_usage);
}

/* Whether --folded has several images, and an option that is about one.  If so, prints a message. */
static bool is_about_one_image(const struct addr2line_command *command)
{
	static const char *const origins[] = { [FROM_RVA] = "--rva",
					       [FROM_LOAD_ADDRESS] = "--load-address",
					       [FROM_ADJUSTED] = "--adjust-vma",
					       [FROM_SECTION] = "-j" };
	if (command->run != RUN_FOLDED || command->path_count < 2)
		return false;
	const char *option = command->section ? origins[FROM_SECTION] : origins[command->origin];
	if (!option && command->debug.chosen)
		option = "--pdb";
	if (option)
		diag("%s is about one image, and there are several", option);
	return option;
}

/* Whether two of several images have one name, which addresses would name.  If so, prints a message. */
static bool is_named_twice(const struct addr2line_command *command)
{
	if (command->run != RUN_FOLDED)
		return false;
	for (size_t i = 0; i < command->path_count; i++)
		for (size_t j = 0; j < command->path_count; j++)
			if (i != j &&
			    symbol_is_module(command->paths[i], command->paths[j], strlen(command->paths[j]))) {
				diag("'%s' and '%s' are modules of one name", command->paths[i], command->paths[j]);
				return true;
			}
	return false;
}

/* Whether options contradict each other or the operands.  If so, prints a message. */
static bool is_contradiction(const struct addr2line_command *command)
{
	const struct diff_request *diff = &command->diff;
	/* ALONE: an option for which no addresses are read.  IDLE: an option that has an effect only with --diff,
	   which is missing.  STREAMED: an option that reads addresses only from standard input. */
	const char *alone = command->run == RUN_DUMP		    ? "--dump"
			    : command->run == RUN_CHECK		    ? "--check"
			    : command->run == RUN_DIFF && diff->all ? "--diff-all"
								    : NULL;
	const char *idle = diff->nostrip     ? NULL
			   : diff->all	     ? "--diff-all"
			   : diff->brief     ? "--brief"
			   : diff->reference ? "--reference"
					     : NULL;
	/* TEXT_ONLY: an option that prints no records, and so no JSON. */
	const char *text_only = command->style.form != RECORD_JSON ? NULL
				: command->run == RUN_COUNT	   ? "--count"
				: command->run == RUN_FOLDED	   ? "--folded"
				: command->run == RUN_DUMP	   ? "--dump"
				: command->run == RUN_CHECK	   ? "--check"
				: command->run == RUN_DIFF	   ? "--diff"
								   : NULL;
	const char *streamed = command->number_size > 0 ? "--raw" : command->run == RUN_FOLDED ? "--folded" : NULL;
	if (alone && command->operand_count > 0)
		diag("%s takes no addresses", alone);
	else if (idle)
		diag("%s goes with --diff", idle);
	else if (command->run == RUN_DIFF && !child_available)
		diag("built without --diff: on this system it cannot run another program");
	else if (text_only)
		diag("%s does not print JSON", text_only);
	else if (streamed && command->operand_count > 0)
		diag("%s takes no addresses but from standard input", streamed);
	else if (command->run == RUN_MISSING && command->no_debug_info)
		diag("--missing and --no-debug-info exclude each other");
	else if (command->number_size > 0 && command->run == RUN_FOLDED)
		diag("--folded wants lines, not --raw");
	else
		return is_about_one_image(command) || is_named_twice(command);
	return true;
}

/* Read the directories that environment variables list, unless this program, called as PROGRAM, takes the place of GNU
   addr2line.  False: no memory. */
static bool read_listed(struct addr2line_command *command, const char *program)
{
	return argv0_as_addr2line(program) || (search_path_add(&command->listed, getenv("ROSSYM_PATH")) &&
					       search_path_add_symbols(&command->listed, getenv("_NT_SYMBOL_PATH")));
}

int addr2line_command_parse(struct addr2line_command *command, struct out *out, int argc, char **argv)
{
	struct options options = { .argc = argc,
				   .argv = argv,
				   .letters = letters,
				   .first = gnu_options,
				   .second = own_options,
				   .synonyms = synonyms,
				   .short_only = short_only,
				   .wrong = argv0_is(argv[0], "rossym-addr2line") ? refuse : refuse_as_addr2line };
	command->out = out;
	command->options = &options;
	if (!read_listed(command, argv[0]))
		return diag_no_memory();
	command->debug.directories = calloc((size_t)argc + command->listed.count, sizeof *command->debug.directories);
	/* A word has at most one -e, because all after it in the word is its argument. */
	command->paths = calloc((size_t)argc + 1, sizeof *command->paths);
	if (!command->debug.directories || !command->paths)
		return diag_no_memory();
	int operands, status = common_options(&options, command, &operands);
	if (status != COMMAND_RUN)
		return status;
	for (size_t i = 0; i < command->listed.count; i++)
		add_directory(command, command->listed.items[i]);
	command->operands = argv + operands;
	command->operand_count = argc - operands;
	if (is_contradiction(command))
		return 1;
	if (!command->target)
		command->target = getenv("GNUTARGET");
	return COMMAND_RUN;
}

void addr2line_command_clear(struct addr2line_command *command)
{
	paths_clear(&command->style.paths);
	search_path_clear(&command->listed);
	free(command->debug.directories);
	free(command->paths);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "addr2line/command.h"
#include "tool/address.h"
#include "tool/process/child.h"
#include "tool/command/start.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "tool/command/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Print that ARGUMENT, the argument of OPTION, is not WANTED, for instance "a number".  Returns the exit status. */
static int refuse_value(const char *option, const char *argument, const char *wanted)
{
	return !diag("%s: '%s' is not %s", option, argument, wanted);
}

/* Parse TEXT, a decimal number from LOWEST to HIGHEST, into *NUMBER.  False if it is no such number. */
static bool parse_decimal(const char *text, uint32_t lowest, uint32_t highest, unsigned *number)
{
	const size_t digits = strspn(text, "0123456789");
	const uint64_t value = digits > 0 && text[digits] == '\0' ? strtoull(text, NULL, 10) : UINT64_MAX;
	if (value < lowest || value > highest)
		return false;
	*number = (unsigned)value;
	return true;
}

/* --------------------------------------------------------------------------------------------- what options do */

/* The fallback program, another addr2line that may be run instead, lacks the options that cannot be abbreviated.  If
   one is being parsed, replace it in that program's arguments by WORD with ARGUMENT; if WORD is NULL, remove it. */
static int translate_for_fallback(struct addr2line_command *command, const char *word, const char *argument)
{
	const struct options *options = command->options;
	if (options->word && options_must_be_whole(options, options->word))
		fallback_translate(&command->fallback, options->word, word, argument);
	return COMMAND_RUN;
}

static int apply_addresses(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->style.addresses = true;
	return translate_for_fallback(command, "-a", argument);
}

static int apply_demangle(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->style.demangle = !argument || strcmp(argument, "none") != 0;
	return common_apply_demangle(argument);
}

static int apply_image(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->path = command->paths[command->path_count++] = argument;
	return translate_for_fallback(command, "-e", argument);
}

static int apply_section(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->section = argument;
	command->origin = FROM_SECTION;
	return COMMAND_RUN;
}

static int apply_load_address(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	const char *end;
	command->origin = FROM_LOAD_ADDRESS;
	command->load_address = address_parse_number(argument, &end);
	if (end != argument && *end == '\0')
		return COMMAND_RUN;
	return !diag("--load-address: '%s' is not a hexadecimal number", argument);
}

static int apply_debug_file(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->debug.chosen = argument;
	return translate_for_fallback(command, NULL, argument);
}

static int apply_debug_directory(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	if (!search_path_add_one(&command->debug.directories, argument, strlen(argument)))
		return diag_memory_exit_status();
	return translate_for_fallback(command, NULL, argument);
}

static int apply_fallback(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->fallback.program = argument;
	command->fallback.named = true;
	fallback_translate(&command->fallback, command->options->word, NULL, argument);
	return COMMAND_RUN;
}

static int apply_output_style(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	return record_find_form(argument, &command->style.form)
		       ? COMMAND_RUN
		       : refuse_value("--output-style", argument, "GNU, LLVM or JSON");
}

static int apply_count(void *context, const char *argument)
{
	static const char *const words[] = {
		[COUNT_FUNCTIONS] = "function", [COUNT_FILES] = "file", [COUNT_LINES] = "line"
	};
	struct addr2line_command *command = context;
	unsigned count = COUNT_FUNCTIONS;
	while (argument && count < sizeof words / sizeof *words && strcmp(argument, words[count]) != 0)
		count++;
	if (count == sizeof words / sizeof *words)
		return refuse_value("--count", argument, "function, line or file");
	command->run = RUN_COUNT;
	command->count = (enum count_by)count;
	return COMMAND_RUN;
}

static int apply_raw(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->number_size = strcmp(argument, "32") == 0 ? 4 : strcmp(argument, "64") == 0 ? 8 : 0;
	return command->number_size > 0 ? COMMAND_RUN : refuse_value("--raw", argument, "32 or 64");
}

static int apply_parallel(void *context, const char *argument)
{
	enum { WORKERS_MAX = 256 };
	struct addr2line_command *command = context;
	if (!parse_decimal(argument, 1, WORKERS_MAX, &command->workers))
		return refuse_value("-P", argument, "a number from 1 to 256");
	return COMMAND_RUN;
}

static int apply_help(void *context, const char *argument);
static int apply_help_all(void *context, const char *argument);

static int apply_version(void *context, const char *argument)
{
	const struct addr2line_command *command = context;
	struct out *out = command->out;
	(void)argument;
	common_print_version(out, "rossym-addr2line");
	out_text(out, "Answers from .rossym tables of PE images, in the format of GNU addr2line;\n"
		      "without a table, from what rossym-embed reads (see rossym-embed --version).\n");
	out_text(out, demangle_available ? "Demangler: libiberty\n" : "Demangler: none\n");
	out_text(out, !child_available ? "Reference of --diff: none\n"
		      : HAVE_LIBBFD    ? "Reference of --diff: libbfd\n"
				       : "Reference of --diff: addr2line\n");
	return 0;
}

/* ---------------------------------------------------------------------------------------------------- --diff */

static int apply_diff(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->run = RUN_DIFF;
	command->diff.nostrip = argument;
	return COMMAND_RUN;
}

static int apply_diff_all(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	struct diff_request *diff = &command->diff;
	diff->all = !argument ? DIFF_BYTES : strcmp(argument, "rows") == 0 ? DIFF_ROWS : DIFF_SPREAD;
	return diff->all != DIFF_SPREAD || parse_decimal(argument, 1, UINT32_MAX, &diff->spread)
		       ? COMMAND_RUN
		       : refuse_value("--diff-all", argument, "rows or a number of addresses");
}

/* Add the classes in NAMES, separated by commas, to those that --diff ignores.  "none" removes all that were added
   before it, and the default ones. */
static int apply_diff_ignore(void *context, const char *names)
{
	struct addr2line_command *command = context;
	for (size_t length;; names += length + 1) {
		length = strcspn(names, ",");
		size_t class = 0;
		while (class < DIFF_CLASSES && (strncmp(names, diff_class_names[class], length) != 0 ||
						diff_class_names[class][length] != '\0'))
			class ++;
		if (class < DIFF_CLASSES) {
			command->diff.ignored |= DIFF_BIT(class);
		} else if (length == 4 && memcmp(names, "none", 4) == 0) {
			command->diff.ignored = 0;
		} else {
			return !diag("--diff-ignore: there is no class '%.*s'", (int)length, names);
		}
		if (names[length] == '\0')
			return COMMAND_RUN;
	}
}

static int apply_diff_timeout(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	return parse_decimal(argument, 0, UINT32_MAX, &command->diff.timeout)
		       ? COMMAND_RUN
		       : refuse_value("--diff-timeout", argument, "a number of seconds");
}

/* ------------------------------------------------------------------------------------ options of llvm-symbolizer */

/* Whether the command line has, anywhere, an --output-style that chooses LLVM or JSON. */
static bool has_llvm_form(const struct options *options)
{
	enum record_form form = RECORD_GNU;
	for (int i = 1; i < options->argc && form == RECORD_GNU; i++) {
		const char *equals = strchr(options->argv[i], '=');
		if (strncmp(options->argv[i], "--o", 3) == 0 && (equals || i + 1 < options->argc))
			(void)record_find_form(equals ? equals + 1 : options->argv[i + 1], &form);
	}
	return form != RECORD_GNU;
}

static int apply_inlining(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	if (argument && strcmp(argument, "true") != 0 && strcmp(argument, "false") != 0)
		return refuse_value("--inlining", argument, "true or false");
	command->inlines = !argument || strcmp(argument, "true") == 0;
	return translate_for_fallback(command, command->inlines ? "-i" : NULL, NULL);
}

static int apply_no_inlines(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->inlines = false;
	return translate_for_fallback(command, NULL, argument);
}

static int apply_no_demangle(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	command->style.demangle = false;
	return translate_for_fallback(command, "--demangle=none", argument);
}

/* Refuse the argument of the option NAME as GNU addr2line does.  Returns the exit status. */
static int refuse_argument(const struct options *options, const char *name)
{
	diag("option '--%s' doesn't allow an argument", name);
	return options->wrong();
}

static int apply_functions_style(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	/* In GNU's output style, --functions=STYLE is an error, with GNU addr2line's message. */
	if (!has_llvm_form(command->options))
		return refuse_argument(command->options, "functions");
	command->style.functions = strcmp(argument, "none") != 0;
	command->style.base_names = strcmp(argument, "short") == 0;
	if (command->style.functions && !command->style.base_names && strcmp(argument, "linkage") != 0)
		return refuse_value("--functions", argument, "none, linkage or short");
	return COMMAND_RUN;
}

static int apply_adjust_vma(void *context, const char *argument)
{
	struct addr2line_command *command = context;
	char *end;
	errno = 0;
	command->origin = FROM_ADJUSTED;
	command->load_address = strtoull(argument, &end, 0);
	if (end == argument || *end != '\0' || errno != 0)
		return refuse_value("--adjust-vma", argument, "a number");
	return translate_for_fallback(command, NULL, argument);
}

/* --------------------------------------------------------------------------------------------------- tables */

/* The options of GNU addr2line come in the order of its own table, because its messages about an ambiguous abbreviation
   list them in that order.  Its --help lists them in another order. */
#include "options/rossym-addr2line.rows"

static const char gnu_help_order[] = "abeijpsfCRrhv";

/* Whether the program is called by its own name, not by that of GNU addr2line. */
static bool is_own_name(const struct options *options)
{
	return argv0_is(options->argv[0], "rossym-addr2line");
}

static void put_summary(struct out *out)
{
	out_text(out, "Usage: ");
	out_text(out, diag_program());
	out_text(out, " [option(s)] [addr(s)]\n"
		      " Convert addresses into line number/file name pairs.\n"
		      " If no addresses are specified on the command line, they will be read from stdin\n"
		      " The options are:\n");
}

/* Print the help of GNU addr2line, and our own options. */
static void put_usage(struct out *out)
{
	put_summary(out);
	out_text(out, "  @<file>                Read options from <file>\n");
	options_print_help_in_order(out, option_rows, gnu_help_order);
	out_text(out, " These are not in GNU addr2line:\n");
	options_print_help(out, option_rows, true, OPTION_FIRST);
	out_text(out, "\n");
	out_text(out, diag_program());
	out_text(out, ": supported targets: pei-i386 pei-x86-64 pe-i386 pe-x86-64\n");
}

static int apply_help(void *context, const char *argument)
{
	const struct addr2line_command *command = context;
	if (is_own_name(command->options))
		return common_print_help(command->out, put_summary, option_rows, argument);
	put_usage(command->out);
	return 0;
}

static int apply_help_all(void *context, const char *argument)
{
	const struct addr2line_command *command = context;
	if (is_own_name(command->options))
		return apply_help(context, argument);
	return refuse_argument(command->options, "help");
}

/* As common_suggest_help(), but print the help, as GNU addr2line does. */
static int print_help_for_wrong_option(void)
{
	return common_print_usage_error(put_usage);
}

/* Check that --folded with several images has no option that works only with one image.  False after a message. */
static bool check_options_for_one_image(const struct addr2line_command *command)
{
	static const char *const origins[] = { [FROM_RVA] = "--rva",
					       [FROM_LOAD_ADDRESS] = "--load-address",
					       [FROM_ADJUSTED] = "--adjust-vma",
					       [FROM_SECTION] = "-j" };
	if (command->run != RUN_FOLDED || command->path_count < 2)
		return true;
	const char *option = command->section ? origins[FROM_SECTION] : origins[command->origin];
	if (!option && command->debug.chosen)
		option = "--debug-file";
	return !option || diag("%s is about one image, and there are several", option);
}

/* Check that no two images of --folded have the same name: an address with that name would fit both.  False after a
   message. */
static bool check_names_of_images(const struct addr2line_command *command)
{
	const char **paths = command->paths;
	for (size_t i = 0; command->run == RUN_FOLDED && i < command->path_count; i++)
		for (size_t j = 0; j < command->path_count; j++)
			if (i != j && symbol_is_name_of_module(paths[i], paths[j], strlen(paths[j])))
				return diag("'%s' and '%s' are modules of one name", paths[i], paths[j]);
	return true;
}

/* Check that options contradict neither each other nor the operands.  False after a message. */
static bool check_contradictions(const struct addr2line_command *command)
{
	const struct diff_request *diff = &command->diff;
	/* Each of these is the name of an option that was given, or NULL.  ALONE: it reads no addresses.  IDLE: it has
	   an effect only with --diff, which is missing.  STREAMED: it reads addresses only from standard input. */
	const char *alone = command->run == RUN_DUMP		    ? "--dump"
			    : command->run == RUN_CHECK		    ? "--check"
			    : command->run == RUN_DIFF && diff->all ? "--diff-all"
								    : NULL;
	const char *idle = diff->nostrip     ? NULL
			   : diff->all	     ? "--diff-all"
			   : diff->brief     ? "--brief"
			   : diff->reference ? "--reference"
					     : NULL;
	/* TEXT_ONLY: it cannot print JSON, which was asked for. */
	const char *text_only = command->style.form != RECORD_JSON ? NULL
				: command->run == RUN_COUNT	   ? "--count"
				: command->run == RUN_FOLDED	   ? "--folded"
				: command->run == RUN_DUMP	   ? "--dump"
				: command->run == RUN_CHECK	   ? "--check"
				: command->run == RUN_DIFF	   ? "--diff"
								   : NULL;
	const char *streamed = command->number_size > 0 ? "--raw" : command->run == RUN_FOLDED ? "--folded" : NULL;
	if (alone && command->operand_count > 0)
		return diag("%s takes no addresses", alone);
	if (idle)
		return diag("%s goes with --diff", idle);
	if (command->run == RUN_DIFF && !child_available)
		return diag("built without --diff: on this system it cannot run another program");
	if (text_only)
		return diag("%s does not print JSON", text_only);
	if (streamed && command->operand_count > 0)
		return diag("%s takes no addresses but from standard input", streamed);
	if (command->run == RUN_MISSING && command->no_debug_info)
		return diag("--missing and --no-debug-info exclude each other");
	if (command->number_size > 0 && command->run == RUN_FOLDED)
		return diag("--folded wants lines, not --raw");
	return check_options_for_one_image(command) && check_names_of_images(command);
}

int addr2line_command_parse(struct addr2line_command *command, struct out *out, int argc, char **argv)
{
	struct options options = { .argc = argc, .argv = argv, .rows = option_rows, .wrong = common_suggest_help };
	command->out = out;
	command->options = &options;
	if (!is_own_name(&options))
		options.wrong = print_help_for_wrong_option;
	/* There are no more images than words, because the rest of a word after -e is the argument of -e. */
	command->paths = calloc((size_t)argc + 1, sizeof *command->paths);
	if (!command->paths)
		return diag_memory_exit_status();
	int operands, status = options_parse(&options, command, &operands);
	if (status != COMMAND_RUN)
		return status;
	/* If this program takes the place of GNU addr2line, it ignores the directories of environment variables. */
	struct search_path *directories = &command->debug.directories;
	if (!find_addr2line_name(argv[0]) && !(search_path_add(directories, getenv("ROSSYM_PATH")) &&
					       search_path_add_symbols(directories, getenv("_NT_SYMBOL_PATH"))))
		return diag_memory_exit_status();
	command->lookup_flags = command->data ? ROSSYM_LOOKUP_DATA : 0;
	command->debug.flags = (command->data ? ROSSYM_OPEN_DATA : 0) |
			       (command->decorated ? ROSSYM_OPEN_DECORATED : 0) |
			       (command->recorded_paths ? ROSSYM_OPEN_RECORDED_PATHS : 0);
	command->options_argv = argv;
	command->operands = argv + operands;
	command->operand_count = argc - operands;
	if (!check_contradictions(command))
		return 1;
	if (!command->target)
		command->target = getenv("GNUTARGET");
	return COMMAND_RUN;
}

struct input addr2line_command_make_input(const struct addr2line_command *command, const struct input_visitor *visitor,
					  void *data)
{
	return (struct input){ .out = command->out,
			       .operands = command->operands,
			       .operand_count = command->operand_count,
			       .number_size = command->number_size,
			       .visitor = visitor,
			       .data = data };
}

void addr2line_command_clear(struct addr2line_command *command)
{
	record_style_clear(&command->style);
	paths_clear(&command->style.paths);
	search_path_clear(&command->debug.directories);
	free(command->paths);
}

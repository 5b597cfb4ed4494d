// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rossym-bfd-reference - prints the answers of libbfd for addresses, as GNU addr2line would print them
 *
 * This is the reference of rossym-addr2line --diff, and the only program here that uses libbfd.  For a number it
 * prints, byte for byte, what GNU addr2line prints.  It has only those options that change answers, and does not accept
 * symbols in place of addresses.
 */
#include "config.h" /* defines PACKAGE, without which bfd.h refuses to be included */
#include "tool/demangle.h"
#include "tool/command/start.h"
#include "tool/diag.h"
#include "tool/input.h"
#include "tool/command/options.h"
#include "tool/out.h"

#include <bfd.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---------------------------------------------------------------------------------------------- options */

/* The values of DMGL_PARAMS | DMGL_ANSI, and of DMGL_NO_RECURSE_LIMIT: libiberty's header may be missing. */
enum { DEMANGLE_FLAGS = 3, NO_RECURSE_LIMIT = 1 << 18 };

struct bfd_command {
	const char *path, *target;
	bool addresses, functions, inlines, pretty, basenames, demangle;
	int recurse_limit; /* NO_RECURSE_LIMIT, or 0 */
	struct out *out;
	struct input input;

	bfd *bfd;
	asymbol **symbols;
	int digits; /* how many hexadecimal digits an address has */
};

static int apply_demangle(void *context, const char *argument)
{
	struct bfd_command *command = context;
	command->demangle = true;
	return common_apply_demangle(argument);
}

static int print_help(void *context, const char *argument);

static int print_version(void *context, const char *argument)
{
	const struct bfd_command *command = context;
	(void)argument;
	out_text(command->out, "rossym-bfd-reference (" PACKAGE_NAME ") " PACKAGE_VERSION "\n");
	return 0;
}

static const struct option_row options_table[] = {
	OPTION_ROW('a', "addresses", NULL, "Show addresses", OPTION_SETS(struct bfd_command, addresses)),
	OPTION_ROW('b', "target", "=<bfdname>", "Set the binary file format",
		   OPTION_STORES(struct bfd_command, target)),
	OPTION_ROW('e', "exe", "=<executable>", "Set the input file name (default is a.out)",
		   OPTION_STORES(struct bfd_command, path)),
	OPTION_ROW('i', "inlines", NULL, "Unwind inlined functions", OPTION_SETS(struct bfd_command, inlines)),
	OPTION_ROW('p', "pretty-print", NULL, "Make the output easier to read for humans",
		   OPTION_SETS(struct bfd_command, pretty)),
	OPTION_ROW('s', "basenames", NULL, "Strip directory names", OPTION_SETS(struct bfd_command, basenames)),
	OPTION_ROW('f', "functions", NULL, "Show function names", OPTION_SETS(struct bfd_command, functions)),
	OPTION_ROW('C', "demangle", "[=style]", "Demangle function names", OPTION_CALLS(apply_demangle)),
	OPTION_ROW('R', "recurse-limit", NULL, "Enable a limit on recursion whilst demangling",
		   OPTION_CHOOSES(struct bfd_command, recurse_limit, 0)),
	OPTION_ROW('r', "no-recurse-limit", NULL, "Disable a limit on recursion whilst demangling",
		   OPTION_CHOOSES(struct bfd_command, recurse_limit, NO_RECURSE_LIMIT)),
	OPTION_ROW('h', "help", NULL, "Display this information", OPTION_CALLS(print_help)),
	OPTION_ROW('v', "version", NULL, "Display the program's version", OPTION_CALLS(print_version)),
	OPTION_ROW('H', "", NULL, NULL, OPTION_CALLS(print_help)),
	OPTION_ROW('V', "", NULL, NULL, OPTION_CALLS(print_version)),
	OPTION_ROWS_END,
};

static int print_help(void *context, const char *argument)
{
	const struct bfd_command *command = context;
	struct out *out = command->out;
	(void)argument;
	out_text(out, "Usage: ");
	out_text(out, diag_program());
	out_text(out, " [option(s)] [addr(s)]\n"
		      " Print what libbfd knows about addresses, as GNU addr2line does.\n"
		      " If no addresses are specified on the command line, they will be read from stdin\n"
		      " The options are:\n");
	options_print_help(out, options_table, true, OPTION_TABLES);
	return 0;
}

static int fail_for_wrong_option(void)
{
	return 1;
}

static int parse_options(struct bfd_command *command, int argc, char **argv)
{
	struct options options = { .argc = argc, .argv = argv, .rows = options_table, .wrong = fail_for_wrong_option };
	int operands;
	int status = options_parse(&options, command, &operands);
	command->input.operands = argv + operands;
	command->input.operand_count = argc - operands;
	return status;
}

/* ------------------------------------------------------------------------------------------------- file */

/* Print the last error of libbfd.  Returns false. */
static bool report_failure(const struct bfd_command *command)
{
	return diag("%s: %s", command->path, bfd_errmsg(bfd_get_error()));
}

/* Read the symbols, or if there are none, the dynamic symbols.  False: an error of libbfd. */
static bool read_symbols(struct bfd_command *command)
{
	if ((bfd_get_file_flags(command->bfd) & HAS_SYMS) == 0)
		return true;
	for (int dynamic = 0; dynamic < 2; dynamic++) {
		long size = dynamic ? bfd_get_dynamic_symtab_upper_bound(command->bfd)
				    : bfd_get_symtab_upper_bound(command->bfd);
		if (size < 0)
			return dynamic; /* a file without dynamic symbols is no error */
		if (size == 0)
			continue;
		free(command->symbols);
		command->symbols = malloc((size_t)size);
		if (!command->symbols)
			return false;
		long count = dynamic ? bfd_canonicalize_dynamic_symtab(command->bfd, command->symbols)
				     : bfd_canonicalize_symtab(command->bfd, command->symbols);
		if (count > 0)
			return true;
		if (count < 0 && !dynamic)
			return false;
	}
	free(command->symbols);
	command->symbols = NULL;
	return true;
}

/* Open the file as GNU addr2line does, with its messages. */
static bool open_file(struct bfd_command *command)
{
	char **matching = NULL;
	command->bfd = bfd_openr(command->path, command->target);
	if (!command->bfd)
		return report_failure(command);
	command->bfd->flags |= BFD_DECOMPRESS;
	if (bfd_check_format(command->bfd, bfd_archive))
		return diag("%s: cannot get addresses from archive", command->path);
	if (!bfd_check_format_matches(command->bfd, bfd_object, &matching)) {
		report_failure(command);
		free(matching);
		return false;
	}
	command->digits = bfd_arch_bits_per_address(command->bfd) > 32 ? 16 : 8;
	return read_symbols(command) || report_failure(command);
}

/* ---------------------------------------------------------------------------------------------- answers */

/* One address, and what libbfd has found for it in one of the sections. */
struct lookup {
	const struct bfd_command *command;
	bfd_vma pc;
	bool found;
	const char *filename, *function;
	unsigned line, discriminator;
};

/* Look up the address in SECTION.  bfd_map_over_sections() calls this for each section, and cannot be stopped; so this
   function does nothing once a place has been found. */
static void look_up_in_section(bfd *abfd, asection *section, void *context)
{
	struct lookup *lookup = context;
	if (lookup->found || (bfd_section_flags(section) & SEC_ALLOC) == 0)
		return;
	bfd_vma vma = bfd_section_vma(section);
	if (lookup->pc < vma || lookup->pc - vma >= bfd_section_size(section))
		return;
	lookup->found = bfd_find_nearest_line_discriminator(abfd, section, lookup->command->symbols, lookup->pc - vma,
							    &lookup->filename, &lookup->function, &lookup->line,
							    &lookup->discriminator);
}

static void print_function(const struct bfd_command *command, const struct lookup *lookup)
{
	struct out *out = command->out;
	const char *name = lookup->function;
	bool known = name && *name;
	char *plain = known && command->demangle
			      ? bfd_demangle(command->bfd, name, DEMANGLE_FLAGS | command->recurse_limit)
			      : NULL;
	out_text(out, plain ? plain : known ? name : "??");
	out_text(out, command->pretty ? " at " : "\n");
	free(plain);
}

static void print_bfd_frame(const struct bfd_command *command, const struct lookup *lookup)
{
	struct out *out = command->out;
	if (command->functions)
		print_function(command, lookup);
	const char *filename = lookup->filename ? lookup->filename : "??";
	const char *slash = command->basenames ? strrchr(filename, '/') : NULL;
	out_text(out, slash ? slash + 1 : filename);
	out_char(out, ':');
	if (lookup->line)
		out_decimal(out, lookup->line);
	else
		out_char(out, '?');
	if (lookup->line && lookup->discriminator) {
		out_text(out, " (discriminator ");
		out_decimal(out, lookup->discriminator);
		out_char(out, ')');
	}
	out_char(out, '\n');
}

/* The visitor of the input: print the record for the address TEXT. */
static bool print_answer(void *data, char *text)
{
	const struct bfd_command *command = data;
	struct out *out = command->out;
	struct lookup lookup = { .command = command, .pc = strtoull(text, NULL, 16) };
	if (command->addresses) {
		out_text(out, "0x");
		out_hex(out, lookup.pc, command->digits);
		out_text(out, command->pretty ? ": " : "\n");
	}
	bfd_map_over_sections(command->bfd, look_up_in_section, &lookup);
	if (!lookup.found) {
		if (command->functions)
			out_text(out, command->pretty ? "?? " : "??\n");
		out_text(out, "??:0\n");
		return true;
	}
	print_bfd_frame(command, &lookup);
	while (command->inlines &&
	       bfd_find_inliner_info(command->bfd, &lookup.filename, &lookup.function, &lookup.line)) {
		if (command->pretty)
			out_text(out, " (inlined by) ");
		print_bfd_frame(command, &lookup);
	}
	return true;
}

/* -------------------------------------------------------------------------------------------------- run */

static bfd_error_handler_type default_handler;

/* Let libbfd's own handler print a message, and return the text without its newline, for the caller to free; NULL: an
   error.  The handler can print to standard error only, so standard error is a temporary file during the call. */
static char *catch_message(const char *format, va_list args)
{
	char *text = NULL;
	struct stat st;
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO);
	if (!file || saved < 0 || dup2(fileno(file), STDERR_FILENO) < 0)
		goto out;
	default_handler(format, args);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	if (fstat(fileno(file), &st) < 0 || fseek(file, 0, SEEK_SET) < 0)
		goto out;
	text = malloc((size_t)st.st_size + 1);
	if (!text)
		goto out;
	size_t length = fread(text, 1, (size_t)st.st_size, file);
	text[length > 0 ? length - 1 : 0] = '\0';
out:
	if (saved >= 0)
		close(saved);
	if (file)
		fclose(file);
	return text;
}

/* The handler for libbfd's messages.  They contain names from the file, so diag_print_plain() masks them; only libbfd
   can format them.  Drops messages about ignored section flags: most drivers have such a flag in several sections, and
   it has no effect on answers. */
static void report_bfd_error(const char *format, va_list args)
{
	if (strstr(format, "ignoring section flag"))
		return;
	char *text = catch_message(format, args);
	diag_print_plain("%s", text ? text : format);
	free(text);
}

/* Open the file and answer.  Does not close the file, which takes time: the process ends anyway. */
static int run_command(struct bfd_command *command)
{
	static const struct input_visitor visitor = { .text = print_answer };
	bfd_init();
	bfd_set_error_program_name(diag_program());
	default_handler = bfd_set_error_handler(report_bfd_error);
	if (!open_file(command))
		return 1;
	command->input.out = command->out;
	command->input.visitor = &visitor;
	command->input.data = command;
	return !input_visit_all(&command->input);
}

int main(int argc, char **argv)
{
	static struct out out;
	static struct bfd_command command = { .path = "a.out", .out = &out };

	start_program(argc, argv, "rossym-bfd-reference", &out);
	int status = parse_options(&command, argc, argv);
	if (status < 0)
		status = run_command(&command);
	return diag_finish_output(status, 1);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/command.h"
#include "log/read/form.h"
#include "log/url.h"
#include "tool/address.h"
#include "tool/command/options.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "tool/files/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------------------ what options do */

/* Record that the module NAME of ARGUMENT, "NAME@BASE", is loaded at BASE.  Returns LOG_RUN; or 1, after a message. */
static int take_module(void *context, const char *argument)
{
	struct log_command *command = context;
	const char *at = strrchr(argument, '@'), *end;
	uint64_t base = at ? address_parse_number(at + 1, &end) : 0;
	if (!at || at == argument || end == at + 1 || *end != '\0') {
		diag("--module: '%s' is not NAME@BASE", argument);
		return 1;
	}
	const struct rossym_loaded loaded = { .size = sizeof loaded,
					      .flags = ROSSYM_LOADED_FIXED,
					      .name = argument,
					      .name_length = (size_t)(at - argument),
					      .base = base };
	modules_record_loaded(&command->resolver.modules, &loaded);
	return command->resolver.modules.out_of_memory ? diag_memory_exit_status() : LOG_RUN;
}

static int take_demangle(void *context, const char *argument)
{
	struct log_command *command = context;
	command->settings.demangle = true;
	return common_apply_demangle(argument);
}

/* Store in *COUNT the decimal number at *TEXT, or 1000 if it is larger, and move *TEXT after it.  Returns false if
   there is no digit. */
static bool read_count_up_to_1000(const char **text, unsigned *count)
{
	char *end;
	if (**text < '0' || **text > '9')
		return false;
	unsigned long value = strtoul(*text, &end, 10);
	*count = value > 1000 ? 1000 : (unsigned)value;
	*text = end;
	return true;
}

bool log_command_parse_source(struct settings *settings, const char *text, const char **root)
{
	settings->source_after = 0;
	if (!read_count_up_to_1000(&text, &settings->source_before))
		return false;
	if (*text == '+') {
		text++;
		if (!read_count_up_to_1000(&text, &settings->source_after))
			return false;
	}
	if (*text == ',' && root) {
		*root = text + 1;
		text += strlen(text);
	}
	settings->source = true;
	return *text == '\0';
}

static int take_source(void *context, const char *argument)
{
	struct log_command *command = context;
	command->settings.redo = true;
	if (log_command_parse_source(&command->settings, argument, NULL))
		return LOG_RUN;
	diag("-S: '%s' is not N[+M]", argument);
	return 1;
}

static int take_wait(void *context, const char *argument)
{
	struct log_command *command = context;
	const char *end = argument;
	if (read_count_up_to_1000(&end, &command->settings.wait) && *end == '\0')
		return LOG_RUN;
	diag("--wait: '%s' is not a number of milliseconds", argument);
	return 1;
}

static int take_output_style(void *context, const char *argument)
{
	struct log_command *command = context;
	struct settings *settings = &command->settings;
	settings->json = strcmp(argument, "json") == 0;
	settings->html = strcmp(argument, "html") == 0;
	if (settings->json || settings->html || strcmp(argument, "text") == 0)
		return LOG_RUN;
	diag("--output-style: '%s' is not text, json or html", argument);
	return 1;
}

static int take_crashes(void *context, const char *argument)
{
	struct log_command *command = context;
	struct settings *settings = &command->settings;
	settings->markdown = argument && strcmp(argument, "markdown") == 0;
	settings->only_crashes = true;
	if (settings->markdown || !argument || strcmp(argument, "text") == 0)
		return LOG_RUN;
	diag("--crashes: '%s' is not text or markdown", argument);
	return 1;
}

static int take_source_url(void *context, const char *argument)
{
	struct log_command *command = context;
	const char *wrong = url_check_template(argument);
	command->settings.source_url = argument;
	if (!wrong)
		return LOG_RUN;
	diag("--source-url: '%s': %s", argument, wrong);
	return 1;
}

/* Whether standard output is a terminal that understands escape sequences.  A terminal whose TERM is "dumb", such as
   the shell in Emacs, would show them as text. */
static bool stdout_takes_escapes(void)
{
	const char *term = getenv("TERM");
	return isatty(STDOUT_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

/* Whether to use colors if no option decides that. */
static bool is_color_default(void)
{
	const char *no_color = getenv("NO_COLOR");
	return stdout_takes_escapes() && !(no_color && *no_color);
}

/* Set *SETTING by WHEN, the argument of OPTION: to true for "always" or NULL, to false for "never", to AUTOMATIC for
   "auto".  Returns LOG_RUN; or 1, after a message, if WHEN is another word. */
static int apply_when_argument(bool *setting, const char *option, const char *when, bool automatic)
{
	*setting = !when || strcmp(when, "always") == 0;
	if (*setting || strcmp(when, "never") == 0)
		return LOG_RUN;
	*setting = automatic;
	if (strcmp(when, "auto") == 0)
		return LOG_RUN;
	diag("--%s: '%s' is not auto, always or never", option, when);
	return 1;
}

static int take_color(void *context, const char *argument)
{
	struct log_command *command = context;
	return apply_when_argument(&command->settings.color, "color", argument, is_color_default());
}

static int take_hyperlinks(void *context, const char *argument)
{
	struct log_command *command = context;
	command->needs_url = !argument || strcmp(argument, "always") == 0;
	return apply_when_argument(&command->settings.hyperlinks, "hyperlinks", argument, stdout_takes_escapes());
}

static int take_help(void *context, const char *argument);

static int take_version(void *context, const char *argument)
{
	const struct log_command *command = context;
	struct out *out = command->out;
	(void)argument;
	common_print_version(out, "rossym-log");
	out_text(out, demangle_available ? "Demangler: libiberty\n" : "Demangler: none\n");
	out_text(out, archives_available ? "Archives: libarchive\n" : "Archives: none\n");
	return 0;
}

/* --------------------------------------------------------------------------------- parsing the command line */

#include "options/rossym-log.rows"

static void print_summary(struct out *out)
{
	out_text(out, "Usage: ");
	out_text(out, diag_program());
	out_text(out, " [option(s)] [log(s) | EXE OFFSET... | MODULE:OFFSET...]\n"
		      " Copy logs or crash dumps, or stdin, and add source lines to code addresses.\n"
		      " Without -e and -d, look for modules in the places of ROSSYM_PATH, else in the\n"
		      " current directory.  The options are:\n");
}

static int take_help(void *context, const char *argument)
{
	const struct log_command *command = context;
	return common_print_help(command->out, print_summary, option_rows, argument);
}

/* If options contradict each other, or one needs another that is missing, report the first case and return true. */
static bool report_contradiction(const struct log_command *command)
{
	const struct settings *settings = &command->settings;
	if (settings->source && !settings->source_root)
		diag("-S wants --source-root");
	else if (command->needs_url && !settings->source_url)
		diag("--hyperlinks wants --source-url");
	else if (settings->only_missing && (settings->html || settings->only_crashes || command->list_builds))
		diag("--missing and %s exclude each other", settings->html	     ? "--output-style=html"
							    : settings->only_crashes ? "--crashes"
										     : "--builds");
	else if (settings->only_missing && settings->undo && !settings->redo)
		diag("--missing and -u exclude each other");
	else if (settings->only_missing && command->no_debug_info)
		diag("--missing and --no-debug-info exclude each other");
	else if (settings->only_crashes && (settings->html || (settings->json && settings->markdown)))
		diag("--crashes wants --output-style=text or json");
	else
		return false;
	return true;
}

/* Add the forms (patterns of lines, log/read/form.h) in PATH, the file of --forms.  Returns false after a message. */
static bool add_forms(const char *path)
{
	static struct file_content file; /* static: the forms point into its text */
	struct form_error error;
	if (!file_read_text(path, &file))
		return false;
	const char *text = (const char *)file.bytes;
	if (forms_add(text, file.size, &error) && samples_check(text, file.size, &error))
		return true;
	diag("%s:%u:%u: %s", path, error.line, error.column, error.what);
	return false;
}

int log_command_parse(struct log_command *command, int argc, char **argv)
{
	struct options options = { .argc = argc, .argv = argv, .rows = option_rows, .wrong = common_suggest_help };
	command->resolver.modules.symbol_path = getenv("_NT_SYMBOL_PATH");
	command->settings.look_ahead = true;
	command->settings.color = is_color_default();
	command->settings.hyperlinks = stdout_takes_escapes();
	int operands, status = options_parse(&options, command, &operands);
	if (status != LOG_RUN)
		return status;
	command->operands = argv + operands;
	command->operand_count = argc - operands;
	if (command->settings.quiet) {
		command->settings.missed = false;
		diag_be_quiet();
	}
	if (command->settings.demangle && !demangle_available)
		diag_warning("built without a demangler: names are shown as they are");
	if (report_contradiction(command) || (command->forms && !add_forms(command->forms)))
		return 1;
	if (command->settings.only_missing) {
		command->resolver.modules.lists_missing = true;
		command->settings.missed = false;
	}
	command->settings.crashes = command->settings.only_crashes || command->settings.html;
	if (command->settings.html) {
		command->settings.hyperlinks = true;
		command->settings.color = false;
	}
	return LOG_RUN;
}

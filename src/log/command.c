// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/command.h"
#include "log/url.h"
#include "tool/address.h"
#include "tool/command/common.h"
#include "tool/demangle.h"
#include "tool/diag.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --------------------------------------------------------------------------------------------- effects of options */

static int take_exe(void *context, const char *argument)
{
	struct log_command *command = context;
	return modules_add_file(&command->resolver.modules, argument) ? LOG_RUN : diag_no_memory();
}

static int take_directory(void *context, const char *argument)
{
	struct log_command *command = context;
	return modules_add_directory(&command->resolver.modules, argument) ? LOG_RUN : diag_no_memory();
}

static int take_pdb(void *context, const char *argument)
{
	struct log_command *command = context;
	return modules_add_debug_file(&command->resolver.modules, argument) ? LOG_RUN : diag_no_memory();
}

/* Record that a module is loaded, as ARGUMENT, "NAME@BASE", says.  Returns LOG_RUN; or 1, after a message. */
static int take_module(void *context, const char *argument)
{
	struct log_command *command = context;
	const char *at = strrchr(argument, '@'), *end;
	uint64_t base = at ? address_number(at + 1, &end) : 0;
	if (!at || at == argument || end == at + 1 || *end != '\0') {
		diag("--module: '%s' is not NAME@BASE", argument);
		return 1;
	}
	const struct rossym_loaded loaded = { .size = sizeof loaded,
					      .flags = ROSSYM_LOADED_FIXED,
					      .name = argument,
					      .name_length = (size_t)(at - argument),
					      .base = base };
	modules_loaded(&command->resolver.modules, &loaded);
	return command->resolver.modules.out_of_memory ? diag_no_memory() : LOG_RUN;
}

static int take_cache(void *context, const char *argument)
{
	(void)context;
	(void)argument;
	diag_warning("--cache is ignored, and will be removed");
	return LOG_RUN;
}

static int take_demangle(void *context, const char *argument)
{
	struct log_command *command = context;
	command->settings.demangle = true;
	return common_demangle(argument);
}

/* Read a decimal number at *TEXT, and move *TEXT after it.  A number above 1000 becomes 1000.  Returns false if there
   is none. */
static bool take_count(const char **text, unsigned *count)
{
	char *end;
	if (**text < '0' || **text > '9')
		return false;
	unsigned long value = strtoul(*text, &end, 10);
	*count = value > 1000 ? 1000 : (unsigned)value;
	*text = end;
	return true;
}

bool log_command_source(struct settings *settings, const char *text, const char **root)
{
	settings->source_after = 0;
	if (!take_count(&text, &settings->source_before))
		return false;
	if (*text == '+') {
		text++;
		if (!take_count(&text, &settings->source_after))
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
	if (log_command_source(&command->settings, argument, NULL))
		return LOG_RUN;
	diag("-S: '%s' is not N[+M]", argument);
	return 1;
}

static int take_wait(void *context, const char *argument)
{
	struct log_command *command = context;
	const char *end = argument;
	if (take_count(&end, &command->settings.wait) && *end == '\0')
		return LOG_RUN;
	diag("--wait: '%s' is not a number of milliseconds", argument);
	return 1;
}

static int take_path_map(void *context, const char *argument)
{
	struct log_command *command = context;
	return common_path_map(&command->settings.paths, argument);
}

static int take_format(void *context, const char *argument)
{
	struct log_command *command = context;
	struct settings *settings = &command->settings;
	settings->json = strcmp(argument, "json") == 0;
	settings->html = strcmp(argument, "html") == 0;
	if (settings->json || settings->html || strcmp(argument, "text") == 0)
		return LOG_RUN;
	diag("--format: '%s' is not text, json or html", argument);
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
	const char *wrong = url_error(argument);
	command->settings.source_url = argument;
	if (!wrong)
		return LOG_RUN;
	diag("--source-url: '%s': %s", argument, wrong);
	return 1;
}

/* Set *SETTING by WHEN, the argument of OPTION: "always", "never", or "auto", which means AUTOMATIC.  Returns LOG_RUN;
   or 1, after a message. */
static int set_when(bool *setting, const char *option, const char *when, bool automatic)
{
	if (strcmp(when, "auto") == 0) {
		*setting = automatic;
	} else if (strcmp(when, "always") == 0 || strcmp(when, "never") == 0) {
		*setting = *when == 'a';
	} else {
		diag("--%s: '%s' is not auto, always or never", option, when);
		return 1;
	}
	return LOG_RUN;
}

static int take_color(void *context, const char *argument)
{
	struct log_command *command = context;
	return set_when(&command->settings.color, "color", argument ? argument : "auto", isatty(STDOUT_FILENO));
}

/* Whether standard output is a terminal that understands the escape sequences of links.  One whose TERM is "dumb", such
   as the shell in Emacs, would show them as text. */
static bool can_link(void)
{
	const char *term = getenv("TERM");
	return isatty(STDOUT_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

static int take_hyperlink(void *context, const char *argument)
{
	struct log_command *command = context;
	const char *when = argument ? argument : "always";
	command->needs_url = strcmp(when, "always") == 0;
	return set_when(&command->settings.hyperlinks, "hyperlink", when, can_link());
}

static int take_help(void *context, const char *argument);

static int take_version(void *context, const char *argument)
{
	const struct log_command *command = context;
	struct out *out = command->out;
	(void)argument;
	common_version(out, "rossym-log");
	out_text(out, demangle_available ? "Demangler: libiberty\n" : "Demangler: none\n");
	out_text(out, archives_available ? "Archives: libarchive\n" : "Archives: none\n");
	return 0;
}

/* --------------------------------------------------------------------------------------------------- tables */

static const char letters[] = "e:d:iCS:mMuUsvqhV";

static const struct option_row rows[] = {
	{ 'e', "exe", "=FILE", "Take symbols from this image; repeatable", OPTION_CALLS(take_exe) },
	{ 'd', "directory", "=DIR", "Look for images below DIR, or in an .iso, .zip, .7z or .cab; repeatable",
	  OPTION_CALLS(take_directory) },
	{ 0, "module", "=NAME@BASE", "The module NAME is loaded at BASE", OPTION_CALLS(take_module) },
	{ 0, "builds", NULL, "List the places to look in and their builds of ReactOS; with logs, which build they fit",
	  OPTION_SETS(struct log_command, list_builds) },
	{ 0, "cache", "=FILE", "Ignored; in older versions, FILE kept which builds archives are of",
	  OPTION_CALLS(take_cache) },
	{ 0, "no-debug-info", NULL, "Answer from .rossym tables only", OPTION_SETS(struct log_command, no_debug_info) },
	{ 0, "strict", NULL, "Give no answers from images of another build than the log",
	  OPTION_SETS(struct log_command, settings.strict) },
	{ 0, "exact", NULL, "Take all addresses as they are",
	  OPTION_CHOOSES(struct log_command, settings.assume, ASSUME_EXACT) },
	{ 0, "return", NULL, "Take all addresses for return addresses",
	  OPTION_CHOOSES(struct log_command, settings.assume, ASSUME_RETURN) },
	{ 'i', "inlines", NULL, "Show the callers of inlined functions (the default)",
	  OPTION_SETS(struct log_command, settings.inlines) },
	{ 0, "no-inlines", NULL, "Show the innermost function only",
	  OPTION_CLEARS(struct log_command, settings.inlines) },
	{ 'C', "demangle", "[=style]", "Demangle function names", OPTION_CALLS(take_demangle) },
	{ 'S', "source", "=N[+M]", "Show N source lines up to the place and M more; implies -U",
	  OPTION_CALLS(take_source) },
	{ 0, "source-root", "=DIR", "Source files are below DIR",
	  OPTION_STORES(struct log_command, settings.source_root) },
	{ 0, "path-map", "=OLD=NEW", "Replace OLD at the beginning of file names by NEW", OPTION_CALLS(take_path_map) },
	{ 'm', "mark", NULL, "Put \"* | \" before lines with resolved addresses",
	  OPTION_SETS(struct log_command, settings.mark_answered) },
	{ 'M', "mark-unresolved", NULL, "Put \"? | \" before lines with unresolved addresses",
	  OPTION_SETS(struct log_command, settings.mark_unanswered) },
	{ 'u', "undo", NULL, "Remove annotations", OPTION_SETS(struct log_command, settings.undo) },
	{ 'U', "redo", NULL, "Remove annotations and make them anew", OPTION_SETS(struct log_command, settings.redo) },
	{ 0, "format", "=text|json|html", "json: an object for each address; html: a page", OPTION_CALLS(take_format) },
	{ 0, "color", "[=WHEN]", "Color annotations: auto (on a terminal), always, never", OPTION_CALLS(take_color) },
	{ 0, "source-url", "=TEMPLATE", "The URL of a place: %f is the file, %l the line, %c the commit",
	  OPTION_CALLS(take_source_url) },
	{ 0, "hyperlink", "[=WHEN]", "Make links to the URLs: auto (the default), always, never",
	  OPTION_CALLS(take_hyperlink) },
	{ 's', "statistics", NULL, "Say at the end what was resolved and what was not",
	  OPTION_SETS(struct log_command, settings.statistics) },
	{ 'v', "verbose", NULL, "Say which file each module is taken from",
	  OPTION_SETS(struct log_command, settings.verbose) },
	{ 'q', "quiet", NULL, "Print errors, but no warnings, and not at the end what was missed",
	  OPTION_SETS(struct log_command, settings.quiet) },
	{ 'h', "help", NULL, "Display this information", OPTION_CALLS(take_help) },
	{ 'V', "version", NULL, "Display the program's version", OPTION_CALLS(take_version) },
	OPTION_ROWS_END,
};

static const struct option_heading headings[] = {
	{ "exe", " Which images answer:" },
	{ "exact", " How addresses are read, and what is said of their places:" },
	{ "mark", " What is written:" },
	{ NULL, NULL },
};

/* These options are newer than the others.  They cannot be abbreviated, so that abbreviations of
   the others stay unique. */
static const struct option_row whole_rows[] = {
	{ 0, "pdb", "=FILE", "FILE may have symbols of an image: a PDB or debug file; repeatable",
	  OPTION_CALLS(take_pdb) },
	{ 0, "debug-file", "=FILE", NULL, OPTION_CALLS(take_pdb) },
	{ 0, "missing", NULL, "Print which files would help to answer more, and nothing else",
	  OPTION_SETS(struct log_command, settings.only_missing) },
	{ 0, "crashes", "[=text|markdown]", "Print a block for each crash in the logs, and nothing else",
	  OPTION_CALLS(take_crashes) },
	{ 0, "wait", "=MS", "Print a prompt when nothing follows it for MS milliseconds (100); 0: never",
	  OPTION_CALLS(take_wait) },
	OPTION_ROWS_END,
};

static int take_help(void *context, const char *argument)
{
	const struct log_command *command = context;
	struct out *out = command->out;
	(void)argument;
	out_text(out, "Usage: ");
	out_text(out, diag_program());
	out_text(out, " [option(s)] [log(s)]\n       ");
	out_text(out, diag_program());
	out_text(out, " [option(s)] EXE OFFSET...\n       ");
	out_text(out, diag_program());
	out_text(out, " [option(s)] MODULE:OFFSET...\n"
		      " Copies ReactOS debug logs to standard output and adds source lines to their code addresses.\n"
		      " If no logs are specified on the command line, standard input is read\n"
		      " Without -e and -d, modules are looked for in the places of ROSSYM_PATH, else in the\n"
		      " current directory if it is a build directory of ReactOS or has the content of an ISO\n"
		      " The options are:\n"
		      "  @<file>                Read options from <file>\n");
	options_help(out, rows, headings);
	out_text(out, " Not to be abbreviated:\n");
	options_help(out, whole_rows, NULL);
	return 0;
}

static int refuse(void)
{
	return common_suggest_help("--help");
}

/* Whether options contradict each other, or an option lacks another one that it needs.  If so, a message says that. */
static bool is_contradiction(const struct log_command *command)
{
	const struct settings *settings = &command->settings;
	if (settings->source && !settings->source_root)
		diag("-S wants --source-root");
	else if (command->needs_url && !settings->source_url)
		diag("--hyperlink wants --source-url");
	else if (settings->only_missing && (settings->html || settings->only_crashes || command->list_builds))
		diag("--missing and %s exclude each other", settings->html	     ? "--format=html"
							    : settings->only_crashes ? "--crashes"
										     : "--builds");
	else if (settings->only_missing && settings->undo && !settings->redo)
		diag("--missing and -u exclude each other");
	else if (settings->only_missing && command->no_debug_info)
		diag("--missing and --no-debug-info exclude each other");
	else if (settings->only_crashes && (settings->html || (settings->json && settings->markdown)))
		diag("--crashes wants --format=text or --format=json");
	else
		return false;
	return true;
}

int log_command_parse(struct log_command *command, int argc, char **argv)
{
	struct options options = {
		.argc = argc, .argv = argv, .letters = letters, .first = rows, .synonyms = whole_rows, .wrong = refuse
	};
	command->resolver.modules.symbol_path = getenv("_NT_SYMBOL_PATH");
	command->settings.look_ahead = true;
	command->settings.hyperlinks = can_link();
	int operands, status = common_options(&options, command, &operands);
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
	if (is_contradiction(command))
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

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * main.c - rossym-log: adds source lines to the code addresses of a debug log, or of a bugcheck typed from a photograph
 */
#include "config.h"
#include "rossym.h"
#include "log/log2lines.h"
#include "log/archive/archive-serve.h"
#include "log/dump-images.h"
#include "log/dump-serve.h"
#include "log/crash/json.h"
#include "log/crash/print.h"
#include "log/dumps.h"
#include "log/filter.h"
#include "log/find/list.h"
#include "log/page.h"
#include "log/resolve.h"
#include "log/url.h"
#include "tool/address.h"
#include "tool/demangle.h"
#include "tool/command/common.h"
#include "tool/command/argv0.h"
#include "tool/diag.h"
#include "tool/process/forkserver.h"
#include "tool/mask.h"
#include "tool/files/file.h"
#include "tool/command/options.h"
#include "tool/out.h"
#include "tool/command/response.h"
#include "tool/process/sandbox.h"
#include "tool/wait.h"
#include "tool/command/std-streams.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---------------------------------------------------------------------------------------------- options */

enum {
	OPT_MODULE = 256,
	OPT_NO_DEBUG_INFO,
	OPT_BUILDS,
	OPT_CACHE,
	OPT_EXACT,
	OPT_RETURN,
	OPT_NO_INLINES,
	OPT_SOURCE_ROOT,
	OPT_PATH_MAP,
	OPT_FORMAT,
	OPT_COLOR,
	OPT_SOURCE_URL,
	OPT_HYPERLINK,
	OPT_STRICT,
	OPT_PDB,
	OPT_CRASHES,
};

static const char letters[] = "e:d:iCS:mMuUsvhV";

static const struct option_row rows[] = {
	{ 'e', "exe", "=FILE", "Take symbols from this image; repeatable" },
	{ 'd', "directory", "=DIR", "Look for images below DIR, or in an .iso, .zip, .7z or .cab; repeatable" },
	{ OPT_MODULE, "module", "=NAME@BASE", "The module NAME is loaded at BASE" },
	{ OPT_BUILDS, "builds", NULL, "List the places to look in and the builds of ReactOS that they have" },
	{ OPT_CACHE, "cache", "=FILE", "Ignored; in older versions, FILE kept which builds archives are of" },
	{ OPT_NO_DEBUG_INFO, "no-debug-info", NULL, "Answer from .rossym tables only" },
	{ OPT_STRICT, "strict", NULL, "Give no answers from images of another build than the log" },
	{ OPT_EXACT, "exact", NULL, "Take all addresses as they are" },
	{ OPT_RETURN, "return", NULL, "Take all addresses for return addresses" },
	{ 'i', "inlines", NULL, "Show the callers of inlined functions (the default)" },
	{ OPT_NO_INLINES, "no-inlines", NULL, "Show the innermost function only" },
	{ 'C', "demangle", "[=style]", "Demangle function names" },
	{ 'S', "source", "=N[+M]", "Show N source lines up to the place and M more; implies -U" },
	{ OPT_SOURCE_ROOT, "source-root", "=DIR", "Source files are below DIR" },
	{ OPT_PATH_MAP, "path-map", "=OLD=NEW", "Replace OLD at the beginning of file names by NEW" },
	{ 'm', "mark", NULL, "Put \"* | \" before lines with resolved addresses" },
	{ 'M', "mark-unresolved", NULL, "Put \"? | \" before lines with unresolved addresses" },
	{ 'u', "undo", NULL, "Remove annotations" },
	{ 'U', "redo", NULL, "Remove annotations and make them anew" },
	{ OPT_FORMAT, "format", "=text|json|html", "json: an object for each address; html: a page" },
	{ OPT_COLOR, "color", "[=WHEN]", "Color annotations: auto (on a terminal), always, never" },
	{ OPT_SOURCE_URL, "source-url", "=TEMPLATE", "The URL of a place: %f is the file, %l the line, %c the commit" },
	{ OPT_HYPERLINK, "hyperlink", "[=WHEN]", "Make links to the URLs: auto (the default), always, never" },
	{ 's', "statistics", NULL, "Say at the end what was resolved and what was not" },
	{ 'v', "verbose", NULL, "Say which file each module is taken from" },
	{ 'h', "help", NULL, "Display this information" },
	{ 'V', "version", NULL, "Display the program's version" },
	{ 0, NULL, NULL, NULL },
};

static const struct option_heading headings[] = {
	{ "exe", " Which images answer:" },
	{ "exact", " How addresses are read, and what is said of their places:" },
	{ "mark", " What is written:" },
	{ NULL, NULL },
};

static const struct option_row no_rows[] = { { 0, NULL, NULL, NULL } };

/* These cannot be abbreviated: they came later, and would take from the abbreviations of the others. */
static const struct option_row whole_rows[] = {
	{ OPT_PDB, "pdb", "=FILE", "FILE may have symbols of an image: a PDB or debug file; repeatable" },
	{ OPT_PDB, "debug-file", "=FILE", NULL },
	{ OPT_CRASHES, "crashes", "[=text|markdown]", "Print a block for each crash in the logs, and nothing else" },
	{ 0, NULL, NULL, NULL },
};

struct request {
	struct out *out; /* standard output */
	struct settings settings;
	struct resolver resolver;
	struct log2lines log2lines;
	struct table_maker maker;
	struct forkserver server; /* for archives and dumps */
	/* one of the logs is a dump, as far as that is known before rights are given up */
	bool reads_dumps;
	bool no_debug_info;
	bool list_builds;
	bool needs_url; /* --hyperlink=always */
	char **operands;
	int operand_count;
};

static void put_usage(struct out *out)
{
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
}

static void put_version(struct out *out)
{
	common_version(out, "rossym-log");
	out_text(out, demangle_available ? "Demangler: libiberty\n" : "Demangler: none\n");
	out_text(out, archives_available ? "Archives: libarchive\n" : "Archives: none\n");
}

/* Take the argument of --module, "NAME@BASE".  Returns -1 to go on, else the exit status. */
static int add_module(struct request *rq, const char *text)
{
	const char *at = strrchr(text, '@'), *end;
	uint64_t base = at ? address_number(at + 1, &end) : 0;
	if (!at || at == text || end == at + 1 || *end != '\0') {
		diag("--module: '%s' is not NAME@BASE", text);
		return 1;
	}
	const struct rossym_loaded loaded = { .size = sizeof loaded,
					      .flags = ROSSYM_LOADED_FIXED,
					      .name = text,
					      .name_length = (size_t)(at - text),
					      .base = base };
	modules_loaded(&rq->resolver.modules, &loaded);
	return rq->resolver.modules.out_of_memory ? diag_no_memory() : -1;
}

/* Take the argument of OPTION, which sets *SETTING.  AUTOMATIC: what "auto" means.  Returns -1 to go on, else the
   exit status. */
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
	return -1;
}

/* Whether standard output is a terminal that hides the escape sequences of links.  Emacs calls its own "dumb". */
static bool can_link(void)
{
	const char *term = getenv("TERM");
	return isatty(STDOUT_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

static int set_source_url(struct settings *settings, const char *template)
{
	const char *wrong = url_wrong(template);
	if (wrong) {
		diag("--source-url: '%s': %s", template, wrong);
		return 1;
	}
	settings->source_url = template;
	return -1;
}

static int set_crashes(struct settings *settings, const char *form)
{
	settings->markdown = strcmp(form, "markdown") == 0;
	settings->only_crashes = true;
	if (!settings->markdown && strcmp(form, "text") != 0) {
		diag("--crashes: '%s' is not text or markdown", form);
		return 1;
	}
	return -1;
}

static int set_format(struct settings *settings, const char *format)
{
	settings->json = strcmp(format, "json") == 0;
	settings->html = strcmp(format, "html") == 0;
	if (!settings->json && !settings->html && strcmp(format, "text") != 0) {
		diag("--format: '%s' is not text, json or html", format);
		return 1;
	}
	return -1;
}

/* Take one option.  Returns -1 to go on, else the exit status. */
static int take_option(void *context, int option, char *argument)
{
	struct request *rq = context;
	struct settings *settings = &rq->settings;
	switch (option) {
	case 'e':
		return modules_add_file(&rq->resolver.modules, argument) ? -1 : diag_no_memory();
	case 'd':
		return modules_add_directory(&rq->resolver.modules, argument) ? -1 : diag_no_memory();
	case OPT_MODULE:
		return add_module(rq, argument);
	case OPT_PDB:
		return modules_add_debug_file(&rq->resolver.modules, argument) ? -1 : diag_no_memory();
	case OPT_NO_DEBUG_INFO:
		rq->no_debug_info = true;
		break;
	case OPT_BUILDS:
		rq->list_builds = true;
		break;
	case OPT_CACHE:
		diag_warning("--cache is ignored, and will be removed");
		break;
	case OPT_EXACT:
		settings->assume = ASSUME_EXACT;
		break;
	case OPT_RETURN:
		settings->assume = ASSUME_RETURN;
		break;
	case 'i':
	case OPT_NO_INLINES:
		settings->inlines = option == 'i';
		break;
	case 'C':
		settings->demangle = true;
		if (argument && !demangle_set_style(argument)) {
			diag("unknown demangling style `%s'", argument);
			return 1;
		}
		break;
	case 'S':
		if (!log2lines_source(settings, argument, NULL)) {
			diag("-S: '%s' is not N[+M]", argument);
			return 1;
		}
		settings->redo = true;
		break;
	case OPT_SOURCE_ROOT:
		settings->source_root = argument;
		break;
	case OPT_PATH_MAP:
		return common_path_map(&settings->paths, argument);
	case 'm':
		settings->mark_answered = true;
		break;
	case 'M':
		settings->mark_unanswered = true;
		break;
	case 'u':
		settings->undo = true;
		break;
	case 'U':
		settings->redo = true;
		break;
	case OPT_FORMAT:
		return set_format(settings, argument);
	case OPT_CRASHES:
		return set_crashes(settings, argument ? argument : "text");
	case OPT_COLOR:
		return set_when(&settings->color, "color", argument ? argument : "auto", isatty(STDOUT_FILENO));
	case OPT_SOURCE_URL:
		return set_source_url(settings, argument);
	case OPT_HYPERLINK:
		rq->needs_url = !argument || strcmp(argument, "always") == 0;
		return set_when(&settings->hyperlinks, "hyperlink", argument ? argument : "always", can_link());
	case OPT_STRICT:
		settings->strict = true;
		break;
	case 's':
		settings->statistics = true;
		break;
	case 'v':
		settings->verbose = true;
		break;
	case 'h':
		put_usage(rq->out);
		return 0;
	case 'V':
		put_version(rq->out);
		return 0;
	default:
		return common_try("--help");
	}
	return -1;
}

static int parse(struct request *rq, int argc, char **argv)
{
	struct options options = {
		.argc = argc, .argv = argv, .letters = letters, .first = rows, .second = no_rows, .synonyms = whole_rows
	};
	rq->settings.look_ahead = true;
	rq->settings.hyperlinks = can_link();
	int operands, status = common_options(&options, take_option, rq, &operands);
	if (status >= 0)
		return status;
	rq->operands = argv + operands;
	rq->operand_count = argc - operands;
	if (rq->settings.demangle && !demangle_available)
		diag_warning("built without a demangler: names are shown as they are");
	if (rq->list_builds && rq->operand_count > 0) {
		diag("--builds reads no logs");
		return 1;
	}
	if (rq->settings.source && !rq->settings.source_root) {
		diag("-S wants --source-root");
		return 1;
	}
	if (rq->needs_url && !rq->settings.source_url) {
		diag("--hyperlink wants --source-url");
		return 1;
	}
	if (rq->settings.only_crashes && (rq->settings.html || (rq->settings.json && rq->settings.markdown))) {
		diag("--crashes wants --format=text or --format=json");
		return 1;
	}
	rq->settings.crashes = rq->settings.only_crashes || rq->settings.html;
	if (rq->settings.html) {
		rq->settings.hyperlinks = true;
		rq->settings.color = false;
	}
	return -1;
}

static int parse_log2lines(struct request *rq, int argc, char **argv)
{
	int status = log2lines_parse(&rq->log2lines, argc, argv);
	rq->operands = argv + rq->log2lines.operands;
	rq->operand_count = argc - rq->log2lines.operands;
	return status;
}

/* ------------------------------------------------------------------------------------- EXE OFFSET... */

static bool is_there(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0;
}

static bool is_number(const char *text)
{
	const char *end;
	address_number(text, &end);
	return end != text && *end == '\0';
}

/* An operand as a log has it: "win32k.sys:1234", "<win32k.sys:1234>" or "win32k.sys+0x1234". */
struct written {
	const char *name;
	size_t length;
	const char *number;
};

/* Whether OPERAND is of such a form, and no file. */
static bool is_written(const char *operand, struct written *ret)
{
	const char *end, *last = operand + strlen(operand);
	const bool angle = *operand == '<';
	const char *name = operand + angle, *mark = last;
	while (mark > name && *mark != ':' && *mark != '+')
		mark--;
	address_number(mark + 1, &end);
	/* "C:12" is a file on drive C. */
	if (mark - name < 2 || !strchr(name, '.') || end == mark + 1 || strcmp(end, angle ? ">" : "") != 0 ||
	    is_there(operand))
		return false;
	*ret = (struct written){ name, (size_t)(mark - name), mark + 1 };
	return true;
}

/* Whether the operands are modules and offsets, and not logs: the first has both, or, as log2lines has them, the second
   is a number and no file. */
static bool are_offsets(const struct request *rq, bool log2lines)
{
	struct written written;
	if (rq->operand_count == 0 || log2lines)
		return rq->operand_count > 0;
	return is_written(rq->operands[0], &written) ||
	       (rq->operand_count > 1 && is_number(rq->operands[1]) && !is_there(rq->operands[1]));
}

/* Answer for one OFFSET as if a log had "<NAME:OFFSET>". */
static void answer_offset(struct request *rq, struct resolver *resolver, const char *name, size_t length,
			  const char *number)
{
	const char *end;
	struct answer answer;
	struct text text = { .bytes = NULL };
	struct token token = { .module = name, .module_length = length, .number = address_number(number, &end) };
	struct text line = { .bytes = NULL };
	text_add_char(&line, '<');
	text_add_masked(&line, name, length);
	text_add_char(&line, ':');
	text_add_hex(&line, token.number);
	token.note = token.note_end = line.length;
	text_add_char(&line, '>');
	token.end = line.length;

	resolve(resolver, &token, &answer);
	if (rq->settings.json) {
		annotate_json(rq->out, &rq->settings, &token, &answer, &(struct place){ NULL, 1, line.bytes, 1 });
	} else {
		text_add_bytes(&text, line.bytes, token.note);
		if (answer.found.why == ROSSYM_WHY_ANSWERED)
			annotate_note(&text, &rq->settings, &answer, false);
		text_add(&text, ">\n");
		out_bytes(rq->out, text.bytes, text.length);
	}
	text_clear(&text);
	text_clear(&line);
}

/* Answer for EXE, of LENGTH bytes, and its offset NUMBER, or, if that is NULL, its OFFSETs from operand *AT on.  An EXE
   with a path is that file.  One without a path is looked for like the modules of a log; if there is no place to look
   in, it is the file of that name. */
static bool answer_exe(struct request *rq, const char *exe, size_t length, const char *number, int *at)
{
	struct resolver own = { .settings = &rq->settings }, *resolver = &rq->resolver;
	bool by_path = strchr(exe, '/') || strchr(exe, '\\') || !modules_have_place(&rq->resolver.modules);
	if (by_path) {
		resolver = &own;
		if (!modules_init(&own.modules, false) || !modules_add_file(&own.modules, exe) ||
		    !modules_add_debug_files(&own.modules, &rq->resolver.modules))
			return false;
		own.modules.maker = rq->resolver.modules.maker;
	}
	if (number)
		answer_offset(rq, resolver, exe, length, number);
	for (; !number && *at < rq->operand_count && is_number(rq->operands[*at]) && !strchr(rq->operands[*at], '.');
	     (*at)++)
		answer_offset(rq, resolver, exe, length, rq->operands[*at]);
	if (by_path) {
		for (unsigned why = 0; why <= ROSSYM_WHY_UNKNOWN; why++)
			rq->resolver.counts.why[why] += own.counts.why[why];
		rq->resolver.counts.tokens += own.counts.tokens;
		rq->resolver.modules.failed |= modules_failed(&own.modules);
		rq->resolver.modules.out_of_memory |= own.modules.out_of_memory;
		modules_clear(&own.modules);
	}
	return true;
}

static int answer_offsets(struct request *rq)
{
	bool good = true;
	for (int at = 0; good && at < rq->operand_count;) {
		const char *operand = rq->operands[at++];
		struct written written = { operand, strlen(operand), NULL };
		(void)is_written(operand, &written);
		struct text name = { .length = 0 }; /* Windows has no strndup() */
		good = text_add_bytes(&name, written.name, written.length) &&
		       answer_exe(rq, name.bytes, written.length, written.number, &at);
		text_clear(&name);
	}
	if (!good)
		return diag_no_memory();
	return rq->resolver.modules.out_of_memory ? diag_no_memory() : 0;
}

/* ------------------------------------------------------------------------------------------------ logs */

/* Whether anything is looked up: -u alone does not. */
static bool looks_up(const struct request *rq)
{
	return !rq->settings.undo || rq->settings.redo;
}

/* Whether images of a dump's modules are looked for.  -u shows a report without annotations, but its callers are those of
   a report with them, if the command line names images. */
static bool uses_images(const struct request *rq)
{
	return rq->reads_dumps && (looks_up(rq) || !rq->resolver.modules.default_places);
}

/* Filter the report of the dump FD. */
static bool filter_dump(struct request *rq, struct filter *filter, int fd, const char *log)
{
	struct text report = { .bytes = NULL };
	struct modules *modules = &rq->resolver.modules;
	struct dump_image_files files = { .modules = uses_images(rq) ? modules : NULL };
	const struct dump_image_source images = dump_image_files_source(&files);
	bool whole, there = dumps_read(&rq->server, fd, log ? log : "standard input", &images, &report, &whole);
	dump_image_files_clear(&files);
	filter->content = &report;
	bool good = there && filter_run(filter, -1, log);
	filter->content = NULL;
	text_clear(&report);
	return good && whole;
}

/* Filter one log.  What is no file can go on for days, so for that the budget for archives is filled up again. */
static bool filter_log(struct request *rq, struct filter *filter, int fd, const char *log)
{
	struct stat st;
	bool live = fstat(fd, &st) < 0 || !S_ISREG(st.st_mode);
	rq->resolver.modules.index.budget.live = rq->maker.budget.live = live;
	if (rq->settings.html)
		page_log_begin(rq->out, rq->operand_count < 2 ? NULL : log ? log : "standard input");
	bool good = rq->reads_dumps && dumps_is(fd) ? filter_dump(rq, filter, fd, log) : filter_run(filter, fd, log);
	if (rq->settings.html)
		page_log_end(rq->out);
	return good;
}

/* Print what is known when all logs have been read.  False: no memory. */
static bool print_end(struct request *rq, struct filter *filter)
{
	struct crashes *crashes = &filter->crashes;
	bool good = true;
	if (rq->settings.html)
		good = page_end(&filter->page, rq->out, &rq->resolver, crashes);
	else if (rq->settings.only_crashes && rq->settings.json)
		crashes_print_json(rq->out, crashes);
	else if (rq->settings.only_crashes)
		crashes_print(rq->out, crashes, rq->settings.markdown);
	if (crashes->left_out)
		diag_warning("%llu more crashes are not shown", crashes->left_out);
	return good && !crashes->no_memory;
}

static int filter_logs(struct request *rq)
{
	static struct filter filter;
	int status = 0;
	if (!filter_open(&filter, &rq->settings, &rq->resolver, rq->out)) {
		filter_close(&filter);
		return diag_no_memory();
	}
	if (rq->settings.html)
		page_begin(rq->out, rq->operands, rq->operand_count);
	if (rq->operand_count == 0 && !filter_log(rq, &filter, STDIN_FILENO, NULL))
		status = 1;
	for (int i = 0; i < rq->operand_count; i++) {
		const char *path = rq->operands[i];
		bool is_stdin = strcmp(path, "-") == 0;
		int fd = is_stdin ? STDIN_FILENO : open_file(path, true);
		if (fd < 0) {
			/* Windows does not open a directory.  Elsewhere that works, and reading it fails. */
			diag(errno == EISDIR ? "%s: cannot read: %s" : "%s: %s", path, strerror(errno));
			status = 1;
			continue;
		}
		if (!filter_log(rq, &filter, fd, is_stdin ? NULL : path))
			status = 1;
		if (!is_stdin)
			close(fd);
	}
	if (!print_end(rq, &filter))
		status = diag_no_memory();
	filter_close(&filter);
	return status;
}

static int print_index(struct request *rq)
{
	char label[600];
	size_t count;
	modules_index(&rq->resolver.modules);
	struct file **files = index_find(&rq->resolver.modules.index, "", 0, &count);
	for (size_t i = 0; i < count; i++) {
		out_text(rq->out, file_label(files[i], label, sizeof label));
		out_char(rq->out, '\n');
	}
	return 0;
}

static int print_builds(struct request *rq)
{
	list_builds(rq->out, &rq->resolver.modules, rq->settings.json);
	return rq->resolver.modules.out_of_memory ? diag_no_memory() : 0;
}

static int wants_log(const char *option)
{
	diag("%s wants a log, not addresses", option);
	return 1;
}

static int run(struct request *rq, bool log2lines)
{
	int status;
	if (rq->list_builds)
		status = print_builds(rq);
	else if (rq->log2lines.print_index)
		status = print_index(rq);
	else if (are_offsets(rq, log2lines) && (rq->settings.html || rq->settings.only_crashes))
		status = wants_log(rq->settings.html ? "--format=html" : "--crashes");
	else if (are_offsets(rq, log2lines))
		status = answer_offsets(rq);
	else
		status = filter_logs(rq);
	out_flush(rq->out);
	if (rq->settings.statistics)
		resolve_statistics(&rq->resolver);
	if (rq->out->copy_error) {
		diag("cannot write the copy: %s", strerror(rq->out->copy_error));
		status = 1;
	}
	return modules_failed(&rq->resolver.modules) || rq->maker.said_put_off ? 1 : status;
}

/* Whether one of the logs is a dump. */
static bool have_dump(const struct request *rq)
{
	bool found = rq->operand_count == 0 && dumps_is(STDIN_FILENO);
	for (int i = 0; !found && i < rq->operand_count; i++) {
		bool is_stdin = strcmp(rq->operands[i], "-") == 0;
		int fd = is_stdin ? STDIN_FILENO : is_there(rq->operands[i]) ? open_file(rq->operands[i], true) : -1;
		found = fd >= 0 && dumps_is(fd);
		if (fd >= 0 && !is_stdin)
			close(fd);
	}
	return found;
}

/* What a child of the server does: it reads a dump or an archive. */
static void serve_file(int file, int reading, int writing)
{
	if (dumps_begins(file))
		dump_serve(file, reading, writing);
	else
		archive_serve(file, reading, writing);
}

/* Start the process that reads archives and dumps while that is allowed, give up rights, and do what is to be done. */
static int run_without_rights(struct request *rq, bool log2lines)
{
	rq->reads_dumps = !log2lines && !rq->list_builds && have_dump(rq);
	const bool archives = (looks_up(rq) || uses_images(rq)) && modules_may_have_archives(&rq->resolver.modules);
	if (archives || rq->reads_dumps)
		forkserver_start(&rq->server, serve_file);
	if (archives)
		rq->resolver.modules.index.server = &rq->server;
	wait_widen(STDIN_FILENO);
	wait_widen(STDOUT_FILENO);
	sandbox_searcher(rq->server.socket);
	return run(rq, log2lines);
}

/* Whether debug information may be read: log2lines has never done so. */
static bool needs_maker(const struct request *rq, bool log2lines)
{
	return !log2lines && !rq->list_builds && !rq->no_debug_info && looks_up(rq);
}

int main(int argc, char **argv)
{
	static struct out out; /* too big for a stack, and touched only as far as it is used */
	static struct request rq;
	struct response *response = NULL;

	std_streams_open();
	argv0_shorten(argv);
	diag_start(argc > 0 ? argv[0] : "rossym-log", &out);
	bool log2lines = argv0_is(argv[0], "log2lines");
	rq.out = &out;
	rq.server.socket = -1;
	rq.settings.inlines = rq.settings.builds = !log2lines;
	rq.resolver.settings = &rq.settings;
	rq.log2lines = (struct log2lines){ .settings = &rq.settings, .resolver = &rq.resolver, .out = &out };
	int status = response_arguments(&argc, &argv, &response);
	if (status == 0)
		status = !modules_init(&rq.resolver.modules, !log2lines) ? diag_no_memory()
			 : log2lines					 ? parse_log2lines(&rq, argc, argv)
									 : parse(&rq, argc, argv);
	if (status < 0) {
		if (needs_maker(&rq, log2lines)) {
			rq.resolver.modules.maker = &rq.maker;
			table_maker_start(&rq.maker);
		}
		rq.resolver.modules.verbose = rq.settings.verbose;
		rq.resolver.modules.says_builds = rq.settings.builds && (rq.settings.verbose || rq.settings.statistics);
		status = run_without_rights(&rq, log2lines);
	}
	modules_clear(&rq.resolver.modules);
	forkserver_stop(&rq.server);
	table_maker_end(&rq.maker);
	paths_clear(&rq.settings.paths);
	free(rq.log2lines.directory);
	demangle_end();
	status = diag_finish(status, 1);
	response_free(response);
	return status;
}

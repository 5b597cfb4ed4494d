// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rossym-addr2line - what GNU addr2line does, for images that carry their symbols in a .rossym table
 */
#include "config.h"
#include "rossym.h"
#include "raddr2line.h"
#include "tool/address.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "tool/inspect.h"
#include "tool/lines.h"
#include "tool/open.h"
#include "tool/options.h"
#include "tool/out.h"
#include "tool/record.h"
#include "tool/response.h"
#include "tool/std.h"
#include "tool/symbol.h"

#include <errno.h>
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
	OPT_SOURCE_ROOT,
	OPT_PATH_MAP,
	OPT_DUMP,
	OPT_CHECK
};

static const char letters[] = "ab:Ce:rRsfHhij:pVv";

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
	{ OPT_SOURCE_ROOT, "source-root", "=DIR", "Put relative file names below DIR" },
	{ OPT_PATH_MAP, "path-map", "=OLD=NEW", "Replace OLD at the beginning of file names by NEW" },
	{ OPT_DUMP, "dump", NULL, "Print the whole table, tab-separated" },
	{ OPT_CHECK, "check", NULL, "Validate the table" },
	{ 0, NULL, NULL, NULL }
};

enum origin { FROM_VMA, FROM_RVA, FROM_LOAD_ADDRESS, FROM_SECTION };

struct request {
	enum { RUN_LOOKUPS, RUN_DUMP, RUN_CHECK } what;
	const char *path;
	const char *target;
	const char *section;		/* the last -j, whatever the origin */
	enum origin origin;
	uint64_t load_address;
	bool return_addresses;
	unsigned lookup_flags;
	struct record_style style;
	char **operands;
	int operand_count;
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
	out_text(out, "rossym-addr2line (" PACKAGE_NAME ") " PACKAGE_VERSION "\n"
		 "Copyright (C) 2026 the rossym authors.\n"
		 "This program is free software; you may redistribute it under the terms of\n"
		 "the GNU General Public License version 2 or (at your option) any later version.\n"
		 "This program has absolutely no warranty.\n"
		 "Answers from .rossym tables of PE images, in the format of GNU addr2line.\n");
	out_text(out, demangle_available ? "Demangler: libiberty\n" : "Demangler: none\n");
}

static int usage_error(struct out *out)
{
	/* Standard error has a buffer of its own; the text is made where the same text for --help is made. */
	static struct out text;
	out_flush(out);
	put_usage(&text);
	fwrite(text.buffer, 1, text.used, stderr);
	return 1;
}

static int no_memory(void)
{
	diag("out of memory");
	return 1;
}

/* The status to exit with at once, or -1 to go on. */
static int take_option(struct request *rq, struct out *out, int option, char *argument)
{
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
		break;	/* the table knows of one frame */
	case 'j':
		rq->section = argument;
		rq->origin = FROM_SECTION;
		break;
	case 'v':
	case 'V':
		put_version(out);
		return 0;
	case 'h':
	case 'H':
		put_usage(out);
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
	case OPT_SOURCE_ROOT:
		rq->style.paths.source_root = argument;
		break;
	case OPT_PATH_MAP:
		switch (paths_add_map(&rq->style.paths, argument)) {
		case PATHS_OK:
			break;
		case PATHS_BAD_MAP:
			diag("--path-map: '%s' is not OLD=NEW", argument);
			return 1;
		case PATHS_NO_MEMORY:
			return no_memory();
		}
		break;
	case OPT_DUMP:
		rq->what = RUN_DUMP;
		break;
	case OPT_CHECK:
		rq->what = RUN_CHECK;
		break;
	default:
		return usage_error(out);
	}
	return -1;
}

static int parse(struct request *rq, struct out *out, int argc, char **argv)
{
	struct options options = { .argc = argc, .argv = argv, .letters = letters, .first = gnu_options,
				   .second = own_options };
	int status = -1, option, operands = 1;
	char *argument;
	if (!options_open(&options))
		status = no_memory();
	while (status < 0 && (option = options_next(&options, &argument, &operands)) != -1)
		status = take_option(rq, out, option, argument);
	options_close(&options);
	if (status >= 0)
		return status;

	rq->operands = argv + operands;
	rq->operand_count = argc - operands;
	if (rq->what != RUN_LOOKUPS && rq->operand_count > 0) {
		diag("%s takes no addresses", rq->what == RUN_DUMP ? "--dump" : "--check");
		return 1;
	}
	if (rq->style.demangle && !demangle_available)
		diag_warning("built without a demangler: names are shown as they are");
	if (!rq->target)
		rq->target = getenv("GNUTARGET");
	return -1;
}

/* --------------------------------------------------------------------------------------------- look-ups */

/* A run over many addresses of one image. */
struct run {
	struct request *rq;
	struct out *out;
	struct rossym_image *image;
	struct rossym_info info;
	struct rossym_section section;	/* of -j */
	unsigned lookups;
	bool number_seen;		/* one that somebody meant: not 0, not all ones */
	bool inside_seen;
};

/* From how many look-ups on it pays to read the whole table. */
enum { MANY_LOOKUPS = 64 };

/* What was asked for: the number to show, and where to look; absent if that is nowhere. */
struct query {
	uint64_t shown;
	uint64_t rva;
	bool present;
};

static void query_number(const struct run *run, uint64_t number, struct query *query)
{
	query->shown = number;
	if (run->rq->return_addresses && number-- == 0)
		return;

	uint64_t base = 0;
	switch (run->rq->origin) {
	case FROM_VMA:
		base = run->info.image_base;
		break;
	case FROM_RVA:
		break;
	case FROM_LOAD_ADDRESS:
		base = run->rq->load_address;
		break;
	case FROM_SECTION:
		query->present = number < run->section.size;
		query->rva = run->section.rva + number;
		return;
	}
	query->present = number >= base;
	query->rva = number - base;
}

static bool is_meant(uint64_t number)
{
	return number != 0 && number != UINT32_MAX && number != UINT64_MAX;
}

/* -1 on an error that has been reported. */
static int make_query(struct run *run, const char *text, struct query *query)
{
	struct address address;
	address_parse(text, &address);
	*query = (struct query){ 0, 0, false };
	switch (address.kind) {
	case ADDRESS_NUMBER:
		run->number_seen |= is_meant(address.number);
		query_number(run, address.number, query);
		return 0;
	case ADDRESS_MODULE:
		query->shown = query->rva = address.number;
		query->present = symbol_is_module(run->rq->path, address.name, address.name_length);
		if (!query->present)
			diag_warning("<%.*s:%" PRIx64 ">: not in %s", (int)address.name_length, address.name,
				     address.number, run->rq->path);
		return 0;
	case ADDRESS_SYMBOL:
		break;
	}

	struct symbol symbol;
	int found = symbol_find(run->image, run->rq->path, address.name, address.name_length, &symbol);
	if (found <= 0)
		return found;	/* an unknown symbol is address 0 */
	query->rva = symbol.rva + address.number;
	query->shown = symbol.is_module ? query->rva : run->info.image_base + query->rva;
	query->present = true;
	return 0;
}

/* Answer one operand or line.  False on an error that has been reported. */
static bool answer(struct run *run, const char *text)
{
	struct query query;
	struct rossym_frame frame;
	struct rossym_error err;
	int found = 0;

	if (make_query(run, text, &query) < 0)
		return false;
	if (query.present) {
		run->inside_seen |= query.rva < run->info.size_of_image;
		if (++run->lookups == MANY_LOOKUPS && rossym_prepare(run->image, &err) < 0 && err.code != ROSSYM_ENOMEM)
			goto fail;
		found = rossym_lookup(run->image, query.rva, run->rq->lookup_flags, &frame, &err);
		if (found < 0)
			goto fail;
	}
	if (!record_print(&run->rq->style, run->out, query.shown, found ? &frame : NULL)) {
		no_memory();
		return false;
	}
	return true;
fail:
	diag_image(run->rq->path, &err);
	return false;
}

static int answer_operands(struct run *run)
{
	for (int i = 0; i < run->rq->operand_count && !run->out->error; i++)
		if (!answer(run, run->rq->operands[i]))
			return 1;
	return 0;
}

static int answer_lines(struct run *run)
{
	struct lines lines;
	char *line;
	int status = 0;
	lines_open(&lines, run->out);
	while (status == 0 && !run->out->error) {
		switch (lines_next(&lines, &line)) {
		case LINES_TOO_LONG:
			diag_warning("a line is longer than %d bytes; it is taken for address 0", LINES_LONGEST);
			status = !answer(run, "");
			continue;
		case LINES_LINE:
			status = !answer(run, line);
			continue;
		case LINES_NO_MEMORY:
			status = no_memory();
			continue;
		case LINES_ERROR:
			diag("cannot read standard input: %s", strerror(errno));
			status = 1;
			continue;
		case LINES_END:
			break;
		}
		break;
	}
	lines_close(&lines);
	return status;
}

static int find_section(struct run *run)
{
	struct rossym_error err;
	int found;
	for (uint32_t i = 0; (found = rossym_get_section(run->image, i, &run->section, &err)) > 0; i++)
		if (strcmp(run->section.name, run->rq->section) == 0)
			return 0;
	if (found < 0)
		diag_image(run->rq->path, &err);
	else
		diag("%s: cannot find section %s", run->rq->path, run->rq->section);
	return 1;
}

static void give_hint(const struct run *run)
{
	if (!run->number_seen || run->inside_seen || run->info.kind == ROSSYM_BARE)
		return;
	diag("hint: no address was inside the image, 0x%" PRIx64 "-0x%" PRIx64 "; see --rva and --load-address",
	     run->info.image_base, run->info.image_base + run->info.size_of_image - 1);
}

static int run_lookups(struct request *rq, struct out *out, struct rossym_image *image)
{
	struct run run = { .rq = rq, .out = out, .image = image };
	rossym_get_info(image, &run.info);
	rq->style.digits = run.info.kind == ROSSYM_PE32PLUS ? 16 : 8;
	if (rq->section && find_section(&run) != 0)
		return 1;
	int status = rq->operand_count > 0 ? answer_operands(&run) : answer_lines(&run);
	if (status == 0)
		give_hint(&run);
	return status;
}

static int run(struct request *rq, struct out *out)
{
	struct rossym_image *image;
	int status = 1;
	if (!open_image(rq->path, rq->target, rq->what == RUN_CHECK, &image))
		return 1;
	switch (rq->what) {
	case RUN_LOOKUPS:
		status = run_lookups(rq, out, image);
		break;
	case RUN_DUMP:
		status = inspect_dump(image, rq->path, out);
		break;
	case RUN_CHECK:
		status = inspect_check(image, rq->path, out);
		break;
	}
	rossym_close(image);
	return status;
}

static int expand_responses(int *argc, char ***argv, struct response **response)
{
	switch (response_expand(argc, argv, response)) {
	case RESPONSE_OK:
		return 0;
	case RESPONSE_DIRECTORY:
		diag("error: @-file refers to a directory");
		return 1;
	case RESPONSE_TOO_MANY:
		diag("error: too many @-files encountered");
		return 1;
	case RESPONSE_NO_MEMORY:
		break;
	}
	return no_memory();
}

int main(int argc, char **argv)
{
	static struct out out;		/* too big for a stack, and touched only as far as it is used */
	struct request rq = { .path = "a.out" };
	struct response *response = NULL;

	std_streams();
	diag_start(argc > 0 ? argv[0] : "rossym-addr2line", &out);
	if (raddr2line_is_called(argv[0]))
		return diag_finish(raddr2line(argc, argv, &out));

	int status = expand_responses(&argc, &argv, &response);
	if (status == 0)
		status = parse(&rq, &out, argc, argv);
	if (status < 0)
		status = run(&rq, &out);
	paths_clear(&rq.style.paths);
	status = diag_finish(status);
	response_free(response);
	return status;
}

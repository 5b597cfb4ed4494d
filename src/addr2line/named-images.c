// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * named-images.c - answers for the images that the input names, as llvm-symbolizer does without --obj
 *
 * This process reads no image.  For each image that a line names, it starts this program again, with -e IMAGE and the
 * other options, sends the new process the lines without the image's name, and copies the answers.  So each image is
 * read in a process of its own, with the sandbox and the limits of an image that -e names, and a malicious image cannot
 * change the answers for another one.
 */
#include "config.h"
#include "addr2line/jobs.h"
#include "tool/address.h"
#include "tool/ascii.h"
#include "tool/diag.h"
#include "tool/input.h"
#include "tool/process/child.h"
#include "tool/strbuf.h"

#include <stdlib.h>
#include <string.h>

enum {
	IMAGES_MAX = 64,	/* the most images that have a process at the same time */
	ANSWER_SIZE = 16 << 20, /* the most bytes of an answer; after a longer one, the process has failed */
	GRACE = 3		/* seconds that a process may take to end */
};

struct named_image {
	char *path;
	bool started;	     /* a process was started for this image */
	struct child *child; /* the process; NULL: none was started, or, if STARTED, it has failed */
	/* The lines of the batch (struct named_images) about this image, without its name, each with a newline.  The
	   lines before offset ASKED were sent to the process, and those before offset ANSWERED were answered. */
	struct strbuf lines;
	size_t asked, answered;
};

/* The state of the whole run.  A batch is all lines that have arrived.  Each process gets all lines of the batch about
   its image together, so that little time is lost in changing between processes, whatever the order of the lines. */
struct named_images {
	const struct addr2line_command *command;
	struct record_style *style;
	struct out *out;
	char *program;
	char **argv; /* the arguments of a process: -e IMAGE, then our options; start_process() sets IMAGE */
	struct named_image items[IMAGES_MAX];
	size_t count;
	struct strbuf order;  /* for each line of the batch a byte: the index of its image */
	struct strbuf answer; /* the lines of the answer that is being read or printed, each with a NUL */
	bool failed;	      /* an image could not be read */
};

/* ------------------------------------------------------------------------------------------------ lines */

struct named_line {
	const char *command; /* "CODE " or "DATA " or "" */
	const char *path;    /* the path of the image; NULL: the line names none */
	const char *address; /* the rest of the line */
};

/* Split TEXT as llvm-symbolizer does: [CODE|DATA] [FILE:]IMAGE ADDRESS, where IMAGE may be in quotes.  A text of one
   word names no image.  Ends the path in TEXT with a NUL. */
static struct named_line split_line(char *text)
{
	struct named_line line = { .command = "" };
	text[strcspn(text, "\r\n")] = '\0';
	char *p = skip_spaces(text);
	const char *after = p;
	if (query_begins_with_word(p, "CODE", &after))
		line.command = "CODE ";
	else if (query_begins_with_word(p, "DATA", &after))
		line.command = "DATA ";
	p += after - p;
	line.address = p;
	if (strncmp(p, "FILE:", 5) == 0)
		p += 5;
	const char quote = *p == '"' || *p == '\'' ? *p : '\0';
	char *path = p += quote != '\0';
	while (*p && (quote ? *p != quote : !is_space(*p)))
		p++;
	char *rest = *p ? skip_spaces(p + 1) : p;
	if (p > path && *rest) {
		*p = '\0';
		line.path = path;
		line.address = rest;
	}
	return line;
}

/* ------------------------------------------------------------------------------------------------ processes */

/* A callback of child_start(): copy into BUFFER the lines that were not sent to the process yet. */
static size_t write_next_lines(void *context, char *buffer, size_t size)
{
	struct named_image *image = context;
	size_t left = image->lines.length - image->asked;
	if (left == 0)
		return CHILD_LATER;
	if (left > size)
		left = size;
	memcpy(buffer, image->lines.bytes + image->asked, left);
	image->asked += left;
	return left;
}

/* End the process of IMAGE, if it has one.  If the process has failed, sets images->failed.  A process that ended by
   itself has printed the reason; for any other end, prints a message. */
static void end_process(struct named_images *images, struct named_image *image)
{
	char how[80];
	if (!image->child)
		return;
	if (!child_end(image->child, GRACE, how, sizeof how)) {
		images->failed = true;
		if (!image->child->exited)
			diag("%s: the process that reads it: %s", image->path, how);
	}
	free(image->child);
	image->child = NULL;
}

/* Start the process of IMAGE.  Call this only when its first answer is needed, so that messages about images come in
   the order of the lines.  Returns false if there is no memory. */
static bool start_process(struct named_images *images, struct named_image *image)
{
	image->started = true;
	image->child = malloc(sizeof *image->child);
	if (!image->child)
		return false;
	images->argv[2] = image->path;
	int number = child_start(image->child, images->program, images->argv, write_next_lines, image, 0);
	if (number) {
		diag("cannot run '%s': %s", images->program, strerror(number));
		images->failed = true;
		free(image->child);
		image->child = NULL;
	}
	return true;
}

/* ------------------------------------------------------------------------------------------------ answers */

/* Whether LINE ends an answer: an empty line or, in JSON, the end of an object or a whole object. */
static bool is_last_line(const struct named_images *images, const char *line)
{
	return images->style->form == RECORD_JSON ? line[0] == '}' || (line[0] == '{' && line[1]) : !line[0];
}

/* Read the next answer of IMAGE.  Returns false if its process has failed, or there is no memory. */
static bool read_answer(struct named_images *images, struct named_image *image)
{
	struct strbuf *answer = &images->answer;
	char *line = NULL;
	answer->length = 0;
	do {
		if (answer->length > ANSWER_SIZE || child_read_line(image->child, &line) != CHILD_LINE)
			return false;
		strbuf_add_bytes(answer, line, strlen(line) + 1);
	} while (!is_last_line(images, line));
	return !answer->no_memory;
}

static void print_answer(struct named_images *images)
{
	struct json *json = &images->style->json;
	const char *first = images->answer.bytes, *end = first + images->answer.length;
	for (const char *line = first; line < end; line += strlen(line) + 1) {
		if (images->style->form == RECORD_JSON) {
			json_copy_line(json, line, line == first);
		} else {
			out_text(images->out, line);
			out_char(images->out, '\n');
		}
	}
	if (images->style->form == RECORD_JSON && json->depth == 0)
		json_end(json);
}

/* Print the answer to the line TEXT about IMAGE, which could not be read.  Returns false if there is no memory. */
static bool print_failed_answer(struct named_images *images, const struct named_image *image, char *text)
{
	const struct named_line line = split_line(text);
	struct query query = { .kind = QUERY_NO_IMAGE, .rva = UINT64_MAX };
	struct address address;
	address_parse(line.address, &address);
	query.is_symbol = address.kind == ADDRESS_SYMBOL;
	query.shown = query.is_symbol ? 0 : address.number;
	query.name = address.name;
	query.name_length = address.name_length;
	images->style->module = image->path;
	if (line.command[0] == 'D' && images->style->form != RECORD_JSON)
		return record_print_data(images->style, images->out, &query, NULL);
	return record_print_failure(images->style, images->out, &query);
}

/* Answer the next line about IMAGE.  Returns false if there is no memory. */
static bool answer_line(struct named_images *images, struct named_image *image)
{
	char *text = image->lines.bytes + image->answered;
	image->answered += strcspn(text, "\n") + 1;
	if (!image->started && !start_process(images, image))
		return false;
	if (image->child && !read_answer(images, image)) {
		images->failed = true;
		end_process(images, image);
	}
	if (!image->child)
		return print_failed_answer(images, image, text);
	print_answer(images);
	return true;
}

/* Answer the batch.  Returns false after a message. */
static bool answer_batch(void *data)
{
	struct named_images *images = data;
	bool good = !images->order.no_memory;
	for (size_t i = 0; i < images->count; i++)
		good = good && !images->items[i].lines.no_memory;
	for (size_t i = 0; good && i < images->order.length; i++)
		good = answer_line(images, &images->items[(unsigned char)images->order.bytes[i]]);
	for (size_t i = 0; i < images->count; i++) {
		struct named_image *image = &images->items[i];
		image->lines.length = image->asked = image->answered = 0;
	}
	images->order.length = 0;
	return good || diag_report_no_memory();
}

/* End all processes, and forget their images. */
static void end_all_processes(struct named_images *images)
{
	for (struct named_image *image = images->items; image < images->items + images->count; image++) {
		end_process(images, image);
		strbuf_clear(&image->lines);
		free(image->path);
	}
	images->count = 0;
}

/* Store in *RET the image PATH.  If it is new, adds it; if there is no room, first answers the batch and drops all
   other images.  False after a message. */
static bool find_or_add_image(struct named_images *images, const char *path, struct named_image **ret)
{
	for (*ret = images->items; *ret < images->items + images->count; ++*ret)
		if (strcmp((*ret)->path, path) == 0)
			return true;
	if (images->count == IMAGES_MAX) {
		if (!answer_batch(images))
			return false;
		end_all_processes(images);
	}
	char *copy = strdup(path);
	if (!copy)
		return diag_report_no_memory();
	*ret = &images->items[images->count++];
	**ret = (struct named_image){ .path = copy };
	return true;
}

static bool visit_text(void *data, char *text)
{
	struct named_images *images = data;
	const struct named_line line = split_line(text);
	struct named_image *image;
	if (!find_or_add_image(images, line.path ? line.path : images->command->path, &image))
		return false;
	strbuf_add(&image->lines, line.command);
	strbuf_add(&image->lines, line.address);
	strbuf_add_char(&image->lines, '\n');
	strbuf_add_char(&images->order, (char)(image - images->items));
	return true;
}

/* ------------------------------------------------------------------------------------------------ all */

bool named_images_are_wanted(const struct addr2line_command *command)
{
	return command->run == RUN_RECORDS && command->path_count == 0 && command->style.form != RECORD_GNU &&
	       command->number_size == 0 && child_available;
}

int named_images_run(struct addr2line_command *command)
{
	static const struct input_visitor visitor = { .text = visit_text, .finish = answer_batch };
	static char with_image[] = "-e";
	const size_t options = (size_t)(command->operands - command->options_argv) - 1;
	struct named_images images = { .command = command,
				       .style = &command->style,
				       .out = command->out,
				       .program = find_own_program(),
				       .argv = calloc(options + 4, sizeof *images.argv) };
	const struct input input = addr2line_command_make_input(command, &visitor, &images);
	bool good = images.program && images.argv;
	if (!good) {
		diag_report_no_memory();
	} else {
		images.argv[0] = command->options_argv[0];
		images.argv[1] = with_image;
		memcpy(images.argv + 3, command->options_argv + 1, options * sizeof *images.argv);
		images.style->digits = 16;
		if (input.operand_count > 0)
			record_open_array(images.style, images.out);
		else
			images.style->json = (struct json){ .out = images.out, .indent = images.style->pretty };
		good = input_visit_all(&input);
		if (input.operand_count > 0)
			record_close_array(images.style);
	}
	out_flush(images.out);
	end_all_processes(&images);
	strbuf_clear(&images.order);
	strbuf_clear(&images.answer);
	free(images.argv);
	free(images.program);
	return !good || images.failed;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "diff/reference.h"
#include "tool/array.h"
#include "tool/process/sibling.h"
#include "tool/diag.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many seconds the program may take to end after its last answer. */
enum { GRACE = 3 };

/* ------------------------------------------------------------------------------------------ which one */

/* The program to run if the user names none: rossym-bfd-reference if there is one, else addr2line.
   The caller frees it. */
static char *find_default(void)
{
	char *path = sibling_find("rossym-bfd-reference", INSTALLED_REFERENCE);
	return path ? path : strdup("addr2line");
}

static bool is_in_path(const char *program)
{
	char file[4096];
	for (const char *path = getenv("PATH"); path; path = strchr(path, ':') ? strchr(path, ':') + 1 : NULL) {
		int length = snprintf(file, sizeof file, "%.*s/%s", (int)strcspn(path, ":"), path, program);
		if (length > 0 && (size_t)length < sizeof file && access(file, X_OK) == 0)
			return true;
	}
	return false;
}

char *reference_for_pdb(void)
{
	/* In Debian the program's name ends in its version.  The plain name is tried last: it can be of a version
	   before 15, which gives wrong lines for inlined calls. */
	enum { NEWEST = 60, OLDEST = 15 };
	char name[32] = "llvm-symbolizer", command[64];
	for (int version = NEWEST; version >= OLDEST - 1; version--) {
		name[strlen("llvm-symbolizer")] = '\0';
		if (version >= OLDEST)
			snprintf(name, sizeof name, "llvm-symbolizer-%d", version);
		snprintf(command, sizeof command, "%s --output-style=GNU", name);
		if (is_in_path(name))
			return strdup(command);
	}
	return NULL;
}

/* Returns a script for sh that runs COMMAND with the arguments of the script.  With exec, COMMAND takes the place of
   the shell's process, so that signals reach it.  The caller frees it. */
static char *shell_script(const char *command)
{
	static const char before[] = "exec ", after[] = " \"$@\"";
	size_t size = sizeof before + strlen(command) + sizeof after;
	char *script = malloc(size);
	if (script)
		snprintf(script, size, "%s%s%s", before, command, after);
	return script;
}

/* ------------------------------------------------------------------------------------------ conversation */

/* Returns the address to send for target NUMBER; 0 if the image does not have the target. */
static uint64_t address_of_target(const struct reference *reference, size_t number)
{
	struct target target = targets_get(reference->targets, number);
	return target.present ? reference->image_base + target.rva : 0;
}

/* For child_start(): write the next addresses, as many as fit into BUFFER.  Returns how many bytes they
   take; 0: no more. */
static size_t next_addresses(void *context, char *buffer, size_t size)
{
	enum { QUESTION_LENGTH_MAX = 24 };
	struct reference *reference = context;
	size_t used = 0;
	for (; reference->sent < reference->targets->count && size - used >= QUESTION_LENGTH_MAX; reference->sent++) {
		int n = snprintf(buffer + used, size - used, "0x%" PRIx64 "\n",
				 address_of_target(reference, reference->sent));
		used += (size_t)n;
	}
	return used;
}

bool reference_start(struct reference *reference, const char *command, const char *file, unsigned timeout)
{
	bool shell = command && strpbrk(command, " \t\n");
	reference->command = command ? strdup(command) : find_default();
	char *script = shell ? shell_script(command) : NULL;
	if (!reference->command || (shell && !script)) {
		free(script);
		return diag_out_of_memory();
	}

	/* posix_spawn() takes pointers to char, but does not change the strings. */
	char *arguments[] = { (char *)"sh", (char *)"-c", script,	(char *)"sh", (char *)"-a",
			      (char *)"-f", (char *)"-i", (char *)"-e", (char *)file, NULL };
	char **argv = shell ? arguments : arguments + 3;
	if (!shell)
		argv[0] = reference->command;
	int number = child_start(&reference->child, argv[0], argv, next_addresses, reference, timeout);
	free(script);
	if (number) {
		diag("cannot run the reference '%s': %s", reference->command, strerror(number));
		return false;
	}
	reference->running = true;
	return true;
}

enum { ENDING_LENGTH_MAX = 64 };

/* End the program, which may take GRACE seconds for that.  Returns whether its status was 0; else ENDING
   tells how it ended. */
static bool end_program(struct reference *reference, unsigned grace, char ending[ENDING_LENGTH_MAX])
{
	child_end(&reference->child, grace);
	reference->running = false;
	return child_ended_well(&reference->child, ending, ENDING_LENGTH_MAX);
}

/* Print a message that says WHAT is wrong, and how the program ended, if it has.  Returns false. */
static bool report_failure(struct reference *reference, const char *what)
{
	char ending[ENDING_LENGTH_MAX];
	const bool ended = reference->child.ended;
	const bool failed = !end_program(reference, ended ? GRACE : 0, ending) && ended;
	const char *colon = failed ? ": " : "", *how = failed ? ending : "";
	diag("the reference '%s' %s at answer %zu of %zu%s%s", reference->command, what, reference->answered + 1,
	     reference->targets->count, colon, how);
	return false;
}

/* Print a message that the program ended before its last answer, and how.  Returns false. */
static bool report_early_end(struct reference *reference)
{
	char ending[ENDING_LENGTH_MAX];
	const bool failed = !end_program(reference, GRACE, ending);
	const char *colon = failed ? ": " : "", *how = failed ? ending : "";
	diag("the reference '%s' ended after %zu of %zu answers%s%s", reference->command, reference->answered,
	     reference->targets->count, colon, how);
	return false;
}

/* Print a message that says why a line could not be read.  STATUS is the reason, and not CHILD_END.  Returns false. */
static bool report_unreadable(struct reference *reference, enum child_status status)
{
	char what[96];
	switch (status) {
	case CHILD_TOO_LONG:
		return report_failure(reference, "printed a line of more than 1048576 bytes");
	case CHILD_STALLED:
		snprintf(what, sizeof what, "did nothing for %u seconds (--diff-timeout)", reference->child.timeout);
		return report_failure(reference, what);
	case CHILD_ERROR:
		snprintf(what, sizeof what, "cannot be read: %s:", strerror(errno));
		return report_failure(reference, what);
	case CHILD_NO_MEMORY:
	case CHILD_LINE:
	case CHILD_END:
		break;
	}
	return diag_out_of_memory();
}

/* ---------------------------------------------------------------------------------------------- records */

/* If LINE is an address, store it in *ADDRESS and return true.  No name and no "file:line" looks like an address. */
static bool read_address(const char *line, uint64_t *address)
{
	if (line[0] != '0' || line[1] != 'x')
		return false;
	size_t digits = strspn(line + 2, "0123456789abcdefABCDEF");
	if (digits == 0 || digits > 16 || line[2 + digits] != '\0')
		return false;
	*address = strtoull(line + 2, NULL, 16);
	return true;
}

/* Whether ADDRESS, as the reference has printed it, is that of target NUMBER. */
static bool is_address_of_target(const struct reference *reference, size_t number, uint64_t address)
{
	if (number >= reference->targets->count)
		return false;
	uint64_t target = address_of_target(reference, number);
	return address == target || (reference->short_addresses && address == (target & UINT32_MAX));
}

enum { RECORD_LENGTH_MAX = 1 << 24 }; /* bytes, far more than the longest chain of frames takes */

static bool add_line(struct reference *reference, const char *line)
{
	size_t length = strlen(line), need = reference->text_length + length + 1;
	if (need > RECORD_LENGTH_MAX)
		return report_failure(reference, "prints without end");
	char *text = array_for(reference->text, &reference->text_size, need, 1);
	if (!text)
		return diag_out_of_memory();
	reference->text = text;
	memcpy(reference->text + reference->text_length, line, length + 1);
	reference->text_length = need;
	reference->lines++;
	return true;
}

/* Collect the lines of a record: up to the address of the next one, or the end.  False after a message. */
static bool read_record_lines(struct reference *reference)
{
	enum child_status status;
	uint64_t address;
	char *line;
	reference->text_length = reference->lines = 0;
	while ((status = child_line(&reference->child, &line)) == CHILD_LINE) {
		size_t length = strlen(line);
		if (length > 0 && line[length - 1] == '\r')
			line[length - 1] = '\0';
		bool is_address = read_address(line, &address);
		if (!reference->begun) {
			if (!is_address)
				return report_failure(reference, "printed something that is no address");
			if (!is_address_of_target(reference, reference->answered, address))
				return report_failure(reference, "answered for another address");
			reference->begun = true;
		} else if (is_address) {
			if (is_address_of_target(reference, reference->answered + 1, address))
				return true;
			reference->answered++;
			return report_failure(reference, reference->answered == reference->targets->count
								 ? "answered more than was asked"
								 : "answered for another address");
		} else if (!add_line(reference, line)) {
			return false;
		}
	}
	if (status != CHILD_END)
		return report_unreadable(reference, status);
	if (!reference->begun)
		return report_early_end(reference);
	reference->begun = false;
	return true;
}

/* Parse "file:line" or "file:?", perhaps with a discriminator, into FRAME; the file "??" is unknown.
   False: it is neither. */
static bool read_place(char *line, struct diff_frame *frame)
{
	char *discriminator = strstr(line, " (discriminator ");
	if (discriminator)
		*discriminator = '\0';
	char *colon = strrchr(line, ':');
	if (!colon || colon == line)
		return false;
	const char *number = colon + 1;
	size_t digits = strspn(number, "0123456789");
	if (strcmp(number, "?") != 0 && (digits == 0 || digits > 10 || number[digits] != '\0'))
		return false;
	*colon = '\0';
	frame->file = strcmp(line, "??") == 0 ? NULL : line;
	frame->line = (uint32_t)strtoul(number, NULL, 10);
	return true;
}

/* Make frames of the lines of the record, two lines each.  False after a message. */
static bool read_frames(struct reference *reference)
{
	size_t count = reference->lines / 2;
	if (count == 0 || reference->lines % 2 != 0)
		return report_failure(reference, "printed too few lines");
	struct diff_frame *frames = array_for(reference->frames, &reference->frames_size, count, sizeof *frames);
	if (!frames)
		return diag_out_of_memory();
	reference->frames = frames;
	char *line = reference->text;
	for (size_t i = 0; i < count; i++) {
		char *place = line + strlen(line) + 1;
		reference->frames[i].function = strcmp(line, "??") == 0 || *line == '\0' ? NULL : line;
		line = place + strlen(place) + 1;
		if (!read_place(place, &reference->frames[i]))
			return report_failure(reference, "printed something that is no place in a file");
	}
	return true;
}

bool reference_next(struct reference *reference, struct diff_answer *answer)
{
	if (!read_record_lines(reference) || !read_frames(reference))
		return false;
	reference->answered++;
	answer->frames = reference->frames;
	answer->count = reference->lines / 2;
	return true;
}

bool reference_finish(struct reference *reference)
{
	char ending[ENDING_LENGTH_MAX];
	if (end_program(reference, GRACE, ending))
		return true;
	diag("the reference '%s' answered everything, but: %s", reference->command, ending);
	return false;
}

void reference_clear(struct reference *reference)
{
	if (reference->running)
		child_end(&reference->child, 0);
	free(reference->command);
	free(reference->frames);
	free(reference->text);
}

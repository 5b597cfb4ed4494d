// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "diff/reference.h"
#include "tool/array.h"
#include "tool/diag.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many seconds the reference may take to end after its last answer. */
enum { GRACE = 3 };

/* ------------------------------------------------------------------------------------------ choosing the program */

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

char *reference_find_for_pdb(void)
{
	/* In Debian the program's name ends in its version.  Try the plain name last: it can be of a version before 15,
	   which gives wrong lines for inlined calls. */
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

/* ------------------------------------------------------------------------------------------ conversation */

/* Returns the address to send for target NUMBER; 0 if the image does not have the target. */
static uint64_t find_target_address(const struct reference *reference, size_t number)
{
	uint64_t rva = targets_get(&reference->diff->targets, number).rva;
	return rva != UINT64_MAX ? reference->diff->info.image_base + rva : 0;
}

/* A callback of child_start(): write the next addresses into BUFFER, as many as fit.  Returns how many bytes they take;
   0: there are no more. */
static size_t write_next_addresses(void *context, char *buffer, size_t size)
{
	enum { QUESTION_LENGTH_MAX = 24 };
	struct reference *reference = context;
	size_t used = 0;
	for (; reference->sent < reference->diff->targets.count && size - used >= QUESTION_LENGTH_MAX;
	     reference->sent++) {
		int n = snprintf(buffer + used, size - used, "0x%" PRIx64 "\n",
				 find_target_address(reference, reference->sent));
		used += (size_t)n;
	}
	return used;
}

bool reference_start(struct reference *reference, const struct diff *diff, const char *command)
{
	/* With exec, a shell command takes the place of the shell's process, so that signals reach it. */
	const bool shell = command && strpbrk(command, " \t\n");
	struct strbuf script = { .bytes = NULL };
	strbuf_addf(&script, "exec %s \"$@\"", shell ? command : "");
	reference->diff = diff;
	reference->command = command ? strdup(command) : find_sibling("rossym-bfd-reference", INSTALLED_REFERENCE);
	if (!reference->command && !command)
		reference->command = strdup("addr2line");
	if (!reference->command || script.no_memory) {
		strbuf_clear(&script);
		return diag_report_no_memory();
	}

	/* posix_spawn() takes pointers to char, but does not change the strings. */
	char *arguments[] = { (char *)"sh", (char *)"-c", script.bytes,
			      (char *)"sh", (char *)"-a", (char *)"-f",
			      (char *)"-i", (char *)"-e", (char *)diff->request->nostrip,
			      NULL };
	char **argv = shell ? arguments : arguments + 3;
	if (!shell)
		argv[0] = reference->command;
	int number = child_start(&reference->child, argv[0], argv, write_next_addresses, reference,
				 diff->request->timeout);
	strbuf_clear(&script);
	return !number || diag("cannot run the reference '%s': %s", reference->command, strerror(number));
}

/* End the program, and print a message: WHAT it did wrong at the current answer; or, if WHAT is NULL, that no more
   answers came.  If the program has failed, the message also contains how it ended.  Returns false. */
static bool report_failure(struct reference *reference, const char *what)
{
	char ending[64];
	const size_t answered = reference->answered;
	const uint64_t count = reference->diff->targets.count;
	const bool ended = reference->child.ended;
	const bool failed = !child_end(&reference->child, ended ? GRACE : 0, ending, sizeof ending) && ended;
	const char *colon = failed ? ": " : "", *how = failed ? ending : "";
	if (what)
		return diag("the reference '%s' %s at answer %zu of %" PRIu64 "%s%s", reference->command, what,
			    answered + 1, count, colon, how);
	return diag("the reference '%s' ended after %zu of %" PRIu64 " answers%s%s", reference->command, answered,
		    count, colon, how);
}

/* Print a message that no further line of the program can be read; STATUS is the reason.  Returns false. */
static bool report_unreadable(struct reference *reference, enum child_status status)
{
	char what[96];
	switch (status) {
	case CHILD_END:
		return report_failure(reference, NULL);
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
		break;
	}
	return diag_report_no_memory();
}

/* ---------------------------------------------------------------------------------------------- records */

/* If LINE is an address, store it in *ADDRESS and return true.  No function's name and no "file:line" has this form. */
static bool parse_printed_address(const char *line, uint64_t *address)
{
	if (line[0] != '0' || line[1] != 'x')
		return false;
	size_t digits = strspn(line + 2, "0123456789abcdefABCDEF");
	if (digits == 0 || digits > 16 || line[2 + digits] != '\0')
		return false;
	*address = strtoull(line + 2, NULL, 16);
	return true;
}

/* Whether ADDRESS, as the reference has printed it, is that of target NUMBER.  For an image of 32 bits, the reference
   can have printed only the lower 32 bits. */
static bool is_address_of_target(const struct reference *reference, size_t number, uint64_t address)
{
	if (number >= reference->diff->targets.count)
		return false;
	uint64_t target = find_target_address(reference, number);
	return address == target || (reference->diff->info.kind != ROSSYM_PE32PLUS && address == (target & UINT32_MAX));
}

/* Store the lines of the current record in `text`, up to the next address or the end.  False after a message. */
static bool read_record_lines(struct reference *reference)
{
	enum { RECORD_LENGTH_MAX = 1 << 24 }; /* bytes, far more than the longest chain of frames takes */
	enum child_status status;
	uint64_t address;
	char *line;
	reference->text.length = reference->lines = 0;
	while ((status = child_read_line(&reference->child, &line)) == CHILD_LINE) {
		size_t length = strlen(line);
		if (length > 0 && line[length - 1] == '\r')
			line[--length] = '\0';
		const bool is_address = parse_printed_address(line, &address);
		if (reference->begun && !is_address) {
			if (reference->text.length + length >= RECORD_LENGTH_MAX)
				return report_failure(reference, "prints without end");
			if (!strbuf_add_bytes(&reference->text, line, length + 1))
				return diag_report_no_memory();
			reference->lines++;
			continue;
		}
		const size_t number = reference->answered + reference->begun;
		if (is_address && is_address_of_target(reference, number, address)) {
			if (reference->begun)
				return true;
			reference->begun = true;
			continue;
		}
		reference->answered = number;
		return report_failure(reference, !is_address ? "printed something that is no address"
						 : number == reference->diff->targets.count
							 ? "answered more than was asked"
							 : "answered for another address");
	}
	if (status != CHILD_END || !reference->begun)
		return report_unreadable(reference, status);
	reference->begun = false;
	return true;
}

/* Parse "file:line" or "file:?", perhaps with a discriminator, into FRAME; the file "??" is unknown.  False: LINE has
   another form. */
static bool parse_printed_place(char *line, struct rossym_frame *frame, bool basenames)
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
	const char *slash = basenames ? strrchr(line, '/') : NULL;
	frame->file = strcmp(line, "??") == 0 ? NULL : slash ? slash + 1 : line;
	frame->line = (uint32_t)strtoul(number, NULL, 10);
	return true;
}

bool reference_read_answer(struct reference *reference, struct diff_answer *answer)
{
	if (!read_record_lines(reference))
		return false;
	const size_t count = reference->lines / 2;
	if (count == 0 || reference->lines % 2 != 0)
		return report_failure(reference, "printed too few lines");
	if (!array_reserve(&reference->frames, &reference->frame_room, count, sizeof *reference->frames))
		return diag_report_no_memory();
	struct rossym_frame *frames = reference->frames;
	char *line = reference->text.bytes;
	for (size_t i = 0; i < count; i++) {
		char *place = line + strlen(line) + 1;
		frames[i].function = strcmp(line, "??") == 0 || *line == '\0' ? NULL : line;
		line = place + strlen(place) + 1;
		if (!parse_printed_place(place, &frames[i], reference->diff->style->paths.basenames))
			return report_failure(reference, "printed something that is no place in a file");
	}
	reference->answered++;
	*answer = (struct diff_answer){ frames, count };
	return true;
}

bool reference_end_and_check(struct reference *reference)
{
	char ending[64];
	if (child_end(&reference->child, GRACE, ending, sizeof ending))
		return true;
	return diag("the reference '%s' answered everything, but: %s", reference->command, ending);
}

void reference_clear(struct reference *reference)
{
	char ending[64];
	if (reference->child.id)
		child_end(&reference->child, 0, ending, sizeof ending);
	free(reference->command);
	free(reference->frames);
	strbuf_clear(&reference->text);
}

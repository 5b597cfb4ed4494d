// SPDX-License-Identifier: GPL-2.0-or-later
/* offsets.c - modules and offsets (RVAs) on the command line: EXE OFFSET..., MODULE:OFFSET... (command.h) */
#include "config.h"
#include "log/command.h"
#include "log/annotate.h"
#include "tool/address.h"
#include "tool/diag.h"
#include "tool/mask.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool file_exists(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0;
}

static bool is_number(const char *text)
{
	const char *end;
	address_parse_number(text, &end);
	return end != text && *end == '\0';
}

/* An operand with module and offset, as it may be copied from a log: "win32k.sys:1234", "<win32k.sys:1234>" or
   "win32k.sys+0x1234".  The name of the module must have a dot. */
struct module_and_offset {
	const char *name;
	size_t length;
	const char *number;
};

/* Whether OPERAND is a module and an offset, and no file has that name.  If so, stores its parts in *RET. */
static bool split_operand(const char *operand, struct module_and_offset *ret)
{
	const char *end, *last = operand + strlen(operand);
	const bool angle = *operand == '<';
	const char *name = operand + angle, *mark = last;
	while (mark > name && *mark != ':' && *mark != '+')
		mark--;
	/* "C:12" is a file on drive C. */
	if (mark - name < 2)
		return false;
	address_parse_number(mark + 1, &end);
	if (!strchr(name, '.') || end == mark + 1 || strcmp(end, angle ? ">" : "") != 0 || file_exists(operand))
		return false;
	*ret = (struct module_and_offset){ name, (size_t)(mark - name), mark + 1 };
	return true;
}

bool offsets_are_operands(const struct log_command *command)
{
	struct module_and_offset parts;
	if (command->operand_count == 0 || command->as_log2lines)
		return command->operand_count > 0;
	return split_operand(command->operands[0], &parts) ||
	       (command->operand_count > 1 && is_number(command->operands[1]) && !file_exists(command->operands[1]));
}

/* Append VALUE in hexadecimal; or if its text, from NUMBER to END, needs more than 64 bits, the digits of the text. */
static void add_offset(struct strbuf *line, const char *number, const char *end, uint64_t value)
{
	number += number[0] == '0' && (number[1] == 'x' || number[1] == 'X') ? 2 : 0;
	number += strspn(number, "0");
	if (value == UINT64_MAX && end - number > 16 && !memchr(number, '`', (size_t)(end - number)))
		strbuf_add_masked(line, number, (size_t)(end - number));
	else
		strbuf_add_hex(line, value);
}

/* What the look-ups of offsets in one image have shown so far. */
struct seen_offsets {
	struct rossym_info info; /* about the image, if has_info */
	bool has_info;
	bool inside, outside; /* an offset was inside the image; an offset was outside. 0 counts as neither */
};

/* Record in SEEN that RVA was looked up, with the result FOUND. */
static void record_offset(struct seen_offsets *seen, uint64_t rva, const struct rossym_answer *found)
{
	seen->info.size = sizeof seen->info;
	seen->has_info = seen->has_info || (found->image && rossym_get_info(found->image, &seen->info, NULL) == 0);
	if (!seen->has_info || rva == 0)
		return;
	seen->inside |= rva < seen->info.size_of_image;
	seen->outside |= rva >= seen->info.size_of_image;
}

/* Look up the offset NUMBER in the module NAME, of LENGTH bytes, record it in SEEN, and print what the filter would
   print for a log with "<NAME:NUMBER>".  Returns false if there is no memory. */
static bool answer_offset(struct log_command *command, struct resolver *resolver, const char *name, size_t length,
			  const char *number, struct seen_offsets *seen)
{
	const char *end;
	struct answer answer;
	struct strbuf text = { .bytes = NULL };
	struct token token = { .module = name, .module_length = length, .number = address_parse_number(number, &end) };
	struct strbuf line = { .bytes = NULL };
	strbuf_add_char(&line, '<');
	strbuf_add_masked(&line, name, length);
	strbuf_add_char(&line, ':');
	add_offset(&line, number, end, token.number);
	token.note = token.note_end = line.length;
	strbuf_add_char(&line, '>');
	token.end = line.length;

	bool good = !line.no_memory;
	resolve_token(resolver, &token, &answer);
	record_offset(seen, token.number, &answer.found);
	if (good && command->settings.json) {
		good = annotate_print_json(command->out, &command->settings, resolver, &token, &answer,
					   &(struct log_position){ NULL, 1, line.bytes, 1 });
	} else if (good) {
		strbuf_add_bytes(&text, line.bytes, token.note);
		if (answer.found.why == ROSSYM_WHY_ANSWERED)
			annotate_add_note(&text, &command->settings, &answer, false);
		strbuf_add(&text, ">\n");
		good = !text.no_memory;
		if (good)
			out_bytes(command->out, text.bytes, text.length);
	}
	strbuf_clear(&text);
	strbuf_clear(&line);
	return good;
}

/* Returns the text of the offset in operand number AT if it is for EXE, a name of LENGTH bytes; else NULL.  PAIRED: the
   operand must be "EXE:OFFSET", with the same EXE; otherwise it must be a number. */
static const char *get_offset_for(const struct log_command *command, int at, const char *exe, size_t length,
				  bool paired)
{
	const char *operand = at < command->operand_count ? command->operands[at] : "";
	struct module_and_offset parts;
	if (!paired)
		return is_number(operand) && !strchr(operand, '.') ? operand : NULL;
	return split_operand(operand, &parts) && parts.length == length && memcmp(parts.name, exe, length) == 0
		       ? parts.number
		       : NULL;
}

/* Returns the resolver whose only image is the file PATH; adds it if there is none so far.  NULL: no memory. */
static struct resolver *find_or_add_resolver(struct log_command *command, const char *path)
{
	struct resolver **end = &command->resolver.next;
	for (; *end; end = &(*end)->next)
		if (strcmp((*end)->path, path) == 0)
			return *end;
	struct resolver *own = calloc(1, sizeof *own);
	*end = own;
	if (!own)
		return NULL;
	own->settings = &command->settings;
	own->path = copy_text(path, strlen(path));
	const struct search_path *debug_files = &command->resolver.modules.index.debug_files;
	bool good = modules_init(&own->modules, false) && own->path && modules_take_file(&own->modules, path) < 0;
	for (size_t i = 0; i < debug_files->count && good; i++)
		good = search_path_add_path(&own->modules.index.debug_files, debug_files->items[i]) < 0;
	if (!good)
		return NULL;
	own->modules.symbol_path = command->resolver.modules.symbol_path;
	own->modules.asker = command->resolver.modules.asker;
	own->modules.verbose = command->settings.verbose;
	return own;
}

void offsets_free_resolvers(struct log_command *command)
{
	for (struct resolver *own = command->resolver.next, *next; own; own = next) {
		next = own->next;
		modules_clear(&own->modules);
		free(own->path);
		free(own);
	}
}

/* Answer for EXE, of LENGTH bytes.  NUMBER is the offset of an operand "EXE:OFFSET": answer for it, and for the
   operands from *AT on that have the same EXE.  If NUMBER is NULL, answer for the operands from *AT on that are
   numbers.  *AT becomes the index of the first operand that has not been answered.  If EXE has a directory, it is the
   path of a file.  Otherwise, it is the name of a module, searched for like those of a log; if there is nothing to
   search in, it is a file in the current directory.  Returns false if there is no memory. */
static bool answer_exe_offsets(struct log_command *command, const char *exe, size_t length, const char *number, int *at)
{
	struct resolver *resolver = &command->resolver;
	bool by_path = strchr(exe, '/') || strchr(exe, '\\') || !modules_have_place(&command->resolver.modules);
	struct seen_offsets seen = { .has_info = false };
	const bool paired = number != NULL;
	if (by_path)
		resolver = find_or_add_resolver(command, exe);
	bool good = resolver != NULL;
	if (good && number)
		good = answer_offset(command, resolver, exe, length, number, &seen);
	for (; good && (number = get_offset_for(command, *at, exe, length, paired)) != NULL; ++*at)
		good = answer_offset(command, resolver, exe, length, number, &seen);
	if (!good)
		return false;
	/* The user may have given addresses, which do not count from the image base. */
	if (seen.outside && !seen.inside && seen.info.size_of_image > 0)
		diag_hint("%s: no offset was inside the image, 0x0-0x%" PRIx32
			  "; offsets count from the image base, 0x%" PRIx64,
			  exe, seen.info.size_of_image - 1, seen.info.image_base);
	if (by_path) {
		/* Close the images: there can be more operands than files may be open. */
		rossym_set_forget(resolver->modules.set, ROSSYM_FORGET_IMAGES, NULL);
		command->resolver.modules.failed |= modules_have_failed(&resolver->modules);
		command->resolver.modules.out_of_memory |= resolver->modules.out_of_memory;
	}
	return true;
}

int offsets_answer(struct log_command *command)
{
	bool good = true;
	for (int at = 0; good && at < command->operand_count;) {
		const char *operand = command->operands[at++];
		struct module_and_offset parts = { operand, strlen(operand), NULL };
		(void)split_operand(operand, &parts);
		char *name = copy_text(parts.name, parts.length);
		good = name && answer_exe_offsets(command, name, parts.length, parts.number, &at);
		free(name);
	}
	if (!good)
		return diag_memory_exit_status();
	return command->resolver.modules.out_of_memory ? diag_memory_exit_status() : 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "addr2line/first.h"
#include "tool/wait.h"

#include <stdlib.h>
#include <unistd.h>

/* If so many bytes of standard input have arrived, the first table is for all addresses. */
enum { MUCH = 48 << 10 };

/* The addresses to look up. */
struct first_addresses {
	uint64_t *rvas; /* room for all operands, and for one more address */
	size_t count;
	bool everything; /* a table for all addresses is needed */
	bool inside;	 /* one of the addresses is in a section */
};

/* Returns the first address of the first section of code; UINT64_MAX if there is none. */
static uint64_t find_code(struct rossym_image *image)
{
	struct rossym_section section;
	for (uint32_t i = 0; rossym_get_section(image, i, &section, NULL) > 0; i++)
		if (rossym_section_is_code(&section))
			return section.rva;
	return UINT64_MAX;
}

/* Add the operand TEXT.  A symbol can be any function, so it needs a table for all addresses. */
static void add_operand(struct first_addresses *addresses, const struct query_rules *rules, const char *text)
{
	struct query_seen seen = { .number = false };
	struct rossym_section section;
	struct query query;
	if (!query_without_message(rules, text, &query, &seen)) {
		addresses->everything = true;
		return;
	}
	addresses->rvas[addresses->count++] = query.rva;
	addresses->inside |= rossym_section_at(rules->image, query.rva, &section, NULL) > 0;
}

int first_look_up(void *context, struct rossym_image *image, struct rossym_error *err)
{
	const struct addr2line_command *command = context;
	const bool missing = command->run == RUN_MISSING;
	struct first_addresses addresses = { .everything = command->run != RUN_RECORDS && !missing };
	struct symbols symbols = { .sections.names = NULL };
	struct rossym_section section = { .name = NULL };
	struct query_rules rules;
	/* If the image lacks the section of -j, run.c prints a message and looks up nothing. */
	const int operands = missing || (command->section &&
					 rossym_find_section(image, command->section, &section, NULL) <= 0)
				     ? 0
				     : command->operand_count;
	/* So much input will need the table for all addresses in any case: make it at once. */
	if (command->run == RUN_RECORDS && command->operand_count == 0 && wait_has(STDIN_FILENO, MUCH))
		return rossym_prepare(image, err);
	const struct query_base base = { command->origin, command->load_address, &section };
	query_rules(&rules, image, command->path, &symbols, &base);
	if (command->return_addresses)
		query_take_returns(&rules);
	addresses.rvas = calloc((size_t)operands + 1, sizeof *addresses.rvas);
	for (int i = 0; addresses.rvas && i < operands && !addresses.everything; i++)
		add_operand(&addresses, &rules, command->operands[i]);
	if (addresses.rvas && !addresses.inside)
		addresses.rvas[addresses.count++] = find_code(image);
	int result = addresses.everything || !addresses.rvas
			     ? rossym_read_block(image, NULL, err)
			     : rossym_prepare_addresses(image, addresses.rvas, addresses.count, err);
	free(addresses.rvas);
	return result;
}

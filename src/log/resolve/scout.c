// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/resolve/scout.h"
#include "tool/array.h"
#include "tool/strbuf.h"
#include "compat/bisect.h"

#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------------------- sightings */

/* Whether only processes have modules at ADDRESS: below 2 GiB, or from 4 GiB to 2^47, as for ROSSYM_FORGET_USER. */
static bool is_user_mode_address(uint64_t address)
{
	return address < UINT64_C(0x80000000) || (address > UINT32_MAX && address < UINT64_C(0x0000800000000000));
}

/* Returns the sighting with the greatest base that is at most ADDRESS; NULL if there is none. */
static struct sighting *find_sighting_at_or_below(const struct sightings *all, uint64_t address)
{
	size_t below;
	BISECT(below, all->count, all->list[below].fact.base <= address);
	return below ? &all->list[below - 1] : NULL;
}

static void remove_sightings(struct sightings *all)
{
	for (size_t i = 0; i < all->count; i++)
		free((char *)all->list[i].fact.module);
	all->count = 0;
}

/* Insert a sighting of FACT, with a copy of its module's name.  Returns false if there is no memory. */
static bool insert_sighting(struct sightings *all, const struct fact *fact, uint64_t position)
{
	char *name = ARRAY_GROW(all->list, all->room, all->count) ? copy_text(fact->module, fact->module_length) : NULL;
	struct sighting *list = all->list;
	if (!name)
		return false;
	const struct sighting *below = find_sighting_at_or_below(all, fact->base);
	const size_t at = below ? (size_t)(below - list) + 1 : 0;
	memmove(list + at + 1, list + at, (all->count - at) * sizeof *list);
	list[at] = (struct sighting){
		.position = position, .last = position, .fact = *fact, .reach = fact->size ? fact->size : UINT32_MAX
	};
	list[at].fact.module = name;
	all->count++;
	return true;
}

/* Store FACT, a load address, whose text ends at POSITION of the log.  If the load address is known, only POSITION is
   stored.  A module that overlaps another one is ignored, unless both have the same base: then one may be loaded after
   the other.  Returns false if there is no memory. */
static bool store_loaded_module(struct sightings *all, const struct fact *fact, uint64_t position)
{
	struct sighting *below = find_sighting_at_or_below(all, fact->base);
	const struct sighting *last = find_sighting_at_or_below(all, fact->base + (fact->size ? fact->size - 1 : 0));
	const bool same = below && below->fact.base == fact->base;
	if (same && below->fact.module_length == fact->module_length &&
	    memcmp(below->fact.module, fact->module, fact->module_length) == 0) {
		below->last = position;
		return true;
	}
	if (last != below || (!same && below && fact->base - below->fact.base < below->fact.size))
		return true;
	return insert_sighting(all, fact, position);
}

/* ----------------------------------------------------------------------------------------------- the lists */

/* Returns the position in the log of the scanner's current event. */
static uint64_t get_current_position(const struct scout *scout)
{
	const struct events *events = &scout->scanner->ahead->events;
	return events->lines[events->next].begin + scout->scanner->event_at;
}

/* Mark ALL to be made again, from the scanner's line on.  Load addresses before the border at POSITION are not used. */
static void restart_after_border(struct sightings *all, uint64_t position)
{
	all->border = position;
	all->until = 0;
	all->ended = false;
}

void scout_record_border(struct scout *scout, const struct fact *fact)
{
	const bool is_boot = fact->kind == FACT_BOOT;
	if (!scout->scanner || !(is_boot || fact->kind == FACT_USER))
		return;
	const uint64_t position = get_current_position(scout);
	if (is_boot)
		restart_after_border(&scout->kernel, position);
	restart_after_border(&scout->user, position);
}

void scout_begin_log(struct scout *scout, const struct scanner *scanner)
{
	scout->scanner = scanner;
	restart_after_border(&scout->kernel, 0);
	restart_after_border(&scout->user, 0);
}

void scout_clear(struct scout *scout)
{
	remove_sightings(&scout->kernel);
	remove_sightings(&scout->user);
	free(scout->kernel.list);
	free(scout->user.list);
	*scout = (struct scout){ .scanner = NULL };
}

/* Store EVENT, which ends at POSITION, if it is a load address for the list ALL; if it is a border, set all->ended. */
static void store_sighting(struct scout *scout, struct sightings *all, const struct event *event, uint64_t position)
{
	const struct fact *fact = &event->fact;
	const bool of_user = all == &scout->user;
	if (position <= all->border)
		return;
	if (fact->kind == FACT_BOOT || (fact->kind == FACT_USER && of_user))
		all->ended = true;
	else if (fact->kind == FACT_LOADED && !fact->code &&
		 (fact->user || is_user_mode_address(fact->base)) == of_user)
		scout->no_memory |= !store_loaded_module(all, fact, position);
}

/* Store in ALL the load addresses of the lines that have been read ahead, up to a border, or until ALL is full. */
static void read_events_into_list(struct scout *scout, struct sightings *all)
{
	const struct scanner *ahead = scout->scanner->ahead;
	const struct events *events = &ahead->events;
	struct strbuf name = { .bytes = NULL };
	while (!all->ended && all->count < SCOUT_MAX && all->line < events->line_count) {
		const struct event_line *line = &events->lines[all->line];
		for (size_t i = line->first; i < events_find_end_of_line(events, all->line) && !all->ended; i++)
			if (events->list[i].is_fact) {
				const struct event event = events_get(events, i, &name);
				store_sighting(scout, all, &event, line->begin + event.at);
			}
		all->line += !all->ended;
	}
	all->until = all->line < events->line_count ? events->lines[all->line].begin : scanner_get_line_offset(ahead);
	scout->no_memory |= name.no_memory;
	strbuf_clear(&name);
}

/* If the scanner has reached the end of the lines that ALL is from, make ALL anew from the scanner's line on. */
static void restart_list_if_passed(struct scout *scout, struct sightings *all)
{
	const struct events *events = &scout->scanner->ahead->events;
	const uint64_t begin = events->lines[events->next].begin;
	if (begin < all->until || (begin == all->until && all->ended))
		return;
	remove_sightings(all);
	all->ended = false;
	all->line = events->next;
	read_events_into_list(scout, all);
}

/* Read more lines, because ALL has no module for an address at POSITION.  Returns false if there is nothing more to
   read for it: a border, the end of the file or of SCOUT_REACH has been reached, or ALL is full. */
static bool read_more_lines(struct scout *scout, const struct sightings *all, uint64_t position)
{
	struct scanner *ahead = scout->scanner->ahead;
	if (all->ended || all->count >= SCOUT_MAX || all->until > position + SCOUT_REACH ||
	    (all->line == ahead->events.line_count && !scanner_read_more_lines(ahead)))
		return false;
	read_events_into_list(scout, &scout->user);
	read_events_into_list(scout, &scout->kernel);
	return true;
}

/* ---------------------------------------------------------------------------------------------- addresses */

/* Whether IMAGE, which was chosen for MODULE before the scanner has read FACT, would be chosen after that, too. */
static bool is_image_allowed_by(const struct fact *fact, const struct rossym_module *module,
				const struct rossym_info *image)
{
	enum { PAGE = 4096 };
	return (!fact->stamp || fact->stamp == image->time_date_stamp) &&
	       (!fact->size || !module->rival_file ||
		(fact->size - 1) / PAGE == (image->size_of_image - UINT64_C(1)) / PAGE);
}

/* Returns the module of SEEN, whose base is at most ADDRESS, if ADDRESS is in that module.  Returns NULL if not; if the
   module's end is not known; if its image does not agree with SEEN->fact; or if the set has no room or memory for it.
   Stores in SEEN->reach the size of the image if the log has none, or 0 if SEEN must not be used. */
static const struct rossym_module *find_module_of_sighting(struct sighting *seen, struct modules *modules,
							   uint64_t address)
{
	const struct fact *fact = &seen->fact;
	struct rossym_info image = { .size = sizeof image };
	if (address - fact->base >= seen->reach)
		return NULL;
	const struct rossym_module *module = modules_get_module(modules, fact->module, fact->module_length);
	bool has_image = module && modules_get_image_info(modules, module, &image);
	if (!module || (has_image && !is_image_allowed_by(fact, module, &image)))
		seen->reach = 0;
	else if (!fact->size)
		seen->reach = image.size_of_image;
	return address - fact->base < seen->reach ? module : NULL;
}

/* Returns the module in ALL that is at ADDRESS, if the log has its load address after POSITION, and stores its base in
   *BASE; NULL if there is none.  Of several such modules with one base, the first in the log counts.  The base and
   ADDRESS must both be in the user-mode range, or both outside of it: no module reaches from one range to the other. */
static const struct rossym_module *find_sighted_module(const struct sightings *all, struct modules *modules,
						       uint64_t address, uint64_t position, uint64_t *base)
{
	const struct sighting *below = find_sighting_at_or_below(all, address);
	struct sighting *next = NULL;
	for (size_t i = below ? (size_t)(below - all->list) + 1 : 0; i > 0; i--) {
		struct sighting *seen = &all->list[i - 1];
		const uint64_t told = seen->position > position ? seen->position : seen->last;
		if (seen->fact.base != below->fact.base)
			break;
		if (told > position && told - position <= SCOUT_REACH)
			next = seen;
	}
	const bool later = next && is_user_mode_address(next->fact.base) == is_user_mode_address(address);
	const struct rossym_module *module = later ? find_module_of_sighting(next, modules, address) : NULL;
	if (module)
		*base = next->fact.base;
	return module;
}

const struct rossym_module *scout_find_module(struct scout *scout, struct modules *modules, uint64_t address,
					      uint64_t *base)
{
	if (!scout->scanner)
		return NULL;
	restart_list_if_passed(scout, &scout->user);
	restart_list_if_passed(scout, &scout->kernel);
	const struct sightings *last = is_user_mode_address(address) ? &scout->user : &scout->kernel;
	uint64_t position = get_current_position(scout);
	do {
		const struct rossym_module *module = find_sighted_module(&scout->user, modules, address, position,
									 base);
		if (!module && last != &scout->user)
			module = find_sighted_module(last, modules, address, position, base);
		if (module)
			return module;
		modules->out_of_memory |= scout->no_memory;
	} while (read_more_lines(scout, last, position));
	return NULL;
}

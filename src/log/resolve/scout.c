// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/resolve/scout.h"
#include "tool/array.h"
#include "tool/strbuf.h"
#include "compat/bisect.h"

#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------------------- sightings */

/* Whether only a process has modules at ADDRESS.  The ranges are those of ROSSYM_FORGET_USER: below 2 GiB, or between
   4 GiB and 2^47. */
static bool is_user(uint64_t address)
{
	return address < UINT64_C(0x80000000) || (address > UINT32_MAX && address < UINT64_C(0x0000800000000000));
}

/* Returns how many sightings have a lower border than BORDER, or the same border and a base of at most BASE. */
static size_t count_up_to(const struct sightings *all, uint64_t border, uint64_t base)
{
	size_t at;
	BISECT(at, all->count,
	       all->list[at].border < border || (all->list[at].border == border && all->list[at].fact.base <= base));
	return at;
}

/* Returns the sighting whose border is BORDER, with the greatest base that is at most ADDRESS; NULL: there is none. */
static struct sighting *sighting_below(const struct sightings *all, uint64_t border, uint64_t address)
{
	size_t below = count_up_to(all, border, address);
	return below && all->list[below - 1].border == border ? &all->list[below - 1] : NULL;
}

/* Remove the first COUNT sightings. */
static void remove_first_sightings(struct sightings *all, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free((char *)all->list[i].fact.module);
	all->count -= count;
	if (all->count)
		memmove(all->list, all->list + count, all->count * sizeof *all->list);
}

/* Whether one more sighting can be added.  If the list is full, remove the sightings before the last border that the
   scanner has passed: no later line needs them.  That is done only if they are at least half of the list, because the
   rest of the list must be moved. */
static bool has_room(struct sightings *all)
{
	if (all->count < SCOUT_MAX)
		return true;
	size_t passed = all->border > 0 ? count_up_to(all, all->border - 1, UINT64_MAX) : 0;
	if (passed < SCOUT_MAX / 2)
		return false;
	remove_first_sightings(all, passed);
	return true;
}

/* Insert a sighting of FACT.  False: no memory. */
static bool insert_sighting(struct sightings *all, const struct fact *fact, uint64_t position)
{
	struct sighting *list = array_with_room(all->list, &all->room, all->count, sizeof *list);
	char *name = list ? copy_text(fact->module, fact->module_length) : NULL;
	if (list)
		all->list = list;
	if (!name)
		return false;
	size_t at = count_up_to(all, all->border_ahead, fact->base);
	memmove(list + at + 1, list + at, (all->count - at) * sizeof *list);
	list[at] = (struct sighting){ .border = all->border_ahead,
				      .position = position,
				      .last = position,
				      .fact = *fact,
				      .reach = fact->size ? fact->size : UINT32_MAX };
	list[at].fact.module = name;
	all->count++;
	return true;
}

/* Whether the module of FACT overlaps a sighting.  Logs often repeat the list of modules. */
static bool is_taken(const struct sightings *all, const struct fact *fact)
{
	const struct sighting *below = sighting_below(all, all->border_ahead, fact->base);
	const struct sighting *last = sighting_below(all, all->border_ahead,
						     fact->base + (fact->size ? fact->size - 1 : 0));
	return last != below ||
	       (below && (below->fact.base == fact->base || fact->base - below->fact.base < below->fact.size));
}

/* Returns the sighting of the same module at the same base as FACT, which the log tells again; NULL if there is none. */
static struct sighting *find_again(const struct sightings *all, const struct fact *fact)
{
	struct sighting *seen = sighting_below(all, all->border_ahead, fact->base);
	const bool same = seen && seen->fact.base == fact->base && seen->fact.module_length == fact->module_length &&
			  memcmp(seen->fact.module, fact->module, fact->module_length) == 0;
	return same ? seen : NULL;
}

static bool is_border(const struct fact *fact)
{
	return fact->kind == FACT_BOOT || fact->kind == FACT_USER;
}

/* Store FACT, whose text ends at POSITION of the log.  Returns false if the list is full. */
static bool take_fact(struct scout *scout, const struct fact *fact, uint64_t position)
{
	struct sightings *all = fact->user || is_user(fact->base) ? &scout->user : &scout->kernel;
	if (fact->kind == FACT_BOOT)
		scout->kernel.border_ahead = position;
	if (is_border(fact)) {
		scout->user.border_ahead = position;
	} else if (fact->kind == FACT_LOADED && !fact->code) {
		struct sighting *seen = find_again(all, fact);
		if (seen)
			seen->last = position;
		else if (!is_taken(all, fact))
			scout->no_memory |= !insert_sighting(all, fact, position);
	}
	return all->count < SCOUT_MAX;
}

/* Returns the position of the scanner's current event. */
static uint64_t current_position(const struct scout *scout)
{
	const struct events *events = &scout->scanner->ahead->events;
	return events->lines[events->next].begin + scout->scanner->event_at;
}

void scout_pass(struct scout *scout, const struct fact *fact)
{
	if (!scout->scanner || !scout->scanner->behind || !is_border(fact))
		return;
	uint64_t position = current_position(scout);
	if (fact->kind == FACT_BOOT)
		scout->kernel.border = position;
	scout->user.border = position;
}

/* ----------------------------------------------------------------------------------------------- the list */

void scout_start(struct scout *scout, const struct scanner *scanner)
{
	scout->scanner = scanner;
	scout->line = 0;
	scout->until = 0;
	scout->kernel.border = scout->user.border = 0;
}

void scout_clear(struct scout *scout)
{
	remove_first_sightings(&scout->kernel, scout->kernel.count);
	remove_first_sightings(&scout->user, scout->user.count);
	free(scout->kernel.list);
	free(scout->user.list);
	*scout = (struct scout){ .scanner = NULL };
}

/* Store the facts of the lines that have been read ahead, up to the line at which a list of sightings is full. */
static void read_list(struct scout *scout)
{
	const struct scanner *ahead = scout->scanner->ahead;
	const struct events *events = &ahead->events;
	struct strbuf name = { .bytes = NULL };
	bool has_room = true;
	for (; has_room && scout->line < events->line_count; scout->line++)
		for (size_t i = events->lines[scout->line].first; i < events_end(events, scout->line); i++) {
			const struct event event = events_get(events, i, &name);
			if (event.is_fact)
				has_room &= take_fact(scout, &event.fact, events->lines[scout->line].begin + event.at);
		}
	scout->until = scout->line < events->line_count ? events->lines[scout->line].begin : scanner_line(ahead);
	scout->no_memory |= name.no_memory;
	strbuf_clear(&name);
}

/* Remove all sightings. */
static void remove_all_sightings(struct sightings *all)
{
	remove_first_sightings(all, all->count);
	all->border_ahead = all->border;
}

/* If the scanner has overtaken the scout, let the scout begin again at the scanner's line. */
static void catch_up(struct scout *scout)
{
	const struct events *events = &scout->scanner->ahead->events;
	if (events->lines[events->next].begin < scout->until)
		return;
	remove_all_sightings(&scout->kernel);
	remove_all_sightings(&scout->user);
	scout->line = events->next;
	read_list(scout);
}

/* Store the facts of the next lines, for an address at POSITION.  False: the end of the file or of SCOUT_REACH has been reached, or a
   list is full. */
static bool read_on(struct scout *scout, uint64_t position)
{
	struct scanner *ahead = scout->scanner->ahead;
	if (!has_room(&scout->kernel) || !has_room(&scout->user) || scout->until > position + SCOUT_REACH ||
	    (scout->line == ahead->events.line_count && !scanner_read_on(ahead)))
		return false;
	read_list(scout);
	return true;
}

/* ---------------------------------------------------------------------------------------------- addresses */

static bool same_pages(uint64_t a, uint64_t b)
{
	enum { PAGE = 4096 };
	return a / PAGE + (a % PAGE != 0) == b / PAGE + (b % PAGE != 0);
}

/* Whether IMAGE, which was chosen for MODULE without FACT, would be chosen with FACT, too: the scanner has not read
   FACT yet. */
static bool allows_image(const struct fact *fact, const struct rossym_module *module, const struct rossym_info *image)
{
	return (!fact->stamp || fact->stamp == image->time_date_stamp) &&
	       (!fact->size || !module->rival_file || same_pages(fact->size, image->size_of_image));
}

/* The base of SEEN is at most ADDRESS.  Returns its module if ADDRESS is in that.  Returns NULL if not; if the module's
   end is not known; if its image does not agree with SEEN->fact; or if the set has no room or memory for it.  Stores in
   SEEN->reach what the image tells of the module's end. */
static const struct rossym_module *module_at(struct sighting *seen, struct modules *modules, uint64_t address)
{
	const struct fact *fact = &seen->fact;
	struct rossym_info image = { .size = sizeof image };
	if (address - fact->base >= seen->reach)
		return NULL;
	const struct rossym_module *module = modules_get(modules, fact->module, fact->module_length);
	bool has_image = module && modules_get_image_info(modules, module, &image);
	if (!module || (has_image && !allows_image(fact, module, &image)))
		seen->reach = 0;
	else if (!fact->size)
		seen->reach = image.size_of_image;
	return address - fact->base < seen->reach ? module : NULL;
}

/* Returns the module in ALL that is at ADDRESS, if the log tells its load address after POSITION, and stores that in
   *BASE.  NULL: there is none.  The base and ADDRESS must both be in the user-mode range, or both outside of it: no
   module reaches from one range to the other. */
static const struct rossym_module *find_in(const struct sightings *all, struct modules *modules, uint64_t address,
					   uint64_t position, uint64_t *base)
{
	struct sighting *seen = sighting_below(all, all->border, address);
	const uint64_t told = !seen ? 0 : seen->position > position ? seen->position : seen->last;
	bool later = seen && told > position && told - position <= SCOUT_REACH &&
		     is_user(seen->fact.base) == is_user(address);
	const struct rossym_module *module = later ? module_at(seen, modules, address) : NULL;
	if (module)
		*base = seen->fact.base;
	return module;
}

const struct rossym_module *scout_find(struct scout *scout, struct modules *modules, uint64_t address, uint64_t *base)
{
	if (!scout->scanner || !scout->scanner->behind)
		return NULL;
	catch_up(scout);
	const struct sightings *last = is_user(address) ? &scout->user : &scout->kernel;
	uint64_t position = current_position(scout);
	do {
		const struct rossym_module *module = find_in(&scout->user, modules, address, position, base);
		if (!module && last != &scout->user)
			module = find_in(last, modules, address, position, base);
		if (module)
			return module;
		modules->out_of_memory |= scout->no_memory;
	} while (last->border_ahead == last->border && read_on(scout, position));
	return NULL;
}

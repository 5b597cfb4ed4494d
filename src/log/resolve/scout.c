// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/resolve/scout.h"
#include "tool/array.h"
#include "tool/strbuf.h"
#include "compat/bisect.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
static void forget(struct sightings *all, size_t count)
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
	forget(all, passed);
	return true;
}

/* Insert a sighting of FACT.  False: no memory. */
static bool insert(struct sightings *all, const struct fact *fact, uint64_t position)
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
static bool add_fact(struct scout *scout, const struct fact *fact, uint64_t position)
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
			scout->no_memory |= !insert(all, fact, position);
	}
	return all->count < SCOUT_MAX;
}

/* Called for each FACT that the scout's scanner finds.  The scanner stops if the result is false. */
static bool visit_fact(void *context, const struct fact *fact)
{
	struct scout *scout = context;
	return add_fact(scout, fact, scanner_position(&scout->ahead));
}

/* Store the facts of the scanner's current line. */
static void add_current(struct scout *scout)
{
	struct strbuf name = { .bytes = NULL };
	const struct scanner *s = scout->scanner;
	for (size_t i = s->first_event; i < s->end_event; i++) {
		const struct event event = events_get(s->current, i, &name);
		if (event.is_fact)
			(void)add_fact(scout, &event.fact, scanner_line(s) + event.at);
	}
	scout->no_memory |= name.no_memory;
	strbuf_clear(&name);
}

void scout_pass(struct scout *scout, const struct fact *fact)
{
	if (!scout->scanner || !is_border(fact))
		return;
	uint64_t position = scanner_position(scout->scanner);
	if (fact->kind == FACT_BOOT)
		scout->kernel.border = position;
	scout->user.border = position;
}

/* ----------------------------------------------------------------------------------------------- reading */

static const struct scanner_visitor visitor = { .fact = visit_fact };

/* Remove all sightings; the scout begins again at the position of the scanner. */
static void restart(struct sightings *all)
{
	forget(all, all->count);
	all->border_ahead = all->border;
}

void scout_start(struct scout *scout, struct scanner *scanner, int fd)
{
	struct stat st;
	bool is_file = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && lseek(fd, 0, SEEK_CUR) >= 0;
	scout->scanner = is_file ? scanner : NULL;
	scanner->ahead = is_file ? &scout->ahead : NULL;
	scout->fd = fd;
	scout->ahead.buffer_offset = scout->ahead.begin = 0;
	free(scout->ahead.full);
	scout->ahead.full = NULL;
	scout->ended = true;
	scout->kernel.border = scout->user.border = 0;
}

void scout_clear(struct scout *scout)
{
	forget(&scout->kernel, scout->kernel.count);
	forget(&scout->user, scout->user.count);
	free(scout->kernel.list);
	free(scout->user.list);
	scanner_close(&scout->ahead);
	*scout = (struct scout){ .scanner = NULL };
}

/* Scan the text in the buffer of the scout's scanner. */
static void scan_buffer(struct scout *scout, struct modules *modules)
{
	scanner_read(&scout->ahead, scout->ended);
	modules->out_of_memory |= scout->no_memory || scout->ahead.line.plain.no_memory;
}

/* If the scanner has overtaken the scout, let the scout begin again at the scanner's position.  False:
   the scout cannot read. */
static bool catch_up(struct scout *scout, struct modules *modules)
{
	if (scanner_line(scout->scanner) < scanner_line(&scout->ahead))
		return true;
	off_t offset = lseek(scout->fd, 0, SEEK_CUR);
	if (offset < 0)
		return false;
	if (!scout->ahead.buffer && !scanner_open(&scout->ahead, scout->scanner->settings, &visitor, scout)) {
		modules->out_of_memory = true;
		return false;
	}
	restart(&scout->kernel);
	restart(&scout->user);
	scout->ended = false;
	if (!scanner_run_ahead(&scout->ahead, scout->scanner, offset)) {
		modules->out_of_memory = true;
		return false;
	}
	add_current(scout);
	scan_buffer(scout, modules);
	return true;
}

/* Read more of the file into the buffer of the scout's scanner.  Reads only up to the size of the file: a file of /proc
   has size 0, and reading it could wait, and take text from the main scanner.  False: nothing was read. */
static bool fill_buffer(struct scout *scout)
{
	struct stat st;
	return fstat(scout->fd, &st) == 0 && scout->ahead.offset < st.st_size &&
	       scanner_fill(&scout->ahead, scout->fd) > 0;
}

/* Read and scan the next part of the file, for an address at POSITION.  False: the end of the file or of SCOUT_REACH
   has been reached, or a list is full. */
static bool read_on(struct scout *scout, struct modules *modules, uint64_t position)
{
	if (!has_room(&scout->kernel) || !has_room(&scout->user) ||
	    scanner_line(&scout->ahead) > position + SCOUT_REACH)
		return false;
	if (!scout->ahead.stop) {
		if (scout->ended)
			return false;
		scout->ended = !fill_buffer(scout);
	}
	scan_buffer(scout, modules);
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
static bool agrees(const struct fact *fact, const struct rossym_module *module, const struct rossym_info *image)
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
	bool has_image = module && modules_image(modules, module, &image);
	if (!module || (has_image && !agrees(fact, module, &image)))
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
	if (!scout->scanner || !catch_up(scout, modules))
		return NULL;
	const struct sightings *last = is_user(address) ? &scout->user : &scout->kernel;
	uint64_t position = scanner_position(scout->scanner);
	do {
		const struct rossym_module *module = find_in(&scout->user, modules, address, position, base);
		if (!module && last != &scout->user)
			module = find_in(last, modules, address, position, base);
		if (module)
			return module;
	} while (last->border_ahead == last->border && read_on(scout, modules, position));
	return NULL;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * shift.c - finds by how much an image was moved after the link
 *
 * Programs such as rebase give an image another base: they change its headers, and the addresses that have a base
 * relocation.  Addresses in DWARF and stabs stay as they were.  Addresses of symbols are relative to sections, so they
 * move with the image.  The shift is the address of a function in debug information minus its address in symbols.
 *
 * Nearly no image was moved, and reading names costs time.  So rs_shift_count_unit() first checks if a few units (each
 * the debug information of one source file) begin at symbols.  If most do not, rs_shift_compare_function() compares
 * names of functions.
 */
#include "config.h"
#include "debuginfo/symbols/symbol-steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Image bases are multiples of BASE_STEP, and so are the differences between them. */
enum { BASE_STEP = 0x10000 };

/* At most this many functions are searched for by name among all symbols.  For further functions, only the shift that
   these searches have found is tested. */
enum { SEARCHES_MAX = 64 };

void rs_shift_count_unit(struct shift *shift, bool inside, uint32_t rva)
{
	shift->tested++;
	shift->inside += inside;
	shift->labelled += inside && rs_reading_label_at(shift->reading, rva);
}

/* Whether there are symbols, but most of the tested units do not begin at the address of a symbol. */
static bool is_shift_likely(const struct shift *shift)
{
	return shift->reading->label_count > 0 && shift->labelled < shift->tested - shift->labelled;
}

/* Store in *PART where the name without decoration of calling conventions begins, and return its length.  Cutting too
   much does no harm: names are compared only if the lower 16 bits of the addresses of their functions are equal. */
static size_t find_undecorated_part(const char *name, size_t length, const char **part)
{
	while (length > 0 && (*name == '_' || *name == '@')) {
		name++;
		length--;
	}
	const char *end = memchr(name, '@', length);
	*part = name;
	return end ? (size_t)(end - name) : length;
}

/* Returns 1 if the symbol at RVA has NAME, else 0; or -1 after storing an error. */
static int symbol_has_name(struct reading *reading, uint64_t rva, const char *name, size_t length)
{
	uint32_t number = 0;
	const char *a, *b;
	if (rva > UINT32_MAX)
		return 0;
	if (rs_symbols_find_name_at(reading, (uint32_t)rva, &number) < 0)
		return -1;
	const char *symbol = rs_string(reading->di->draft->strings, number);
	const size_t n = find_undecorated_part(name, length, &a), m = find_undecorated_part(symbol, strlen(symbol), &b);
	return n > 0 && n == m && memcmp(a, b, n) == 0;
}

int rs_shift_compare_function(struct shift *shift, const char *name, size_t length, uint64_t address)
{
	struct reading *reading = shift->reading;
	const uint64_t rva = address - reading->symbols.base;
	int found = shift->known ? symbol_has_name(reading, rva - shift->distance, name, length) : 0;
	if (found != 0 || shift->searches >= SEARCHES_MAX)
		return found;
	shift->searches++;
	const struct label *labels = reading->labels;
	for (uint32_t i = 0; i < reading->label_count; i++) {
		if ((labels[i].rva - (uint32_t)rva) % BASE_STEP != 0)
			continue;
		found = symbol_has_name(reading, labels[i].rva, name, length);
		if (found == 0)
			continue;
		if (found > 0) {
			shift->differs = shift->known;
			*(shift->known ? &shift->other : &shift->distance) = rva - labels[i].rva;
			shift->known = true;
		}
		return found;
	}
	return 0;
}

/* Write to TEXT by how much the image was moved: the negative of DISTANCE, in hexadecimal.  Returns TEXT. */
static const char *format_shift(uint64_t distance, char text[24])
{
	const bool down = distance < UINT64_C(1) << 63;
	snprintf(text, 24, "%s0x%" PRIx64, down ? "-" : "", down ? distance : -distance);
	return text;
}

/* If functions had different shifts, warn and return false.  Else correct reading->symbols.base, if a shift is known,
   and return true, also after a warning that all addresses are outside of the code. */
static bool correct_base_or_warn(const struct shift *shift, const char *what)
{
	struct reading *reading = shift->reading;
	char one[24], other[24];
	if (shift->differs) {
		rs_reading_warn(
			reading,
			"%s is not used: the image was moved after the link, and its symbols do not tell by how "
			"much: %s or %s",
			what, format_shift(shift->distance, one), format_shift(shift->other, other));
		reading->di->counts.unreadable++;
		return false;
	}
	if (shift->known)
		reading->symbols.base += shift->distance;
	else if (shift->tested > 0 && shift->inside == 0)
		rs_reading_warn(
			reading,
			"%s has no lines for the image: all its addresses are outside of the code, as after the "
			"image was moved, and no symbol tells by how much",
			what);
	return true;
}

int rs_shift_correct_base(struct reading *reading, struct shift_found *found, const char *what, rs_shift_visit *visit,
			  void *context)
{
	const uint64_t base = reading->symbols.base;
	struct shift shift = { .reading = reading };
	if (!found->known) {
		if (visit(context, &shift, false) < 0 || (is_shift_likely(&shift) && visit(context, &shift, true) < 0))
			return -1;
		found->unusable = !correct_base_or_warn(&shift, what);
		found->distance = reading->symbols.base - base;
		found->known = true;
	}
	reading->symbols.base = base + found->distance;
	return !found->unusable;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that is cut while its image is open, at many lengths (in "make check-long", at all that end in its headers) and before every
 * function: the answer is the old one or ROSSYM_ECHANGED, never a signal, and once the file is whole again the image works again.
 */
#include "config.h"

#include "tests/lib/asks.h"
#include "tests/lib/makepe.h"
#include "tests/lib/tap.h"

static struct makepe m;
static uint8_t *bytes;
static size_t size;
static char path[4096];

static void refill(void)
{
	FILE *f = fopen(path, "r+b");

	if (!f || fwrite(bytes, 1, size, f) != size || fclose(f) != 0)
		abort();
}

/* FIRST: what was used before the cut, or nothing if it is ASKS. */
static void cut_before(enum asks what, enum asks first)
{
	unsigned wrong = 0, changed = 0;

	for (size_t cut = 0; cut < size; cut += cut < 600 || cut > size - 60 ? amount(1, 5) : 97) {
		struct rossym_image *image = NULL;
		struct rossym_error err = { ROSSYM_OK, 0, 0, "" };

		if (rossym_open(path, NULL, &image, &err) < 0)
			abort();
		if (first < ASKS)
			ask(image, first, &err);
		if (truncate(path, (off_t)cut) < 0)
			abort();
		const struct asked cut_off = ask(image, what, &err);
		refill();
		const struct asked whole = ask(image, what, NULL);
		wrong += whole.returned == -1;
		if (cut_off.returned == -1) {
			changed++;
			wrong += err.code != ROSSYM_ECHANGED || err.offset < cut || err.offset > size || !err.what[0];
		} else {
			wrong += !asked_same(cut_off, whole);
		}
		rossym_close(image);
	}
	/* What has been read once may be kept; a look-up after rossym_prepare() must not need the file. */
	const bool memory_only = what == ASK_LOOKUP && first == ASK_PREPARE;
	ok(wrong == 0 && (memory_only ? changed == 0 : changed > 0 || first == what),
	   "%s after %s: %u of the cuts were noticed", ask_names[what], first < ASKS ? ask_names[first] : "nothing",
	   changed);
}

/* What has been prepared does not need the file any more. */
static void prepared(void)
{
	struct rossym_image *image = NULL;
	struct rossym_error err;

	if (rossym_open(path, NULL, &image, &err) < 0 || rossym_prepare(image, &err) < 0 || truncate(path, 0) < 0)
		abort();
	is_str(ask(image, ASK_LOOKUP, &err).text, "g a.c 51 0", "after rossym_prepare a look-up cannot fail");
	rossym_close(image);
	ok(rossym_open(path, NULL, &image, &err) == -1 && err.code == ROSSYM_ENOTPE, "an empty file");
	refill();
}

int main(void)
{
	makepe_start(&m, MAKEPE_32);
	makepe_two_sections(&m);
	m.long_names_size = 12;
	for (unsigned i = 0; i < 300; i++)
		makepe_row(&m, 0x1000 + 4 * i, "g", "a.c", i + 1);
	bytes = makepe_build(&m, &size);
	if (!makepe_file(path, bytes, size))
		return skip_all("no temporary file");
	for (unsigned what = 0; what < ASKS; what++)
		for (unsigned first = 0; first <= ASKS; first++)
			cut_before(what, first);
	prepared();
	unlink(path);
	free(bytes);
	return done_testing();
}

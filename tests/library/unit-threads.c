/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that use one image at the same time, from its first use on: what is read when it is first wanted (strings,
 * long names, the index of names) must be published once and whole.  Run it under ThreadSanitizer as well.
 */
#include "config.h"

#include "tests/lib/makepe.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"
#include "rossym.h"

#if !defined _POSIX_THREADS || _POSIX_THREADS <= 0

int main(void)
{
	return skip_all("no threads");
}

#else

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 8, ROUNDS = 60, LOOKUPS = 200, ROWS = 1500 };

static struct makepe m;
static uint8_t *bytes;
static size_t size;

/* All that one thread found out. */
struct findings {
	unsigned failures;
	uint64_t sum;
};

static void add_text(struct findings *f, const char *text)
{
	for (; text && *text; text++)
		f->sum = f->sum * 31 + (unsigned char)*text;
	f->sum = f->sum * 31 + (text ? 1 : 2);
}

static void add_lookups(struct rossym_image *image, struct findings *f)
{
	for (unsigned i = 0; i < LOOKUPS; i++) {
		struct rossym_frame frame = { .function = NULL };
		struct rossym_error err;
		int r = rossym_lookup(image, 0xff0 + i * 41, i % 2, &frame, &err);

		f->failures += r < 0;
		add_text(f, frame.function);
		add_text(f, frame.file);
		f->sum = f->sum * 31 + frame.line + (unsigned)(r + 1);
	}
}

static void add_functions(struct rossym_image *image, struct findings *f)
{
	for (unsigned i = 0; i < 40; i++) {
		struct rossym_function function = { .name = NULL };
		struct rossym_error err;
		char name[32];

		snprintf(name, sizeof name, "Fn%u", i);
		f->failures += rossym_find_function(image, name, &function, &err) < 0;
		add_text(f, function.name);
		f->sum = f->sum * 31 + function.rva + function.places;
	}
}

static void add_rows(struct rossym_image *image, struct findings *f)
{
	struct rossym_rows rows;
	struct rossym_row row;
	struct rossym_error err;
	int n;

	rossym_rows_begin(image, 0, &rows);
	while ((n = rossym_rows_next(&rows, &row, &err)) > 0) {
		add_text(f, row.function);
		add_text(f, row.file);
		f->sum = f->sum * 31 + row.line + row.rva;
	}
	f->failures += n < 0;
}

static void add_sections(struct rossym_image *image, struct findings *f)
{
	struct rossym_section section;
	struct rossym_error err;
	int r = 0;

	for (uint32_t i = 0; (r = rossym_get_section(image, i, &section, &err)) > 0; i++) {
		add_text(f, section.name);
		f->sum = f->sum * 31 + section.rva;
	}
	f->failures += r < 0;
}

static void add_report(struct rossym_image *image, struct findings *f)
{
	struct rossym_report report = { .size = sizeof report };
	struct rossym_error err;

	f->failures += rossym_check(image, &report, &err) < 0;
	f->sum = f->sum * 31 + report.rows + report.duplicates + report.shadowed;
}

static void (*const jobs[])(struct rossym_image *, struct findings *) = {
	add_lookups, add_functions, add_rows, add_sections, add_report,
};
enum { JOBS = sizeof jobs / sizeof *jobs };

/* Every thread begins with another job; the same job is begun by two at least. */
static void do_jobs(struct rossym_image *image, unsigned begin, struct findings findings[JOBS])
{
	for (unsigned i = 0; i < JOBS; i++) {
		unsigned job = (begin + i) % JOBS;

		findings[job] = (struct findings){ 0, 0 };
		jobs[job](image, &findings[job]);
	}
}

struct worker {
	struct rossym_image *image;
	unsigned begin;
	struct findings findings[JOBS];
};

static atomic_uint ready, wanted;

static void *work(void *argument)
{
	struct worker *w = argument;

	atomic_fetch_add(&ready, 1);
	while (atomic_load(&ready) < atomic_load(&wanted))
		sched_yield();
	do_jobs(w->image, w->begin, w->findings);
	return NULL;
}

static struct rossym_image *open_image(const char *path)
{
	struct rossym_image *image = NULL;
	struct rossym_error err;
	int r = path ? rossym_open(path, NULL, &image, &err) : rossym_open_memory(bytes, size, NULL, &image, &err);

	if (r < 0) {
		printf("Bail out! %s\n", err.what);
		exit(99);
	}
	return image;
}

static void run(const char *path, bool prepared, const char *name)
{
	static struct worker workers[THREADS];
	struct findings expected[JOBS];
	unsigned wrong = 0, rounds;

	/* Alone, on an image of its own. */
	struct rossym_image *image = open_image(path);
	do_jobs(image, 0, expected);
	rossym_close(image);
	for (unsigned i = 0; i < JOBS; i++)
		wrong += expected[i].failures;

	for (rounds = 0; rounds < ROUNDS; rounds++) {
		pthread_t thread[THREADS];
		unsigned started = 0;

		image = open_image(path);
		if (prepared && rossym_prepare(image, NULL) < 0)
			wrong++;
		atomic_store(&ready, 0);
		atomic_store(&wanted, THREADS);
		for (; started < THREADS; started++) {
			workers[started].image = image;
			workers[started].begin = rounds % 2 ? started / 2 : rounds / 2;
			if (pthread_create(&thread[started], NULL, work, &workers[started]) != 0)
				break;
		}
		atomic_store(&wanted, started);
		for (unsigned i = 0; i < started; i++)
			pthread_join(thread[i], NULL);
		for (unsigned i = 0; i < started; i++)
			for (unsigned k = 0; k < JOBS; k++)
				wrong += workers[i].findings[k].failures != 0 ||
					 workers[i].findings[k].sum != expected[k].sum;
		rossym_close(image);
		if (started < 2)
			break;
	}
	if (rounds < ROUNDS)
		skip(name, "cannot start threads");
	else
		is_uint(wrong, 0, name);
}

int main(void)
{
	char path[4096], name[32];

	makepe_start(&m, MAKEPE_32);
	m.unterminated = true; /* so that memory is copied as well */
	m.long_names = "a_long_name\0and_one_that_nothing_ends";
	m.long_names_size = 12 + 25;
	makepe_section(&m, ".text", 0x1000, 0x1000, 0x1000, MAKEPE_CODE);
	makepe_section(&m, "/4", 0x2000, 0x800, 0x800, MAKEPE_DATA);
	makepe_section(&m, "/16", 0x2800, 0x400, 0x400, MAKEPE_CODE);
	random_start(1);
	for (unsigned i = 0; i < ROWS; i++) {
		snprintf(name, sizeof name, random_one_in(2) ? "Fn%u" : "_Fn%u@4", random_below(50));
		makepe_row(&m, 0x1000 + i / 2 * 9, random_one_in(5) ? "" : name, random_one_in(4) ? "" : "ke/bug.c",
			   random_below(3));
	}
	bytes = makepe_build(&m, &size);
	if (!makepe_file(path, bytes, size))
		return skip_all("no temporary file");

	run(path, false, "a file");
	run(NULL, false, "memory");
	run(path, true, "a file that has been prepared");
	unlink(path);
	free(bytes);
	return done_testing();
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A second run changes nothing, and undo takes away all annotations, for all logs, options and names.
 *
 *	unit-log-undo [FIRST [COUNT]]	the draws FIRST to FIRST + COUNT - 1 (default: 0, and UNDO_RUNS of the environment or 80)
 *
 * Each draw takes a log and two sets of options, A and B.  The log is a sample of tests/logs, or lines that are made of
 * parts of annotated and plain logs, and then is changed in a few places.  What must hold:
 *
 *	undo(log) = log				if it has no annotations
 *	undo(A(log)) = undo(B(A(log))) = undo(log)
 *	A(A(log)) = A(log)
 *	redo B(A(log)) = redo B(log)
 *	the same for what arrives in pieces
 *
 * The same must hold for UNDO_LINES of the environment or 6 very long lines.
 *
 * An undo also removes the marks that a log has at the beginning of lines with addresses.
 *
 * Names are real ones of C++, which demangle to as many as 5,779 bytes, and whatever might be mistaken for a part of an
 * annotation.  Source lines come from the samples themselves, so they are full of addresses.
 */
#include "config.h"
#include "tests/lib/cases.h"
#include "tests/lib/files.h"
#include "tests/lib/filtered.h"
#include "tool/demangle.h"
#define diag tap_diag /* tool/diag.h has another */
#include "tests/lib/tap.h"
#undef diag
#include "tests/lib/random.h"

#include <dirent.h>
#ifndef _WIN32
#include <sys/wait.h>
#endif

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Texts of a section of unit-log-undo.cases. */
struct texts {
	char *items[128];
	uint32_t count;
};

static struct case_file cases;
static struct texts functions, files, bits, begins, tokens;

static void read_texts(struct texts *texts, const char *section)
{
	while (cases_next(&cases, section)) {
		char *copy = strdup(cases.input);
		if (!copy || texts->count == COUNT(texts->items))
			abort();
		texts->items[texts->count++] = copy;
	}
}

static void free_texts(struct texts *texts)
{
	while (texts->count > 0)
		free(texts->items[--texts->count]);
}

static const char *drawn(const struct texts *texts)
{
	return texts->items[random_below(texts->count)];
}

/* Add a frame around the frame OUTER. */
static uint32_t add_frame(struct rossym_builder *builder, const char *function, const char *file, uint32_t line,
			  uint32_t outer)
{
	uint32_t number = 0;
	const struct rossym_new_frame frame = {
		.size = sizeof frame, .function = function, .file = file, .line = line, .next = outer
	};
	if (rossym_builder_add_frame(builder, &frame, &number, NULL) != 0)
		abort();
	return number;
}

/* A table in which names, files and frames occur in many combinations.  Its rows are dense where invented offsets are,
   and then as far apart as pages. */
static void make_table(void)
{
	static char long_path[3000], deep[3000];
	enum { FRAMES = 200, ROWS = 1024 };
	struct rossym_builder *builder;
	uint32_t frames[FRAMES] = { 0 };
	if (rossym_builder_create(NULL, &builder, NULL) != 0)
		abort();
	for (size_t i = 0; i < sizeof long_path - 1; i++) {
		long_path[i] = i % 40 == 0 ? '/' : i % 7 ? 'p' : i % 2 ? '(' : ')';
		deep[i] = i % 3 ? '(' : 'x';
	}
	for (unsigned i = 1; i < FRAMES; i++)
		frames[i] = add_frame(builder, drawn(&functions), i % 3 ? drawn(&files) : NULL,
				      i % 3 ? random_below(30) : 0, i % 40 ? frames[i - 1] : 0);
	for (unsigned i = 0; i < ROWS; i++) {
		const struct rossym_new_row row = {
			.size = sizeof row,
			.rva = i < ROWS / 2 ? i * 0x10 : (i - ROWS / 2 + 2) * 0x1000,
			.function = i % 50 == 49 ? deep : drawn(&functions),
			.file = i % 40 == 39 ? long_path : drawn(&files),
			.line = random_below(60),
			.outer = random_one_in(2) ? 0 : frames[random_below(FRAMES)],
		};
		if (rossym_builder_add(builder, &row, NULL) != 0)
			abort();
	}
	if (rossym_builder_finish(builder, &filtered_table, NULL) != 0)
		abort();
	rossym_builder_destroy(builder);
}

/* ------------------------------------------------------------------------------------------------- logs */

enum { SAMPLES_MAX = 100 };
static struct sample {
	char name[80];
	struct strbuf text;
} samples[SAMPLES_MAX];
static size_t sample_count;
static char samples_directory[1024];

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct sample *)a)->name, ((const struct sample *)b)->name);
}

static void read_sample(struct sample *sample, const char *name)
{
	char path[2048];
	size_t n;
	snprintf(sample->name, sizeof sample->name, "%s", name);
	snprintf(path, sizeof path, "%s/%s", samples_directory, name);
	uint8_t *bytes = files_read(path, &n);
	strbuf_add_bytes(&sample->text, (const char *)bytes, n);
	free(bytes);
}

/* In the order of their names, so that a draw is the same everywhere. */
static void read_samples(void)
{
	const char *srcdir = getenv("srcdir");
	const struct dirent *entry;
	snprintf(samples_directory, sizeof samples_directory, "%s/tests/logs", srcdir ? srcdir : ".");
	DIR *directory = opendir(samples_directory);
	while (directory && sample_count < SAMPLES_MAX && (entry = readdir(directory)) != NULL) {
		size_t n = strlen(entry->d_name);
		if (n > 4 && strcmp(entry->d_name + n - 4, ".log") == 0)
			read_sample(&samples[sample_count++], entry->d_name);
	}
	if (directory)
		closedir(directory);
	qsort(samples, sample_count, sizeof *samples, by_name);
}

static void add_bit(struct strbuf *log)
{
	const char *bit = drawn(&bits);
	strbuf_add_bytes(log, bit, *bit ? strlen(bit) : 1);
}

/* Add some lines of a sample. */
static void add_window(struct strbuf *log)
{
	const struct strbuf *from = &samples[random_below((uint32_t)sample_count)].text;
	size_t at = random_below((uint32_t)from->length), length = random_below(1200);
	while (at > 0 && from->bytes[at - 1] != '\n')
		at--;
	if (length > from->length - at)
		length = from->length - at;
	strbuf_add_bytes(log, from->bytes + at, length);
}

static void add_line(struct strbuf *log)
{
	for (uint32_t n = 1 + random_below(6); n > 0; n--)
		add_bit(log);
	if (!random_one_in(8))
		strbuf_add_char(log, '\n');
}

/* Change LOG in a few places: a byte, a bit more, a piece less. */
static void mutate(struct strbuf *log)
{
	for (uint32_t n = random_below(6); n > 0 && log->length > 0; n--) {
		struct strbuf mutant = { .bytes = NULL };
		size_t at = random_below((uint32_t)log->length), skipped = 0;
		strbuf_add_bytes(&mutant, log->bytes, at);
		switch (random_below(3)) {
		case 0:
			skipped = 1;
			strbuf_add_char(&mutant, (char)random_below(256));
			break;
		case 1:
			add_bit(&mutant);
			break;
		default:
			skipped = 1 + random_below(30);
			break;
		}
		if (skipped < log->length - at)
			strbuf_add_bytes(&mutant, log->bytes + at + skipped, log->length - at - skipped);
		strbuf_clear(log);
		*log = mutant;
	}
}

/* Make LOG one in UTF-16, little endian. */
static void widen(struct strbuf *log)
{
	struct strbuf wide = { .bytes = NULL };
	/* Without a byte order mark, the first two characters tell the encoding.  They must not be a mark that
	   is removed. */
	if (random_one_in(2) || (log->length > 0 && (log->bytes[0] == '*' || log->bytes[0] == '?')))
		strbuf_add_bytes(&wide, "\xff\xfe", 2);
	for (size_t i = 0; i < log->length; i++) {
		strbuf_add_char(&wide, log->bytes[i]);
		strbuf_add_char(&wide, '\0');
	}
	strbuf_clear(log);
	*log = wide;
}

/* Wrap the lines of LOG at blanks, so that none is longer than WIDTH, as mailers do. */
static void wrap(struct strbuf *log, size_t width)
{
	size_t begin = 0, blank = 0;
	for (size_t at = 0; at < log->length; at++) {
		if (log->bytes[at] == '\n')
			begin = blank = at + 1;
		if (log->bytes[at] == ' ')
			blank = at;
		if (at - begin >= width && blank > begin) {
			log->bytes[blank] = '\n';
			begin = blank + 1;
		}
	}
}

static struct strbuf draw_log(void)
{
	struct strbuf log = { .bytes = NULL };
	for (uint32_t n = 1 + random_below(4); n > 0; n--) {
		if (random_one_in(2))
			add_window(&log);
		else
			for (uint32_t lines = 1 + random_below(5); lines > 0; lines--)
				add_line(&log);
	}
	if (!random_one_in(3))
		mutate(&log);
	if (random_one_in(3))
		wrap(&log, random_one_in(2) ? 72 : 80);
	if (random_one_in(3) && log.length > 0 && log.bytes[log.length - 1] == '\n')
		log.length--;
	if (random_one_in(10))
		widen(&log);
	return log;
}

/* ---------------------------------------------------------------------------------------------- options */

static struct settings draw_settings(void)
{
	struct settings settings = {
		.inlines = random_one_in(2),
		.demangle = random_one_in(2),
		.color = random_one_in(4),
		.both = random_one_in(4),
		.mark_answered = random_one_in(3),
		.mark_unanswered = random_one_in(3),
		.redo = random_one_in(4),
		.builds = true,
		.strict = random_one_in(4),
		.assume = (enum assume)random_below(3),
	};
	if (random_one_in(3)) {
		settings.source_url = "https://example.org/a&lt;/%f?[7](a.c:1)#L%l";
		settings.hyperlinks = true;
	}
	if (random_one_in(3)) {
		settings.source = settings.redo = true;
		settings.source_root = samples_directory;
		settings.source_before = random_below(4);
		settings.source_after = random_below(4);
	}
	return settings;
}

static void show_settings(const struct settings *s)
{
	tap_diag("options:%s%s%s%s%s%s%s%s%s%s %u+%u, assume %d", s->strict ? " --strict" : "", s->inlines ? " -i" : "",
		 s->demangle ? " -C" : "", s->color ? " --color" : "", s->both ? " -t" : "",
		 s->mark_answered ? " -m" : "", s->mark_unanswered ? " -M" : "", s->redo ? " -U" : "",
		 s->hyperlinks ? " --hyperlink" : "", s->source ? " -S" : "", s->source_before, s->source_after,
		 (int)s->assume);
}

/* ------------------------------------------------------------------------------------------------ checks */

static void show(const char *title, const struct strbuf *text)
{
	FILE *file = getenv("UNDO_VERBOSE") ? stdout : NULL;
	if (!file)
		return;
	printf("---- %s\n", title);
	fwrite(text->bytes, 1, text->length, file);
	putchar('\n');
}

static bool same(const struct strbuf *got, const struct strbuf *want, const char *what, const char **wrong)
{
	bool good = strbuf_is_same(got, want);
	if (!good && !*wrong) {
		*wrong = what;
		show("got", got);
		show("want", want);
	}
	return good;
}

static struct strbuf with(const struct settings *settings, const struct strbuf *log)
{
	return filtered(settings, true, log->bytes, log->length, SIZE_MAX);
}

static struct strbuf undone(const struct strbuf *log, size_t piece)
{
	const struct settings settings = { .undo = true };
	return filtered(&settings, false, log->bytes, log->length, piece);
}

/* Whether a second run may have another result, because the log is escaped in some lines, and has notes: if the escapes
   that tell so are in a note, a redo removes them. */
static bool may_differ(const struct strbuf *log, const struct strbuf *bare)
{
	bool escapes = false;
	for (size_t i = 0; i + 2 < log->length; i++)
		escapes |= (log->bytes[i] == '\\' && memchr("<&[", log->bytes[i + (log->bytes[i + 1] ? 1 : 2)], 3)) ||
			   log->bytes[i] == '&';
	return escapes && !strbuf_is_same(log, bare);
}

/* NULL, or what does not hold for LOG.  CLEAN: it has no annotations. */
static const char *check(const struct strbuf *log, const struct settings *a, const struct settings *b, size_t piece,
			 bool clean)
{
	const char *wrong = NULL;
	struct settings redo = *b;
	redo.redo = true;
	redo.assume = a->assume; /* a redo keeps what it has no answer for */
	redo.strict = a->strict;
	struct strbuf bare = undone(log, SIZE_MAX), one = with(a, log), two = with(a, &one), other = with(b, &one);
	struct strbuf back = undone(&one, SIZE_MAX), pieces = undone(&one, piece), far = undone(&other, SIZE_MAX);
	struct strbuf again = with(&redo, &one), anew = with(&redo, log);
	if (clean)
		same(&bare, log, "undo(log) = log", &wrong);
	same(&back, &bare, "undo(A(log)) = undo(log)", &wrong);
	same(&pieces, &back, "the same in pieces", &wrong);
	same(&far, &bare, "undo(B(A(log))) = undo(log)", &wrong);
	if (!may_differ(log, &bare)) {
		same(&two, &one, "A(A(log)) = A(log)", &wrong);
		same(&again, &anew, "redo B(A(log)) = redo B(log)", &wrong);
	}
	if (wrong) {
		show("log", log);
		show("A(log)", &one);
		show("B(A(log))", &other);
		show_settings(a);
		show_settings(b);
	}
	struct strbuf *all[] = { &bare, &one, &two, &other, &back, &pieces, &far, &again, &anew };
	for (size_t i = 0; i < COUNT(all); i++)
		strbuf_clear(all[i]);
	return wrong;
}

static const struct settings *settings_named(const char *name)
{
	static const struct settings plain = { .builds = true }, redo = { .builds = true, .redo = true },
				     strict = { .builds = true,
						.redo = true,
						.strict = true,
						.mark_answered = true,
						.mark_unanswered = true };
	return strcmp(name, "plain") == 0 ? &plain : strcmp(name, "redo") == 0 ? &redo : &strict;
}

static void test_cases(void)
{
	while (cases_next(&cases, "cases")) {
		char a[8], b[8];
		int what = 0;
		sscanf(cases.expected, "%7s %7s %n", a, b, &what);
		const struct strbuf log = { .bytes = cases.input, .length = strlen(cases.input) };
		const char *wrong = check(&log, settings_named(a), settings_named(b), 7, false);
		ok(!wrong, "%s%s%s", cases.expected + what, wrong ? ": " : "", wrong ? wrong : "");
	}
}

/* A line of up to 400 KB: parts of a line, again and again, in one of the encodings. */
static struct strbuf draw_long_line(void)
{
	struct strbuf log = { .bytes = NULL }, part = { .bytes = NULL };
	for (uint32_t n = 1 + random_below(5); n > 0; n--) {
		if (random_one_in(3))
			add_bit(&part);
		else
			strbuf_add(&part, drawn(&tokens));
		for (uint32_t i = random_one_in(3) ? random_below(300) : 0; i > 0; i--)
			strbuf_add_char(&part, random_one_in(30) ? ' ' : 'x');
	}
	for (size_t i = 0; i < part.length; i++)
		if (part.bytes[i] == '\n')
			part.bytes[i] = ' ';
	strbuf_add(&log, drawn(&begins));
	for (uint32_t i = random_one_in(3) ? random_below(140000) : random_below(100); i > 0; i--)
		strbuf_add_char(&log, 'x');
	const size_t length = 100000 + random_below(300000);
	while (log.length < length)
		strbuf_add_bytes(&log, part.bytes, part.length);
	strbuf_add(&log, "\n<x.sys:1230>\n");
	strbuf_clear(&part);
	return log;
}

/* Whether the line NUMBER of draw_long_line() passes. */
static bool draw_long(unsigned long number)
{
	random_start(number + 1);
	struct strbuf log = draw_long_line();
	struct settings a = draw_settings(), b = draw_settings();
	a.demangle = b.demangle = false; /* a process demangles only so many long names */
	const size_t piece = 500 + random_below(100000);
	const char *wrong = check(&log, &a, &b, piece, false);
	struct strbuf whole = with(&a, &log), pieces = filtered(&a, true, log.bytes, log.length, piece);
	same(&pieces, &whole, "A(log), in pieces", &wrong);
	if (wrong)
		tap_diag("long line %lu: %s", number, wrong);
	strbuf_clear(&whole);
	strbuf_clear(&pieces);
	strbuf_clear(&log);
	return !wrong;
}

/* Whether draw NUMBER passes. */
static bool draw(unsigned long number)
{
	random_start(number + 1);
	struct strbuf log = draw_log();
	const struct settings a = draw_settings(), b = draw_settings();
	const char *wrong = check(&log, &a, &b, 1 + random_below(60), false);
	if (wrong)
		tap_diag("draw %lu: %s", number, wrong);
	strbuf_clear(&log);
	return !wrong;
}

/* Returns how many of COUNT draws from FIRST on fail; after ten, it stops. */
static unsigned draws(unsigned long first, unsigned long count)
{
	unsigned failed = 0;
	for (unsigned long i = 0; i < count && failed < 10; i++)
		failed += !draw(first + i);
	return failed;
}

/* The same, in child processes where there are many: a process demangles only so many long names (tool/demangle.c). */
static bool all_draws(unsigned long first, unsigned long count)
{
#ifndef _WIN32
	enum { CHUNK = 1000 };
	for (; count > CHUNK; first += CHUNK, count -= CHUNK) {
		int status = 0;
		fflush(stdout);
		pid_t child = fork();
		if (child == 0) {
			unsigned failed = draws(first, CHUNK);
			fflush(stdout);
			_exit(failed != 0);
		}
		if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
			return false;
	}
#endif
	return draws(first, count) == 0;
}

int main(int argc, char **argv)
{
	const char *runs = getenv("UNDO_RUNS");
	unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned long count = strtoul(argc > 2 ? argv[2] : runs ? runs : argc > 1 ? "1" : "80", NULL, 10);
	cases_open(&cases, "tests/log/unit-log-undo.cases");
	read_texts(&functions, "functions");
	read_texts(&files, "files");
	read_texts(&bits, "bits");
	read_texts(&begins, "begins");
	read_texts(&tokens, "tokens");
	read_samples();
	ok(sample_count > 0, "there are samples");
	make_table();
	for (size_t i = 0; argc == 1 && i < sample_count; i++) {
		const char *wrong = NULL;
		bool clean = strcmp(samples[i].name, "translated.log") != 0; /* KDBG has annotated this one */
		random_start(i);
		for (int n = 0; n < 12 && !wrong; n++) {
			const struct settings a = draw_settings(), b = draw_settings();
			wrong = check(&samples[i].text, &a, &b, 1 + random_below(60), clean);
		}
		ok(!wrong, "%s%s%s", samples[i].name, wrong ? ": " : "", wrong ? wrong : "");
	}
	if (argc == 1) {
		test_cases();
		ok(draw_long(710), "a very long line of notes that belong to no token");
	}
	ok(all_draws(first, count), "%lu draws from %lu on", count, first);
	const char *lines = getenv("UNDO_LINES");
	const unsigned long line_count = strtoul(lines ? lines : "6", NULL, 10);
	unsigned wrong_lines = 0;
	for (unsigned long i = 0; i < line_count; i++)
		wrong_lines += !draw_long(first + i);
	ok(wrong_lines == 0, "%lu very long lines", line_count);
	for (size_t i = 0; i < sample_count; i++)
		strbuf_clear(&samples[i].text);
	rossym_free(filtered_table.bytes);
	demangle_warn_if_gave_up();
	free_texts(&functions);
	free_texts(&files);
	free_texts(&bits);
	free_texts(&begins);
	free_texts(&tokens);
	cases_close(&cases);
	return done_testing();
}

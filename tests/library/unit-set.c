/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of modules: where modules are loaded, which file is chosen for one, how many are open, what happens when memory
 * runs out, and what rossym-set.h promises after rossym_set_load(): to threads, and to signal handlers.
 */
#include "config.h"

#include "tests/lib/cases.h"
#include "tests/lib/failing.h"
#include "tests/lib/makepe.h"
#include "tests/lib/random.h"
#include "tests/lib/tap.h"
#include "rossym-set.h"

#include <signal.h>
#include <time.h>
#if defined _POSIX_THREADS && _POSIX_THREADS > 0
#include <pthread.h>
#endif

/* ------------------------------------------------------------------------------------------------ files */

/* ASKED has no table, but a function that answers; for UNKNOWN it finds out that there are no symbols. */
enum kind { GOOD, NO_TABLE, NO_PE, DAMAGED, UNREADABLE, ASKED, UNKNOWN };

/* What there is to be found.  The one function of each file has the file's index for its name. */
static struct file {
	char name[96];
	uint32_t order;
	enum kind kind;
	uint8_t *bytes;
	size_t size;
	enum rossym_build build;
	uint32_t grade;
	char function[8];
	size_t kept; /* bytes that its answers take */
	unsigned opened, closed, asked;
	size_t count; /* of the addresses that were last looked up together */
} files[16];
static size_t file_count;

/* How the files are counted, and what was open at most. */
static bool by_bytes;
static unsigned now_open, most_open;
static int find_fails, finds;

static struct makepe m;

static uint8_t *make_image(uint32_t stamp, uint32_t size_of_image, enum kind kind, const char *function, size_t *size)
{
	makepe_start(&m, MAKEPE_32);
	makepe_section(&m, ".text", 0x1000, 0x1000, 0x1000, MAKEPE_CODE);
	makepe_row(&m, 0x1000, function, "a.c", 1);
	/* The damage is far from what a look-up of 0x1000 reads. */
	for (unsigned i = 1; i < (kind == DAMAGED ? 2000 : 60); i++)
		makepe_row(&m, kind == DAMAGED ? (i == 1900 ? 0x1004 : 0x1000 + 2 * i) : 0x1000 + 16 * i, function,
			   "a.c", 1 + i);
	uint8_t *bytes = makepe_build(&m, size);
	makepe_put(bytes + MAKEPE_PE + 8, stamp, 4);
	makepe_put(bytes + MAKEPE_OPT + 56, size_of_image, 4);
	if (kind == NO_TABLE || kind == ASKED || kind == UNKNOWN)
		bytes[MAKEPE_HEADERS + 40] = 'x';
	if (kind == NO_PE)
		bytes[0] = 'x';
	return bytes;
}

static void add_file(const char *name, uint32_t stamp, uint32_t size_of_image, uint32_t order, uint32_t grade,
		     enum kind kind)
{
	struct file *file = &files[file_count];
	*file = (struct file){ .order = order, .grade = grade, .kind = kind };
	snprintf(file->function, sizeof file->function, "f%u", (unsigned)file_count++);
	snprintf(file->name, sizeof file->name, "%s", name);
	file->bytes = make_image(stamp, size_of_image, kind, file->function, &file->size);
}

/* Give file NUMBER a debug directory with the GUID of a PDB file, whose bytes are all BYTE. */
static void add_guid(size_t number, uint8_t byte)
{
	enum { RAW = 0x1000, RVA = 0x1100, RECORD = 0x140 };
	struct file *file = &files[number];
	uint8_t *bytes = realloc(file->bytes, file->size + RAW), *text = bytes + file->size;

	makepe_need(bytes != NULL);
	memset(text, 0, RAW);
	makepe_put(bytes + MAKEPE_HEADERS + 20, file->size, 4);
	makepe_put(bytes + MAKEPE_OPT + 92, 16, 4);
	makepe_put(bytes + MAKEPE_OPT + 96 + 6 * 8, RVA, 4);
	makepe_put(bytes + MAKEPE_OPT + 96 + 6 * 8 + 4, 28, 4);
	makepe_put(text + 0x100 + 12, 2, 4);
	makepe_put(text + 0x100 + 16, 24 + sizeof "a.pdb", 4);
	makepe_put(text + 0x100 + 20, 0x1000 + RECORD, 4);
	makepe_put(text + 0x100 + 24, file->size + RECORD, 4);
	memcpy(text + RECORD, "RSDS", 4);
	memset(text + RECORD + 4, byte, 16);
	memcpy(text + RECORD + 24, "a.pdb", sizeof "a.pdb");
	file->bytes = bytes;
	file->size += RAW;
}

static void drop_files(void)
{
	while (file_count > 0)
		free(files[--file_count].bytes);
}

/* The function `look_up` of struct rossym_opened: at 0x1000 "inner" is called by the file's function, and nothing is known
   elsewhere. */
static int look_up(struct rossym_opened *opened, const uint64_t *rvas, size_t count, unsigned flags,
		   struct rossym_found *found, struct rossym_error *error)
{
	static struct rossym_frame frames[16][2];
	struct file *file = opened->content;
	struct rossym_frame *own = frames[file - files];

	(void)flags;
	file->asked++;
	file->count = count;
	opened->kept = file->kept;
	if (file->kind == UNKNOWN) {
		*error = (struct rossym_error){ .code = ROSSYM_ENOSYMS, .what = "no symbols were found" };
		return -1;
	}
	own[0] = (struct rossym_frame){ .function = file->function, .function_length = 2, .line = 7 };
	own[1] = (struct rossym_frame){ .function = "outer", .function_length = 5 };
	for (size_t i = 0; i < count; i++)
		if (rvas[i] == 0x1000)
			found[i] = (struct rossym_found){ own, 2 };
	return 0;
}

static bool is_wanted(const char *name, const struct rossym_wanted *wanted)
{
	size_t length = strlen(name), prefix = strlen(wanted->name),
	       suffix = wanted->suffix ? strlen(wanted->suffix) : 0;

	if (!wanted->suffix)
		return strcmp(name, wanted->name) == 0;
	return length >= prefix + suffix && strncmp(name, wanted->name, prefix) == 0 &&
	       strcmp(name + length - suffix, wanted->suffix) == 0;
}

static int find(void *context, const struct rossym_wanted *wanted, struct rossym_candidates *candidates,
		struct rossym_error *err)
{
	(void)context;
	finds++;
	if (find_fails) {
		*err = (struct rossym_error){ .code = ROSSYM_ESYS, .sys_errno = 5, .what = "cannot look" };
		return -1;
	}
	for (size_t i = 0; i < file_count; i++) {
		struct rossym_candidate candidate = {
			.size = sizeof candidate, .file = &files[i], .order = files[i].order, .build = files[i].build
		};

		if (is_wanted(files[i].name, wanted) && rossym_set_offer(candidates, &candidate, err) < 0)
			return -1;
	}
	return 0;
}

static int open_file(void *context, void *handle, struct rossym_opened *opened, struct rossym_error *err)
{
	struct file *file = handle;

	(void)context;
	if (file->kind == UNREADABLE) {
		*err = (struct rossym_error){ .code = ROSSYM_ESYS, .sys_errno = 5, .what = "cannot read" };
		return -1;
	}
	const bool asked = file->kind == ASKED || file->kind == UNKNOWN;
	const struct rossym_open_options options = { .size = sizeof options, .flags = asked ? ROSSYM_OPEN_HEADERS : 0 };
	if (rossym_open_memory(file->bytes, file->size, &options, &opened->image, err) < 0)
		return -1;
	opened->content = file;
	opened->bytes = by_bytes ? 1000 : 0;
	opened->grade = file->grade;
	opened->look_up = asked ? look_up : NULL;
	file->opened++;
	if (++now_open > most_open)
		most_open = now_open;
	return 0;
}

static void release(void *context, void *content)
{
	struct file *file = content;

	(void)context;
	file->closed++;
	now_open--;
}

static const struct rossym_set_options with_files = {
	.size = sizeof with_files,
	.flags = ROSSYM_SET_SHORT_NAMES,
	.find = find,
	.open = open_file,
	.release = release,
};

/* ------------------------------------------------------------------------------------------------ short forms */

static struct rossym_set *set;
static struct rossym_error err;

static void start(const struct rossym_set_options *options)
{
	set = NULL;
	if (rossym_set_create(options, &set, &err) < 0) {
		printf("Bail out! %s\n", err.what);
		exit(99);
	}
}

static void end(const char *name)
{
	rossym_set_destroy(set);
	set = NULL;
	ok(live == 0 && now_open == 0, "%s: nothing is left", name);
}

/* PATH: of its file, or NULL. */
static int add_module_of_file(const char *path, unsigned flags, const char *name, uint64_t base, uint64_t length,
			      uint32_t stamp)
{
	struct rossym_loaded loaded = { .size = sizeof loaded,
					.flags = flags,
					.name = name,
					.name_length = strlen(name),
					.path = path,
					.base = base,
					.length = length,
					.time_date_stamp = stamp };

	return rossym_set_add(set, &loaded, &err);
}

static int add_module(unsigned flags, const char *name, uint64_t base, uint64_t length, uint32_t stamp)
{
	return add_module_of_file(NULL, flags, name, base, length, stamp);
}

/* "m0.sys" and so on, of the last calls. */
static const char *numbered(unsigned i)
{
	static char names[4][16];
	char *name = names[i % 4];
	snprintf(name, sizeof names[0], "m%u.sys", i);
	return name;
}

/* The module at ADDRESS, or "". */
static const char *name_at(uint64_t address)
{
	const struct rossym_module *module;
	uint64_t rva;

	return rossym_set_locate(set, address, &module, &rva) ? module->name : "";
}

static const struct rossym_module *find_module(const char *name)
{
	const struct rossym_module *module;

	return rossym_set_find(set, name, strlen(name), &module, &err) == 0 ? module : NULL;
}

/* What the set says about 0x1000 in NAME: a function, or why there is none. */
static const char *say(const char *name)
{
	const struct rossym_module *module = find_module(name);
	struct rossym_answer answer = { .size = sizeof answer };
	int found = module ? rossym_set_lookup_rva(set, module, 0x1000, 0, &answer, &err) : -1;

	return found < 0 ? "failed" : found ? answer.frame.function : rossym_why_text(answer.why);
}

static const char *say_at(uint64_t address)
{
	struct rossym_answer answer = { .size = sizeof answer };
	int found = rossym_set_lookup(set, address, 0, &answer, &err);

	return found < 0 ? "failed" : found ? answer.frame.function : rossym_why_text(answer.why);
}

/* What rossym_set_lookup_many() said last about each address. */
static const char *answers_of_many[6];

static void visit_function(void *context, size_t index, const struct rossym_answer *answer)
{
	(void)context;
	answers_of_many[index] = answer->frame.function ? answer->frame.function : rossym_why_text(answer->why);
}

static enum rossym_why why_many;

static void take_why(void *context, size_t index, const struct rossym_answer *answer)
{
	(void)context;
	(void)index;
	why_many = answer->why;
	if (answer->module && answer->why == ROSSYM_WHY_NO_BASE)
		why_many = ROSSYM_WHY_BROKEN;
}

/* Why there is no answer at ADDRESS, if one look-up and many agree. */
static const char *why_at(uint64_t address)
{
	struct rossym_answer answer = { .size = sizeof answer };

	if (rossym_set_lookup_many(set, &address, 1, 0, take_why, NULL, &err) < 0 ||
	    rossym_set_lookup(set, address, 0, &answer, &err) < 0)
		return "failed";
	return answer.why == why_many ? rossym_why_text(answer.why) : "they differ";
}

/* ------------------------------------------------------------------------------------------------ cases */

static int add_with_guid(const char *name, uint64_t base, uint32_t stamp, uint8_t byte)
{
	struct rossym_loaded loaded = { .size = sizeof loaded, .name = name, .base = base, .time_date_stamp = stamp };

	memset(loaded.guid, byte, sizeof loaded.guid);
	return rossym_set_add(set, &loaded, &err);
}

static struct case_file cases;

/* The answer to the last statement "look". */
static struct rossym_answer last_answer;

static unsigned word_index(const char *word, const char *const *words)
{
	unsigned i = 0;
	while (words[i] && strcmp(words[i], word) != 0)
		i++;
	if (!words[i])
		cases_refuse(&cases, word);
	return i;
}

/* The file that "f0" names. */
static struct file *file_named(const char *name)
{
	const unsigned long number = strtoul(name + 1, NULL, 10);
	if (name[0] != 'f' || number >= file_count)
		cases_refuse(&cases, "there is no such file");
	return &files[number];
}

/* Begin a set of the KIND that a case wants. */
static void start_kind(const char *kind)
{
	struct rossym_set_options options = with_files;
	if (strcmp(kind, "unopenable") == 0) {
		options.flags = 0;
		options.open = NULL;
	}
	options.most_bytes = strcmp(kind, "small") == 0 ? 999 : 0;
	start(strcmp(kind, "alone") == 0 ? NULL : &options);
}

/* Look up to six addresses up together, from WORDS. */
static int look_up_together(const char *words)
{
	uint64_t addresses[6];
	size_t count = 0;
	char *end;
	for (; *words && count < 6; words = end)
		addresses[count++] = strtoull(words, &end, 16);
	return rossym_set_lookup_many(set, addresses, count, 0, visit_function, NULL, &err);
}

/* Stores what the statement LINE returns in *RET.  Returns false if it is none. */
static bool statement(const char *line, int *ret)
{
	static const char *const kinds[] = { "good",	   "no_table", "no_pe",	  "damaged",
					     "unreadable", "asked",    "unknown", NULL };
	static const char *const forgotten[] = { "all", "user", "images", NULL };
	static const unsigned forget[] = { 0, ROSSYM_FORGET_USER, ROSSYM_FORGET_IMAGES };
	char verb[16] = "", a[96] = "", b[96] = "", c[24] = "", d[24] = "", e[24] = "", f[24] = "";
	*ret = 0;
	sscanf(line, "%15s %95s %95s %23s %23s %23s %23s", verb, a, b, c, d, e, f);
	const uint64_t number_c = strtoull(c, NULL, 16), number_d = strtoull(d, NULL, 16);
	const uint64_t number_a = strtoull(a, NULL, 16);
	const uint32_t number_b = cases_hex(b), number_e = cases_hex(e);
	if (strcmp(verb, "file") == 0 && e[0])
		add_file(a, number_b, (uint32_t)number_c, (uint32_t)number_d, cases_hex(f),
			 (enum kind)word_index(e, kinds));
	else if (strcmp(verb, "drop") == 0)
		drop_files();
	else if (strcmp(verb, "guid") == 0 && a[0] == 'f' && !c[0])
		add_guid((size_t)(file_named(a) - files), (uint8_t)number_b);
	else if (strcmp(verb, "build") == 0)
		file_named(a)->build = strcmp(b, "other") == 0	? ROSSYM_BUILD_OTHER
				       : strcmp(b, "same") == 0 ? ROSSYM_BUILD_SAME
								: (enum rossym_build)number_b;
	else if (strcmp(verb, "order") == 0)
		file_named(a)->order = number_b;
	else if (strcmp(verb, "set") == 0)
		start_kind(a);
	else if (strcmp(verb, "module") == 0)
		*ret = add_module((strstr(a, "fixed") ? ROSSYM_LOADED_FIXED : 0) |
					  (strstr(a, "user") ? ROSSYM_LOADED_USER : 0) |
					  (strstr(a, "anywhere") ? ROSSYM_LOADED_ANYWHERE : 0),
				  b, number_c, number_d, number_e);
	else if (strcmp(verb, "guided") == 0)
		*ret = add_with_guid(a, number_b, (uint32_t)number_c, (uint8_t)number_d);
	else if (strcmp(verb, "forget") == 0)
		*ret = rossym_set_forget(set, forget[word_index(a, forgotten)], &err);
	else if (strcmp(verb, "load") == 0)
		*ret = rossym_set_load(set, &err);
	else if (strcmp(verb, "builds") == 0)
		for (uint32_t i = 0; i < number_b; i++)
			add_module(0, a, 0xa0000000, 0x1000, 0x100 + i);
	else if (strcmp(verb, "find_fails") == 0)
		find_fails = (int)number_a;
	else if (strcmp(verb, "by_bytes") == 0)
		by_bytes = number_a;
	else if (strcmp(verb, "kept") == 0)
		file_named(a)->kept = number_b;
	else if (strcmp(verb, "together") == 0)
		*ret = look_up_together(line + strlen("together"));
	else if (strcmp(verb, "look") == 0) {
		last_answer = (struct rossym_answer){ .size = sizeof last_answer };
		*ret = rossym_set_lookup_rva(set, find_module(a), 0x1000, 0, &last_answer, &err);
	} else
		return false;
	return true;
}

static const char *file_number(const void *file)
{
	static char name[16];
	snprintf(name, sizeof name, "f%u", file ? (unsigned)((const struct file *)file - files) : 0);
	return file ? name : "none";
}

static const char *yes_or_no(bool yes)
{
	return yes ? "yes" : "no";
}

static const char *in_hex(uint64_t number)
{
	static char text[24];
	snprintf(text, sizeof text, "%llx", (unsigned long long)number);
	return text;
}

/* What is known of MODULE: FIELD, or byte NUMBER of it; NULL: it has no such field. */
static const char *module_field(const struct rossym_module *module, const char *field, unsigned number)
{
	return strcmp(field, "file") == 0	   ? file_number(module->file)
	       : strcmp(field, "rival") == 0	   ? file_number(module->rival_file)
	       : strcmp(field, "chosen") == 0	   ? yes_or_no(module->chosen)
	       : strcmp(field, "path") == 0	   ? yes_or_no(module->path != NULL)
	       : strcmp(field, "other_stamp") == 0 ? yes_or_no(module->other_stamp)
	       : strcmp(field, "stamp") == 0	   ? in_hex(module->time_date_stamp)
	       : strcmp(field, "image_stamp") == 0 ? in_hex(module->image_stamp)
	       : strcmp(field, "length") == 0	   ? in_hex(module->length)
	       : strcmp(field, "guid") == 0	   ? in_hex(module->guid[number % 16])
	       : strcmp(field, "image_guid") == 0  ? in_hex(module->image_guid[number % 16])
	       : strcmp(field, "damaged") == 0	   ? yes_or_no(module->error.code == ROSSYM_EDAMAGED)
	       : strcmp(field, "error") == 0	   ? module->error.what
	       : strcmp(field, "why") == 0	   ? module->why == ROSSYM_WHY_ANSWERED ? "answered" : "no answer"
						   : NULL;
}

/* What "together" and "look" said, and what is known without a module: the answer to VERB; NULL: it is another question. */
static const char *answer_to(const char *verb, const char *a)
{
	const uint64_t address = strtoull(a, NULL, 16);
	const struct rossym_module *module = NULL;
	const struct rossym_found *found = &last_answer.found;
	uint64_t rva = 0;
	return strcmp(verb, "say") == 0		 ? say(a)
	       : strcmp(verb, "say_at") == 0	 ? say_at(address)
	       : strcmp(verb, "at") == 0	 ? name_at(address)[0] ? name_at(address) : "none"
	       : strcmp(verb, "why_at") == 0	 ? why_at(address)
	       : strcmp(verb, "told") == 0	 ? answers_of_many[address % 6]
	       : strcmp(verb, "errno") == 0	 ? in_hex((uint64_t)err.sys_errno)
	       : strcmp(verb, "code") == 0	 ? err.code == ROSSYM_EREFUSED ? "refused" : "another"
	       : strcmp(verb, "now_open") == 0	 ? in_hex(now_open)
	       : strcmp(verb, "count") == 0	 ? in_hex(file_named(a)->count)
	       : strcmp(verb, "asked") == 0	 ? in_hex(file_named(a)->asked)
	       : strcmp(verb, "opened") == 0	 ? in_hex(file_named(a)->opened)
	       : strcmp(verb, "characters") == 0 ? in_hex(strlen(a))
	       : strcmp(verb, "frames") == 0	 ? !found->frames == !found->count ? in_hex(found->count) : "odd"
	       : strcmp(verb, "outermost") == 0	 ? found->frames[found->count - 1].function
	       : strcmp(verb, "function") == 0	 ? last_answer.frame.function
	       : strcmp(verb, "line") == 0	 ? in_hex(last_answer.frame.line)
	       : strcmp(verb, "located") == 0	 ? in_hex((uint64_t)rossym_set_locate(set, address, &module, &rva))
	       : strcmp(verb, "rva") == 0	 ? rossym_set_locate(set, address, &module, &rva) ? in_hex(rva) : "none"
	       : strcmp(verb, "numbered") == 0
		       ? rossym_set_get_module(set, (uint32_t)address, &module) ? module->name : "none"
	       : strcmp(verb, "find") == 0 ? rossym_set_find(set, a, strlen(a), &module, NULL) == 0 ? "0" : "failed"
					   : NULL;
}

/* The answer to the question LINE. */
static const char *question(const char *line)
{
	char verb[16] = "", a[96] = "", b[24] = "";
	sscanf(line, "%15s %95s %23s", verb, a, b);
	const char *answer = answer_to(verb, a);
	const struct rossym_module *module = answer ? NULL : find_module(a);
	if (module)
		answer = module_field(module, verb, (unsigned)strtoul(b, NULL, 10));
	if (!answer)
		cases_refuse(&cases, line);
	return answer;
}

/* The cases of SECTION. */
static void test_cases(const char *section)
{
	cases_open(&cases, "tests/library/unit-set.cases");
	while (cases_next(&cases, section)) {
		char answers[512] = "";
		bool ended = false;
		int status = 0;
		for (char *line = strtok(cases.input, "\n"); line; line = strtok(NULL, "\n")) {
			const size_t n = strlen(answers);
			ended = strcmp(line, "end") == 0;
			if (ended)
				end(cases.expected);
			else if (strncmp(line, "= ", 2) == 0 && statement(line + 2, &status))
				snprintf(answers + n, sizeof answers - n, "%s%d", n ? " " : "", status);
			else if (!statement(line, &status))
				snprintf(answers + n, sizeof answers - n, "%s%s", n ? " " : "", question(line));
		}
		if (ended)
			continue;
		const char *name = cases_rest(&cases, cases.expected, ": ");
		is_str(answers, cases.expected, name);
	}
	cases_close(&cases);
}

/* ------------------------------------------------------------------------------------------------ many bases */

/* The same by a model that knows nothing of order: the base of each address of a small space, the last one
   added first. */
static void test_many_bases(void)
{
	enum { SPACE = 64, ROUNDS = 3000 };
	char owner[SPACE], at[SPACE]; /* whose each address is; who begins there */
	unsigned wrong = 0;

	random_start(7);
	start(NULL);
	memset(owner, 0, sizeof owner);
	memset(at, 0, sizeof at);
	for (unsigned round = 0; round < ROUNDS; round++) {
		unsigned base = random_below(SPACE), length = 1 + random_below(12);
		char name[2] = { (char)('a' + random_below(4)), '\0' };

		if (base + length > SPACE)
			continue;
		for (unsigned i = 0; i < SPACE; i++) {
			unsigned last = i;
			if (!at[i])
				continue;
			while (last + 1 < SPACE && owner[last + 1] == owner[i] && !at[last + 1])
				last++;
			if (i >= base + length || last < base)
				continue;
			memset(owner + i, 0, last - i + 1);
			at[i] = '\0';
		}
		memset(owner + base, name[0], length);
		at[base] = name[0];
		if (add_module(0, name, 0x1000 + base, length, 0) < 0)
			wrong++;
		for (unsigned i = 0; i < SPACE; i++)
			wrong += name_at(0x1000 + i)[0] != owner[i];
	}
	is_uint(wrong, 0, "3,000 modules in one place: each address is the last one's");
	end("many bases");
}

/* ------------------------------------------------------------------------------------------------ refusals */

static bool refused(int status)
{
	bool good = status == -1 && err.code == ROSSYM_EREFUSED && err.what[0];

	err.code = ROSSYM_OK;
	return good;
}

static void test_refused(void)
{
	/* What a later version could have: one more field. */
	struct {
		struct rossym_set_options known;
		uint64_t more;
	} options = { { .size = sizeof options }, 0 };
	struct {
		struct rossym_loaded known;
		uint64_t more;
	} loaded = {
		{ .size = sizeof loaded, .name = "a", .name_length = 1 },
		0,
	};
	const struct rossym_module *module;
	struct rossym_answer answer = { .size = sizeof answer };
	char longest[200];

	memset(longest, 'n', sizeof longest);
	is_int(rossym_set_create(&options.known, &set, &err), 0, "larger options, the rest 0");
	is_int(rossym_set_add(set, &loaded.known, &err), 0, "a larger module, the rest 0");
	loaded.known.name = "old.sys";
	loaded.known.name_length = 0;
	is_int(rossym_set_add(set, &loaded.known, &err), 0, "a name up to its NUL");
	is_int(rossym_set_find(set, "old.sys", 7, &module, &err), 0, "a module has this name");
	loaded.known = (struct rossym_loaded){ .size = sizeof loaded, .name = "a", .name_length = 1 };
	rossym_set_destroy(set);
	options.more = loaded.more = 1;
	ok(refused(rossym_set_create(&options.known, &set, &err)), "options with something unknown");
	options.known.size = sizeof options.known - 1;
	ok(refused(rossym_set_create(&options.known, &set, &err)), "options that are too small");
	options.known = (struct rossym_set_options){ .size = sizeof options.known, .flags = 2 };
	ok(refused(rossym_set_create(&options.known, &set, &err)), "options with an unknown flag");
	options.known.flags = 0;
	options.known.most_modules = 3;
	start(&options.known);
	ok(refused(rossym_set_add(set, &loaded.known, &err)), "a module with something unknown");
	loaded.known = (struct rossym_loaded){ .size = 8, .name = "a", .name_length = 1 };
	ok(refused(rossym_set_add(set, &loaded.known, &err)), "a module that is too small");
	ok(refused(add_module(8, "a", 0, 0, 0)), "a module with an unknown flag");
	ok(refused(add_module(0, "", 0, 0, 0)), "a module without a name");
	ok(refused(add_module(0, "dir/", 0, 0, 0)), "a module with a path only");
	ok(refused(add_module(0, "a", 2, UINT64_MAX - 1, 0)), "a module beyond the end of all addresses");
	loaded.known = (struct rossym_loaded){ .size = sizeof loaded.known, .name = "a\0b", .name_length = 3 };
	ok(refused(rossym_set_add(set, &loaded.known, &err)), "a module with a NUL in its name");
	loaded.known.name = NULL;
	ok(refused(rossym_set_add(set, &loaded.known, &err)), "a module with no name at all");
	ok(refused(rossym_set_forget(set, 4, &err)), "unknown flags: rossym_set_forget()");
	ok(refused(rossym_set_forget(set, ROSSYM_FORGET_USER | ROSSYM_FORGET_IMAGES, &err)), "two flags");
	ok(refused(rossym_set_find(set, "", 0, &module, &err)), "no name: rossym_set_find()");
	ok(refused(rossym_set_find(set, longest, 128, &module, &err)), "128 bytes of a name");
	is_int(rossym_set_find(set, longest, 127, &module, &err), 0, "127 are good");
	ok(refused(rossym_set_lookup(set, 0, 2, &answer, &err)), "unknown flags: rossym_set_lookup()");
	ok(refused(rossym_set_lookup_rva(set, module, 0, 2, &answer, &err)), "rossym_set_lookup_rva()");
	answer.size--;
	ok(refused(rossym_set_lookup(set, 0, 0, &answer, &err)), "an answer that is too small: rossym_set_lookup()");
	ok(refused(rossym_set_lookup_rva(set, module, 0, 0, &answer, &err)), "rossym_set_lookup_rva()");
	ok(refused(rossym_set_lookup_many(set, NULL, 0, 2, NULL, NULL, &err)), "rossym_set_lookup_many()");
	is_int(rossym_set_lookup_many(set, NULL, 0, 0, NULL, NULL, &err), 0, "no addresses at all");
	add_module(0, "b", 0x1000, 0x1000, 0);
	add_module(0, "c", 0x2000, 0, 0);
	ok(refused(add_module(0, "d", 0x1800, 0, 0)), "one module too many");
	is_str(name_at(0x1800), "", "its addresses are nobody's");
	is_str(name_at(0x2000), "", "all bases are forgotten");
	ok(refused(rossym_set_find(set, "d", 1, &module, &err)), "one name too many");
	add_module(ROSSYM_LOADED_FIXED, "b", 0x2000, 0, 0);
	for (unsigned i = 0; i < 2; i++)
		add_module(0, "c", 0x3000 + i, 1, 0);
	ok(refused(add_module(0, "c", 0x4000, 1, 0)), "one base too many");
	is_str(name_at(0x3000), "b", "all bases are forgotten, but for what is fixed");
	is_int(add_module(0, "c", 0x4000, 1, 0), 0, "then there is room");
	is_str(name_at(0x4000), "c", "for new ones");
	is_int(rossym_set_get_module(set, 2, &module), 1, "three modules");
	is_int(rossym_set_get_module(set, 3, &module), 0, "and no more");
	end("refusals");
	rossym_set_destroy(NULL);
}

/* A log may have any number of names. */
static void test_many_names(void)
{
	const struct rossym_set_options options = { .size = sizeof options, .most_modules = 100 };
	const struct rossym_module *module;
	unsigned good = 0;
	size_t after_100 = 0;

	start(&options);
	for (unsigned i = 0; i < 2000; i++) {
		const char *name = numbered(i);
		if (i == 100)
			after_100 = live;
		good += rossym_set_find(set, name, strlen(name), &module, NULL) == 0;
		good += add_module(0, name, 0x1000, 0, 0) == 0;
	}
	is_uint(good, 200, "2,000 names: 100 are taken,");
	is_uint(live - after_100, 0, "... the others take no memory");
	is_int(rossym_set_find(set, "m99.sys", 7, &module, &err), 0, "what is known is found");
	end("many names");
}

/* ------------------------------------------------------------------------------------------------ choice */

/* More builds of a name than are kept apart, so that an image is chosen for each again and again: none that was open is
   closed for that, and opened again. */
static void test_alternating_builds(void)
{
	unsigned before[] = { files[0].opened, files[1].opened }, wrong = 0;
	by_bytes = true;
	start(&with_files);
	for (unsigned i = 0; i < 60; i++) {
		add_module(0, "a.sys", 0x80000000, 0x3000, 0x11);
		wrong += strcmp(say("a.sys"), "f0") != 0;
		add_module(0, "a.sys", 0x90000000, 0x3000, 0x22);
		wrong += strcmp(say("a.sys"), "f1") != 0;
		add_module(0, "a.sys", 0xa0000000, 0x3000, 0x1000 + i);
		say("a.sys");
	}
	is_uint(wrong, 0, "builds in turn: each answers");
	is_uint(files[0].opened - before[0], 1, "the first is opened once");
	is_uint(files[1].opened - before[1], 2,
		"the second too, and once more: it was not chosen when it was first seen");
	end("alternating builds");
	by_bytes = false;
}

/* Files by path, without callbacks. */
static void test_paths(void)
{
	char path[2][4096];
	struct rossym_answer answer = { .size = sizeof answer };

	for (unsigned i = 0; i < 2; i++) {
		if (!makepe_file(path[i], files[i].bytes, files[i].size)) {
			skip("modules by path", "no temporary file");
			return;
		}
	}
	start(NULL);
	for (unsigned i = 0; i < 2; i++)
		add_module_of_file(path[i], 0, "same.dll", 0x10000000 * (i + 1), 0x3000, 0);
	add_module_of_file("/nowhere/at/all", 0, "away.dll", 0x30000000, 0x3000, 0);
	is_str(say_at(0x10001000), "f0", "a path");
	is_str(say_at(0x20001000), "f1", "a module of that name with another path");
	is_int(rossym_set_lookup(set, 0x30001000, 0, &answer, &err), 0, "a file that is not there");
	is_int((int)answer.why, ROSSYM_WHY_BROKEN, "cannot be read");
	is_int((int)answer.module->error.code, ROSSYM_ESYS, "and the module says why");
	is_int(rossym_set_lookup(set, 0x10002fff, 0, &answer, &err), 0, "an address in no section");
	is_int((int)answer.why, ROSSYM_WHY_UNKNOWN, "is unknown");
	is_str(answer.module->path, path[0], "its image has a path");
	is_int(rossym_set_lookup(set, 0x10003000, 0, &answer, &err), 0, "an address beyond the module");
	is_int((int)answer.why, ROSSYM_WHY_NO_BASE, "is nowhere");
	ok(!answer.module && !answer.image && !answer.frame.function, "nothing else is told");
	rossym_set_lookup_rva(set, find_module("same.dll"), 0x3000, 0, &answer, &err);
	is_int((int)answer.why, ROSSYM_WHY_OUTSIDE, "an RVA beyond the image");
	end("paths");
	for (unsigned i = 0; i < 2; i++)
		unlink(path[i]);
}

/* ------------------------------------------------------------------------------------------------ limits */

/* How often files were opened. */
static unsigned opened(void)
{
	unsigned sum = 0;
	for (size_t i = 0; i < file_count; i++)
		sum += files[i].opened;
	return sum;
}

static void test_limits(bool bytes)
{
	struct rossym_set_options options = with_files;
	char name[16];
	unsigned wrong = 0;

	drop_files();
	for (unsigned i = 0; i < 10; i++)
		add_file(numbered(i), i, 0x3000, 1, 0, GOOD);
	by_bytes = bytes;
	most_open = 0;
	options.most_open = 3;
	options.most_bytes = 3000;
	start(&options);
	for (unsigned i = 0; i < 30; i++) {
		snprintf(name, sizeof name, "f%u", i % 10);
		wrong += strcmp(say(numbered(i % 10)), name) != 0;
	}
	is_uint(wrong, 0, bytes ? "each answers, of limited size" : "each answers, few at a time");
	/* The new one is open before the oldest is closed. */
	is_uint(most_open, 4, "so many are open at once");
	is_uint(opened(), 30, "in turn, each is opened anew");
	for (unsigned i = 0; i < 30; i++)
		wrong += strcmp(say(numbered(i % 3)), "failed") == 0;
	is_uint(opened(), 33, "three by turns stay open");
	is_int(rossym_set_load(set, &err), 0, "load");
	is_uint(now_open, 10, "opens all");
	end("limits");
	by_bytes = false;
}

/* A table is prepared when many addresses were looked up since its image was opened, each time anew. */
enum { OFFERED = 16, SOME_MODULES = 4000 }; /* candidates of each module, and modules, of test_many_files() */

static int offer_many(void *context, const struct rossym_wanted *wanted, struct rossym_candidates *candidates,
		      struct rossym_error *error)
{
	const unsigned number = (unsigned)strtoul(wanted->name + 1, NULL, 10);
	(void)context;
	for (unsigned i = 0; i < OFFERED && !wanted->suffix; i++) {
		const struct rossym_candidate candidate = { .size = sizeof candidate,
							    .file = (void *)(uintptr_t)(1 + number * OFFERED + i),
							    .order = 1 };
		if (rossym_set_offer(candidates, &candidate, error) < 0)
			return -1;
	}
	return 0;
}

static int open_same(void *context, void *file, struct rossym_opened *opened, struct rossym_error *error)
{
	const struct file *content = context;
	(void)file;
	opened->bytes = content->size;
	return rossym_open_memory(content->bytes, content->size, NULL, &opened->image, error);
}

/* The time to close an image must not depend on how many files have ever been open: else this takes half a minute. */
static void test_many_files(void)
{
	struct file content = { .kind = GOOD };
	const struct rossym_set_options options = {
		.size = sizeof options, .most_bytes = 1, .find = offer_many, .open = open_same, .context = &content
	};
	content.bytes = make_image(1, 0x10000, GOOD, "f", &content.size);
	const clock_t begin = clock();
	start(&options);
	for (unsigned i = 0; i < SOME_MODULES; i++) {
		char name[32];
		snprintf(name, sizeof name, "m%u.exe", i);
		add_module(0, name, UINT64_C(0x100000) * (i + 1), 0, 0);
		say_at(UINT64_C(0x100000) * (i + 1));
	}
	ok(clock() - begin < (clock_t)5 * CLOCKS_PER_SEC, "many files");
	end("after many files");
	free(content.bytes);
}

static void test_prepared(void)
{
	struct rossym_set_options options = with_files;
	struct rossym_answer answer = { .size = sizeof answer };
	unsigned first[3] = { 0 }; /* which look-up prepared the table */

	options.most_open = 1;
	start(&options);
	for (unsigned i = 0; i < 3; i++) {
		for (unsigned k = 1; k <= 1000; k++) {
			rossym_set_lookup_rva(set, find_module("m0.sys"), 0x1000, 0, &answer, &err);
			if (!first[i] && rossym_is_prepared(answer.image))
				first[i] = k;
		}
		say("m1.sys");
	}
	ok(first[0] > 1, "look-up %u prepares", first[0]);
	ok(first[1] == first[0] && first[2] == first[0], "after opening again, too");
	end("prepared");
}

/* ------------------------------------------------------------------------------------------------ many */

enum { MANY = 5000 };
static uint64_t addresses[MANY];
static unsigned visits[MANY], wrong_visits;
static const void *last_module;
static unsigned changes;

static void visit(void *context, size_t index, const struct rossym_answer *answer)
{
	const struct rossym_module *module;
	uint64_t rva;
	char name[16] = "";

	(void)context;
	visits[index]++;
	changes += answer->module != last_module;
	last_module = answer->module;
	if (!rossym_set_locate(set, addresses[index], &module, &rva)) {
		wrong_visits += answer->why != ROSSYM_WHY_NO_BASE || answer->module;
		return;
	}
	snprintf(name, sizeof name, "f%s", module->name + 1);
	enum rossym_why why = rva >= 0x3000		      ? ROSSYM_WHY_OUTSIDE
			      : rva < 0x1000 || rva >= 0x2000 ? ROSSYM_WHY_UNKNOWN
							      : ROSSYM_WHY_ANSWERED;
	wrong_visits += answer->module != module || answer->rva != rva || answer->why != why || !answer->image;
	if (why == ROSSYM_WHY_ANSWERED)
		wrong_visits += strncmp(answer->frame.function, name, strlen(answer->frame.function)) != 0 ||
				answer->frame.line != (rva < 0x13b0 ? (rva - 0x1000) / 16 + 1 : 60);
	else
		wrong_visits += answer->frame.function || answer->frame.file || answer->frame.line;
}

static void look_up_many(const char *name)
{
	memset(visits, 0, sizeof visits);
	wrong_visits = changes = 0;
	last_module = &visits;
	is_int(rossym_set_lookup_many(set, addresses, MANY, 0, visit, NULL, &err), 0, name);
	for (unsigned i = 0; i < MANY; i++)
		wrong_visits += visits[i] != 1;
	is_uint(wrong_visits, 0, "each address is visited once, and rightly");
	is_uint(changes, 11, "module after module");
}

static void add_ten(void)
{
	for (unsigned i = 0; i < 10; i++)
		add_module(0, numbered(i), 0x10000 * (i + 1), 0x4000, 0);
}

static void test_lookup_many(void)
{
	struct rossym_set_options options = with_files;

	options.most_open = 1;
	start(&options);
	add_ten();
	random_start(3);
	for (unsigned i = 0; i < MANY; i++)
		addresses[i] = random_below(0x5000) + 0x10000 * random_below(12);
	for (unsigned i = 0; i < 10; i++)
		files[i].opened = 0;
	look_up_many("5,000 addresses of ten modules, one open at a time");
	is_uint(opened(), 10, "each image is opened once");
	is_int(rossym_set_load(set, &err), 0, "load");
	look_up_many("the same after loading");
	end("many");
}

/* ------------------------------------------------------------------------------------------------ loaded */

/* Look up all addresses one by one.  Returns how many are wrong. */
static unsigned look_up_all(void)
{
	unsigned wrong = 0;

	for (unsigned i = 0; i < MANY; i++) {
		struct rossym_answer answer = { .size = sizeof answer };
		const struct rossym_module *module;
		uint64_t rva;
		bool known = rossym_set_locate(set, addresses[i], &module, &rva);
		int found = rossym_set_lookup(set, addresses[i], 0, &answer, NULL);

		wrong += found != (known && rva >= 0x1000 && rva < 0x2000);
		if (found > 0) {
			struct rossym_frames frames;
			struct rossym_frame frame;

			wrong += answer.frame.function[1] != module->name[1];
			wrong += rossym_frames_begin(answer.image, &answer.frame, &frames, NULL) < 0 ||
				 rossym_frames_next(&frames, &frame) != 1;
		}
	}
	return wrong;
}

static volatile sig_atomic_t handled;

static void handler(int number)
{
	(void)number;
	handled = look_up_all() == 0 ? 1 : -1;
}

#if defined _POSIX_THREADS && _POSIX_THREADS > 0
static void count_visit(void *context, size_t index, const struct rossym_answer *answer)
{
	(void)index;
	*(unsigned *)context += answer->why == ROSSYM_WHY_ANSWERED;
}

static void *work(void *result)
{
	unsigned answered = 0, again = 0;
	unsigned wrong = look_up_all();
	wrong += rossym_set_lookup_many(set, addresses, MANY, 0, count_visit, &answered, NULL) != 0;
	wrong += rossym_set_lookup_many(set, addresses, MANY, 0, count_visit, &again, NULL) != 0;
	*(unsigned *)result = wrong + (answered == 0) + (answered != again);
	return NULL;
}
#endif

static void test_threads(void)
{
#if defined _POSIX_THREADS && _POSIX_THREADS > 0
	enum { THREADS = 8 };
	pthread_t threads[THREADS];
	unsigned wrong[THREADS] = { 0 }, started = 0, sum = 0;
	while (started < THREADS && pthread_create(&threads[started], NULL, work, &wrong[started]) == 0)
		started++;
	for (unsigned i = 0; i < started; i++) {
		pthread_join(threads[i], NULL);
		sum += wrong[i];
	}
	if (started >= 2) {
		is_uint(sum, 0, "threads");
		return;
	}
#endif
	skip("threads", "cannot start threads");
}

/* After loading: no memory is asked for or freed, and no file is opened, read or closed. */
static void test_loaded(void)
{
	char path[4096];
	bool by_path = makepe_file(path, files[9].bytes, files[9].size);

	start(&with_files);
	add_ten();
	if (by_path)
		add_module_of_file(path, 0, "m9.sys", 0xa0000, 0x4000, 0);
	is_int(rossym_set_load(set, &err), 0, "load");
	unsigned long before = allocations;
	const size_t blocks = live;
	int found = finds;
	unsigned open_before = now_open;
	/* What the file has now is nothing that could be read. */
	ok(!by_path || truncate(path, 0) == 0, "the file of one is emptied");
	is_uint(look_up_all(), 0, "all addresses");
	handled = 0;
	signal(SIGINT, handler);
	raise(SIGINT);
	is_int(handled, 1, "in a signal handler");
	ok(allocations == before && live == blocks && finds == found && now_open == open_before,
	   "nothing was allocated, looked for, opened or closed");
	is_int(rossym_set_load(set, &err), 0, "loading again");
	is_uint(allocations, before, "does nothing");
	test_threads();
	end("loaded");
	if (by_path)
		unlink(path);
}

/* ------------------------------------------------------------------------------------------------ memory */

/* All that a set does, until the first failure. */
static int do_all(char *said, size_t size)
{
	struct rossym_set_options options = with_files;
	struct rossym_answer answer = { .size = sizeof answer };
	const struct rossym_module *module;

	options.most_open = 2;
	*said = '\0';
	if (rossym_set_create(&options, &set, &err) < 0)
		return -1;
	if (add_module(0, "m1.sys", 0x100000, 0x3000, 1) < 0 || add_module(0, "m2.sys", 0x200000, 0, 0) < 0 ||
	    add_module(0, "m1.sys", 0x300000, 0x3000, 2) < 0 ||
	    add_module_of_file("/nowhere", 0, "m1.sys", 0x800000, 0x3000, 5) < 0)
		return -1;
	for (unsigned i = 0; i < 8; i++) {
		char name[8];
		snprintf(name, sizeof name, "m%u", i);
		if (rossym_set_find(set, name, 2, &module, &err) < 0 ||
		    rossym_set_lookup_rva(set, module, 0x1010, 0, &answer, &err) < 0)
			return -1;
		snprintf(said + strlen(said), size - strlen(said), "%s ", answer.frame.function);
	}
	static const uint64_t few[] = { 0x101000, 0x201000, 0x301000, 0x801000, 1 };
	for (unsigned i = 0; i < 5; i++) {
		if (rossym_set_lookup(set, few[i], 0, &answer, &err) < 0)
			return -1;
		snprintf(said + strlen(said), size - strlen(said), "%s ", rossym_why_text(answer.why));
	}
	if (rossym_set_load(set, &err) < 0)
		return -1;
	return rossym_set_lookup_many(set, addresses, 5, 0, visit, NULL, &err);
}

static void test_no_memory(void)
{
	char expected[1000], said[1000];
	unsigned failures = 0, wrong = 0;
	struct sweep sweep = { 0 };

	is_int(do_all(expected, sizeof expected), 0, "everything, with memory");
	rossym_set_destroy(set);
	while (sweep_next(&sweep)) {
		set = NULL;
		int status = do_all(said, sizeof said);
		sweep_stop(&sweep);
		failures += sweep.failed;
		/* An index that cannot be built is done without. */
		wrong += status < 0 ? err.code != ROSSYM_ENOMEM : strcmp(said, expected) != 0;
		/* What failed can be repeated. */
		if (set)
			for (unsigned i = 0; i < 8; i++) {
				char function[8];
				snprintf(function, sizeof function, "f%u", i);
				wrong += i != 1 && strcmp(say(numbered(i)), function) != 0;
			}
		rossym_set_destroy(set);
		wrong += now_open != 0;
	}
	wrong += sweep.leaks > 0;
	set = NULL;
	if (!ok(wrong == 0 && failures > 50, "each of %u allocations fails once", failures))
		diag("%u wrong", wrong);
	is_str(said, expected, "the last time none did");
}

int main(void)
{
	test_cases("bases");
	test_many_bases();
	test_refused();
	test_many_names();
	test_cases("guids");
	drop_files();
	test_cases("build signs");
	test_cases("cut names");
	test_cases("choice");
	test_cases("failures");
	test_cases("builds");
	test_alternating_builds();
	test_paths();
	test_limits(false);
	test_limits(true);
	test_many_files();
	test_prepared();
	test_lookup_many();
	test_loaded();
	test_no_memory();
	drop_files();
	test_cases("outside");
	test_cases("grades");
	drop_files();
	test_cases("asked");
	drop_files();
	return done_testing();
}

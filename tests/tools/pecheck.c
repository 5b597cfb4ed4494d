/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pecheck - whether an image that rossym-embed made is one that Windows NT would load, and is the old one otherwise
 *
 *	pecheck [-g] [-k] [-n] NEW [OLD]
 *	pecheck -l IMAGE		prints its sections: name, virtual size, RVA, raw size, raw offset
 *
 * It shares no code with the library, on purpose.  Prints what is wrong, one fact a line, and exits 1 if there is
 * anything.  Of NEW alone: the checksum; the headers' sizes; that sections follow each other without gaps in memory
 * (-g: gaps are all right) and without overlaps in the file, aligned and inside it; that data directories lie in
 * sections; that debug directory entries agree with themselves; that .rossym is there once, is last and has its
 * attributes (-n: there is none).  Compared with OLD: that each byte that OLD has in memory, and is not debug
 * information (-k: even then), is at the same address in NEW, base relocations and the debug directory aside; and that
 * no other header field differs.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int problems;

#ifdef __GNUC__
__attribute__((format(printf, 1, 2)))
#endif
static void
problem(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
	problems++;
}

struct section {
	char name[64];
	uint32_t vsize, rva, rsize, roff, flags;
};

struct image {
	uint8_t *p;
	size_t size;
	uint32_t pe, opt, dirs, ndirs, nsections, salign, falign, headers, imagesize;
	bool wide;
	struct section *sections;
};

static uint32_t u16(const struct image *im, size_t at)
{
	return at + 2 <= im->size ? (uint32_t)im->p[at] | (uint32_t)im->p[at + 1] << 8 : 0;
}

static uint32_t u32(const struct image *im, size_t at)
{
	return u16(im, at) | u16(im, at + 2) << 16;
}

/* An offset of six digits, the highest first. */
static size_t base64(const char *p)
{
	size_t n = 0;
	for (; *p; p++)
		n = n * 64 + (size_t)(*p >= 'a'	  ? *p - 'a' + 26
				      : *p >= 'A' ? *p - 'A'
				      : *p >= '0' ? *p - '0' + 52
				      : *p == '+' ? 62
						  : 63);
	return n;
}

static void load(struct image *im, const char *path)
{
	FILE *f = fopen(path, "rb");
	long size;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0 || fseek(f, 0, SEEK_SET)) {
		perror(path);
		exit(99);
	}
	im->size = (size_t)size;
	im->p = malloc(im->size + 1);
	if (!im->p || fread(im->p, 1, im->size, f) != im->size) {
		perror(path);
		exit(99);
	}
	fclose(f);
	im->pe = u32(im, 60);
	im->opt = im->pe + 24;
	im->wide = u16(im, im->opt) == 0x20b;
	im->nsections = u16(im, im->pe + 6);
	im->salign = u32(im, im->opt + 32);
	im->falign = u32(im, im->opt + 36);
	im->imagesize = u32(im, im->opt + 56);
	im->headers = u32(im, im->opt + 60);
	im->dirs = im->opt + (im->wide ? 112 : 96);
	im->ndirs = u32(im, im->dirs - 4);
	if (im->ndirs > 16)
		im->ndirs = 16;
	im->sections = calloc(im->nsections + 1, sizeof *im->sections);

	size_t table = im->opt + u16(im, im->pe + 20);
	size_t strings = u32(im, im->pe + 12) + (size_t)u32(im, im->pe + 16) * 18;
	for (uint32_t i = 0; i < im->nsections; i++) {
		size_t at = table + 40 * (size_t)i;
		struct section *s = &im->sections[i];
		if (at + 40 > im->size) {
			printf("%s: the section table is cut off\n", path);
			exit(1);
		}
		memcpy(s->name, im->p + at, 8);
		if (s->name[0] == '/' && u32(im, im->pe + 12)) {
			size_t name = strings + (s->name[1] == '/' ? base64(s->name + 2) : (size_t)atoi(s->name + 1));
			if (name < im->size)
				snprintf(s->name, sizeof s->name, "%.*s", (int)(im->size - name), (char *)im->p + name);
		}
		s->vsize = u32(im, at + 8);
		s->rva = u32(im, at + 12);
		s->rsize = u32(im, at + 16);
		s->roff = u32(im, at + 20);
		s->flags = u32(im, at + 36);
	}
}

static uint64_t up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

static const struct section *at_rva(const struct image *im, uint32_t rva)
{
	for (uint32_t i = 0; i < im->nsections; i++) {
		const struct section *s = &im->sections[i];
		uint32_t size = s->vsize ? s->vsize : s->rsize;
		if (rva >= s->rva && rva - s->rva < size)
			return s;
	}
	return NULL;
}

/* The byte at RVA when loaded; 256 if there is none. */
static unsigned loaded(const struct image *im, uint32_t rva)
{
	const struct section *s = at_rva(im, rva);

	if (!s)
		return rva < im->headers ? im->p[rva] : 256;
	if (rva - s->rva >= s->rsize || s->roff == 0)
		return 0;
	return (size_t)s->roff + (rva - s->rva) < im->size ? im->p[s->roff + (rva - s->rva)] : 256;
}

/* ---- one image ---- */

static void check_checksum(const struct image *im)
{
	uint64_t sum = 0;

	/* Word by word with the carry added at once, as imagehlp does it. */
	for (size_t i = 0; i < im->size; i += 2) {
		uint32_t word = im->p[i] | (i + 1 < im->size ? (uint32_t)im->p[i + 1] << 8 : 0);
		if (i == im->opt + 64 || i == im->opt + 66)
			word = 0;
		sum += word;
		sum = (sum & 0xffff) + (sum >> 16);
	}
	sum += im->size;
	if (u32(im, im->opt + 64) != sum)
		problem("checksum is 0x%08" PRIx32 ", should be 0x%08" PRIx64, u32(im, im->opt + 64), sum);
}

static void check_layout(const struct image *im, bool gaps)
{
	uint64_t next = up(im->headers, im->salign);
	uint64_t raw = im->headers;
	bool flat = true; /* up to here */

	if (im->headers % im->falign)
		problem("SizeOfHeaders 0x%" PRIx32 " is not aligned", im->headers);
	if (im->opt + u16(im, im->pe + 20) + 40 * (uint64_t)im->nsections > im->headers)
		problem("the section table does not fit into SizeOfHeaders");
	for (uint32_t i = 0; i < im->nsections; i++) {
		const struct section *s = &im->sections[i];
		uint64_t size = s->vsize ? s->vsize : s->rsize;
		if (size == 0)
			problem("%s is empty", s->name);
		if (gaps ? s->rva < next : s->rva != next)
			problem("%s is at 0x%" PRIx32 ", should be at 0x%" PRIx64, s->name, s->rva, next);
		next = up(s->rva + size, im->salign);
		if (s->rsize == 0) {
			if (s->roff)
				problem("%s has no data, but an offset", s->name);
			continue;
		}
		if (s->roff % im->falign || s->rsize % im->falign)
			problem("the data of %s is not aligned", s->name);
		if (s->roff < raw)
			problem("the data of %s at 0x%" PRIx32 " overlaps what ends at 0x%" PRIx64, s->name, s->roff,
				raw);
		raw = (uint64_t)s->roff + s->rsize;
		if (raw > im->size)
			problem("the data of %s ends behind the file", s->name);
		if (im->salign < 0x1000 && s->roff != s->rva && flat && i == im->nsections - 1)
			problem("%s is at 0x%" PRIx32 " in a file that is mapped as it is", s->name, s->roff);
		flat &= s->roff == s->rva;
	}
	if (im->imagesize != next)
		problem("SizeOfImage is 0x%" PRIx32 ", should be 0x%" PRIx64, im->imagesize, next);
}

static void check_directories(const struct image *im)
{
	for (uint32_t i = 0; i < im->ndirs; i++) {
		uint32_t rva = u32(im, im->dirs + 8 * i), size = u32(im, im->dirs + 8 * i + 4);
		if (!rva || i == 4 || (i == 11 && rva + size <= im->headers))
			continue;
		if (!at_rva(im, rva) || (size && at_rva(im, rva) != at_rva(im, rva + size - 1)))
			problem("data directory %" PRIu32 " at 0x%" PRIx32 " is in no section", i, rva);
	}
	uint32_t rva = u32(im, im->dirs + 8 * 6), size = u32(im, im->dirs + 8 * 6 + 4);
	const struct section *s = im->ndirs > 6 && rva ? at_rva(im, rva) : NULL;
	for (uint32_t i = 0; s && i + 28 <= size; i += 28) {
		size_t at = s->roff + (rva - s->rva) + i;
		uint32_t to = u32(im, at + 20), off = u32(im, at + 24);
		const struct section *data = to ? at_rva(im, to) : NULL;
		if (data && data->roff + (to - data->rva) != off)
			problem("debug directory entry %" PRIu32 ": 0x%" PRIx32 " is not at file offset 0x%" PRIx32,
				i / 28, to, off);
	}
}

static void check_table(const struct image *im, bool none)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < im->nsections; i++)
		count += !strcmp(im->sections[i].name, ".rossym");
	if (count != !none)
		problem("%" PRIu32 " .rossym sections", count);
	if (none || !im->nsections)
		return;
	const struct section *s = &im->sections[im->nsections - 1];
	if (strcmp(s->name, ".rossym"))
		problem("the last section is %s", s->name);
	if (s->flags != 0x42000802)
		problem(".rossym has characteristics 0x%" PRIx32, s->flags);
	/* Behind the table, at the next multiple of 4, there may be an extension block, which says how long it is. */
	uint32_t end = u32(im, s->roff + 8) + u32(im, s->roff + 12), block = (uint32_t)up(end, 4);
	if (block < s->vsize && s->roff + block + 12 <= im->size && !memcmp(im->p + s->roff + block, "ROSSYMX", 7))
		end = block + u32(im, s->roff + block + 8);
	if (s->vsize != end)
		problem(".rossym has VirtualSize 0x%" PRIx32, s->vsize);
	if (s->rsize != up(s->vsize, im->falign))
		problem(".rossym has SizeOfRawData 0x%" PRIx32, s->rsize);
	for (uint32_t i = s->vsize; i < s->rsize && s->roff + i < im->size; i++)
		if (im->p[s->roff + i]) {
			problem(".rossym is not filled up with zeros");
			break;
		}
}

/* ---- two images ---- */

static bool is_debug(const struct section *s)
{
	if (s->flags & 0x20000020)
		return false; /* code */
	return !strncmp(s->name, ".stab", 5) || !strncmp(s->name, ".debug_", 7) || !strncmp(s->name, ".zdebug_", 8);
}

static bool in_directory(const struct image *im, uint32_t i, uint32_t rva)
{
	uint32_t at = u32(im, im->dirs + 8 * i), size = u32(im, im->dirs + 8 * i + 4);
	return i < im->ndirs && rva >= at && rva - at < size;
}

static void check_bytes(const struct image *old, const struct image *new, bool keep)
{
	for (uint32_t i = 0; i < old->nsections; i++) {
		const struct section *s = &old->sections[i];
		uint32_t size = s->vsize ? s->vsize : s->rsize;
		if ((!keep && is_debug(s)) || !strcmp(s->name, ".rossym") || !strcmp(s->name, ".gnu_debuglink"))
			continue;
		for (uint32_t at = 0; at < size; at++) {
			uint32_t rva = s->rva + at;
			if (loaded(old, rva) == loaded(new, rva) || in_directory(old, 5, rva) ||
			    in_directory(old, 6, rva))
				continue;
			problem("byte 0x%" PRIx32 " of %s is 0x%02x, was 0x%02x", at, s->name, loaded(new, rva),
				loaded(old, rva));
			break;
		}
	}
}

static void check_fields(const struct image *old, const struct image *new, bool keep)
{
	static const struct {
		uint32_t from, to;
	} may[] = {
		/* from the PE signature */
		{ 6, 8 }, { 12, 20 }, { 22, 24 }, { 24 + 8, 24 + 12 }, { 24 + 56, 24 + 68 },
	};
	for (uint32_t i = 0; i < old->dirs - old->pe; i++) {
		bool allowed = false;
		for (size_t j = 0; j < sizeof may / sizeof *may; j++)
			allowed |= i >= may[j].from && i < may[j].to;
		if (!allowed && old->p[old->pe + i] != new->p[new->pe + i])
			problem("byte 0x%" PRIx32 " of the headers differs", i);
	}
	for (uint32_t i = 0; i < old->ndirs; i++)
		if (i != 4 && i != 11 && u32(old, old->dirs + 8 * i) != u32(new, new->dirs + 8 * i))
			problem("data directory %" PRIu32 " is elsewhere", i);
	if (u32(new, new->dirs + 8 * 4) || u32(new, new->dirs + 8 * 4 + 4))
		problem("there is a certificate table");
	uint32_t flags = u16(new, new->pe + 22), was = u16(old, old->pe + 22);
	if (flags != (keep ? was : was | 0x20c))
		problem("Characteristics are 0x%" PRIx32 ", were 0x%" PRIx32, flags, was);
	if (!keep && u32(new, new->pe + 16))
		problem("there are COFF symbols");
	if (keep && u32(new, new->pe + 16) != u32(old, old->pe + 16))
		problem("the number of COFF symbols differs");
	for (uint32_t i = 0; !keep && i < new->nsections; i++)
		if (is_debug(&new->sections[i]))
			problem("%s is still there", new->sections[i].name);
}

int main(int argc, char **argv)
{
	bool gaps = false, keep = false, none = false, list = false;
	struct image new, old;

	for (; argc > 1 && argv[1][0] == '-'; argc--, argv++) {
		gaps |= argv[1][1] == 'g';
		keep |= argv[1][1] == 'k';
		none |= argv[1][1] == 'n';
		list |= argv[1][1] == 'l';
	}
	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: pecheck [-g] [-k] [-n] NEW [OLD]\n");
		return 99;
	}
	load(&new, argv[1]);
	for (uint32_t i = 0; list && i < new.nsections; i++) {
		const struct section *s = &new.sections[i];
		printf("%s %" PRIx32 " %" PRIx32 " %" PRIx32 " %" PRIx32 "\n", s->name, s->vsize, s->rva, s->rsize,
		       s->roff);
	}
	if (!list) {
		check_checksum(&new);
		check_layout(&new, gaps);
		check_directories(&new);
		check_table(&new, none);
	}
	if (argc > 2) {
		load(&old, argv[2]);
		check_bytes(&old, &new, keep);
		check_fields(&old, &new, keep);
		free(old.p);
		free(old.sections);
	}
	free(new.p);
	free(new.sections);
	return problems > 0;
}

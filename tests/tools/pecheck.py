#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
pecheck [-g] [-k] [-n] NEW [OLD] - whether an image that rossym-embed made is one that Windows NT would load, and is the old one otherwise
pecheck -l IMAGE		prints its sections: name, virtual size, RVA, raw size, raw offset

It shares no code with the library, on purpose.  Prints what is wrong, one fact a line, and exits 1 if there is
anything.  Of NEW alone: the checksum; the headers' sizes; that sections follow each other without gaps in memory
(-g: gaps are all right) and without overlaps in the file, aligned and inside it; that data directories lie in
sections; that debug directory entries agree with themselves; that .rossym is there once, is last and has its
attributes (-n: there is none).  Compared with OLD: that each byte that OLD has in memory, and is not debug
information (-k: even then), is at the same address in NEW, base relocations and the debug directory aside; and that
no other header field differs.
"""

import sys

from images import CODE, Image

ROSSYM_FLAGS, FIELDS_THAT_MAY_CHANGE = 0x42000802, ((6, 8), (12, 20), (22, 24), (24 + 8, 24 + 12), (24 + 56, 24 + 68))
NONE = 256  # in place of a byte
problems = 0


def problem(text, *values):
    global problems
    print(text % values)
    problems += 1


def up(number, to):
    return -(-number // to) * to


def size_of(section):
    return section.vsize or section.rsize


class Checked(Image):
    def __init__(self, path):
        super().__init__(path)
        if len(self.sections) < self.u16(self.pe + 6):
            print("%s: the section table is cut off" % path)
            sys.exit(1)
        self.salign, self.falign, self.imagesize, self.headers = (self.u32(self.opt + at) for at in (32, 36, 56, 60))
        self.directories = self.opt + (112 if self.wide else 96)
        self.directory_count = min(self.u32(self.directories - 4), 16)

    def at_rva(self, rva):
        return next((s for s in self.sections if s.rva <= rva < s.rva + size_of(s)), None)

    def directory(self, number):
        return tuple(self.u32(self.directories + 8 * number + at) for at in (0, 4))

    def in_directory(self, number, rva):
        at, size = self.directory(number)
        return number < self.directory_count and at <= rva < at + size

    def loaded(self, rva, size):
        """The bytes at an RVA when loaded, or NONE where there are none."""
        memory = [NONE] * size

        def put(at, values):
            begin, end = max(at, rva), min(at + len(values), rva + size)
            if begin < end:
                memory[begin - rva : end - rva] = values[begin - at : end - at]

        put(0, self.bytes[: self.headers])
        for s in reversed(self.sections):
            inside = min(s.rsize, size_of(s)) if s.roff else 0
            content = list(self.bytes[s.roff : s.roff + inside])
            put(s.rva, bytes(size_of(s)))
            put(s.rva, content + [NONE] * (inside - len(content)))
        return memory


def check_checksum(image):
    place = image.opt + 64
    content = image.bytes[:place] + bytes(4) + image.bytes[place + 4 :]
    total = sum(content[::2]) + 256 * sum(content[1::2])
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    total += len(content)
    if image.u32(place) != total:
        problem("checksum is 0x%08x, should be 0x%08x", image.u32(place), total)


def check_layout(image, gaps):
    next_rva, raw, flat = up(image.headers, image.salign), image.headers, True
    if image.headers % image.falign:
        problem("SizeOfHeaders 0x%x is not aligned", image.headers)
    if image.table + 40 * len(image.sections) > image.headers:
        problem("the section table does not fit into SizeOfHeaders")
    for i, s in enumerate(image.sections):
        if size_of(s) == 0:
            problem("%s is empty", s.name)
        if s.rva < next_rva if gaps else s.rva != next_rva:
            problem("%s is at 0x%x, should be at 0x%x", s.name, s.rva, next_rva)
        next_rva = up(s.rva + size_of(s), image.salign)
        if s.rsize == 0:
            if s.roff:
                problem("%s has no data, but an offset", s.name)
            continue
        if s.roff % image.falign or s.rsize % image.falign:
            problem("the data of %s is not aligned", s.name)
        if s.roff < raw:
            problem("the data of %s at 0x%x overlaps what ends at 0x%x", s.name, s.roff, raw)
        raw = s.roff + s.rsize
        if raw > len(image.bytes):
            problem("the data of %s ends behind the file", s.name)
        if image.salign < 0x1000 and s.roff != s.rva and flat and i == len(image.sections) - 1:
            problem("%s is at 0x%x in a file that is mapped as it is", s.name, s.roff)
        flat = flat and s.roff == s.rva
    if image.imagesize != next_rva:
        problem("SizeOfImage is 0x%x, should be 0x%x", image.imagesize, next_rva)


def check_directories(image):
    for i in range(image.directory_count):
        rva, size = image.directory(i)
        if not rva or i == 4 or (i == 11 and rva + size <= image.headers):
            continue
        if not image.at_rva(rva) or (size and image.at_rva(rva) != image.at_rva(rva + size - 1)):
            problem("data directory %d at 0x%x is in no section", i, rva)
    rva, size = image.directory(6)
    s = image.at_rva(rva) if image.directory_count > 6 and rva else None
    for i in range(size // 28 if s else 0):
        to, offset = (image.u32(s.roff + rva - s.rva + 28 * i + at) for at in (20, 24))
        data = image.at_rva(to) if to else None
        if data and data.roff + to - data.rva != offset:
            problem("debug directory entry %d: 0x%x is not at file offset 0x%x", i, to, offset)


def check_table(image, none):
    count = [s.name for s in image.sections].count(".rossym")
    if count != (not none):
        problem("%d .rossym sections", count)
    if none or not image.sections:
        return
    s = image.sections[-1]
    if s.name != ".rossym":
        problem("the last section is %s", s.name)
    if s.flags != ROSSYM_FLAGS:
        problem(".rossym has characteristics 0x%x", s.flags)
    # Behind the table, at the next multiple of 4, there may be an extension block, which says how long it is.
    end = image.u32(s.roff + 8) + image.u32(s.roff + 12)
    block = up(end, 4)
    if block < s.vsize and image.bytes[s.roff + block :].startswith(b"ROSSYMX"):
        end = block + image.u32(s.roff + block + 8)
    if s.vsize != end:
        problem(".rossym has VirtualSize 0x%x", s.vsize)
    if s.rsize != up(s.vsize, image.falign):
        problem(".rossym has SizeOfRawData 0x%x", s.rsize)
    if any(image.bytes[s.roff + s.vsize : s.roff + s.rsize]):
        problem(".rossym is not filled up with zeros")


def is_debug(section):
    return not section.flags & CODE and section.name.startswith((".stab", ".debug_", ".zdebug_"))


def check_bytes(old, new, keep):
    for s in old.sections:
        if (not keep and is_debug(s)) or s.name in (".rossym", ".gnu_debuglink"):
            continue
        was, now = (image.loaded(s.rva, size_of(s)) for image in (old, new))
        for at in range(size_of(s) if was != now else 0):
            if was[at] != now[at] and not any(old.in_directory(i, s.rva + at) for i in (5, 6)):
                problem("byte 0x%x of %s is 0x%02x, was 0x%02x", at, s.name, now[at], was[at])
                break


def check_fields(old, new, keep):
    for i in range(old.directories - old.pe):
        may_change = any(begin <= i < end for begin, end in FIELDS_THAT_MAY_CHANGE)
        if not may_change and old.bytes[old.pe + i] != new.bytes[new.pe + i]:
            problem("byte 0x%x of the headers differs", i)
    for i in range(old.directory_count):
        if i not in (4, 11) and old.directory(i)[0] != new.directory(i)[0]:
            problem("data directory %d is elsewhere", i)
    if any(new.directory(4)):
        problem("there is a certificate table")
    flags, was = new.u16(new.pe + 22), old.u16(old.pe + 22)
    if flags != (was if keep else was | 0x20C):
        problem("Characteristics are 0x%x, were 0x%x", flags, was)
    symbols = new.u32(new.pe + 16)
    if not keep and symbols:
        problem("there are COFF symbols")
    if keep and symbols != old.u32(old.pe + 16):
        problem("the number of COFF symbols differs")
    for s in new.sections:
        if not keep and is_debug(s):
            problem("%s is still there", s.name)


def main(arguments):
    options = ""
    while arguments and arguments[0].startswith("-"):
        options += arguments.pop(0)[1:2]
    if len(arguments) not in (1, 2):
        print("usage: pecheck [-g] [-k] [-n] NEW [OLD]", file=sys.stderr)
        return 99
    new = Checked(arguments[0])
    if "l" in options:
        for s in new.sections:
            print("%s %x %x %x %x" % s[:5])
    else:
        check_checksum(new)
        check_layout(new, "g" in options)
        check_directories(new)
        check_table(new, "n" in options)
    if len(arguments) == 2:
        old = Checked(arguments[1])
        check_bytes(old, new, "k" in options)
        check_fields(old, new, "k" in options)
    return int(problems > 0)


sys.stdout.reconfigure(encoding="latin-1")
sys.exit(main(sys.argv[1:]))

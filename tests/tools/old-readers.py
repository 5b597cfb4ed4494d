#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
old-readers.py - what programs that know nothing of the extension block read in an image

 *	old-readers.py FILE		read the table by the original rules, strictly, and print its rows
 *	old-readers.py -s FILE		the same with the size of each row: up to the next greater address in its section
 *	old-readers.py -b FILE		print the bytes of .rossym behind the strings
 *	old-readers.py -d FILE TRUTH	read it as dbghelp does, and count how many functions it gets right

Written from the rules of ReactOS's readers, not from our library, of which it uses nothing:
 *	lib/rossym	the first section whose 8-byte name is ".rossym" and a NUL; PointerToRawData + SizeOfRawData inside the
 *			file, VirtualAddress + VirtualSize inside the image; SymbolsOffset >= 16, StringsOffset >=
 *			SymbolsOffset + SymbolsLength, SizeOfRawData >= StringsOffset + StringsLength, SymbolsLength a
 *			multiple of 16.
 *	dbghelp		VirtualSize >= StringsOffset + StringsLength, VirtualSize <= SizeOfRawData; functions are keyed by their
 *			name's offset: the first row with a name is where the function begins, and it ends where the next
 *			function begins.  Names that begin with "_" and end in "__" are passed over.

TRUTH has a line "RVA LENGTH NAME" for each function, RVA hexadecimal.  A function of TRUTH that has rows is right if
dbghelp has its name at its address.
"""

import struct
import sys

from images import Image


def refuse(why):
    sys.exit("old-readers: " + why)


class Table:
    def __init__(self, path):
        image = Image(path)
        if image.u16(0) != 0x5A4D or image.u32(image.pe) != 0x4550:
            refuse("not an image")
        section = next((s for s in image.sections if s.name == ".rossym" and s.roff), None)
        if not section:
            refuse("no .rossym section")
        if section.rva + section.vsize > image.u32(image.opt + 56):
            refuse("the section ends behind the image")
        content = image.bytes[section.roff : section.roff + section.rsize]
        if len(content) < max(section.rsize, 16):
            refuse("the section is not in the file")
        symbols, length, strings, strings_length = struct.unpack_from("<4I", content)
        end = strings + strings_length
        if symbols < 16 or symbols + length > strings or end > section.rsize or length % 16:
            refuse("the header is wrong")
        if section.vsize < end or section.vsize > section.rsize:
            refuse("dbghelp: virtual > raw, or too small")
        self.sections = image.sections
        self.rows = list(struct.iter_unpack("<4I", content[symbols : symbols + length]))
        self.strings, self.behind = content[strings:end], content[end : section.vsize]
        if self.strings[-1:] != b"\0":
            refuse("the strings do not end")

    def string(self, offset):
        if offset >= len(self.strings):
            refuse("a string outside the strings")
        text = self.strings[offset : self.strings.index(b"\0", offset)]
        if len(text) > 255:
            refuse("a string that overruns the kernel debugger's buffer")
        return text

    def size(self, number):
        rva = self.rows[number][0]
        for s in self.sections:
            end = s.rva + (min(s.rsize, s.vsize) or max(s.rsize, s.vsize))
            if s.rva <= rva < end:
                return min(end, next((row[0] for row in self.rows[number:] if row[0] > rva), end)) - rva
        return 0

    def print_rows(self, sizes):
        last = 0
        for number, (rva, function, file, line) in enumerate(self.rows):
            if rva < last:
                refuse("rows out of order")
            last = rva
            size = b"%d\t" % self.size(number) if sizes else b""
            row = (rva, size, self.string(function), self.string(file), line)
            sys.stdout.buffer.write(b"0x%08x\t%s%s\t%s\t%d\n" % row)

    def functions(self):
        """What dbghelp takes for functions: the name and the address of the first row of each name."""
        first = {}
        for rva, function, _, _ in self.rows:
            name = self.string(function)
            if name and not (len(name) > 3 and name.startswith(b"_") and name.endswith(b"__")):
                first[function] = min(rva, first.get(function, rva))
        return {(rva, self.string(function)) for function, rva in first.items()}

    def judge(self, path):
        functions, rvas, count, right = self.functions(), sorted(row[0] for row in self.rows if row[3]), 0, 0
        for line in open(path, "rb"):
            rva, length, name = line.rstrip(b"\n").split(b" ", 2)
            rva = int(rva, 16)
            if any(rva <= at < rva + int(length) for at in rvas):
                count += 1
                right += (rva, name) in functions
        print("%d of %d functions right, %.1f%%" % (right, count, 100.0 * right / count if count else 100.0))


if sys.argv[1] == "-b":
    sys.stdout.buffer.write(Table(sys.argv[2]).behind)
elif sys.argv[1] == "-d":
    Table(sys.argv[2]).judge(sys.argv[3])
else:
    Table(sys.argv[-1]).print_rows(sys.argv[1] == "-s")

# SPDX-License-Identifier: GPL-2.0-or-later
"""
bomb.py - small images that are as expensive as a format lets them be, for tests/hostile/hostile-limits.sh

 *	bomb.py KIND [TIMES] >IMAGE		about 10 MB, PE32, base 0x400000, code from 0x1000 on; those with (s) TIMES smaller

 *	sections	65,534 sections of code, 16 bytes each, and a row for each byte of the first 400,000
 *	gaps		65,534 sections with gaps between them, and a row in each section and in each gap
 *	names		60,000 functions whose names have the same 100 letters first
 *	strings		one string of 5 MB; 300,000 rows, each with a function that begins a byte later in it
 *	letters		the same, of letters in no order
 *	long		the same, all rows with all of the string
 *	place		600,000 rows at one address
 *	chains		(s) 300,000 rows, each inlined 512 times
 *	functions	(s) 9 million functions at address 1, of a byte each
 *	symbols		2.5 million functions with one name, at many addresses

and with debug information or symbols instead of a table:

 *	lines		(s) a line table of 10 million rows, a byte each
 *	changes		(s) 5 million rows, each with another line than the one before it, and 5 MB that nobody reads
 *	shared		300,000 units that share a line table of 5 MB
 *	small		(s) 600,000 units that share a line table of 12 rows
 *	alike		(s) 125,000 units with line tables of their own, all of them for the same code
 *	claims		(s) 125,000 units with line tables of their own, for 2 bytes of code each; each table is for the code of all
	files		(s) 600,000 units that share a table of 64 file names
 *	abbreviations	250,000 units that share a table of 1,000 abbreviations, the last of which they use
 *	suffixes	(s) 250,000 units whose tables of abbreviations begin one after the other, and all end together
 *	calls		(s) 600,000 inlined calls of a function that has code, and a name of 500,000 letters
 *	coff		(s) 555,000 COFF symbols
"""

import itertools
import struct
import sys
import zlib

from growing import LOW, NAME, ORIGIN, STATEMENTS, UNIT_HEADER, Dwarf, Image, u32

HEADERS, CODE, CODE_FLAGS, ROWS, ALL = 64 + 24 + 240, 0x1000, 0x60000020, 300000, 0x10000000
rows, block, sections = bytearray(), bytearray(), bytearray()
strings = bytearray(1)  # offset 0 is unknown
times = int(sys.argv[2]) if len(sys.argv) > 2 else 1


def add_rows(rvas, functions, file, lines):
    numbers = itertools.zip_longest(rvas, functions, (), lines, fillvalue=file)
    for row in numbers:
        rows.extend(struct.pack("<4I", *row))


def add_string(text):
    """The offset of a string with its NUL."""
    strings.extend(text + b"\0")
    return len(strings) - len(text) - 1


def add_section(name, rva, size, offset, raw, flags):
    sections.extend(struct.pack("<8s8I", name, size, rva, raw, offset, 0, 0, 0, flags))


def add_code(rva=CODE):
    add_section(b".text", rva, ALL, 0, ALL, CODE_FLAGS)


def add_chunk(tag, widths, records):
    """Records with columns of these widths."""
    if not block:
        block.extend(b"ROSSYMX2" + bytes(16))
    block.extend(tag + struct.pack("<I4s", 4 + len(records), widths) + records)
    block.extend(bytes(-len(block) % 4))


def image():
    """Headers, sections, the table, what is behind it."""
    table = struct.pack("<4I", 16, len(rows), 16 + len(rows), len(strings)) + rows + strings
    if block:
        struct.pack_into("<I4x2I", block, 8, len(block), len(rows) // 16, zlib.crc32(table))
        struct.pack_into("<I", block, 12, zlib.crc32(block[16:]))
        table += bytes(-len(table) % 4) + block
    add_section(b".rossym", 0x70000000, len(table), HEADERS + len(sections) + 40, len(table), 0x42000802)
    head = bytearray(HEADERS)
    struct.pack_into("<2s58xI4s2H", head, 0, b"MZ", 64, b"PE\0\0", 0x14C, len(sections) // 40)
    struct.pack_into("<H2xH", head, 64 + 20, 240, 0x10B)
    struct.pack_into("<I24xI", head, 64 + 24 + 28, 0x400000, 0x7FFF0000)
    return head + sections + table


# Kinds


def make_sections(distance, count, step):
    function, file = add_string(b"main"), add_string(b"main.c")
    for i in range(65534):
        add_section(b".text", CODE + i * distance, 16, 0, 16, CODE_FLAGS)
    add_rows((CODE + i * step for i in range(count)), [function] * count, file, range(1, count + 1))


def make_strings(step, mixed=False):
    text, seed = bytearray(b"x" * 5000000), 1
    for i in range(len(text) if mixed else 0):
        text[i] = ord("a") + (seed >> 24) % 26
        seed = (seed * 1664525 + 1013904223) & 0xFFFFFFFF
    at = add_string(text)
    add_code()
    add_rows(range(CODE, CODE + ROWS * 16, 16), (at + i * step for i in range(ROWS)), at, [1] * ROWS)


def names():
    file = add_string(b"main.c")
    add_code()
    functions = [add_string(b"x" * 100 + b"%d" % i) for i in range(60000)]
    add_rows(range(CODE, CODE + 60000 * 16, 16), functions, file, [1] * 60000)


def place():
    function, file = add_string(b"main"), add_string(b"main.c")
    add_code()
    add_rows([CODE] * 600000, [function] * 600000, file, [0] * 600000)


def chains():
    deep, count = 512, ROWS // times
    function, file = add_string(b"main"), add_string(b"main.c")
    add_code()
    add_rows(range(CODE, CODE + count * 16, 16), [function] * count, file, range(1, count + 1))
    frames = [struct.pack("<4I", function, file, i + 1, i - 1 & 0xFFFFFFFF) for i in range(deep)]
    add_chunk(b"INLN", b"\x20\x20\x20\x20", b"".join(frames))
    add_chunk(b"IMAP", b"\x10\x10\0\0", struct.pack("<2H", 0, deep - 1))


def functions():
    """A record is a byte: a bit is the address, 0 or 1; seven are the name, of which there are seven."""
    add_code(0)
    function, count = add_string(b"nopqrst"), 9000000 // times
    add_rows([CODE], [function], function, [1])
    add_chunk(b"FUNC", b"\1\0\7\0", (bytes(1 | function + i << 1 for i in range(7)) * (count // 7 + 1))[:count])


def same_names():
    add_code()
    add_string(b"")
    function = add_string(b"main")
    add_rows([CODE], [function], function, [1])
    records = (CODE + i | function << 28 & 0xFFFFFFFF for i in range(2500000))
    add_chunk(b"FUNC", b"\x1c\0\4\0", struct.pack("<2500000I", *records))


# Kinds of debug information: each returns an image


def units_with_lines(tables, units, files, rows_of_each, change):
    """Line tables for the code from its beginning on, of rows that are CHANGE lines apart; for each of them UNITS units."""
    dwarf = Dwarf()
    dwarf.abbreviation(1, 0x11, 0, STATEMENTS)
    row = 10 + 14
    steps = bytes([row + change, row + 2 * change]) * (rows_of_each // 2) + bytes([row + change]) * (rows_of_each % 2)
    # The address first; then an address on, and the end.
    program = b"\0\5\2" + u32(0x401000) + steps + b"\2\1\0\1\1"
    for _ in range(tables):
        dwarf.unit(b"\1" + u32(dwarf.line_table(["a.c"] * files, program)))
    dwarf.entries *= units
    return dwarf


def changes():
    dwarf = units_with_lines(1, 1, 1, 5000000 // times, 1)
    dwarf.abbreviations += bytes(5000000 // 8 // times * 8)
    return dwarf.image(ALL, ALL)


def claims():
    count = 125000 // times
    size = count * 64
    dwarf = Dwarf()
    dwarf.abbreviation(1, 0x11, 0, STATEMENTS, LOW, (0x12, 0x06))
    # The address first; a row; then the address is SIZE more, and the end.
    program = b"\0\5\2" + u32(0x401000) + b"\1\2" + bytes((size & 127 | 128, size >> 7 & 127 | 128, size >> 14 & 127 | 128, size >> 21)) + b"\0\1\1"
    for i in range(count):
        dwarf.unit(b"\1" + u32(dwarf.line_table(["a.c"], program)) + u32(0x401000 + i * 64) + u32(2))
    return dwarf.image(ALL, ALL)


def with_abbreviations(units, count, step):
    """Abbreviations with codes of 3 bytes, a tag each, no children and no attributes."""
    dwarf = Dwarf()
    for i in range(0x4000, 0x4000 + count):
        dwarf.abbreviations += bytes((i & 127 | 128, i >> 7 & 127 | 128, i >> 14, 0x34, 0, 0, 0))
    dwarf.abbreviation(1, 0x11, 0)
    for i in range(units):
        dwarf.unit(b"\1", i * step)
    return dwarf.image(ALL, ALL)


def calls():
    dwarf = Dwarf()
    dwarf.abbreviation(1, 0x11, 1)
    dwarf.abbreviation(2, 0x2E, 1, NAME, LOW, (0x12, 0x06))  # the form of a length
    dwarf.abbreviation(3, 0x1D, 0, ORIGIN, LOW, (0x12, 0x06))
    entries = b"\1\2" + b"f" * (500000 // times) + b"\0" + u32(0x401000) + u32(2000000)
    entries += b"".join(b"\3" + u32(UNIT_HEADER + 1) + u32(0x401000 + i * 2) + u32(1) for i in range(600000 // times))
    dwarf.unit(entries + b"\0\0")
    return dwarf.image(ALL, ALL)


def coff():
    image = Image(ALL, ALL)
    # External; no auxiliary record.
    image.symbols = [struct.pack("<8sI3H", b"f%07d" % i, i * 16, 1, 0x20, 2) for i in range(555000 // times)]
    return image.finish()


KINDS = {
    "sections": lambda: make_sections(16, 400000, 1),
    "gaps": lambda: make_sections(32, 65534 * 2, 16),
    "names": names,
    "strings": lambda: make_strings(1),
    "letters": lambda: make_strings(1, True),
    "long": lambda: make_strings(0),
    "place": place,
    "chains": chains,
    "functions": functions,
    "symbols": same_names,
    "lines": lambda: units_with_lines(1, 1, 1, 10000000 // times, 0).image(ALL, ALL),
    "changes": changes,
    "shared": lambda: units_with_lines(1, 300000, 1, 5000000, 1).image(ALL, ALL),
    "small": lambda: units_with_lines(1, 600000 // times, 1, 12, 1).image(ALL, ALL),
    "alike": lambda: units_with_lines(125000 // times, 1, 1, 20, 1).image(ALL, ALL),
    "claims": claims,
    "files": lambda: units_with_lines(1, 600000 // times, 64, 1, 1).image(ALL, ALL),
    "abbreviations": lambda: with_abbreviations(250000, 1000, 0),
    "suffixes": lambda: with_abbreviations(250000 // times, 1000000 // times, 28),
    "calls": calls,
    "coff": coff,
}
sys.stdout.buffer.write(KINDS[sys.argv[1]]() or image())

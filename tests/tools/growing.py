# SPDX-License-Identifier: GPL-2.0-or-later
"""
growing.py KIND SIZE FILE [IMAGE] - writes an input that is as expensive as its format lets it be, SIZE times a small one

The kinds are the functions below "kinds"; each says what it makes.  It makes the bytes of FILE, or a dictionary of them for
FILE and for others beside it.
"""

import io
import os
import struct
import sys
import zipfile


class Minidump:
    """A minidump of an i386 process, stream by stream."""

    def __init__(self):
        self.bytes = bytearray(0x200)
        self.streams = []
        self.stream(7, struct.pack("<3HBB4I", 0, 0, 0, 1, 0, 10, 0, 19045, 2).ljust(56, b"\0"))

    def add(self, content):
        self.bytes += bytes(-len(self.bytes) % 8)
        self.bytes += content
        return len(self.bytes) - len(content)

    def stream(self, kind, content):
        self.streams.append(struct.pack("<3I", kind, len(content), self.add(content)))

    def name(self, text):
        units = text.encode("utf-16-le")
        return self.add(struct.pack("<I", len(units)) + units)

    def list(self, kind, entries):
        self.stream(kind, struct.pack("<I", len(entries)) + b"".join(entries))

    def finish(self):
        struct.pack_into("<4s3I", self.bytes, 0, b"MDMP", 0xA793, len(self.streams), 32)
        self.bytes[32 : 32 + 12 * len(self.streams)] = b"".join(self.streams)
        return bytes(self.bytes)


    def context(self, ip, sp):
        bytes = bytearray(0x2CC)
        for at, value in (0, 0x10007), (0xB8, ip), (0xC4, sp):
            struct.pack_into("<I", bytes, at, value)
        return self.add(bytes)

    def modules(self, base, length, stamps, name, key=b""):
        """A module for each of STAMPS, one after the other; KEY is their CodeView record."""
        key = len(key), self.add(key)
        name = self.name(name)
        entries = [struct.pack("<Q4I", base + i * length, length, 0, stamp, name) for i, stamp in enumerate(stamps)]
        self.list(4, [entry.ljust(76, b"\0") + struct.pack("<2I24x", *key) for entry in entries])

    def threads(self, contexts, address, stack):
        """A thread for each of CONTEXTS, all with the words STACK at ADDRESS."""
        at = self.add(b"".join(struct.pack("<I", word) for word in stack))
        entries = [(i, 0, 0, 0, 0, address, 4 * len(stack), at, 0x2CC, context) for i, context in enumerate(contexts)]
        self.list(3, [struct.pack("<4I2Q4I", *entry) for entry in entries])

# ---------------------------------------------------------------------------- images, and debug information in several formats

BASE, CODE = 0x400000, 0x1000


def u32(*numbers):
    return struct.pack("<%dI" % len(numbers), *numbers)


def uleb(number):
    result = bytearray()
    while number > 127:
        result.append(number & 127 | 128)
        number >>= 7
    return bytes(result) + bytes([number])


class Image:
    """A PE image with SIZE bytes of code, RAW of them in the file, from its beginning on; and other sections."""

    def __init__(self, size, raw=0):
        self.raw = raw
        self.strings, self.symbols, self.debug = bytearray(4), [], 0
        self.sections = [(b".text", size, b"", 0x60000020)]

    def section(self, name, content):
        if len(name) > 8:
            name, self.strings = "/%d" % len(self.strings), self.strings + name.encode() + b"\0"
        self.sections.append((name.encode(), len(content), content, 0x42100040))

    def finish(self):
        file = bytearray(0x400 + (40 * len(self.sections) + 0x1FF & ~0x1FF))
        rva, rvas, headers = CODE, [], b""
        for name, size, content, flags in self.sections:
            offset = len(file) if content else 0
            headers += struct.pack("<8s6I4xI", name, size, rva, len(content) or self.raw, offset, 0, 0, flags)
            file += content
            rvas.append(rva)
            rva += size + 0xFFF & ~0xFFF
        struct.pack_into("<2s58xI4s2H3I2H", file, 0, b"MZ", 64, b"PE\0\0", 0x14C, len(self.sections), 0, len(file), len(self.symbols), 224, 0x102)
        struct.pack_into("<H", file, 88, 0x10B)
        struct.pack_into("<I3I", file, 88 + 28, BASE, 0x1000, 0x200, 0)
        struct.pack_into("<2I", file, 88 + 56, rva, 0x400)
        struct.pack_into("<I", file, 88 + 92, 16)
        if self.debug:
            at = rvas[self.debug]
            struct.pack_into("<2I", file, 88 + 96 + 48, at, 28)
            pointer = len(file) - sum(len(section[2]) for section in self.sections[self.debug :])
            struct.pack_into("<2I", file, pointer + 20, at + 28, pointer + 28)
        file[88 + 224 : 88 + 224 + len(headers)] = headers
        struct.pack_into("<I", self.strings, 0, len(self.strings))
        return bytes(file) + b"".join(self.symbols) + bytes(self.strings)


class Dwarf:
    """DWARF 4: abbreviations, entries, line tables."""

    def __init__(self):
        self.abbreviations, self.entries, self.lines, self.ranges = bytearray(), bytearray(), bytearray(), bytearray()

    def abbreviation(self, code, tag, children, *attributes):
        self.abbreviations += uleb(code) + uleb(tag) + bytes([children])
        self.abbreviations += b"".join(uleb(name) + uleb(form) for name, form in attributes) + b"\0\0"

    def unit(self, entries, abbreviations=0):
        self.entries += struct.pack("<IHIB", len(entries) + 7, 4, abbreviations, 4) + entries

    def line_table(self, files, program):
        """Returns its offset.  FILES are names."""
        header = bytes([1, 1, 1, 0, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0])
        header += b"".join(name.encode() + b"\0\0\0\0" for name in files) + b"\0"
        at = len(self.lines)
        self.lines += struct.pack("<IHI", 6 + len(header) + len(program), 4, len(header)) + header + program
        return at

    def image(self, size, raw=0):
        image = Image(size, raw)
        image.section(".debug_info", bytes(self.entries))
        image.section(".debug_abbrev", bytes(self.abbreviations) + b"\0")
        if self.lines:
            image.section(".debug_line", bytes(self.lines))
        if self.ranges:
            image.section(".debug_ranges", bytes(self.ranges))
        return image.finish()


# Attributes and forms of DWARF.
NAME, STATEMENTS, LOW, HIGH = (0x03, 0x08), (0x10, 0x17), (0x11, 0x01), (0x12, 0x06)
RANGES, ORIGIN, SPECIFICATION = (0x55, 0x17), (0x31, 0x13), (0x47, 0x13)
UNIT_HEADER = 11


def program_at(address, rows):
    """A line program: at ADDRESS begin ROWS rows, an address apart, each with another line than the one before it."""
    return b"\0\5\2" + u32(address) + bytes(10 + 14 + i % 2 + 1 for i in range(rows)) + b"\2\1\0\1\1"


class Pdb:
    """A PDB file of the modules that are given, and its image."""

    GUID = bytes(range(16, 32))

    def __init__(self):
        self.modules, self.contributions, self.names = [], bytearray(u32(0xF12EBA2D)), bytearray(1)
        self.records = bytearray()

    @staticmethod
    def record(kind, content):
        content += bytes(-(len(content)) % 4)
        return struct.pack("<2H", len(content) + 2, kind) + content

    def procedure(self, offset, size, name):
        return self.record(0x1110, u32(0, 0, 0, size, 0, size, 0, offset) + b"\1\0\0" + name.encode() + b"\0")

    def site(self, offset, size, inner=b""):
        """An inlined call at OFFSET of its procedure, and the calls in it."""
        annotations = b"\3" + struct.pack(">I", 0xC0000000 | offset) + b"\4" + struct.pack(">I", 0xC0000000 | size)
        return self.record(0x114D, u32(0, 0, 0x1000) + annotations) + inner + self.record(0x114E, b"")

    def module(self, offset, size, symbols, lines=()):
        """SYMBOLS are records; LINES are offsets, each with another line."""
        self.contributions += struct.pack("<HHIIIHHII", 1, 0, offset, size, 0x60000020, len(self.modules), 0, 0, 0)
        block = b"".join(u32(at - offset, i + 1 | 0x80000000) for i, at in enumerate(lines))
        table = u32(offset) + struct.pack("<2HI", 1, 0, size) + u32(0, len(lines), 12 + len(block)) + block
        checksums = u32(1, 0)
        inlinees = u32(0, 0x1000, 0, 100)
        parts = u32(0xF2, len(table)) + table + u32(0xF4, len(checksums)) + checksums + u32(0xF6, len(inlinees)) + inlinees if lines else b""
        self.modules.append((u32(4) + symbols, parts))

    def public(self, offset, name):
        self.records += self.record(0x110E, u32(2, offset) + b"\1\0" + name.encode() + b"\0")

    def dbi(self):
        entries = bytearray()
        for i, (symbols, parts) in enumerate(self.modules):
            entries += bytes(34) + struct.pack("<H3I", 8 + i, len(symbols), 0, len(parts)) + bytes(64 - 48) + b"m.obj\0m.lib\0"
            entries += bytes(-len(entries) % 4)
        header = bytearray(64)
        struct.pack_into("<iIIHHHHHH", header, 0, -1, 19990903, 1, 0xFFFF, 0, 7, 0, 6, 0)
        struct.pack_into("<2I", header, 24, len(entries), len(self.contributions))
        struct.pack_into("<IIHHI", header, 48, 22, 0, 0, 0x14C, 0)
        return bytes(header + entries + self.contributions + b"\xff\xff" * 11)

    def finish(self, size):
        info = u32(20000404, 1, 1) + self.GUID + u32(8) + b"/names\0\0" + u32(1, 1, 1, 1, 0, 0, 5, 0)
        self.names += b"a.c\0"
        names = u32(0xEFFEEFFE, 1, len(self.names)) + bytes(self.names)
        identity = self.record(0x1601, u32(0, 0x74) + b"inner\0")
        ids = u32(20040203, 56, 0x1000, 0x1001, len(identity)) + struct.pack("<2HI", 0xFFFF, 0xFFFF, 4) + bytes(28) + identity
        streams = [b"", info, b"", self.dbi(), ids, names, bytes(self.records), b""] + [a + b for a, b in self.modules]
        block = 4096
        blocks = [(len(stream) + block - 1) // block for stream in streams]
        directory_size = 4 * (1 + len(streams) + sum(blocks))
        directory_blocks = -(-directory_size // block)
        list_blocks = -(-directory_blocks * 4 // block)
        first = 3 + list_blocks + directory_blocks
        words = [len(streams)] + [len(stream) for stream in streams] + list(range(first, first + sum(blocks)))
        file = bytearray(b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0".ljust(32, b"\0")[:32])
        file += u32(block, 1, first + sum(blocks), directory_size, 0, 3)
        file = bytearray(file.ljust(3 * block, b"\0"))
        for content in [u32(*range(3 + list_blocks, first)), u32(*words)] + streams:
            file += content + bytes(-len(content) % block)
        image = Image(size)
        image.debug = 1
        image.section(".rdata", u32(0, 0, 0, 2, 24 + 6, 0, 0) + b"RSDS" + self.GUID + u32(1) + b"x.pdb\0")
        return {"": image.finish(), "x.pdb": bytes(file)}


# -------------------------------------------------------------------------------------------------------------------- kinds


def modules(size):
    """A minidump of SIZE modules and SIZE threads: each word of a stack is an address in one of the last modules."""
    dump = Minidump()
    base, length, sp = 0x10000000, 0x1000, 0x1000000
    dump.modules(base, length, range(1, size + 1), "m.dll")
    last = base + (size - 1) * length
    stack = [last - i % 4 * length + 0x10 for i in range(1024)]
    dump.threads([dump.context(last + 0x800, sp)] * min(size, 4096), sp, stack)
    return dump.finish()


def alike(size, image):
    """A minidump that has the module IMAGE at SIZE addresses, and a thread in each; and SIZE files in a directory "names"."""
    dump = Minidump()
    base, sp = 0x10000000, 0x1000000
    with open(image, "rb") as file:
        content = file.read()
    length = struct.unpack_from("<I", content, struct.unpack_from("<I", content, 60)[0] + 24 + 56)[0]
    key = content[content.index(b"RSDS") :][:24]
    dump.modules(base, length, [0] * size, os.path.basename(image), key)
    dump.threads([dump.context(base + i * length + 0x1000, sp) for i in range(min(size, 4096))], sp, [0])
    return {"": dump.finish(), **{"names/m%d.pdb" % i: b"" for i in range(size)}}


def named(size):
    """A minidump of SIZE threads with names."""
    dump = Minidump()
    dump.modules(0x10000000, 0x1000, [1], "m.dll")
    name = dump.name("thread")
    dump.list(24, [struct.pack("<IQ", size - i, name) for i in range(size)])
    dump.threads([dump.context(0x10000800, 0x1000000)] * size, 0x1000000, [0])
    return dump.finish()


def pieces(size):
    """A minidump whose memory is SIZE pieces of 4 bytes, listed from the last to the first."""
    dump = Minidump()
    dump.modules(0x10000000, 0x1000, [1], "m.dll")
    at = dump.add(u32(0))
    dump.list(5, [struct.pack("<Q2I", 0x2000000 + 16 * (size - i), 4, at) for i in range(size)])
    dump.threads([dump.context(0x10000800, 0x1000000)] * 100, 0x1000000, [0x10000100] * 100)
    return dump.finish()


def units(size):
    """SIZE units, each with a function and lines."""
    dwarf = Dwarf()
    dwarf.abbreviation(1, 0x11, 1, NAME, LOW, HIGH, STATEMENTS)
    dwarf.abbreviation(2, 0x2E, 0, NAME, LOW, HIGH)
    for i in range(size):
        at = BASE + CODE + 32 * i
        lines = dwarf.line_table(["%d.c" % i], program_at(at, 16))
        dwarf.unit(b"\1%d.c\0" % i + u32(at, 32, lines) + b"\2f%d\0" % i + u32(at, 32) + b"\0")
    return dwarf.image(32 * size)


def functions(size):
    """One unit of SIZE functions."""
    dwarf = Dwarf()
    dwarf.abbreviation(1, 0x11, 1, NAME)
    dwarf.abbreviation(2, 0x2E, 0, NAME, LOW, HIGH)
    entries = (b"\2f%d\0" % i + u32(BASE + CODE + 16 * i, 16) for i in range(size))
    dwarf.unit(b"\1a.c\0" + b"".join(entries) + b"\0")
    return dwarf.image(16 * size)


def inlined(size, depth=1):
    """A function with SIZE inlined calls, of which DEPTH are in each other."""
    dwarf = Dwarf()
    dwarf.abbreviation(1, 0x11, 1, NAME)
    dwarf.abbreviation(2, 0x2E, 1, NAME, LOW, HIGH)
    dwarf.abbreviation(3, 0x1D, 1, ORIGIN, LOW, HIGH, (0x58, 0x0B), (0x59, 0x0B))
    dwarf.abbreviation(4, 0x2E, 0, NAME)
    origin = UNIT_HEADER + len(b"\1a.c\0")
    entries = b"\1a.c\0" + b"\4inner\0" + b"\2outer\0" + u32(BASE + CODE, 1024 * size)
    nests = []
    for nest in range(size // depth):
        at = BASE + CODE + 1024 * depth * nest
        calls = (b"\3" + u32(origin, at + i, 1024 * depth - 2 * i) + b"\1\2" for i in range(depth))
        nests.append(b"".join(calls) + b"\0" * depth)
    dwarf.unit(entries + b"".join(nests) + b"\0\0")
    return dwarf.image(1024 * size)


def nested(size):
    """SIZE inlined calls, of which 64 are in each other."""
    return inlined(size, 64)


def chain(size):
    """SIZE functions, each of which is specified by the one before."""
    dwarf = Dwarf()
    dwarf.abbreviation(1, 0x11, 1, NAME)
    dwarf.abbreviation(2, 0x2E, 0, SPECIFICATION, LOW, HIGH)
    dwarf.abbreviation(3, 0x2E, 0, NAME)
    entries, at = bytearray(b"\1a.c\0\3first\0"), UNIT_HEADER + len(b"\1a.c\0")
    for i in range(size):
        here = UNIT_HEADER + len(entries)
        entries += b"\2" + u32(at, BASE + CODE + 16 * i, 16)
        at = here
    dwarf.unit(bytes(entries) + b"\0")
    return dwarf.image(16 * size)


def ranges(size):
    """SIZE functions, each with the same list of SIZE / 16 ranges."""
    dwarf = Dwarf()
    dwarf.abbreviation(1, 0x11, 1, NAME, LOW)
    dwarf.abbreviation(2, 0x2E, 0, NAME, RANGES)
    for i in range(size // 16):
        dwarf.ranges += u32(CODE + 32 * i, CODE + 32 * i + 16)
    dwarf.ranges += u32(0, 0)
    entries = (b"\2f%d\0" % i + u32(0) for i in range(size))
    dwarf.unit(b"\1a.c\0" + u32(BASE) + b"".join(entries) + b"\0")
    return dwarf.image(32 * size)


def abbreviations(size):
    """SIZE abbreviations, and an entry for each, from the last to the first."""
    dwarf = Dwarf()
    dwarf.abbreviation(1, 0x11, 1, NAME)
    for i in range(size):
        dwarf.abbreviation(i + 2, 0x2E, 0, NAME, LOW, HIGH)
    entries = (uleb(size + 1 - i) + b"f%d\0" % i + u32(BASE + CODE + 16 * i, 16) for i in range(size))
    dwarf.unit(b"\1a.c\0" + b"".join(entries) + b"\0")
    return dwarf.image(16 * size)


def files(size):
    """A line table of SIZE files, with two rows for each, from the last to the first."""
    dwarf = Dwarf()
    dwarf.abbreviation(1, 0x11, 0, NAME, LOW, HIGH, STATEMENTS)
    program = b"".join(b"\4" + uleb(size - i) + b"\x1a\x1a" for i in range(size))
    lines = dwarf.line_table(["%d.c" % i for i in range(size)], b"\0\5\2" + u32(BASE + CODE) + program + b"\2\1\0\1\1")
    dwarf.unit(b"\1a.c\0" + u32(BASE + CODE, 2 * size + 2, lines))
    return dwarf.image(2 * size + 2)


def coff(size):
    """SIZE symbols of COFF, from the last to the first."""
    image = Image(16 * size)
    image.symbols = [struct.pack("<8sIHHBB", b"f%d" % i, 16 * (size - i - 1), 1, 0x20, 2, 0) for i in range(size)]
    return image.finish()


def stabs(size):
    """SIZE functions of stabs, with a line each."""
    image, strings, entries = Image(16 * size), bytearray(1), []

    def add(kind, description, value, text=b""):
        entries.append(struct.pack("<IBBHI", len(strings) if text else 0, kind, 0, description, value))
        if text:
            strings.extend(text + b"\0")

    add(0x64, 0, BASE + CODE, b"a.c")
    for i in range(size):
        add(0x24, 0, BASE + CODE + 16 * i, b"f%d:F1" % i)
        add(0x44, i % 60000 + 1, 0)
    image.section(".stab", b"".join(entries))
    image.section(".stabstr", bytes(strings))
    return image.finish()


def sections(size):
    """SIZE sections, and a symbol in each."""
    image = Image(0x1000)
    image.sections *= size
    image.symbols = [struct.pack("<8sIHHBB", b"f%d" % i, 0, i + 1, 0x20, 2, 0) for i in range(size)]
    return image.finish()


def pdb_modules(size):
    """A PDB file of SIZE modules, each with a procedure and lines."""
    pdb = Pdb()
    for i in range(size):
        pdb.module(32 * i, 32, pdb.procedure(32 * i, 32, "f%d" % i), range(32 * i, 32 * i + 32, 4))
    return pdb.finish(32 * size)


def pdb_procedures(size):
    """A PDB file of a module of SIZE procedures with lines, from the last to the first."""
    pdb = Pdb()
    procedures = b"".join(pdb.procedure(16 * i, 16, "f%d" % i) for i in reversed(range(size)))
    pdb.module(0, 16 * size, procedures, range(0, 16 * size, 4))
    return pdb.finish(16 * size)


def pdb_publics(size):
    """A PDB file of SIZE public symbols, from the last to the first."""
    pdb = Pdb()
    pdb.module(0, 16 * size, b"")
    for i in reversed(range(size)):
        pdb.public(16 * i, "_f%d" % i)
    return pdb.finish(16 * size)


def pdb_inlines(size):
    """A PDB file of a procedure with SIZE inlined calls, of which 64 are in each other."""
    pdb = Pdb()
    nests = []
    for nest in range(size // 64):
        sites = b""
        for i in reversed(range(64)):
            sites = pdb.site(256 * nest + i, 256 - 2 * i, sites)
        nests.append(sites)
    pdb.module(0, 4 * size, pdb.procedure(0, 4 * size, "outer") + b"".join(nests) + pdb.record(6, b""), range(0, 4 * size, 4))
    return pdb.finish(4 * size)


def elf(size):
    """An image made from an ELF file, and that file, with SIZE symbols."""
    code = bytes(i * 7 & 255 for i in range(4096)) * (size // 256)
    image = Image(len(code))
    image.sections[0] = (b".text", len(code), code, 0x60000020)
    names = b"\0" + b"".join(b"f%d\0" % i for i in range(size))
    symbols, at = bytearray(16), 1
    for i in range(size):
        symbols += struct.pack("<3IBBH", at, CODE + 16 * (size - 1 - i), 16, 0x12, 0, 1)
        at += len("f%d" % i) + 1
    section_names = b"\0.text\0.symtab\0.strtab\0"
    contents = [(1, 1, 6, CODE, code, 0), (7, 2, 0, 0, bytes(symbols), 3), (15, 3, 0, 0, names, 0), (15, 3, 0, 0, section_names, 0)]
    file, headers = bytearray(52), bytearray(40)
    for name, kind, flags, address, content, link in contents:
        headers += u32(name, kind, flags, address, len(file), len(content), link, 0, 1, 16 if kind == 2 else 0)
        file += content
    ident = b"\x7fELF\1\1\1".ljust(16, b"\0")
    struct.pack_into("<16s2H5I6H", file, 0, ident, 2, 3, 1, CODE, 0, len(file), 0, 52, 0, 0, 40, len(contents) + 1, len(contents))
    return {"": image.finish(), "x.elf": bytes(file + headers)}


def archive(size):
    """A log with addresses in SIZE modules, whose files are in a ZIP file."""
    file, image = io.BytesIO(), functions(1)
    with zipfile.ZipFile(file, "w") as whole:
        for i in range(size):
            whole.writestr("d%d/m%d.dll" % (i % 100, i), image)
    return {"": log_names(size), "x.zip": file.getvalue()}


def log_names(size):
    """A log with addresses in SIZE modules."""
    return b"".join(b"<m%d.dll:1008>\n" % i for i in range(size))


def directory(size):
    """A log with addresses in SIZE modules, whose files are in a directory."""
    image = functions(1)
    return {"": log_names(size), **{"d/m%d.dll" % i: image for i in range(size)}}


def store(size):
    """A log with addresses in SIZE modules, whose files are in a symbol store, in upper case."""
    image = functions(1)
    line = b"*** m%d.dll - Address %08x base at 10000000, DateStamp 00000001\n"
    contents = {"d/M%d.DLL/000000013000/M%d.DLL" % (i, i): image[:72] + u32(1) + image[76:] for i in range(size)}
    return {"": b"".join(line % (i, 0x10001008) for i in range(size)), **contents}


def log_loaded(size):
    """A log that tells where SIZE modules are loaded, and then has an address in each."""
    text = [b"ModLoad: %08x %08x   m%d.dll\n" % (0x10000000 + i * 0x1000, 0x10001000 + i * 0x1000, i) for i in range(size)]
    text += [b"eip=%08x\n" % (0x10000010 + i * 0x1000) for i in range(size)]
    return b"".join(text)


def log_moved(size):
    """A log in which one module is loaded at SIZE places, with an address in each."""
    line = b"ModLoad: %08x %08x   x.exe\neip=%08x\n"
    return b"".join(line % (0x10000000 + i * 0x1000, 0x10001000 + i * 0x1000, 0x10000010 + i * 0x1000) for i in range(size))


def log_builds(size):
    """A log with SIZE DateStamps of one module."""
    line = b"*** x.exe - Address %08x base at 10000000, DateStamp %08x\n"
    return b"".join(line % (0x10001010, i + 1) for i in range(size))


def log_long(size):
    """A log of one line, with SIZE addresses."""
    return b"<x.exe:1010> " * size + b"\n"


def log_wrapped(size):
    """A log that a mailer has wrapped, with SIZE addresses that go on in the next line."""
    return b"<x.exe:\n1010>\n" * size


def log_crashes(size):
    """A log of SIZE crashes, all different."""
    crash = b"Unhandled exception\nExceptionCode:    c0000005\nFaulting Address: %08x\nAddress:\n   <x.exe:%x> (x.exe@400000)\nFrames:\n   <x.exe:%x>\n\n"
    return b"".join(crash % (i, 0x1000 + i, 0x1000 + i * 7 % 65521) for i in range(size))


def addresses(size):
    """SIZE addresses, all different, in no order."""
    return b"".join(b"%x\n" % (BASE + CODE + i * 7919 % size * 16) for i in range(size))


def table(size):
    """SIZE rows as text, for rossym-embed --from-dump."""
    return b"".join(b"0x%x\tf%d\ta%d.c\t%d\n" % (CODE + 16 * i, i, i // 10, i + 1) for i in range(size))


def write(kind, size, path, *arguments):
    contents = globals()[kind](size, *arguments)
    if isinstance(contents, bytes):
        contents = {"": contents}
    for name, content in contents.items():
        name = os.path.join(os.path.dirname(path), name) if name else path
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        with open(name, "wb") as file:
            file.write(content)


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]), *sys.argv[3:])

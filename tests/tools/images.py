# SPDX-License-Identifier: GPL-2.0-or-later
"""A PE file as tests read it: numbers in it, and its sections.  It shares no code with the library, on purpose."""

import collections

Section = collections.namedtuple("Section", "name vsize rva rsize roff flags")
CODE = 0x20000020
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class Image:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        self.pe = self.u32(60)
        self.opt = self.pe + 24
        self.wide = self.u16(self.opt) == 0x20B
        self.base = self.number(self.opt + 24, 8) if self.wide else self.u32(self.opt + 28)
        self.table = self.opt + self.u16(self.pe + 20)
        self.sections = self.sections_at(self.table, self.u16(self.pe + 6))

    def number(self, at, size):
        return int.from_bytes(self.bytes[at : at + size], "little")

    def u16(self, at):
        return self.number(at, 2)

    def u32(self, at):
        return self.number(at, 4)

    def sections_at(self, table, count):
        """As many of COUNT sections as the file has headers of."""
        headers = range(table, min(table + 40 * count, len(self.bytes) - 39), 40)
        return [Section(self.name_at(at), *(self.u32(at + field) for field in (8, 12, 16, 20, 36))) for at in headers]

    def name_at(self, at):
        """The name in a section's header, or the one in the string table that it stands for."""
        name = self.text(at, 8)
        symbols = self.u32(self.pe + 12)
        if not symbols or not name.startswith("/"):
            return name
        offset = 0
        if name.startswith("//"):
            for digit in name[2:]:
                offset = offset * 64 + DIGITS.find(digit) % 64
        elif name[1:].isdigit():
            offset = int(name[1:])
        return self.text(symbols + 18 * self.u32(self.pe + 16) + offset, 63)

    def text(self, at, size):
        return self.bytes[at : at + size].split(b"\0")[0].decode("latin-1")

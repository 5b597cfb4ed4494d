# SPDX-License-Identifier: GPL-2.0-or-later
#
# growing.py KIND SIZE FILE - an input that is as expensive as its format lets it be, SIZE times a small one
#
#	modules	a minidump of SIZE modules and SIZE threads: each word of a stack is an address in one of the last modules

import struct
import sys


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


def modules(size):
    dump = Minidump()
    base, length, stack_address, words = 0x10000000, 0x1000, 0x1000000, 1024
    name = dump.name("m.dll")
    dump.list(4, [struct.pack("<Q4I", base + i * length, length, 0, i + 1, name).ljust(108, b"\0") for i in range(size)])
    last = base + (size - 1) * length
    stack = dump.add(b"".join(struct.pack("<I", last - i % 4 * length + 0x10) for i in range(words)))
    context = bytearray(0x2CC)
    for at, value in (0, 0x10007), (0xB8, last + 0x800), (0xC4, stack_address):
        struct.pack_into("<I", context, at, value)
    context = dump.add(context)
    threads = min(size, 4096)
    dump.list(3, [struct.pack("<4I2Q4I", i, 0, 0, 0, 0, stack_address, 4 * words, stack, 0x2CC, context) for i in range(threads)])
    return dump.finish()


if __name__ == "__main__":
    with open(sys.argv[3], "wb") as file:
        file.write(globals()[sys.argv[1]](int(sys.argv[2])))

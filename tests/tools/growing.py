# SPDX-License-Identifier: GPL-2.0-or-later
#
# growing.py KIND SIZE FILE [IMAGE] - an input that is as expensive as its format lets it be, SIZE times a small one
#
#	modules		a minidump of SIZE modules and SIZE threads: each word of a stack is an address in one of the last modules
#	alike		a minidump that has the module IMAGE at SIZE addresses, and a thread in each

import os
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


def modules(size):
    dump = Minidump()
    base, length, sp = 0x10000000, 0x1000, 0x1000000
    dump.modules(base, length, range(1, size + 1), "m.dll")
    last = base + (size - 1) * length
    stack = [last - i % 4 * length + 0x10 for i in range(1024)]
    dump.threads([dump.context(last + 0x800, sp)] * min(size, 4096), sp, stack)
    return dump.finish()


def alike(size, image):
    dump = Minidump()
    base, sp = 0x10000000, 0x1000000
    with open(image, "rb") as file:
        content = file.read()
    length = struct.unpack_from("<I", content, struct.unpack_from("<I", content, 60)[0] + 24 + 56)[0]
    key = content[content.index(b"RSDS") :][:24]
    dump.modules(base, length, [0] * size, os.path.basename(image), key)
    dump.threads([dump.context(base + i * length + 0x1000, sp) for i in range(min(size, 4096))], sp, [0])
    return dump.finish()


if __name__ == "__main__":
    with open(sys.argv[3], "wb") as file:
        file.write(globals()[sys.argv[1]](int(sys.argv[2]), *sys.argv[4:]))

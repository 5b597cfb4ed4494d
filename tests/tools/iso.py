#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# iso.py ISO DIRECTORY		makes an ISO 9660 image of DIRECTORY, with names in Joliet's form
#
# genisoimage and xorriso do the same, but not every system has them.
"""Make ISO images for tests."""

import os
import struct
import sys

BLOCK = 2048


def both(form, number):
    """Pack NUMBER little-endian and then big-endian."""
    return struct.pack("<" + form, number) + struct.pack(">" + form, number)


def padded(content):
    """Fill CONTENT up with zeros to whole blocks."""
    return content + bytes(-len(content) % BLOCK)


def record(name, block, size, is_directory):
    """Make a directory record."""
    date = bytes((126, 11, 1, 0, 0, 0, 0))
    body = both("I", block) + both("I", size) + date + bytes((2 if is_directory else 0, 0, 0)) + both("H", 1)
    body += bytes((len(name),)) + name + bytes((len(name) + 1) % 2)
    return bytes((len(body) + 2, 0)) + body


class Image:
    """The blocks of the image; the first 20 are the system's, the descriptors, and a path table.

    Readers of streams want directories before files.
    """

    def __init__(self):
        self.blocks = bytearray(20 * BLOCK)
        self.places = {}

    def add(self, key, content, size):
        """Append CONTENT; KEY is then at that place.  An empty file has a block, too."""
        self.places[key] = len(self.blocks) // BLOCK, size
        self.blocks += padded(content or b"\0")

    def add_directories(self, top, encode):
        """Make room for the directories of one tree."""
        for path, directories, files in os.walk(top):
            directories.sort()
            room = BLOCK * (1 + len(directories + files) // 10)
            self.add((encode, path), bytes(room), room)

    def add_files(self, top):
        """Append all files, which both trees share."""
        for path, _, files in os.walk(top):
            for name in sorted(files):
                with open(os.path.join(path, name), "rb") as source:
                    content = source.read()
                self.add(os.path.join(path, name), content, len(content))

    def fill_directories(self, top, encode):
        """Write the records of one tree."""
        for path, directories, files in os.walk(top):
            block, room = self.places[encode, path]
            parent = self.places.get((encode, os.path.dirname(path)), (block, room))
            content = record(b"\0", block, room, True) + record(b"\1", *parent, True)
            for encoded, name in sorted((encode(name, name in directories), name) for name in directories + files):
                inner = os.path.join(path, name)
                is_directory = name in directories
                item = record(encoded, *self.places[(encode, inner) if is_directory else inner], is_directory)
                if len(content) % BLOCK + len(item) > BLOCK:  # no record crosses blocks
                    content = padded(content)
                content += item
            assert len(content) <= room
            self.blocks[block * BLOCK:block * BLOCK + len(content)] = content


def primary(name, is_directory):
    """Return the name that only old systems see."""
    return name.upper().encode("ascii", "replace")[:28] + (b"" if is_directory else b";1")


def joliet(name, is_directory):
    """Return the name as it is, in UTF-16."""
    return (name if is_directory else name + ";1").encode("utf-16-be")


def main():
    out, path = sys.argv[1:]
    image = Image()
    for encode in primary, joliet:
        image.add_directories(path, encode)
    image.add_files(path)
    for encode in primary, joliet:
        image.fill_directories(path, encode)
    roots = [(1, b"", image.places[primary, path]), (2, b"%/E", image.places[joliet, path])]
    table = struct.pack("<BBIHH", 1, 0, roots[0][2][0], 1, 0)
    image.blocks[19 * BLOCK:19 * BLOCK + len(table)] = table
    for at, (kind, escape, root) in enumerate(roots, 16):
        descriptor = bytes((kind,)) + b"CD001\1\0" + b" " * 64 + bytes(8) + both("I", len(image.blocks) // BLOCK)
        descriptor += escape.ljust(32, b"\0") + both("H", 1) + both("H", 1) + both("H", BLOCK) + both("I", len(table))
        descriptor += struct.pack("<II", 19, 0) + struct.pack(">II", 19, 0) + record(b"\0", *root, True)
        descriptor += b" " * 623 + b"0" * 16 + b"\0" + b"0" * 16 + b"\0" + b"0" * 16 + b"\0" + b"0" * 16 + b"\0" + b"\1\0"
        image.blocks[at * BLOCK:at * BLOCK + len(descriptor)] = descriptor
    image.blocks[18 * BLOCK:18 * BLOCK + 7] = b"\xffCD001\1"
    with open(out, "wb") as target:
        target.write(image.blocks)


main()

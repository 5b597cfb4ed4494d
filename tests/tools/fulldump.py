#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
fulldump.py DUMP IMAGE BASE FULL [64] - writes the minidump FULL: DUMP, and the memory of the module IMAGE at BASE

With 64 this memory is in a Memory64List, in place of the stream about the process; else in the MemoryList.
The sections are where the loader puts them.  The list of memory and the directory are written anew, at the end.
"""

import struct
import sys

from images import Image

MEMORY_LIST, MEMORY64_LIST, MISC_INFO, DESCRIPTOR = 5, 9, 15, 16


def mapped(image):
    """The image as it is in memory."""
    memory = bytearray(image.u32(image.opt + 56))
    size = len(memory)
    headers = image.u32(image.opt + 60)
    memory[:headers] = image.bytes[:headers]
    for section in image.sections:
        if section.roff and section.roff + section.rsize <= len(image.bytes) and section.rva < size:
            content = image.bytes[section.roff : section.roff + min(section.rsize, size - section.rva)]
            memory[section.rva : section.rva + len(content)] = content
    return memory


path, image_path, base, full_path, *in_64 = sys.argv[1:]
with open(path, "rb") as file:
    dump = bytearray(file.read())
memory, base = mapped(Image(image_path)), int(base, 16)
streams, directory = struct.unpack_from("<2I", dump, 8)
entries = [list(struct.unpack_from("<3I", dump, directory + 12 * i)) for i in range(streams)]
old = next(entry[2] for entry in entries if entry[0] == MEMORY_LIST)
(count,) = struct.unpack_from("<I", dump, old)
at = len(dump) + len(memory)
size = 4 + DESCRIPTOR * (count + 1)
for entry in entries:
    if entry[0] == MEMORY_LIST:
        entry[1:] = size, at
    elif in_64 and entry[0] == MISC_INFO:
        entry[:] = MEMORY64_LIST, 32, at + size
struct.pack_into("<I", dump, 12, at + size + 32)
with open(full_path, "wb") as full:
    full.write(dump + memory + struct.pack("<I", count if in_64 else count + 1))
    full.write(dump[old + 4 : old + 4 + DESCRIPTOR * count] + struct.pack("<Q2I", base, len(memory), len(dump)))
    # One entry: its number, where its data are, and what it is.
    full.write(struct.pack("<4Q", 1, len(dump), base, len(memory)))
    full.write(b"".join(struct.pack("<3I", *entry) for entry in entries))

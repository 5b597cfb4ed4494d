#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
mkcab [-m] CABINET FILE...	builds a cabinet from files

-m: the method is MSZIP, as in ReactOS's own cabinets; the deflate blocks in it are stored ones.  Else nothing is packed.
Names in the cabinet are the files' names without their directories.

	header, 36 bytes	"MSCF" 0 size 0 first-file 0 version folders files flags set number
	folder, 8 bytes		first-block blocks method
	file, 16 bytes + name	size offset folder date time attributes name NUL
	block, 8 bytes + data	checksum packed-size size; of at most 32768 bytes
"""

import os
import struct
import sys

BLOCK, HEADER, FOLDER = 32768, 36, 8

mszip = sys.argv[1] == "-m"
path, *names = sys.argv[1 + mszip :]
entries, data = b"", b""
for name in names:
    with open(name, "rb") as file:
        content = file.read()
    entries += struct.pack("<2I4H", len(content), len(data), 0, 0x5921, 0, 0x20) + os.fsencode(os.path.basename(name)) + b"\0"
    data += content
blocks = []
for at in range(0, len(data), BLOCK):
    part = data[at : at + BLOCK]
    # The last deflate block, stored.
    packed = b"CK" + struct.pack("<B2H", 1, len(part), ~len(part) & 0xFFFF) + part if mszip else part
    blocks.append(struct.pack("<I2H", 0, len(packed), len(part)) + packed)  # no checksum
first_block = HEADER + FOLDER + len(entries)
size = first_block + sum(map(len, blocks))
with open(path, "wb") as cabinet:
    cabinet.write(struct.pack("<4s5I6H", b"MSCF", 0, size, 0, HEADER + FOLDER, 0, 0x0103, 1, len(names), 0, 0, 0))
    cabinet.write(struct.pack("<I2H", first_block, len(blocks), mszip) + entries + b"".join(blocks))

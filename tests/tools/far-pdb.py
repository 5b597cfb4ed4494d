# SPDX-License-Identifier: GPL-2.0-or-later
#
# far-pdb.py FROM TO GIB: writes the PDB file FROM as TO, with all blocks but the first moved up by GIB GiB.  The file is sparse, so
# it takes no room.
import struct
import sys

data = bytearray(open(sys.argv[1], "rb").read())
block_size, _, count, directory_size, _, list_block = struct.unpack_from("<6I", data, 32)
shift = (int(sys.argv[3]) << 30) // block_size


def moved(at, number):
    """Moves the NUMBER block numbers at offset AT of the file, and returns what they were."""
    old = struct.unpack_from("<%dI" % number, data, at)
    struct.pack_into("<%dI" % number, data, at, *[block + shift for block in old])
    return old


def blocks(size):
    return (size + block_size - 1) // block_size


directory = moved(list_block * block_size, blocks(directory_size))
places = [block * block_size + offset for block in directory for offset in range(0, block_size, 4)]
streams, = struct.unpack_from("<I", data, places[0])
at = 1 + streams
for i in range(streams):
    size, = struct.unpack_from("<I", data, places[1 + i])
    for _ in range(0 if size == 0xFFFFFFFF else blocks(size)):
        moved(places[at], 1)
        at += 1
struct.pack_into("<2I", data, 40, count + shift, directory_size)
struct.pack_into("<I", data, 52, list_block + shift)
with open(sys.argv[2], "wb") as out:
    out.write(data[:block_size])
    out.seek(block_size + (int(sys.argv[3]) << 30))
    out.write(data[block_size:])

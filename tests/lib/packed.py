# SPDX-License-Identifier: GPL-2.0-or-later
#
# packed.py TABLE - decode a bare packed table by what rossym(5) says, and nothing else: an independent witness
#
# Prints its rows and their frames as rossym-addr2line --dump does, without sizes.

import struct
import sys
import zlib

data = open(sys.argv[1], "rb").read()
symbols, symbols_length, strings, strings_length = struct.unpack_from("<4I", data)
assert symbols == 16 and symbols_length == 0
block = -(-(strings + strings_length) // 4) * 4
magic, length, crc, entries, table_crc = struct.unpack_from("<8s4I", data, block)
assert magic == b"ROSSYMX3"
assert zlib.crc32(data[block + 16 : block + length]) == crc
assert zlib.crc32(data[: strings + strings_length]) == table_crc


def expand(symbol):
    if symbol < 256:
        return bytes([symbol])
    (phrase,) = struct.unpack_from("<I", data, strings - 4 * (phrase_count - (symbol - 256)))
    begin = strings - (phrase & 0xFFFFFF)
    return data[begin : begin + (phrase >> 24)]


def string(offset):
    text, at, end = b"", strings + offset, strings + strings_length
    while offset and at < end and data[at]:
        symbol = data[at]
        if symbol >= 0x80:
            at += 1
            symbol = (symbol << 8 | data[at]) & 0x7FFF
        text += expand(symbol)
        at += 1
    return text


def numbers(number, widths):
    result = []
    for width in widths:
        result.append(number & (1 << width) - 1)
        number >>= width
    return result


def records(at, widths, count=None, end=None):
    size = (sum(widths) + 7) // 8
    if count is None:
        count = (end - at) // size
    found = [numbers(int.from_bytes(data[at + i * size : at + (i + 1) * size], "little"), widths) for i in range(count)]
    return found, at + count * size


chunks, at = {}, block + 24
while at < block + length:
    tag, size = struct.unpack_from("<4sI", data, at)
    chunks[tag] = (at + 8, at + 8 + size)
    at += 8 + -(-size // 4) * 4

begin, end = chunks[b"ROWS"]
group_widths, context_widths = data[begin : begin + 4], data[begin + 4 : begin + 8]
context_count, phrase_count = struct.unpack_from("<II", data, begin + 8)
groups, at = records(begin + 16, group_widths, -(-entries // 32))
contexts, group_data = records(at, context_widths, context_count)
no_frame = (1 << context_widths[2]) - 1

frames, inner = [], b"INNR" in chunks
for tag in (b"INLN", b"INNR"):
    if tag in chunks:
        at, stop = chunks[tag]
        frames, _ = records(at + 4, data[at : at + 4], end=stop)


def show(address, context, line, depth):
    function, file = (string(offset) for offset in contexts[context][:2])
    text = b"\t".join([b"0x%08x" % address, function, file, b"%d" % line, b"%d" % depth])
    sys.stdout.buffer.write(text + b"\n")


for number, (address, line_base, context_base, offset) in enumerate(groups):
    stop = groups[number + 1][3] + group_data if number + 1 < len(groups) else end
    bits = int.from_bytes(data[group_data + offset : stop], "little")
    delta, line_width, context_width, base_width, choices = numbers(bits, (6, 6, 6, 6, 5))
    bits >>= 32
    choices += 1
    count = min(32, entries - 32 * number)

    def take(width):
        global bits
        value = bits & (1 << width) - 1
        bits >>= width
        return value

    choice = [(take(context_width), take(base_width)) for _ in range(choices)]
    deltas = [0] + [take(delta) for _ in range(count - 1)]
    chosen = [take((choices - 1).bit_length()) for _ in range(count)]
    lines = [take(line_width) for _ in range(count)]
    for i in range(count):
        address += deltas[i]
        context = context_base + choice[chosen[i]][0]
        shown = [(context, (line_base + choice[chosen[i]][1] + lines[i]) % 2**32)]
        frame, chain = contexts[context][2], []
        while frame != no_frame:
            chain.append((frames[frame][0], frames[frame][1]))
            frame = contexts[frames[frame][0]][2]
        shown = chain + shown if inner else shown + chain
        for depth, (context, line) in enumerate(shown):
            show(address, context, line, depth)

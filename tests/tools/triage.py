#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
triage.py MINIDUMP TRIAGE [OFFSET VALUE]...	writes the triage dump TRIAGE of the crashed thread of MINIDUMP

The context, the stack from the stack pointer on, and the modules are those of the minidump, of x86 or x86-64.  Of 1000 bytes of the
stack some are in a block of memory.  OFFSET VALUE: 32-bit numbers that are written into the result.
"""

import struct
import sys

THREAD_LIST, MODULE_LIST, EXCEPTION, SYSTEM, APART = 3, 4, 6, 7, 1000

with open(sys.argv[1], "rb") as file:
    dump = file.read()


def get(at, form="I"):
    return struct.unpack_from("<" + form, dump, at)[0]


streams, directory = get(8), get(12)
stream = {get(directory + 12 * i): get(directory + 12 * i + 8) for i in range(streams)}
wide = get(stream[SYSTEM], "H") == 9
pointer = "Q" if wide else "I"
triage = 0x2000 if wide else 0x1000
out = bytearray(b"PAGE" * (triage // 4) + bytes(0x80))


def either(in_64, in_32):
    return in_64 if wide else in_32


def put(at, value, form="I"):
    struct.pack_into("<" + form, out, at, value & (0xFFFFFFFF if form == "I" else 0xFFFFFFFFFFFFFFFF))


def append(content):
    at = len(out)
    out.extend(content + bytes(-len(content) % 8))
    return at


def put_drivers():
    modules, size = stream[MODULE_LIST], either(0x90, 0x4C)
    drivers = append(bytes(get(modules) * size))
    # The next part follows at once.
    del out[drivers + get(modules) * size :]
    put(triage + 0x30, drivers)
    put(triage + 0x34, get(modules))
    for i in range(get(modules)):
        module, driver = modules + 4 + 108 * i, drivers + i * size
        name, entry = get(module + 20), driver + either(8, 4)
        units = dump[name + 4 : name + 4 + get(name)]
        put(driver, append(struct.pack("<I", len(units) // 2) + units))
        put(entry + either(0x30, 0x18), get(module, "Q"), pointer)
        for at, field in (either(0x40, 0x20), 8), (either(0x78, 0x40), 12), (either(0x80, 0x44), 16):
            put(entry + at, get(module + field))


def put_stack(thread, sp):
    """The stack of a thread from SP on."""
    entry = stream[THREAD_LIST] + 4
    while get(entry) != thread:
        entry += 48
    begin, size, at = get(entry + 24, "Q"), get(entry + 32), get(entry + 36)
    stack = dump[at + sp - begin : at + size]
    put(triage + 0x28, append(stack[:APART]))
    put(triage + 0x2C, len(stack[:APART]))
    put(triage + 0x48, sp, pointer)
    rest = append(stack[APART:])
    block = append(struct.pack("<" + pointer + "2I", sp + len(stack[:APART]), rest, len(stack[APART:])))
    put(triage + either(0x78, 0x60), block)
    put(triage + either(0x7C, 0x64), 1)


def put_header(code, address, context):
    out[4:8] = either(b"DU64", b"DUMP")
    put(0x0C, 19041)
    put(either(0x30, 0x20), either(0x8664, 0x14C))
    put(either(0x34, 0x24), 2)
    put(either(0x38, 0x28), 0x1000007E)
    for i, parameter in enumerate((code, address, 0, 0)):
        put(either(0x40 + 8 * i, 0x2C + 4 * i), parameter, pointer)
    size, at = either((1232, 0x348), (716, 0x320))
    out[at : at + size] = dump[context : context + size]
    put(either(0xF00, 0x7D0), code)
    put(either(0xF10, 0x7DC), address, pointer)
    put(either(0xF98, 0xF88), 4)
    put(either(0xFA8, 0xFC0), 0x1BF82AD87FD4000, "Q")  # 2000-02-29 12:00


exception = stream[EXCEPTION]
context = get(exception + 164)
put_header(get(exception + 8), get(exception + 24, "Q"), context)
put(triage, 4)
put_drivers()
put_stack(get(exception), get(context + 0x98, "Q") if wide else get(context + 0xC4))
put(triage + 8, append(b"TRGD"))
put(triage + 4, len(out))
for offset, value in zip(sys.argv[3::2], sys.argv[4::2]):
    put(int(offset, 0), int(value, 0))
with open(sys.argv[2], "wb") as file:
    file.write(out)

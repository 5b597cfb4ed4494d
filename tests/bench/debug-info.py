#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""debug-info.py ROSSYM GNU LLVM IMAGE...: how long three addr2lines take for images with debug information and without a table.

Each row: image, addresses, median milliseconds of ROSSYM, GNU and LLVM, then ROSSYM / GNU and ROSSYM / LLVM.  The programs take turns, so
what slows the machine slows all.  "one by one" asks as a debugger does: the next address follows the answer to the last one.

Environment: TURNS (7); MOST, the most addresses that GNU and LLVM are asked about (100000); BASE, a rossym-addr2line of another
build, which takes part, too.
"""
import os
import random
import re
import statistics
import subprocess
import sys
import time

TURNS, MOST = int(os.environ.get("TURNS", 7)), int(os.environ.get("MOST", 100000))


def code_of(image):
    """The first address of .text, and how many bytes it has."""
    text = subprocess.run(["objdump", "-h", image], check=True, text=True, capture_output=True).stdout
    size, address = re.search(r"^ *\d+ \.text +([0-9a-f]+) +([0-9a-f]+)", text, re.MULTILINE).groups()
    return int(address, 16), int(size, 16)


def operand(program, image, addresses):
    subprocess.run([program, "-f", "-e", image, *addresses], check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)


def together(program, image, addresses):
    subprocess.run([program, "-f", "-e", image], check=True, stdout=subprocess.DEVNULL, input="\n".join(addresses) + "\n", text=True)


def one_by_one(program, image, addresses):
    with subprocess.Popen([program, "-f", "-e", image], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for address in addresses:
            process.stdin.write(address.encode() + b"\n")
            process.stdin.flush()
            for _ in range(2):
                process.stdout.readline()


def median(way, programs, image, addresses):
    """The median milliseconds of each of PROGRAMS."""
    times = [[] for _ in programs]
    for turn in range(TURNS + 1):
        for program, of_program in zip(programs, times):
            begin = time.perf_counter()
            way(program, image, addresses)
            if turn > 0:
                of_program.append((time.perf_counter() - begin) * 1000)
    return [statistics.median(of_program) for of_program in times]


def main():
    *programs, = sys.argv[1:4]
    if os.environ.get("BASE"):
        programs.append(os.environ["BASE"])
    random.seed(1)
    print(f"{'':24} {'addresses':>22} {'rossym':>9} {'GNU':>9} {'LLVM':>9}   /GNU  /LLVM" + ("     BASE" if os.environ.get("BASE") else ""))
    for image in sys.argv[4:]:
        begin, size = code_of(image)
        for name, way, count in (("1, operand", operand, 1), ("1, standard input", together, 1), ("30, one by one", one_by_one, 30),
                                 ("1000", together, 1000), ("100000", together, 100000)):
            addresses = [f"{begin + random.randrange(size):#x}" for _ in range(count)]
            taking = programs if count <= MOST else programs[:1]
            ms = median(way, taking, image, addresses)
            row = "".join(f" {x:9.1f}" for x in ms[:3])
            if len(ms) >= 3:
                row += f" {ms[0] / ms[1]:6.2f} {ms[0] / ms[2]:6.2f}" + "".join(f" {x:9.1f}" for x in ms[3:])
            print(f"{os.path.basename(image):24.24} {name:>22}{row}", flush=True)


if __name__ == "__main__":
    main()

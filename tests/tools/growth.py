# SPDX-License-Identifier: GPL-2.0-or-later
"""
growth.py "KIND [IMAGE]" SIZE COMMAND... - whether the time of COMMAND grows in proportion to its input

The input is that of growing.py in files "input" and others, of SIZE, 2, 4 and 8 times SIZE; "list" has as many addresses.  The time is that of processors,
of all processes that COMMAND has started, also of those for which nobody waits.  Double the input may take 2.5 times as
long; less than FLOOR seconds are taken for that.  A time that is too long is measured again: others may have slowed
the machine down, also by taking its caches.  Prints the times.  The exit status is 0, or 1 if they grow faster or COMMAND fails.
"""

import ctypes
import os
import resource
import subprocess
import sys

import growing

FLOOR, MOST, AGAIN, TIMEOUT = 0.25, 2.5, 4, 300


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(command):
    before = used()
    status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=TIMEOUT).returncode
    try:
        while True:
            os.wait()
    except ChildProcessError:
        pass
    if status not in (0, 1):
        sys.exit("%s: exit status %d" % (command[0], status))
    return used() - before


def main(kind, size, command):
    PR_SET_CHILD_SUBREAPER = 36
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        sys.exit("processes for which nobody waits cannot be measured")
    last = None
    for times in 1, 2, 4, 8:
        growing.write(kind[0], size * times, "input", *kind[1:])
        growing.write("addresses", size * times, "list")
        seconds = measure(command)
        for _ in range(AGAIN):
            if last is not None and seconds > MOST * max(last, FLOOR):
                seconds = min(seconds, measure(command))
        print("%d\t%.3f s" % (size * times, seconds), flush=True)
        if last is not None and seconds > MOST * max(last, FLOOR):
            sys.exit("double the input takes %.1f times as long" % (seconds / max(last, 0.001)))
        last = seconds


main(sys.argv[1].split(), int(sys.argv[2]), sys.argv[3:])

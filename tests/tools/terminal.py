#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# terminal.py COMMAND	runs a shell command whose output and errors go to a terminal, and prints what the terminal gets
# terminal.py --test	succeeds if this system can make a terminal
#
# The exit status is the command's.  script(1) does the same, but not every system has it, and without a terminal of its own some
# versions wait for one.
"""Run a command on a terminal."""

import os
import subprocess
import sys


def main():
    try:
        ours, theirs = os.openpty()
    except OSError as fault:
        sys.exit(f"terminal.py: {fault.strerror}")
    if sys.argv[1] == "--test":
        return 0
    child = subprocess.Popen(["sh", "-c", sys.argv[1]], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    try:
        while data := os.read(ours, 65536):
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
    except OSError:  # what a terminal says that nobody has open any more
        pass
    return child.wait()


sys.exit(main())

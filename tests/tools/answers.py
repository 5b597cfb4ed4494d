# SPDX-License-Identifier: GPL-2.0-or-later
"""What programs such as addr2line -a -f -i have answered, for the tools that compare them."""

import re
import sys
import traceback

ADDRESS = re.compile("0x([0-9a-fA-F]+)$")


class Failure(Exception):
    """The files are not what they must be, so nothing can be compared."""


def lines(path):
    """The lines of a file, without their ends."""
    with open(path, encoding="latin-1", newline="\n") as file:
        for line in file:
            yield line.rstrip("\r\n")


def answers(path):
    """Each answer: its address, and for each frame a function and a place, which is a file, a colon and a line."""
    address, texts = None, []
    for line in lines(path):
        found = ADDRESS.match(line)
        if not found:
            texts.append(line)
            continue
        if address is not None:
            yield address, frames(path, texts)
        elif texts:
            raise Failure("%s: no address: %s" % (path, texts[0]))
        address, texts = int(found.group(1), 16), []
    if address is not None:
        yield address, frames(path, texts)


def frames(path, texts):
    if not texts or len(texts) % 2:
        raise Failure("%s: an answer without text, or half of one" % path)
    return [(texts[i], texts[i + 1].split(" (discriminator ")[0]) for i in range(0, len(texts), 2)]


def line_of(place):
    """The number after the last colon; 0 is unknown."""
    digits = re.match("[0-9]*", place[place.rfind(":") + 1 :]).group()
    return int(digits or "0")


def run(main):
    """Ends with what MAIN returns, 1 for a difference; with 2 if it could not compare."""
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except Exception:
        traceback.print_exc()
        status = 2
    sys.exit(status)

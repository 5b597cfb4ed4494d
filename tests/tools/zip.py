#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# zip.py [-q] [-r] [-0] ARCHIVE FILE...		makes a zip, or adds to it; -r takes what is in directories, -0 does not compress
#
# The zip program does the same, but not every system has it.  Names stay as they are given, so that "../x" is stored, too.
"""Make zip archives for tests."""

import os
import sys
import zipfile


class Entry(zipfile.ZipInfo):
    """An entry whose name has the bytes of the file's name, in no encoding: without the flag for UTF-8."""

    def _encodeFilenameFlags(self):
        return os.fsencode(self.filename), self.flag_bits & ~0x800


def files_below(path, whole):
    """Yield PATH, and if it is a directory and WHOLE, all that is below it, in the order of names."""
    yield path
    if whole and os.path.isdir(path):
        for name in sorted(os.listdir(path)):
            yield from files_below(os.path.join(path, name), whole)


def main():
    options = [word for word in sys.argv[1:] if word.startswith("-") and len(word) > 1]
    archive, *paths = [word for word in sys.argv[1:] if word not in options]
    letters = "".join(options)
    kind = zipfile.ZIP_STORED if "0" in letters else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(archive, "a", kind) as out:
        for path in paths:
            for file in files_below(path, "r" in letters):
                name = file[2:] if file.startswith("./") else file
                if name in (".", ""):
                    continue
                info = Entry(name + "/" if os.path.isdir(file) else name, (2026, 11, 1, 0, 0, 0))
                info.external_attr = os.stat(file).st_mode << 16
                info.compress_type = kind
                if os.path.isdir(file):
                    out.writestr(info, b"")
                else:
                    with open(file, "rb") as content:
                        out.writestr(info, content.read())


main()

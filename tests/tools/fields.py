#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""fields.py HEADER...: prints the structures of headers, a line for each: its name, a colon and its fields.

Left out are fields called "reserved"; and structures whose fields only the library uses, as their comment says.
"""
import re
import sys


def field_of(declaration):
    function = re.search(r"\(\*(\w+)\)\s*\(", declaration)
    return [function.group(1)] if function else [re.search(r"(\w+)(\[[^\]]*\])*$", part.strip()).group(1) for part in declaration.split(",")]


for path in sys.argv[1:]:
    text = open(path, encoding="utf-8").read()
    for structure in re.finditer(r"((?:/\*(?:(?!\*/).)*\*/\n)?)struct (\w+) \{\n(.*?)\n\};", text, re.S):
        comment, name, body = structure.groups()
        if "Only the library uses the" in comment:
            continue
        fields = [f for d in re.sub(r"/\*.*?\*/", "", body, flags=re.S).split(";") if d.strip() for f in field_of(d.strip())]
        print("%s: %s" % (name, " ".join(f for f in fields if f != "reserved")))

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
pdb-compare.py - what rossym and llvm-symbolizer say about each byte of code of an image whose symbols are in a PDB

 *	pdb-compare.py addresses IMAGE
 *		prints the RVA of each byte of the sections with code
 *	pdb-compare.py [-c] compare IMAGE DUMP WITNESS OURS
 *		IMAGE can be the section headers alone.
 *		Compares the answers for these RVAs: WITNESS of llvm-symbolizer (-a -f -i --no-demangle
 *		--output-style=GNU --relative-address), OURS of rossym-addr2line -a -f -i with the bare table.  DUMP is what
 *		"llvm-pdbutil dump" prints for --symbols, --publics, --l and --section-contribs.  With -c the compiler was
 *		Microsoft's, for which the witness loses inlined frames.

It shares no code with the library, on purpose.  The witness has known faults, so a difference is not taken on trust:
DUMP must say that the witness is wrong in a way that is known, and that ours is right.  Each byte is counted once
for its name, that of the function which is not inlined, and once for its place, the lines of all frames and the
names of inlined ones.

Names:
 *	name		ours is the witness's
 *	public		the witness has the public symbol at the procedure's address; ours is the procedure's name
 *	folded		several procedures begin there (identical code folding); each has one of their names
 *	label		no procedure is there; ours is the undecorated name of the nearest public symbol, which belongs to the same
 *			section contribution
 *	thunk		ours is the name of the thunk that is there, for which the witness has a public symbol
 *	beyond		no procedure is there, and what the nearest public symbol names has ended, with its procedure or section
 *			contribution: it is padding.  The witness has the nearest name, however far; ours is unknown
 *	data		the nearest public symbol is not of a function; ours is unknown
 *	after		the first byte after a range of lines, see "end" below: ours is the name of the byte before
 *	trampoline	a jump of an incremental link, which the witness does not know; ours is "@ILT+...", as debuggers have it
 *	unwitnessed	DUMP has no public symbols at all, for llvm-pdbutil cannot read those of /DEBUG:FASTLINK, and the
 *			witness has an empty line
 *	none		both know nothing, or the witness has an empty line (then DUMP has nothing either)

Places:
 *	place		all frames are the witness's
 *	equal		two entries of the line table have this address; the witness has the first, ours is the last, which is
 *			also what the witness has for the next byte
 *	mixed		the range has lines of several files; ours is the last entry at or before the byte, the witness has
 *			that of another of the files alone
 *	before		the byte is before the first entry of its range; the witness has the first entry, ours is unknown
 *	other-range	several ranges of lines cover the byte (folding); each has the line of one of them
 *	hidden		the witness has 15732480 or 16707566, numbers for "no line"; ours is unknown
 *	end		the first byte after a range, for which the witness has no line; ours is the range's last line, as it is
 *			after a call (tests/embed/cli-embed-ends.sh)
 *	lines		with -c: the frames are the same but for lines of inlined functions (the witness applies a change of
 *			the line to the code before it)
 *	dropped		with -c: the frames of the witness are some of ours, in the same order
 *	unnamed		with -c: the frames are the same, but the witness has no names for inlined functions: older compilers
 *			have the ids among the types, where it does not look
 *	unknown		both know nothing

All else is different: the first few are printed to stderr, and the status is 1.  On stdout is one line: pairs of a
case and a count, and at last "inlined": bytes with more than one frame in ours.
"""

import bisect
import collections
import re
import sys

from answers import Failure, answers, line_of, lines, run
from images import CODE, Image

SHOWN_MAX = 8
NAMES = "name public folded label thunk beyond data after trampoline unwitnessed none different-name".split()
PLACES = """place equal mixed before other-range hidden end lines dropped unnamed unknown
    different-place""".split()
NO_LINES = 0xF00F00, 0xFEEFEE

RECORD = re.compile(r"\s*\d+\s*\|\s*(\S+)")
CONTRIBUTION = re.compile(r"\s*SC\[[^]]+\]\s*\|\s*mod\s*=\s*\d+,\s*(\d+):(\d+),\s*size\s*=\s*(\d+)")
RANGE = re.compile(r"\s*(\d+):([0-9A-Fa-f]+)-([0-9A-Fa-f]+),\s*line/addr\s*entries\s*=")
ENTRY = re.compile(r"\s*(\d+)\s+([0-9A-Fa-f]{1,8})[ !]*")

# A procedure, a thunk, a public symbol (size 0), or a section contribution (no name).
Symbol = collections.namedtuple("Symbol", "begin size name is_data", defaults=(None, False))
Entry = collections.namedtuple("Entry", "rva line file")
Frame = collections.namedtuple("Frame", "function file line")  # None and 0 are unknown


class Range:
    """Lines of a range of code: of several files, one after the other."""

    def __init__(self, begin, end):
        self.begin, self.end, self.has_files, self.entries = begin, end, False, []

    def covers(self, rva):
        return self.begin <= rva < self.end

    def entries_at(self, rva):
        """The entries that have the highest address at or below an RVA that is covered."""
        below = [entry for entry in self.entries if entry.rva <= rva] if self.covers(rva) else []
        highest = max((entry.rva for entry in below), default=None)
        return [entry for entry in below if entry.rva == highest]

    def is_of_file(self, rva, frame):
        """Whether FRAME is an entry of the last address at or before RVA that its own file has, or the first if it has none."""
        last = None
        for entry in self.entries:
            if entry.file == frame.file and (not last or last.rva <= entry.rva <= rva):
                last = entry
        return bool(last) and any(entry.rva == last.rva and is_entry(entry, frame) for entry in self.entries)


def is_entry(entry, frame):
    return frame.file is not None and (entry.file, entry.line) == (frame.file, frame.line)


class Buckets:
    """What covers parts of code, in order, to be found by an RVA."""

    def __init__(self):
        self.buckets = collections.defaultdict(list)

    def add(self, begin, end, item):
        for bucket in range(begin >> 8, (end >> 8) + 1):
            self.buckets[bucket].append(item)

    def near(self, rva):
        return self.buckets.get(rva >> 8, ())


class Symbols(Buckets):
    def put(self, symbol):
        self.add(symbol.begin, symbol.begin + symbol.size, symbol)

    def covering(self, rva):
        return [symbol for symbol in self.near(rva) if symbol.begin <= rva < symbol.begin + symbol.size]


class Dump:
    """What llvm-pdbutil prints."""

    def __init__(self, path, sections):
        self.sections = sections
        self.procedures, self.thunks, self.trampolines, self.contributions = (Symbols() for _ in range(4))
        self.begins, self.publics = [], collections.defaultdict(list)
        self.ranges, self.range_buckets = [], Buckets()
        self.read(path)
        self.begins.sort()
        self.public_begins = sorted(self.publics)
        for lines_of in self.ranges:
            if lines_of.entries:
                self.range_buckets.add(lines_of.begin, lines_of.end, lines_of)
        self.ends = {lines_of.end for lines_of in self.ranges}

    def rva_of(self, number, offset):
        """The RVA of OFFSET in section NUMBER, which begins at 1; 0 if there is no such section."""
        return self.sections[number - 1].rva + offset if 1 <= number <= len(self.sections) else 0

    def address_after(self, line, what):
        """The address in "addr = 0001:0640", both decimal; 0 if there is none."""
        found = re.search(what + r"(\d+):(\d+)", line)
        return self.rva_of(int(found.group(1)), int(found.group(2))) if found else 0

    def read(self, path):
        in_lines, new_module, section, kind, name, file = False, False, 0, "", None, None
        for line in lines(path):
            if re.match("   *[A-Z]", line) and not line.startswith("  SC["):
                in_lines = False
            found = RANGE.match(line) if in_lines else None
            if "    Lines    " in line:
                in_lines, section = True, 0
            elif in_lines and line.startswith("Mod "):
                new_module = True
            elif found:
                section = int(found.group(1))
                self.add_range(*(self.rva_of(section, int(found.group(i), 16)) for i in (2, 3)), file, new_module)
                new_module = False
            elif in_lines and line[:1] != " " and "(" in line:
                file = re.split(r" \(MD5: | \(SHA| \(no checksum", line)[0]
            elif in_lines and line[:1] == " " and section:
                self.read_entries(line, section, file)
            elif line.startswith("  SC["):
                self.read_contribution(line)
            elif RECORD.match(line):
                # "  100 | S_GPROC32 [size = 60] `name`"; a line with the address follows.
                kind = RECORD.match(line).group(1)
                quoted = re.search("`(.*)`", line)
                name = quoted and quoted.group(1)
            elif name is not None or kind == "S_TRAMPOLINE":
                self.read_symbol(line, kind, name)
                if "addr = " in line:
                    name = None

    def add_range(self, begin, end, file, new_module):
        """Begins with the lines of FILE in a range of code: of a new one, or of another file in the last one.  Two ranges of
        one file are those of functions that were folded."""
        last = self.ranges[-1] if self.ranges and not new_module else None
        if last and (last.begin, last.end) == (begin, end) and last.entries and last.entries[-1].file != file:
            last.has_files = True
        else:
            self.ranges.append(Range(begin, end))

    def read_entries(self, line, section, file):
        """Lines are "   5 00000007 !   6 0000000A", many in a line; a "!" is left out by some compilers."""
        at = 0
        while found := ENTRY.match(line, at):
            at = found.end()
            self.ranges[-1].entries.append(Entry(self.rva_of(section, int(found.group(2), 16)), int(found.group(1)), file))

    def read_contribution(self, line):
        found = CONTRIBUTION.match(line)
        section, offset, size = map(int, found.groups()) if found else (0, 0, 0)
        begin = self.rva_of(section, offset)
        if begin and size:
            self.contributions.put(Symbol(begin, size))

    def read_symbol(self, line, kind, name):
        size = re.search(r"code size = (\d+)" if kind.endswith("PROC32") else r", size = (\d+)", line)
        size = int(size.group(1)) if size else 0
        if kind == "S_TRAMPOLINE":
            source = self.address_after(line, ", source = ")
            if source:
                self.trampolines.put(Symbol(source, size, name))
        begin = self.address_after(line, "addr = ") if name is not None else 0
        if not begin:
            return
        if kind in ("S_GPROC32", "S_LPROC32"):
            self.procedures.put(Symbol(begin, size, name))
            self.begins.append(begin)
        elif kind == "S_THUNK32":
            self.thunks.put(Symbol(begin, size, name))
        elif kind == "S_PUB32":
            self.publics[begin].append(Symbol(begin, 0, name, "function" not in line))

    # Names

    def is_public_at(self, rva, name):
        return any(symbol.name == name for symbol in self.publics.get(rva, ()))

    def nearest_public(self, rva):
        """The address of the nearest public symbol at or below an RVA; 0 if there is none."""
        i = bisect.bisect_right(self.public_begins, rva)
        return self.public_begins[i - 1] if i else 0

    def is_label(self, rva, name):
        return any(is_undecorated(name, symbol.name) or is_qualified(name, symbol.name) for symbol in self.publics.get(rva, ()))

    def is_beyond(self, rva):
        """Whether what the nearest public symbol names ends before RVA, where no procedure is."""
        contributions, nearest = self.contributions.covering(rva), self.nearest_public(rva)
        has_procedure = bisect.bisect_left(self.begins, nearest) < bisect.bisect_right(self.begins, rva)
        return has_procedure or not contributions or nearest < contributions[0].begin

    def judge_procedure(self, rva, witness, ours, procedures):
        if not any(is_called(symbol, ours) for symbol in procedures):
            return "different-name"
        if witness == ours:
            return "name"
        if self.is_public_at(procedures[0].begin, witness) and is_called(procedures[0], ours):
            return "public"
        is_one = any(is_called(symbol, witness) or self.is_public_at(symbol.begin, witness) for symbol in procedures)
        return "folded" if is_one else "different-name"

    def judge_name(self, rva, witness, ours):
        procedures, thunks = self.procedures.covering(rva), self.thunks.covering(rva)
        if procedures:
            return self.judge_procedure(rva, witness, ours, procedures)
        if witness is None and ours and ours.startswith("@ILT+") and self.trampolines.covering(rva):
            return "trampoline"
        if witness is None and not self.publics:
            return "unwitnessed" if ours else "none"
        # Without a procedure the witness has the nearest public symbol, or nothing if there is none.
        nearest = self.nearest_public(rva)
        if not self.is_public_at(nearest, witness) if witness is not None else nearest and not thunks:
            return "different-name"
        if thunks and thunks[0].name == ours:
            return "name" if witness == ours else "thunk"
        if ours is None:
            if witness is None:
                return "none"
            if self.is_beyond(rva):
                return "beyond"
            return "data" if all(symbol.is_data for symbol in self.publics[nearest]) else "different-name"
        if rva in self.ends and any(is_called(symbol, ours) for symbol in self.procedures.covering(rva - 1)):
            return "after"
        if not self.is_label(nearest, ours) or self.is_beyond(rva):
            return "different-name"
        return "name" if witness == ours else "label"

    # Places

    def roles(self, rva, frame):
        """Which roles the place of FRAME has for RVA:
        first, last  the first or last of the entries with the nearest address
        before       the first entry of a range, where RVA is before that
        end          the last entry of a range that ends at RVA
        of-file      the last entry of its file, in a range with several
        ranges       more than one range covers RVA"""
        roles, covering = set(), 0
        for lines_of in self.range_buckets.near(rva):
            covering += lines_of.covers(rva)
            nearest = lines_of.entries_at(rva)
            ended = lines_of.entries_at(rva - 1) if lines_of.end == rva else None
            if nearest:
                has = {"first": is_entry(nearest[0], frame), "last": is_entry(nearest[-1], frame)}
                has["of-file"] = lines_of.has_files and lines_of.is_of_file(rva, frame)
            elif lines_of.covers(rva):
                has = {"before": is_entry(lines_of.entries[0], frame)}
            else:
                has = {"end": ended and is_entry(ended[-1], frame)}
            roles |= {role for role in has if has[role]}
        return roles | ({"ranges"} if covering > 1 else set())

    def judge_line(self, rva, witness, ours):
        """The places of the functions that are not inlined."""
        if (witness.file, witness.line) == (ours.file, ours.line):
            return "place" if witness.line else "unknown"
        its, our = self.roles(rva, witness), self.roles(rva, ours)
        if witness.line in NO_LINES and not ours.line:
            return "hidden"
        if "first" in its and "last" in our and "ranges" not in its:
            return "equal"
        if "of-file" in its and "last" in our:
            return "mixed"
        if "before" in its and not ours.line:
            return "before"
        if not witness.line and "end" in our:
            return "end"
        return "other-range" if "ranges" in its and its & {"first", "last"} and "last" in our else "different-place"

    def judge_place(self, rva, witness, ours, by_microsoft):
        outermost = self.judge_line(rva, witness[-1], ours[-1])
        if outermost == "different-place" or (len(witness) == len(ours) and witness[:-1] == ours[:-1]):
            return outermost
        if by_microsoft and is_alike(witness, ours):
            same_lines = all(a.line == b.line for a, b in zip(witness[:-1], ours[:-1]))
            return "unnamed" if same_lines else "lines"
        return "dropped" if by_microsoft and is_part(witness, ours) else "different-place"


def is_undecorated(name, decorated):
    """Whether a name is a decorated one without what calling conventions add on i386: _f, _f@8, @f@8."""
    return name == decorated or re.fullmatch("[_@]?" + re.escape(name) + "(@[0-9]*)?", decorated) is not None


def is_called(symbol, name):
    """Whether NAME is the name of SYMBOL.  Assemblers give symbols decorated names, such as @f@8; NAME is f then."""
    if symbol.name == name:
        return True
    return bool(name) and symbol.name is not None and "@" in symbol.name and is_undecorated(name, symbol.name)


def is_qualified(name, linkage):
    """Whether NAME is a::b and the linkage name ?b@a@@...: what is around comes after what is in it."""
    parts = linkage[1:].split("@@")[0].split("@")
    return linkage.startswith("?") and "@@" in linkage and "" not in parts and name == "::".join(reversed(parts))


def may_be(witness, ours):
    """Whether the witness's name of an inlined function can be ours: it has none where the ids are among the types."""
    return witness is None or witness == ours


def is_part(witness, ours):
    """Whether the inlined functions of the witness are some of ours, in the same order."""
    at = 0
    for frame in ours[:-1]:
        at += at + 1 < len(witness) and may_be(witness[at].function, frame.function)
    return at + 1 >= len(witness) and len(witness) < len(ours)


def is_alike(witness, ours):
    """Whether all frames have the same functions and files."""
    pairs = list(zip(witness[:-1], ours[:-1]))
    return len(witness) == len(ours) and all(may_be(a.function, b.function) and a.file == b.file for a, b in pairs)


def frame_of(function, place):
    if ":" not in place:
        raise Failure("no place: " + place)
    file = place.rpartition(":")[0]
    return Frame(None if function in ("", "??") else function, None if file == "??" else file, line_of(place))


def compare(dump, witness_path, ours_path, by_microsoft):
    theirs, shown, count, inlined = answers(witness_path), 0, 0, 0
    counts = dict.fromkeys(NAMES + PLACES, 0)
    for rva, frames in answers(ours_path):
        again, its = next(theirs, (None, ()))
        if again != rva:
            raise Failure(witness_path + ": it does not answer for the same addresses")
        witness, ours = ([frame_of(*frame) for frame in of] for of in (its, frames))
        name = dump.judge_name(rva, witness[-1].function, ours[-1].function)
        place = dump.judge_place(rva, witness, ours, by_microsoft)
        counts[name] += 1
        counts[place] += 1
        count += 1
        inlined += len(ours) > 1
        if name == "different-name" or place == "different-place":
            shown += 1
            if shown <= SHOWN_MAX:
                print("0x%x:" % rva, file=sys.stderr)
                for who, answer in ("llvm", witness), ("ours", ours):
                    for frame in answer:
                        print("  %s %s %s:%d" % (who, frame.function or "??", frame.file or "??", frame.line), file=sys.stderr)
    if next(theirs, None):
        raise Failure(witness_path + ": it answers for more addresses")
    print("bytes", count, *(word for pair in counts.items() for word in pair), "inlined", inlined)
    return int(shown > 0 or count == 0)


def main(arguments):
    by_microsoft = arguments[:1] == ["-c"]
    arguments = arguments[by_microsoft:]
    if arguments[:1] not in (["addresses"], ["compare"]) or len(arguments) != {"addresses": 2, "compare": 5}[arguments[0]]:
        raise Failure("wrong arguments: see the source")
    image = Image(arguments[1])
    sections = image.sections if image.bytes.startswith(b"MZ") else image.sections_at(0, 96)
    if arguments[0] == "compare":
        return compare(Dump(arguments[2], sections), *arguments[3:], by_microsoft)
    for section in sections:
        for at in range(section.vsize if section.flags & CODE else 0):
            print("0x%x" % (section.rva + at))
    return 0


run(main)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
proof-compare.py - what three programs say about each byte of code of an image

 *	proof-compare.py addresses IMAGE STEP
 *		prints the addresses of every STEPth byte of the sections with code
 *	proof-compare.py [-i] i386|x86-64 OURS GNU LLVM SYMBOLS LINES STABS GNU2 LONG
 *		compares the answers to them of rossym-addr2line -af (on the final image), addr2line -af and
 *		llvm-addr2line -afi (on the one with debug information); with -i, of all three with -afi.  SYMBOLS is what nm
 *		prints, LINES what objdump --dwarf=decodedline does, STABS objdump -G; GNU2 is what addr2line answers when .stab
 *		is not there (/dev/null: there is none), LONG names of more than 255 bytes, each with a tab and its short form.

It shares no code with the library, on purpose.  Each byte is of one of three kinds, and of one class of it:

 *	line		a line is known: all frames are the same in both, but for these classes of differences
 *	  decoration	the names are, without the i386 decoration that GNU prints and a table leaves out
 *	  long		ours is GNU's name cut to 255 bytes, or in its short form
 *	  assembler	GNU has no name, for no function is described, or one without a name (gcc -flto); ours is the label, and LLVM's
 *	  file		GNU has another file in a DWARF 5 line table, which it begins with file 0 before 2.42; LLVM has ours
 *	  stabs-end	GNU goes on with a function of .stab behind its end, and without .stab says what ours does,
 *			but for the name in assembler, which LLVM has
 *	  stabs-line	GNU lost the line, for the next function stands before this one in .stab; there it is as ours
 *	  stabs-outside	GNU knows no lines outside of the functions of .stab, where assemblers put theirs; there it is as ours
 *	  end		the first byte after a sequence of lines, or function of .stab, for which GNU and LLVM have no line; ours
 *			is its last line, as it is after a call (tests/embed/cli-embed-ends.sh)
 *	name		only a symbol: LLVM has the same.  GNU knows no symbols.
 *	unknown		nobody knows
 *	  behind	LLVM has the symbol before it, but a sequence of lines, or function of .stab, ended between
 *	in the last two kinds
 *	  stabs-end	GNU goes on with a function of .stab behind its end
 *	  bias		GNU has a line of elsewhere; no line table and not LLVM has one here
 *	  guess		GNU guesses at a file

Everything else is "different": the first few are printed to stderr, and the status is 1.  On stdout one line of
numbers: all bytes; line, equal, decoration, long, assembler, file, stabs-end, stabs-line, stabs-outside, end,
different; name, equal, different; unknown, to all, behind, different; stabs-end, bias, guess; inlined (of the bytes
with a line, says LLVM), lines that the line table confirms.
"""

import bisect
import re
import sys

from answers import Failure, answers, line_of, lines, run
from images import CODE, Image

SHOWN_MAX, NAME_LENGTH_MAX = 6, 255
COUNTS = """all line equal decoration long assembler file stabs-end stabs-line stabs-outside end line-different
    name name-equal name-different unknown unknown-to-all behind unknown-different
    gnu-stabs-end gnu-bias gnu-guess inlined confirmed""".split()
NOT_SAME, SAME_SHORTENED, SAME_UNDECORATED, SAME = range(4)
STAB = re.compile(r"\s*-?\d+\s+(\S+)\s+-?\d+\s+(\d+)\s+([0-9a-f]+)\s+\d+\s*(.*)")


def print_addresses(path, step):
    image = Image(path)
    for section in image.sections:
        size = min(section.rsize, section.vsize or section.rsize)
        for at in range(0, size if section.flags & CODE else 0, step):
            print("%x" % (image.base + section.rva + at))
    return 0


class Answer:
    """What one program says about an address: of the innermost frame, whether it has a name, a file and a line."""

    def __init__(self, address, frames):
        self.address, self.frames = address, frames
        self.name, self.place = frames[0]
        self.has_name = self.name != "??"
        self.has_file = not self.place.startswith("??:")
        self.line = line_of(self.place)
        self.has_line = re.search(":[1-9][^:]*$", self.place) is not None


def same_place(a, b):
    """Whether two places are the same; a line that is not known is 0 in one program and ? in the other."""
    (a_file, a_colon, a_line), (b_file, b_colon, b_line) = a.rpartition(":"), b.rpartition(":")
    same = a_line == b_line or (a_line[:1] in ("?", "0") and b_line[:1] in ("?", "0"))
    return bool(a_colon and b_colon) and a_file == b_file and same


def at_or_below(numbers, address):
    """The greatest of sorted numbers at or below an address, or 0."""
    i = bisect.bisect_right(numbers, address)
    return numbers[i - 1] if i else 0


class Lines:
    """The line table.  Rows are "FILE LINE ADDRESS ...", ends "FILE - ADDRESS"; nothing else has an address in third place."""

    def __init__(self, path, ends):
        rows, sequence = [], []
        for line in lines(path):
            before, found, after = line.partition(" 0x")
            head, space, number = before.rstrip(" ").rpartition(" ")
            if not found or not space or not (number == "-" or number[:1].isdigit()):
                continue
            address = int(re.match("[0-9a-fA-F]+", after).group(), 16)
            if number != "-":
                sequence.append((address, int(re.match("[0-9]+", number).group())))
                continue
            rows += [(begin, address, of) for begin, of in sequence]
            sequence = []
            ends.append(address)
        self.rows = sorted(rows, key=lambda row: row[0])
        self.begins = [row[0] for row in self.rows]

    def at(self, address):
        """The row that holds at an address, as its address, the end of its sequence and its line; or None."""
        i = bisect.bisect_right(self.begins, address)
        return self.rows[i - 1] if i and self.rows[i - 1][1] > address else None


class Function:
    """A function of .stab, with its marks: an address, and a file or a line."""

    def __init__(self, start, name, directory, file):
        self.start, self.end, self.name, self.directory, self.file, self.marks = start, 0, name, directory, file, []


def joined(directory, file):
    return file if file.startswith("/") else directory + file


class Stabs:
    def __init__(self, path, ends):
        self.functions, self.outside = [], []
        units, directory, source, last_unit, now = [], "", "", "", None
        for line in lines(path):
            found = STAB.match(line)
            if not found or found.group(1) != "SO":
                last_unit = ""
            if not found:
                continue
            kind, description, value, text = found.group(1), int(found.group(2)), int(found.group(3), 16), found.group(4)
            if kind == "SO":
                units.append(value)
                if now and now.end == 0 and value > now.start:
                    now.end = value
                now = None
                directory = last_unit if text else ""
                source = text
                last_unit = "" if last_unit else text
            elif kind == "SOL":
                source = text
                if now:
                    now.marks.append((value, source, 0))
            elif kind == "FUN" and text:
                now = Function(value, text.split(":")[0], directory, source)
                self.functions.append(now)
            elif kind == "FUN":
                if now:
                    now.end = now.start + value
                now = None
            elif kind == "SLINE" and now:
                now.marks.append((now.start + value, None, description))
            elif kind == "SLINE":
                self.outside.append((value, "%s:%d" % (joined(directory, source), description)))
        self.functions.sort(key=lambda function: function.start)
        self.starts = [function.start for function in self.functions]
        units.sort()
        for function in self.functions:
            # Functions that have a part elsewhere may be said to be longer than their file.
            unit = at_or_below(units, function.end - 1)
            while unit > function.start:
                function.end = unit
                unit = at_or_below(units, unit - 1)
            if function.end:
                ends.append(function.end)

    def at(self, address):
        """The function with an address, or None."""
        i = bisect.bisect_right(self.starts, address)
        return self.functions[i - 1] if i and address < self.functions[i - 1].end else None

    def outside_confirms(self, ours):
        """Whether the last line outside of functions, at or below the address of OURS, is that."""
        below = [mark for mark in self.outside if mark[0] <= ours.address]
        last = max((address for address, place in below), default=None)
        return bool(below) and [place for address, place in below if address == last][-1] == ours.place


class Comparison:
    def __init__(self, is_i386, all_frames, paths):
        self.is_i386, self.all_frames, self.paths = is_i386, all_frames, paths
        self.ends = []
        self.symbols = []
        for line in lines(paths[3]):
            # A section's own name is no name.
            symbol = re.match(r"\s*([0-9a-fA-F]+) [tTwWiI] [^.]", line)
            if symbol:
                self.symbols.append(int(symbol.group(1), 16))
        self.symbols.sort()
        self.lines = Lines(paths[4], self.ends)
        self.stabs = Stabs(paths[5], self.ends)
        self.ends.sort()
        self.long_names = {tuple(line.split("\t", 1)) for line in lines(paths[7])}
        self.counts = dict.fromkeys(COUNTS, 0)

    # Names

    def undecorated(self, name):
        """A name without i386 decoration."""
        found = self.is_i386 and re.fullmatch("(.+)@[0-9]+", name, re.S)
        if not found:
            return name
        plain = found.group(1)
        return plain[1:] if plain[0] == "@" and len(plain) > 1 else plain

    def coff_name(self, name):
        """The name of a COFF symbol as a table has it."""
        plain = name if name == "??" else self.undecorated(name)
        return plain[1:] if self.is_i386 and plain[:1] == "_" and len(plain) > 1 else plain

    def same_name(self, ours, theirs):
        """How much work it takes to see that names are the same."""
        if ours == theirs:
            return SAME
        plain = self.undecorated(theirs)
        # GCC's DWARF has stdcall names without their underscore, clang's has _name@12.
        is_cut = len(plain) < len(theirs)
        if ours == plain or (is_cut and plain == "_" + ours):
            return SAME_UNDECORATED
        if len(plain) <= NAME_LENGTH_MAX or len(ours) > NAME_LENGTH_MAX:
            return NOT_SAME
        return SAME_SHORTENED if ours == plain[:NAME_LENGTH_MAX] or (plain, ours) in self.long_names else NOT_SAME

    def compared(self, ours):
        return len(ours.frames) if self.all_frames else 1

    def same_names(self, ours, gnu):
        pairs = zip(ours.frames[: self.compared(ours)], gnu.frames)
        return min(self.same_name(our[0], its[0]) for our, its in pairs)

    def same_places(self, a, b, first=0):
        if self.all_frames and len(a.frames) != len(b.frames):
            return False
        return all(same_place(a.frames[i][1], b.frames[i][1]) for i in range(first, self.compared(a)))

    def llvm_has_names(self, ours, llvm):
        """LLVM takes the name of the outermost frame from the symbols."""
        if len(llvm.frames) < len(ours.frames) or (self.all_frames and len(llvm.frames) != len(ours.frames)):
            return False
        for i, (our, _) in enumerate(ours.frames):
            name = llvm.frames[i][0]
            name = self.coff_name(name) if i == len(llvm.frames) - 1 else self.undecorated(name)
            # The symbol of a part of our function that gcc has moved away is no other name.
            if not (our and name == our + ".cold") and self.same_name(our, name) == NOT_SAME:
                return False
        return True

    # Classes

    def stab_confirms(self, function, ours):
        """Whether .stab, read here, has OURS at its address."""
        file, line, any_line = function.file, 0, False
        for address, mark_file, mark_line in function.marks:
            if address > ours.address and (any_line or mark_file is not None):
                break
            if mark_file is not None:
                file = mark_file
            else:
                line, any_line = mark_line, True
        place = "%s:%d" % (joined(function.directory, file), line)
        return ours.place == place and self.same_name(ours.name, function.name) != NOT_SAME

    def is_after_end(self, ours):
        """Whether a sequence of lines, or a function of .stab, has just ended, and ours goes on with it."""
        row = self.lines.at(ours.address - 1)
        if row:
            return row[1] == ours.address and row[2] == ours.line and not self.lines.at(ours.address)
        stab = self.stabs.at(ours.address - 1)
        return bool(stab and stab.end == ours.address and not self.stabs.at(ours.address)) and (
            self.same_name(ours.name, stab.name) != NOT_SAME
        )

    def line_class(self, ours, gnu, llvm, gnu2):
        only_llvm_names = not gnu.has_name and ours.has_name and self.llvm_has_names(ours, llvm)
        if not gnu.has_line and not llvm.has_line and self.is_after_end(ours):
            return "end"
        if self.same_places(ours, gnu):
            same = self.same_names(ours, gnu)
            if same != NOT_SAME:
                return {SAME: "equal", SAME_UNDECORATED: "decoration", SAME_SHORTENED: "long"}[same]
            return "assembler" if only_llvm_names and self.same_places(ours, llvm) else "line-different"
        if self.stabs.functions:
            stab = self.stabs.at(ours.address)
            if not stab and gnu2 and self.same_places(ours, gnu2):
                by_llvm = self.same_places(ours, llvm) and self.llvm_has_names(ours, llvm)
                if self.same_names(ours, gnu2) != NOT_SAME or by_llvm:
                    return "stabs-end"
            if not stab and not gnu.has_line and self.stabs.outside_confirms(ours) and self.llvm_has_names(ours, llvm):
                return "stabs-outside"
            if not stab:
                return "line-different"
            if not gnu.has_line and self.stab_confirms(stab, ours):
                return "stabs-line"
        names_agree = only_llvm_names or self.same_names(ours, gnu) != NOT_SAME
        return "file" if self.same_places(ours, gnu, 1) and names_agree and self.same_places(ours, llvm) else "line-different"

    def gnu_class(self, ours, gnu, llvm):
        """Why GNU says something where there are no lines; None if that cannot be, or if it says nothing."""
        if gnu.has_name or gnu.has_line:
            if self.stabs.functions and not self.stabs.at(ours.address):
                return "gnu-stabs-end"
            return "gnu-bias" if not llvm.has_line and not self.lines.at(ours.address) else None
        return "gnu-guess" if gnu.has_file else None

    def other_class(self, ours, llvm, gnu_is_settled):
        if ours.has_name:
            same = gnu_is_settled and not llvm.has_line and self.llvm_has_names(ours, llvm)
            return "name-equal" if same else "name-different"
        if not gnu_is_settled or llvm.has_line:
            return "unknown-different"
        if not llvm.has_name:
            return "unknown-to-all"
        end = at_or_below(self.ends, ours.address)
        return "behind" if end > at_or_below(self.symbols, ours.address if end else 0) else "unknown-different"

    def count(self, ours, gnu, llvm, gnu2):
        self.counts["all"] += 1
        if ours.has_line or ours.has_file:
            kind, why = "line", None
            which = self.line_class(ours, gnu, llvm, gnu2)
            row = self.lines.at(ours.address - (which == "end"))
            self.counts["confirmed"] += bool(row and row[2] == ours.line)
            self.counts["inlined"] += len(llvm.frames) > 1
        else:
            kind, why = "name" if ours.has_name else "unknown", self.gnu_class(ours, gnu, llvm)
            which = self.other_class(ours, llvm, why or not (gnu.has_name or gnu.has_line))
        for count in filter(None, (kind, which, why)):
            self.counts[count] += 1
        if which.endswith("-different") and self.counts[which] <= SHOWN_MAX:
            print("0x%x:" % ours.address, file=sys.stderr)
            for who, answer in ("ours", ours), ("GNU", gnu), ("LLVM", llvm):
                print("  %s: %s" % (who, ", ".join("%s %s" % frame for frame in answer.frames)), file=sys.stderr)

    def run(self):
        ours, gnu, llvm, gnu2 = (answers(self.paths[i]) for i in (0, 1, 2, 6))
        without = next(gnu2, None)
        for address, frames in ours:
            others = next(gnu, None), next(llvm, None)
            if any(other is None or other[0] != address for other in others):
                raise Failure("0x%x: not all have answered" % address)
            if without and without[0] != address:
                raise Failure("0x%x: no answer without .stab" % address)
            self.count(Answer(address, frames), *(Answer(*other) for other in others), without and Answer(*without))
            if without:
                without = next(gnu2, (0, None))
        if not self.counts["all"] or next(gnu, None) or next(llvm, None):
            raise Failure("no answers, or not all have the same number of them")
        print(*self.counts.values(), sep="\t")
        return int(any(self.counts[which] for which in COUNTS if which.endswith("-different")))


def main(arguments):
    if len(arguments) == 3 and arguments[0] == "addresses":
        return print_addresses(arguments[1], int(arguments[2]))
    all_frames = arguments[:1] == ["-i"]
    arguments = arguments[all_frames:]
    if len(arguments) != 9:
        raise Failure("wrong arguments: see the source")
    return Comparison(arguments[0] == "i386", all_frames, arguments[1:]).run()


run(main)

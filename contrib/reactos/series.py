#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Put rossym into TREE, ReactOS's sources: copies of the files around this script, which "make amalgamation" writes, and five small
changes.  Every place is found by lines that must be there.  If one is not, nothing is changed.
"""
import argparse
import difflib
import os
import shutil
import sys

MOST_LINES = 300    # of a patch


class Unknown(Exception):
    """The tree is not one that this script knows."""


class Text:
    """The lines of a file, without what ends them."""

    def __init__(self, tree, path):
        self.path = os.path.join(tree, path)
        try:
            with open(self.path, encoding="latin-1", newline="") as file:
                text = file.read()
        except OSError as error:
            raise Unknown(f"{self.path}: {error.strerror}") from error
        self.end = "\r\n" if "\r\n" in text else "\n"
        self.lines = text.split(self.end)

    def text(self):
        return self.end.join(self.lines)

    def whole_lines(self):
        """The lines as a patch has them, but for the newlines; the last one ends the file."""
        return [line + self.end[:-1] for line in self.lines[:-1]]

    def find(self, anchor, start=0):
        """The index of the first line ANCHOR, at START or after it."""
        try:
            return self.lines.index(anchor, start)
        except ValueError:
            raise Unknown(f"{self.path}: no line like: {anchor}") from None


class Replace:
    """Replace the lines from FIRST to LAST by NEW: the first that follow AFTER.  Without LAST it is FIRST alone."""

    def __init__(self, path, first, new, last=None, after=None):
        self.path, self.first, self.new = path, first, new
        self.last, self.after = last, after

    def apply(self, text):
        start = text.find(self.after) + 1 if self.after else 0
        begin = text.find(self.first, start)
        end = text.find(self.last, begin + 1) if self.last else begin
        text.lines[begin:end + 1] = self.new.splitlines()


class Insert(Replace):
    """Insert NEW before the line FIRST."""

    def apply(self, text):
        start = text.find(self.after) + 1 if self.after else 0
        at = text.find(self.first, start)
        text.lines[at:at] = self.new.splitlines()


class Substitute(Replace):
    """Replace FIRST by NEW in all lines that have it."""

    def apply(self, text):
        if not any(self.first in line for line in text.lines):
            raise Unknown(f"{text.path}: nothing like: {self.first}")
        text.lines = [line.replace(self.first, self.new) for line in text.lines]


class Step:
    """One change.  COPY has names in the amalgamation, and where each is copied to in the tree; these paths are not REMOVEd before,
    unless they are listed.  MOVE has paths in the tree, and where each is moved to first."""

    def __init__(self, subject, message, edits, copy=None, remove=(), move=None):
        self.subject, self.message, self.edits = subject, message, edits
        self.copy, self.remove, self.move = copy or {}, remove, move or {}


TOOLS = "sdk/tools/CMakeLists.txt"
LOG_TOOL = "sdk/tools/log2lines/CMakeLists.txt"
HOST_TOOLS = "sdk/cmake/host-tools.cmake"
LIBRARY = "sdk/lib/rossym/CMakeLists.txt"
HEADER = "sdk/include/reactos/rossym.h"
SYMBOLS = "ntoskrnl/kdbg/kdb_symbols.c"
COMMANDS = "ntoskrnl/kdbg/kdb_cli.c"
KDB = "ntoskrnl/kdbg/kdb.h"
GCC = "sdk/cmake/gcc.cmake"

PRINT_FRAMES = """\
/*! \\brief Print the frames of an address.
 *
 * Frames are the function that has the code, and before it those that were inlined
 * into it, the innermost first.
 *
 * \\param ShownOffset  The offset in the module that is printed.
 * \\param Offset       The offset that is looked up.
 *
 * \\retval TRUE   Frames were printed.
 * \\retval FALSE  Nothing is known about the address, nothing was printed.
 */
static
BOOLEAN
KdbpSymPrintFrames(
    _In_ PROSSYM_INFO RosSymInfo,
    _In_ PCSTR ModuleName,
    _In_ ULONG_PTR ShownOffset,
    _In_ ULONG_PTR Offset)
{
    ULONG Number, LineNumber;
    CHAR FileName[256];
    CHAR FunctionName[256];

    for (Number = 0;
         RosSymGetFrame(RosSymInfo, Offset, Number, &LineNumber,
                        FileName, sizeof(FileName),
                        FunctionName, sizeof(FunctionName));
         Number++)
    {
        if (Number == 0)
            KdbPrintf("<%s:%x (", ModuleName, (ULONG)ShownOffset);
        else
            KdbPrintf(", inlined by ");

        /* The place of a call may be unknown, its function is not */
        if (Number == 0 || FileName[0] != ANSI_NULL || LineNumber != 0)
            KdbPrintf("%s:%u (%s)", FileName, LineNumber, FunctionName);
        else
            KdbPrintf("%s", FunctionName[0] != ANSI_NULL ? FunctionName : "??");
    }

    if (Number == 0)
        return FALSE;

    KdbPrintf(")>");
    return TRUE;
}
"""

STEPS = [
    Step("[SDK:TOOLS] rsym and raddr2line of rossym",
         """\
The tools read DWARF 2 to 5 by themselves, make tables that say where
calls were inlined, and are built without a library.  The command lines
are those of the old tools.  sdk/tools/rsym is a copy of the folder host
of rossym's amalgamation.  log2lines takes the two files of the old rsym
that it needs into its folder.  Builds with MSVC have no tables, so they
do not need these tools.
""",
         [Insert(LOG_TOOL, "    stat.c", "    rsym_common.c"),
          Replace(LOG_TOOL, "include_directories(${REACTOS_SOURCE_DIR}/sdk/tools/rsym)",
                  "include_directories(${REACTOS_SOURCE_DIR}/sdk/tools)"),
          Replace(LOG_TOOL, "target_link_libraries(log2lines PRIVATE host_includes rsym_common)",
                  "target_link_libraries(log2lines PRIVATE host_includes)"),
          Replace(TOOLS, 'if(ARCH STREQUAL "i386")', 'if(NOT MSVC AND ARCH STREQUAL "i386")', after="add_subdirectory(mkisofs)")],
         copy={"host": "sdk/tools/rsym"}, remove=["sdk/tools/rsym"],
         move={"sdk/tools/rsym/" + name: "sdk/tools/log2lines/" + name for name in ("rsym.h", "rsym_common.c")}),
    Step("[ROSSYM] A reader that checks what it reads",
         """\
The new reader checks a table once, when it is loaded, and refuses one
that is damaged.  Look-ups allocate nothing and take no lock.  It can tell
inlined calls: RosSymGetFrame() is new, the other functions are as before.
Rows have 32 bits for the address on every machine, as tables have them.
rossym-core.[ch] and rossym-kernel.[ch] are copies.
""",
         [Replace(LIBRARY, "    delete.c", "    initkm.c\n    initum.c\n    rossym-core.c\n    rossym-kernel.c", last="    initum.c"),
          Replace(HEADER, "typedef struct _ROSSYM_INFO {", "typedef struct _ROSSYM_INFO *PROSSYM_INFO;",
                  last="} ROSSYM_INFO, *PROSSYM_INFO;"),
          Replace(HEADER, "  ULONG_PTR Address;", "  ULONG Address;", after="typedef struct _ROSSYM_ENTRY {"),
          Insert(HEADER, "VOID RosSymFreeInfo(PROSSYM_LINEINFO RosSymLineInfo);", """\
#ifndef __ROS_DWARF__
/* Number 0 is the innermost frame; FALSE: there is no frame with this number */
BOOLEAN RosSymGetFrame(PROSSYM_INFO RosSymInfo,
                       ULONG_PTR RelativeAddress,
                       ULONG Number,
                       ULONG *LineNumber,
                       char *FileName,
                       ULONG FileNameSize,
                       char *FunctionName,
                       ULONG FunctionNameSize);
#endif
""")],
         copy={name: "sdk/lib/rossym/" + name for name in
               ("rossym-core.c", "rossym-core.h", "rossym-kernel.c", "rossym-kernel.h")},
         remove=["sdk/lib/rossym/" + name for name in
                 ("delete.c", "find.c", "fromfile.c", "frommem.c", "fromraw.c", "getraw.c", "init.c")]),
    Step("[NTOS:KDBG] Print inlined calls",
         """\
An address in a function that the compiler has inlined now has the
callers, too, each with the line of the call if it is known:

    <ntoskrnl.exe:1560 (ke/bug.h:10 (mix), inlined by ke/bug.c:10 (fingerprint))>

Addresses without inlined calls are printed as before.
""",
         [Insert(SYMBOLS, "/*! \\brief Print address...", PRINT_FRAMES + "\n"),
          Replace(SYMBOLS, "    if (LdrEntry->PatchInformation)", """\
    if (LdrEntry->PatchInformation)
    {
        Printed = KdbpSymPrintFrames(LdrEntry->PatchInformation,
                                     ModuleNameAnsi,
                                     RelativeAddress,
                                     RelativeAddress);
    }""", last="    }", after="KdbSymPrintAddress(")]),
    Step("[CMAKE] Tables on all architectures, and lines of inlined calls",
         """\
GCC builds for amd64 and ARM get tables, too.  Without -gstrict-dwarf GCC
records the lines of inlined calls.  The second -s takes the path of the
build directory out of the names of generated files.
""",
         [Replace(GCC, 'elseif(NOT ARCH STREQUAL "i386")', "elseif(NOT DEFINED NO_ROSSYM)", last="elseif(NOT DEFINED NO_ROSSYM)"),
          Substitute(GCC, "add_compile_options(-gdwarf-2 -gstrict-dwarf)", "add_compile_options(-gdwarf-2)"),
          Substitute(GCC, "-s ${REACTOS_SOURCE_DIR} <TARGET>", "-s ${REACTOS_BINARY_DIR} -s ${REACTOS_SOURCE_DIR} <TARGET>"),
          Replace(HOST_TOOLS, '        if (ARCH STREQUAL "i386")', "        list(APPEND HOST_TOOLS rsym)", last="        endif()",
                  after="        list(APPEND HOST_TOOLS pefixup)"),
          Replace("CMakeLists.txt", '        if (ARCH STREQUAL "i386")', "        list(APPEND NATIVE_TARGETS rsym)",
                  last="        endif()", after="        list(APPEND NATIVE_TARGETS pefixup)"),
          Replace(TOOLS, 'if(NOT MSVC AND ARCH STREQUAL "i386")', "if(NOT MSVC)")]),
    Step("[NTOS:KDBG] Load symbols on amd64",
         """\
The old reader could hang there.  In backtraces, all rows but the first are
return addresses: the line is that of the call, one byte before.
""",
         [Replace(SYMBOLS, "        /* By default, load symbols in DBG builds, but not in REL builds",
                  "        /* By default, load symbols in DBG builds, but not in REL builds. */\n#if DBG",
                  last="#if DBG && defined(_M_IX86)"),
          Replace(SYMBOLS, "BOOLEAN", """\
static
BOOLEAN
KdbpSymPrint(
    _In_ PVOID Address,
    _In_ BOOLEAN IsReturnAddress)
{""", last="{", after=" * \\retval FALSE  No module containing \\a Address was found, nothing was printed."),
          Replace(SYMBOLS, "                                     RelativeAddress);",
                  "                                     RelativeAddress - (IsReturnAddress ? 1 : 0));"),
          Insert(SYMBOLS, "static KSTART_ROUTINE LoadSymbolsRoutine;", """\
BOOLEAN
KdbSymPrintAddress(
    IN PVOID Address,
    IN PCONTEXT Context)
{
    return KdbpSymPrint(Address, FALSE);
}

/*! \\brief Print a return address, with the line of the call before it.
 *
 * \\sa KdbSymPrintAddress
 */
BOOLEAN
KdbSymPrintReturnAddress(
    _In_ PVOID Address)
{
    return KdbpSymPrint(Address, TRUE);
}

"""),
          Insert(KDB, "VOID", "BOOLEAN\nKdbSymPrintReturnAddress(\n    _In_ PVOID Address);\n\n", after="KdbSymPrintAddress("),
          Replace(COMMANDS, "        if (!KdbSymPrintAddress((PVOID)Context.Rip, &Context))", """\
        if (!(Context.Rsp == KdbCurrentTrapFrame->Rsp
              ? KdbSymPrintAddress((PVOID)Context.Rip, &Context)
              : KdbSymPrintReturnAddress((PVOID)Context.Rip)))""",
                  after="        /* Print the location after the call instruction */")]),
]

LOG2LINES = Step("[SDK:TOOLS] log2lines of rossym",
                 """\
It reads all forms of logs that the old one reads, and others, with tables
of all architectures.  sdk/tools/log2lines is a copy of the folder host-log
of rossym's amalgamation.
""",
                 [Replace(TOOLS, 'if(ARCH STREQUAL "i386")', "if(NOT MSVC)", after="add_subdirectory(kbdtool)")],
                 copy={"host-log": "sdk/tools/log2lines"}, remove=["sdk/tools/log2lines"])


def check(amalgamation, tree):
    """That the files are there which are copied or removed."""
    for step in STEPS:
        for path in [*step.move, *step.remove]:
            if not os.path.exists(os.path.join(tree, path)):
                raise Unknown(f"{tree}: {path}: not there")
        for name in step.copy:
            if not os.path.exists(os.path.join(amalgamation, name)):
                raise Unknown(f"{amalgamation}: {name}: not there; \"make amalgamation\" writes it")


def change(tree):
    """All texts with their changes, and the patches."""
    texts, patches = {}, []
    for number, step in enumerate(STEPS, 1):
        before = {}
        for edit in step.edits:
            if edit.path not in texts:
                texts[edit.path] = Text(tree, edit.path)
            before.setdefault(edit.path, texts[edit.path].whole_lines())
            edit.apply(texts[edit.path])
        lines = [f"Subject: [PATCH {number}/{len(STEPS)}] {step.subject}", "", *step.message.splitlines(), "---"]
        lines += [f"moved: {path} to {to}" for path, to in step.move.items()]
        lines += [f"removed: {path}" for path in step.remove]
        lines += [f"copied: {path}" for path in step.copy.values()]
        for path, old in before.items():
            lines.append(f"diff --git a/{path} b/{path}")
            lines += difflib.unified_diff(old, texts[path].whole_lines(), "a/" + path, "b/" + path, lineterm="")
        assert len(lines) <= MOST_LINES, f"patch {number} has {len(lines)} lines"
        patches.append((f"{number:04}.patch", "\n".join(lines) + "\n"))
    return texts, patches


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    else:
        os.remove(path)


def copy(source, target):
    if os.path.isdir(source):
        shutil.copytree(source, target)
    else:
        shutil.copy(source, target)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patches", metavar="DIR", help="write to DIR each change as a patch, with its message")
    parser.add_argument("--log2lines", action="store_true", help="replace ReactOS's log2lines, too")
    parser.add_argument("tree", metavar="TREE")
    args = parser.parse_args()
    if args.log2lines:
        STEPS.append(LOG2LINES)
    amalgamation = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    try:
        check(amalgamation, args.tree)
        texts, patches = change(args.tree)
    except Unknown as reason:
        sys.exit(f"series.py: {reason}; nothing was changed")
    for text in texts.values():
        with open(text.path, "w", encoding="latin-1", newline="") as file:
            file.write(text.text())
    for step in STEPS:
        for path, to in step.move.items():
            os.rename(os.path.join(args.tree, path), os.path.join(args.tree, to))
        for path in step.remove:
            remove(os.path.join(args.tree, path))
        for name, path in step.copy.items():
            copy(os.path.join(amalgamation, name), os.path.join(args.tree, path))
    if args.patches:
        os.makedirs(args.patches, exist_ok=True)
        for name, patch in patches:
            with open(os.path.join(args.patches, name), "w", encoding="latin-1", newline="") as file:
                file.write(patch)


if __name__ == "__main__":
    main()

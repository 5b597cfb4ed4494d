#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Copy TREE, ReactOS's exported sources, to WORK, let series.py change the copy, build what boots for i386 and amd64 with MinGW's GCC,
boot it in QEMU up to the prompt of KDBG, and compare each frame of its backtrace with GNU's and LLVM's addr2line.  The kernel that boots
also asks the reader about every byte of code of all modules; these answers are compared, too.

It takes about 15 minutes for each architecture, on two processors, and needs cmake, ninja, bison, flex, gcc and g++, those of MinGW,
qemu-system-x86, and llvm-symbolizer.  WORK keeps builds and logs; a second run with the same rossym goes on with them.
"""
import argparse
import filecmp
import os
import posixpath
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = ("ntoskrnl hal kdcom bootvid freeldr rosload isoboot livecd_hives gen_nls cdrom uniata cdfs classpnp disk acpi pci partmgr "
           "mountmgr ntdll smss").split()
TRIPLETS = {"i386": "i686-w64-mingw32", "amd64": "x86_64-w64-mingw32"}
SECONDS = 3600          # until the prompt; of these, asking about all code takes minutes
LOADER = """\
[FREELOADER]
DefaultOS=L
TimeOut=0
Debug=/DEBUG /DEBUGPORT=COM1 /BAUDRATE=115200
[Display]
MinimalUI=Yes
[Operating Systems]
L="L"
[L]
BootType=Windows2003
SystemPath=\\reactos
Options=/DEBUG /DEBUGPORT=COM1 /BAUDRATE=115200 /SOS /FASTDETECT /MININT /KDSERIAL
"""

# The kernel runs this when KDBG prints its first address.  It writes to port 0xE9, which QEMU has in a file, a line for each range of
# code that has the same answer: the RVA, then line, file and function of each frame, each after a tab.  RosSymGetAddressInformation()
# must tell the innermost frame, else there is a "!".
ASK = """\
static
PCHAR
KdbpAskAppend(PCHAR At, PCSTR Text)
{
    while (*Text)
        *At++ = *Text++;
    return At;
}

static
PCHAR
KdbpAskNumber(PCHAR At, ULONG Number)
{
    INT Shift;

    for (Shift = 28; Shift >= 0; Shift -= 4)
        *At++ = "0123456789abcdef"[Number >> Shift & 15];
    return At;
}

static
VOID
KdbpAskPut(PCSTR Text)
{
    while (*Text)
        WRITE_PORT_UCHAR((PUCHAR)0xE9, *Text++);
    WRITE_PORT_UCHAR((PUCHAR)0xE9, '\\n');
}

static
PCHAR
KdbpAskAddress(PROSSYM_INFO Info, ULONG Rva, PCHAR At)
{
    static CHAR File[256], Function[256], FirstFile[256], FirstFunction[256];
    ULONG Line, FirstLine, Number;
    BOOLEAN Known = RosSymGetAddressInformation(Info, Rva, &FirstLine, FirstFile, FirstFunction);

    for (Number = 0; RosSymGetFrame(Info, Rva, Number, &Line, File, sizeof(File), Function, sizeof(Function)); Number++)
    {
        *At++ = '\\t';
        At = KdbpAskNumber(At, Line);
        *At++ = '\\t';
        At = KdbpAskAppend(At, File);
        *At++ = '\\t';
        At = KdbpAskAppend(At, Function);
        if (Number == 0 && (!Known || Line != FirstLine || strcmp(File, FirstFile) || strcmp(Function, FirstFunction)))
            *At++ = '!';
    }
    if (Known != (Number > 0))
        *At++ = '!';
    *At = 0;
    return At;
}

static
VOID
KdbpAskAll(VOID)
{
    static BOOLEAN Asked = FALSE;
    static CHAR Last[65536], Next[65536], Name[64];
    PLIST_ENTRY Entry;

    if (Asked)
        return;
    Asked = TRUE;
    for (Entry = PsLoadedModuleList.Flink; Entry != &PsLoadedModuleList; Entry = Entry->Flink)
    {
        PLDR_DATA_TABLE_ENTRY Module = CONTAINING_RECORD(Entry, LDR_DATA_TABLE_ENTRY, InLoadOrderLinks);
        PIMAGE_NT_HEADERS Headers = RtlImageNtHeader(Module->DllBase);
        PIMAGE_SECTION_HEADER Section = IMAGE_FIRST_SECTION(Headers);
        ULONG Number, Rva;

        KdbpSymUnicodeToAnsi(&Module->BaseDllName, Name, sizeof(Name));
        KdbpAskPut(Module->PatchInformation ? "module" : "no symbols");
        KdbpAskPut(Name);
        if (!Module->PatchInformation)
            continue;
        for (Number = 0; Number < Headers->FileHeader.NumberOfSections; Number++, Section++)
        {
            if (!(Section->Characteristics & (IMAGE_SCN_CNT_CODE | IMAGE_SCN_MEM_EXECUTE)))
                continue;
            Last[0] = 1, Last[1] = 0;
            for (Rva = Section->VirtualAddress; Rva < Section->VirtualAddress + Section->Misc.VirtualSize; Rva++)
            {
                KdbpAskAddress(Module->PatchInformation, Rva, KdbpAskNumber(Next, Rva));
                if (strcmp(Next + 8, Last))
                {
                    KdbpAskPut(Next);
                    strcpy(Last, Next + 8);
                }
            }
            KdbpAskNumber(Next, Rva)[0] = 0;
            KdbpAskPut(Next);
            KdbpAskPut("end");
        }
    }
    KdbpAskPut("done");
}

"""

# Takes the place of rsym: keeps the module as the linker wrote it.
KEEP = """\
#!/bin/sh
for word; do before=${last-}; last=$word; done
cp "$before" "%s/${before##*/}" && exec "%s" "$@"
"""
# ld 2.40 crashes on import libraries that are nested in thin archives.  So an archive of one archive is a copy of it.
ARCHIVE = """\
#!/bin/sh
[ $# = 2 ] && case $2 in *.a) exec cp -f "$2" "$1";; esac
rm -f "$1"
exec %s-ar crT "$@"
"""


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="latin-1", newline="") as file:
        file.write(text)
    os.chmod(path, mode)


def replace(path, pattern, new):
    """Replace what is like PATTERN, which must be there.  A tree that somebody has prepared for GCC 12 has other text in its place."""
    with open(path, encoding="latin-1", newline="") as file:
        text, count = re.subn(pattern, lambda match: new, file.read())
    if not count:
        sys.exit(f"check.py: {path}: nothing is like {pattern}")
    write(path, text)


class Build:
    def __init__(self, arch, work, tree):
        self.arch, self.triplet = arch, TRIPLETS[arch]
        self.place = os.path.join(work, arch)
        self.tree, self.build, self.unstripped = (os.path.join(self.place, name) for name in ("tree", "build", "unstripped"))
        if not self.has_these_sources():
            shutil.rmtree(self.place, ignore_errors=True)
            os.makedirs(self.unstripped)
            shutil.copytree(tree, self.tree + "-t", symlinks=True)
            subprocess.run([os.path.join(HERE, "series.py"), self.tree + "-t"], check=True)
            self.for_this_compiler(self.tree + "-t")
            os.rename(self.tree + "-t", self.tree)

    def has_these_sources(self):
        """Whether a run before this one has brought the same rossym into the tree."""
        copies = {"rossym-core.c": "sdk/lib/rossym", "rossym-kernel.c": "sdk/lib/rossym", "host/rossym-host.c": "sdk/tools/rsym"}
        try:
            return all(filecmp.cmp(os.path.join(HERE, "..", name), os.path.join(self.tree, to, os.path.basename(name)), shallow=False)
                       for name, to in copies.items())
        except FileNotFoundError:
            return False

    def for_this_compiler(self, tree):
        """GCC 12 warns where ReactOS has -Werror, and its ld makes another number of sections than freeldr expects."""
        keep, archive = (os.path.join(self.place, name) for name in ("keep", "archive"))
        write(keep, KEEP % (self.unstripped, os.path.join(self.build, "host-tools/bin/rsym")), 0o755)
        write(archive, ARCHIVE % self.triplet, 0o755)
        gcc = os.path.join(tree, "sdk/cmake/gcc.cmake")
        replace(gcc, r"add_compile_options\(-W(no-)?error\)", "add_compile_options(-Wno-error)")
        replace(gcc, r"get_target_property\(RSYM native-rsym IMPORTED_LOCATION\)|set\(RSYM [^)]*\)", f"set(RSYM {keep})")
        replace(os.path.join(tree, "toolchain-gcc.cmake"), r'(?<=")[^" ]+( crT)?(?= <TARGET> <LINK_FLAGS> <OBJECTS>")', archive)
        for name in ("drivers/bus/acpi", "drivers/storage/class/cdrom", "drivers/storage/ide/uniata", "sdk/lib/drivers/wdf"):
            path = os.path.join(tree, name, "CMakeLists.txt")
            with open(path, encoding="latin-1", newline="") as file:
                text = file.read()
            write(path, "add_compile_options(-Wno-error)\n" + text)
        symbols = os.path.join(tree, "ntoskrnl/kdbg/kdb_symbols.c")
        begin = "/*! \\brief Print the frames of an address."
        replace(symbols, re.escape(begin), ASK + begin)
        find = "    if (!KdbpSymFindModule(Address, -1, &LdrEntry))"
        replace(symbols, re.escape(find), "    KdbpAskAll();\n" + find)
        if self.arch == "amd64":
            replace(os.path.join(tree, "boot/freeldr/freeldr/lib/mm/meminit.c"),
                    r"FileHeader->NumberOfSections != FREELDR_SECTION_COUNT", "FileHeader->NumberOfSections > 8")

    def make(self):
        with open(os.path.join(self.place, "build.log"), "ab") as log:
            if not os.path.isfile(os.path.join(self.build, "build.ninja")):
                subprocess.run(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja", "-DARCH=" + self.arch,
                                "-DCMAKE_TOOLCHAIN_FILE=toolchain-gcc.cmake"], check=True, stdout=log, stderr=log)
            subprocess.run(["ninja", "-C", self.build, *MODULES], check=True, stdout=log, stderr=log)

    def cd(self):
        """Write a CD that boots the kernel; its path."""
        root, iso = os.path.join(self.place, "cd"), os.path.join(self.place, "cd.iso")
        shutil.rmtree(root, ignore_errors=True)
        system = "reactos/system32/"
        files = {"boot/freeldr/bootsect/isoboot.bin": "loader/", "boot/freeldr/freeldr/freeldr.sys": "loader/",
                 "boot/freeldr/freeldr/rosload.exe": "loader/", "ntoskrnl/ntoskrnl.exe": system, "hal/halx86/hal.dll": system,
                 "drivers/base/kdrosdbg/kdcom.dll": system, "drivers/base/bootvid/bootvid.dll": system, "dll/ntdll/ntdll.dll": system,
                 "base/system/smss/smss.exe": system, "media/nls/c_1252.nls": system, "media/nls/c_437.nls": system}
        for hive in ("system", "software", "default", "sam", "security"):
            files["boot/bootdata/" + hive] = system + "config/"
        paths = {os.path.join(self.build, name): to for name, to in files.items()}
        for folder, _, names in os.walk(os.path.join(self.build, "drivers")):
            paths.update({os.path.join(folder, name): system + "drivers/" for name in names if name.endswith(".sys")})
        for name in os.listdir(os.path.join(self.tree, "media/nls")):
            if name.endswith(".nls"):
                paths[os.path.join(self.tree, "media/nls", name)] = system
        for path, to in paths.items():
            os.makedirs(os.path.join(root, to), exist_ok=True)
            shutil.copy(path, os.path.join(root, to))
        write(os.path.join(root, "freeldr.ini"), LOADER)
        subprocess.run([os.path.join(self.build, "host-tools/bin/mkisofs"), "-quiet", "-o", iso, "-volid", "ReactOS", "-iso-level", "4",
                        "-eltorito-boot", "loader/isoboot.bin", "-no-emul-boot", "-boot-load-size", "4", root], check=True,
                       stderr=subprocess.DEVNULL)
        return iso

    def boot(self):
        """What comes over the serial line up to the prompt, which begins with a backtrace."""
        sockets = tempfile.mkdtemp()
        serial, monitor = (os.path.join(sockets, name) for name in ("serial", "monitor"))
        system = {"i386": "i386", "amd64": "x86_64"}[self.arch]
        qemu = subprocess.Popen(["qemu-system-" + system, "-accel", "tcg", "-m", "256", "-cdrom", self.cd(), "-boot", "d", "-display", "none",
                                 "-serial", f"unix:{serial},server", "-monitor", f"unix:{monitor},server,nowait", "-no-reboot",
                                 "-debugcon", "file:" + os.path.join(self.place, "asked")],
                                stderr=subprocess.DEVNULL)
        try:
            return self.read(self.connect(serial), self.connect(monitor))
        finally:
            qemu.kill()
            qemu.wait()
            shutil.rmtree(sockets)

    @staticmethod
    def connect(path):
        """A connection to QEMU, which may have to start first."""
        for attempt in range(100):
            try:
                connection = socket.socket(socket.AF_UNIX)
                connection.connect(path)
                return connection
            except OSError:
                time.sleep(0.1)
        sys.exit("check.py: QEMU does not start")

    def read(self, serial, monitor):
        text, end, pressed = b"", time.time() + SECONDS, 0.0
        serial.settimeout(0.5)
        while b"kdb:>" not in text:
            if time.time() > end:
                write(os.path.join(self.place, "boot.log"), text.decode("latin-1"))
                sys.exit(f"check.py: {self.arch}: no prompt of KDBG after {SECONDS} seconds; boot.log has what came")
            if b"ReactOS 0.4" not in text and time.time() > pressed + 2:
                monitor.send(b"sendkey ret\n")      # the loader asks about drivers that are not on the CD
                pressed = time.time()
            try:
                text += serial.recv(65536)
            except socket.timeout:
                pass
        log = text.decode("latin-1")
        write(os.path.join(self.place, "boot.log"), log)
        return log


def frames_of_kdbg(log):
    """Of the backtrace: text, module, offset that was looked up, and frames (function, file, line)."""
    rows = re.findall(r"^(\[[0-9A-Fa-f]+\] )?<([\w.]+):([0-9a-f]+) \((.*)\)>", log[log.rindex("Entered debugger"):], re.MULTILINE)
    for number, (stack, module, offset, note) in enumerate(rows):
        frames = []
        for frame in note.split(", inlined by "):
            parts = re.fullmatch(r"(.*):(\d+) \((.*)\)", frame)
            frames.append((parts[3], parts[1], int(parts[2])) if parts else (frame, "", 0))
        # amd64's rows have a place on the stack, and all but the first are return addresses.
        yield f"<{module}:{offset} ({note})>", module, int(offset, 16) - (1 if stack and number > 0 else 0), frames


def plain_name(path, root):
    """A name as tables have it: relative to the source tree, or to ROOT, where the build is."""
    path = "" if path == "??" else posixpath.normpath(path) if path else ""
    return (path[len(root):] if path.startswith(root + "/") else path).lstrip("/")


def plain_function(name):
    """A function without i386's decoration, such as that of _f@4."""
    return "" if name == "??" else re.sub(r"^[_@]?([^@]+)@\d+$", r"\1", name)


def frames_of(command, path, root, address):
    """What an addr2line says: frames (function, file, line), names relative to the source tree."""
    return parse_frames(root, subprocess.run([*command, "-f", "-i", "-e", path, hex(address)], check=True, text=True,
                                       capture_output=True).stdout.split("\n"))


def parse_frames(root, lines):
    """Pairs of LINES, a function and its place, as frames."""
    frames = []
    for function, place in zip(lines[0::2], lines[1::2]):
        file, line = re.sub(r" \(discriminator \d+\)", "", place).rsplit(":", 1)
        frames.append((plain_function(function), plain_name(file, root), int(line) if line.isdigit() else 0))
    return frames


def image_base(path, triplet):
    headers = subprocess.run([triplet + "-objdump", "-p", path], check=True, text=True, capture_output=True).stdout
    return int(re.search(r"^ImageBase\s+([0-9a-f]+)", headers, re.MULTILINE)[1], 16)


def agrees(frames, witnesses):
    """Whether a witness says the same, or has no name where another has one: GNU has none for assembler code.
    LLVM keeps the underscore of i386 where it has the name from a symbol."""
    for witness in witnesses:
        if len(witness) == len(frames) and all(
                b[0] in ("", a[0], "_" + a[0]) and (not a[2] or a[1:] == b[1:]) for a, b in zip(frames, witness)):
            return True
    return False


def compare(build, log):
    """Print what KDBG and GNU say; how many frames are wrong, and how many there are."""
    wrong = count = 0
    for text, module, offset, frames in frames_of_kdbg(log):
        path = os.path.join(build.unstripped, module)
        address = image_base(path, build.triplet) + offset
        gnu = frames_of([build.triplet + "-addr2line"], path, build.build, address)
        llvm = frames_of([LLVM], path, build.build, address)
        good = agrees(frames, [gnu, llvm])
        print(("  " if good else "! ") + text)
        print("    GNU " + ", ".join(f"{file}:{line} ({function})" for function, file, line in gnu))
        count, wrong = count + 1, wrong + (not good)
    return wrong, count


def asked(path):
    """What the kernel was told, from its file PATH: for each module its ranges (first RVA, one after the last, frames)."""
    modules, module, last = {}, None, None
    with open(path, encoding="latin-1") as file:
        lines = iter(file.read().split("\n"))
    for line in lines:
        if line in ("module", "no symbols"):
            module, name = [], next(lines)
            if line == "module":
                modules[name] = module
        elif line == "done":
            return modules
        elif line == "end":
            last = None
        elif "!" in line:
            sys.exit(f"check.py: {path}: RosSymGetAddressInformation() does not tell the innermost frame: {line}")
        elif line:
            rva, *fields = line.split("\t")
            if last:
                module.append((last[0], int(rva, 16), last[1]))
            last = int(rva, 16), [(fields[i + 2], fields[i + 1], int(fields[i], 16)) for i in range(0, len(fields), 3)]
    sys.exit(f"check.py: {path}: the kernel has not asked about all modules")


def answers(command, path, root, addresses):
    """What an addr2line says about ADDRESSES, many of them, in their order: frames."""
    known = {}
    with tempfile.TemporaryFile("w+") as questions, tempfile.TemporaryFile("w+") as output:
        questions.writelines(f"{address:#x}\n" for address in addresses)
        questions.seek(0)
        subprocess.run([*command, "-a", "-f", "-i", "-e", path], check=True, stdin=questions, stdout=output, stderr=subprocess.DEVNULL)
        output.seek(0)
        lines = []
        for line in output:
            if line.startswith("0x") and lines:
                yield frames_of_lines(lines, root, known)
                lines = []
            if not line.startswith("0x"):
                lines.append(line)
        if lines:
            yield frames_of_lines(lines, root, known)


def frames_of_lines(lines, root, known):
    """LINES as frames; KNOWN keeps what was asked before."""
    text = "".join(lines)
    if text not in known:
        known[text] = parse_frames(root, text.split("\n"))
    return known[text]


def padding(path, triplet):
    """The addresses in PATH of instructions that do nothing: what stands between functions."""
    found = set()
    text = subprocess.run([triplet + "-objdump", "-d", "-w", "-z", "--insn-width=16", path], check=True, text=True, capture_output=True).stdout
    for address, code, name, rest in re.findall(r"^ *([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *\t(\S+) *(.*)$", text, re.MULTILINE):
        if name in ("nop", "nopw", "nopl", "int3", "hlt", "(bad)") or "nop" in rest or code.strip().strip("0 ") == "" or (
                name in ("lea", "xchg", "mov") and re.fullmatch(r"(?:(?:0x0+)?\(%(\w+)(?:,%eiz,1)?\),%\1|%(\w+),%\2)", rest.strip())):
            found.update(range(int(address, 16), int(address, 16) + len(code.split())))
    return found


def compare_asked(build):
    """Compare what the kernel was told with both witnesses, print what is wrong; how many addresses are, and how many there are."""
    wrong = count = beside = 0
    for module, ranges in sorted(asked(os.path.join(build.place, "asked")).items()):
        path = os.path.join(build.unstripped, module)
        base = image_base(path, build.triplet)
        rows = [(base + rva, frames) for begin, end, frames in ranges for rva in range(begin, end)]
        for command in ([LLVM], [build.triplet + "-addr2line"]):
            said = answers(command, path, build.build, [address for address, _ in rows])
            rows = [row for row, witness in zip(rows, said) if not agrees(row[1] or [("", "", 0)], [witness])]
        between = padding(path, build.triplet) if rows else set()
        bad = [(address, frames) for address, frames in rows if address not in between]
        first = [row for before, row in zip([(0, None)] + bad, bad) if row != (before[0] + 1, before[1])]
        for address, frames in first[:40]:
            print(f"! {module}:{address - base:x} " + ", ".join(f"{file}:{line} ({function})" for function, file, line in frames))
        size = sum(end - begin for begin, end, _ in ranges)
        print(f"  {module}: {size} addresses, {len(rows) - len(bad)} of other answers in padding, {len(bad)} wrong", flush=True)
        wrong, beside, count = wrong + len(bad), beside + len(rows) - len(bad), count + size
    return wrong, beside, count


LLVM = next((path for path in map(shutil.which, ("llvm-addr2line-19", "llvm-addr2line", "llvm-addr2line-14")) if path), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--arch", choices=TRIPLETS, action="append", help="only this architecture")
    parser.add_argument("tree", metavar="TREE")
    parser.add_argument("work", metavar="WORK")
    args = parser.parse_args()
    failed = False
    for arch in args.arch or TRIPLETS:
        build = Build(arch, os.path.abspath(args.work), args.tree)
        build.make()
        wrong, count = compare(build, build.boot())
        print(f"{arch}: {count} rows of KDBG's backtrace, {wrong} wrong", flush=True)
        failed = failed or wrong or not count
        wrong, beside, count = compare_asked(build)
        print(f"{arch}: {count} addresses asked in the kernel, {beside} of other answers in padding, {wrong} wrong", flush=True)
        failed = failed or wrong or not count
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

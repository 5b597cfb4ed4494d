#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How fast rossym-log is, beside copying the text and beside what one would type without it.
#
#	tests/bench/log.sh [BUILD-DIRECTORY]	(build)
#	LOG_BYTES=100000000 TURNS=3 tests/bench/log.sh		less than the usual 1,000,000,000 bytes and 5 turns
#
# 1. A log in a pipe, from memory to a program that drops it: rossym-log in the place of cat, in turns; LOG_BYTES of text without
#    addresses, in three kinds, of text with escape sequences in each line, and of text with 1 % of lines that get an annotation.  Wall time counts; on a busy machine look at
#    user and system time too.
# 2. A log of 1,000,000 lines without tokens: rossym-log against a read/write loop (dd with the same block size).
# 3. 1,000,000 lines with 100,000 tokens over 20 modules: rossym-log; one rossym-addr2line process for each token, timed on
#    the first 1,000 of them; and a pipeline, grep and one rossym-addr2line for each module, which loses the log.

set -eu
build=$(cd "${1:-build}" && pwd)
log=$build/src/rossym-log addr2line=$build/src/rossym-addr2line
test -x "$build/tests/tools/mkimage" || make -s -C "$build" tests/tools/mkimage
tmp=$(mktemp -d "${TMPDIR:-/tmp}/rossym-bench.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

mkdir sym
for i in $(seq 0 19); do
	"$build/tests/tools/mkimage" - sym/module$i.sys <<-END
		pe32 base=0x10000
		section .text rva=0x1000 size=0x100000 raw=0 flags=code
		rossym rva=0x200000
		generate rows=60000 step=16
	END
done

# Print about BYTES of a debug log.  KIND: "plain"; "crlf"; "numbers", which look like addresses but are not; "escapes" in
# each line; "tokens" on 1 % of the lines.
make_log () {
	awk -v kind="$1" -v bytes="$2" '
	function text(i) {
		if (i % 12 == 0) return sprintf("(ntoskrnl/mm/ARM3/section.c:%d) MiMapViewOfSection: flags %d at 0x%08x for process %d", i % 5000, i, i * 4096 % 4294967296, i % 97)
		if (i % 12 == 1) return sprintf("(win32ss/user/ntuser/window.c:%d) Destroying window %08x of thread %d [%d]", i % 5000, i, i % 911, i % 7)
		if (i % 12 == 2) return sprintf("(drivers/network/tcpip/ip/transport/tcp/tcp.c:%d) Connection [%x] < %d bytes", i % 900, i * 7919 % 65536, i % 1500)
		if (i % 12 == 3) return sprintf("fixme:(dll/win32/ole32/compobj.c:%d) CoCreateInstance({%08X-0000-0000-C000-000000000046}) stub", i % 5000, i)
		if (i % 12 == 4) return sprintf("err:(base/services/umpnpmgr/rpcserver.c:%d) PNP_GetDeviceRegProp failed with status 0xc0000034", i % 900)
		if (i % 12 == 5) return sprintf("(sdk/lib/rtl/heap.c:%d) RtlAllocateHeap: size %d, heap %08X, flags 0x%x", i % 4000, i % 65536, 4456448, i % 16)
		if (i % 12 == 6) return sprintf("(ntoskrnl/io/pnpmgr/pnpmgr.c:%d) Device PCI\\VEN_8086&DEV_%04X&SUBSYS_00000000 started", i % 5000, i % 65536)
		if (i % 12 == 7) return sprintf("trace:(dll/win32/msi/table.c:%d) fetching row %d of [Property] (%d of %d)", i % 3000, i, i % 77, i % 99)
		if (i % 12 == 8) return sprintf("(hal/halx86/acpi/halacpi.c:%d) ACPI table FACP v%d at 0x%x length %d", i % 800, i % 5, i * 64 % 1048576, i % 512)
		if (i % 12 == 9) return sprintf("(boot/freeldr/freeldr/disk/scsiport.c:%d) SRB status 0x%02x, target %d, lun %d, retry", i % 1500, i % 256, i % 7, i % 2)
		if (i % 12 == 10) return sprintf("(win32ss/gdi/ntgdi/freetype.c:%d) Font <Tahoma> was not found, substituting <DejaVu Sans>", i % 5000)
		return sprintf("WARNING:  PspCreateThread at ntoskrnl/ps/thread.c:%d is UNIMPLEMENTED or lacks %d things!", i % 500, i % 12)
	}
	function numbers(i) {
		if (i % 4 == 0) return sprintf("(ntoskrnl/ex/time.c:%d) %02d:%02d:%02d.%03d ticks: 8094%04x:%04x and %08x", i % 500, i % 24, i % 60, i % 60, i % 1000, i % 65536, i % 4096, i)
		if (i % 4 == 1) return sprintf("dump: %08x: %08x %08x %08x %08x", i * 16 % 4294967296, i * 31 % 4294967296, i * 77 % 4294967296, i * 331 % 4294967296, i * 7 % 4294967296)
		if (i % 4 == 2) return sprintf("(drivers/usb/usbehci/hardware.c:%d) port: %x, status: %x, time: %d:%d, ptr: 0x%08X", i % 900, i % 16, i % 65536, i % 24, i % 60, i)
		return sprintf("c0000005:80123456:%x eax=%08x ebx=%08x ecx=%08x hex dead:beef:cafe:%04x", i, i, i * 3 % 4294967296, i * 5 % 4294967296, i % 65536)
	}
	BEGIN {
		srand(1)
		for (i = 0; size < bytes; i++) {
			line = kind == "numbers" ? numbers(i) : text(i)
			if (kind == "tokens" && i % 100 == 37) line = sprintf("<module%d.sys:%x>", int(rand() * 20), 4096 + int(rand() * 900000))
			if (kind == "escapes" && match(line, /:[0-9]+\)/)) line = "\033[0;32m" substr(line, 1, RSTART + RLENGTH - 1) "\033[0m" substr(line, RSTART + RLENGTH)
			else if (kind == "escapes") line = "\033[1;31m" line "\033[0m"
			line = line (kind == "crlf" ? "\r\n" : "\n")
			size += length(line)
			printf "%s", line
		}
	}'
}

# Run the command as the filter of the log in "piece", which is repeated, and add "wall user system" in ms to the file RESULTS.
pass_on () {
	results=$1
	shift
	begin=$(date +%s%N)
	for _ in $(seq "$pieces"); do cat piece; done | { "$@"; times >times; } | cat >/dev/null
	end=$(date +%s%N)
	sed -n 2p times | awk -v wall=$(((end - begin) / 1000000)) '
		function ms(t) { split(t, part, /[ms]/); return part[1] * 60000 + part[2] * 1000 }
		{ print wall, ms($1), ms($2) }' >>"$results"
}

# The minimum and the median of column N.
figures () { sort -n -k "$2,$2" "$1" | awk -v n="$2" '{ v[NR] = $n } END { print v[1], v[int((NR + 1) / 2)] }'; }

# compare KIND LIMIT
compare () {
	make_log "$1" "$piece" >piece
	rm -f cat.ms log.ms
	for _ in $(seq "${TURNS:-5}"); do
		pass_on cat.ms cat
		pass_on log.ms "$log" -d sym
	done
	for program in cat log; do
		echo "$(figures $program.ms 1) $(figures $program.ms 2) $(figures $program.ms 3)"
	done | awk -v kind="$1" -v limit="$2" '
		{ least[NR] = $1; median[NR] = $2; user[NR] = $4; sys[NR] = $6 }
		END {
			printf "%s in pipes: cat %d ms (median %d, user %d, system %d), rossym-log %d ms (median %d, user %d, system %d): ", kind,
				least[1], median[1], user[1], sys[1], least[2], median[2], user[2], sys[2]
			printf "%.2f times, limit %s\n", least[2] / (least[1] ? least[1] : 1), limit
		}'
}

piece=50000000 bytes=${LOG_BYTES:-1000000000}
test "$bytes" -ge "$piece" || piece=$bytes
pieces=$((bytes / piece))
compare plain 1.5
compare crlf 1.5
compare numbers 1.5
compare escapes 3
compare tokens 2.5
rm piece

awk -v tokens=0 -v seed=1 '
function text(i) { return "(ntoskrnl/mm/ARM3/section.c:" i % 5000 ") MiMapViewOfSection: flags " i " at 0x" sprintf("%08x", i * 4096) " for process " i % 97 "\r\n" }
BEGIN {
	for (i = 0; i < 1000000; i++) printf "%s", text(i) >"plain.log"
	srand(seed)
	for (i = 0; i < 1000000; i++)
		if (i % 10 == 3) printf "<module%d.sys:%x>\r\n", int(rand() * 20), 4096 + int(rand() * 900000) >"tokens.log"
		else printf "%s", text(i) >"tokens.log"
}'
ls -l plain.log tokens.log | awk '{ print "# " $NF ": " $5 " bytes" }'

# The best of five, in milliseconds.
best () {
	best=
	for _ in 1 2 3 4 5; do
		rm -f out	# emptying it takes as long as writing it
		begin=$(date +%s%N)
		"$@"
		end=$(date +%s%N)
		ms=$(((end - begin) / 1000000))
		if test -z "$best" || test "$ms" -lt "$best"; then best=$ms; fi
	done
}
copy () { dd if="$1" of=out bs=64k 2>/dev/null; }
annotate () { "$log" -d sym "$1" >out; }
one_by_one () {
	while read -r module offset; do
		"$addr2line" -f --rva -e "sym/$module" "$offset"
	done <first >/dev/null
}
by_module () {
	grep -ao '<[a-z0-9]*\.sys:[0-9a-f]*>' tokens.log >found
	for module in sym/*.sys; do
		grep "<${module##*/}:" found | sed 's/.*:\(.*\)>/\1/' | "$addr2line" -fp --rva -e "$module"
	done >out
}

best copy plain.log; copied=$best
best annotate plain.log; plain=$best
best annotate tokens.log; tokens=$best
grep -ao '<[a-z0-9]*\.sys:[0-9a-f]*>' tokens.log | head -n 1000 | sed 's/<\(.*\):\(.*\)>/\1 \2/' >first
best one_by_one; single=$((best * 100))
best by_module; pipeline=$best

echo "no tokens: copy $copied ms, rossym-log $plain ms: $(awk -v a="$plain" -v b="$copied" 'BEGIN { printf "%.2f", a / (b ? b : 1) }') times"
echo "100,000 tokens: rossym-log $tokens ms; one process each $single ms (1,000 timed): $(awk -v a="$single" -v b="$tokens" 'BEGIN { printf "%.0f", a / (b ? b : 1) }') times slower"
echo "                grep + one rossym-addr2line a module $pipeline ms: $(awk -v a="$pipeline" -v b="$tokens" 'BEGIN { printf "%.1f", a / (b ? b : 1) }') times slower"

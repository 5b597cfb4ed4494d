# SPDX-License-Identifier: GPL-2.0-or-later
#
# From the path in the table to the path that is shown: --path-map, --source-root, -s, in this order.
. "${srcdir:-.}/tests/lib/tap.sh"

build x.exe <<'END'
pe32 base=0x400000
section .text rva=0x1000 size=0x100 flags=code
rossym
row 0x1000 f main.c 1
row 0x1010 f ntoskrnl/ke/bug.c 2
row 0x1020 f /build/ntoskrnl/ke/bug.c 3
row 0x1030 f /builder/x.c 4
row 0x1040 f "C:\\ros\\ntoskrnl\\ke\\bug.c" 5
row 0x1050 f c:/ros/x.c 6
row 0x1060 f ../sdk/lib/x.c 7
row 0x1070 f "" 8
row 0x1080 f /build 9
row 0x1090 f "\\\\server\\share\\x.c" 10
END

# shown NAME OPTIONS ADDRESS EXPECTED
shown () {
	# shellcheck disable=SC2086
	check "$1" rossym-addr2line $2 --rva -e x.exe "$3" <<-END
		$4
	END
}

shown 'relative' '' 1010 ntoskrnl/ke/bug.c:2
shown 'absolute' '' 1020 /build/ntoskrnl/ke/bug.c:3
shown 'Windows' '' 1040 'C:\ros\ntoskrnl\ke\bug.c:5'
shown 'unknown' '' 1070 '??:8'
shown '-s' -s 1010 bug.c:2
shown '-s does not divide at a backslash' -s 1040 'C:\ros\ntoskrnl\ke\bug.c:5'

shown '--source-root, relative' --source-root=/src 1010 /src/ntoskrnl/ke/bug.c:2
shown '--source-root, a name alone' --source-root=/src 1000 /src/main.c:1
shown '--source-root, its own slash' --source-root=/src/ 1010 /src/ntoskrnl/ke/bug.c:2
shown '--source-root, relative itself' --source-root=../src 1000 ../src/main.c:1
shown '--source-root, two words' '--source-root /src' 1000 /src/main.c:1
shown '--source-root, nothing is normalised' --source-root=/src 1060 /src/../sdk/lib/x.c:7
shown '--source-root, the last one' '--source-root=/a --source-root=/b' 1000 /b/main.c:1
shown '--source-root leaves absolute paths' --source-root=/src 1020 /build/ntoskrnl/ke/bug.c:3
shown '--source-root leaves paths with a drive' --source-root=/src 1040 'C:\ros\ntoskrnl\ke\bug.c:5'
shown '--source-root leaves paths with a drive and slashes' --source-root=/src 1050 c:/ros/x.c:6
shown '--source-root leaves network paths' --source-root=/src 1090 '\\server\share\x.c:10'
shown '--source-root leaves the unknown' --source-root=/src 1070 '??:8'

shown '--path-map' --path-map=/build=/home/me 1020 /home/me/ntoskrnl/ke/bug.c:3
shown '--path-map with slashes' --path-map=/build/=/home/me/ 1020 /home/me/ntoskrnl/ke/bug.c:3
shown '--path-map, two words' '--path-map /build=/home/me' 1020 /home/me/ntoskrnl/ke/bug.c:3
shown '--path-map takes whole names' --path-map=/build=/home/me 1030 /builder/x.c:4
shown '--path-map of the whole path' --path-map=/build=/home/me 1080 /home/me:9
shown '--path-map only at the beginning' --path-map=ke=KE 1010 ntoskrnl/ke/bug.c:2
shown '--path-map of a relative path' --path-map=ntoskrnl=os 1010 os/ke/bug.c:2
shown '--path-map to nothing makes a path relative' --path-map=/build= 1020 ntoskrnl/ke/bug.c:3
shown '--path-map to nothing, then --source-root' '--path-map=/build= --source-root=/src' 1020 /src/ntoskrnl/ke/bug.c:3
shown '--path-map, NEW may have an equals sign' --path-map=/build=/a=b 1020 /a=b/ntoskrnl/ke/bug.c:3
shown '--path-map, the first that fits' '--path-map=/build/ntoskrnl=/first --path-map=/build=/second' 1020 \
	/first/ke/bug.c:3
shown '--path-map, the first that fits, not the longest' \
	'--path-map=/build=/first --path-map=/build/ntoskrnl=/second' 1020 \
	/first/ntoskrnl/ke/bug.c:3
shown '--path-map, only one' '--path-map=/build=/other --path-map=/other=/third' 1020 /other/ntoskrnl/ke/bug.c:3
shown '--path-map, one that does not fit and one that does' '--path-map=/nope=/x --path-map=/build=/y' 1020 \
	/y/ntoskrnl/ke/bug.c:3

shown '--path-map, then --source-root' '--source-root=/src --path-map=/build=tree' 1020 /src/tree/ntoskrnl/ke/bug.c:3
shown '--path-map to an absolute path' '--source-root=/src --path-map=ntoskrnl=/abs' 1010 /abs/ke/bug.c:2
shown '--source-root and -s' '--source-root=/src -s' 1010 bug.c:2
shown '--path-map and -s' '-s --path-map=/build=/home/me' 1020 bug.c:3

for bad in nothing =new ''; do
	check "--path-map=$bad is refused" -s 1 -e "rossym-addr2line: --path-map: '$bad' is not OLD=NEW" \
		rossym-addr2line "--path-map=$bad" --rva -e x.exe 1000 </dev/null
done

done_testing

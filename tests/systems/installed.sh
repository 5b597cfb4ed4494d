# SPDX-License-Identifier: GPL-2.0-or-later
#
# A new user of the installed Debian packages, who has of the sources only tests/: all that the documentation shows works.
# tests/systems/packages.sh runs this in a new system.  Everything comes from the packages: the README, the manual pages, the
# programs, the headers, the examples and the files for kernels.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/amalgamation.sh"
. "$SRC/tests/lib/examples.sh"

# The programs as a user calls them, and not those of a build.
PATH=/usr/bin:/bin:/usr/lib/rossym/bin
export PATH
version=$(dpkg-query -W -f '${Version}' rossym-tools | sed 's/-[^-]*$//')
examples=/usr/share/doc/librossym-dev/examples
kernel=/usr/share/rossym/amalgamation
cp -R "$DATA" data

# ------------------------------------------------------------------------------------------------ what there is

for program in rossym-addr2line rossym-embed rossym-log; do
	check "$program has the version of the package" sh -c "$program --version | sed -n 1p" <<-EOT
		$program (rossym) $version
	EOT
	ok "bash completes $program" \
		bash -c ". /usr/share/bash-completion/completions/$program && complete -p $program"
	ok "zsh has a completion for $program" test -s "/usr/share/zsh/vendor-completions/_$program"
	ok "fish has one for $program" test -s "/usr/share/fish/vendor_completions.d/$program.fish"
done
for page in 'rossym-addr2line 1' 'rossym-embed 1' 'rossym-log 1' 'rossym 3' 'rossym-core 3' 'rossym-kernel 3' 'rossym-set 3' \
	'rossym-write 3' 'rossym 5' 'rossym-clients 7' 'rossym-departures 7' 'rossym-diagnostics 7' 'rossym-diff 7' \
	'rossym-forms 7' 'rossym-limits 7' 'rossym-parallel 7' 'rossym-windows 7'; do
	name=${page% *}
	section=${page#* }
	ok "man $section $name" sh -c "test \$(man '$section' '$name' | wc -l) -gt 50"
	zcat "/usr/share/man/man$section/$name.$section.gz" >"$name.$section"
done
check 'names for PATH' ls /usr/lib/rossym/bin <<-'EOT'
	addr2line
	log2lines
	raddr2line
	rsym
EOT
named () (
	cd data && PATH=/usr/lib/rossym/bin:$PATH "$@"
)
check 'addr2line' named addr2line -f -e dwarf32.exe 401640 <<-'EOT'
	KeBugCheckEx
	ke/bug.c:18
EOT
check 'raddr2line' named raddr2line dwarf32.exe 401640 <<-'EOT'
	ke/bug.c:18 (KeBugCheckEx)
EOT
check 'log2lines' named log2lines dwarf32.exe 1640 <<-'EOT'
	<dwarf32.exe:1640 (ke/bug.c:18 (KeBugCheckEx))>
EOT
ok 'rsym' named rsym -s /src dwarf32.nostrip.exe dwarf32.made.exe
check 'its image has answers' named addr2line -f -e dwarf32.made.exe 401640 <<-'EOT'
	KeBugCheckEx
	ke/bug.c:18
EOT

# ------------------------------------------------------------------------------------------------ what is shown

zcat -f /usr/share/doc/rossym-tools/README* >README
examples README README "$(pwd)/data"
ok 'the README has examples' test $examples_count -ge 9
for program in rossym-addr2line rossym-embed rossym-log; do
	examples_of_man $program.1 EXAMPLES >text
	rm -rf data
	cp -R "$DATA" data
	examples $program.1 text "$(pwd)/data"
done
examples_of_man rossym-parallel.7 >text
examples rossym-parallel.7 text "$(pwd)/data"

# ------------------------------------------------------------------------------------------------ to compile with

flags=$(pkg-config --cflags --libs rossym)
check 'pkg-config has the version' pkg-config --modversion rossym <<-EOT
	$version
EOT
compiled () {
	# shellcheck disable=SC2086
	check "$1 compiles" "$2" -Wall -Wextra -Werror -o "$1" "$3" $flags </dev/null
}
rm -rf data
cp -R "$DATA" data
for page in 'rossym ten-lines' 'rossym-core places' 'rossym-set process-lines' 'rossym-write symbols'; do
	examples_of_man "${page% *}.3" EXAMPLES >text
	awk '/^    #include/ { inside = 1 } /^$/ { inside = 0 } inside { print substr($0, 5) }' text >"${page#* }.c"
	compiled "${page#* }" cc "${page#* }.c"
	PATH=$(pwd):$PATH
	examples "${page% *}.3" text "$(pwd)/data"
	ok "${page% *}.3 has an example" test $examples_count -ge 1
done
# crash-windows.c is for Windows.
for file in "$examples"/*.c "$examples"/*.cc; do
	name=$(basename "$file")
	case $name in
	crash-windows.c) ;;
	*.cc) compiled "example-${name%.cc}" c++ "$file" ;;
	*) compiled "example-${name%.c}" cc "$file" ;;
	esac
done
check 'an example answers' sh -c './example-where data/dwarf32.exe | sed -n 2p' <<-'EOT'
	0x1640 .text KeBugCheckEx ke/bug.c:18
EOT
check 'a program needs the shared library' sh -c 'ldd ./ten-lines | grep -o "librossym[^ ]* =>"' <<-'EOT'
	librossym.so.4 =>
EOT
check 'the static library' cc -o static ten-lines.c -l:librossym.a </dev/null
check 'the program needs no shared one' -s 1 sh -c 'ldd ./static | grep -c librossym' <<-'EOT'
	0
EOT

# ------------------------------------------------------------------------------------------------ in a kernel

kdbg_frames "$kernel" >kdbg-frames.h
check 'the files for kernels compile' cc -std=gnu99 -Wall -Wextra -Werror -I. -I"$kernel" -o kdbg \
	"$SRC/tests/tools/kdbg.c" "$kernel/rossym-core.c" "$kernel/rossym-kernel.c" </dev/null
ok 'an image with inlined calls' rossym-embed -s /src "$DATA/dwarf64.nostrip.exe" dwarf64.exe
check 'KDBG prints inlined calls' ./kdbg dwarf64.exe 1560 <<-'EOT'
	<dwarf64.exe:1560 (ke/bug.h:10 (mix), inlined by ke/bug.c:10 (fingerprint))>
EOT
check 'the files for ReactOS know no other tree' -s 1 -e 'series.py: .: sdk/tools/rsym/rsym.h: not there; nothing was changed' \
	python3 "$kernel/reactos/series.py" . </dev/null

done_testing

# SPDX-License-Identifier: GPL-2.0-or-later
#
# ELF files as the debug information of PE images, against llvm-addr2line: for every byte of code, the image answers as the ELF file
# does.  The images are made here, as gnu-efi and shim make theirs; and there are pairs of other tools where they are.
#
# UEFI_FIXTURES=PATH	a directory with those pairs: x.efi with x.debug, x.elf or x.so

. "${srcdir:-.}/tests/lib/tap.sh"

: "${UEFI_FIXTURES:=$SRC/../shared/fixtures/uefi}"
witness=$(newest llvm-addr2line) || skip_all 'no llvm-addr2line'
! known_difference "$witness" inlined-lines || skip_all "$witness prints other lines for inlined code"
need objdump readelf awk
beside "$witness" objdump

# ------------------------------------------------------------------------------------------------ the comparison

# entry FILE: the address of the entry point, of an ELF file or an image, as a decimal number
entry () {
	case $(od -An -c -N 2 "$1" | tr -d ' ') in
	MZ) printf '%d\n' "0x$(od -An -tx4 -j $(($(od -An -tu4 -j 60 -N 4 "$1") + 40)) -N 4 "$1" | tr -d ' ')" ;;
	*) printf '%d\n' "$(readelf -hW "$1" 2>/dev/null | sed -n 's/.*Entry point address: *//p')" ;;
	esac
}
# code ELF: begin and length of each section of code, in hexadecimal
code () {
	readelf -SW "$1" 2>/dev/null | sed 's/^ *\[ *[0-9]*\]//' |
		awk '$7 ~ /X/ && $5 !~ /^0*$/ { print $3, $5 }'
}
# addresses ELF DISTANCE: those of all bytes of code
addresses () {
	code "$1" | while read -r begin length; do
		awk -v from="$((0x$begin + $2))" -v n="$((0x$length))" 'BEGIN { for (i = 0; i < n; i++) printf "%x\n", from + i }'
	done
}
# plain FILE: without discriminators, which tables do not have, and with one form of an unknown line
plain () {
	sed 's/ (discriminator [0-9]*)$//; s/:?$/:0/' "$1"
}
# proved NAME IMAGE ELF: three checks
proved () {
	addresses "$3" 0 >elf.addresses
	addresses "$3" $(($(entry "$2") - $(entry "$3"))) >image.addresses
	"$witness" -fi -e "$3" <elf.addresses >answers
	plain answers >wanted
	ok "$1: it has code, and the witness knows lines of it" grep -q ':[1-9][0-9]*$' wanted
	check "$1: a table" rossym-embed --table-only --pdb="$3" "$2" table </dev/null
	rossym-addr2line --rva -fi -e table <image.addresses >answers
	plain answers >seen
	ok "$1: all $(wc -l <elf.addresses) bytes are answered as by $witness" diff -u wanted seen
	rossym-addr2line --rva -fi --debug-file="$3" -e "$2" <image.addresses >answers
	plain answers >seen
	ok "$1: without a table, too" diff -u wanted seen
}

# ------------------------------------------------------------------------------------------------ images made here

cat >a.c <<'EOT'
static volatile int sink;
static inline __attribute__((always_inline)) int twice(int x)
{
	if (x > 3)
		return x * x;
	return x * 2;
}
static __attribute__((noinline)) int quiet(int a)
{
	sink = a;
	return twice(a) + twice(a + sink);
}
int discarded(int a) { return quiet(a) * 7; }
int other(int);
int efi_main(void *image, void *table)
{
	sink = quiet((int)(long)image);
	return other(sink) + (table != 0);
}
EOT
cat >b.c <<'EOT'
int other(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i ^ n;
	return sum;
}
EOT
# Code without DWARF, which has only a symbol.
cat >start.s <<'EOT'
	.text
	.globl _start
_start:
	nop
	nop
	nop
	nop
	.section .note.GNU-stack, "", @progbits
EOT
cat >efi.lds <<'EOT'
ENTRY(efi_main)
SECTIONS
{
  . = 0x1000;
  .text : { *(.text .text.*) }
  . = ALIGN(4096);
  .data : { *(.rodata*) *(.data*) *(.bss*) *(COMMON) }
  .note.gnu.build-id : { *(.note.gnu.build-id) }
  . = ALIGN(4096);
  .dynamic : { *(.dynamic) }
  .rela : { *(.rela*) }
  .reloc : { *(.reloc) }
  /DISCARD/ : { *(.eh_frame*) *(.note.GNU-stack) *(.comment) }
}
EOT
kept='-j .text -j .data -j .dynamic -j .rela -j .reloc'
common='-ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables -fcf-protection=none -fpic -mno-red-zone'

# made NAME COMPILER FLAG...: NAME.so, and NAME.efi of it
made () {
	made_name=$1 compiler=$2
	shift 2
	# shellcheck disable=SC2086
	$compiler $common "$@" -c a.c -o a.o && $compiler $common "$@" -c b.c -o b.o && as start.s -o start.o &&
		ld -nostdlib -shared -Bsymbolic --build-id=sha1 $link -T efi.lds start.o a.o b.o -o "$made_name.so" &&
		objcopy $kept -O efi-app-x86_64 "$made_name.so" "$made_name.efi"
}
link=
if made plain gcc -O2 -g >log 2>&1; then
	proved 'gcc -O2' plain.efi plain.so
	link=--gc-sections
	while read -r title compiler flags; do
		has "$compiler" || { diag "no $compiler"; continue; }
		# shellcheck disable=SC2086
		if made case $compiler $flags >log 2>&1; then
			proved "$title: $compiler $flags" case.efi case.so
		else
			diag "$compiler $flags: $(cat log)"
		fi
	done <<-'EOT'
		sections gcc -O1 -gdwarf-5 -ffunction-sections
		DWARF-2 gcc -O0 -gdwarf-2
		DWARF-3 gcc -Os -gdwarf-3
		DWARF-4 gcc -O2 -gdwarf-4 -ffunction-sections
		clang clang -O2 -gdwarf-5
		clang-4 clang -O1 -gdwarf-4
	EOT
	link=--compress-debug-sections=zlib
	if built_with HAVE_ZLIB || skip 'compressed sections' 'built without zlib'; then
		made packed gcc -O2 -g
		ok 'the sections are compressed' sh -c 'readelf -SW packed.so | grep -q "debug_info.* C "'
		proved 'compressed sections' packed.efi packed.so
	fi
	link=--compress-debug-sections=zstd
	if ! built_with HAVE_ZSTD; then
		skip 'sections that zstd has compressed' 'built without zstd'
	elif made zstd gcc -O2 -g >log 2>&1 && readelf -SW zstd.so | grep -q "debug_info.* C "; then
		proved 'sections that zstd has compressed' zstd.efi zstd.so
	else
		skip 'sections that zstd has compressed' 'no linker that compresses with zstd'
	fi
	link=

	# ---- how they are found, and what is refused ----

	answer=$(rossym-addr2line --rva -f --pdb=plain.so -e plain.efi "$(printf %x "$(entry plain.efi)")")
	here () {
		rossym-addr2line --rva -f -e plain.efi "$(printf %x "$(entry plain.efi)")"
	}
	mkdir .debug symbols
	mv plain.so file
	for name in plain.so plain.debug plain.elf plain.dll plain.efi.debug .debug/plain.debug symbols/plain.so; do
		cp file $name
		check "found as $name" here <<-EOT
			$answer
		EOT
		rm $name
	done
	mv file plain.so
	check 'rossym-log finds it' -i "<plain.efi:$(printf %x "$(entry plain.efi)")>\n" rossym-log -d . <<-EOT
		<plain.efi:$(printf %x "$(entry plain.efi)") ($(echo "$answer" | sed -n 2p) (efi_main))>
	EOT
	at=$(($(entry plain.efi) + 0x1ea34000))
	for name in systemd-boot=systemd-bootx64.efi systemd-stub=linuxx64.efi.stub systemd-stub=LINUXX64.EFI.STUB; do
		mkdir system
		cp plain.efi "system/${name#*=}"
		cp plain.so "system/$(echo "${name#*=}" | sed 's/\.efi/.elf/; s/\.EFI\.STUB/.elf.stub/')"
		program=${name%=*}
		check "the line of $program tells where ${name#*=} is loaded" \
			-i "$program@0x1ea34000 254.6\nRIP  - $(printf %016X $at), CS  - 0000000000000038\n" \
			rossym-log -d system <<-EOT
				$program@0x1ea34000 254.6
				RIP  - $(printf %016X $at) ($(echo "$answer" | sed -n 2p) (efi_main)), CS  - 0000000000000038
			EOT
		rm -r system
	done
	refused () {
		check "refused: $1" -s 1 -e "rossym-embed: $2: $3" rossym-embed --table-only --pdb="$2" "$4" no.table </dev/null
	}
	cases 'refused'
else
	skip 'images made here' "no gcc, ld and objcopy that make them"
	diag "$(cat log)"
fi

# ------------------------------------------------------------------------------------------------ pairs of other tools

count=0
for image in "$UEFI_FIXTURES"/*.efi; do
	name=$(basename "$image" .efi)
	for elf in "$UEFI_FIXTURES/$name.debug" "$UEFI_FIXTURES/$name.elf" "$UEFI_FIXTURES/${name%-id}.so"; do
		test -e "$elf" && test -e "$image" || continue
		proved "$name" "$image" "$elf"
		count=$((count + 1))
	done
done
if test $count -ne 0 || skip 'pairs of EDK2 and others' 'files of others are not here'; then
	mkdir Build
	cp "$UEFI_FIXTURES/edk2x64.efi" application.efi
	cp "$UEFI_FIXTURES/edk2x64.debug" "$UEFI_FIXTURES/edk2x64.dll" Build/
	check 'the file beside the one that EDK2 names' rossym-addr2line --rva -f --debug-directory=Build -e application.efi 264 <<-'EOT'
		efi_main
		/src/main.c:13
	EOT
	rm Build/edk2x64.debug
	check 'which has symbols only' rossym-addr2line --rva -f --debug-directory=Build -e application.efi 2b0 <<-'EOT'
		walk
		??:?
	EOT
	# shell_is PAIR LINE: of the images for two machines, the one of PAIR has the answers after LINE, which is an exception's.
	shell_is () {
		at=$(printf %x "$(entry "$UEFI_FIXTURES/$1.efi")")
		place=$("$witness" -f -e "$UEFI_FIXTURES/$1.debug" "$(printf %x "$(entry "$UEFI_FIXTURES/$1.debug")")" | tr '\n' ' ')
		printf '%s\n<Shell.efi:%s>\n' "$2" "$at" >log
		printf '%s\n<Shell.efi:%s (%s (%s))>\n' "$2" "$at" "$(echo "${place#* }" | tr -d ' ')" "${place%% *}" >want
		check "Shell.efi for two machines: $1" -O want rossym-log -d shells log
	}
	for pair in edk2aa64 edk2x64; do
		mkdir -p shells/$pair
		cp "$UEFI_FIXTURES/$pair.efi" shells/$pair/Shell.efi
		cp "$UEFI_FIXTURES/$pair.debug" shells/$pair/Shell.debug
	done
	shell_is edk2x64 '!!!! X64 Exception Type - 0D(#GP - General Protection)  CPU Apic ID - 00000000 !!!!'
	shell_is edk2aa64 'Synchronous Exception at 0x0000000000000001'
fi

done_testing

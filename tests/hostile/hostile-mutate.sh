# SPDX-License-Identifier: GPL-2.0-or-later
#
# Mutated images: see mutate.c.  MUTATIONS=N tries more of them; a build with the sanitizers makes it worth while.

MUTATE=${MUTATE:-${top_builddir:-.}/tests/tools/mutate${EXEEXT-}}
case $MUTATE in
/*) ;;
*) MUTATE=$(pwd)/$MUTATE ;;
esac

. "${srcdir:-.}/tests/lib/tap.sh"

test -x "$MUTATE" || skip_all "no program $MUTATE"

seeds=
for description in "$SRC"/tests/images/good-*.img "$SRC"/tests/images/odd-*.img; do
	name=${description##*/}
	name=${name%.img}
	"$MKIMAGE" "$description" "$name" || exit 99
	# Some images are large to show that this does not matter; here it only takes time.
	test "$(wc -c <"$name")" -gt 65536 || seeds="$seeds $name"
done
# shellcheck disable=SC2086
ok "mutated images of the builder" "$MUTATE" $seeds
diag "$(tail -n 1 "$OUT")"

# Those that are refused, and those that are large, only as they are.
as_they_are=
for description in "$SRC"/tests/images/*.img; do
	name=${description##*/}
	name=${name%.img}
	test -f "$name" || "$MKIMAGE" "$description" "$name" || exit 99
	as_they_are="$as_they_are $name"
done
# shellcheck disable=SC2086
ok "all images of the builder, as they are" env MUTATIONS=0 "$MUTATE" $as_they_are

MUTATIONS=$((${MUTATIONS:-1000} / 5))
export MUTATIONS
ok "mutated real images" "$MUTATE" "$DATA/dwarf32.exe" "$DATA/stabs32.exe" "$DATA/driver/driver.sys"
diag "$(tail -n 1 "$OUT")"

rossym-embed "$DATA/dwarf32.nostrip.exe" inner.exe && rossym-embed --table-only "$DATA/dwarf64.nostrip.exe" inner.sym &&
	rossym-embed --table-only --entry-frame=outer "$DATA/dwarf32.nostrip.exe" outer.sym || exit 99
# Small tables, where a change meets the block.
awk 'BEGIN {
	for (i = 0; i < 12; i++) {
		printf "%x\t4\tinner%d\ta.c\t%d\t0\n", 4096 + 4 * i, i, i + 1
		for (d = 1; d <= i % 4; d++)
			printf "%x\t4\touter%d\tb.c\t%d\t%d\n", 4096 + 4 * i, d, d, d
	}
	printf "1000\t48\tinner0\t\t0\t-1\n1000\t16\tinner1\t\t0\t-1\n"
}' >small
rossym-embed --table-only --from-dump=small small.sym || exit 99
ok "mutated extension blocks" "$MUTATE" small.sym inner.sym small.sym outer.sym small.sym inner.exe
diag "$(tail -n 1 "$OUT")"

rossym-embed --table-only --packed --from-dump=small packed-small.sym &&
	rossym-embed --packed "$DATA/dwarf32.nostrip.exe" packed.exe &&
	rossym-embed --table-only --packed "$DATA/dwarf64.nostrip.exe" packed.sym &&
	rossym-embed --table-only --packed --entry-frame=outer "$DATA/dwarf32.nostrip.exe" packed-outer.sym || exit 99
ok "mutated packed tables" "$MUTATE" packed-small.sym packed.sym packed-small.sym packed-outer.sym packed-small.sym packed.exe
diag "$(tail -n 1 "$OUT")"

done_testing

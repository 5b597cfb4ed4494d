# SPDX-License-Identifier: GPL-2.0-or-later
#
# Mutated images: see mutate.c.  MUTATIONS=N tries more of them; a build with the sanitizers makes it worth while.

MUTATE=${MUTATE:-${top_builddir:-.}/tests/mutate${EXEEXT-}}
case $MUTATE in
/*) ;;
*) MUTATE=$(pwd)/$MUTATE ;;
esac

. "${srcdir:-.}/tests/lib/tap.sh"

test -x "$MUTATE" || skip_all "no program $MUTATE"

seeds=
for description in "$SRC"/tests/images/good-*.img "$SRC"/tests/images/odd-*.img; do
	name=$(basename "$description" .img)
	"$MKIMAGE" "$description" "$name" || exit 99
	# Some images are large to show that this does not matter; here it only takes time.
	test "$(wc -c <"$name")" -gt 65536 || seeds="$seeds $name"
done
# shellcheck disable=SC2086
ok "mutated images of the builder" "$MUTATE" $seeds
diag "$(tail -n 1 "$OUT")"

MUTATIONS=$((${MUTATIONS:-3000} / 5))
export MUTATIONS
ok "mutated real images" "$MUTATE" "$DATA/dwarf32.exe" "$DATA/stabs32.exe" "$DATA/driver/driver.sys"
diag "$(tail -n 1 "$OUT")"

done_testing

# SPDX-License-Identifier: GPL-2.0-or-later
#
# The commands of rossym-log(1), SYMBOL SERVERS, with curl: from a server, and from a directory as file://.

. "${srcdir:-.}/tests/lib/tap.sh"
. "$SRC/tests/lib/servers.sh"

need curl python3
test -x "$tap_build/tests/tools/mkpdb" || skip_all 'no mkpdb for this system'
servers_make
cp -R dumped texts listed server/

python3 -u -m http.server 0 --bind 127.0.0.1 --directory server/store >served 2>&1 &
server=$!
await grep -q ' port [0-9]* .*$' served
port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' served)
servers_test "http://127.0.0.1:$port"
kill $server

rm -r dumped texts listed
cp -R server/dumped server/texts server/listed .
servers_test "file://$PWD/server/store"

done_testing

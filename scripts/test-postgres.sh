#!/usr/bin/env bash
# A temporary PostgreSQL for the tests: on a free local port, in a folder of its own, deleted afterwards.
#
#   scripts/test-postgres.sh run npx vitest run test/store   with TEST_DATABASE_URL set while it runs
#   url=$(scripts/test-postgres.sh start)                    without a command; then:
#   scripts/test-postgres.sh restart "$url"                  as in a crash: without waiting and without flushing
#   scripts/test-postgres.sh copy "$url"                     its files as they are now, as a replica would have them
#   scripts/test-postgres.sh replace "$url" promoted         ends it as in a crash and starts that copy at its address, as a
#                                                            new primary; or `plain`, as a disk that was set back
#   scripts/test-postgres.sh stop "$url"
#   scripts/test-postgres.sh check                           whether PostgreSQL is installed
set -euo pipefail

fail() {
  echo "test-postgres: $*" >&2
  exit 1
}

# Debian keeps the server's programs outside of PATH, in a folder for each version.
bin=$(dirname "$(command -v initdb || ls -d /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -n 1)")
[ -x "$bin/initdb" ] || fail 'PostgreSQL is not installed. On Debian: apt-get install postgresql'
bin=$(dirname "$(readlink -f "$bin/initdb")")

# The server refuses to run as root, who finds `runuser` in PATH only after a login: after `su`, it lacks this folder.
PATH=$PATH:/usr/sbin
as_server() {
  if [ "$(id -u)" -ne 0 ]; then "$@"; else (cd / && runuser -u "$server_user" -- "$@"); fi
}
server_user=$(getent passwd postgres >/dev/null 2>&1 && echo postgres || echo nobody)

# In memory where Linux has enough of it, as in test/worker.ts: a disk doubles the processor time of new databases.
free_kilobytes=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }') || true
[ "${free_kilobytes:-0}" -lt 4194304 ] || memory=/dev/shm
temporary=${TMPDIR:-${memory:-/tmp}}

folder_of() {
  local port
  port=$(sed -nE 's|^postgres://postgres@127\.0\.0\.1:([0-9]+)/postgres$|\1|p' <<<"$1")
  [ -n "$port" ] || fail "not a URL that 'start' printed: $1"
  echo "$temporary/letterboxed-postgres-$port"
}

# Makes a folder named for a port, and prints it. The port is below those that Linux gives to whoever asks for any:
# other tests would sometimes get it before the server opens it, or while it restarts.
claim_folder() {
  local port folder
  for port in {15432..16431}; do
    folder=$temporary/letterboxed-postgres-$port
    # There already: of another server, or left behind by one that was killed.
    mkdir -m 700 "$folder" 2>/dev/null || continue
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      echo "$folder"
      return
    fi
    rmdir "$folder"
  done
  fail "no port from 15432 to 16431 is free, or $temporary can't be written"
}

start() {
  folder=$(claim_folder)
  [ "$(id -u)" -ne 0 ] || chown "$server_user" "$folder"
  as_server "$bin/initdb" --pgdata "$folder/data" --username postgres --auth trust --encoding UTF8 --locale C --no-sync >"$folder.log" 2>&1 ||
    fail "initdb failed, see $folder.log"
  serve
  url=postgres://postgres@127.0.0.1:${folder##*-}/postgres
}

# With -F the server does not wait for the disk: what it has written outlives its own crash, if not the machine's.
serve() {
  as_server "$bin/pg_ctl" start --wait --silent --pgdata "$folder/data" --log "$folder/server.log" \
    --options "-h 127.0.0.1 -p ${folder##*-} -k $folder -F" >>"$folder.log" 2>&1 ||
    fail "the server did not start, see $folder/server.log"
}

copy() {
  as_server "$bin/pg_basebackup" --dbname "$1" --pgdata "$folder/copy" --checkpoint fast
}

replace() {
  end_at_once stop
  rm -rf "$folder/data"
  mv "$folder/copy" "$folder/data"
  [ "$2" = plain ] || as_server touch "$folder/data/standby.signal"
  serve
  [ "$2" = plain ] || as_server "$bin/pg_ctl" promote --wait --silent --pgdata "$folder/data"
}

restart() {
  end_at_once restart --log "$folder/server.log"
}

stop() {
  end_at_once stop || true
  # What it can't remove makes no difference to the tests.
  rm -rf "$folder" "$folder.log" || true
}

# As in a crash: without waiting and without flushing.
end_at_once() {
  as_server "$bin/pg_ctl" "$@" --wait --silent --mode immediate --pgdata "$folder/data" >/dev/null
}

case ${1:-} in
  check) ;;
  start)
    start
    echo "$url"
    ;;
  restart | copy | replace | stop)
    folder=$(folder_of "${2:-}")
    "$@"
    ;;
  run)
    shift
    start
    trap stop EXIT
    TEST_DATABASE_URL=$url "$@"
    ;;
  *) fail 'say run, start, restart, copy, replace, stop or check' ;;
esac

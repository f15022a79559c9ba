#!/usr/bin/env bash
# A temporary PostgreSQL for the tests: on a free local port, in a folder of its own, deleted afterwards.
#
#   scripts/test-postgres.sh run npx vitest run test/store   with TEST_DATABASE_URL set while it runs
#   url=$(scripts/test-postgres.sh start)                    without a command; then:
#   scripts/test-postgres.sh restart "$url"                  as in a crash: without waiting and without flushing
#   scripts/test-postgres.sh copy "$url"                     its files as they are now, as a replica would have them
#   scripts/test-postgres.sh replace "$url" promoted          ends it as in a crash and starts that copy at its address, as a
#                                                           new primary; or `plain`, as a disk that was set back
#   scripts/test-postgres.sh pause "$url"                    stops it, and `resume` starts it again
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

# The server refuses to run as root.
as_server() {
  if [ "$(id -u)" -ne 0 ]; then "$@"; else (cd / && runuser -u "$server_user" -- "$@"); fi
}
server_user=$(getent passwd postgres >/dev/null 2>&1 && echo postgres || echo nobody)

folder_of() {
  local port
  port=$(sed -nE 's|^postgres://postgres@127\.0\.0\.1:([0-9]+)/postgres$|\1|p' <<<"$1")
  [ -n "$port" ] || fail "not a URL that 'start' printed: $1"
  echo "${TMPDIR:-/tmp}/letterboxed-postgres-$port"
}

# Makes a folder named for a port, and prints that port. It is below those that Linux gives to whoever asks for any:
# other tests would sometimes get it before the server opens it, or while it restarts.
claim_port() {
  local port folder
  for port in {15432..16431}; do
    folder=${TMPDIR:-/tmp}/letterboxed-postgres-$port
    # There already: of another server, or left behind by one that was killed.
    mkdir -m 700 "$folder" 2>/dev/null || continue
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      echo "$port"
      return
    fi
    rmdir "$folder"
  done
  fail "no port from 15432 to 16431 is free, or ${TMPDIR:-/tmp} can't be written"
}

start() {
  local port folder
  port=$(claim_port) || exit 1
  folder=${TMPDIR:-/tmp}/letterboxed-postgres-$port
  [ "$(id -u)" -ne 0 ] || chown "$server_user" "$folder"
  as_server "$bin/initdb" --pgdata "$folder/data" --username postgres --auth trust --encoding UTF8 --locale C --no-sync >"$folder.log" 2>&1 ||
    fail "initdb failed, see $folder.log"
  serve "$folder" "$port"
  echo "postgres://postgres@127.0.0.1:$port/postgres"
}

# With -F the server does not wait for the disk: what it has written outlives its own crash, if not the machine's.
serve() {
  as_server "$bin/pg_ctl" start --wait --silent --pgdata "$1/data" --log "$1/server.log" \
    --options "-h 127.0.0.1 -p $2 -k $1 -F" >>"$1.log" 2>&1 || fail "the server did not start, see $1/server.log"
}

copy() {
  as_server "$bin/pg_basebackup" --dbname "$1" --pgdata "$(folder_of "$1")/copy" --checkpoint fast
}

replace() {
  local folder
  folder=$(folder_of "$1")
  as_server "$bin/pg_ctl" stop --wait --silent --mode immediate --pgdata "$folder/data"
  rm -rf "$folder/data"
  mv "$folder/copy" "$folder/data"
  [ "$2" = plain ] || as_server touch "$folder/data/standby.signal"
  serve "$folder" "${folder##*-}"
  [ "$2" = plain ] || as_server "$bin/pg_ctl" promote --wait --silent --pgdata "$folder/data"
}

pause() {
  as_server "$bin/pg_ctl" stop --wait --silent --mode immediate --pgdata "$(folder_of "$1")/data"
}

resume() {
  local folder
  folder=$(folder_of "$1")
  serve "$folder" "${folder##*-}"
}

restart() {
  as_server "$bin/pg_ctl" restart --wait --silent --mode immediate --pgdata "$(folder_of "$1")/data" \
    --log "$(folder_of "$1")/server.log" >/dev/null
}

stop() {
  local folder
  folder=$(folder_of "$1")
  as_server "$bin/pg_ctl" stop --wait --silent --mode immediate --pgdata "$folder/data" >/dev/null || true
  # What it can't remove makes no difference to the tests.
  rm -rf "$folder" "$folder.log" || true
}

case ${1:-} in
  check) ;;
  start) start ;;
  restart) restart "${2:?the URL that start printed}" ;;
  pause) pause "${2:?the URL that start printed}" ;;
  resume) resume "${2:?the URL that start printed}" ;;
  copy) copy "${2:?the URL that start printed}" ;;
  replace) replace "${2:?the URL that start printed}" "${3:?promoted or plain}" ;;
  stop) stop "${2:?the URL that start printed}" ;;
  run)
    shift
    url=$(start)
    trap 'stop "$url"' EXIT
    TEST_DATABASE_URL=$url "$@"
    ;;
  *) fail 'say run, start, restart, pause, resume, copy, replace, stop or check' ;;
esac

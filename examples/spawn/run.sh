#!/bin/sh
# Drops three files, shows the three children that count them, and stops everything.
set -eu
cd "$(dirname "$0")"
[ -e ../../dist/sup.js ] || { echo "dist/sup.js is missing; npm run build makes it" >&2; exit 1; }

made=
[ -n "${SUP_DATA_DIR:-}" ] || made=$(mktemp -d)
SUP_DATA_DIR="${SUP_DATA_DIR:-$made}"
SUP="node $(cd ../.. && pwd)/dist/sup.js"
export SUP_DATA_DIR SUP
trap '$SUP shutdown >/dev/null 2>&1 || true; rm -rf inbox working outbox ${made:+"$made"}' EXIT

$SUP start --daemonize
for text in "one" "one two" "one two three"; do
  mkdir -p inbox
  echo "$text" >"inbox/$(echo "$text" | wc -w | tr -d ' ').txt"
done
looks=0
until [ -e outbox/1.txt ] && [ -e outbox/2.txt ] && [ -e outbox/3.txt ]; do
  looks=$((looks + 1))
  [ "$looks" -lt 600 ] || { echo "the children did not come" >&2; exit 1; }
  sleep 0.1
done
echo "counted: $(cat outbox/1.txt outbox/2.txt outbox/3.txt | tr '\n' ' ')"
$SUP logs desk --no-time
$SUP inspect desk | sed -n '/children/,$p'

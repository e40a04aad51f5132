#!/bin/sh
# Ten releases and three broken ones of two services, under load: run.sh [seconds]. Needs haproxy, curl and
# wrk (or ab).
set -eu
cd "$(dirname "$0")"

need() {
  command -v "$1" >/dev/null 2>&1 && return
  echo "$1 is missing; on Debian: apt-get install $2" >&2
  exit 1
}
PATH="$PATH:/usr/sbin"
need haproxy haproxy
need curl curl
command -v wrk >/dev/null 2>&1 || need ab apache2-utils
[ -e ../../dist/sup.js ] || { echo "dist/sup.js is missing; npm run build makes it" >&2; exit 1; }

made=
[ -n "${SUP_DATA_DIR:-}" ] || made=$(mktemp -d)
export SUP_DATA_DIR="${SUP_DATA_DIR:-$made}"
sup() { node ../../dist/sup.js "$@"; }
seconds="${1:-60}"
mkdir -p run
cp sup.yaml run/sup.yaml.kept
trap 'mv run/sup.yaml.kept sup.yaml; sup shutdown >/dev/null 2>&1 || true; rm -rf run ${made:+"$made"}' EXIT

release() { sed "s/\${RELEASE:-1}/$1/" run/sup.yaml.kept >sup.yaml; }
load() {
  if command -v wrk >/dev/null 2>&1; then wrk -t1 -c"${3:-16}" -d"${seconds}s" "$1" >"run/$2.txt" 2>&1
  else ab -q -r -t "$seconds" -n 100000000 -c 16 "$1" >"run/$2.txt" 2>&1; fi
}

sup start --daemonize
load http://127.0.0.1:18080/ haproxy & first=$!
load http://127.0.0.1:18090/ held & second=$!
sleep 1
for number in 2 3 broken 4 5 6 broken 7 8 9 10 broken 11; do
  release "$number"
  if sup apply >run/apply.txt 2>&1; then echo "release $number is out"
  else echo "release $number was refused: $(grep -c '^  ERR0115' run/apply.txt) services keep the old one"; fi
  echo "  $(curl -s http://127.0.0.1:18080/), held $(curl -s http://127.0.0.1:18090/)"
done
wait "$first" "$second"
status=0
for of in haproxy held; do
  echo "--- load on $of"
  cat "run/$of.txt"
  # wrk tells of failures only if there are any; ab counts them.
  if grep -Eq 'Socket errors|Non-2xx|Failed requests: +[1-9]' "run/$of.txt"; then status=1; fi
done
[ "$status" = 0 ] && echo "0 failed requests" || echo "requests failed"
exit "$status"

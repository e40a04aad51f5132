#!/bin/sh
# Starts the shop under a resident supervisor, shows its status, and names commands to try next.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
sup=./dist/sup.js
[ -x "$sup" ] || npm run --silent build

"$sup" start -c examples/shop/sup.yaml --daemonize
echo
# 1 means that a service is failing right now: the recommender may be.
"$sup" status -p shop || [ $? -eq 1 ]

pid_of() {
  "$sup" inspect -s "shop/$1" --json |
    node -e 'process.stdin.on("data", (text) => console.log(JSON.parse(text).services[0].pid ?? "<pid>"))'
}

try() { printf '  %-8s %-40s %s\n' "$@" | sed 's/ *$//'; }

echo
echo "The shop is at http://127.0.0.1:${SHOP_SITE_PORT:-8432} and goes on when this terminal is closed. Try:"
echo
try follow "$sup logs -p shop -f" ''
try '' "$sup status --watch" ''
try break "kill -9 $(pid_of api)" 'the API comes back; the worker falls and rises with it'
try '' "$sup stop -s shop/api" 'stopped by hand, it stays down'
try mend "$sup start -s shop/api --daemonize" ''
try why "$sup inspect -s shop/worker" 'every change, and its cause'
try stop "$sup stop -p shop" 'the shop; the supervisor stays'
try '' "$sup shutdown" 'everything, and the supervisor'

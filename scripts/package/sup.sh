#!/bin/sh
# Runs sup with the Node beside it, wherever both are unpacked, also through symbolic links to this file.
self=$0
while [ -h "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=${self%/*}/$target ;;
  esac
done
place=${self%/*}/../lib/sup
# This shell only continues if Node cannot be started. For this, bash needs an option; other shells run the
# trap.
refused() {
  echo "ERR0504 $place/bin/node cannot be started: it is for x64 and glibc, and this machine is $(uname -m)"
  echo '  install the package of npm, with the Node of this machine; if this is x64 with glibc, unpack it again'
}
[ -z "${BASH_VERSION-}" ] || shopt -s execfail
trap 'refused >&2' EXIT
exec "$place/bin/node" "$place/dist/sup.js" "$@"
exit 126

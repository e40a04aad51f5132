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
exec "$place/bin/node" "$place/dist/sup.js" "$@"

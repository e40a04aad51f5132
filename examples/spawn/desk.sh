#!/bin/sh
# The service: whatever comes into inbox/ gets a worker of its own, started beside this by its supervisor. A file that
# is refused a worker, because four are at work, waits for another look.
mkdir -p inbox working outbox
while :; do
  for file in inbox/*; do
    [ -f "$file" ] || continue
    name="$(basename "$file")"
    mv "$file" "working/$name"
    $SUP spawn --name "count-$name" --ttl 30s -- sh worker.sh "$name" || mv "working/$name" "$file"
  done
  sleep 0.2
done

#!/bin/sh
# The service: each file in inbox/ gets a worker, which the supervisor starts as a child of this service. If
# four workers are running, the spawn is refused and the file waits for the next round.
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

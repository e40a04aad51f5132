#!/bin/sh
# A child: counts the words of one file. What it prints is in the log of the service, as child:count-<file>.
set -eu
echo "$SUP_CHILD counts for $SUP_PROJECT/$SUP_SERVICE"
wc -w <"working/$1" | tr -d ' ' >"working/$1.count"
rm "working/$1"
mv "working/$1.count" "outbox/$1"

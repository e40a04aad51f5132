#!/bin/sh
# Points haproxy at a slot: switch.sh PORT. Old workers finish their requests.
set -eu
mkdir -p run
sed "s/SLOT$/$1/" haproxy.cfg >run/haproxy.cfg.new
mv run/haproxy.cfg.new run/haproxy.cfg
# The first time haproxy is not running yet.
[ ! -s run/haproxy.pid ] || kill -USR2 "$(cat run/haproxy.pid)"

#!/bin/sh
# Restarts the resident supervisor when it is killed or crashes (docs/reliability.md, "The guardian";
# docs/behaviour.md, "One supervisor"):
#   sup-guardian <data directory> <program> <argument>…
# Only the supervisor's exit status decides whether it is restarted: not after 0, an orderly end, and not
# after 3, because another supervisor holds the directory. The directory is an argument so that the process
# table shows which data directory this guardian belongs to.
{ printf sup-guardian >/proc/$$/comm; } 2>/dev/null
place=$1
shift
restarts=0
deaths=0
ended=0
child=
# `ending` counts the requests to stop everything. `finishers` counts the supervisors that were started only
# to complete such a stop. If `leave` is set, no further supervisor is started.
ending=0
finishers=0
finish=
leave=
resting=

# Traps test with `case`, not `if` or `[`: if one trap interrupts another, dash gives the interrupted test the
# exit status of the other.
tell() {
  case $child in
    ?*) kill -s "$1" "$child" 2>/dev/null ;;
  esac
}
trap 'ending=$((ending + 1)); tell TERM' TERM INT
# SIGQUIT comes from `sup shutdown` and `sup start`, which need no further supervisor. It has an effect only
# in a pause between restarts. A running supervisor gets its request over the control socket instead.
trap 'case $resting in 1) leave=1 ending=$((ending + 1)); tell TERM ;; esac' QUIT
trap 'tell HUP' HUP
# The supervisor ignores these signals. They are trapped, not ignored: children get the default action of a
# trapped signal, but would inherit an ignored one.
trap : USR1 USR2

# Waits for the child and sets `status`. If a signal interrupts `wait`, the child still exists, so `wait` is
# repeated. If the child ends at that moment, the shell may already have reaped it: then a second `wait`
# returns its status, or 127 if the status was returned before.
collect() {
  while :; do
    wait "$child"
    status=$?
    kill -s 0 "$child" 2>/dev/null || break
  done
  wait "$child"
  again=$?
  [ "$again" -eq 127 ] || status=$again
  child=
}

rest() {
  [ "$ending" -eq 0 ] || return
  resting=1
  sleep "$1" 2>/dev/null &
  child=$!
  [ "$ending" -eq 0 ] || tell TERM
  collect
  resting=
}

# Sets `now` to the whole seconds since boot, without starting a process.
clock() {
  read -r now _ </proc/uptime
  now=${now%.*}
}

while :; do
  # After an upgrade, supervisor.program names the new Node and the new program. They replace the first word
  # and the first later word that is no option. All words are rotated once, so they keep their order.
  if [ "$restarts" -gt 0 ] && [ $# -ge 2 ] && [ -r "$place/supervisor.program" ]; then
    { read -r node && read -r program; } <"$place/supervisor.program"
    if [ -x "$node" ] && [ -r "$program" ]; then
      shift
      set -- "$@" "$node"
      left=$(($# - 1))
      while [ "$left" -gt 0 ]; do
        word=$1
        shift
        left=$((left - 1))
        case $word in
          -*) ;;
          *) [ -z "$program" ] || word=$program program= ;;
        esac
        set -- "$@" "$word"
      done
    fi
  fi
  clock
  began=$now
  known=$ending
  "$@" "--restarts=$restarts" "--ended=$ended" $finish &
  child=$!
  [ "$ending" -eq "$known" ] || tell TERM
  collect
  ended=$status
  case $ended in
    0 | 3) exit "$ended" ;;
    # A running supervisor handles SIGINT and SIGTERM. If such a signal killed it, it had not installed its
    # handlers yet.
    130 | 143) ending=$((ending + 1)) ;;
  esac
  [ "$ending" -eq 0 ] || [ "$ended" -ge 128 ] || exit "$ended"
  clock
  if [ $((now - began)) -ge 5 ]; then
    deaths=0
  elif [ "$restarts" -eq 0 ] && [ "$ended" -lt 128 ] && [ "$ended" -ne 70 ]; then
    # The first supervisor could not start. The command that started this guardian reports the reason.
    exit "$ended"
  fi
  case $deaths in
    0) ;;
    1) rest 0.1 ;;
    2) rest 1 ;;
    3) rest 5 ;;
    *) rest 30 ;;
  esac
  if [ "$ending" -gt 0 ]; then
    [ -z "$leave" ] && [ "$finishers" -lt 3 ] || exit "$ended"
    finishers=$((finishers + 1))
    finish=--ending
  fi
  deaths=$((deaths + 1))
  restarts=$((restarts + 1))
done

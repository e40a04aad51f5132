#!/bin/sh
# Brings the resident supervisor back when it is killed or crashes (docs/reliability.md, "The guardian"):
#   sup-guardian <data directory> <program> <argument>…
# It knows nothing but how the supervisor ended. 0 is an orderly end, 3 means that another one holds the directory.
# The directory is for those who look for this process in the process table.
{ printf sup-guardian >/proc/$$/comm; } 2>/dev/null
place=$1
shift
restarts=0
deaths=0
ended=0
child=
# How often it was told to end, and how many were brought back to go on with that; `leave`: nobody is any more.
ending=0
finishers=0
finish=
leave=
resting=

# Traps decide by `case`: where one interrupts another, dash gives the interrupted one a status that was not its own.
tell() {
  case $child in
    ?*) kill -s "$1" "$child" 2>/dev/null ;;
  esac
}
trap 'ending=$((ending + 1)); tell TERM' TERM INT
# From whoever needs no other one brought back (`sup shutdown`, `sup start`): heard while it pauses. Who is brought back
# by then is told over the control channel.
trap 'case $resting in 1) leave=1 ending=$((ending + 1)); tell TERM ;; esac' QUIT
trap 'tell HUP' HUP
# The supervisor does nothing on them. What is trapped, and not ignored, is as it was for whoever is started here.
trap : USR1 USR2

# A signal interrupts `wait`: then the child is not collected, and there. Where it ends in that moment, a shell collects it
# beside any other command, and whoever waits once more is told how it ended; 127: that was told before.
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

# Whole seconds, without another process.
clock() {
  read -r now _ </proc/uptime
  now=${now%.*}
}

while :; do
  # An upgrade has put another Node and another program in the place of the first word, and of the first behind it that is
  # no option of Node. Each word that is seen to goes to the end, until all are in their order again.
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
    # SIGINT and SIGTERM end none that is at work: it was told before it could listen.
    130 | 143) ending=$((ending + 1)) ;;
  esac
  [ "$ending" -eq 0 ] || [ "$ended" -ge 128 ] || exit "$ended"
  clock
  if [ $((now - began)) -ge 5 ]; then
    deaths=0
  elif [ "$restarts" -eq 0 ] && [ "$ended" -lt 128 ] && [ "$ended" -ne 70 ]; then
    # The first one could not begin: whoever started it is told.
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

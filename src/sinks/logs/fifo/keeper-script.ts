// What the keeper runs: a script of the shell, so that it stays small and needs nothing of ours.

/** So many FIFOs are told at once: a shell has few descriptors that can be named. */
export const GROUP = 4;

/** What a living keeper is told of so many FIFOs at most: their paths, a line each, the rest of the group without any. */
export const toldOf = (fifos: readonly string[]): string =>
  Array.from({ length: GROUP }, (_, at) => `${fifos[at] ?? ''}\n`).join('');

/**
 * `$1` is a FIFO that nobody writes into. Goes with a supervisor that dies before it has put it on record: nobody would ever
 * end it. What is told from then on are groups of FIFOs that have just been made: a copy of the shell holds each group, and
 * reads where nothing comes (a program that does nothing would cost four times as much), until a keeper that has their ends
 * takes the place of all. Opened for both first: opening an end to read would wait for a writer. By `command`, else a FIFO
 * that cannot be opened would end the copy. The first word only tells who it is.
 */
export const KEEPING = `IFS= read -r recorded || exit 0
silence=$1
shift
while IFS= read -r a && IFS= read -r b && IFS= read -r c && IFS= read -r d; do
  (
    [ -p "$a" ] && command exec 3<>"$a" 4<"$a" 3>&-
    [ -p "$b" ] && command exec 3<>"$b" 5<"$b" 3>&-
    [ -p "$c" ] && command exec 3<>"$c" 6<"$c" 3>&-
    [ -p "$d" ] && command exec 3<>"$d" 7<"$d" 3>&-
    [ -p "$silence" ] && command exec 3<>"$silence" && read -r nothing <&3
    exec sleep 2147483647
  ) &
done
emptying=
for fifo; do (exec 3<>"$fifo" 4<"$fifo" 3>&-; exec cat <&4 >/dev/null) & emptying="$emptying $!"; done
[ -z "$emptying" ] || wait $emptying
exec sleep 2147483647`;

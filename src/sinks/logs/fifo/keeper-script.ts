// What the keeper runs: a script of the shell, so that it stays small and needs nothing of ours.

/**
 * Goes with a supervisor that dies before it has put it on record: nobody would ever end it. What is told from then on is the
 * path of a FIFO that has just been made: it is held by a process of its own, until a keeper that has its end takes the place
 * of all of them. Opened for both first: opening an end to read would wait for a writer. The first word only tells who it is.
 */
export const KEEPING = `IFS= read -r recorded || exit 0
while IFS= read -r fifo; do
  ([ -p "$fifo" ] || exit 0; exec 3<>"$fifo" 4<"$fifo" 3>&-; exec sleep 2147483647) &
done
emptying=
for fifo; do (exec 3<>"$fifo" 4<"$fifo" 3>&-; exec cat <&4 >/dev/null) & emptying="$emptying $!"; done
[ -z "$emptying" ] || wait $emptying
exec sleep 2147483647`;

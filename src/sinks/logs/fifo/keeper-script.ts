// What the keeper runs: a script of the shell, so that it stays small and needs nothing of ours.

/**
 * Goes with a supervisor that dies before it has put it on record: nobody would ever end it. Opened for both first:
 * opening an end to read would wait for a writer. The first word only tells who it is.
 */
export const KEEPING = `read -r recorded || exit 0
read -r end
for fifo; do (exec 3<>"$fifo" 4<"$fifo" 3>&-; exec cat <&4 >/dev/null) & done
wait
exec sleep 2147483647`;

// The keeper's shell script: it stays small and needs nothing of ours.

/** FIFOs per message: a shell has few descriptors that can be named. */
export const GROUP = 4;

/** The message to a living keeper about up to `GROUP` FIFOs: one path per line, padded with empty lines. */
export const toldOf = (fifos: readonly string[]): string =>
  Array.from({ length: GROUP }, (_, at) => `${fifos[at] ?? ''}\n`).join('');

/**
 * `$0` only names the process; `$1` is a FIFO without writers. The script exits if its supervisor dies before
 * recording it: it could never be ended then.
 *
 * Each later message is a group of new FIFOs. A copy of the shell holds the group until a new keeper replaces
 * all. It blocks on the silent FIFO (a program that does nothing would cost four times as much). Each FIFO is
 * opened for both first: opening it only to read would wait for a writer. `command` keeps a failed open from
 * ending the copy.
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

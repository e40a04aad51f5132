// Parts of the FIFO holder:
// - its shell script, which is small and independent of this program;
// - the messages that make a running holder hold new FIFOs: each names several FIFOs, because the holder
//   needs a process for each message;
// - the check for processes that survived a killed holder, by process group and the variable `HOLDER`.
// Rules: `docs/behaviour.md`, "Output", "The FIFO holder".
import type { Writable } from 'node:stream';
import { isGone } from '../../../os/errno.ts';
import { environmentOf, isWholly, processIds, userIdsOf } from '../../../os/proc/process-facts.ts';
import { statReader } from '../../../os/proc/process-stat.ts';
import type { ProcessRef } from '../../../streams/domain/service/process.ts';

/** How many FIFOs one message names: a shell can only name descriptors below 10. */
const GROUP = 4;

/** Returns the message about up to `GROUP` FIFOs: one path per line, padded with empty lines. */
const holderMessage = (fifos: readonly string[]): string =>
  Array.from({ length: GROUP }, (_, at) => `${fifos[at] ?? ''}\n`).join('');

/**
 * The script of the holder. `$0` names the process, and `$1` is a FIFO without writers. The script discards
 * the content of the FIFOs in the other arguments when standard input ends. The first line on standard input
 * says that the holder's pid is recorded. If the supervisor dies before it sends this line, the script exits,
 * because no later supervisor would find this holder.
 *
 * Each message names a group of new FIFOs. A subshell opens them and holds them until a new holder replaces
 * this one. The subshell waits by reading the FIFO without writers, which needs a quarter of the memory of
 * `sleep`. Each FIFO is first opened for reading and writing, because this does not wait for a writer.
 * `command` keeps the subshell alive if the redirection fails.
 */
export const HOLDING = `IFS= read -r recorded || exit 0
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

/**
 * How many groups of FIFOs may be sent to a holder within `WITHIN_MS`. If there are more, a new holder is
 * started instead.
 */
const MOST = 32;
const WITHIN_MS = 2_000;

export class HolderMessages {
  #ear: Writable | undefined;
  #group: string[] = [];
  /** The number of groups sent to the holder since the time `since`, which is on the monotonic clock. */
  #told = { count: 0, since: Number.NEGATIVE_INFINITY };

  /** Sends later messages to `ear`, the input of a new holder that holds all known FIFOs. */
  to(ear: Writable | undefined): void {
    this.#ear = ear;
    this.#group = [];
  }

  /**
   * Sends new FIFOs to the holder. False if that is impossible. A message is sent when its group is full, or
   * after this tick.
   */
  tell(fifos: readonly string[], now: number): boolean {
    if (this.#ear === undefined || fifos.some((fifo) => fifo.includes('\n'))) return false;
    if (now - this.#told.since > WITHIN_MS) this.#told = { count: 0, since: now };
    if (this.#told.count >= MOST) return false;
    if (this.#group.length === 0) process.nextTick(() => this.#flush());
    this.#group.push(...fifos);
    if (this.#group.length >= GROUP) this.#flush();
    return true;
  }

  #flush(): void {
    while (this.#group.length > 0) {
      this.#ear?.write(holderMessage(this.#group.splice(0, GROUP)));
      this.#told.count += 1;
    }
  }
}

/** The variable by which a FIFO holder and its children are recognised. */
export const HOLDER = 'SUP_KEEPER';

/** True if the process group exists. If not, the process table need not be read. */
const isGroup = (group: number): boolean => {
  try {
    return process.kill(-group, 0);
  } catch (error) {
    return !isGone(error);
  }
};

/**
 * True if the process belongs to this supervisor's holder, not to a later process group with the same number.
 */
const isOf = (dataDir: string, pid: number): boolean => {
  if (!isWholly(process.getuid?.() ?? 0, userIdsOf(pid))) return false;
  const environment = environmentOf(pid);
  return (
    environment.includes(`SUP_DATA_DIR=${dataDir}`) && environment.some((one) => one.startsWith(`${HOLDER}=`))
  );
};

/**
 * True if the holder is dead but a process of its group is alive. The process must have the variable
 * `HOLDER`, because a later process group may have the same number. Throws if the process table cannot be
 * read.
 */
export const isOrphaned = ({ pid: group, startTicks }: ProcessRef, dataDir: string): boolean => {
  if (!isGroup(group)) return false;
  const read = statReader();
  const leader = read(group);
  if (leader !== undefined && leader.startTicks !== startTicks) return false;
  return processIds().some((pid) => {
    const stat = read(pid);
    if (stat?.group !== group || stat.zombie || stat.startTicks < startTicks) return false;
    return isOf(dataDir, pid);
  });
};

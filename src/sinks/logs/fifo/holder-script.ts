// The holder of FIFOs besides its own life: its shell script, which stays small and needs nothing of ours;
// the messages about new FIFOs to a living holder, in groups, since each group is a process there; and what a
// killed holder left: its children still hold or read FIFOs. They are in its process group, and carry its
// mark.
import type { Writable } from 'node:stream';
import { isGone } from '../../../os/errno.ts';
import { environmentOf, isWholly, processIds, userIdsOf } from '../../../os/proc/process-facts.ts';
import { statReader } from '../../../os/proc/process-stat.ts';
import type { ProcessRef } from '../../../streams/domain/service/process.ts';

/** FIFOs per message: a shell has few descriptors that can be named. */
const GROUP = 4;

/** The message to a living holder about up to `GROUP` FIFOs: one path per line, padded with empty lines. */
const holderMessage = (fifos: readonly string[]): string =>
  Array.from({ length: GROUP }, (_, at) => `${fifos[at] ?? ''}\n`).join('');

/**
 * `$0` only names the process; `$1` is a FIFO without writers. The script exits if its supervisor dies before
 * recording it: it could never be ended then.
 *
 * Each later message is a group of new FIFOs. A copy of the shell holds the group until a new holder replaces
 * all. It blocks on the silent FIFO (a program that does nothing would cost four times as much). Each FIFO is
 * opened for both first: opening it only to read would wait for a writer. `command` keeps a failed open from
 * ending the copy.
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

/** The most groups sent within `WITHIN_MS`: where hundreds of services start, the next holder comes soon. */
const MOST = 32;
const WITHIN_MS = 2_000;

export class HolderMessages {
  #ear: Writable | undefined;
  #group: string[] = [];
  /** Groups sent since then, on the monotonic clock. */
  #told = { count: 0, since: Number.NEGATIVE_INFINITY };

  /** Switches to a new holder, which holds all FIFOs known so far, or to none. */
  to(ear: Writable | undefined): void {
    this.#ear = ear;
    this.#group = [];
  }

  /** True if the holder soon holds them: at once if a group is full, else at the end of the current work. */
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

/** Set in the environment of a holder and its children. */
export const HOLDER = 'SUP_KEEPER';

/** True if the group exists. Most recorded groups are gone, so the process table is rarely read. */
const isGroup = (group: number): boolean => {
  try {
    return process.kill(-group, 0);
  } catch (error) {
    return !isGone(error);
  }
};

/**
 * True if the process belongs to this supervisor's holder: another one's may lead a group of that number by
 * now.
 */
const isOf = (dataDir: string, pid: number): boolean => {
  if (!isWholly(process.getuid?.() ?? 0, userIdsOf(pid))) return false;
  const environment = environmentOf(pid);
  return (
    environment.includes(`SUP_DATA_DIR=${dataDir}`) && environment.some((one) => one.startsWith(`${HOLDER}=`))
  );
};

/**
 * True if the leader is dead and a process of its group lives. While one lives the pid is not reused; later a
 * stranger may have led such a group, without the mark. Throws when the process table cannot be read.
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

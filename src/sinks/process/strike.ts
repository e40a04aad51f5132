// Signals to processes that are verified to be who they are meant to be, immediately before each is sent
// (`docs/behaviour.md`, "Who belongs to a run"). A process that is gone needs no signal; one that may not be signalled
// stays alive and is reported by the next survey.
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { dropsSignal } from '../../os/proc/first-inside.ts';
import { statOf, statOfProcess } from '../../os/proc/proc-stat.ts';

/** What these do to a process that does not catch them is not its end. */
const HARMLESS: readonly string[] = ['SIGCHLD', 'SIGCONT', 'SIGURG', 'SIGWINCH'];

/** The signal with the same effect: what would end any other process ends the first of a pid namespace as well. */
const effective = (pid: number, signal: string): string =>
  !HARMLESS.includes(signal) && dropsSignal(pid, signal) ? 'SIGKILL' : signal;

/** One signal to each target, to ask it to end. */
export const signalEach = (targets: readonly ProcessRef[], signal: string): void => {
  for (const target of targets) {
    if (statOfProcess(target) !== undefined) send(target.pid, effective(target.pid, signal));
  }
};

/**
 * One signal to each target; to whole groups at once where a group is the run's own, because a group that is struck in
 * one step cannot fork its way out. `leader` led the run's first group, and any target may lead another.
 */
const strikeAll =
  (signal: 'SIGSTOP' | 'SIGKILL') =>
  (targets: readonly ProcessRef[], leader: ProcessRef): void => {
    const own = new Set([leader.pid, ...targets.filter(isLeader).map(({ pid }) => pid)]);
    const struck = new Set<number>();
    for (const target of targets) {
      const group = statOfProcess(target)?.group;
      if (group === undefined) continue;
      if (!own.has(group)) send(target.pid, signal);
      else if (!struck.has(group)) send(-group, signal);
      struck.add(group);
    }
  };

/** They stand still until they are killed: nobody of them forks any more. */
export const freezeAll = strikeAll('SIGSTOP');

export const killAll = strikeAll('SIGKILL');

/**
 * SIGKILL to what a leader left in its group when it ended, right after it was collected. If somebody has its pid by
 * now, the group is not the leader's any more.
 */
export const killLeftovers = (leader: ProcessRef): void => {
  if (statOf(leader.pid) === undefined) send(-leader.pid, 'SIGKILL');
};

const isLeader = (target: ProcessRef): boolean => statOfProcess(target)?.group === target.pid;

const send = (pid: number, signal: string): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: it ended meanwhile. EPERM: not ours to signal, and alive.
  }
};

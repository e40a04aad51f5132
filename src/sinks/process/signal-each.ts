// Signals processes after verifying the identity of each right before its signal
// (`docs/behaviour.md`, "Who belongs to a run"). A process that is gone needs no signal; one that may not be
// signalled stays alive and appears in the next scan.
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { dropsSignal } from '../../os/proc/confinement.ts';
import { statOf, statOfProcess } from '../../os/proc/process-stat.ts';

/** By default these signals do not end a process. */
const HARMLESS: readonly string[] = ['SIGCHLD', 'SIGCONT', 'SIGURG', 'SIGWINCH'];

/**
 * The signal with the same effect. The first process of a pid namespace drops signals that would end others,
 * so it gets SIGKILL.
 */
const effective = (pid: number, signal: string): string =>
  !HARMLESS.includes(signal) && dropsSignal(pid, signal) ? 'SIGKILL' : signal;

/** Sends the signal to each target, to ask it to end. */
export const signalEach = (targets: readonly ProcessRef[], signal: string): void => {
  for (const target of targets) {
    if (statOfProcess(target) !== undefined) send(target.pid, effective(target.pid, signal));
  }
};

/**
 * Sends the signal to each target, and to whole groups that are the run's own: a group signalled at once
 * cannot escape by forking. `leader` led the run's first group, and any target may lead another.
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

/** Stops the targets until they are killed: none of them can fork any more. */
export const freezeAll = strikeAll('SIGSTOP');

export const killAll = strikeAll('SIGKILL');

/**
 * Kills what a leader left in its group when it ended, right after it was reaped. If its pid is in use again,
 * the group is not the leader's any more.
 */
export const killLeftovers = (leader: ProcessRef): void => {
  if (statOf(leader.pid) === undefined) send(-leader.pid, 'SIGKILL');
};

const isLeader = (target: ProcessRef): boolean => statOfProcess(target)?.group === target.pid;

const send = (pid: number, signal: string): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: it ended meanwhile. EPERM: we may not signal it, and it is alive.
  }
};

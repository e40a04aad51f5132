// Sends signals to processes; verifies the identity of each right before its signal (`docs/behaviour.md`,
// "Who belongs to a run"). A process that is gone needs no signal. A process that this user may not signal
// stays alive and appears in the next process scan.
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { dropsSignal } from '../../os/proc/confinement.ts';
import { statOf, statOfProcess } from '../../os/proc/process-stat.ts';

/** Signals that do not end a process by default. */
const HARMLESS: readonly string[] = ['SIGCHLD', 'SIGCONT', 'SIGURG', 'SIGWINCH'];

/**
 * Returns the signal to send. The init of a pid namespace drops signals that would end another process, so it
 * gets SIGKILL instead.
 */
const effective = (pid: number, signal: string): string =>
  !HARMLESS.includes(signal) && dropsSignal(pid, signal) ? 'SIGKILL' : signal;

/** Sends a stop signal to each target. */
export const signalEach = (targets: readonly ProcessRef[], signal: string): void => {
  for (const target of targets) {
    if (statOfProcess(target) !== undefined) send(target.pid, effective(target.pid, signal));
  }
};

/**
 * Sends the signal to each target, and at once to each whole process group that belongs to the run, because a
 * group cannot escape by forking then. The run's groups are that of `leader` and those led by a target.
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

/** Freezes the targets (SIGSTOP) until they are killed: they can no longer fork. */
export const freezeAll = strikeAll('SIGSTOP');

export const killAll = strikeAll('SIGKILL');

/**
 * Kills the processes that remain in a leader's group, right after the leader was reaped. Does nothing if its
 * pid is in use again: the group may then belong to another leader.
 */
export const killLeftovers = (leader: ProcessRef): void => {
  if (statOf(leader.pid) === undefined) send(-leader.pid, 'SIGKILL');
};

const isLeader = (target: ProcessRef): boolean => statOfProcess(target)?.group === target.pid;

const send = (pid: number, signal: string): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: the process has ended. EPERM: this user may not signal it, and it stays alive.
  }
};

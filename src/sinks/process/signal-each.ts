// Sends signals, verifying the identity of each process right before
// (`docs/behaviour.md`, "Who belongs to a run"). A process that this user may not signal stays alive and
// appears in the next scan.
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { dropsSignal } from '../../os/proc/confinement.ts';
import { statOf, statOfProcess } from '../../os/proc/process-stat.ts';

/** Signals that do not end a process by default. */
const HARMLESS: readonly string[] = ['SIGCHLD', 'SIGCONT', 'SIGURG', 'SIGWINCH'];

/** Returns the signal to send: the init of a pid namespace drops deadly ones but SIGKILL. */
const effective = (pid: number, signal: string): string =>
  !HARMLESS.includes(signal) && dropsSignal(pid, signal) ? 'SIGKILL' : signal;

/** Sends a stop signal to each target. */
export const signalEach = (targets: readonly ProcessRef[], signal: string): void => {
  for (const target of targets) {
    if (statOfProcess(target) !== undefined) send(target.pid, effective(target.pid, signal));
  }
};

/** Signals each target, and whole process groups of the run, which cannot escape by forking. */
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

/** Freezes the targets (SIGSTOP), which can then no longer fork. */
export const freezeAll = strikeAll('SIGSTOP');

export const killAll = strikeAll('SIGKILL');

/** Kills what remains in a leader's group after it was reaped, unless its pid is in use again. */
export const killLeftovers = (leader: ProcessRef): void => {
  if (statOf(leader.pid) === undefined) send(-leader.pid, 'SIGKILL');
};

const isLeader = (target: ProcessRef): boolean => statOfProcess(target)?.group === target.pid;

const send = (pid: number, signal: string): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: the process has ended. EPERM: this user may not signal it.
  }
};

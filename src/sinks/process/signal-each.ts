// Sends signals. Right before a signal is sent, the identity of the process is verified
// (`docs/behaviour.md`, "Who belongs to a run"). A process that this user may not signal stays alive, and the
// next process scan finds it again.
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { dropsSignal } from '../../os/proc/confinement.ts';
import { statOf, statOfProcess } from '../../os/proc/process-stat.ts';

/** The signals that do not end a process by default. */
const HARMLESS: readonly string[] = ['SIGCHLD', 'SIGCONT', 'SIGURG', 'SIGWINCH'];

/**
 * Returns the signal to send: SIGKILL if the process would ignore `signal`, because it is the first process
 * of a pid namespace and has no handler for this signal; otherwise `signal`.
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
 * Signals each target. If the target is in a process group of the run, signals the whole group instead,
 * because then a process that forks meanwhile cannot escape.
 */
const signalAll =
  (signal: 'SIGSTOP' | 'SIGKILL') =>
  (targets: readonly ProcessRef[], leader: ProcessRef): void => {
    const own = new Set([leader.pid, ...targets.filter(isLeader).map(({ pid }) => pid)]);
    const signalled = new Set<number>();
    for (const target of targets) {
      const group = statOfProcess(target)?.group;
      if (group === undefined) continue;
      if (!own.has(group)) send(target.pid, signal);
      else if (!signalled.has(group)) send(-group, signal);
      signalled.add(group);
    }
  };

/** Freezes the targets (SIGSTOP), which can then no longer fork. */
export const freezeAll = signalAll('SIGSTOP');

export const killAll = signalAll('SIGKILL');

/**
 * Kills the processes that remain in the process group of a leader after the leader was reaped. Does nothing
 * if a new process has the pid of the leader.
 */
export const killLeftovers = (leader: ProcessRef): void => {
  if (statOf(leader.pid) === undefined) send(-leader.pid, 'SIGKILL');
};

const isLeader = (target: ProcessRef): boolean => statOfProcess(target)?.group === target.pid;

const send = (pid: number, signal: string): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended (ESRCH), or this user may not signal it (EPERM).
  }
};

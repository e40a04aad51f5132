// Reaps every child of this process, born or adopted, except those that Node itself starts: if other code
// reaps one, Node never sees it exit. It reports the status of awaited children and drops that of strays. One
// SIGCHLD may stand for several ends, so each is asked for.
// Rules: `docs/behaviour.md`, "Children and strays".
import { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import type { Ended, Wait } from '../libc/process-ends.ts';
import type { ExitStatus } from '../../streams/domain/service/exit.ts';

type IsNodes = (pid: number) => boolean;

/** Tracks the children that are started from now on. */
export const nodeChildren = (): IsNodes => {
  const running = new Set<ChildProcess>();
  subscribe('child_process', (message) => {
    const child = startedIn(message);
    if (child === undefined) return;
    running.add(child);
    const forget = (): void => void running.delete(child);
    child.once('exit', forget);
    // A child that could not be started never exits.
    child.once('error', () => child.pid === undefined && forget());
  });
  return (pid) => [...running].some((child) => child.pid === pid);
};

const startedIn = (message: unknown): ChildProcess | undefined =>
  typeof message === 'object' &&
  message !== null &&
  'process' in message &&
  message.process instanceof ChildProcess
    ? message.process
    : undefined;

export interface Children {
  /**
   * Resolves when the child ends. Must be called in the tick in which the child is started, or found to be
   * ours.
   */
  endOf(pid: number): Promise<ExitStatus>;
  close(): void;
}

interface ChildrenPorts {
  readonly wait: Wait;
  readonly isNodes: IsNodes;
  /** Emits SIGCHLD: the process. */
  readonly signals: NodeJS.EventEmitter;
}

/** Interval of a check, in case a signal came before the listener. */
const ALARM_MS = 2000;
/** Time in which Node reaps its own children: a turn of the loop. */
const NODES_TURN_MS = 10;

export const collectChildren = ({ wait, isNodes, signals }: ChildrenPorts): Children => {
  const awaited = new Map<number, (status: ExitStatus) => void>();
  const tell = (ended: Ended | undefined): void => {
    if (ended === undefined) return;
    awaited.get(ended.pid)?.(ended.status);
    awaited.delete(ended.pid);
  };
  let closed = false;
  const collect = (): void => {
    if (closed) return;
    for (let ended = wait.anyEnded(); ended !== undefined; ended = wait.anyEnded()) {
      if (isNodes(ended.pid) && !awaited.has(ended.pid)) return besideNodes();
      tell(wait.collect(ended.pid) ?? ended);
    }
  };
  // A child of Node's hides all others and is not ours to reap, so each of ours is asked for by pid.
  const besideNodes = (): void => {
    for (const pid of [...awaited.keys()]) tell(wait.collect(pid));
    setTimeout(collect, NODES_TURN_MS).unref();
  };
  signals.on('SIGCHLD', collect);
  const alarm = setInterval(collect, ALARM_MS).unref();
  setTimeout(collect, 0).unref();
  return {
    endOf: (pid) => new Promise((settle) => void awaited.set(pid, settle)),
    close: () => {
      closed = true;
      signals.off('SIGCHLD', collect);
      clearInterval(alarm);
    },
  };
};

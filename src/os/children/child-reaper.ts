// Reaps every child of this process, whether this process started or adopted it. Exception: children that
// Node started, because Node itself must reap them. One SIGCHLD may stand for several exits, so after each
// signal all ended children are reaped. If the exit of a child is awaited, its status is reported.
// Rules: `docs/behaviour.md`, "Children and strays".
import { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import type { Ended, Wait } from '../libc/process-ends.ts';
import type { ExitStatus } from '../../streams/domain/service/exit-status.ts';

type IsNodes = (pid: number) => boolean;

/**
 * Tracks the children that Node starts from now on. Returns a function that is true for the pid of such a
 * child.
 */
export const nodeChildren = (): IsNodes => {
  const running = new Set<ChildProcess>();
  subscribe('child_process', (message) => {
    const child = startedIn(message);
    if (child === undefined) return;
    running.add(child);
    const forget = (): void => void running.delete(child);
    child.once('exit', forget);
    // A child that could not be started emits no `exit`.
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
   * Resolves with the exit status when the child ends. Call it in the tick in which the pid becomes known.
   */
  endOf(pid: number): Promise<ExitStatus>;
  close(): void;
}

interface ChildrenPorts {
  readonly wait: Wait;
  readonly isNodes: IsNodes;
  /** The emitter of SIGCHLD: the global `process` object. */
  readonly signals: NodeJS.EventEmitter;
}

/** Interval of an additional check for ended children, ms, in case a SIGCHLD was missed. */
const ALARM_MS = 2000;
/** Delay before the next check for ended children, ms, so that Node can first reap its own child. */
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
  // If a child of Node has ended, `anyEnded` may return only that child until Node has reaped it. So the
  // awaited children are checked one by one, by pid.
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

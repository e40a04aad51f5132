// Every child that this process has, by birth or because it lost its parent, is collected: who is waited for is told of,
// a stray is nobody's and vanishes. The kernel says that somebody ended (SIGCHLD, one for several); who it was is asked.
import type { ExitStatus } from '../../streams/domain/service/exit.ts';
import type { Ended, Wait } from '../libc/wait.ts';
import type { IsNodes } from './node-children.ts';

export interface Children {
  /** To be called in the tick in which the child is born, or found to be ours. */
  endOf(pid: number): Promise<ExitStatus>;
  close(): void;
}

interface ChildrenPorts {
  readonly wait: Wait;
  readonly isNodes: IsNodes;
  /** Who tells of SIGCHLD: the process. */
  readonly signals: NodeJS.EventEmitter;
}

/** A signal may have come before somebody listened. */
const ALARM_MS = 2000;
/** Until Node has collected its own: a turn of the loop. */
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
  // Node's own stands before all others and is not ours to collect: each is asked about by its pid.
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

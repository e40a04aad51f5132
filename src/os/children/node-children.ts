// The children that Node itself starts and reaps. If other code reaps one, Node never sees it exit.
import { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';

export type IsNodes = (pid: number) => boolean;

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

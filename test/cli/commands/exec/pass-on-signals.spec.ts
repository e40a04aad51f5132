// Signals that `sup exec` receives, and the session of its command.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { passingOn } from '../../../../src/cli/commands/exec/run-launched.ts';
import type { ExitStatus } from '../../../../src/streams/domain/service/exit-status.ts';

const DONE: ExitStatus = { tag: 'code', code: 0 };

/** A command that starts and ends when the test says so, and the signals that its session gets. */
const command = (until?: AbortSignal) => {
  const sent: [number, unknown][] = [];
  vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    sent.push([pid, signal]);
    return true;
  });
  let start = (): void => undefined;
  let end = (): void => undefined;
  const exit = new Promise<ExitStatus>((resolve) => (end = () => resolve(DONE)));
  const child = new Promise<{ session: number; exit: typeof exit }>((resolve) => {
    start = () => resolve({ session: 4711, exit });
  });
  const over = passingOn({ child, until });
  return { sent, over, start: () => (start(), vi.waitFor(() => child)), end: () => (end(), over) };
};

afterEach(() => vi.restoreAllMocks());

describe('signals to sup exec', () => {
  it('a signal to sup exec reaches the session of the command', async () => {
    const { sent, start, end } = command();
    await start();
    process.emit('SIGHUP', 'SIGHUP');
    expect(sent).toEqual([[-4711, 'SIGHUP']]);
    expect(await end()).toEqual(DONE);
    expect(process.listenerCount('SIGHUP')).toBe(0);
  });

  it('a signal while the command is being started is passed on as soon as it has started', async () => {
    const { sent, start, end } = command();
    process.emit('SIGHUP', 'SIGHUP');
    expect(sent).toEqual([]);
    await start();
    await vi.waitFor(() => expect(sent).toEqual([[-4711, 'SIGHUP']]));
    await end();
  });

  it('a command whose end is asked for while it is being started is killed when it has started', async () => {
    const asked = new AbortController();
    const { sent, start, end } = command(asked.signal);
    asked.abort();
    await start();
    await vi.waitFor(() => expect(sent).toEqual([[-4711, 'SIGKILL']]));
    await end();
  });
});

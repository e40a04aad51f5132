import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { race, type Observable } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { commandRunner } from '../../../../src/sinks/process/commands/command-runner.ts';
import { processScanner } from '../../../../src/sources/process/scan-members.ts';
import type { CommandOutcome } from '../../../../src/streams/domain/event.ts';
import type { CommandJob, CommandRunner } from '../../../../src/streams/domain/ports.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
import {
  all,
  pidIn,
  refOf,
  sh,
  specOf,
  until,
  start,
  world,
  type World,
} from '../../../fixtures/processes/world.ts';

let here: World;
let runner: CommandRunner;
beforeEach(() => {
  here = world();
  runner = commandRunner({
    start,
    capture: here.capture,
    scanner: processScanner({ dataDir: here.dataDir }),
  });
});
afterEach(() => here.remove());

const file = (name: string): string => join(here.dataDir, name);
const job = (command: string, changes: Partial<CommandJob> = {}): CommandJob => ({
  command,
  directory: here.dataDir,
  environment: () => ({ PATH: '/usr/bin:/bin', SUP_UNIT: 'shop/web#1', SUP_SUPERVISOR: here.dataDir }),
  ...changes,
});
const outcome = async (command: string, changes: Partial<CommandJob> = {}): Promise<CommandOutcome> =>
  (await all(runner.run(job(command, changes))))[0]!;
const gone = (pid: number): Promise<boolean> => until(() => refOf(pid) === undefined);

const FAMILY = 'sleep 60 & echo $! > child; (setsid sh -c "echo \\$\\$ > stray; exec sleep 60" &);';

describe('a command that ends by itself', () => {
  it('a command reports its status and its last ten lines', async () => {
    expect(await outcome('seq 100; echo last >&2; exit 3')).toEqual({
      tag: 'ended',
      status: { tag: 'code', code: 3 },
      evidence: ['92', '93', '94', '95', '96', '97', '98', '99', '100', 'last'],
    });
  });

  it('a command can open its standard error again', async () => {
    expect(await outcome('echo again > /dev/stderr')).toMatchObject({
      status: { code: 0 },
      evidence: ['again'],
    });
  });

  it('a command reports the signal that killed it', async () => {
    expect(await outcome('kill -9 $$')).toMatchObject({ status: { tag: 'signal', signal: 'SIGKILL' } });
  });

  it('a command ends with its background processes, except a daemon that it started', async () => {
    await outcome(`${FAMILY} while [ ! -s stray ]; do sleep 0.01; done`);
    await gone(await pidIn(file('child')));
    const daemon = await pidIn(file('stray'));
    expect(refOf(daemon)).toBeDefined();
    process.kill(daemon, 'SIGKILL');
  });
});

describe('a command that cannot be started', () => {
  it('a command that cannot be started ends with the status of a shell and a reason', async () => {
    expect(await outcome('true', { directory: '/no/where' })).toEqual({
      tag: 'ended',
      status: { tag: 'code', code: 127 },
      evidence: ['working directory /no/where does not exist'],
    });
  });
});

describe('a command at its time limit', () => {
  it('a command at its limit is killed with everything it started, including other sessions', async () => {
    // Timers of RxJS go on as usual, until the limit is reached early.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const ended = outcome(`${FAMILY} trap "" TERM; wait`, { limit: ms(60_000) });
    const family = [await pidIn(file('child')), await pidIn(file('stray'))];
    vi.advanceTimersByTime(60_000);
    expect(await ended).toEqual({ tag: 'over-budget' });
    for (const pid of family) await gone(pid);
  });

  it('a quick command ends before its limit', async () => {
    expect(await outcome('exit 0', { limit: ms(60_000) })).toMatchObject({ tag: 'ended' });
  });
});

describe('unsubscribing from a command', () => {
  const calledOff = (command$: Observable<unknown>, when: Promise<unknown>): Promise<unknown> =>
    all(race(command$, new Promise((resolve) => void when.then(resolve))));

  it('unsubscribing kills everything that the command started', async () => {
    await calledOff(
      runner.run(job(`${FAMILY} wait`)),
      Promise.all([pidIn(file('child')), pidIn(file('stray'))]),
    );
    await gone(await pidIn(file('child')));
    await gone(await pidIn(file('stray')));
  });

  it('unsubscribing in the moment of the start also kills it', async () => {
    await calledOff(runner.run(job('exec sleep 60', { log: specOf(sh('')) })), Promise.resolve());
    // Its outlets are closed when it is over, by itself or by force; it would not be by itself for a minute.
    await until(() => here.outlets.opened === 1 && here.outlets.closed === 1);
  });
});

describe('the environment of a command', () => {
  it('the environment of a command is the given one and its mark', async () => {
    const printed = await outcome('echo $SUP_UNIT; echo $SUP_SUPERVISOR');
    expect(printed).toMatchObject({ evidence: [expect.stringMatching(/^!command\/.+#1$/), here.dataDir] });
  });
});

describe('the output of a command with a log', () => {
  it('the output of a command goes to the log of the service and is evidence', async () => {
    const log = specOf(sh('true'));
    expect(await outcome('echo said', { log })).toMatchObject({ tag: 'ended', evidence: ['said'] });
    expect(readFileSync(file('log'), 'utf8')).toBe('said\n');
    expect(here.outlets).toEqual({ opened: 1, closed: 1 });
  });

  it('the output of a command is lost if the log cannot be opened, and the command continues', async () => {
    const broken = { ...here.capture, openHook: () => Promise.reject(new Error('no')) };
    const outcomes = await all(
      commandRunner({ start, capture: broken }).run(job('exit 4', { log: specOf(sh('')) })),
    );
    expect(outcomes).toMatchObject([{ tag: 'ended', status: { code: 4 } }]);
  });
});

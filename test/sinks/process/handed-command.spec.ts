// Commands that the program before this one in the same process has begun.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NEVER, of } from 'rxjs';
import { CommandBook } from '../../../src/sinks/process/commands/commands-under-way.ts';
import { commandRunner } from '../../../src/sinks/process/commands/command-runner.ts';
import { hookSink } from '../../../src/sinks/process/commands/hook.ts';
import { processScanner } from '../../../src/sources/process/scan-members.ts';
import type { HandedCommand, HandedHook } from '../../../src/streams/domain/handed-commands.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import { projectId, runId, serviceId } from '../../../src/streams/domain/ids.ts';
import type { CommandJob, CommandRunner } from '../../../src/streams/domain/ports.ts';
import type { Event } from '../../../src/streams/domain/event.ts';
import type { ExitStatus } from '../../../src/streams/domain/service/exit-status.ts';
import { all, refOf, start, until, world, type World } from '../../fixtures/processes/world.ts';
import { listen } from '../../support/listen.ts';

let here: World;
beforeEach(() => {
  here = world();
});
afterEach(() => here.remove());

const mark = { service: serviceId(projectId('!command'), 'before'), run: runId(1) };
const job = (): CommandJob => ({
  key: 'command:shop/web#1:pre_start',
  command: 'exit 99',
  directory: here.dataDir,
  environment: () => ({ PATH: '/usr/bin:/bin' }),
});

/** It is under way, and its end is heard of. */
const begun = async (
  command: string,
  more: Partial<HandedCommand> = {},
): Promise<{ runner: CommandRunner; book: CommandBook; pid: number }> => {
  const environment = {
    PATH: '/usr/bin:/bin',
    SUP_UNIT: `${mark.service}#${mark.run}`,
    SUP_SUPERVISOR: here.dataDir,
  };
  const child = await start({ argv: ['/bin/sh', '-c', command], directory: here.dataDir, environment });
  const handed = { key: job().key ?? '', mark, process: child.process, ...more };
  const book = new CommandBook([handed]);
  const endOf = (): Promise<ExitStatus> => child.exit;
  const scanner = processScanner({ dataDir: here.dataDir });
  return {
    book,
    pid: child.process.pid,
    runner: commandRunner({ start, capture: here.capture, scanner, book, endOf }),
  };
};

describe('a command that was handed over', () => {
  it('a command that was handed over is not started again: its own end is reported', async () => {
    const { runner, book } = await begun('sleep 0.1; exit 3');
    const outcome = all(runner.run(job()));
    expect(book.handed()).toHaveLength(1);
    expect(await outcome).toMatchObject([{ tag: 'ended', status: { tag: 'code', code: 3 } }]);
    expect(book.handed()).toEqual([]);
    expect(await all(runner.run(job()))).toMatchObject([{ status: { code: 99 } }]);
  });

  it('a command that was handed over with its end is reported with that end', async () => {
    const { runner } = await begun('exit 0', { status: { tag: 'code', code: 4 } });
    expect(await all(runner.run(job()))).toMatchObject([{ status: { code: 4 } }]);
  });

  it('a command that was handed over has its remaining time', async () => {
    const { runner, pid } = await begun('exec sleep 60', { left: 50 });
    expect(await all(runner.run(job()))).toEqual([{ tag: 'over-budget' }]);
    expect(await until(() => refOf(pid) === undefined)).toBe(true);
  });

  it('a command that was handed over has at most the time of its kind', async () => {
    const { runner } = await begun('exec sleep 60', { left: 3_600_000 });
    expect(await all(runner.run({ ...job(), limit: ms(50) }))).toEqual([{ tag: 'over-budget' }]);
  });

  it('a command whose end cannot be known has ended with an unknown status and a reason', async () => {
    const { process } = await start({ argv: ['/bin/true'], directory: here.dataDir, environment: {} });
    const book = new CommandBook([{ key: job().key ?? '', mark, process }]);
    const endOf = (): Promise<ExitStatus> => Promise.reject(new Error('no such end'));
    const runner = commandRunner({ start, capture: here.capture, book, endOf });
    expect(await all(runner.run(job()))).toEqual([
      { tag: 'ended', status: { tag: 'unknown' }, evidence: ['no such end'] },
    ]);
    expect(book.handed()).toEqual([]);
  });

  it('a hook that was handed over is waited for from the first step on, and reported', async () => {
    const hook: HandedHook = { service: serviceId(projectId('shop'), 'web'), run: runId(2), name: 'onerr' };
    const { runner } = await begun('exit 6', { hook });
    const told: Event[] = [];
    const ports = { runner, environment: {}, dataDir: here.dataDir, begun$: of(1) };
    listen(hookSink(ports)(NEVER), (event) => told.push(event));
    expect(await until(() => told.length > 0)).toBe(true);
    expect(told).toMatchObject([{ type: 'hook-ended', ...hook, outcome: { status: { code: 6 } } }]);
    expect(runner.hooksLeft()).toEqual([]);
  });
});

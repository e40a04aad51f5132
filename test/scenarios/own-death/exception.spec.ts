// Needs the native addon.
// An uncaught exception: the supervisor re-executes itself, and its services do not notice.
import { describe, expect } from 'vitest';
import { beginOf, elsewhere, OTHER_VERSION, supOf } from '../support/elsewhere.ts';
import { eventually, holds } from '../support/eventually.ts';
import { serviceLog, supervisorLog } from '../support/logs.ts';
import { supervisorPid } from '../support/own-death.ts';
import { loose, program, steady } from '../support/recipes.ts';
import { serviceOf } from '../support/rollouts.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, come, expectDone, started } from '../support/witnesses.ts';

/** Breaks when it is told to. */
const FRAIL = `process.on('SIGUSR2', () => { throw new Error('a bug in it'); });`;

const breaks = (stage: Stage): number =>
  supervisorLog(stage).filter((line) => line.includes('a bug in it')).length;

const broken = async (stage: Stage, times: number): Promise<void> => {
  process.kill(await supervisorPid(stage), 'SIGUSR2');
  await eventually({
    what: 'the exception in the log',
    look: () => (breaks(stage) >= times ? true : undefined),
  });
};

/** Settles with the pid of the supervisor, which is then the frail one. */
const begun = async (stage: Stage): Promise<number> => {
  stage.meant.add('a bug in it');
  await started(stage, loose({ ticker: program('ticker.mjs'), web: steady() }));
  expectDone(await supOf(stage, elsewhere(stage, 'frail', FRAIL), 'upgrade'));
  return supervisorPid(stage);
};

const reExecuted = (stage: Stage, pid: number): Promise<void> =>
  holds('the re-execution in its log', () =>
    supervisorLog(stage).join('\n').includes(`re-executed itself (pid ${pid})`),
  );

const expectAllLines = (stage: Stage): void => {
  const numbers = serviceLog(stage, 'ticker').map((line) => Number(/line (\d+)$/.exec(line)?.[1]));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
};

describe('an uncaught exception', () => {
  scenario('after an uncaught exception the supervisor re-executes itself', async (stage) => {
    const pid = await begun(stage);
    const before = await agree(stage, { ticker: 'running', web: 'running' });
    await broken(stage, 1);
    const after = await agree(stage, { ticker: 'running', web: 'running' });
    expect(await supervisorPid(stage)).toBe(pid);
    expect([after.ticker.pid, after.web.pid]).toEqual([before.ticker.pid, before.web.pid]);
    const told = supervisorLog(stage).join('\n');
    expect(told).toMatch(/ERR0001 uncaught, after \S+.*a bug in it/);
    expect(told).toContain(`re-executed itself (pid ${pid})`);
    expect((await stage.sup('events', '--json', '--since', '1h')).stdout).toContain('supervisor-re-executed');
    // Its children are its children still: it hears of their ends.
    process.kill(Number(after.web.pid), 'SIGKILL');
    await holds('the next run', async () => (await serviceOf(stage, 'web')).run === after.web.run + 1);
    const last = await come(stage, { web: 'running' });
    expect(last.web.last_exit).toMatchObject({ code: null, signal: 'SIGKILL' });
    expectAllLines(stage);
  });

  scenario('after a second uncaught exception within ten seconds the guardian restarts it', async (stage) => {
    const pid = await begun(stage);
    const before = await agree(stage, { ticker: 'running', web: 'running' });
    await broken(stage, 1);
    await reExecuted(stage, pid);
    process.kill(pid, 'SIGUSR2');
    await eventually({
      what: 'another supervisor',
      look: async () => {
        const { pid: now } = (await stage.status()).document.supervisor;
        return now === null || now === pid ? undefined : true;
      },
    });
    const last = await agree(stage, { ticker: 'running', web: 'running' });
    expect([last.ticker.pid, last.web.pid]).toEqual([before.ticker.pid, before.web.pid]);
    // It still is the program of the upgrade, and no supervisor was restarted before.
    expect((await stage.status()).document.supervisor).toMatchObject({
      version: OTHER_VERSION,
      restarts: 1,
    });
    const back = (): readonly string[] =>
      supervisorLog(stage).filter((line) => line.includes('this is restart'));
    expect(back()).toHaveLength(1);
    const pidNow = await supervisorPid(stage);
    process.kill(pidNow, 'SIGUSR2');
    await reExecuted(stage, pidNow);
    expect(back()).toHaveLength(1);
    expectAllLines(stage);
  });

  scenario('an uncaught exception in the foreground changes neither output nor log', async (stage) => {
    stage.meant.add('a bug in it');
    const frail = elsewhere(stage, 'frail', FRAIL);
    stage.declare(loose({ ticker: program('ticker.mjs') }));
    const begun = beginOf(stage, frail, 'supervise', '-c', 'sup.yaml');
    await come(stage, { ticker: 'running' });
    await holds('output', () => begun.stdout().includes('line 5'));
    await broken(stage, 1);
    const shown = begun.stdout().length;
    await holds('more output', () => begun.stdout().length > shown + 100);
    expectDone(await stage.sup('shutdown'));
    const { stdout, stderr } = await begun.ended;
    expect(stderr).toMatch(/ERR0001 uncaught, after \S+.*a bug in it/);
    const numbers = [...stdout.matchAll(/^ticker \| line (\d+)$/gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  });
});

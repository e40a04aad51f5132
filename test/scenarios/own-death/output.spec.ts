// Needs the native addon.
// Own death: what services print is never only in the memory of the supervisor. It is killed again and again while they
// print in every manner; not one number is missing, torn or doubled.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { fileComes } from '../support/marks.ts';
import { killSupervisor, supervisorPid } from '../support/own-death.ts';
import { loose, program, shell, type Declared } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, expectDone, started } from '../support/witnesses.ts';

const KILLS = 6;
const ALL = { max_bytes: 10_000_000, max_files: 1_000 };

const printer = (manner: string, name: string, logs: Declared = ALL): Declared =>
  program('printer.mjs', [manner, name], { stop_timeout: '10s', logs: { sink: 'file', ...logs } });

const WRITERS = {
  line: printer('line', 'line'),
  block: printer('block', 'block'),
  endless: printer('endless', 'endless'),
  rotating: printer('line', 'rotating', { max_bytes: 10_000, max_files: 10_000 }),
  flood: printer('flood', 'flood'),
};

/** What a service has printed, as its log has it: parts of a line put together, nothing else left out. */
const printed = (stage: Stage, service: string): string =>
  serviceLog(stage, service)
    .map((line) => {
      const [, part, text] = /^\S{27} stdout(\+?) (.*)$/.exec(line) ?? [];
      return text === undefined ? `<${line}>\n` : `${text}${part === '+' ? '' : '\n'}`;
    })
    .join('');

/** The first number that is not where it should be, with what stands near it. */
const firstWrong = (numbers: readonly string[], count: number): string | undefined => {
  const at = Array.from({ length: Math.max(numbers.length, count) }).findIndex(
    (_, index) => numbers[index] !== String(index) || index >= count,
  );
  return at < 0 ? undefined : `${String(at)} of ${String(count)}: ${numbers.slice(at - 2, at + 3).join(' ')}`;
};

describe('output across deaths of the supervisor', () => {
  scenario(
    'repeated kills of the supervisor lose, tear and double no line, in any way of printing',
    async (stage) => {
      await started(stage, loose(WRITERS));
      for (let kill = 0; kill < KILLS; kill += 1) {
        await pause(100 + Math.random() * 300);
        await killSupervisor(stage);
        expectDone(await stage.sup('start', '--daemonize'));
      }
      await agree(stage, Object.fromEntries(Object.keys(WRITERS).map((name) => [name, 'running'])));
      expectDone(await stage.sup('stop'));
      for (const name of Object.keys(WRITERS)) {
        await fileComes(stage, name);
        const count = Number(readFileSync(join(stage.work, name), 'utf8'));
        const numbers = printed(stage, name)
          .split(/[\n ]/)
          .filter((text) => text !== '');
        expect([name, firstWrong(numbers, count)]).toEqual([name, undefined]);
      }
    },
  );

  scenario(
    'output of a service that died with the supervisor is in the log of the next one',
    async (stage) => {
      const last =
        '[ -e told ] || { until [ -e go ]; do sleep 0.05; done; seq 1 2000; touch told; }; exec sleep 1000';
      await started(stage, loose({ web: shell(last, { restart_policy: 'never' }) }));
      const { web } = await agree(stage, { web: 'running' });
      await pause(300);
      const supervisor = await supervisorPid(stage);
      process.kill(supervisor, 'SIGSTOP');
      stage.write('go', '');
      await fileComes(stage, 'told');
      process.kill(web.pid ?? 0, 'SIGKILL');
      await killSupervisor(stage);
      expectDone(await stage.sup('start', '--daemonize'));
      await holds('all lines', () => serviceLog(stage, 'web').length >= 2000);
      const numbers = serviceLog(stage, 'web').map((line) => line.slice(35));
      expect(numbers).toEqual(Array.from({ length: 2000 }, (_, at) => String(at + 1)));
    },
  );

  scenario('a removed FIFO loses no output', async (stage) => {
    await started(stage, loose({ web: printer('line', 'count') }));
    await holds('output', () => serviceLog(stage, 'web').length > 0);
    await killSupervisor(stage);
    for (const stream of ['stdout', 'stderr'])
      rmSync(join(stage.data, 'projects/__loose__/run', `web.${stream}`));
    expectDone(await stage.sup('start', '--daemonize'));
    const lines = serviceLog(stage, 'web').length;
    await holds('more output', () => serviceLog(stage, 'web').length > lines);
    expectDone(await stage.sup('stop'));
    await fileComes(stage, 'count');
    const count = Number(readFileSync(join(stage.work, 'count'), 'utf8'));
    expect(firstWrong(printed(stage, 'web').split('\n').slice(0, -1), count)).toBeUndefined();
  });
});

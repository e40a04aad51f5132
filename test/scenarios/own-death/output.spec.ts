// Own death: what services print is never only in the memory of the supervisor. It is killed again and again while they
// print in every manner; not one number is missing, torn or doubled.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { serviceLog } from '../support/logs.ts';
import { fileComes } from '../support/marks.ts';
import { killSupervisor } from '../support/own-death.ts';
import { loose, program, type Declared } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, expectDone, started } from '../support/witnesses.ts';

const KILLS = 8;
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

describe('a supervisor that is killed again and again', () => {
  scenario('loses, tears and doubles nothing of what is printed, in whatever manner', async (stage) => {
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
  });
});

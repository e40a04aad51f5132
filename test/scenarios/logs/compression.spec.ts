// Needs the native addon.
// A supervisor that ends while it compresses rotated logs, which lie there before it begins.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { beginOf, elsewhere } from '../support/elsewhere.ts';
import { holds } from '../support/eventually.ts';
import { goOn, killSupervisor } from '../support/own-death.ts';
import { loose, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, expectDone } from '../support/witnesses.ts';

/** The first supervisor never ends the first part of a file, so that it is at work when it ends. */
const SLOW = "require('node:zlib').Gzip.prototype._transform = () => undefined;";

const FILES = 5;
const LINES = 25_000;
const TEXT_BYTES = 64;

const directoryOf = ({ data }: Stage): string => join(data, 'logs', '__loose__');
const namesOf = (stage: Stage): readonly string[] =>
  readdirSync(directoryOf(stage)).filter((name) => name.startsWith('web.log'));

/** Starts a service whose log has rotated files, with all lines numbered. */
const startedBeforeFiles = async (stage: Stage): Promise<void> => {
  mkdirSync(directoryOf(stage), { recursive: true });
  for (let file = 0; file < FILES; file += 1) {
    const lines = Array.from({ length: LINES }, (_, at) => {
      const text = `${file * LINES + at} ${randomBytes(TEXT_BYTES).toString('hex')}`;
      return `2026-11-21T05:3${file}:15.123456Z stdout ${text}\n`;
    });
    writeFileSync(join(directoryOf(stage), `web.log.${FILES - file}`), lines.join(''));
  }
  stage.declare(loose({ web: steady({ logs: { compress: true, max_files: FILES } }) }));
  const slow = elsewhere(stage, 'slow', SLOW);
  expectDone(await beginOf(stage, slow, 'start', '-c', 'sup.yaml', '--daemonize').ended);
  await holds('a copy that is not complete', () => isCompressing(stage));
};

const isCompressing = (stage: Stage): boolean => namesOf(stage).some((name) => name.endsWith('.gz.tmp'));

/** The numbers of all lines, as a user sees them. */
const shown = async (stage: Stage): Promise<readonly number[]> => {
  const outcome = await stage.sup('logs', 'web', '--raw', '--since', '2026-01-01');
  expectDone(outcome);
  return outcome.stdout.split('\n').filter(Boolean).map(Number.parseFloat);
};

const expectWhole = async (stage: Stage): Promise<void> => {
  const all = Array.from({ length: FILES * LINES }, (_, at) => at);
  expect(await shown(stage)).toEqual(all);
  const compressed = Array.from({ length: FILES }, (_, at) => `web.log.${at + 1}.gz`);
  await holds('all compressed, and nothing half', () => {
    const rotated = namesOf(stage).filter((name) => name !== 'web.log');
    return rotated.toSorted().join() === compressed.join();
  });
  expect(await shown(stage)).toEqual(all);
  await agree(stage, { web: 'running' });
};

scenario(
  'a kill of the supervisor while it compresses loses no line and leaves no half file',
  async (stage) => {
    await startedBeforeFiles(stage);
    await killSupervisor(stage);
    expect(isCompressing(stage)).toBe(true);
    await goOn(stage);
    await expectWhole(stage);
  },
);

scenario(
  'an upgrade while the supervisor compresses loses no line and leaves no half file',
  async (stage) => {
    await startedBeforeFiles(stage);
    expectDone(await stage.sup('upgrade'));
    await expectWhole(stage);
  },
);

// Another installation of `sup`: a copy of the one under test, of another version, and broken where a scenario wants it.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { launch, type Outcome, type Running } from './command.ts';
import { holds } from './eventually.ts';
import { expectSchema } from './schemas.ts';
import type { Stage } from './stage.ts';

const DIST = dirname(resolve(process.env['SUP_UNDER_TEST'] ?? 'dist/sup.js'));
const OWN = (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;
const LIMIT_MS = 90_000;

export const OTHER_VERSION = '9.9.9';

const files = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(directory, name));

/** Path of its `sup.js`. `first` is done by its supervisor before anything else, as lines of its file. */
export const elsewhere = ({ root }: Stage, name: string, first = ''): string => {
  const place = join(root, name);
  cpSync(DIST, join(place, 'dist'), { recursive: true });
  cpSync('package.json', join(place, 'package.json'));
  symlinkSync(resolve('node_modules'), join(place, 'node_modules'));
  for (const file of files(join(place, 'dist')))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`"${OWN}"`, `"${OTHER_VERSION}"`));
  const program = join(place, 'dist/supervisor.js');
  writeFileSync(program, `${first}\n${readFileSync(program, 'utf8')}`);
  return join(place, 'dist/sup.js');
};

/** Path of the `sup.js` of a copy beside which there is no package: it finds no native addon. */
export const withoutAddon = ({ root }: Stage): string => {
  cpSync(DIST, join(root, 'bare/dist'), { recursive: true });
  return join(root, 'bare/dist/sup.js');
};

/** A command of that installation, under way. */
export const beginOf = (stage: Stage, program: string, ...args: readonly string[]): Running =>
  launch({
    argv: [process.execPath, program, ...args],
    directory: stage.work,
    environment: { PATH: process.env['PATH'] ?? '', HOME: stage.root, SUP_DATA_DIR: stage.data },
    limit: LIMIT_MS,
    line: `${OTHER_VERSION}: sup ${args.join(' ')}`,
  });

/** A command of that installation. */
export const supOf = async (stage: Stage, program: string, ...args: readonly string[]): Promise<Outcome> => {
  const outcome = await beginOf(stage, program, ...args).ended;
  for (const line of outcome.stdout.split('\n').filter((text) => text.startsWith('{"schema":"sup.')))
    expectSchema(JSON.parse(line) as object);
  return outcome;
};

/** Removes the copy of the program at work, as soon as there is one. */
export const removeCopy = async ({ data }: Stage): Promise<void> => {
  const copies = join(data, 'program');
  await holds('a copy', () => existsSync(copies));
  // It may be in the making.
  rmSync(copies, { recursive: true, maxRetries: 10 });
};

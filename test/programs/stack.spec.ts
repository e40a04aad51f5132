// A real stack, as a newcomer declares it: it starts at the first try, a release loses no request, and its data are there
// after the death of everything.
import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../scenarios/support/eventually.ts';
import { asRoot } from '../scenarios/support/privileged.ts';
import { expectDone, serviceIn } from '../scenarios/support/witnesses.ts';
import { librariesOf, unpackedPackages } from './packages.ts';
import type { Outcome } from '../scenarios/support/command.ts';
import type { Stage } from '../scenarios/support/stage.ts';

const at = unpackedPackages();
const NOBODY = 65534;
const WEB = 33;
const LONG_MS = 50_000;

/** The files of the stack and an empty database. Returns what runs `sup` there. */
const prepared = (stage: Stage): ((...args: readonly string[]) => Promise<Outcome>) => {
  cpSync(resolve('test/programs/stack'), stage.work, { recursive: true });
  const data = join(stage.root, 'db');
  for (const [path, owner] of [
    [data, NOBODY],
    [join(stage.root, 'www'), WEB],
  ] as const) {
    mkdirSync(path, { mode: 0o755 });
    chownSync(path, owner, owner);
  }
  const initdb = at('usr/lib/postgresql/15/bin/initdb');
  execFileSync('setpriv', [
    ...['--reuid=65534', '--regid=65534', '--clear-groups'],
    ...[initdb, '-D', join(data, 'data'), '-L', at('usr/share/postgresql/15'), '-A', 'trust'],
  ]);
  const environment = { PACKAGES: at(), LIBRARIES: librariesOf(at) };
  return (...args) => stage.begin(args, { environment, limit: LONG_MS }).ended;
};

const answerOf = async (path: string): Promise<string> =>
  (await fetch(`http://127.0.0.1:18432${path}`)).text();

const countOrders = (stage: Stage): string =>
  execFileSync(
    at('usr/lib/postgresql/15/bin/psql'),
    ['-h', join(stage.root, 'db'), '-U', 'nobody', '-d', 'postgres', '-Atc', 'select count(*) from orders'],
    { encoding: 'utf8' },
  ).trim();

const ordersCome = (stage: Stage, count: number): Promise<true> =>
  eventually({
    what: `${count} orders in the database`,
    look: () => (countOrders(stage) === String(count) ? true : undefined),
  });

/** Orders from `first` on, one after the other, until a promise is settled. Returns the answers. */
const ordersDuring = async (work: Promise<unknown>, first: number): Promise<readonly string[]> => {
  const answers: string[] = [];
  const open = new Set([work]);
  void work.finally(() => open.clear());
  while (open.size > 0) answers.push(await answerOf(`/${first + answers.length}`));
  return answers;
};

const UP = {
  'shop/postgres': 'running',
  'shop/migrate': 'done',
  'shop/redis': 'running',
  'shop/api': 'running',
  'shop/worker': 'running',
  'shop/web': 'running',
} as const;

const expectStates = async (stage: Stage): Promise<void> => {
  const { document } = await stage.status();
  const states = Object.keys(UP).map((name) => [name, serviceIn(document, name).state]);
  expect(Object.fromEntries(states)).toEqual(UP);
};

describe('a real stack', () => {
  asRoot(
    'starts at the first try, deploys without a lost request, and comes back with its data',
    async (stage) => {
      const sup = prepared(stage);
      expectDone(await sup('start', '--sys', '--daemonize'));
      await expectStates(stage);
      expect(await answerOf('/1')).toMatch(/^release 1, /);
      await ordersCome(stage, 1);
      await eventually({ what: 'a dump', look: () => existsSync(join(stage.root, 'dump.sql')) || undefined });

      stage.write(
        'sup.yaml',
        readFileSync(join(stage.work, 'sup.yaml'), 'utf8').replace("RELEASE: '1'", "RELEASE: '2'"),
      );
      const apply = sup('apply', '--sys');
      const answers = await ordersDuring(apply, 2);
      expectDone(await apply);
      expect(answers.filter((text) => !/^release [12], pid \d+\n$/.test(text))).toEqual([]);
      expect(await answerOf('/0')).toMatch(/^release 2, /);
      await ordersCome(stage, answers.length + 2);

      expectDone(await sup('shutdown', '--sys'));
      expectDone(await sup('start', '--sys', '--daemonize'));
      await expectStates(stage);
      expect(countOrders(stage)).toBe(String(answers.length + 2));
    },
  );
});

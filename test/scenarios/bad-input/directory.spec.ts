// Commands that are typed in a directory that is gone.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Outcome } from '../support/command.ts';
import { steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone, expectFailed, started } from '../support/witnesses.ts';

/** Makes a directory, goes there, removes it, and becomes its arguments. */
const LOST = ['bash', '-c', 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', 'bash'];

const lost = (
  stage: Stage,
  line: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Outcome> => stage.begin(line, { through: LOST, environment }).ended;

describe('a working directory that was removed', () => {
  scenario('in a removed working directory commands work that do not need one', async (stage) => {
    await started(stage, { services: { web: steady() } });
    for (const line of [['status'], ['logs'], ['schema'], ['help'], ['--version'], ['status', '--help']])
      expectDone(await lost(stage, line));
    expectDone(await lost(stage, ['stop', 'web']));
    expectDone(await lost(stage, ['start', '--daemonize', '-c', join(stage.work, 'sup.yaml')]));
    expectDone(await lost(stage, ['shutdown']));
    expectDone(await lost(stage, ['start', '--daemonize', 'web']));
  });

  scenario('in a removed working directory other commands say what is missing', async (stage) => {
    for (const line of [['start', '-c', 'x.yaml'], ['start'], ['stop', '--here'], ['validate']]) {
      const outcome = await lost(stage, line);
      expectFailed(outcome, 'ERR0203');
      expect(outcome.stderr).toContain('gone (deleted)');
    }
    const { status, stderr } = await lost(stage, ['start', '-c', 'x.yaml', '--json']);
    expect([status, JSON.parse(stderr)]).toMatchObject([1, { error: { code: 'ERR0203' } }]);
    expectFailed(await lost(stage, ['start', '--daemonize'], { SUP_DATA_DIR: 'd' }), 'ERR0701');
  });
});

describe('a data directory whose path is too long for a socket', () => {
  scenario(
    'a data directory with a long path is refused if its socket would be in the directory of another user',
    async (stage) => {
      const data = join(stage.root, 'd'.repeat(100));
      const run = join(stage.root, 'run');
      const place = join(run, `sup-${createHash('sha256').update(data).digest('hex').slice(0, 16)}`);
      mkdirSync(run);
      writeFileSync(place, '');
      stage.declare({ services: { web: steady() } });
      const environment = { SUP_DATA_DIR: data, XDG_RUNTIME_DIR: run };
      for (const line of [['start', '--daemonize'], ['supervise']]) {
        const outcome = await stage.begin(line, { environment }).ended;
        expectFailed(outcome, 'ERR0701');
        expect(outcome.stderr).toContain(`${place} cannot be used: it is no directory`);
      }
      const { stdout } = await stage.begin(['doctor'], { environment }).ended;
      expect(stdout).toContain(`${place} cannot be used`);
    },
  );
});

describe('a data directory that is a link to nowhere', () => {
  scenario(
    'a data directory that is a dangling link is refused, and doctor says that it cannot be created',
    async (stage) => {
      const data = join(stage.root, 'link');
      symlinkSync(join(stage.root, 'gone'), data);
      stage.declare({ services: { web: steady() } });
      const environment = { SUP_DATA_DIR: data };
      expectFailed(await stage.begin(['start', '--daemonize'], { environment }).ended, 'ERR0701');
      const { stdout } = await stage.begin(['doctor'], { environment }).ended;
      expect(stdout).toContain(`it is a link to ${join(stage.root, 'gone')}, which is not there`);
    },
  );
});

const startIn = (stage: Stage, data: string, ...line: readonly string[]): Promise<Outcome> => {
  stage.declare({ services: { web: steady() } });
  return stage.begin([...line, '--daemonize'], { environment: { SUP_DATA_DIR: data } }).ended;
};

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

const made = (stage: Stage, mode: number): string => {
  const directory = join(stage.root, 'shared');
  mkdirSync(directory);
  chmodSync(directory, mode);
  return directory;
};

describe('a data directory that existed before', () => {
  for (const [what, mode, why] of [
    ['is sticky, such as /tmp', 0o1777, 'a sticky directory is shared by many users'],
    ['is writable by others', 0o777, 'other users may write it'],
    ['is writable by its group', 0o775, 'other users may write it'],
  ] as const)
    scenario(
      `an existing directory that ${what} is refused as data directory and keeps its mode and content`,
      async (stage) => {
        const data = made(stage, mode);
        writeFileSync(join(data, 'letter'), '');
        const outcome = await startIn(stage, data, 'start');
        expectFailed(outcome, 'ERR0701');
        expect(outcome.stderr).toContain(why);
        expect(outcome.stderr).toContain('SUP_DATA_DIR');
        expect(modeOf(data)).toBe(mode);
        expect(readdirSync(data)).toEqual(['letter']);
        expectFailed(
          await stage.begin(['supervise'], { environment: { SUP_DATA_DIR: data } }).ended,
          'ERR0701',
        );
        expect(modeOf(data)).toBe(mode);
      },
    );

  for (const content of [[], ['letter', '.profile']])
    scenario(
      `an existing directory with ${content.length} other files is used as data directory and keeps its mode`,
      async (stage) => {
        const data = made(stage, 0o755);
        for (const name of content) writeFileSync(join(data, name), '');
        expectDone(await startIn(stage, data, 'start'));
        expect(modeOf(data)).toBe(0o755);
        expect(modeOf(join(data, 'control.sock')) & 0o777).toBe(0o600);
        expect(modeOf(join(data, 'projects'))).toBe(0o700);
        expectDone(await stage.begin(['shutdown'], { environment: { SUP_DATA_DIR: data } }).ended);
        expect(readdirSync(data)).toEqual(expect.arrayContaining([...content]));
      },
    );
});

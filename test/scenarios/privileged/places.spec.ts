// Needs the native addon.
// Privileged: paths of a manifest that root writes to, in directories where another user may put links.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { supervisorLog } from '../support/logs.ts';
import { asRoot, NOBODY } from '../support/privileged.ts';
import { steady } from '../support/recipes.ts';
import type { Json, Stage } from '../support/stage.ts';
import { expectDone, expectFailed } from '../support/witnesses.ts';

/** A directory of another user, below one that is root's. */
const strangers = (stage: Stage): string => {
  const directory = join(stage.root, 'x');
  mkdirSync(directory);
  chownSync(directory, NOBODY.uid, NOBODY.gid);
  return directory;
};

/** A file of root that nothing may change. */
const precious = (stage: Stage): string => {
  const file = join(stage.root, 'precious');
  writeFileSync(file, 'precious\n', { mode: 0o600 });
  return file;
};

const asStranger = (command: string): void =>
  void execFileSync(NOBODY.through[0] ?? '', [...NOBODY.through.slice(1), 'sh', '-c', command]);

const start = (stage: Stage, manifest: Readonly<Record<string, Json>>, ...more: readonly string[]) => {
  stage.declare(manifest);
  return stage.sup('start', '--daemonize', ...more);
};

const blueGreen = (path: string): Readonly<Record<string, Json>> => ({
  services: {
    web: steady({
      deployment: { blue_green: { slots: ['1', '2'], switch_command: 'true', state_path: path } },
    }),
  },
});

const SPILLING = { sample_interval_secs: 1, retention_minutes: 0, spillover_max_bytes: '1M' };

const spilling = (path: string): Readonly<Record<string, Json>> => ({
  metrics: { ...SPILLING, spillover_path: path },
  services: { web: steady() },
});

const listening = (path: string): Readonly<Record<string, Json>> => ({
  services: { web: steady({ sockets: [{ name: 'http', listen: path }] }) },
});

const below = (directory: string): Readonly<Record<string, Readonly<Record<string, Json>>>> => ({
  state_path: blueGreen(join(directory, 'slot')),
  spillover_path: spilling(join(directory, 'samples')),
  listen: listening(join(directory, 'app.sock')),
});

describe('a path in a directory of another user', () => {
  for (const key of ['state_path', 'spillover_path', 'listen'])
    asRoot(`is refused with --sys as ${key}, with what helps`, async (stage) => {
      const directory = strangers(stage);
      const outcome = await start(stage, below(directory)[key] ?? {}, '--sys');
      expectFailed(outcome, 'ERR0219');
      expect(outcome.stderr).toContain(`the directory ${directory} on the way to it is owned by user`);
      expect(outcome.stderr).toContain('chown root');
    });

  asRoot('is refused with --sys where a link of that user leads to a directory of root', async (stage) => {
    const directory = join(stage.root, 'shared');
    mkdirSync(directory);
    chmodSync(directory, 0o1777);
    mkdirSync(join(stage.root, 'own'));
    asStranger(`ln -s ${stage.root}/own ${directory}/link`);
    const outcome = await start(stage, listening(join(directory, 'link/app.sock')), '--sys');
    expectFailed(outcome, 'ERR0219');
    expect(outcome.stderr).toContain(`the link ${directory}/link on the way to it is owned by user`);
    expect(existsSync(join(stage.root, 'own/app.sock'))).toBe(false);
  });

  asRoot('is not written by root without --sys either, and status says why', async (stage) => {
    const directory = strangers(stage);
    const file = precious(stage);
    asStranger(`ln -s ${file} ${directory}/slot`);
    await start(stage, blueGreen(join(directory, 'slot')));
    const why = `the directory ${directory} on the way to it is owned by user ${NOBODY.uid}`;
    await holds('the warning', () => supervisorLog(stage).some((line) => line.includes(why)));
    const { document } = await stage.status();
    expect(document.supervisor.warnings.join('\n')).toContain(why);
    expect(lstatSync(join(directory, 'slot')).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('precious\n');
  });

  asRoot('is not listened at by root without --sys, and no link is followed to it', async (stage) => {
    const directory = strangers(stage);
    mkdirSync(join(stage.root, 'own'));
    asStranger(`ln -s ${stage.root}/own ${directory}/link`);
    const outcome = await start(stage, listening(join(directory, 'link/app.sock')));
    expect(outcome.stderr).toContain(`the directory ${directory} on the way to it is owned by user`);
    expect(existsSync(join(stage.root, 'own/app.sock'))).toBe(false);
  });

  asRoot('whose socket was exchanged keeps it: nothing is removed there', async (stage) => {
    const directory = join(stage.root, 'own');
    mkdirSync(directory);
    const path = join(directory, 'app.sock');
    expectDone(await start(stage, listening(path)));
    chownSync(directory, NOBODY.uid, NOBODY.gid);
    expectDone(await stage.sup('stop', 'web'));
    expect(existsSync(path)).toBe(true);
  });
});

/** Where the supervisor writes next, whatever day it is. */
const segmentOf = async (stage: Stage, directory: string): Promise<string> => {
  const names = (): readonly string[] =>
    existsSync(directory) ? execFileSync('ls', [directory], { encoding: 'utf8' }).trim().split('\n') : [];
  await holds('a segment', () => names().some((name) => name.endsWith('.jsonl')));
  expectDone(await stage.sup('shutdown'));
  return join(directory, names().find((name) => name.endsWith('.jsonl')) ?? '');
};

describe('a file of samples', () => {
  for (const [what, replace] of Object.entries({
    'a link': (path: string, file: string) => symlinkSync(file, path),
    'a second name of another file': (path: string, file: string) => linkSync(file, path),
    'a FIFO': (path: string) => void execFileSync('mkfifo', [path]),
  }))
    asRoot(`is not written to when ${what} lies in its place`, async (stage) => {
      const directory = join(stage.root, 'samples');
      const file = precious(stage);
      expectDone(await start(stage, spilling(directory), '--sys'));
      const segment = await segmentOf(stage, directory);
      execFileSync('rm', [segment]);
      replace(segment, file);
      const before = supervisorLog(stage).length;
      expectDone(await stage.sup('start', '--sys', '--daemonize'));
      await holds('the warning', () =>
        supervisorLog(stage)
          .slice(before)
          .some((line) => line.includes('samples are not kept in')),
      );
      expect(readFileSync(file, 'utf8')).toBe('precious\n');
      // A question about samples does not wait for it either.
      expectDone(await stage.sup('inspect', '--sys', '--json', '--window', '1h', 'web'));
    });
});

describe('a slot file of another user in a shared directory', () => {
  asRoot('does not say which slot has the traffic', async (stage) => {
    const directory = join(stage.root, 'shared');
    mkdirSync(directory);
    chmodSync(directory, 0o1777);
    const path = join(directory, 'slot');
    asStranger(`echo 2 > ${path}`);
    expectDone(await start(stage, blueGreen(path), '--sys'));
    const { document } = await stage.status();
    expect(document.projects[0]?.services[0]?.slot).toBe('1');
    await holds('the file', () => readFileSync(path, 'utf8') === '1\n');
    expect(statSync(path).uid).toBe(0);
  });
});

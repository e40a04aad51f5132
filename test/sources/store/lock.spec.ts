import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { acquireLock, stopInProgress } from '../../../src/sources/store/lock.ts';
import { proofOfSelf } from '../../../src/sources/store/lock-file.ts';
import { PATIENT } from '../../support/patience.ts';

let programs: string;
let root: string;
let dataDir: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  programs = mkdtempSync(join(tmpdir(), 'sup-contend-'));
  await build({
    entryPoints: [new URL('../../fixtures/store/contend.ts', import.meta.url).pathname],
    outfile: join(programs, 'contend.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
});
afterAll(() => rmSync(programs, { recursive: true }));

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sup-lock-'));
  dataDir = join(root, 'data');
});
afterEach(async () => {
  await Promise.all(children.splice(0).map(ended));
  rmSync(root, { recursive: true });
});

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
};

interface Contender {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly word: string;
}

/** Starts them all, lets them go at the same moment, and hears what each got. */
const contend = async (count: number): Promise<readonly Contender[]> => {
  const starter = join(root, 'go');
  rmSync(starter, { force: true });
  const started = Array.from({ length: count }, () => {
    const child = spawn(process.execPath, [join(programs, 'contend.mjs'), dataDir, starter], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    const word = once(createInterface({ input: child.stdout }), 'line').then(String);
    return { child, pid: child.pid ?? 0, word };
  });
  await vi.waitUntil(() => started.every(({ pid }) => existsSync(`${starter}.${pid}`)), {
    ...PATIENT,
    interval: 20,
  });
  writeFileSync(starter, '');
  return Promise.all(started.map(async ({ child, pid, word }) => ({ child, pid, word: await word })));
};

const winnerOf = (contenders: readonly Contender[]): Contender => {
  const winners = contenders.filter(({ word }) => word === 'acquired');
  expect(winners).toHaveLength(1);
  const [winner] = winners;
  if (winner === undefined) throw new Error('nobody won');
  const others = contenders.filter((contender) => contender !== winner);
  // One that walked the chain in the moment in which its front moved may have met another that was overtaken.
  const held = contenders.map(({ pid }) => `held ${pid}`);
  for (const { word } of others) expect(held).toContain(word);
  return winner;
};

describe('the lock of a data directory', () => {
  it('exactly one of twenty simultaneous starts gets the lock, and exactly one after the holder was killed', async () => {
    const first = winnerOf(await contend(20));
    expect(readFileSync(join(dataDir, 'sup.pid'), 'utf8')).toBe(`${first.pid}\n`);
    await Promise.all(children.splice(0).map(ended));

    const second = winnerOf(await contend(20));
    expect(second.pid).not.toBe(first.pid);
    expect(readFileSync(join(dataDir, 'sup.pid'), 'utf8')).toBe(`${second.pid}\n`);
  });

  it('the lock is free without traces when its holder ends in order', async () => {
    const { child } = winnerOf(await contend(3));
    const exit = once(child, 'exit');
    child.stdin?.end();
    await exit;
    expect(readdirSync(dataDir)).toEqual(['reserve']);
    expect(acquireLock(dataDir)).toMatchObject({ tag: 'acquired' });
  });

  it('the holder keeps the lock when the same process asks again', () => {
    expect(acquireLock(dataDir)).toMatchObject({ tag: 'acquired' });
    expect(acquireLock(dataDir)).toMatchObject({ tag: 'acquired' });
    expect(readdirSync(dataDir).sort()).toEqual(['reserve', 'sup.pid', 'supervisor.lock']);
  });

  it('the lock creates the directory for its owner only, and keeps the mode of an existing one', () => {
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o755);
    expect(acquireLock(dataDir)).toMatchObject({ tag: 'acquired' });
    expect(statSync(dataDir).mode & 0o777).toBe(0o755);
    acquireLock(join(root, 'deep', 'er'));
    expect(statSync(join(root, 'deep', 'er')).mode & 0o777).toBe(0o700);
    expect(statSync(join(root, 'deep', 'er', 'supervisor.lock')).mode & 0o777).toBe(0o600);
  });

  it('the lock creates the directory with mode 0700, whatever the umask', () => {
    const umask = process.umask(0o277);
    acquireLock(dataDir);
    process.umask(umask);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['sticky', 0o1700, 'a sticky directory is shared by many users'],
    ['open to the group', 0o770, 'other users may write it'],
    ['open to everybody', 0o707, 'other users may write it'],
  ])('the lock refuses a directory that is %s, and keeps its mode', (_, mode, why) => {
    mkdirSync(dataDir);
    chmodSync(dataDir, mode);
    const outcome = acquireLock(dataDir);
    expect(outcome).toMatchObject({ tag: 'unusable', error: { code: 'ERR0701', file: dataDir } });
    expect(JSON.stringify(outcome)).toContain(why);
    expect(statSync(dataDir).mode & 0o7777).toBe(mode);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it.each([
    ['a pid that is somebody else by now', { ...proofOfSelf(), startTicks: 1, nonce: 'ab' }],
    ['another boot', { ...proofOfSelf(), bootId: 'before', nonce: 'ab' }],
    ['nothing that a supervisor wrote', 'garbage'],
    ['nothing at all', ''],
  ])('a lock file that names %s does not hold the lock', (_, content) => {
    mkdirSync(dataDir);
    writeFileSync(
      join(dataDir, 'supervisor.lock'),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
    expect(acquireLock(dataDir)).toMatchObject({ tag: 'acquired' });
    expect(readdirSync(dataDir).sort()).toEqual(['reserve', 'sup.pid', 'supervisor.lock']);
    expect(JSON.parse(readFileSync(join(dataDir, 'supervisor.lock'), 'utf8'))).toMatchObject({
      pid: process.pid,
    });
  });

  it('the lock of an unusable directory is ERR0701', () => {
    writeFileSync(dataDir, 'a file');
    expect(acquireLock(dataDir)).toMatchObject({
      tag: 'unusable',
      error: { code: 'ERR0701', file: dataDir },
    });
    expect(acquireLock('/proc/nowhere')).toMatchObject({ tag: 'unusable', error: { code: 'ERR0701' } });
    mkdirSync(join(root, 'odd', 'supervisor.lock'), { recursive: true });
    expect(acquireLock(join(root, 'odd'))).toMatchObject({ tag: 'unusable', error: { code: 'ERR0701' } });
  });
});

describe('a lock held for a stop', () => {
  it('a lock held for a stop says so while its holder lives and has not released it', () => {
    expect(stopInProgress(dataDir)).toBeUndefined();
    const outcome = acquireLock(dataDir, { purpose: 'stop' });
    if (outcome.tag !== 'acquired') throw new Error(outcome.tag);
    expect(stopInProgress(dataDir)).toBe(process.pid);
    const file = join(dataDir, 'supervisor.lock');
    const held = readFileSync(file, 'utf8');
    writeFileSync(file, held.replace(/"startTicks":\d+/, '"startTicks":1'));
    expect(stopInProgress(dataDir)).toBeUndefined();
    writeFileSync(file, held);
    outcome.lock.release();
    expect(stopInProgress(dataDir)).toBeUndefined();
  });

  it('a lock held by a supervisor is not held for a stop', () => {
    const outcome = acquireLock(dataDir);
    if (outcome.tag !== 'acquired') throw new Error(outcome.tag);
    expect(stopInProgress(dataDir)).toBeUndefined();
    outcome.lock.release();
  });
});

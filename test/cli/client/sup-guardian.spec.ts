// The script alone, over programs that end as they are told. Its pauses are those that it asks of `sleep`, which here is
// one that notes them and returns at once.
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statOf } from '../../../src/os/proc/process-stat.ts';
import { guardianOf, wardOf } from '../../../src/sources/process/guardian.ts';
import { nameOfProcess } from '../../../src/os/proc/process-facts.ts';
import { layoutOf } from '../../../src/streams/wire/layout.ts';
import { holds } from '../../scenarios/support/eventually.ts';

let directory: string;
let begun: ChildProcess[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sup-guardian-'));
  begun = [];
});
afterEach(() => {
  begun.forEach((child) => child.kill('SIGKILL'));
  rmSync(directory, { recursive: true });
});

const program = (name: string, text: string): string => {
  const file = join(directory, name);
  // Another process may be about to execute the existing file.
  writeFileSync(`${file}.new`, `#!/bin/sh\n${text}\n`);
  chmodSync(`${file}.new`, 0o755);
  renameSync(`${file}.new`, file);
  return file;
};

const linesOf = (name: string): readonly string[] => {
  try {
    return readFileSync(join(directory, name), 'utf8').trimEnd().split('\n');
  } catch {
    return [];
  }
};

const SCRIPT = resolve('src/cli/client/sup-guardian.sh');

/**
 * Over a program that tells its arguments, and of which each line of `lives` is one life. `pause`: what its
 * `sleep` does after it has noted the pause.
 */
const guard = (lives: readonly string[], script = SCRIPT, pause = ''): ChildProcess => {
  program('sleep', `echo "$1" >>${directory}/pauses; ${pause}`);
  const cases = lives.map((life, at) => `--restarts=${at}) ${life};;`).join('\n');
  const ward = program('ward', `echo "$@" >>${directory}/told\ncase $1 in\n${cases}\nesac`);
  const child = spawn('/bin/sh', [script, directory, ward], {
    env: { PATH: `${directory}:${process.env['PATH'] ?? ''}` },
    stdio: 'ignore',
  });
  begun.push(child);
  return child;
};

const endOf = async (child: ChildProcess): Promise<unknown> => {
  await once(child, 'exit');
  return child.exitCode ?? child.signalCode;
};

const KILLED = 'kill -9 $$';

describe('the guardian', () => {
  it('the guardian restarts a killed supervisor with count and status, and ends after an orderly end', async () => {
    expect(await endOf(guard([KILLED, 'exit 70', 'exit 0']))).toBe(0);
    expect(linesOf('told')).toEqual([
      '--restarts=0 --ended=0',
      '--restarts=1 --ended=137',
      '--restarts=2 --ended=70',
    ]);
  });

  it.each([
    ['no option', []],
    ['one', ['--max-semi-space-size=2']],
    ['two', ['--max-semi-space-size=2', '--v8-pool-size=1']],
  ])('the guardian starts the program of an upgrade if its Node has %s', async (_, options) => {
    const [before, after] = ['before.js', 'the new one.js'].map((name) => program(name, ''));
    const told = (name: string, last: string): string =>
      program(name, `echo "${name}|$(IFS='|'; echo "$*")" >>${directory}/told\n${last}`);
    const [node, newer] = [told('node', KILLED), told('newer', 'exit 0')];
    writeFileSync(join(directory, 'supervisor.program'), `${newer}\n${String(after)}\n`);
    const words = [...options, String(before), '--guarded', '--a word of two'];
    const child = spawn('/bin/sh', [SCRIPT, directory, node, ...words], { stdio: 'ignore' });
    begun.push(child);
    expect(await endOf(child)).toBe(0);
    expect(linesOf('told')).toEqual([
      ['node', ...words, '--restarts=0', '--ended=0'].join('|'),
      ['newer', ...options, after, '--guarded', '--a word of two', '--restarts=1', '--ended=137'].join('|'),
    ]);
  });

  it('the guardian waits longer and longer while supervisors die soon', async () => {
    expect(await endOf(guard([...Array.from({ length: 7 }, () => KILLED), 'exit 0']))).toBe(0);
    expect(linesOf('pauses')).toEqual(['0.1', '1', '5', '30', '30', '30']);
  });

  it.each([0, 3])('the guardian ends with status %d', async (status) => {
    expect(await endOf(guard([`exit ${status}`]))).toBe(status);
    expect(linesOf('told')).toHaveLength(1);
  });

  it('the guardian ends when another supervisor has replaced a dead one', async () => {
    expect(await endOf(guard([KILLED, 'exit 3']))).toBe(3);
  });

  it('the guardian ends with the status of a first supervisor that could not start, and retries a later one', async () => {
    expect(await endOf(guard(['exit 1']))).toBe(1);
    expect(await endOf(guard([KILLED, 'exit 1', 'exit 0']))).toBe(0);
  });

  it('the guardian passes SIGTERM on and ends with its supervisor', async () => {
    const life = `trap 'echo term >>${directory}/heard; exit 0' TERM; echo >${directory}/up; while :; do /bin/sleep 0.02; done`;
    const child = guard([life]);
    await holds('it is up', () => linesOf('up').length > 0);
    child.kill('SIGTERM');
    expect(await endOf(child)).toBe(0);
    expect(linesOf('heard')).toEqual(['term']);
  });

  const pausing = async (lives: readonly string[]): Promise<ChildProcess> => {
    const child = guard(lives, SCRIPT, 'exec /bin/sleep 100');
    await holds('a pause', () => linesOf('pauses').length > 0);
    return child;
  };
  const dyingAtTerm = (): string =>
    `trap '${KILLED}' TERM; echo >${directory}/up; while :; do /bin/sleep 0.02; done`;

  it('the guardian ends at SIGQUIT during a pause', async () => {
    const child = await pausing([KILLED, KILLED, 'exit 0']);
    await holds('nobody but a sleep', () => wardOf({ pid: child.pid ?? 0, startTicks: 0 }) === undefined);
    child.kill('SIGQUIT');
    expect(await endOf(child)).toBe(137);
    expect(linesOf('told')).toHaveLength(2);
  });

  // Repeats the signal, since the guardian passes it on only once it knows the pid of its supervisor.
  const dyingOfHangup = `while :; do kill -HUP $PPID; /bin/sleep 0.1; done`;

  it('the guardian restarts a supervisor despite an earlier SIGQUIT, which is for a pause', async () => {
    const life = `echo $$ >${directory}/up; kill -QUIT $PPID; ${dyingOfHangup}`;
    expect(await endOf(guard([life, 'exit 0']))).toBe(0);
    const [pid] = linesOf('up').map(Number);
    expect(pid).toBeGreaterThan(1);
    expect(statOf(pid ?? 0)).toBeUndefined();
    expect(linesOf('told')).toEqual(['--restarts=0 --ended=0', '--restarts=1 --ended=129']);
  });

  it('the guardian knows the exit status of fifty supervisors, also while signals arrive', async () => {
    // It takes its time between a signal and the look whether its ward is there, which is when the ward ends.
    const text = readFileSync('src/cli/client/sup-guardian.sh', 'utf8');
    const slow = text.replace('status=$?', 'status=$?; i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done');
    expect(slow).not.toBe(text);
    writeFileSync(join(directory, 'slow.sh'), slow);
    const lives = Array.from({ length: 50 }, (_, at) => {
      const between = `i=0; while [ $i -lt ${at * 20} ]; do i=$((i+1)); done`;
      return `kill -USR1 $PPID; ${between}; ${dyingOfHangup}`;
    });
    expect(await endOf(guard([...lives, 'exit 0'], join(directory, 'slow.sh')))).toBe(0);
    const [first, ...told] = linesOf('told');
    expect(first).toBe('--restarts=0 --ended=0');
    expect(told).toEqual(lives.map((_, at) => `--restarts=${at + 1} --ended=129`));
  });

  it('the guardian at SIGTERM during a pause starts a supervisor that continues the end', async () => {
    const child = await pausing([KILLED, KILLED, 'exit 0']);
    child.kill('SIGTERM');
    expect(await endOf(child)).toBe(0);
    expect(linesOf('told')[2]).toBe('--restarts=2 --ended=137 --ending');
  });

  it('the guardian restarts a supervisor that is killed during its end, to continue it', async () => {
    const child = guard([dyingAtTerm(), 'exit 0']);
    await holds('it is up', () => linesOf('up').length > 0);
    child.kill('SIGTERM');
    expect(await endOf(child)).toBe(0);
    expect(linesOf('told')).toEqual(['--restarts=0 --ended=0', '--restarts=1 --ended=137 --ending']);
  });

  it.each([
    ['TERM', 'kill -TERM $$'],
    ['INT', 'exit 130'],
  ])('the guardian continues the end of a SIG%s that arrived before it could be handled', async (_, life) => {
    expect(await endOf(guard([life, 'exit 0']))).toBe(0);
    expect(linesOf('told')[1]).toMatch(/^--restarts=1 --ended=1[34][03] --ending$/);
  });

  it('the guardian gives up on an end that no supervisor completes', async () => {
    const child = guard([dyingAtTerm(), ...Array.from({ length: 9 }, () => KILLED)]);
    await holds('it is up', () => linesOf('up').length > 0);
    child.kill('SIGTERM');
    expect(await endOf(child)).toBe(137);
    expect(linesOf('told')).toHaveLength(4);
    expect(linesOf('pauses')).toEqual([]);
  });

  it('the guardian is found by its data directory and its name if a lock file exists', async () => {
    const child = guard([`echo >${directory}/up; exec /bin/sleep 100`]);
    await holds('it is up', () => linesOf('up').length > 0);
    const pid = child.pid ?? 0;
    expect(guardianOf(directory)).toBeUndefined();
    writeFileSync(layoutOf(directory).lock, '');
    expect(guardianOf(directory)).toEqual({ pid, startTicks: statOf(pid)?.startTicks });
    expect(guardianOf(`${directory}/other`)).toBeUndefined();
    expect(nameOfProcess(pid)).toBe('sup-guardian');
    child.kill('SIGTERM');
    await endOf(child);
  });
});

it('the guardian starts the program of an upgrade instead of its own', async () => {
  const newer = program('newer', `echo "$0 $@" >>${directory}/told; exit 0`);
  const older = program('older', `echo "$0 $@" >>${directory}/told; ${KILLED}`);
  const shell = program('shell', 'exec /bin/sh "$2" "$3" "$4" "$5"');
  const successor = `${shell}\n${newer}\n`;
  writeFileSync(layoutOf(directory).successor, successor);
  const words = [SCRIPT, directory, shell, '--flag', older, '--guarded'];
  const child = spawn('/bin/sh', words, { stdio: 'ignore' });
  begun.push(child);
  expect(await endOf(child)).toBe(0);
  expect(linesOf('told')).toEqual([
    `${older} --guarded --restarts=0 --ended=0`,
    `${newer} --guarded --restarts=1 --ended=137`,
  ]);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/command-line.ts';
import { fakeWorld, type Heard } from './support/fake-world.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'sup-run-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const spoken = async (line: readonly string[]): Promise<{ status: number | undefined; heard: Heard }> => {
  const heard = fakeWorld({
    environment: { SUP_DATA_DIR: join(directory, 'data') },
    directory,
    uid: process.getuid?.() ?? 0,
  });
  return { status: await run(line, heard.world), heard };
};

describe('a command line', () => {
  it('an invalid command line ends with 2, an error and a hint', async () => {
    const { status, heard } = await spoken(['strat']);
    expect(status).toBe(2);
    expect(heard.err()).toBe('ERR0200 unknown command "strat"\n  did you mean "start"?\n');
    expect(heard.out()).toBe('');
  });

  it('an invalid command line is a document with --json', async () => {
    const { status, heard } = await spoken(['status', '--nope', '--json']);
    expect(status).toBe(2);
    expect(JSON.parse(heard.err())).toMatchObject({
      schema: 'sup.error/1',
      error: { code: 'ERR0200', path: null, at: null },
    });
  });

  it('a command line without a command shows the help on standard error and ends with 2', async () => {
    const { status, heard } = await spoken([]);
    expect(status).toBe(2);
    expect(heard.err()).toContain('sup <command> [options]');
    expect(heard.out()).toBe('');
  });

  it('a request for help prints it and ends with 0', async () => {
    const { status, heard } = await spoken(['start', '--help']);
    expect(status).toBe(0);
    expect(heard.out()).toContain('--daemonize');
    expect(heard.err()).toBe('');
  });

  it('a request for the version works without a supervisor', async () => {
    expect((await spoken(['--version'])).heard.out()).toBe('sup 9.9.9\n');
    expect((await spoken(['version'])).heard.out()).toBe('sup 9.9.9\nno supervisor is running\n');
    expect(JSON.parse((await spoken(['version', '--json'])).heard.out())).toMatchObject({
      schema: 'sup.version/1',
      version: '9.9.9',
      supervisor: null,
      installation: { kind: 'clone', directory: '/nowhere' },
      node: { version: process.version, path: process.execPath },
      ffi: { kind: expect.any(String) as string },
    });
  });

  it.each([['plan'], ['metrics'], ['wait'], ['forget', 'x.yaml'], ['stop'], ['shutdown']])(
    'a command that needs a supervisor says that none is running: sup %s',
    async (...line) => {
      const { status, heard } = await spoken(line);
      expect(status).toBe(1);
      expect(heard.err()).toMatch(/^ERR0206 /);
    },
  );

  it('status ends with 3 without a supervisor, with an empty, valid document', async () => {
    const { status, heard } = await spoken(['status', '--json']);
    expect(status).toBe(3);
    expect(JSON.parse(heard.out())).toEqual({
      schema: 'sup.status/1',
      supervisor: {
        running: false,
        pid: null,
        version: null,
        since: null,
        restarts: null,
        process_start: null,
        warnings: [],
      },
      projects: [],
    });
    const watched = await spoken(['status', '--watch']);
    expect(watched.status).toBe(3);
    // Into a pipe the live view is documents, and so is what stands in for it.
    expect(JSON.parse(watched.heard.out())).toMatchObject({ schema: 'sup.status/1' });
  });

  it('start names a missing manifest and starts nothing', async () => {
    const { status, heard } = await spoken(['start', '-c', 'nowhere.yaml']);
    expect(status).toBe(1);
    expect(heard.err()).toMatch(/^ERR0203 .*nowhere\.yaml/);
    const bare = await spoken(['start']);
    expect(bare.status).toBe(1);
    expect(bare.heard.err()).toMatch(/^ERR0203 .*sup\.yaml/);
  });

  it('start refuses a broken manifest with its problems and starts nothing', async () => {
    writeFileSync(join(directory, 'broken.yaml'), 'version: 2\nservices:\n  web:\n    comand: x\n');
    const { status, heard } = await spoken(['start', '-c', 'broken.yaml']);
    expect(status).toBe(1);
    expect(heard.err()).toContain('ERR0211');
    expect(heard.err()).toContain('broken.yaml:4:5');
    expect(heard.err()).toContain('did you mean');
    expect((await spoken(['status'])).status).toBe(3);
  });

  it.each([
    [['start', '--name', 'x'], '--name needs a command'],
    [
      ['start', '-p', 'shop', '--', 'true'],
      'ERR0204 a command behind -- excludes services, -c, -p, -s, --profile and --here',
    ],
    [['validate', 'a.yaml', '-c', 'b.yaml'], 'ERR0204 "a.yaml" and -c name two manifests'],
    [['config', '-c', 'a.yaml', '-c', './a.yaml'], '/a.yaml twice'],
    [['config', '-c', 'a.yaml', '--profile', ' '], 'ERR0200 --profile needs a value'],
    [['help', 'ps'], 'use: sup status'],
    [['logs', '-n', 'many'], '--lines "many" is not a whole number'],
    [['completion', 'csh'], 'no completion for "csh"'],
  ])('%j is refused as a usage error', async (line, message) => {
    const { status, heard } = await spoken(line);
    expect(status).toBe(2);
    expect(heard.err()).toContain(message);
  });

  it('help takes the name of a command', async () => {
    const { status, heard } = await spoken(['help', 'logs']);
    expect([status, heard.err()]).toEqual([0, '']);
    expect(heard.out()).toContain('--follow');
    expect((await spoken(['help'])).heard.out()).toContain('shutdown');
  });

  it('a selection of this directory without a manifest says so', async () => {
    for (const line of [['stop', '--here'], ['validate'], ['supervise', '-c', 'nowhere.yaml']]) {
      const { status, heard } = await spoken(line);
      expect([status, heard.err()]).toEqual([1, expect.stringMatching(/^ERR0203 .*\.yaml/)]);
    }
  });

  it('the hidden command completes a command line', async () => {
    expect((await spoken(['__complete', 'shut'])).heard.out()).toBe('shutdown\n');
  });
});

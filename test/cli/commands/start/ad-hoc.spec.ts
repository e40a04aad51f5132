import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freeName, readLine, stageAdHoc, suggestedName } from '../../../../src/cli/commands/start/ad-hoc.ts';
import { loadManifest } from '../../../../src/manifest/load.ts';

let units: string;
beforeEach(() => {
  units = join(mkdtempSync(join(tmpdir(), 'sup-adhoc-')), 'units');
});
afterEach(() => rmSync(join(units, '..'), { recursive: true }));

describe('a typed command as a manifest', () => {
  it.each([
    ['/usr/bin/sleep', 'sleep'],
    ['./my server.sh', 'my-server.sh'],
    ['.hidden', 'hidden'],
    ['...', 'command'],
  ])('a typed command gets a name from %s', (program, name) => {
    expect(suggestedName(program)).toBe(name);
  });

  it('a typed command gets an unused name', () => {
    expect(freeName('web', new Set())).toBe('web');
    expect(freeName('web', new Set(['web', 'web-2']))).toBe('web-3');
  });

  it('a typed command loads as exactly that command in that directory, whatever its words contain', () => {
    const argv = ['sh', '-c', 'echo "${HOME}" \\ : # {a}', 'it\'s "quoted"', '', '- x'];
    const path = stageAdHoc(units, { words: argv, name: undefined, directory: '/tmp' }, []);
    const { manifest, problems } = loadManifest(path, {
      environment: {},
      uid: process.getuid?.() ?? 0,
      sys: false,
    });
    expect(problems).toEqual([]);
    expect(manifest?.services).toMatchObject([
      { id: '__loose__/sh', launch: { tag: 'exec', argv }, workingDir: '/tmp' },
    ]);
  });

  it('the manifest of a typed command is readable by its owner only', () => {
    const path = stageAdHoc(units, { words: ['true'], name: 'mine', directory: '/' }, []);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(units).mode & 0o777).toBe(0o700);
    expect(readFileSync(path, 'utf8')).toContain('version: "2"');
  });

  it('a typed command never replaces an existing manifest', () => {
    const again = { words: ['true'], name: undefined, directory: '/' };
    const paths = [1, 2, 3].map(() => stageAdHoc(units, again, ['true-2']));
    expect(paths.map((path) => path.slice(units.length))).toEqual([
      '/true.yaml',
      '/true-3.yaml',
      '/true-4.yaml',
    ]);
  });

  it.each(['has space', '-x', 'a/b', ''])('a typed command refuses the name %j', (name) => {
    expect(() => stageAdHoc(units, { words: ['true'], name, directory: '/' }, [])).toThrow(/ERR0200/);
  });

  it('a typed command refuses a name in use and says where', () => {
    const web = { words: ['true'], name: 'web', directory: '/' };
    expect(() => stageAdHoc(units, web, ['web'])).toThrow(/taken by a loose service/);
    stageAdHoc(units, web, []);
    expect(() => stageAdHoc(units, web, ['web'])).toThrow(/taken by an earlier command/);
  });

  it('assignments in front of a typed command are its variables, as with env', () => {
    const words = ['A=1', 'B=$HOME ${X} "q"', 'EMPTY=', 'env', 'C=3'];
    const path = stageAdHoc(units, { words, name: undefined, directory: '/' }, []);
    const { manifest } = loadManifest(path, { environment: {}, uid: process.getuid?.() ?? 0, sys: false });
    expect(manifest?.services).toMatchObject([
      {
        id: '__loose__/env',
        launch: { tag: 'exec', argv: ['env', 'C=3'] },
        env: { vars: { A: '1', B: '$HOME ${X} "q"', EMPTY: '' } },
      },
    ]);
  });

  it('a typed command without a program is refused', () => {
    expect(() => readLine(['A=1'])).toThrow(/no command/);
    expect(readLine(['1A=x'])).toEqual({ vars: {}, argv: ['1A=x'] });
  });
});

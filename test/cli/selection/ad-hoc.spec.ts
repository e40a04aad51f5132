import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freeName, stageAdHoc, suggestedName } from '../../../src/cli/selection/ad-hoc.ts';
import { loadManifest } from '../../../src/sources/manifest/load.ts';

let units: string;
beforeEach(() => {
  units = join(mkdtempSync(join(tmpdir(), 'sup-adhoc-')), 'units');
});
afterEach(() => rmSync(join(units, '..'), { recursive: true }));

describe('a command that is staged as a manifest', () => {
  it.each([
    ['/usr/bin/sleep', 'sleep'],
    ['./my server.sh', 'my-server.sh'],
    ['.hidden', 'hidden'],
    ['...', 'command'],
  ])('gets a name from %s', (program, name) => {
    expect(suggestedName(program)).toBe(name);
  });

  it('gets a name that nobody has', () => {
    expect(freeName('web', new Set())).toBe('web');
    expect(freeName('web', new Set(['web', 'web-2']))).toBe('web-3');
  });

  it('loads as exactly that command in that directory, whatever is in its words', () => {
    const argv = ['sh', '-c', 'echo "${HOME}" \\ : # {a}', 'it\'s "quoted"', '', '- x'];
    const path = stageAdHoc(units, { argv, name: undefined, directory: '/tmp' }, []);
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

  it('is nobody else’s to read', () => {
    const path = stageAdHoc(units, { argv: ['true'], name: 'mine', directory: '/' }, []);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(units).mode & 0o777).toBe(0o700);
    expect(readFileSync(path, 'utf8')).toContain('version: "2"');
  });

  it('never replaces one that is there', () => {
    const again = { argv: ['true'], name: undefined, directory: '/' };
    const paths = [1, 2, 3].map(() => stageAdHoc(units, again, ['true-2']));
    expect(paths.map((path) => path.slice(units.length))).toEqual([
      '/true.yaml',
      '/true-3.yaml',
      '/true-4.yaml',
    ]);
  });

  it.each(['has space', '-x', 'a/b', ''])('refuses the name %j', (name) => {
    expect(() => stageAdHoc(units, { argv: ['true'], name, directory: '/' }, [])).toThrow(/ERR0200/);
  });

  it('refuses a name that is taken', () => {
    expect(() => stageAdHoc(units, { argv: ['true'], name: 'web', directory: '/' }, ['web'])).toThrow(
      /taken/,
    );
  });
});

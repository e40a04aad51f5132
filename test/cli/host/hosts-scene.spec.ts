// The live view of several machines: one table, and a line for each machine.
import { describe, expect, it } from 'vitest';
import {
  hostsAfter,
  type HostsInput,
  hostsLines,
  type HostsScene,
} from '../../../src/cli/host/hosts-scene.ts';
import { readLine } from '../../../src/cli/grammar/read-line.ts';
import { NOTHING } from '../../../src/client/live-model.ts';
import { projectOf, serviceOf } from '../support/documents.ts';
import { fakeWorld } from '../support/fake-world.ts';

const SIZE = { columns: 100, rows: 12 };

const FIRST: HostsScene = {
  hosts: new Map(['web1', 'web2'].map((host) => [host, { model: NOTHING }])),
  ...{ size: SIZE, top: 0 },
};

const after = (...inputs: readonly HostsInput[]): HostsScene => inputs.reduce(hostsAfter, FIRST);

const pageOf = (scene: HostsScene): readonly string[] => {
  const line = ['status', '--watch', '--host', 'web1', '--host', 'web2'];
  const reading = readLine(line);
  if (reading.tag !== 'parsed') throw new Error('the line is not understood');
  const { world } = fakeWorld({ terminal: SIZE, environment: { NO_COLOR: '1' } });
  const command = { line, parsed: reading.parsed, world, report: () => 1 as const };
  return hostsLines(scene, { command, width: 4 });
};

const seen = (host: string, ...names: readonly string[]): HostsInput => ({
  ...{ tag: 'seen', host },
  view: {
    full: true,
    projects: [projectOf(names.map((name) => serviceOf({ name })))],
    gone: [],
  },
});

const failing = (host: string): HostsInput => ({
  ...{ tag: 'seen', host },
  view: {
    full: true,
    projects: [projectOf([serviceOf({ name: 'bad', state: 'failed' })])],
    gone: [],
  },
});

describe('the live view of several machines', () => {
  it('says of each machine what is known, and has the rows in trouble first', () => {
    const lines = pageOf(after(seen('web1', 'api'), failing('web2')));
    expect(lines).toHaveLength(SIZE.rows);
    expect(lines.slice(0, 3)).toEqual([
      'web1  1 service, 1 running, 0 in trouble',
      'web2  1 service, 0 running, 1 in trouble',
      '',
    ]);
    expect(lines[3]).toMatch(/^HOST {2}SERVICE +STATE/);
    expect(lines[4]).toMatch(/^web2 {2}shop\/bad +failed/);
    expect(lines[5]).toMatch(/^web1 {2}shop\/api +running/);
    expect(lines.at(-1)).toBe('q quit');
  });

  it('a machine that fails is a line, and hides no other', () => {
    const lost = after(
      seen('web1', 'api'),
      seen('web2', 'api'),
      { tag: 'noted', host: 'web2', note: 'ERR0235 the connection to web2 was lost' },
      { tag: 'ended', host: 'web2' },
    );
    expect(pageOf(lost)[1]).toBe('web2  ERR0235 the connection to web2 was lost');
    expect(pageOf(lost).filter((line) => line.includes('shop/api'))).toEqual([
      expect.stringMatching(/^web1 /) as string,
    ]);
    expect(pageOf(hostsAfter(lost, seen('web2', 'api')))[1]).toBe('web2  1 service, 1 running, 0 in trouble');
  });

  it('a machine without a supervisor shows what was recorded, and says so', () => {
    const input = { ...seen('web2', 'api'), note: 'no supervisor is running' };
    expect(pageOf(after(input))[1]).toBe(
      'web2  1 service, 1 running, 0 in trouble; no supervisor is running',
    );
  });

  it('a table that does not fit scrolls, and stays within its rows', () => {
    const names = Array.from({ length: 20 }, (_, at) => `s${at}`);
    const scene = after(seen('web1', ...names));
    expect(pageOf(scene).at(-1)).toBe('↑↓ scroll  q quit  rows 1 to 7 of 20');
    const keys = (...typed: readonly string[]): string | undefined =>
      pageOf(hostsAfter(scene, { tag: 'keys', keys: typed })).at(-1);
    expect(keys('down', 'j')).toContain('rows 3 to 9 of 20');
    expect(keys('G', 'down')).toContain('rows 14 to 20 of 20');
    expect(keys('up')).toContain('rows 1 to 7 of 20');
  });
});

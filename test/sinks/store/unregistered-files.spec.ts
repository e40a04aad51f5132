import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { leftoversIn, removeAside, setAside } from '../../../src/sinks/store/unregistered-files.ts';
import { LOOSE, projectId, serviceId } from '../../../src/streams/domain/ids.ts';
import { layoutOf } from '../../../src/streams/wire/layout.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sup-leftovers-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const lay = (...files: readonly string[]): void =>
  files.forEach((file) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), 'x');
  });

const registered = {
  projects: new Set([projectId('shop')]),
  services: new Set([serviceId(projectId('shop'), 'web'), serviceId(LOOSE, 'here')]),
};
const left = (query: Parameters<typeof leftoversIn>[2] = { kinds: ['logs', 'state'] }): readonly string[] =>
  leftoversIn(layoutOf(root), registered, query).map(({ path }) => path.slice(root.length + 1));

describe('leftovers in a data directory', () => {
  it('a missing directory has no leftovers', () => {
    rmSync(root, { recursive: true });
    expect(left()).toEqual([]);
  });

  it('leftovers are the directories of projects that are not registered', () => {
    lay('logs/old/web.log', 'logs/shop/web.log', 'logs/shop/gone.log', 'projects/old/state.json');
    lay('projects/older/run/web.stdout', 'projects/shop/state.json');
    expect(left()).toEqual(['logs/old', 'projects/old', 'projects/older']);
    expect(left({ kinds: ['state'], projects: ['old'] })).toEqual(['projects/old']);
    expect(left({ kinds: ['logs'], projects: ['shop', 'older'] })).toEqual([]);
  });

  it('leftovers are the files of loose services that are not registered', () => {
    lay('logs/__loose__/here.log', 'logs/__loose__/here.log.1', 'logs/__loose__/gone.log.2');
    lay('projects/__loose__/run/gone+.stderr', 'projects/__loose__/run/here.stdout');
    lay('projects/__loose__/state.json', 'projects/__loose__/run/note.txt');
    expect(left()).toEqual(['logs/__loose__/gone.log.2', 'projects/__loose__/run/gone+.stderr']);
  });

  it('leftovers are no files of the supervisor, no links, and no files of another user', () => {
    lay('logs/events.jsonl', 'logs/supervisor-2026-11-21.log', 'logs/.hidden/x', 'logs/a b/x', 'else/x');
    symlinkSync(join(root, 'else'), join(root, 'logs/linked'));
    expect(left()).toEqual([]);
  });
});

describe('setting leftovers aside', () => {
  it('leftovers are set aside at once, each in its own place', () => {
    lay('logs/old/web.log', 'projects/old/state.json');
    const layout = layoutOf(root);
    const aside = setAside(layout, leftoversIn(layout, registered, { kinds: ['logs', 'state'] }));
    expect(left()).toEqual([]);
    expect(aside.map(({ project, kind }) => [project, kind])).toEqual([
      ['old', 'logs'],
      ['old', 'state'],
    ]);
    expect(aside.map((one) => readdirSync(one.aside))).toEqual([['web.log'], ['state.json']]);
  });

  it('without leftovers no place is made', () => {
    expect(setAside(layoutOf(root), [])).toEqual([]);
    expect(Object.values(layoutOf(root).purged).some((bin) => existsSync(bin))).toBe(false);
  });

  it('leftovers on another file system are set aside, and those of an earlier attempt are removed', async () => {
    const other = mkdtempSync('/dev/shm/sup-leftovers-');
    onTestFinished(() => rmSync(other, { recursive: true }));
    symlinkSync(other, join(root, 'logs'));
    lay('logs/old/web.log', 'projects/old/state.json');
    const layout = layoutOf(root);
    const leftovers = leftoversIn(layout, registered, { kinds: ['logs', 'state'] });
    const aside = setAside(layout, leftovers).map((one) => readdirSync(one.aside));
    expect([left(), aside]).toEqual([[], [['web.log'], ['state.json']]]);
    await removeAside(layout);
    expect([readdirSync(other), readdirSync(join(root, 'projects'))]).toEqual([[], []]);
  });
});

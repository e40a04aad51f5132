import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cgroupsLeft, removeCgroups } from '../../../../src/cli/commands/purge/leftover-runs.ts';
import { projectId, serviceId } from '../../../../src/streams/domain/ids.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sup-cgroups-'));
  for (const name of ['old:web', 'old:job', 'shop:web', 'plain']) mkdirSync(join(root, name));
});
afterEach(() => rmSync(root, { recursive: true }));

const registered = {
  projects: new Set([projectId('shop')]),
  services: new Set([serviceId(projectId('shop'), 'web')]),
};

it('cgroups of unregistered services are found like state', () => {
  const names = (query: Parameters<typeof cgroupsLeft>[1]): readonly string[] =>
    cgroupsLeft(registered, query, root).map(({ path }) => path.slice(root.length + 1));
  expect(names({ kinds: ['logs', 'state'] })).toEqual(['old:job', 'old:web']);
  expect([names({ kinds: ['logs'] }), names({ kinds: ['state'], projects: ['shop'] })]).toEqual([[], []]);
  expect(cgroupsLeft(registered, { kinds: ['state'] }, join(root, 'nowhere'))).toEqual([]);
});

it('empty cgroups of unregistered services are removed', () => {
  // In a plain directory a file takes the place of a process that prevents its removal.
  writeFileSync(join(root, 'old:web', 'somebody'), '');
  const gone = removeCgroups(cgroupsLeft(registered, { kinds: ['state'] }, root));
  expect(gone.map(({ path }) => path)).toEqual([join(root, 'old:job')]);
  expect(readdirSync(root).sort()).toEqual(['old:web', 'plain', 'shop:web']);
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manifests, withSlots } from '../../src/manifest/manifest-source.ts';
import { requestId } from '../../src/streams/domain/ids.ts';
import { ms } from '../../src/streams/domain/time.ts';
import { directoryWith, portsWith } from './loading.ts';
import { idOf, manifestOf, specOf } from '../support/spec.ts';

it('a manifests watch loads once per subscription, not before, and completes', async () => {
  const directory = directoryWith({ 'a.yaml': 'version: 1', 'b.yaml': 'version: 2' });
  const paths = ['a.yaml', 'b.yaml', 'none.yaml'].map((name) => join(directory, name));
  const request = requestId('r1');
  const loaded$ = manifests(portsWith())({ type: 'manifests', key: 'k', request, paths });
  writeFileSync(join(directory, 'a.yaml'), readFileSync(join(directory, 'b.yaml')));

  const events = await lastValueFrom(loaded$.pipe(toArray()), { defaultValue: [] });
  expect(events).toMatchObject([{ type: 'manifests-loaded', request, loads: [{}, {}, {}] }]);
  const [event] = events;
  const loads = event?.type === 'manifests-loaded' ? event.loads : [];
  expect(loads.map(({ manifest, problems }) => [manifest?.schema, problems[0]?.code])).toEqual([
    [2, undefined],
    [2, undefined],
    [undefined, 'ERR0203'],
  ]);
});

let statePath = '';
let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sup-kept-slots-'));
  statePath = join(root, 'slot');
});
afterEach(() => rmSync(root, { recursive: true }));

const slots = (): unknown => {
  const blueGreen = { envVar: 'SLOT', slots: ['1', '2'], switchCommand: 'true', statePath } as const;
  const web = specOf('web', { deployment: { strategy: 'rolling', gracePeriod: ms(0), blueGreen } });
  const manifest = manifestOf(web);
  return withSlots({ path: manifest.path, manifest, problems: [] }).slots;
};

describe('reading a slot file', () => {
  it.each([
    ['2\n', { [idOf('web')]: '2' }],
    [' 2 \nand more\n', { [idOf('web')]: '2' }],
    ['', undefined],
    ['\n2', undefined],
  ])('the content of a slot file is its first line: %j', (text, said) => {
    writeFileSync(statePath, text);
    expect(slots()).toEqual(said);
  });

  it('the content of a missing slot file is empty', () => {
    expect(slots()).toBeUndefined();
  });

  it.each([
    ['a directory', () => execFileSync('mkdir', [statePath])],
    ['a pipe that nobody writes to', () => execFileSync('mkfifo', [statePath])],
    ['a device', () => execFileSync('ln', ['-s', '/dev/zero', statePath])],
  ])('the content of a slot file that is %s is empty, without a wait', (_, make) => {
    make();
    expect(slots()).toBeUndefined();
  });
});

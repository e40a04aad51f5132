import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toArray, lastValueFrom } from 'rxjs';
import { expect, it } from 'vitest';
import { manifests } from '../../src/manifest/manifest-source.ts';
import { requestId } from '../../src/streams/domain/ids.ts';
import { directoryWith, portsWith } from './loading.ts';

it('a manifests watch loads when it is subscribed to, not before, once, and completes', async () => {
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

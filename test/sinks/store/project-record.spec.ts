import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProjectRecord } from '../../../src/sinks/store/project-record.ts';
import { registryWriter } from '../../../src/sinks/store/registry-writer.ts';
import { readState } from '../../../src/sources/store/read-project-record.ts';
import { currentBoot } from '../../../src/os/proc/machine-facts.ts';
import { layoutOf } from '../../../src/streams/wire/layout.ts';
import { REGISTRY_SCHEMA, STATE_SCHEMA } from '../../../src/streams/wire/state-files.ts';
import { SHOP } from '../../support/spec.ts';
import { serviceIn } from '../../support/states.ts';

let dataDir: string;
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'kept-'))));
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const put = (file: string, document: object): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(document));
};
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

describe('keys of a newer version', () => {
  it('keys that a newer version wrote into a state file survive a write of an older version', () => {
    const layout = layoutOf(dataDir);
    const file = layout.projectState(SHOP);
    const service = { ...serviceIn('up'), mood: 'good' };
    put(file, { schema: STATE_SCHEMA, boot_id: currentBoot(), services: [service], season: 'spring' });
    const { value } = readState(layout, SHOP);
    const record = new ProjectRecord(dataDir, SHOP);
    record.begin(value?.services ?? []);
    expect(read(file)).toMatchObject({ season: 'spring', services: [{ mood: 'good' }] });
    record.conclude(value?.services ?? []);
    expect(read(file)).toMatchObject({ season: 'spring', services: [{ mood: 'good' }] });
  });

  it('keys that a newer version wrote into the registry survive another list', async () => {
    const file = layoutOf(dataDir).registry;
    put(file, { schema: REGISTRY_SCHEMA, manifests: [], season: 'spring' });
    const now = { manifests: ['/a.yaml'], projects: [] };
    const flushed$ = registryWriter({ dataDir, logError: () => undefined }).flush(now);
    await lastValueFrom(flushed$, { defaultValue: undefined });
    expect(read(file)).toEqual({ schema: REGISTRY_SCHEMA, ...now, season: 'spring' });
  });
});

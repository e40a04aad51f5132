import { describe, expect, it } from 'vitest';
import { snapshotReader } from '../../../src/supervisor/followers/snapshots.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { kernel } from '../../support/kernel.ts';
import { idOf, specOf } from '../../support/spec.ts';

const hello = { protocol: 1, version: '1.2.3', pid: 42, since: '2026-11-21T05:30:15.123Z' } as const;

describe('the snapshot of a supervisor', () => {
  it('the snapshot has the latest state whenever it is read', () => {
    const sup = kernel();
    const clock = { now: () => instant(7) };
    const read = snapshotReader({
      read: sup.state,
      hello: hello,
      dataDir: '/data',
      sys: false,
      clock,
      means: () => 'node',
      troubles: () => [],
    });
    expect(read().services).toEqual([]);
    sup.start(specOf('web'));
    expect(read()).toMatchObject({ now: 7, dataDir: '/data', supervisor: { pid: 42, version: '1.2.3' } });
    expect(read().byId(idOf('web'))?.actual.tag).toBe('spawning');
  });

  it('the snapshot names the manifests that do not load now', () => {
    const sup = kernel();
    const bad = { code: 'ERR0210', severity: 'error', path: 'services', message: 'no' } as const;
    const registered = [{ path: '/shop/sup.yaml', load: { path: '/shop/sup.yaml', problems: [bad] } }];
    sup.post({
      type: 'booted',
      settings: sup.state().settings,
      registered,
      restored: [],
      found: [],
      sameBoot: true,
      warnings: ['careful'],
    });
    const clock = { now: () => instant(0) };
    const read = snapshotReader({
      read: sup.state,
      hello: hello,
      dataDir: '/data',
      sys: false,
      clock,
      means: () => 'node',
      troubles: () => [],
    });
    expect(read().supervisor.warnings).toEqual([
      'careful',
      expect.stringContaining('/shop/sup.yaml is invalid; its services keep its last valid version'),
    ]);
  });

  it('the snapshot names keys that are not applied if the C library is unavailable', () => {
    const sup = kernel();
    const ports = {
      ...{ read: sup.state, dataDir: '/data', sys: false, clock: { now: () => instant(0) } },
      ...{ means: () => 'node' as const, troubles: () => [] },
    };
    const read = snapshotReader({ ...ports, hello: { ...hello, no_calls: 'no such package' } });
    sup.start(specOf('web'));
    expect(read().supervisor.warnings).toEqual([]);
    const limited = { supplementaryGroups: [], limits: { nofile: 100 } };
    sup.start(specOf('limited', { privilege: limited }));
    expect(read().supervisor.warnings).toEqual([
      expect.stringContaining(
        'not carried out without calls to the C library (no such package): limits.nofile (shop/limited);',
      ),
    ]);
    expect(snapshotReader({ ...ports, hello })().supervisor.warnings).toEqual([]);
  });
});

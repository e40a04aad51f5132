import { describe, expect, it } from 'vitest';
import { offlineService } from '../../src/client/offline-status.ts';
import { afterReboot } from '../../src/sources/store/read-saved-state.ts';
import type { Service } from '../../src/streams/domain/service/service.ts';
import { serviceDocument } from '../../src/streams/views/service-document.ts';
import { NOW, serviceIn, STATES } from '../support/states.ts';

const shown = (service: Service): ReturnType<typeof serviceDocument> =>
  offlineService(serviceDocument(service, { now: NOW, byId: () => undefined }), service);

describe('the status of a service without a supervisor', () => {
  it('without a supervisor health is unknown, and a service whose process is gone is lost', () => {
    const up = serviceIn('up');
    const healthy = { ...up, actual: { ...STATES.up, health: { health: 'healthy', failures: 0 } } } as const;
    expect(shown(healthy)).toMatchObject({ state: 'lost', health: 'unknown', pid: null });
  });

  it('without a supervisor a service of an earlier boot has no pid', () => {
    const rebooted = shown(afterReboot(serviceIn('up')));
    expect(rebooted).toMatchObject({
      state: 'lost',
      pid: null,
      reason: 'was running before the machine was rebooted',
    });
  });

  it('without a supervisor a service still counts as started if only the end of the supervisor stopped it', () => {
    const stopped = { ...serviceIn('down'), actual: { tag: 'down', why: { tag: 'asked' } } } as const;
    expect(shown({ ...stopped, wanted: 'down', resume: true })).toMatchObject({ wanted: 'up' });
    expect(shown({ ...stopped, wanted: 'down' })).toMatchObject({ wanted: 'down' });
  });

  it('without a supervisor a service is unhealthy if its last recorded run failed', () => {
    const schedule = { runs: [{ due: NOW, result: 'failure', endedAt: NOW }] } as const;
    expect(shown({ ...serviceIn('scheduled', { kind: 'cron' }), schedule })).toMatchObject({
      state: 'scheduled',
      health: 'unhealthy',
    });
  });
});

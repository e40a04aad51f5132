import { describe, expect, it } from 'vitest';
import { ms } from '../../../../src/streams/domain/time.ts';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import { INITIAL_STATE } from '../../../../src/streams/kernel/state.ts';
import { graphOf } from '../../../../src/streams/kernel/register-manifests.ts';
import { serviceTableOf } from '../../../../src/streams/kernel/service-table.ts';
import { step, type Step } from '../../../../src/streams/kernel/step.ts';
import { requestId } from '../../../../src/streams/domain/ids.ts';
import { kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, specOf } from '../../../support/spec.ts';
import { BEGAN, NOW, serviceIn } from '../../../support/states.ts';

const HOUR = 3_600_000;

describe('a command during a clock change', () => {
  it('a failure of an earlier scheduled run stays out of the answer if the clock is set back', () => {
    const sup = kernel();
    const cron = { expression: '0 0 * * *', timezone: 'utc' } as const;
    const job = specOf('job', { kind: 'cron', cron });
    const manifest = manifestOf(specOf('web'), job);
    sup.start(specOf('web'), job);
    sup.up('web');
    sup.load(sup.ask({ type: 'start', selection: { services: ['job'] } }), manifest);
    sup.up('job');
    sup.exit('job', 1);
    expect(sup.service('job').schedule.runs).toMatchObject([{ result: 'failure' }]);
    sup.drain();
    sup.pass(1_000);
    sup.load(sup.ask({ type: 'restart', selection: {} }), manifest);
    expect(sup.tags('web', 'job')).toEqual(['stopping', 'scheduled']);
    sup.post({ type: 'clock-set', by: ms(-HOUR) });
    sup.exit('web', 143);
    sup.up('web');
    expect(sup.replies()).toMatchObject([{ ok: true }]);
  });

  it('a failure of an earlier rollout stays out of the answer if the clock is set back', () => {
    const error = { code: 'ERR0115', service: idOf('web'), old: 'serves' } as const;
    const failed = {
      ...{ strategy: 'rolling', outcome: 'failed', error, ended: BEGAN, old: 1 },
      stages: [{ step: 'starting', at: BEGAN }],
    } as unknown as NonNullable<Service['rollouts']>[number];
    const [db, web] = [serviceIn('up', specOf('db')), { ...serviceIn('starting'), rollouts: [failed] }];
    const serviceTable = serviceTableOf([db, web]);
    const manifest = manifestOf(specOf('db'), web.spec);
    const state = {
      ...INITIAL_STATE,
      serviceTable,
      graph: graphOf(serviceTable),
      manifests: { [manifest.path]: [] },
    };
    const request = requestId('client:1');
    const events = [
      { type: 'requested', request, command: { type: 'restart', selection: {} } },
      { type: 'manifests-loaded', request, loads: [{ path: manifest.path, manifest, problems: [] }] },
      { type: 'clock-set', by: ms(-HOUR) },
      { type: 'request-expired', request },
    ] as const;
    const begun = { state, effects: [] } as unknown as Step;
    const last = events.reduce((made, event) => step(made.state, { at: NOW, event }), begun);
    expect(JSON.stringify(last.effects)).not.toContain('ERR0115');
    expect(last.state.requests[request]).toMatchObject({ turn: idOf('web') });
  });
});

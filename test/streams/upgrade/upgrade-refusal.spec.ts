import { describe, expect, it } from 'vitest';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { withRollout } from '../../../src/streams/rollout/two-runs.ts';
import { serviceTableOf } from '../../../src/streams/kernel/service-table.ts';
import { INITIAL_STATE, type SupervisorState } from '../../../src/streams/kernel/state.ts';
import { brokenManifests, refusalOf } from '../../../src/streams/upgrade/upgrade-refusal.ts';
import { specOf } from '../../support/spec.ts';
import { NOW, serviceIn } from '../../support/states.ts';

const stateOf = (...services: readonly Service[]): SupervisorState => ({
  ...INITIAL_STATE,
  serviceTable: serviceTableOf(services),
});

describe('the refusal of an upgrade', () => {
  it('an upgrade without obstacles is allowed', () => {
    expect(
      refusalOf(stateOf(serviceIn('up'), { ...serviceIn('backing-off'), spec: specOf('db') })),
    ).toBeUndefined();
  });

  it('an upgrade is refused during the end of the supervisor and during a rollout, which is named', () => {
    expect(refusalOf({ ...INITIAL_STATE, phase: 'closing' })).toMatchObject({ code: 'ERR0501' });
    const rolling = withRollout(serviceIn('up'), NOW, false);
    const other = { ...rolling, spec: specOf('db') };
    const one = refusalOf(stateOf(rolling));
    expect(one).toMatchObject({ code: 'ERR0501' });
    expect(JSON.stringify(one)).toContain('shop/web');
    expect(JSON.stringify(refusalOf(stateOf(rolling, other)))).toContain('1 more');
  });

  it('an upgrade names registered manifests that do not load, with the remedy, but no warnings', () => {
    const problem = {
      code: 'ERR0211',
      path: 'services.web.x',
      message: 'no',
      file: '/shop/sup.yaml',
    } as const;
    const load = (severity: 'error' | 'warning') => ({
      path: '/shop/sup.yaml',
      problems: [{ ...problem, severity }],
    });
    expect(brokenManifests([load('warning')])).toEqual([]);
    expect(brokenManifests([load('warning'), load('error')])).toEqual([
      {
        path: '/shop/sup.yaml',
        warning:
          '/shop/sup.yaml is invalid; its services keep its last valid version: ERR0211 services.web.x: no ' +
          '(to see what is wrong: sup validate -c /shop/sup.yaml; to drop it: sup forget /shop/sup.yaml)',
      },
    ]);
  });
});

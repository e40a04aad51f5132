import { describe, expect, it } from 'vitest';
import { plannedAddition, plannedChange } from '../../../src/streams/rollout/rollout-plan.ts';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { specOf } from '../../support/spec.ts';
import { serviceIn } from '../../support/states.ts';

const planned = (changes: Partial<ServiceSpec>): ReturnType<typeof plannedChange> =>
  plannedChange({ ...serviceIn('up'), revised: specOf('web', changes) }, false);

describe('a planned change', () => {
  it.each<[string, Partial<ServiceSpec>, string | undefined]>([
    ['is skipped from then on', { skip: true }, 'skipped'],
    ['runs at its times only', { kind: 'cron' }, 'scheduled'],
    ['is down for a while', { skip: 'test -e off' }, undefined],
  ])('a planned change of a service that %s', (_, changes, rest) => {
    expect(planned(changes)).toMatchObject({ action: 'change', strategy: 'immediate' });
    expect(planned(changes).rest).toBe(rest);
    if (rest !== undefined) expect(planned(changes).down).toBeUndefined();
  });
});

describe('a planned addition', () => {
  it.each<[string, Partial<ServiceSpec>, object]>([
    ['starts', {}, { down: 0 }],
    ['starts unless its command says no', { skip: 'test -e off' }, { down: 0 }],
    ['is skipped', { skip: true }, { rest: 'skipped' }],
    ['runs at its times only', { kind: 'cron' }, { rest: 'scheduled' }],
  ])('a planned addition of a service that %s', (_, changes, more) => {
    const { spec, ...service } = serviceIn('down');
    expect(plannedAddition({ ...service, spec: { ...spec, ...changes } })).toEqual({
      ...{ service: spec.id, action: 'add', strategy: 'immediate', keys: [] },
      ...more,
    });
  });
});

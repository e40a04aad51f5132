import { describe, expect, it } from 'vitest';
import { sampledRuns } from '../../../src/streams/metrics/sampled-runs.ts';
import { serviceIn } from '../../support/states.ts';

const up = serviceIn('up');
const { id } = up.spec;

describe('the sampled runs', () => {
  it('the sampled runs are those with a process, by their run tag', () => {
    const runs = sampledRuns();
    runs.follow({ id, service: serviceIn('waiting') });
    expect(runs.isEmpty()).toBe(true);
    runs.follow({ id, service: up });
    expect(runs.list().map(({ mark }) => mark)).toEqual([`${id}#${'run' in up.actual ? up.actual.run : 0}`]);
    runs.follow({ id, service: serviceIn('backing-off') });
    expect([runs.list(), runs.isEmpty()]).toEqual([[], true]);
  });

  it('the sampled runs are the same list until they change', () => {
    const runs = sampledRuns();
    runs.follow({ id, service: up });
    const list = runs.list();
    runs.follow({ id, service: { ...up, attempts: 3 } });
    expect(runs.list()).toBe(list);
    runs.follow({ id, service: undefined });
    expect(runs.list()).not.toBe(list);
  });

  it('the sampled runs are two in a rollout, the service run first', () => {
    const runs = sampledRuns();
    const other = { ...serviceIn('starting'), runs: 9 };
    const rollout = { other } as unknown as NonNullable<typeof up.rollout>;
    runs.follow({ id, service: { ...up, rollout } });
    expect(runs.list()).toHaveLength(2);
    expect(runs.list()[0]?.leader).toEqual('process' in up.actual ? up.actual.process : undefined);
  });
});

import { describe, expect, it } from 'vitest';
import type { SpawnPolicy } from '../../../../src/streams/domain/declared/spec.ts';
import { runId } from '../../../../src/streams/domain/ids.ts';
import { seconds } from '../../../../src/streams/domain/time.ts';
import { lineTo, nursery, processOf, web, type Nursery } from '../../../support/nursery.ts';
import { manifestOf } from '../../../support/spec.ts';

const post = (one: Nursery, run: number, type: 'spawned' | 'stable' | 'grace'): void => {
  const of = { service: web, run: runId(run) };
  if (type === 'spawned') one.sup.post({ ...of, type, process: processOf(run) });
  else one.sup.post({ ...of, type: 'elapsed', timer: type === 'grace' ? type : 'stability' });
};

/** A rolling service with a child `a` of its run 1, and a candidate that is ready and is being watched. */
const rolling = (terminationPolicy: SpawnPolicy['terminationPolicy']): Nursery & { candidate: number } => {
  const deployment = { strategy: 'rolling', gracePeriod: seconds(1) } as const;
  const one = nursery({ terminationPolicy }, { deployment });
  one.begin(1, 'a');
  const request = one.sup.ask({ type: 'restart', selection: { services: ['web'] } });
  one.sup.load(request, manifestOf(one.sup.service('web').spec));
  const candidate = one.sup.service('web').rollout?.other.runs ?? 0;
  post(one, candidate, 'spawned');
  post(one, candidate, 'stable');
  return { ...one, candidate };
};

describe('children during a rollout', () => {
  it('a rollout gives each run its own children and its own number', () => {
    const one = rolling('cascade');
    expect(one.candidate).toBe(3);
    expect(one.ask(one.candidate, { name: 'b' }, lineTo(one.candidate))).toBeUndefined();
    expect(one.ask(1, { name: 'b' })).toBeUndefined();
    expect(one.children().map(({ name, parent, run }) => [name, parent, run])).toEqual([
      ['a', 1, 2],
      ['b', 3, 4],
      ['b', 1, 5],
    ]);
  });

  it('a rollout under cascade ends only the children of the retired run', () => {
    const one = rolling('cascade');
    const b = one.begin(one.candidate, 'b');
    post(one, one.candidate, 'grace');
    expect(one.sup.service('web')).toMatchObject({
      runs: 3,
      rollout: { other: { actual: { tag: 'stopping' } } },
    });
    expect(one.sup.service('web').rollout?.other).not.toHaveProperty('children');
    expect(one.ending()).toEqual(['a']);
    for (const run of [2, 1]) {
      one.exit(run);
      one.gone(run);
    }
    expect(one.sup.service('web').rollout).toBeUndefined();
    expect(one.children()).toMatchObject([{ name: 'b', run: b, wanted: 'up' }]);
    expect(one.sup.tag('web')).toBe('up');
  });

  it('a rollout under reparent moves children to the new run', () => {
    const one = rolling('reparent');
    post(one, one.candidate, 'grace');
    expect(one.children()).toMatchObject([{ name: 'a', parent: 'service', wanted: 'up' }]);
    expect(one.ask(one.candidate, { name: 'a' }, lineTo(one.candidate))).toBe('ERR0405');
  });
});

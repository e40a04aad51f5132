import { describe, expect, it } from 'vitest';
import { runId } from '../../../../src/streams/domain/ids.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
import { allWatchesOf } from '../../../../src/streams/rollout/rollout-watches.ts';
import { manifestOf } from '../../../support/spec.ts';
import { lineTo, nursery, processOf, web, type Nursery } from '../../../support/nursery.ts';

/** A service with the children `a` and `z`, and `b`, which is a child of `a`. */
const family = (policy: 'cascade' | 'orphan' | 'reparent'): Nursery & Record<'a' | 'b' | 'z', number> => {
  const one = nursery({ terminationPolicy: policy });
  const a = one.begin(1, 'a');
  const b = one.begin(a, 'b');
  const z = one.begin(1, 'z');
  one.sup.drain();
  return { ...one, a, b, z };
};

const end = (one: Nursery, run: number): void => {
  one.exit(run);
  one.gone(run);
};

const watches = ({ sup }: Nursery) => allWatchesOf(sup.service('web'), sup.state().settings);

it('children keep a service that an apply removes, which is answered when they are gone', () => {
  const one = nursery({ terminationPolicy: 'reparent' }, { restartPolicy: 'never' });
  const child = one.begin(1, 'a');
  end(one, 1);
  one.sup.drain();
  one.sup.load(one.sup.ask({ type: 'apply', selection: {} }), manifestOf());
  expect(one.sup.replies()).toEqual([]);
  end(one, child);
  expect(one.sup.replies()).toMatchObject([{ ok: true }]);
  expect(one.sup.state().serviceTable.size).toBe(0);
});

describe('the policy cascade', () => {
  it('cascade ends children before their parents, and keeps the service until all are gone', () => {
    const one = family('cascade');
    one.exit(1, 1);
    expect(one.ending()).toEqual(['b', 'z']);
    one.gone(1);
    expect(one.sup.tag('web')).toBe('stopping');
    end(one, one.b);
    expect(one.ending()).toEqual(['a', 'z']);
    end(one, one.z);
    end(one, one.a);
    expect(one.sup.tag('web')).toBe('backing-off');
    expect(one.sup.service('web').pastChildren?.map(({ name, ending }) => [name, ending])).toEqual([
      ['b', 'parent'],
      ['z', 'parent'],
      ['a', 'parent'],
    ]);
  });

  it('cascade ends the service when its own run is the last to exit', () => {
    const one = family('cascade');
    one.exit(1, 1);
    for (const run of [one.b, one.z, one.a]) end(one, run);
    expect(one.sup.tag('web')).toBe('stopping');
    one.gone(1);
    expect(one.sup.tag('web')).toBe('backing-off');
  });

  it('cascade ends only children below a child that exited', () => {
    const one = family('cascade');
    one.exit(one.a, 3);
    expect(one.ending()).toEqual(['a', 'b']);
    one.gone(one.a);
    end(one, one.b);
    expect(one.names()).toEqual(['z']);
    expect(one.sup.tag('web')).toBe('up');
  });

  it('cascade ends a child that is still starting', () => {
    const one = nursery();
    one.ask(1, { name: 'a' });
    one.exit(1, 1);
    one.gone(1);
    expect(one.sup.tag('web')).toBe('stopping');
    one.sup.post({ type: 'spawned', service: web, run: runId(2), process: processOf(2) });
    expect(one.ending()).toEqual(['a']);
    end(one, 2);
    expect(one.sup.tag('web')).toBe('backing-off');
  });

  it('cascade gives up on a child whose end cannot be verified, and no run starts beside it', () => {
    const one = nursery();
    const a = one.begin(1, 'a');
    one.exit(1, 1);
    one.gone(1);
    const alive = [processOf(a)];
    one.sup.post({ type: 'surveyed', service: web, run: runId(a), alive, evidence: [] });
    one.sup.pass(10_000);
    one.sup.post({ type: 'elapsed', service: web, run: runId(a), timer: 'stop-timeout' });
    one.sup.pass(10_000);
    one.sup.post({ type: 'elapsed', service: web, run: runId(a), timer: 'stop-verify' });
    expect(one.sup.service('web')).toMatchObject({
      actual: { tag: 'backing-off' },
      remnants: [{ run: a, since: 10_000, unverified: true, alive }],
    });
    one.sup.post({ type: 'elapsed', service: web, run: runId(1), timer: 'backoff' });
    expect(one.sup.tag('web')).toBe('waiting');
    one.gone(a);
    expect(one.sup.tag('web')).toBe('spawning');
  });
});

describe('the policy orphan', () => {
  it('orphan leaves children without a parent; they count and may not request children', () => {
    const one = family('orphan');
    end(one, 1);
    expect(one.sup.tag('web')).toBe('backing-off');
    expect(one.children().map(({ name, parent }) => [name, parent])).toEqual([
      ['a', 'nobody'],
      ['b', one.a],
      ['z', 'nobody'],
    ]);
    expect(one.ask(one.a)).toBe('ERR0401');
  });
});

describe('the policy reparent', () => {
  it('reparent moves children to their grandparent, and from the service to its next run', () => {
    const one = family('reparent');
    end(one, one.a);
    expect(one.children()).toMatchObject([{ name: 'b', parent: 1 }, { name: 'z' }]);
    end(one, 1);
    expect(one.children()).toMatchObject([{ parent: 'service' }, { parent: 'service' }]);
    one.sup.post({ type: 'elapsed', service: web, run: runId(1), timer: 'backoff' });
    one.sup.up('web');
    const next = one.sup.service('web').runs;
    expect(next).toBe(5);
    expect(one.ask(next, { name: 'b' }, lineTo(next))).toBe('ERR0405');
  });
});

describe('a stop of a service with children', () => {
  it.each(['cascade', 'orphan', 'reparent'] as const)(
    'a stop ends all children under %s, also later ones',
    (policy) => {
      const one = family(policy);
      end(one, 1);
      if (policy === 'cascade') for (const run of [one.b, one.z, one.a]) end(one, run);
      one.sup.drain();
      one.sup.ask({ type: 'stop', selection: {} });
      if (policy !== 'cascade') expect(one.sup.replies()).toEqual([]);
      for (const { run } of one.children().toReversed()) end(one, run);
      expect(one.children()).toEqual([]);
      expect(one.sup.replies()).toMatchObject([{ ok: true }]);
      expect(one.sup.tag('web')).toBe('down');
    },
  );

  it('a stop is complete when the last child is gone, and the supervisor ends after that', () => {
    const one = family('reparent');
    one.sup.ask({ type: 'shutdown' });
    end(one, 1);
    const quits = (): boolean => one.sup.drain().some(({ type }) => type === 'quit');
    expect(quits()).toBe(false);
    for (const run of [one.b, one.z, one.a]) end(one, run);
    expect(quits()).toBe(true);
  });
});

describe('the ttl of a child', () => {
  it('the ttl of a child is a timer while the child is wanted, and ends it on expiry', () => {
    const one = nursery();
    const a = one.begin(1, 'a', { ttl: ms(5_000) });
    const timers = () => watches(one).filter((watch) => watch.type === 'timer' && watch.timer === 'ttl');
    expect(timers()).toMatchObject([{ run: a, due: 5_000 }]);
    one.sup.post({ type: 'elapsed', service: web, run: a, timer: 'ttl' });
    expect(timers()).toEqual([]);
    expect(one.ending()).toEqual(['a']);
    end(one, a);
    expect(one.sup.service('web').pastChildren).toMatchObject([{ name: 'a', ending: 'ttl' }]);
    expect(one.sup.tag('web')).toBe('up');
  });
});

describe('the limit total_memory', () => {
  const weigh = (one: Nursery, bytes: number): void =>
    one.sup.post({ type: 'weighed', service: web, run: runId(1), bytes });

  it('the memory of children is measured only if total_memory is set', () => {
    expect(watches(nursery()).filter(({ type }) => type === 'memory')).toEqual([]);
    const one = nursery({ totalMemory: 100 });
    one.begin(1, 'a');
    expect(watches(one).filter(({ type }) => type === 'memory')).toMatchObject([
      { limit: 100, trees: [{ run: 1 }, { run: 2 }] },
    ]);
  });

  it('total_memory stops the newest child, one at a time, and refuses more meanwhile', () => {
    const one = nursery({ totalMemory: 100 });
    for (const name of ['a', 'b', 'c']) one.begin(1, name);
    weigh(one, 100);
    expect(one.ending()).toEqual([]);
    weigh(one, 101);
    weigh(one, 102);
    expect(one.ending()).toEqual(['c']);
    expect(one.ask(1)).toBe('ERR0403');
    end(one, 4);
    weigh(one, 101);
    expect(one.ending()).toEqual(['b']);
    end(one, 3);
    weigh(one, 50);
    expect([one.names(), one.ending()]).toEqual([['a'], []]);
    expect(one.ask(1)).toBeUndefined();
  });
});

describe('ended children', () => {
  it('the last fifty ended children are remembered with their exit', () => {
    const one = nursery();
    for (let round = 0; round < 55; round += 1) {
      one.sup.pass(1_000);
      const run = one.begin(1, `c${round}`);
      one.exit(run, round);
      one.gone(run);
    }
    const past = one.sup.service('web').pastChildren ?? [];
    expect(past).toHaveLength(50);
    expect(past.at(-1)).toMatchObject({ name: 'c54', pid: 1_056, exit: { tag: 'code', code: 54 } });
  });
});

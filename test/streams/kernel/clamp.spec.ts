import { describe, expect, it } from 'vitest';
import type { Child } from '../../../src/streams/domain/service/child.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { between, instant, ms, plus, seconds } from '../../../src/streams/domain/time.ts';
import { clamped } from '../../../src/streams/kernel/clock-set.ts';
import { withRollout } from '../../../src/streams/rollout/two-runs.ts';
import { delayBefore } from '../../../src/streams/service/restart-policy.ts';
import { NOW, RUN, serviceIn, STATES, TAGS } from '../../support/states.ts';

const HOUR = seconds(3600);
const LATER = plus(NOW, HOUR);

describe('a state from before the clock was set back', () => {
  it.each(TAGS)('%s that lies in the past is not changed by the clamp', (tag) => {
    const service = serviceIn(tag);
    expect(clamped(service, LATER)).toEqual(service);
  });

  it('a wait for the next attempt is at most as long as the backoff after the clock was set back', () => {
    const { error } = STATES['backing-off'];
    const waiting: Service = {
      ...serviceIn('backing-off'),
      actual: { tag: 'backing-off', attempt: 2, until: LATER, error },
    };
    const { actual, spec } = clamped(waiting, NOW);
    const length = actual.tag === 'backing-off' ? between(NOW, actual.until) : ms(-1);
    expect(length).toBe(delayBefore(2, spec.backoff, spec.id));
    expect(length).toBeLessThan(HOUR);
  });

  it.each(['starting', 'up', 'stopping'] as const)(
    '%s began now at the latest after the clock was set back',
    (tag) => {
      const before = { ...serviceIn(tag) };
      const future = { since: LATER, readyAt: LATER, phaseSince: LATER };
      const held = Object.keys(before.actual).filter((key) => key in future);
      const moved = { ...before, actual: { ...before.actual, ...future } } as Service;
      const { actual } = clamped(moved, NOW);
      for (const key of held) expect(actual).toHaveProperty(key, NOW);
    },
  );

  it('a schedule computes its next scheduled time from the present clock', () => {
    const cron = { kind: 'cron', cron: { expression: '* * * * *', timezone: 'utc' } } as const;
    const due = instant(NOW + HOUR);
    const service: Service = { ...serviceIn('up', cron), schedule: { due, runs: [] } };
    expect(clamped(service, NOW).schedule.due).toBeLessThanOrEqual(NOW + 60_000);
  });

  it('steps of a rollout and its second run count from now at the latest', () => {
    const { rollout } = clamped(withRollout(serviceIn('up'), LATER, false), NOW);
    expect(rollout?.stages).toEqual([{ step: 'starting', at: NOW }]);
  });

  it('children keep at most their ttl, and leftovers are tracked from now at the latest', () => {
    const process = { pid: 7, startTicks: 7 };
    const child: Child = {
      ...{ name: 'a', run: runId(7), parent: RUN, argv: ['a'], born: NOW, wanted: 'up' },
      ...{ ttl: seconds(60), expires: LATER },
      actual: { ...STATES.up, run: runId(7), since: LATER, readyAt: LATER },
    };
    const leftover = { run: runId(1), process, since: LATER, alive: [] };
    const { children, remnants } = clamped(
      { ...serviceIn('up'), children: [child], remnants: [leftover] },
      NOW,
    );
    expect(children).toMatchObject([
      { expires: plus(NOW, seconds(60)), actual: { since: NOW, readyAt: NOW } },
    ]);
    expect(remnants).toMatchObject([{ since: NOW }]);
  });
});

// Durations do not change when the wall clock is set.
import { describe, expect, it } from 'vitest';
import type { Child } from '../../../src/streams/domain/service/child.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import { allWatchesOf } from '../../../src/streams/rollout/rollout-watches.ts';
import { inStep, withRollout } from '../../../src/streams/rollout/two-runs.ts';
import { DEFAULT_SETTINGS } from '../../../src/streams/domain/declared/settings.ts';
import { ms, plus, seconds, type Instant } from '../../../src/streams/domain/time.ts';
import { retimed } from '../../../src/streams/kernel/clock-set.ts';
import { kernel, type Kernel } from '../../support/kernel.ts';
import { idOf, specOf } from '../../support/spec.ts';
import { NOW, RUN, serviceIn, STATES, TAGS } from '../../support/states.ts';

const HOUR = seconds(3_600);
const AN_HOUR_BACK = seconds(-3_600);

const checked = specOf('web', {
  restartPolicy: 'never',
  deployment: {
    strategy: 'immediate',
    gracePeriod: ms(0),
    healthCheck: {
      probe: { tag: 'command', command: 'false' },
      interval: seconds(1),
      startInterval: seconds(1),
      attemptTimeout: seconds(1),
      totalTimeout: seconds(4),
      retries: 2,
    },
  },
});

/** A second goes by, and a probe fails. */
const fail = (sup: Kernel): void => {
  sup.pass(1_000);
  const news = { service: idOf('web'), run: runId(1) };
  sup.post({ ...news, type: 'probed', result: { tag: 'unhealthy', detail: 'no' } });
};

/** Sets the wall clock. The kernel notices this at the next event. */
const set = (sup: Kernel, by: number): void => {
  sup.pass(by);
  sup.post({ type: 'clock-set', by: ms(by) });
};

describe('a clock that was not set', () => {
  it('a clock that was not set changes nothing', () => {
    const sup = kernel();
    sup.start(checked);
    sup.spawned('web');
    const before = sup.state();
    sup.post({ type: 'clock-set', by: ms(0) });
    expect(sup.state().serviceTable).toBe(before.serviceTable);
  });
});

describe('a clock that was set', () => {
  it.each([HOUR, AN_HOUR_BACK])('a clock set by %s ms leaves a health check exactly its window', (by) => {
    const sup = kernel();
    sup.start(checked);
    sup.spawned('web');
    fail(sup);
    set(sup, by);
    fail(sup);
    fail(sup);
    expect(sup.tag('web')).toBe('starting');
    fail(sup);
    expect(sup.tag('web')).toBe('stopping');
  });

  it.each([HOUR, AN_HOUR_BACK])(
    'a clock set by %s ms leaves a command its remaining time and its results',
    (by) => {
      const sup = kernel();
      sup.start(checked);
      const before = Object.values(sup.state().requests)[0];
      set(sup, by);
      expect(Object.values(sup.state().requests)).toEqual([
        {
          ...before,
          since: plus(before?.since ?? NOW, ms(by)),
          deadline: plus(before?.deadline ?? NOW, ms(by)),
        },
      ]);
    },
  );

  it('a clock that was set is logged', () => {
    const sup = kernel();
    set(sup, AN_HOUR_BACK);
    set(sup, seconds(90));
    expect(sup.drain()).toMatchObject([
      { type: 'note', text: 'the clock was set back by 1 h' },
      { type: 'note', text: 'the clock went forward by 1 min 30 s' },
    ]);
  });
});

const later = (at: Instant): Instant => plus(at, HOUR);
const moved = (service: Service): Service => retimed(service, { since: later, due: later });

/** Returns the names of the service's timers and when they fire. */
const dues = (service: Service): readonly (readonly [string, number])[] =>
  allWatchesOf(service, DEFAULT_SETTINGS).flatMap((watch) =>
    watch.type === 'timer' ? [[watch.timer, watch.due] as const] : [],
  );

describe('times of a service after the clock was set', () => {
  const process = { pid: 7, startTicks: 7 };
  const child: Child = {
    ...{ name: 'a', run: runId(7), parent: RUN, argv: ['a'], born: NOW, wanted: 'up' },
    ...{ ttl: seconds(60), expires: plus(NOW, seconds(60)) },
    actual: { ...STATES.starting, run: runId(7), process },
  };
  const full = (service: Service): Service => ({
    ...service,
    attempts: 1,
    children: [child],
    remnants: [{ run: runId(1), process, since: NOW, alive: [] }],
  });

  it.each(TAGS)('a service in state %s keeps its timers and those of its children and leftovers', (tag) => {
    const service = full(serviceIn(tag));
    expect(dues(moved(service))).toEqual(dues(service).map(([name, due]) => [name, due + HOUR]));
    expect(dues(service).map(([name]) => name)).toEqual(expect.arrayContaining(['ttl', 'stop-verify']));
  });

  it('a service over its memory limit stays so for as long after the clock was set', () => {
    const over = { ...serviceIn('up'), actual: { ...STATES.up, overweight: { since: NOW, bytes: 1 } } };
    expect(moved(over).actual).toMatchObject({ overweight: { since: later(NOW), bytes: 1 } });
  });

  it('a rollout and its second run continue after the clock was set, without a second switch', () => {
    const blueGreen = { slots: ['blue', 'green'], envVar: 'SLOT', switchCommand: 'switch' } as const;
    const spec = specOf('web', { deployment: { strategy: 'rolling', gracePeriod: ms(0), blueGreen } });
    const up = { ...serviceIn('up'), spec };
    const { rollout } = withRollout(up, NOW, false);
    if (rollout === undefined) throw new Error('there is no rollout');
    const streak = { failingSince: NOW, lastCounted: NOW, healthySince: NOW } as const;
    const check = { health: 'unhealthy', failures: 1, ...streak } as const;
    const other = { ...serviceIn('starting'), spec, runs: 4 };
    const switching: Service = {
      ...up,
      rollout: { ...inStep(rollout, 'switching', NOW), check, other },
    };
    const after = moved(switching);
    expect(after.rollout).toMatchObject({
      check: { failingSince: later(NOW), lastCounted: later(NOW), healthySince: later(NOW) },
      other: { actual: { since: later(STATES.starting.since) } },
    });
    const commands = (service: Service): readonly string[] =>
      allWatchesOf(service, DEFAULT_SETTINGS).flatMap(({ type, key }) => (type === 'command' ? [key] : []));
    expect(commands(switching)).toHaveLength(1);
    expect(commands(after)).toEqual(commands(switching));
  });

  it('a scheduled run continues after the clock was set; past runs and the next scheduled time stay', () => {
    const over = { due: NOW, result: 'success', startedAt: NOW, endedAt: NOW } as const;
    const running = { due: NOW, result: 'running', startedAt: NOW } as const;
    const service = { ...serviceIn('up'), schedule: { due: later(NOW), runs: [over, running] } };
    expect(moved(service).schedule).toEqual({
      due: later(NOW),
      runs: [over, { ...running, startedAt: later(NOW) }],
    });
  });
});

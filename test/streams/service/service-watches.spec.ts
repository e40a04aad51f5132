import { describe, expect, it } from 'vitest';
import type { HealthProgress } from '../../../src/streams/domain/service/service-state.ts';
import type { In, Service, Tag } from '../../../src/streams/domain/service/service.ts';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { DEFAULT_SETTINGS } from '../../../src/streams/domain/declared/settings.ts';
import { instant, ms, plus, seconds } from '../../../src/streams/domain/time.ts';
import { watchesOf } from '../../../src/streams/service/service-watches.ts';
import { BEGAN, NOW, PROCESS, serviceIn, STATES, TAGS } from '../../support/states.ts';

const watched = (service: Service): readonly string[] =>
  watchesOf(service, DEFAULT_SETTINGS).map((watch) =>
    watch.type === 'timer' ? `${watch.timer} at ${watch.due}` : watch.type,
  );
const within = (tag: Tag, changes: Partial<ServiceSpec>): readonly string[] =>
  watched(serviceIn(tag, changes));

const healthCheck = {
  probe: { tag: 'http', url: 'http://localhost/' },
  interval: seconds(2),
  startInterval: ms(100),
  attemptTimeout: seconds(30),
  totalTimeout: ms(0),
  retries: 3,
} as const;
const deployment = { strategy: 'immediate', gracePeriod: ms(0) } as const;
const checked = { deployment: { ...deployment, healthCheck } };
const cron = {
  kind: 'cron',
  cron: { expression: '* * * * *', timezone: 'utc', timeout: seconds(9) },
} as const;

const asking = STATES.stopping;
const ended = { ...asking, exit: { tag: 'code', code: 0 } } as const;

describe('the watches of a service', () => {
  const expected: Readonly<Record<Tag, readonly string[]>> = {
    down: [],
    scheduled: [],
    waiting: [],
    preparing: [],
    spawning: [],
    starting: ['exit', 'stability at 1250'],
    up: ['exit'],
    stopping: ['exit', 'tree', 'stop-timeout at 11000'],
    'backing-off': [`backoff at ${NOW}`],
    broken: [],
    casualty: [],
  };

  it.each(TAGS)('the watches in state %s', (tag) => {
    expect(watched(serviceIn(tag))).toEqual(expected[tag]);
  });

  it('the watches are the skip command, then pre_start, within the budget', () => {
    const spec = { skip: 'test -e x', deployment: { ...deployment, preStart: 'make' } };
    const skip = { ...serviceIn('preparing', spec), actual: { ...STATES.preparing, step: 'skip' } } as const;
    const budget = DEFAULT_SETTINGS.preStart;
    expect(watchesOf(skip, DEFAULT_SETTINGS)).toMatchObject([
      { command: 'test -e x', purpose: 'skip', budget },
    ]);
    expect(watchesOf(serviceIn('preparing', spec), DEFAULT_SETTINGS)).toMatchObject([
      { command: 'make', purpose: 'pre_start', budget },
    ]);
  });

  it('the watches have a probe instead of the stability window, fast at first and steady later', () => {
    expect(within('starting', checked)).toEqual(['exit', 'probe']);
    const paces = (['starting', 'up'] as const).map((tag) =>
      watchesOf(serviceIn(tag, checked), DEFAULT_SETTINGS).map((watch) => 'pace' in watch && watch.pace),
    );
    expect(paces).toEqual([
      [false, 'starting'],
      [false, 'steady'],
    ]);
  });

  it('the pauses of a probe by URL end when its port listens, while the service starts', () => {
    const placesOf = (changes: Partial<ServiceSpec>): readonly unknown[] =>
      (['starting', 'up'] as const).map((tag) =>
        watchesOf(serviceIn(tag, changes), DEFAULT_SETTINGS).flatMap((watch) =>
          watch.type === 'probe' ? [watch.whenListening] : [],
        ),
      );
    expect(placesOf(checked)).toEqual([[{ port: 80, isLoopback: true }], [undefined]]);
    const byCommand = { ...healthCheck, probe: { tag: 'command', command: 'true' } } as const;
    expect(placesOf({ deployment: { ...deployment, healthCheck: byCommand } })).toEqual([
      [undefined],
      [undefined],
    ]);
  });

  it('the watches have another probe for another declaration', () => {
    const keys = (['old', 'new'] as const).map((digest) => {
      const { spec, ...service } = serviceIn('up', checked);
      return watchesOf({ ...service, spec: { ...spec, digest } }, DEFAULT_SETTINGS).map(({ key }) => key);
    });
    const [[exit, before], [sameExit, after]] = keys as [string[], string[]];
    expect(exit).toBe(sameExit);
    expect(before).not.toBe(after);
  });

  it('the watches have no probe of a ready service with after_ready: off, but one during its start', () => {
    const off = {
      deployment: { ...deployment, healthCheck: { ...healthCheck, afterReady: 'off' } },
    } as const;
    expect([within('starting', off), within('up', off)]).toEqual([['exit', 'probe'], ['exit']]);
  });

  it('the watches have a minute of readiness while there are restarts to clear', () => {
    expect(watched({ ...serviceIn('up'), attempts: 1 })).toEqual(['exit', `proven at ${BEGAN + 60_000}`]);
  });

  it('the watches have no minute of readiness while the check fails, and a full one after it recovers', () => {
    const { actual } = serviceIn('up');
    const withHealth = (health: HealthProgress): readonly string[] =>
      watched({ ...serviceIn('up'), attempts: 1, actual: { ...(actual as In<'up'>), health } });
    expect(withHealth({ health: 'unhealthy', failures: 1 })).toEqual(['exit']);
    expect(withHealth({ health: 'healthy', failures: 0, healthySince: instant(BEGAN + 9_000) })).toEqual([
      'exit',
      `proven at ${BEGAN + 69_000}`,
    ]);
  });

  it('the watches have the time limit of a scheduled run', () => {
    expect(within('starting', cron)).toContain(`cron-timeout at ${BEGAN + 9_000}`);
    expect(within('up', cron)).toContain(`cron-timeout at ${BEGAN + 9_000}`);
    expect(within('stopping', cron)).not.toContain(`cron-timeout at ${BEGAN + 9_000}`);
  });

  it.each([
    ['asked', asking, ['exit', 'tree', 'stop-timeout at 11000']],
    ['killed', { ...asking, phase: 'killing' }, ['exit', 'tree', 'stop-verify at 11000']],
    ['unverified', { ...asking, phase: 'unverified' }, ['exit', 'tree']],
    ['its exit known', ended, ['tree', 'stop-timeout at 11000']],
    ['nobody left, its exit unknown', { ...asking, survivors: [] }, ['exit', 'stop-timeout at 11000']],
    ['nobody left', { ...ended, survivors: [] }, []],
    ['somebody left', { ...ended, survivors: [PROCESS] }, ['tree', 'stop-timeout at 11000']],
  ] as const)('the watches while stopping, %s', (_, actual, watches) => {
    expect(watched({ ...serviceIn('stopping'), actual })).toEqual(watches);
  });
});

describe('the alarm of a schedule', () => {
  const due = instant(120_000);
  const scheduled = (tag: Tag): Service => ({ ...serviceIn(tag, cron), schedule: { runs: [], due } });

  it.each(TAGS.filter((tag) => tag !== 'down'))('the alarm of a schedule is set in state %s', (tag) => {
    expect(watched(scheduled(tag))).toContain('alarm');
  });

  it('the alarm of a schedule is not set for a service that is down or unwanted', () => {
    expect(watched(scheduled('down'))).not.toContain('alarm');
    expect(watched({ ...scheduled('up'), wanted: 'down' })).not.toContain('alarm');
  });
});

describe('the key of a watch', () => {
  it('the key of a watch differs by run and by the time of a timer', () => {
    const keys = (service: Service): readonly string[] =>
      watchesOf(service, DEFAULT_SETTINGS).map(({ key }) => key);
    const up = serviceIn('starting');
    expect(keys({ ...up, runs: 4, actual: { ...STATES.starting, run: 4 as never } })).not.toEqual(keys(up));
    const later = { ...STATES.starting, since: plus(BEGAN, ms(1)) };
    expect(keys({ ...up, actual: later })[0]).toBe(keys(up)[0]);
    expect(keys({ ...up, actual: later })[1]).not.toBe(keys(up)[1]);
  });
});

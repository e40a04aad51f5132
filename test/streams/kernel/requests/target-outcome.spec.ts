import { describe, expect, it } from 'vitest';
import type { ServiceError } from '../../../../src/streams/domain/errors/error.ts';
import type { Service, ServiceState, Tag } from '../../../../src/streams/domain/service/service.ts';
import { instant, ms } from '../../../../src/streams/domain/time.ts';
import { withoutRollout, withRollout } from '../../../../src/streams/rollout/two-runs.ts';
import { buildGraph } from '../../../../src/streams/graph/graph.ts';
import {
  targetOutcome,
  type OutcomeFacts,
} from '../../../../src/streams/kernel/requests/answer/target-outcome.ts';
import { idOf, needs, specOf } from '../../../support/spec.ts';
import { BEGAN, NOW, PROCESS, serviceIn, STATES } from '../../../support/states.ts';

const web = idOf('web');
const failure: ServiceError = { code: 'ERR0101', service: web, status: { tag: 'code', code: 1 } };
const clean: ServiceError = { code: 'ERR0101', service: web, status: { tag: 'code', code: 0 } };
const breaker: ServiceError = { code: 'ERR0110', service: web, attempts: 0, last: failure };
const calledOff = { code: 'ERR0117', service: web };

const around = (db?: Service): OutcomeFacts => ({
  graph: buildGraph([specOf('web', { dependsOn: needs('db') }), specOf('db')]),
  find: (id) => (id === idOf('db') ? db : undefined),
  since: BEGAN,
  at: NOW,
});
const dbIn = (actual: ServiceState, wanted: Service['wanted'] = 'up'): Service => ({
  ...serviceIn('up'),
  spec: specOf('db'),
  wanted,
  actual,
});
const down = (why: Extract<ServiceState, { tag: 'down' }>['why']): ServiceState => ({ tag: 'down', why });
const KILLED = instant(51_000);
const unverified = {
  ...STATES.stopping,
  phase: 'unverified',
  phaseSince: KILLED,
  survivors: [PROCESS],
} as const;
const alive = { code: 'ERR0112', service: web, survivors: [PROCESS.pid], waited: 10_000 };

const ofWeb = (actual: ServiceState, changes: Partial<Service> = {}): Service => ({
  ...serviceIn('up'),
  ...changes,
  actual,
});

describe('the outcome of a start', () => {
  it.each<[string, ServiceState, unknown]>([
    ['ready', STATES.up, 'reached'],
    ['on its way', STATES.starting, 'pending'],
    ['being prepared', STATES.preparing, 'pending'],
    ['being spawned', STATES.spawning, 'pending'],
    ['ending, to start anew', STATES.stopping, 'pending'],
    ['not to be got rid of', unverified, alive],
    ['in backoff', { ...STATES['backing-off'], error: failure }, failure],
    ['in backoff after a clean exit', { ...STATES['backing-off'], error: clean }, 'reached'],
    ['given up', { tag: 'broken', error: { ...breaker, attempts: 8 } }, failure],
    ['a casualty', STATES.casualty, { code: 'ERR0109', service: web, dependency: idOf('db') }],
    ['failed', down({ tag: 'failed', error: failure }), failure],
    ['done', down({ tag: 'completed' }), 'reached'],
    ['ended well', down({ tag: 'ended' }), 'reached'],
    ['skipped', down({ tag: 'skipped', by: 'manifest' }), 'reached'],
    ['stopped by somebody', down({ tag: 'asked' }), calledOff],
  ])('the outcome of a start for a service that is %s', (_, actual, outcome) => {
    expect(targetOutcome('start', ofWeb(actual), around())).toEqual(outcome);
  });

  it('the outcome of a start is pending for a ready service that must complete', () => {
    const graph = buildGraph([
      specOf('web'),
      specOf('log', { dependsOn: [{ service: web, condition: 'completed' }] }),
    ]);
    expect(targetOutcome('start', ofWeb(STATES.up), { ...around(), graph })).toBe('pending');
  });

  it('the outcome of a start is pending for a ready service that must stop', () => {
    expect(targetOutcome('start', ofWeb(STATES.up, { wanted: 'down' }), around())).toBe('pending');
  });

  it.each<[string, Service | undefined, boolean]>([
    ['on its way', dbIn(STATES.starting), false],
    ['ready', dbIn(STATES.up), false],
    ['skipped', dbIn(down({ tag: 'skipped', by: 'manifest' })), false],
    ['on its way, to be stopped', dbIn(STATES.starting, 'down'), true],
    ['in backoff', dbIn(STATES['backing-off']), true],
    ['in backoff after a clean exit', dbIn({ ...STATES['backing-off'], error: clean }), false],
    ['given up', dbIn(STATES.broken), true],
    ['stopped', dbIn(down({ tag: 'asked' }), 'down'), true],
    ['failed', dbIn(down({ tag: 'failed', error: failure })), true],
    ['not there', undefined, true],
  ])(
    'the outcome of a start for a service whose dependency is %s is that it waits in vain: %3$s',
    (_, db, vain) => {
      const waiting = ofWeb(STATES.waiting);
      const blocked = { code: 'ERR0109', service: web, dependency: idOf('db') };
      expect(targetOutcome('start', waiting, around(db))).toEqual(vain ? blocked : 'pending');
    },
  );

  it.each([
    [BEGAN, 'success', 'reached'],
    [BEGAN, 'failure', failure],
    [BEGAN, 'unknown', 'reached'],
    [BEGAN - 1, 'failure', 'reached'],
  ] as const)(
    'the outcome of a start for a scheduled service whose run of %i is a %s',
    (startedAt, result, outcome) => {
      const error = result === 'failure' && { error: failure };
      const runs = [{ due: BEGAN, startedAt: startedAt as typeof BEGAN, result, ...error }];
      expect(targetOutcome('start', ofWeb(STATES.scheduled, { schedule: { runs } }), around())).toEqual(
        outcome,
      );
    },
  );
});

describe('the outcome of a stop', () => {
  it.each<[Tag, unknown]>([
    ['down', 'reached'],
    ['up', 'pending'],
    ['spawning', 'pending'],
    ['stopping', 'pending'],
  ])('the outcome of a stop for a service %s', (tag, outcome) => {
    expect(targetOutcome('stop', { ...serviceIn(tag), wanted: 'down' }, around())).toEqual(outcome);
  });

  it('the outcome of an unverified stop names the remaining processes and the age of SIGKILL', () => {
    for (const command of ['stop', 'shutdown', 'forget'] as const)
      expect(targetOutcome(command, ofWeb(unverified, { wanted: 'down' }), around())).toEqual(alive);
    expect(alive.waited).toBe(ms(NOW - KILLED));
  });

  it('the outcome of a stop is canceled if another command started the service again', () => {
    expect(targetOutcome('stop', ofWeb(STATES.up), around())).toEqual(calledOff);
  });
});

describe('the outcome of a restart with a rollout', () => {
  const rolling = withRollout(ofWeb(STATES.up), NOW, false);

  it('the outcome of a rollout is pending while its candidate waits for a dependency that may start', () => {
    expect(rolling.rollout?.other.actual.tag).toBe('waiting');
    expect(targetOutcome('restart', rolling, around(dbIn(STATES.starting)))).toBe('pending');
  });

  it('the outcome of a rollout names the dependency for which the candidate waits in vain', () => {
    const stopped = dbIn(down({ tag: 'asked' }), 'down');
    const dependency = idOf('db');
    expect(targetOutcome('restart', rolling, around(stopped))).toEqual({
      code: 'ERR0109',
      service: web,
      dependency,
    });
  });

  describe('the outcome of a canceled rollout', () => {
    const over = (changes: Partial<Service>): Service => {
      const { rollout } = rolling;
      if (rollout === undefined) throw new Error('no rollout');
      const called = { ...rolling, rollout: { ...rollout, undoing: { tag: 'called-off' } as const } };
      return { ...withoutRollout(called, NOW), ...changes };
    };

    it('the outcome of a rollout is canceled if the old run continues, whichever restart it was', () => {
      expect(targetOutcome('restart', over({}), around())).toEqual(calledOff);
      expect(targetOutcome('restart', over({}), { ...around(), since: NOW })).toEqual(calledOff);
    });

    it('the outcome of a rollout is canceled if a new run has the old declaration', () => {
      const revised = specOf('web', { digest: 'newer' });
      expect(targetOutcome('apply', over({ runs: rolling.runs + 2, revised }), around())).toEqual(calledOff);
    });

    it('the outcome of a canceled rollout is done if a new run has started since', () => {
      expect(targetOutcome('restart', over({ runs: rolling.runs + 2 }), around())).toBe('reached');
    });

    it('the outcome of a later restart ignores an earlier cancellation', () => {
      const before = { tag: 'up', runs: rolling.runs, rolled: NOW } as const;
      expect(targetOutcome('restart', over({}), { ...around(), before })).toBe('reached');
    });
  });
});

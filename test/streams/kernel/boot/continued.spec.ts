// The first step of a supervisor that continues after a re-exec in the same process.
import { describe, expect, it } from 'vitest';
import type { Unbegun } from '../../../../src/streams/domain/handed-commands.ts';
import { requestId, runId } from '../../../../src/streams/domain/ids.ts';
import { DEFAULT_SETTINGS } from '../../../../src/streams/domain/declared/settings.ts';
import { watchings } from '../../../../src/streams/kernel/after-step/watch-lists.ts';
import { received } from '../../../../src/streams/kernel/requests/request.ts';
import { serviceAt } from '../../../../src/streams/kernel/service-table.ts';
import { INITIAL_STATE, type SupervisorState } from '../../../../src/streams/kernel/state.ts';
import { step, type Step } from '../../../../src/streams/kernel/step.ts';
import { idOf, specOf } from '../../../support/spec.ts';
import { NOW, RUN, serviceIn, STATES, TAGS } from '../../../support/states.ts';
import type { Child } from '../../../../src/streams/domain/service/child.ts';
import type { Service } from '../../../../src/streams/domain/service/service.ts';
import { plus, seconds } from '../../../../src/streams/domain/time.ts';
import { withRollout } from '../../../../src/streams/rollout/two-runs.ts';
import { delayBefore } from '../../../../src/streams/service/restart-policy.ts';

const continued = (
  restored: readonly Service[],
  taken: Partial<SupervisorState> = {},
  unbegun: readonly Unbegun[] = [],
): Step =>
  step(
    { ...INITIAL_STATE, ...taken },
    {
      at: NOW,
      event: {
        type: 'booted',
        settings: DEFAULT_SETTINGS,
        registered: [],
        restored,
        found: [],
        sameBoot: true,
        warnings: [],
        ...{ continued: true, unbegun },
      },
    },
  );

/**
 * The states in which a service stays. From `waiting` and `casualty` it would start, because its dependency
 * is not declared.
 */
const STILL = TAGS.filter((tag) => tag !== 'waiting' && tag !== 'casualty');

describe('a service whose supervisor continues as another program', () => {
  it.each(STILL)('a service in state %s is unchanged by an upgrade, and nothing starts', (tag) => {
    const service = serviceIn(tag);
    const { state, effects } = continued([service]);
    expect(serviceAt(state.serviceTable, idOf('web'))).toEqual(service);
    expect(effects).toEqual([]);
  });

  it('commands that run during an upgrade are watched under the same keys', () => {
    const service = serviceIn('preparing');
    const watched = {
      ...service,
      spec: { ...service.spec, skip: 'true', deployment: { ...service.spec.deployment, preStart: 'true' } },
    };
    const keys = watchings(continued([watched])).flatMap(({ watches }) => watches.map(({ key }) => key));
    expect(keys).toEqual([expect.stringMatching(/^command:shop\/web#\d+:(skip|pre_start)$/)]);
  });

  it('an upgrade keeps fields of a newer version that this one does not know', () => {
    const newer = { ...serviceIn('up'), mood: 'good' };
    expect(serviceAt(continued([newer]).state.serviceTable, idOf('web'))).toMatchObject({ mood: 'good' });
  });
});

describe('a requested spawn that had not started before an upgrade', () => {
  const web = { service: idOf('web'), run: RUN };
  const child = (name: string, run: number): Child => ({
    ...{ name, run: runId(run), parent: RUN, argv: ['work', name], born: NOW, wanted: 'up' },
    actual: { tag: 'spawning', run: runId(run) },
  });

  it('a requested spawn starts in the first step, unchanged and once, and no other does', () => {
    const spawning = { ...serviceIn('spawning'), lane: 1 } as const;
    const other = { ...serviceIn('spawning'), spec: specOf('db') };
    const { state, effects } = continued([spawning, other], {}, [web]);
    expect(effects).toEqual([{ type: 'spawn', ...web, spec: spawning.spec, fifoPair: 1 }]);
    expect(serviceAt(state.serviceTable, idOf('web'))).toEqual(spawning);
  });

  it('a requested spawn of a child keeps its name', () => {
    const parent = { ...serviceIn('up'), children: [child('a', 4), child('b', 5)] };
    const { effects } = continued([parent], {}, [{ ...web, run: runId(5) }]);
    expect(effects).toMatchObject([
      { type: 'spawn', service: web.service, run: 5, child: 'b', spec: { launch: { argv: ['work', 'b'] } } },
    ]);
  });

  it('a requested spawn of the second run of a rollout is started', () => {
    const other = {
      ...serviceIn('spawning'),
      runs: 4,
      actual: { tag: 'spawning', run: runId(4) },
      lane: 1,
    } as const;
    const rolling = withRollout(serviceIn('up'), NOW, false);
    const rollout = rolling.rollout;
    if (rollout === undefined) throw new Error('there is no rollout');
    const { effects } = continued([{ ...rolling, rollout: { ...rollout, other } }], {}, [
      { ...web, run: runId(4) },
    ]);
    expect(effects).toEqual([{ type: 'spawn', ...web, run: 4, spec: other.spec, fifoPair: 1 }]);
  });

  it.each(STILL.filter((tag) => tag !== 'spawning'))(
    'a service in state %s has no requested spawn',
    (tag) => {
      const gone = { service: idOf('gone'), run: RUN };
      expect(continued([serviceIn(tag)], {}, [web, { ...web, run: runId(9) }, gone]).effects).toEqual([]);
    },
  );
});

it('a command without an answer before an upgrade is answered after it', () => {
  const id = requestId('client:7');
  const request = {
    ...received(id, { type: 'stop', selection: {} }, NOW),
    targets: [idOf('web')],
    undecided: 1,
  };
  const service = { ...serviceIn('stopping'), wanted: 'down', awaitedBy: [id] } as const;
  const booted = continued([service], { requests: { [id]: request } });
  expect(booted.requests).toContain(id);
  expect(booted.effects).toEqual([]);
  expect(booted.state.requests[id]).toEqual(request);
});

describe('a clock that was set back before an upgrade', () => {
  const HOUR = seconds(3_600);
  const LATER = plus(NOW, HOUR);

  it('a clock set back before an upgrade delays neither SIGKILL nor a backoff', () => {
    const stopping: Service = {
      ...serviceIn('stopping'),
      wanted: 'down',
      actual: { ...STATES.stopping, since: LATER, phaseSince: LATER },
    };
    const resting: Service = {
      ...serviceIn('backing-off'),
      spec: specOf('db'),
      actual: { ...STATES['backing-off'], until: LATER },
    };
    const timers = watchings(continued([stopping, resting])).flatMap(({ watches }) =>
      watches.flatMap((watch) => (watch.type === 'timer' ? [[watch.timer, watch.due - NOW]] : [])),
    );
    expect(timers).toEqual([
      ['stop-timeout', stopping.spec.stopTimeout],
      ['backoff', delayBefore(1, resting.spec.backoff, resting.spec.id)],
    ]);
  });

  it.each(['start', 'restart'] as const)(
    'a clock set back before an upgrade leaves a %s no longer than its limit',
    (type) => {
      const id = requestId('client:7');
      const turn = idOf('web');
      const request = {
        ...received(id, { type, selection: {} }, LATER),
        deadline: plus(LATER, HOUR),
        targets: [turn],
        undecided: 1,
        ...(type === 'restart' && { turn }),
      };
      const { state, requests } = continued([{ ...serviceIn('starting'), awaitedBy: [id] }], {
        requests: { [id]: request },
      });
      expect(requests).toContain(id);
      expect(state.requests[id]).toEqual({
        ...request,
        since: NOW,
        deadline: plus(NOW, DEFAULT_SETTINGS.startSettle),
      });
    },
  );
});

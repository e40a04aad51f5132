// The first step of a program that goes on in the process of another one.
import { describe, expect, it } from 'vitest';
import { requestId } from '../../../../src/streams/domain/ids.ts';
import { DEFAULT_SETTINGS } from '../../../../src/streams/domain/declared/settings.ts';
import { watchings } from '../../../../src/streams/kernel/derived/watchings.ts';
import { received } from '../../../../src/streams/kernel/requests/request.ts';
import { serviceAt } from '../../../../src/streams/kernel/roster.ts';
import { INITIAL_STATE, type SupervisorState } from '../../../../src/streams/kernel/state.ts';
import { step, type Step } from '../../../../src/streams/kernel/step.ts';
import { idOf } from '../../../support/spec.ts';
import { NOW, serviceIn, TAGS } from '../../../support/states.ts';
import type { Service } from '../../../../src/streams/domain/service/service.ts';

const continued = (restored: readonly Service[], taken: Partial<SupervisorState> = {}): Step =>
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
        continued: true,
      },
    },
  );

/** Nobody keeps these two where they are: what they wait for, or fell with, is not declared. */
const STILL = TAGS.filter((tag) => tag !== 'waiting' && tag !== 'casualty');

describe('a service whose supervisor goes on as another program', () => {
  it.each(STILL)('in state %s is as it was, and nothing is begun', (tag) => {
    const service = serviceIn(tag);
    const { state, effects } = continued([service]);
    expect(serviceAt(state.roster, idOf('web'))).toEqual(service);
    expect(effects).toEqual([]);
  });

  it('has its commands under way watched under the same keys', () => {
    const service = serviceIn('preparing');
    const watched = {
      ...service,
      spec: { ...service.spec, skip: 'true', deployment: { ...service.spec.deployment, preStart: 'true' } },
    };
    const keys = watchings(continued([watched])).flatMap(({ watches }) => watches.map(({ key }) => key));
    expect(keys).toEqual([expect.stringMatching(/^command:shop\/web#\d+:(skip|pre_start)$/)]);
  });

  it('keeps what a newer version has written and this one does not know', () => {
    const newer = { ...serviceIn('up'), mood: 'good' };
    expect(serviceAt(continued([newer]).state.roster, idOf('web'))).toMatchObject({ mood: 'good' });
  });
});

it('a command that was not answered yet goes on to its answer', () => {
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

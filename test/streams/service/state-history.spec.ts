import { describe, expect, it } from 'vitest';
import type { ServiceState } from '../../../src/streams/domain/service/service.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { remember } from '../../../src/streams/service/state-history.ts';
import { idOf } from '../../support/spec.ts';
import { serviceIn, STATES } from '../../support/states.ts';

const at = instant(5);

describe('the history of a service', () => {
  it('the history keeps facts of each transition, not sentences', () => {
    const input = { type: 'fell', of: [idOf('db')] } as const;
    expect(remember(serviceIn('preparing'), STATES.casualty, { input, at })).toEqual([
      { at: 5, from: 'preparing', to: 'casualty', cause: 'fell', facts: { of: [idOf('db')] } },
    ]);
  });

  it('the history keeps why a service was down, and no detail of self-explanatory inputs', () => {
    const down: ServiceState = { tag: 'down', why: { tag: 'asked' } };
    expect(remember(serviceIn('broken'), down, { input: { type: 'stop' }, at })).toEqual([
      { at: 5, from: 'broken', to: 'down', down: 'asked', cause: 'stop' },
    ]);
  });

  it('the history has no entry for a change within one state', () => {
    const up = serviceIn('up');
    expect(remember(up, STATES.up, { input: { type: 'clock-stepped', service: up.spec.id }, at })).toBe(
      up.history,
    );
  });
});

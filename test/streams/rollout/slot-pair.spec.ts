import { describe, expect, it } from 'vitest';
import {
  candidateSlots,
  exchanged,
  idleSlot,
  slotsOf,
  slotted,
} from '../../../src/streams/rollout/slot-pair.ts';
import { freshService, type Service } from '../../../src/streams/domain/service/service.ts';
import type { BlueGreen } from '../../../src/streams/domain/declared/spec.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import { specOf } from '../../support/spec.ts';

const blueGreen: BlueGreen = { envVar: 'PORT', slots: ['a', 'b'], switchCommand: 'true' };
const web = (slot?: string): Service => ({
  ...freshService(specOf('web', { deployment: { strategy: 'immediate', gracePeriod: ms(0), blueGreen } })),
  ...(slot !== undefined && { slot }),
});
const plain = freshService(specOf('web'));

describe('slots', () => {
  it.each([
    [undefined, 'a'],
    ['a', 'a'],
    ['b', 'b'],
    ['gone', 'a'],
  ])('the slot of a service that kept %s: it runs in %s', (kept, slot) => {
    expect(slotted(web(kept)).slot).toBe(slot);
  });

  it.each([
    ['a', 'b'],
    ['b', 'a'],
    [undefined, 'a'],
  ])('the idle slot beside a run in %s is %s', (active, idle) => {
    expect(idleSlot(blueGreen, active)).toBe(idle);
  });

  it('the slot of a service without a rollout is the active one', () => {
    expect(slotsOf(web('b'))).toEqual({ slot: 'b', active: 'b', candidate: 'a' });
  });

  it('the slot of a candidate is the other one', () => {
    const slots = { slot: 'b', active: 'a', candidate: 'b' };
    expect(candidateSlots(web('b'), 'a')).toEqual(slots);
    expect(exchanged(slots)).toEqual({ slot: 'a', active: 'b', candidate: 'a' });
  });

  it('slots have no meaning without a declaration of them', () => {
    expect(slotted(plain)).toBe(plain);
    expect(slotsOf(plain)).toBeUndefined();
    expect(candidateSlots(plain, 'a')).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { fixedSlotOf, isOfSlot, type DeclaredCheck } from '../../../src/streams/rollout/slot-pair.ts';

const SLOTS = { slots: ['9001', '9002'], envVar: 'PORT' };
const NAMED = { slots: ['blue', 'green'], envVar: 'SLOT' };
const command = (text: string): DeclaredCheck => ({ command: text });
const url = (text: string): DeclaredCheck => ({ url: text });

describe('a check of a fixed slot', () => {
  it.each([
    url('http://127.0.0.1:{slot}/'),
    url('http://127.0.0.1:{active_slot}/'),
    command('curl 127.0.0.1:$PORT'),
    command('curl 127.0.0.1:${PORT}/x'),
  ])('a check probes the run in its own slot: %j', (check) => {
    expect(isOfSlot(check, SLOTS)).toBe(true);
    expect(fixedSlotOf(check, undefined, SLOTS)).toBeUndefined();
  });

  it.each([url('http://127.0.0.1/'), command('curl 127.0.0.1:$PORTAL'), command('echo ${slot}')])(
    'a check does not probe the run in its own slot: %j',
    (check) => expect(isOfSlot(check, SLOTS)).toBe(false),
  );
});

describe('the fixed slot of a check', () => {
  it('the fixed slot of a check is the one named by the port', () => {
    expect(fixedSlotOf(url('http://127.0.0.1:9002/health'), undefined, SLOTS)).toBe('9002');
    expect(fixedSlotOf(command('curl -f localhost:9001'), undefined, SLOTS)).toBe('9001');
  });

  it('the fixed slot of a check is the one whose candidate check has the same port', () => {
    const slots = { slots: ['1', '2'], envVar: 'N' };
    const candidate = url('http://127.0.0.1:808{slot}/');
    expect(fixedSlotOf(url('http://localhost:8082/'), candidate, slots)).toBe('2');
  });

  it('a check has no fixed slot for a proxy, and none if both slots have the port', () => {
    expect(
      fixedSlotOf(url('http://127.0.0.1:8080/'), url('http://127.0.0.1:90{slot}/'), NAMED),
    ).toBeUndefined();
    const candidate = url('http://127.0.0.1:8080/{slot}');
    expect(fixedSlotOf(url('http://127.0.0.1:8080/'), candidate, NAMED)).toBeUndefined();
  });
});

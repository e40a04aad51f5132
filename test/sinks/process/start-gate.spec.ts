import { describe, expect, it } from 'vitest';
import { StartGate } from '../../../src/sinks/process/start-gate.ts';
import type { Unbegun } from '../../../src/streams/domain/handed.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import { idOf } from '../../support/spec.ts';
import { someTurns, turnsOfTheLoop } from './loop-turns.ts';

const one = (name: string): Unbegun => ({ service: idOf(name), run: runId(1) });

describe('the gate for process starts', () => {
  it('the first start passes without waiting for the event loop', async () => {
    const turns = turnsOfTheLoop();

    await new StartGate().ticket(one('a')).turn();

    expect(turns()).toBe(0);
  });
});

describe('a closed gate for process starts', () => {
  const waiting = (gate: StartGate, ...names: readonly string[]): { passed: string[] } => {
    const seen = { passed: [] as string[] };
    for (const name of names)
      void gate
        .ticket(one(name))
        .turn()
        .then(() => seen.passed.push(name));
    return seen;
  };

  it('a closed gate lets no start pass and reports it, but not starts that have passed', async () => {
    const gate = new StartGate();
    await gate.ticket(one('a')).turn();
    const { passed } = waiting(gate, 'b', 'c');
    expect(gate.heldUp()).toEqual([]);
    gate.hold();
    await someTurns();

    expect(passed).toEqual([]);
    expect(gate.heldUp()).toEqual([one('b'), one('c')]);
  });

  it('starts wait at a closed gate in their order until it is opened', async () => {
    const gate = new StartGate();
    gate.hold();
    const { passed } = waiting(gate, 'a', 'b');
    await someTurns();
    expect(passed).toEqual([]);
    gate.release();
    await someTurns();

    expect(passed).toEqual(['a', 'b']);
    expect(gate.heldUp()).toEqual([]);
  });

  it('a closed gate counts starts on their way, and not those that gave up', () => {
    const gate = new StartGate();
    const [first, second] = [gate.ticket(one('a')), gate.ticket(one('b'))];
    gate.hold();
    second.over();

    expect(gate.heldUp()).toEqual([one('a')]);
    first.over();
    expect(gate.heldUp()).toEqual([]);
  });
});

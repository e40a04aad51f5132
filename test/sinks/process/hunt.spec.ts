import { describe, expect, it } from 'vitest';
import { hunt } from '../../../src/sinks/process/hunt.ts';
import type { Census } from '../../../src/streams/domain/ports.ts';
import type { ProcessRef } from '../../../src/streams/domain/process.ts';
import { RUN, sh, specOf } from '../../fixtures/processes/world.ts';

/** Answers in turn, the last answer for ever; processes that never were. */
const census = (...answers: (readonly ProcessRef[] | Error)[]): Census & { asked: number } => ({
  asked: 0,
  membersOf() {
    const answer = answers[Math.min(this.asked, answers.length - 1)] ?? [];
    this.asked += 1;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  },
});
const nobody = (index: number): ProcessRef => ({ pid: 2 ** 30 + index, startTicks: 1 });
const quarry = { service: specOf(sh('')).id, run: RUN, leader: nobody(0), targets: [nobody(0)] };

describe('a hunt', () => {
  it('ends when two looks in a row find nobody new', async () => {
    const table = census([nobody(0), nobody(1)], [nobody(1)], [nobody(2)], [nobody(2)], []);
    await hunt(table, quarry);
    expect(table.asked).toBe(5);
  });

  it('does not take a table that cannot be read for an empty one', async () => {
    const table = census(new Error('EMFILE'), [], new Error('EMFILE'), [], []);
    await hunt(table, quarry);
    expect(table.asked).toBe(5);
  });

  it('is given up after a hundred rounds', async () => {
    let born = 0;
    const endless: Census = { membersOf: () => Promise.resolve([nobody((born += 1))]) };
    await hunt(endless, quarry);
    expect(born).toBe(100);
  });
});

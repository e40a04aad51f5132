import { describe, expect, it } from 'vitest';
import { Ledger, type Account } from './lines.ts';

const word = (run: number, number: number): string => `${run}.${String(number).padStart(9, '0')};`;
const line = (text: string, part = ''): string => `2026-11-21T21:00:00.000000Z stdout${part} ${text}`;

const accountOf = (lines: readonly string[], told: Readonly<Record<string, number>> = {}): Account => {
  const ledger = new Ledger();
  lines.forEach((text) => ledger.line(text));
  Object.entries(told).forEach(([run, bytes]) => ledger.told(run, bytes));
  return ledger.account();
};

describe('the lines of a writer', () => {
  it('the lines of each run are all present, also in parts without a newline', () => {
    const lines = [
      line(word(1, 0)),
      line(word(1, 1)),
      line(`${word(2, 0)} ${word(2, 1).slice(0, 4)}`, '+'),
      line(`${word(2, 1).slice(4)} `),
    ];
    expect(accountOf(lines, { 1: 26, 2: 26 })).toEqual({ words: 4, lost: 0, doubled: 0, torn: 0, wrong: [] });
  });

  it('the last line of a run may end within a word', () => {
    const lines = [line(word(1, 0)), line(word(1, 1).slice(0, 7)), line(word(2, 0))];
    expect(accountOf(lines, { 1: 20, 2: 13 })).toMatchObject({ lost: 0, torn: 0 });
  });

  it('missing lines are found in the middle, at the end, and within a word', () => {
    expect(accountOf([line(word(1, 0)), line(word(1, 3))])).toMatchObject({ lost: 2 });
    expect(accountOf([line(word(1, 0))], { 1: 39 })).toMatchObject({ lost: 2 });
    expect(accountOf([line(word(1, 0)), line(word(1, 1).slice(0, 7))], { 1: 21 })).toMatchObject({ lost: 1 });
    expect(accountOf([], { 1: 13 })).toMatchObject({ lost: 1 });
  });

  it('duplicate lines are found', () => {
    expect(accountOf([line(word(1, 0)), line(word(1, 1)), line(word(1, 1))])).toMatchObject({ doubled: 1 });
  });

  it('torn lines are found', () => {
    expect(accountOf([line(word(1, 0)), line('00001;')])).toMatchObject({ torn: 1 });
    expect(accountOf([line(word(1, 0).slice(0, 5)), line(word(1, 0))])).toMatchObject({ torn: 1 });
    expect(accountOf(['nothing of the kind'])).toMatchObject({ torn: 1 });
  });
});

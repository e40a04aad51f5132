import { describe, expect, it } from 'vitest';
import { chanceOf } from './chance.ts';
import { roundOf, type Round } from './plan.ts';

const roundsOf = (seed: number): readonly Round[] => {
  const chance = chanceOf(seed);
  return Array.from({ length: 200 }, () => roundOf(chance));
};

describe('the rounds of a seed', () => {
  it('the rounds are the same for a seed and differ between seeds', () => {
    expect(roundsOf(7)).toEqual(roundsOf(7));
    expect(roundsOf(7)).not.toEqual(roundsOf(8));
  });

  it('the rounds kill each target, use each command and edit the manifest', () => {
    const rounds = roundsOf(1);
    const tags = new Set(rounds.flatMap(({ blows }) => blows.map(({ tag }) => tag)));
    const words = new Set(rounds.flatMap(({ orders }) => orders.map(({ word }) => word)));
    expect([...tags].toSorted()).toEqual(['both', 'member', 'service', 'supervisor', 'with']);
    expect([...words].toSorted()).toEqual(['restart', 'start', 'status', 'stop']);
    expect(rounds.some(({ edit }) => edit !== undefined)).toBe(true);
  });
});

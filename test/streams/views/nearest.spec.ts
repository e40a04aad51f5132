import { describe, expect, it } from 'vitest';
import { nearest } from '../../../src/streams/views/nearest.ts';

describe('the nearest name', () => {
  it.each([
    ['wbe', 'web'],
    ['we', 'web'],
    ['webb', 'web'],
    ['migrat', 'migrate'],
    ['worker', undefined],
    ['', undefined],
  ])('to %j is %s', (word, found) => {
    expect(nearest(word, ['db', 'web', 'migrate'])).toBe(found);
  });

  it('is the one with the fewest differences', () => {
    expect(nearest('service1', ['service12', 'service1x', 'server1', 'service2'])).toMatch(/^service/);
    expect(nearest('exac', ['exec', 'exact'])).toBeDefined();
    expect(nearest('logs', ['logx', 'logs'])).toBe('logs');
  });
});

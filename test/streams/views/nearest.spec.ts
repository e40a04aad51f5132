import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from '../../../src/streams/views/nearest.ts';

const KEYS = ['command', 'exec', 'restart_policy', 'stop_signal', 'stop_timeout', 'env'];

describe('the nearest name', () => {
  it.each([
    ['wbe', 'web'],
    ['we', 'web'],
    ['webb', 'web'],
    ['migrat', 'migrate'],
    ['worker', undefined],
    ['', undefined],
  ])('the nearest name to %j is %s', (word, found) => {
    expect(nearest(word, ['db', 'web', 'migrate'])).toBe(found);
  });

  it.each([
    ['comand', 'command'],
    ['restartPolicy', 'restart_policy'],
    ['restart-policy', 'restart_policy'],
    ['STOP_SIGNAL', 'stop_signal'],
    ['stop_timout', 'stop_timeout'],
    ['evn', 'env'],
    ['en', 'env'],
    ['zebra', undefined],
    ['', undefined],
    ['x'.repeat(1000), undefined],
  ])('the nearest name to the key %s is %s', (word, meant) => {
    expect(nearest(word, KEYS)).toBe(meant);
  });

  it('the nearest name is the one with the fewest differences', () => {
    expect(nearest('service1', ['service12', 'service1x', 'server1', 'service2'])).toMatch(/^service/);
    expect(nearest('exac', ['exec', 'exact'])).toBeDefined();
    expect(nearest('Logs', ['logx', 'logs'])).toBe('logs');
  });

  it('the nearest name is found among thousands of others', () => {
    const many = Array.from({ length: 5000 }, (_, number) => `x${number}`);
    expect(nearest('webb', [...many, 'web', 'web2'])).toBe('web');
  });

  it('the nearest name may differ in its first letter, also among many names', () => {
    const many = Array.from({ length: 500 }, (_, number) => `service-${number}`);
    expect(nearest('zpi', [...many, 'api'])).toBe('api');
  });

  it('the nearest name is never the given name itself', () => {
    expect(nearest('api', ['api'])).toBeUndefined();
    expect(didYouMean('api', ['api', 'apis'])).toBe('did you mean "apis"?');
  });

  it('the nearest name is suggested as a question', () => {
    expect(didYouMean('comand', KEYS)).toBe('did you mean "command"?');
    expect(didYouMean('zebra', KEYS)).toBeUndefined();
    expect(didYouMean('zebra', [])).toBeUndefined();
  });
});

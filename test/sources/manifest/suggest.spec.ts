import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from '../../../src/sources/manifest/suggest.ts';

const KNOWN = ['command', 'exec', 'restart_policy', 'stop_signal', 'stop_timeout', 'env'];

describe('the name that was meant', () => {
  it.each([
    ['comand', 'command'],
    ['restartPolicy', 'restart_policy'],
    ['restart-policy', 'restart_policy'],
    ['STOP_SIGNAL', 'stop_signal'],
    ['stop_timout', 'stop_timeout'],
    ['evn', undefined],
    ['en', 'env'],
    ['zebra', undefined],
    ['', undefined],
    ['x'.repeat(1000), undefined],
  ])('by %s is %s', (name, meant) => {
    expect(nearest(name, KNOWN)).toBe(meant);
  });

  it('is found among very many, also where the first letter is the slip', () => {
    const many = Array.from({ length: 500 }, (_, index) => `service-${index}`);
    expect(nearest('zpi', [...many, 'api'])).toBe('api');
    expect(nearest('apii', [...many, 'api', 'app'])).toBe('api');
  });

  it('is never the name itself', () => {
    expect(nearest('api', ['api'])).toBeUndefined();
    expect(didYouMean('api', ['api', 'apis'])).toBe('did you mean "apis"?');
  });

  it('is asked for, not assumed', () => {
    expect(didYouMean('comand', KNOWN)).toBe('did you mean "command"?');
    expect(didYouMean('zebra', KNOWN)).toBeUndefined();
    expect(didYouMean('zebra', [])).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { isInTrouble } from '../../../src/streams/views/trouble.ts';
import { serviceOf } from '../../cli/support/documents.ts';

const exit = (code: number) => ({ code, signal: null, success: code === 0, at: '2026-11-21T12:00:00.000Z' });

describe('a service', () => {
  it.each([
    ['runs', {}, false],
    ['is in backoff after a clean exit', { state: 'backoff', last_exit: exit(0) }, false],
    ['is in backoff after a failure', { state: 'backoff', last_exit: exit(1) }, true],
    ['has fallen as a casualty', { state: 'casualty' }, true],
    ['is unhealthy', { health: 'unhealthy' }, true],
    ['waits for its schedule', { state: 'scheduled', health: 'unknown' }, false],
  ] as const)('a service that %s is in trouble: %3$s', (_, facts, trouble) => {
    expect(isInTrouble(serviceOf(facts))).toBe(trouble);
  });
});

import { describe, expect, it } from 'vitest';
import { firstGlance, windowTitle } from '../../../src/dashboard/page/model/first-glance.ts';
import { rowOf } from './rows.ts';

const exit = { code: 3, signal: null, success: false, at: null };
const backoff = rowOf('shop/api', { state: 'backoff', restarts: 2, last_exit: exit });

const sentenceOf = (...rows: Parameters<typeof firstGlance>[0]): string => {
  const { well, need } = firstGlance(rows);
  return [well, need].filter((part) => part !== '').join(', ');
};

describe('the sentence of the first glance', () => {
  it('says what runs and names the service that needs the user', () => {
    expect(sentenceOf(rowOf('shop/db'), backoff, rowOf('shop/web'))).toBe(
      '2 running, 1 needs you: shop/api in backoff, exit 3, 2 of 8',
    );
  });

  it('names a cause before its casualties, and at most three services', () => {
    const casualties = ['a', 'b', 'c'].map((name) =>
      rowOf(`shop/${name}`, { state: 'casualty', because_of: ['shop/api'] }),
    );
    expect(sentenceOf(...casualties, backoff)).toBe(
      '4 need you: shop/api in backoff, exit 3, 2 of 8; shop/a casualty of shop/api; shop/b casualty of shop/api; and 1 more',
    );
  });

  it.each([
    ['unhealthy', { health: 'unhealthy' }],
    ['deploy failed', { deploy: { failed: true, error: null, at: null, rolled_back: false } }],
    [
      'breaker-open, SIGKILL',
      { state: 'breaker-open', last_exit: { ...exit, code: null, signal: 'SIGKILL' } },
    ],
  ] as const)('a service is %s', (text, facts) => {
    expect(sentenceOf(rowOf('shop/api', facts))).toBe(`1 needs you: shop/api ${text}`);
  });

  it('leaves out the project of loose services, and a backoff after a clean exit', () => {
    expect(sentenceOf(rowOf('__loose__/tunnel', { health: 'unhealthy' }))).toBe(
      '1 needs you: tunnel unhealthy',
    );
    expect(sentenceOf(rowOf('shop/job', { state: 'backoff', last_exit: { ...exit, success: true } }))).toBe(
      '1 backoff',
    );
  });
});

describe('the title of the window', () => {
  it('says how many services need the user, or else how many run', () => {
    const well = [rowOf('shop/db'), rowOf('shop/web')];
    expect(windowTitle(well, undefined)).toBe('2 running · sup');
    expect(windowTitle([...well, backoff], undefined)).toBe('1 needs you · sup');
    expect(windowTitle([backoff, rowOf('shop/b', { state: 'failed' })], undefined)).toBe('2 need you · sup');
  });

  it('begins with the service that is shown, and says nothing of services before these are known', () => {
    expect(windowTitle([backoff], 'shop/api')).toBe('shop/api · 1 needs you · sup');
    expect(windowTitle([], undefined)).toBe('sup');
  });
});

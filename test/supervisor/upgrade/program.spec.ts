import { expect, it, onTestFinished, vi } from 'vitest';
import { isReExecuted, reExecutedWord, sinceReExecution } from '../../../src/supervisor/upgrade/program.ts';

it('the time since the last re-execution does not depend on clock changes', () => {
  const before = [...process.argv];
  onTestFinished(() => {
    process.argv = before;
    vi.useRealTimers();
  });
  expect(isReExecuted()).toBe(false);
  expect(sinceReExecution()).toBeUndefined();
  process.argv = [...before, reExecutedWord()];
  for (const now of ['2001-01-01', '2101-01-01']) {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
    expect(sinceReExecution()).toBeGreaterThanOrEqual(0);
    expect(sinceReExecution()).toBeLessThan(10_000);
  }
});

import { describe, expect, it } from 'vitest';
import { newsIn } from '../../../../src/cli/commands/start/state-news.ts';
import { applyView, NOTHING } from '../../../../src/client/live-model.ts';
import type { ServiceDocument } from '../../../../src/streams/wire/documents/documents.ts';
import type { View } from '../../../../src/streams/wire/protocol.ts';
import { serviceOf } from '../../support/documents.ts';

const view = (full: boolean, ...services: readonly ServiceDocument[]): View => ({
  full,
  projects: [{ id: 'shop', name: 'Shop', manifest: null, services }],
  gone: [],
});

/** What is told when it goes from the one to the other. */
const told = (before: Partial<ServiceDocument>, after: Partial<ServiceDocument>): readonly string[] =>
  newsIn(applyView(NOTHING, view(true, serviceOf(before))), view(false, serviceOf(after)));

describe('messages of an attached start', () => {
  it.each([
    [{ state: 'waiting' }, { state: 'starting', pid: 7 }, 'shop/web started, pid 7'],
    [
      { state: 'backoff' },
      { state: 'waiting', reason: 'waits for db (stopped)' },
      'shop/web waits for db (stopped)',
    ],
    [{ state: 'starting' }, { state: 'running', pid: 7, reason: null }, 'shop/web ready, pid 7'],
    [{ state: 'running' }, { state: 'backoff', reason: 'exited with 1' }, 'shop/web crashed: exited with 1'],
    [
      { state: 'backoff' },
      { state: 'running', pid: 8, restarts: 1, reason: 'restarted: attempt 1 of 8' },
      'shop/web ready again, pid 8: restarted: attempt 1 of 8',
    ],
    [{ state: 'running', pid: 7 }, { state: 'running', pid: 8 }, 'shop/web restarted, pid 8'],
    [{ state: 'running' }, { state: 'stopped', wanted: 'down' }, 'shop/web was stopped elsewhere'],
    [{ state: 'running' }, { state: 'stopped', reason: 'exited with 0' }, 'shop/web ended: exited with 0'],
    [{ state: 'running' }, { state: 'casualty', reason: 'fell with db' }, 'shop/web fell: fell with db'],
    [
      { state: 'backoff' },
      { state: 'breaker-open', reason: 'too often' },
      'shop/web failed for good: too often',
    ],
  ] as const)('a change from %j to %j is reported', (before, after, line) =>
    expect(told(before, after)).toEqual([line]),
  );

  it('the first view and changes of numbers are not reported', () => {
    expect(newsIn(NOTHING, view(true, serviceOf({ state: 'running' })))).toEqual([]);
    expect(told({ state: 'running', pid: 7 }, { state: 'running', pid: 7, cpu_percent: 3 })).toEqual([]);
  });

  it('services that are no longer declared are reported', () => {
    const model = applyView(NOTHING, view(true, serviceOf({})));
    expect(newsIn(model, { full: false, projects: [], gone: ['__loose__/web'] })).toEqual([
      'web is not declared any more',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { paintOf } from '../../../../src/streams/views/words/paint.ts';
import { troubleLines } from '../../../../src/cli/render/page/trouble-page.ts';
import { projectOf, serviceOf, statusOf } from '../../support/documents.ts';

const look = { paint: paintOf(false), sys: false };
const error = {
  code: 'ERR0102',
  message: 'shop/web: exited with 1',
  path: null,
  at: null,
  hint: null,
} as const;

describe('the page below the status table', () => {
  it('there is no trouble page if nothing is failing', () => {
    expect(troubleLines(statusOf([projectOf([serviceOf()])]), look)).toEqual([]);
  });

  it('the trouble page has reason, evidence and next step of each failing service', () => {
    const reason = `exited with 1 before it was ready; attempt 3 of 8 in 1.5 s; ${'and more '.repeat(20)}`;
    const web = serviceOf({
      state: 'backoff',
      reason,
      error,
      evidence: ['boot', 'Error: no \u001b[31m', ...Array.from({ length: 12 }, (_, at) => `line ${at}`)],
      next_step: 'sup logs shop/web -n 50',
    });
    expect(troubleLines(statusOf([projectOf([serviceOf({ name: 'db' }), web])]), look)).toEqual([
      '',
      `shop/web: ERR0102 ${reason.trim()}`,
      '  | boot',
      '  | Error: no \\x1b[31m',
      '  | line 0',
      '  | line 1',
      '  | line 2',
      '  | …',
      ...[7, 8, 9, 10, 11].map((at) => `  | line ${at}`),
      '  sup logs shop/web -n 50',
      '',
      'more: sup why shop/web',
    ]);
  });

  it('the trouble page shows a casualty with its cause, and an unhealthy service by its bare name', () => {
    const status = statusOf([
      projectOf([serviceOf({ state: 'casualty', reason: 'fell with db', because_of: ['db'] })]),
      projectOf([serviceOf({ name: 'job', health: 'unhealthy', reason: null })], '__loose__'),
    ]);
    expect(troubleLines(status, look)).toEqual([
      '',
      'shop/web: fell with db',
      '',
      'job: running',
      '',
      'more: sup why shop/web job',
    ]);
  });

  it('commands of the trouble page mean their services and the supervisor that was asked', () => {
    const lost = { state: 'lost', reason: null, next_step: 'sup logs web -n 50' } as const;
    const status = statusOf([projectOf([serviceOf()]), projectOf([serviceOf(lost)], '__loose__')]);
    expect(troubleLines(status, { ...look, sys: true })).toEqual([
      '',
      '__loose__/web: lost',
      '  sup logs --sys web -n 50',
      '',
      'more: sup why --sys __loose__/web',
    ]);
  });
});

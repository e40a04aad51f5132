import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readQuestion } from '../../../src/dashboard/sockets/read-question.ts';

const LOGS = { id: 1, ask: 'logs', services: ['shop/web'], lines: 5, follow: true };

describe('a message of a page', () => {
  it.each([
    { id: 0, ask: 'service', service: 'shop/web', window: '15m' },
    { id: 1, ask: 'timeline', since: 5, services: [] },
    { ...LOGS, search: 'error' },
    { id: 3, ask: 'end', of: 1 },
    { id: 4, ask: 'plan' },
    { id: 5, ask: 'act', action: { what: 'restart', services: ['shop/web'] } },
    { id: 6, ask: 'act', action: { what: 'apply', plan: 'hash' } },
    { id: 7, ask: 'act', action: { what: 'scale', counts: { 'shop/web': 3 } } },
  ])('is read as it was written: %j', (question) => {
    expect(readQuestion(JSON.stringify(question))).toEqual({ ok: true, question });
  });

  it.each([
    [{ ...LOGS, lines: 5001 }, 'lines: 5001 is not a whole number from 0 to 5000'],
    [{ ...LOGS, follow: 'yes' }, 'follow: "yes" is not true or false'],
    [{ ...LOGS, shell: 'rm' }, '"shell" is not a known key'],
    [{ id: 1, ask: 'act', action: { what: 'stop', services: [] } }, 'action.services: is empty'],
    [{ id: 1, ask: 'act', action: { what: 'shutdown' } }, '"shutdown" is not one of'],
    [{ id: 1, ask: 'act', action: { what: 'scale', counts: { web: 0 } } }, 'counts.web: 0'],
    [{ id: 1, ask: 'act', action: { what: 'scale', counts: [] } }, 'counts'],
    [{ id: 1, ask: 'constructor' }, 'ask: "constructor" is not a known question'],
    [{ id: -1, ask: 'plan' }, 'id: -1 is not a whole number'],
  ])('is refused with the reason: %j', (question, problem) => {
    expect(readQuestion(JSON.stringify(question))).toMatchObject({
      ok: false,
      problem: expect.stringContaining(problem) as string,
    });
  });

  it('of any other form is refused, and nothing is thrown', () => {
    const ask = fc.constantFrom('service', 'timeline', 'logs', 'end', 'plan', 'act', 'x');
    const message = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({ id: fc.nat(), ask, action: fc.jsonValue(), services: fc.jsonValue(), of: fc.jsonValue() })
        .map((all) => JSON.stringify(all)),
    );
    fc.assert(fc.property(message, (text) => typeof readQuestion(text).ok === 'boolean'));
  });
});

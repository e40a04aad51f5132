import { describe, expect, it } from 'vitest';
import { ClientFailure } from '../../src/client/client-failure.ts';
import { reportError } from '../../src/cli/report-error.ts';

const DOCUMENT = { code: 'ERR0001', message: 'no', path: null, at: null, hint: null } as const;
const PLAIN = { json: false, sys: false, color: false, verbose: false, quiet: false };

const told = (manner: Partial<typeof PLAIN>): string => {
  let text = '';
  const screen = {
    write: (more: string) => void (text += more),
    terminal: false,
    columns: () => undefined,
    rows: () => undefined,
  };
  const thrown = new ClientFailure(DOCUMENT, undefined, ['careful']);
  expect(reportError(thrown, screen, { ...PLAIN, ...manner })).toBe(1);
  return text;
};

describe('a failure of the supervisor', () => {
  it('a failure of the supervisor is printed after its warnings', () => {
    expect(told({}).split('\n').slice(0, 2)).toEqual(['warning: careful', 'ERR0001 no']);
  });

  it('a failure of the supervisor is printed alone with --quiet', () => {
    expect(told({ quiet: true })).not.toContain('careful');
  });

  it('a failure of the supervisor has its warnings in its document with --json', () => {
    expect(JSON.parse(told({ json: true }))).toEqual({
      schema: 'sup.error/1',
      error: DOCUMENT,
      warnings: ['careful'],
    });
  });
});

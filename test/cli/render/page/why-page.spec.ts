import { describe, expect, it } from 'vitest';
import { whyLines } from '../../../../src/cli/render/page/why-page.ts';
import { paintOf } from '../../../../src/cli/render/paint.ts';
import { instant } from '../../../../src/streams/domain/time.ts';
import type { WhyDocument } from '../../../../src/streams/wire/documents/why-document.ts';

const AT = '2026-11-21T05:30:15.000Z';
const document: WhyDocument = {
  schema: 'sup.why/1',
  supervised: true,
  services: [
    {
      project: 'shop',
      service: 'web',
      state: 'casualty',
      health: 'unknown',
      chain: [
        {
          service: 'shop/web',
          state: 'casualty',
          since: AT,
          event: null,
          reason: 'fell with db',
          because_of: ['db'],
        },
        {
          service: 'shop/db',
          state: 'backoff',
          since: null,
          event: null,
          reason: 'exited with 3',
          because_of: [],
        },
      ],
      roots: [
        {
          service: 'shop/db',
          history: [
            {
              at: AT,
              from: 'running',
              to: 'backoff',
              cause: 'exited',
              reason: 'exited with 3 before it was ready',
            },
          ],
          printed: ['no disk'],
          advice: 'sup logs shop/db -n 50',
        },
      ],
      next: { at: null, text: 'shop/db is started again' },
      actions: [],
    },
  ],
};
const look = { sys: false, now: instant(Date.parse(AT) + 1_000), columns: undefined };

describe('why, for people', () => {
  it('is the chain, what happened to its root, what that printed, and what comes next', () => {
    const lines = whyLines(document, { ...look, paint: paintOf(false) });
    expect(lines.slice(0, 5)).toEqual([
      'shop/web is casualty since 2026-11-21T05:30:15.000Z (1 s): fell with db',
      '  because shop/db is backoff: exited with 3',
      '  what happened to shop/db',
      '    2026-11-21T05:30:15.000Z  running → backoff  exited with 3 before it was ready',
      '  what shop/db printed last',
    ]);
  });

  it('fits a narrow terminal, with colours and without', () => {
    const plain = whyLines(document, { ...look, columns: 48, paint: paintOf(false) });
    expect(plain.filter((line) => line.length > 50)).toEqual([]);
    const painted = whyLines(document, { ...look, columns: 48, paint: paintOf(true) });
    // eslint-disable-next-line no-control-regex -- what the paint writes
    expect(painted.map((line) => line.replace(/\u001b\[\d+m/g, ''))).toEqual(plain);
  });

  it('has commands for the supervisor that was asked', () => {
    const lines = whyLines(document, { ...look, sys: true, paint: paintOf(false) });
    expect(lines).toContain('  advice  sup logs --sys shop/db -n 50');
  });
});

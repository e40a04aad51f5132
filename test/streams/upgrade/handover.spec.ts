import { describe, expect, it } from 'vitest';
import { HANDOVER_FORMAT, handoverIn, shownIn } from '../../../src/streams/upgrade/handover.ts';

const LISTS = { services: [], events: [], clients: [], sockets: [], commands: [], exits: [], surplus: [] };
const DOCUMENT = { format: HANDOVER_FORMAT, taken: {}, old: {}, ...LISTS };

describe('what is handed over', () => {
  it('is taken in its own form, with whatever else stands there', () => {
    expect(handoverIn({ ...DOCUMENT, more: 1 })).toMatchObject(DOCUMENT);
  });

  it.each([
    ['another form', { ...DOCUMENT, format: HANDOVER_FORMAT + 1 }],
    ['no lists', { ...DOCUMENT, events: undefined }],
    ['no state', { ...DOCUMENT, taken: undefined }],
    ['nothing', undefined],
  ])('is not guessed at: %s', (_what, value) => {
    expect(handoverIn(value)).toBeUndefined();
  });
});

describe('how far output was shown', () => {
  it('is taken as it was written, and not guessed at', () => {
    const shown = { since: '2026-11-21T05:30:15.123456Z', places: [] };
    expect(shownIn(shown)).toEqual(shown);
    expect([{ since: 1, places: [] }, { since: 'x' }, null].map(shownIn)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

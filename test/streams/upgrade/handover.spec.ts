import { describe, expect, it } from 'vitest';
import { HANDOVER_FORMAT, handoverIn } from '../../../src/streams/upgrade/handover.ts';

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

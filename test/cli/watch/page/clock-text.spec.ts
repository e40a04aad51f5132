// The times in the live view.
import { expect, it } from 'vitest';
import { clockText } from '../../../../src/cli/watch/page/clock-text.ts';

const at = new Date(2026, 10, 9, 7, 5, 3);

it('a time of today has no date, one of another day has it', () => {
  expect(clockText(at.toISOString(), new Date(2026, 10, 9, 23, 59, 59).getTime())).toBe('07:05:03');
  expect(clockText(at.toISOString(), new Date(2026, 10, 10, 0, 0, 0).getTime())).toBe('2026-11-09 07:05:03');
});

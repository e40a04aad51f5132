import { expect, it } from 'vitest';
import { isAtLeast } from '../../../../src/cli/commands/doctor/check-programs.ts';

it.each([
  ['v20.19.0', true],
  ['20.18.9', false],
  ['v22.1.0', true],
  ['v9.99', false],
  ['what?', false],
])('%s is at least 20.19: %s', (version, is) => {
  expect(isAtLeast(version, [20, 19])).toBe(is);
});

import { expect, it } from 'vitest';
import { fine, problem, verdictOf, warning } from '../../../../src/cli/commands/doctor/finding.ts';

const [good, better, bad] = [fine('a', 'x'), warning('b', 'y', 'z'), problem('c', 'y', 'z')];

it.each([
  [[], 'ok'],
  [[good], 'ok'],
  [[good, better], 'warning'],
  [[bad, better, good], 'problem'],
])('the verdict is the worst finding', (findings, verdict) => {
  expect(verdictOf(findings)).toBe(verdict);
});

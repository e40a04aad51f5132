import { expect, it } from 'vitest';
import { startReport } from '../../../src/manifest/check/problem-report.ts';

it('the path of a problem is on one line, without control characters', () => {
  const report = startReport();
  report.add({ path: 'env.vars.K\u001b]0;x\u0007\ny' }, { code: 'ERR0213', message: 'm' });
  expect(report.problems()[0]?.path).toBe('env.vars.K\\x1b]0;x\\x07\\ny');
});

import { expect, it } from 'vitest';
import { settings } from '../../../../src/cli/commands/doctor/check-settings.ts';

const FILE = '/data/supervisor.xml';

it('a settings file without mistakes is fine, and so is a missing one', () => {
  expect(settings.judge({ path: FILE, there: true, warnings: [] })).toEqual([
    { id: 'settings', level: 'ok', says: `${FILE}: every value counts` },
  ]);
  expect(settings.judge({ path: FILE, there: false, warnings: [] })).toEqual([
    { id: 'settings', level: 'ok', says: `no ${FILE} yet: the defaults apply` },
  ]);
});

it('each setting without effect is a warning', () => {
  const warnings = [`${FILE}: unknown element <a>`, `${FILE}: <b> is not a number`];
  const findings = settings.judge({ path: FILE, there: true, warnings });
  expect(findings.map(({ level, says }) => [level, says])).toEqual(warnings.map((text) => ['warning', text]));
  expect(new Set(findings.map(({ id }) => id)).size).toBe(2);
  expect(findings[0]?.mend).toContain('next supervisor');
});

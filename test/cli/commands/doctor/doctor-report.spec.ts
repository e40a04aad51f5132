import { describe, expect, it } from 'vitest';
import { ALL_CHECKS } from '../../../../src/cli/commands/doctor/doctor.ts';
import { type DoctorCheck, fine, warning } from '../../../../src/cli/commands/doctor/finding.ts';
import { doctorDocument, doctorLines, examine } from '../../../../src/cli/commands/doctor/doctor-report.ts';
import { paintOf } from '../../../../src/streams/views/words/paint.ts';
import { contextOf } from '../../../../src/cli/context.ts';
import { fakeWorld } from '../../support/fake-world.ts';

const context = contextOf(new Set(), fakeWorld().world);

const breaks: DoctorCheck = { name: 'odd', run: () => Promise.reject(new Error('no such thing')) };
const good: DoctorCheck = { name: 'good', run: () => Promise.resolve([fine('good', 'is well')]) };

describe('a report', () => {
  it('the report continues after a check that failed', async () => {
    expect(await examine([breaks, good], context)).toEqual([
      { id: 'odd', level: 'problem', says: 'check failed: no such thing', mend: 'fix that first' },
      { id: 'good', level: 'ok', says: 'is well' },
    ]);
  });

  it('the report has null if there is nothing to do', () => {
    expect(doctorDocument([fine('a', 'x'), warning('b', 'y', 'z')])).toEqual({
      schema: 'sup.doctor/1',
      verdict: 'warning',
      checks: [
        { id: 'a', level: 'ok', says: 'x', mend: null },
        { id: 'b', level: 'warning', says: 'y', mend: 'z' },
      ],
    });
  });

  it('the report escapes control characters', () => {
    expect(doctorLines([fine('a', 'x\u001b[1m')], paintOf(false))[0]).toBe('ok       a: x\\x1b[1m');
  });

  it('each check of the report has its own name', () => {
    expect(new Set(ALL_CHECKS.map(({ name }) => name)).size).toBe(ALL_CHECKS.length);
  });
});

import { expect, it } from 'vitest';
import { supervisorFacts } from '../../../../src/streams/views/words/supervisor-text.ts';

const SUPERVISOR = {
  ...{ running: true, pid: 7, version: '1.0.0', since: '2026-11-27T12:00:00.000Z', restarts: 1 },
  ...{ process_start: null, warnings: [] },
};

it('the facts of a supervisor are its pid, version, age and how often it was brought back', () => {
  const now = Date.parse('2026-11-27T12:03:00.000Z');
  expect(supervisorFacts(SUPERVISOR, now)).toBe('pid 7, version 1.0.0, up 3 min, brought back once');
  expect(supervisorFacts({ ...SUPERVISOR, restarts: 4 }, now)).toContain('brought back 4 times');
  expect(supervisorFacts({ ...SUPERVISOR, version: null, since: null, restarts: 0 }, now)).toBe('pid 7');
});

import { expect, it } from 'vitest';
import { records } from '../../../../src/cli/commands/doctor/check-records.ts';

it('records are counted; each unreadable one is a problem', () => {
  expect(records.judge({ manifests: 1, services: 3, warnings: [] })).toEqual([
    { id: 'records', level: 'ok', says: 'manifests registered: 1, services on record: 3' },
  ]);
  expect(records.judge({ manifests: 0, services: 0, warnings: ['a', 'b'] })).toMatchObject([
    { id: 'records 1', level: 'problem', says: 'a' },
    { id: 'records 2', level: 'problem', says: 'b' },
  ]);
});

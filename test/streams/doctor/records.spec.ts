import { expect, it } from 'vitest';
import { judgeRecords } from '../../../src/streams/doctor/records.ts';

it('what is on record is counted; what cannot be read is a problem each', () => {
  expect(judgeRecords({ manifests: 1, services: 3, warnings: [] })).toEqual([
    { id: 'records', level: 'ok', says: 'manifests registered: 1, services on record: 3' },
  ]);
  expect(judgeRecords({ manifests: 0, services: 0, warnings: ['a', 'b'] })).toMatchObject([
    { id: 'records 1', level: 'problem', says: 'a' },
    { id: 'records 2', level: 'problem', says: 'b' },
  ]);
});

import { expect, it } from 'vitest';
import { records } from '../../../../src/cli/commands/doctor/check-records.ts';
import { instant } from '../../../../src/streams/domain/time.ts';

it('records are counted; each unreadable one is a problem', () => {
  expect(records.judge({ manifests: 1, services: 3, warnings: [], failing: [] })).toEqual([
    { id: 'records', level: 'ok', says: 'manifests registered: 1, services on record: 3' },
  ]);
  expect(records.judge({ manifests: 0, services: 0, warnings: ['a', 'b'], failing: [] })).toMatchObject([
    { id: 'records 1', level: 'problem', says: 'a' },
    { id: 'records 2', level: 'problem', says: 'b' },
  ]);
});

it('a receiver of alerts whose last delivery failed is a warning that shows no path of its address', () => {
  const to = { tag: 'url', url: 'https://user:pass@hooks.example.com/T0/secret' } as const;
  const failing = [{ to, at: instant(0), detail: 'it answered with status 503' }];
  expect(records.judge({ manifests: 1, services: 1, warnings: [], failing })).toMatchObject([
    { id: 'records' },
    {
      id: 'alerts 1',
      level: 'warning',
      says: 'the last alert to https://hooks.example.com was not delivered (1970-01-01T00:00:00.000Z): it answered with status 503',
    },
  ]);
});

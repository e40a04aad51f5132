import { expect, it } from 'vitest';
import { countReport, type ReportCounts } from '../../../src/streams/children/accept-reported-event.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { idOf } from '../../support/spec.ts';

const WEB = idOf('web');

/** Counts this many events. Returns for each the number of refused ones before it; `no` if it is refused. */
const counted = (
  before: ReportCounts,
  times: number,
  at: number,
): { readonly counts: ReportCounts; readonly fared: readonly (number | 'no')[] } => {
  let counts = before;
  const fared = Array.from({ length: times }, () => {
    const next = countReport(counts, WEB, instant(at));
    counts = next.counts;
    return next.isTaken ? next.missed : ('no' as const);
  });
  return { counts, fared };
};

it('a service may report ten events in a second; the next accepted event says how many were refused', () => {
  const first = counted({}, 13, 0);
  expect(first.fared).toEqual([...Array<number>(10).fill(0), 'no', 'no', 'no']);
  const later = counted(first.counts, 1, 999);
  expect(later.fared).toEqual(['no']);
  expect(counted(later.counts, 2, 1000).fared).toEqual([4, 0]);
});

it('a service that reports too many events does not affect another service', () => {
  const { counts } = counted({}, 11, 0);
  expect(countReport(counts, idOf('db'), instant(0))).toMatchObject({ isTaken: true, missed: 0 });
});

it('a clock that is set back does not refuse events', () => {
  const { counts } = counted({}, 11, 5_000_000);
  expect(counted(counts, 1, 0).fared).toEqual([1]);
});

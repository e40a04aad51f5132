import { from, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { ms } from '../../../src/streams/domain/time.ts';
import { beatsOf, cpuBetween, rssOf, type TreeScan } from '../../../src/streams/metrics/sample.ts';
import { counted, look, tree } from './support.ts';

const AT = ms(1_000);

describe('the processor time of a tree between two scans', () => {
  it('the processor time of a tree is the sum over its processes', () => {
    const before = [counted(1, { own: ms(100) }), counted(2, { own: ms(50) })];
    const now = [counted(1, { own: ms(400) }), counted(2, { own: ms(60) })];
    expect(cpuBetween(before, AT, now)).toBe(310);
  });

  it('a process that started since the last scan counts in full, and one that was only found later does not count', () => {
    const joined = counted(2, { began: ms(1_500), own: ms(70), collected: ms(5) });
    const late = counted(3, { began: ms(500), own: ms(9_000) });
    expect(cpuBetween([], AT, [joined])).toBe(75);
    expect(cpuBetween([], AT, [joined, late])).toBe(75);
  });

  it('a child that started and ended between scans counts by the time that its parent collected', () => {
    const parent = counted(1, { own: ms(10) });
    expect(cpuBetween([parent], AT, [{ ...parent, collected: ms(400) }])).toBe(400);
  });

  it('a child that was counted before its exit does not count twice', () => {
    const before = [counted(1), counted(2, { own: ms(600) })];
    expect(cpuBetween(before, AT, [counted(1, { collected: ms(650) })])).toBe(50);
  });

  it('the processor time of a tree is never negative, also if no process collects an exited one', () => {
    const before = [counted(1, { own: ms(5) }), counted(2, { own: ms(600) })];
    expect(cpuBetween(before, AT, [counted(1, { own: ms(25) })])).toBe(20);
  });

  it('a reused pid counts as another process', () => {
    const before = [counted(1, { startTicks: 7, own: ms(900) })];
    const now = [counted(1, { startTicks: 8, began: ms(1_200), own: ms(30) })];
    expect(cpuBetween(before, AT, now)).toBe(30);
  });
});

it('the memory of a tree is the sum over its processes', () => {
  expect(rssOf([counted(1, { rssBytes: 5 }), counted(2, { rssBytes: 7 })])).toBe(12);
});

const percents = async (
  ...looks: readonly TreeScan[]
): Promise<readonly (readonly (number | undefined)[])[]> => {
  const beats = await lastValueFrom(beatsOf(from(looks)).pipe(toArray()), { defaultValue: [] });
  return beats.map(({ samples }) => samples.map(({ cpuPercent }) => cpuPercent));
};

describe('samples', () => {
  it('a sample has the memory at once and the processor from the second scan on', async () => {
    const first = look(1_000, { web: tree(counted(1, { own: ms(50), rssBytes: 9 })) });
    const second = look(2_000, { web: tree(counted(1, { own: ms(1_050), rssBytes: 9 })) });
    expect(await percents(first, second)).toEqual([[undefined], [100]]);
    const [beat] = await lastValueFrom(beatsOf(from([first])).pipe(toArray()), { defaultValue: [] });
    expect(beat?.samples).toMatchObject([{ service: 'shop/web', rssBytes: 9 }]);
  });

  it('a sample uses the elapsed time, not the planned interval', async () => {
    const first = look(1_000, { web: tree(counted(1)) });
    const late = look(5_000, { web: tree(counted(1, { own: ms(1_000) })) });
    expect(await percents(first, late)).toEqual([[undefined], [25]]);
  });

  it('a sample of a run that began after the last scan has all the processor time of the run', async () => {
    const first = look(1_000, {});
    const second = look(2_000, { web: tree(counted(1, { began: ms(1_500), own: ms(500) })) });
    expect(await percents(first, second)).toEqual([[], [50]]);
  });
});

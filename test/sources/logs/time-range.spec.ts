import { writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Wanted } from '../../../src/sources/logs/line-filter.ts';
import { openFile } from '../../../src/sources/logs/log-files.ts';
import { partsInRange } from '../../../src/sources/logs/time-range.ts';
import { stampOf } from '../../../src/streams/wire/log-line.ts';
import { temporary } from '../../cli/commands/logs/harness.ts';

const START = Date.parse('2026-11-21T00:00:00Z');
const at = (seconds: number): string => stampOf(new Date(START + seconds * 1_000));
const LINES = 60_000;
const FILLER = 'x'.repeat(150);

/** Writes a log of more than 10 MB, a line for each of these times. */
const logOf = async (timeOf: (line: number) => string) => {
  const lines = Array.from({ length: LINES }, (_, line) => `${timeOf(line)} stdout ${FILLER}\n`);
  const path = `${temporary()}/web.log`;
  writeFileSync(path, lines.join(''));
  const file = await openFile(path);
  if (file === undefined) throw new Error('it is not there');
  onTestFinished(() => file.handle.close());
  const end = lines.reduce((sum, { length }) => sum + length, 0);
  const wantedAt = ({ since = '', until = '~' }: Wanted): readonly number[] => {
    let offset = 0;
    return lines.flatMap((line) => {
      offset += line.length;
      return line.slice(0, 27) >= since && line.slice(0, 27) <= until ? [offset - line.length] : [];
    });
  };
  return { parts: (wanted: Wanted) => partsInRange(file, end, wanted), wantedAt, end };
};

const missed = (offsets: readonly number[], parts: readonly { from: number; to: number }[]) =>
  offsets.filter((offset) => !parts.some(({ from, to }) => from <= offset && offset < to));

const sizeOf = (parts: readonly { from: number; to: number }[]): number =>
  parts.reduce((sum, { from, to }) => sum + to - from, 0);

const RANGES: readonly Wanted[] = [
  { since: at(100), until: at(110) },
  { since: at(59_990) },
  { until: at(3) },
  { since: at(30_000), until: at(30_000) },
  { since: at(70_000) },
  { until: at(-60) },
  { since: at(20_000), until: at(40_000) },
];

describe('the parts of a log in a time range', () => {
  it('in a log with ascending times, little beside the lines of the range is read', async () => {
    const log = await logOf(at);
    for (const wanted of RANGES) {
      const [parts, offsets] = [await log.parts(wanted), log.wantedAt(wanted)];
      expect(missed(offsets, parts)).toEqual([]);
      expect(sizeOf(parts)).toBeLessThanOrEqual((log.end / LINES) * offsets.length + 1_000_000);
    }
  });

  it('without a time range all is read', async () => {
    const log = await logOf(at);
    expect(await log.parts({})).toEqual([{ from: 0, to: log.end }]);
  });

  it.each([7_000, 20_000, 90_000])('no line is lost where the clock was set back by %d s', async (back) => {
    const log = await logOf((line) => at(line < 33_333 ? line : line - back));
    for (const wanted of [...RANGES, { since: at(33_300), until: at(33_332) }])
      expect(missed(log.wantedAt(wanted), await log.parts(wanted))).toEqual([]);
  });

  it('times that are out of order by some seconds lose no line', async () => {
    const log = await logOf((line) => at(line - (line % 9)));
    for (const wanted of RANGES) expect(missed(log.wantedAt(wanted), await log.parts(wanted))).toEqual([]);
  });

  it('lines without a time belong to the line before them', async () => {
    const log = await logOf((line) => (line % 1_000 === 0 ? at(line) : 'z'.repeat(27)));
    const parts = await log.parts({ since: at(10_000), until: at(10_999) });
    const line = log.end / LINES;
    expect(
      missed(
        [10_000, 10_500, 10_999].map((number) => number * line),
        parts,
      ),
    ).toEqual([]);
  });

  it('a log without any time is read from end to end', async () => {
    const log = await logOf(() => '-'.repeat(27));
    expect(await log.parts({ since: at(0) })).toEqual([{ from: 0, to: log.end }]);
  });
});

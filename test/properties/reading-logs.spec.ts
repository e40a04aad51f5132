// What is shown of a log is what a slow reader finds that looks at each line of it, whatever the sizes of blocks
// and files.
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPast } from '../../src/sources/logs/read-forwards.ts';
import { Joiner, readEntry } from '../../src/sources/logs/join-parts.ts';
import { endOfLines, openFile } from '../../src/sources/logs/log-files.ts';
import { isAfter, isBefore, matches, type Wanted } from '../../src/sources/logs/line-filter.ts';
import { readTail, type TailWanted } from '../../src/sources/logs/read-backwards.ts';
import { stampOf, type LogEntry } from '../../src/streams/wire/log-line.ts';
import { temporary } from '../cli/commands/logs/harness.ts';

/** A line of a log: how much later it is than the one before, its stream, its text in parts. */
interface Written {
  readonly laterMs: number;
  readonly stream: string;
  readonly parts: readonly Buffer[];
  /** False for a line that something else than `sup` has written. */
  readonly hasHeader: boolean;
}

const text = fc
  .array(
    fc.constantFrom(
      'error',
      'warn',
      '7',
      '42 ',
      ' + ',
      'ünï',
      '日本',
      ' ',
      'ERROR',
      '\r',
      'Z stderr ',
      'x'.repeat(50),
    ),
    { maxLength: 5 },
  )
  .map((pieces) => Buffer.from(pieces.join('')));
const bytes = fc.oneof(
  { weight: 9, arbitrary: text },
  { weight: 1, arbitrary: fc.constant(Buffer.from([0xff, 0x65, 0xe2, 0x82])) },
);

const written: fc.Arbitrary<Written> = fc.record({
  laterMs: fc.oneof(
    { weight: 9, arbitrary: fc.nat(3_000) },
    { weight: 1, arbitrary: fc.constantFrom(-9_000, -3_600_000, 86_400_000) },
  ),
  stream: fc.constantFrom('stdout', 'stdout', 'stdout', 'stderr', 'hook', 'child:a.b'),
  parts: fc.oneof(
    { weight: 9, arbitrary: bytes.map((one) => [one]) },
    { weight: 1, arbitrary: fc.array(bytes, { minLength: 2, maxLength: 4 }) },
  ),
  hasHeader: fc.nat(19).map((number) => number > 0),
});

const START = Date.parse('2026-11-21T05:00:00Z');

const linesOf = (log: readonly Written[]): readonly Buffer[] => {
  let at = START;
  return log.flatMap(({ laterMs, stream, parts, hasHeader }) => {
    at += laterMs;
    return parts.map((part, place) => {
      const head = `${stampOf(new Date(at))} ${stream}${place < parts.length - 1 ? '+' : ''} `;
      return Buffer.concat([Buffer.from(hasHeader ? head : ''), part, Buffer.from('\n')]);
    });
  });
};

/** Returns the wanted lines, one by one. A line without a time has that of the line before it in its file. */
const slowly = (files: readonly (readonly Buffer[])[], wanted: Wanted): readonly LogEntry[] => {
  const joiner = new Joiner();
  const entries = files.flatMap((lines) => {
    let at = '';
    return lines
      .filter((line) => line.length > 1)
      .map((line) => readEntry(line.subarray(0, -1)))
      .filter((entry) => {
        at = entry.at === '' ? at : entry.at;
        return !isBefore({ at }, wanted) && !isAfter({ at }, wanted);
      });
  });
  const whole = entries.flatMap((entry) => joiner.add(entry) ?? []);
  return [...whole, ...joiner.rest()].filter((entry) => matches(entry, wanted));
};

const moment = fc.integer({ min: -10_000, max: 100_000 }).map((ms) => stampOf(new Date(START + ms)));
const optional = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(one, { nil: undefined, freq: 1 });

const wantedLines = fc
  .record({
    since: optional(moment),
    until: optional(moment),
    grep: optional(
      fc.constantFrom(
        /error/,
        /error/i,
        /warn|42/,
        /^e/,
        /7$/,
        /[0-9]{3}/,
        /^$/,
        /(ün|日)/,
        /r\r$/,
        /errorwarn/,
        /2026/,
      ),
    ),
    stream: optional(fc.constantFrom('stdout', 'stderr', 'hook', 'child:a.b')),
    lines: fc.constantFrom(1, 2, 5, 100, Infinity),
    sizes: fc.constantFrom(
      { block: 2_000, first: 50, near: 5_000 },
      { block: 4_096, first: 700, near: 100_000 },
      undefined,
    ),
  })
  .map((wanted) => Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)))
  .map((wanted) => wanted as unknown as TailWanted);

/** Divides lines into files: a file ends before each of these places. */
const divided = (lines: readonly Buffer[], places: readonly number[]): readonly (readonly Buffer[])[] => {
  const ends = [...new Set(places.map((place) => place % (lines.length + 1)))].sort((a, b) => a - b);
  return [0, ...ends].map((from, place) => lines.slice(from, ends[place] ?? lines.length));
};

const store = (path: string, files: readonly (readonly Buffer[])[]): void =>
  files.forEach((lines, place) => {
    const number = files.length - 1 - place;
    writeFileSync(number === 0 ? path : `${path}.${number}`, Buffer.concat(lines));
  });

const quickly = async (path: string, wanted: TailWanted) => {
  const active = await openFile(path);
  if (active === undefined) throw new Error(`${path} is not there`);
  active.offset = await endOfLines(active);
  const past: LogEntry[] = [];
  const block = wanted.sizes?.block ?? 100_000;
  for await (const entries of readPast({ path, active, block }, wanted)) past.push(...entries);
  const tail = await readTail(path, active, wanted);
  await active.handle.close();
  return { tail, past };
};

describe('reading logs', () => {
  it('a search, a time range and a number of lines give the lines that a slow reader finds', async () => {
    const path = `${temporary()}/web.log`;
    await fc.assert(
      fc.asyncProperty(
        fc.array(written, { maxLength: 80 }),
        fc.array(fc.nat(100), { maxLength: 3 }),
        wantedLines,
        async (log, places, wanted) => {
          const files = divided(linesOf(log), places);
          [1, 2, 3].forEach((number) => writeFileSync(`${path}.${number}`, ''));
          store(path, files);
          const expected = slowly(files, wanted);
          const { tail, past } = await quickly(path, wanted);
          expect(past).toEqual(expected);
          expect(tail).toEqual(expected.slice(-Math.min(wanted.lines, expected.length + 1)));
        },
      ),
      { numRuns: 200 },
    );
  });
});

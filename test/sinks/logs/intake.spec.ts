import { describe, expect, it } from 'vitest';
import { unkeptIntake } from '../../../src/sinks/logs/intake.ts';
import { Liner, moments } from '../../../src/sinks/logs/log-lines.ts';
import { LONGEST_TEXT, STAMP_LENGTH } from '../../../src/streams/wire/log-line.ts';

/** An intake without a log: what it is fed, and the lines that came out, without their stamps. */
const unkept = () => {
  const buffer = Buffer.alloc(256 * 1024);
  const lines: string[] = [];
  const intake = unkeptIntake({
    liner: new Liner('stdout'),
    buffer,
    moments: moments(),
    note: (bytes) => {
      const whole = bytes.toString().split('\n').slice(0, -1);
      lines.push(...whole.map((line) => line.slice(STAMP_LENGTH + 1)));
    },
  });
  const feed = (chunk: string | Buffer): void => {
    const bytes = Buffer.from(chunk);
    bytes.copy(buffer);
    intake.received(bytes.length);
  };
  return { intake, lines, feed };
};

describe('output without a log', () => {
  it('a line is assembled from several chunks', () => {
    const { intake, lines, feed } = unkept();
    for (const chunk of ['a', 'b', 'c\nd', '\n\ne']) feed(chunk);
    expect(lines).toEqual(['stdout abc', 'stdout d', 'stdout ']);
    intake.endLine();
    expect(lines.at(-1)).toBe('stdout e');
  });

  it('there is no unfinished line if the last one is complete', async () => {
    const { intake, lines, feed } = unkept();
    feed('a\n');
    await intake.finish('last');
    expect(lines).toEqual(['stdout a']);
  });

  it('a line of 64 KiB is whole, and with one byte more it has two parts, the first marked', () => {
    const { lines, feed } = unkept();
    feed(`${'x'.repeat(LONGEST_TEXT)}\n${'y'.repeat(LONGEST_TEXT + 1)}\n`);
    expect(lines).toEqual([
      `stdout ${'x'.repeat(LONGEST_TEXT)}`,
      `stdout+ ${'y'.repeat(LONGEST_TEXT)}`,
      'stdout y',
    ]);
  });

  it('a long line has the same parts whatever the chunks', () => {
    const text = Buffer.from(`${'0123456789'.repeat(20_000)}\n`);
    const parts = [100, 1000, 65_536, text.length].map((size) => {
      const { lines, feed } = unkept();
      for (let at = 0; at < text.length; at += size) feed(text.subarray(at, at + size));
      return lines;
    });
    expect(parts[0]).toHaveLength(4);
    for (const each of parts) expect(each).toEqual(parts[0]);
  });

  it('a cut long line tears no UTF-8 character', () => {
    const { lines, feed } = unkept();
    feed(`x${'€'.repeat(50_000)}\n`);
    expect(lines.map((line) => line.replace(/^stdout\+? /, '')).join('')).toBe(`x${'€'.repeat(50_000)}`);
    expect(lines.join('')).not.toContain('\ufffd');
  });

  it('only the end of a flood becomes lines, and a line that ended in the part before is none', () => {
    const { lines, feed } = unkept();
    feed('unfinished');
    feed(` line\n${Array.from({ length: 1000 }, (_, at) => `${at}\n`).join('')}`);
    expect(lines).toEqual(Array.from({ length: 40 }, (_, at) => `stdout ${960 + at}`));
  });
});

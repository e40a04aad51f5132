import { describe, expect, it } from 'vitest';
import { GrowingBytes } from '../../../src/sinks/logs/growing-bytes.ts';
import { Framer } from '../../../src/sinks/logs/framing.ts';
import { LONGEST_TEXT } from '../../../src/streams/wire/log-line.ts';

const AT = '2026-11-21T05:30:15.123456Z';

/** Frames chunks and has the lines that came out, without their stamps. */
const framing = (): { framer: Framer; lines: () => string[] } => {
  const out = new GrowingBytes();
  const framer = new Framer('stdout', { out, stamp: (target) => void target.write(AT) });
  const lines = (): string[] => out.view().toString().split('\n').slice(0, -1);
  return { framer, lines: () => lines().map((line) => line.slice(AT.length + 1)) };
};

describe('framing', () => {
  it('puts one line together from several chunks', () => {
    const { framer, lines } = framing();
    for (const chunk of ['a', 'b', 'c\nd', '\n\ne']) framer.frame(Buffer.from(chunk));
    expect(lines()).toEqual(['stdout abc', 'stdout d', 'stdout ']);
    framer.finish();
    expect(lines().at(-1)).toBe('stdout e');
  });

  it('says nothing at the end when nothing is unfinished', () => {
    const { framer, lines } = framing();
    framer.frame(Buffer.from('a\n'));
    framer.finish();
    expect(lines()).toEqual(['stdout a']);
  });

  it('writes a line of 64 KiB whole, and one byte more in two parts of which the first is marked', () => {
    const { framer, lines } = framing();
    framer.frame(Buffer.from(`${'x'.repeat(LONGEST_TEXT)}\n${'y'.repeat(LONGEST_TEXT + 1)}\n`));
    expect(lines()).toEqual([
      `stdout ${'x'.repeat(LONGEST_TEXT)}`,
      `stdout+ ${'y'.repeat(LONGEST_TEXT)}`,
      'stdout y',
    ]);
  });

  it('makes the same parts whatever the chunks', () => {
    const text = Buffer.from(`${'0123456789'.repeat(20_000)}\n`);
    const parts = [1, 1000, 65_536, text.length].map((size) => {
      const { framer, lines } = framing();
      for (let at = 0; at < text.length; at += size) framer.frame(text.subarray(at, at + size));
      return lines();
    });
    expect(parts[0]).toHaveLength(4);
    for (const each of parts) expect(each).toEqual(parts[0]);
  });

  it('tears no UTF-8 character where it cuts', () => {
    const { framer, lines } = framing();
    framer.frame(Buffer.from(`x${'€'.repeat(50_000)}\n`));
    expect(
      lines()
        .map((line) => line.replace(/^stdout\+? /, ''))
        .join(''),
    ).toBe(`x${'€'.repeat(50_000)}`);
    expect(lines().join('')).not.toContain('\ufffd');
  });
});

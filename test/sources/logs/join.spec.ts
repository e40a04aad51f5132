import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../src/streams/wire/log-line.ts';
import { BackwardJoiner, Joiner } from '../../../src/sources/logs/log-entries.ts';

const entry = (text: string, stream = 'stdout'): LogEntry => ({
  at: text,
  stream,
  text: text.replace('+', ''),
  continues: text.endsWith('+'),
});
const WRITTEN = [entry('a+'), entry('x', 'stderr'), entry('b+'), entry('c'), entry('d')];

describe('joining parts', () => {
  it('makes one line of them as they come, other streams passing by', () => {
    const joiner = new Joiner();
    expect(WRITTEN.flatMap((part) => joiner.add(part)?.text ?? [])).toEqual(['x', 'abc', 'd']);
  });

  it('makes the same lines against the order of writing', () => {
    const joiner = new BackwardJoiner();
    const found = WRITTEN.toReversed().flatMap((part) => joiner.add(part) ?? []);
    const whole = [...found, ...joiner.rest()].sort((a, b) => b.order - a.order);
    expect(whole.map((each) => each.entry.text)).toEqual(['x', 'abc', 'd']);
  });

  it('gives a line the time of its first part', () => {
    const joiner = new Joiner();
    expect(WRITTEN.flatMap((part) => joiner.add(part)?.at ?? [])).toEqual(['x', 'a+', 'd']);
  });

  it('holds no line of any length', () => {
    const joiner = new Joiner();
    const part = { ...entry('+'), text: 'x'.repeat(64 * 1024) };
    const lines = Array.from({ length: 100 }, () => joiner.add(part)).filter((line) => line !== undefined);
    expect(lines.map(({ text }) => text.length)).toEqual(Array.from({ length: 6 }, () => 1024 * 1024));
  });
});

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

describe('joining the parts of long lines', () => {
  it('parts become one line, with other streams in between', () => {
    const joiner = new Joiner();
    expect(WRITTEN.flatMap((part) => joiner.add(part)?.text ?? [])).toEqual(['x', 'abc', 'd']);
  });

  it('parts become the same lines when read backwards', () => {
    const joiner = new BackwardJoiner();
    const found = WRITTEN.toReversed().flatMap((part) => joiner.add(part) ?? []);
    const whole = [...found, ...joiner.rest()].sort((a, b) => b.order - a.order);
    expect(whole.map((each) => each.entry.text)).toEqual(['x', 'abc', 'd']);
  });

  it('a joined line has the time of its first part', () => {
    const joiner = new Joiner();
    expect(WRITTEN.flatMap((part) => joiner.add(part)?.at ?? [])).toEqual(['x', 'a+', 'd']);
  });

  it('a joined line has a maximum length', () => {
    const joiner = new Joiner();
    const part = { ...entry('+'), text: 'x'.repeat(64 * 1024) };
    const lines = Array.from({ length: 100 }, () => joiner.add(part)).filter((line) => line !== undefined);
    expect(lines.map(({ text }) => text.length)).toEqual(Array.from({ length: 6 }, () => 1024 * 1024));
  });
});

import { describe, expect, it } from 'vitest';
import { Joiner, readEntry } from '../../../src/sources/logs/join-parts.ts';
import type { LogEntry } from '../../../src/streams/wire/log-line.ts';

const at = '2026-11-21T05:30:15.123456Z';

describe('a line of a log file', () => {
  it.each([
    ['stdout hello', { at, stream: 'stdout', text: 'hello', continues: false }],
    ['stderr ', { at, stream: 'stderr', text: '', continues: false }],
    ['hook+ some', { at, stream: 'hook', text: 'some', continues: true }],
    ['stdout + plus', { at, stream: 'stdout', text: '+ plus', continues: false }],
  ])('%j is read as an entry', (rest, expected) => {
    expect(readEntry(Buffer.from(`${at} ${rest}`))).toEqual(expected);
  });

  it('a line of another form is kept whole', () => {
    expect(readEntry(Buffer.from('a stranger'))).toEqual({
      at: '',
      stream: 'stdout',
      text: 'a stranger',
      continues: false,
    });
  });

  it('bytes that are not UTF-8 are shown as replacement characters', () => {
    expect(readEntry(Buffer.concat([Buffer.from(`${at} stdout a`), Buffer.from([0xff])])).text).toBe(
      'a\ufffd',
    );
  });
});

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

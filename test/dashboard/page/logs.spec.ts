// Logs: the lines that are kept and shown, and their colours.
import { describe, expect, it } from 'vitest';
import {
  chosenLines,
  isMatch,
  NO_LOGS,
  streamsOf,
  withLogs,
} from '../../../src/dashboard/page/logs/log-buffer.ts';
import { logParts } from '../../../src/dashboard/page/logs/log-parts.ts';
import type { LogDocument } from '../../../src/streams/wire/documents/basic-documents.ts';

const line = (text: string, stream = 'stdout'): LogDocument => ({
  schema: 'sup.log/1',
  at: null,
  project: 'shop',
  service: 'api',
  stream,
  text,
});

const shown = (text: string, search = '') =>
  logParts(text, search).map((part) => [part.text, part.classes, ...(part.isMatch ? ['match'] : [])]);

describe('the lines of a log', () => {
  it('the newest 2,000 lines are kept, each with a key of its own', () => {
    const first = withLogs(
      NO_LOGS,
      Array.from({ length: 1_999 }, (_, at) => line(String(at))),
      0,
    );
    const { lines, missed } = withLogs(first, [line('a'), line('b')], 7);
    expect(lines).toHaveLength(2_000);
    expect(new Set(lines.map(({ key }) => key)).size).toBe(2_000);
    expect(lines.at(-1)?.plain).toBe('b');
    expect(missed).toBe(7);
  });

  it('a stream and a search choose lines, without regard to case and colours', () => {
    const buffer = withLogs(
      NO_LOGS,
      [line('\x1b[31mER\x1b[0mROR'), line('fine'), line('error', 'stderr')],
      0,
    );
    const choice = { stream: '', search: 'error', onlyMatches: true };
    expect(chosenLines(buffer, choice).map(({ key }) => key)).toEqual([0, 2]);
    expect(chosenLines(buffer, { ...choice, stream: 'stderr' }).map(({ key }) => key)).toEqual([2]);
    expect(buffer.lines.map((kept) => isMatch(kept, ''))).toEqual([false, false, false]);
    expect(streamsOf(buffer)).toEqual(['stderr', 'stdout']);
  });
});

describe('the colours of a line', () => {
  it('become classes, and other escape sequences are left out', () => {
    expect(shown('\x1b[1;31mFATAL\x1b[0m \x1b]0;title\x07ok\x1b[2J')).toEqual([
      ['FATAL', 'ansi-red ansi-bold'],
      [' ok', ''],
    ]);
  });

  it.each([
    ['\x1b[38;5;208mx', 'ansi-red'],
    ['\x1b[38;5;46mx', 'ansi-green'],
    ['\x1b[38;2;240;240;20mx', 'ansi-yellow'],
    ['\x1b[38;5;250mx', 'ansi-white'],
    ['\x1b[94mx', 'ansi-blue'],
  ])('%j is the nearest of eight', (text, classes) => {
    expect(shown(text)).toEqual([['x', classes]]);
  });

  it('a match is marked across colours', () => {
    expect(shown('an \x1b[31mER\x1b[0mROR', 'error')).toEqual([
      ['an ', ''],
      ['ER', 'ansi-red', 'match'],
      ['ROR', '', 'match'],
    ]);
  });

  it('markup and hidden characters stay text', () => {
    const text = logParts('<img src=x onerror=alert(1)>\u202e', '')
      .map((part) => part.text)
      .join('');
    expect(text).toBe('<img src=x onerror=alert(1)>\\u202e');
  });
});

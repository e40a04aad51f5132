import { describe, expect, it } from 'vitest';
import {
  bottomOf,
  foundIn,
  type LogPane,
  NO_LOG,
  paused,
  scrolled,
  searched,
  searchedOn,
  withLines,
} from '../../../../src/cli/watch/model/log-pane.ts';

const lines = (from: number, to: number): Parameters<typeof withLines>[1] =>
  Array.from({ length: to - from }, (_, at) => ({
    ...{ at: '', stream: 'stdout', continues: false },
    text: (from + at) % 10 === 0 ? `Boom ${from + at}` : `line ${from + at}`,
  }));

const log = withLines(NO_LOG, lines(0, 100));
const ROWS = 20;
/** Lines that are kept. */
const MOST_LOGGED = 5_000;

describe('the log pane', () => {
  it('the log follows new lines until it is scrolled, and again at its end', () => {
    expect(bottomOf(withLines(log, lines(100, 110)))).toBe(109);
    const up = scrolled(log, -30);
    expect(bottomOf(withLines(up, lines(100, 110)))).toBe(69);
    expect(scrolled(up, 30).bottom).toBeUndefined();
    expect(bottomOf(scrolled(log, -Infinity))).toBe(0);
    expect(scrolled(up, Infinity).bottom).toBeUndefined();
  });

  it('the log stops at the present lines, and follows again', () => {
    const stopped = paused(log);
    expect(bottomOf(withLines(stopped, lines(100, 150)))).toBe(99);
    expect(paused(stopped).bottom).toBeUndefined();
  });

  it('the log keeps a limited number of lines, and shown lines stay in place', () => {
    const stopped = scrolled(withLines(NO_LOG, lines(0, MOST_LOGGED)), -10);
    const later = withLines(stopped, lines(MOST_LOGGED, MOST_LOGGED + 100));
    expect([later.entries.length, later.first, bottomOf(later)]).toEqual([
      MOST_LOGGED,
      100,
      MOST_LOGGED - 11,
    ]);
    const far = withLines(later, lines(0, 2 * MOST_LOGGED));
    expect([far.entries.length, bottomOf(far)]).toEqual([MOST_LOGGED, far.first]);
  });

  const visited = (keys: string): readonly (number | undefined)[] => {
    const seen: (number | undefined)[] = [];
    let now: LogPane = searched(log, 'boom', ROWS);
    for (const key of keys) {
      now = searchedOn(now, key === 'n' ? 1 : -1, ROWS);
      seen.push(now.hit);
    }
    return seen;
  };

  it('a search goes to the newest line that matches, then to the previous and next one', () => {
    expect(searched(log, 'boom', ROWS)).toMatchObject({
      hit: 90,
      hits: [0, 10, 20, 30, 40, 50, 60, 70, 80, 90],
    });
    expect(visited('NNn')).toEqual([80, 70, 80]);
    expect(visited('n')).toEqual([90]);
    expect(visited('N'.repeat(12)).at(-1)).toBe(0);
  });

  it('a search shows its line in the middle, and finds new lines', () => {
    const found = searchedOn(searched(log, 'boom', ROWS), -1, ROWS);
    expect(found.bottom).toBe(90);
    expect(withLines(found, lines(100, 121)).hits.slice(-3)).toEqual([100, 110, 120].slice(-3));
  });

  it('a search forgets lines that are dropped', () => {
    const found = searched(withLines(NO_LOG, lines(0, MOST_LOGGED)), 'boom', ROWS);
    expect(withLines(found, lines(0, 11)).hits[0]).toBe(20);
  });

  it('a search in lower case finds both cases; colours are no part of the text', () => {
    expect(foundIn('Boom boom', 'boom')).toEqual([
      [0, 4],
      [5, 9],
    ]);
    expect(foundIn('Boom boom', 'Boom')).toEqual([[0, 4]]);
    expect(foundIn('boom', '')).toEqual([]);
    const text = '\u001b[31mbo\u001b[0mom';
    const coloured = withLines(NO_LOG, [{ at: '', stream: 'stdout', continues: false, text }]);
    expect(searched(coloured, 'boom', ROWS).hits).toEqual([0]);
    expect(searched(coloured, '31m', ROWS).hits).toEqual([]);
  });
});

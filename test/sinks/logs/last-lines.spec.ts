import { describe, expect, it } from 'vitest';
import { RecentLines } from '../../../src/sinks/logs/last-lines.ts';

const AT = '2026-11-21T05:30:15.123456Z';
const stamped = (...texts: readonly string[]): Buffer =>
  Buffer.from(texts.map((text) => `${AT} stdout ${text}\n`).join(''));

describe('the recent lines', () => {
  it('the recent lines are the last ones over all chunks, oldest first', () => {
    const recent = new RecentLines();
    recent.note(stamped('a', '', 'c d'));
    recent.note(stamped('e'));
    expect(recent.last(9)).toEqual(['a', '', 'c d', 'e']);
    expect(recent.last(2)).toEqual(['c d', 'e']);
    expect(recent.last(0)).toEqual([]);
  });

  it('the recent lines are bounded in number and length', () => {
    const recent = new RecentLines();
    recent.note(stamped(...Array.from({ length: 100 }, (_, at) => `${String(at)}${'x'.repeat(5000)}`)));
    expect(recent.last(100).map((line) => line.length)).toEqual(Array.from({ length: 40 }, () => 512));
    expect(recent.last(1)[0]).toMatch(/^99x+$/);
  });

  it('the recent lines are the last ones of many small chunks', () => {
    const recent = new RecentLines();
    for (let at = 0; at < 500; at += 1) recent.note(stamped(`line ${at}`));
    expect(recent.last(99)).toEqual(Array.from({ length: 40 }, (_, at) => `line ${460 + at}`));
    recent.note(stamped(''));
    expect(recent.last(2)).toEqual(['line 499', '']);
  });

  it('there are no recent lines after a new run has begun', () => {
    const recent = new RecentLines();
    recent.note(stamped('a'));
    recent.clear();
    expect(recent.last(9)).toEqual([]);
  });
});

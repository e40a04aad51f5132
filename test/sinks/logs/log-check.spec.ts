import { describe, expect, it } from 'vitest';
import { AwaitedLine } from '../../../src/sinks/logs/log-check.ts';

const fail = (error: unknown): never => {
  throw error;
};

/** Returns whether a line was found after each of the reads. */
const found = (pattern: string, reads: readonly (readonly [string, string])[]): readonly boolean[] => {
  const awaited = new AwaitedLine();
  awaited.begin(pattern);
  let isFound = false;
  const open = awaited.found$(pattern, () => []).subscribe({ next: () => (isFound = true), error: fail });
  const seen = reads.map(([stream, text]) => {
    awaited.take(stream, Buffer.from(text));
    return isFound;
  });
  open.unsubscribe();
  return seen;
};

const lateFound = (awaited: AwaitedLine, pattern: string, lines: readonly string[] = []): boolean => {
  let isFound = false;
  awaited
    .found$(pattern, () => lines)
    .subscribe({ next: () => (isFound = true), error: fail })
    .unsubscribe();
  return isFound;
};

describe('a line that is awaited', () => {
  it('a line counts when it is complete, also over several reads', () => {
    expect(
      found('^ready$', [
        ['stdout', 'rea'],
        ['stdout', 'dy'],
        ['stdout', '\nmore'],
      ]),
    ).toEqual([false, false, true]);
  });

  it('the streams of a run have lines of their own', () => {
    expect(
      found('^ready$', [
        ['stdout', 'rea'],
        ['stderr', 'dy\n'],
        ['stdout', 'dy\n'],
      ]),
    ).toEqual([false, false, true]);
  });

  it('a long line is matched by its beginning', () => {
    expect(found('ready', [['stdout', `${'x'.repeat(5000)}ready\n`]])).toEqual([false]);
    expect(
      found('ready', [
        ['stdout', `ready${'x'.repeat(9000)}`],
        ['stdout', '\n'],
      ]),
    ).toEqual([false, true]);
  });

  it('a line that was printed before anything waited counts, until another run begins', () => {
    const awaited = new AwaitedLine();
    awaited.begin('ready');
    awaited.take('stdout', Buffer.from('ready\n'));
    expect(lateFound(awaited, 'ready')).toBe(true);
    awaited.begin('ready');
    expect(lateFound(awaited, 'ready')).toBe(false);
  });

  it('a new pattern is looked for in the last lines', () => {
    const awaited = new AwaitedLine();
    awaited.begin('ready');
    awaited.take('stdout', Buffer.from('serving\n'));
    expect(lateFound(awaited, 'serving', ['serving'])).toBe(true);
    expect(lateFound(awaited, 'other', ['serving'])).toBe(false);
  });

  it('lines of a run that outlived its supervisor count', () => {
    const awaited = new AwaitedLine();
    awaited.begin('ready');
    awaited.takeLines(['a', 'ready']);
    expect(lateFound(awaited, 'ready')).toBe(true);
  });
});

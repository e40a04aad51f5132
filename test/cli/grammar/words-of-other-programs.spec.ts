import { describe, expect, it } from 'vitest';
import { translated } from '../../../src/cli/grammar/words-of-other-programs.ts';
import { readLine } from '../../../src/cli/grammar/read-line.ts';

const wordsOf = (line: string): readonly string[] => line.split(' ');

describe('a command line of another program', () => {
  it.each([
    ['kill -HUP web', 'kill --signal HUP web'],
    ['kill -9 shop/web', 'kill --signal 9 shop/web'],
    ['kill -SIGUSR1 web', 'kill --signal SIGUSR1 web'],
    ['kill -s HUP web', 'kill -s HUP web'],
    ['kill -FOO web', 'kill -FOO web'],
    ['exec web ls', 'exec web -- ls'],
    ['exec -p shop web ls -la', 'exec -p shop web -- ls -la'],
    ['exec web -- ls', 'exec web -- ls'],
    ['exec web', 'exec web'],
    ['spawn ./worker --once', 'spawn -- ./worker --once'],
    ['logs web --grep -i error -f', 'logs web -i --grep error -f'],
    ['logs --grep error -i', 'logs --grep error -i'],
    ['start web api', 'start web api'],
    ['--json status web', '--json status web'],
  ])('%s is read as %s', (line, read) => {
    expect(translated(wordsOf(line)).join(' ')).toBe(read);
  });
});

describe('a command line that is not understood', () => {
  it.each([
    ['kill -s web', '-s of sup kill names a signal, and "web" is none', 'sup kill web'],
    ['--frob status', 'sup has no option --frob', 'sup --help'],
    ['--vrbose status', 'sup has no option --vrbose', 'did you mean "--verbose"?'],
    ['st', 'unknown command "st"', 'did you mean sup start, sup stop, sup status?'],
    ['stat', 'unknown command "stat"', 'did you mean sup status?'],
    ['down', 'unknown command "down"', 'use: sup stop --here'],
  ])('%s is refused with a valid line', (line, message, hint) => {
    expect(() => readLine(wordsOf(line))).toThrow(
      expect.objectContaining({ document: expect.objectContaining({ message, hint }) as unknown }),
    );
  });

  it('-V prints the version', () => {
    expect(readLine(['-V'])).toEqual({ tag: 'version' });
  });
});

import { describe, expect, it } from 'vitest';
import { tellingLines } from '../../../../src/streams/views/errors/error-text.ts';

/** Returns `count` uninteresting lines, then the given lines, then `rest` uninteresting lines. */
const around = (count: number, lines: readonly string[], rest: number): readonly string[] => [
  ...Array.from({ length: count }, (_, at) => `before ${at}`),
  ...lines,
  ...Array.from({ length: rest }, (_, at) => `after ${at}`),
];
const bad = 'Error: listen EADDRINUSE :::80';

describe('the output lines that explain an exit', () => {
  it.each<[string, readonly string[], readonly (readonly string[])[]]>([
    ['nothing was printed', [], [[]]],
    ['little was printed', ['a', 'b'], [['a', 'b']]],
    ['nothing looks like an error', around(9, [], 0), [around(9, [], 0).slice(-5)]],
    ['the error is last', around(9, [bad], 0), [['before 5', 'before 6', 'before 7', 'before 8', bad]]],
    ['the error is the first line', [bad, 'x'], [[bad, 'x']]],
    [
      'the error is near the end',
      around(9, [bad], 6),
      [['before 8', bad, 'after 0', 'after 1', 'after 2', 'after 3', 'after 4', 'after 5']],
    ],
    [
      'much follows the error',
      around(9, [bad], 20),
      [
        ['before 8', bad, 'after 0', 'after 1', 'after 2'],
        ['after 15', 'after 16', 'after 17', 'after 18', 'after 19'],
      ],
    ],
    [
      'several errors: the first counts',
      around(1, [bad, 'x', 'y', 'z', 'fatal: gave up'], 9),
      [
        ['before 0', bad, 'x', 'y', 'z'],
        ['after 4', 'after 5', 'after 6', 'after 7', 'after 8'],
      ],
    ],
  ])('the explaining lines when %s', (_, evidence, stretches) => {
    expect(tellingLines(evidence)).toEqual(stretches);
  });

  it.each([
    ['Traceback (most recent call last):', true],
    ['thread main panicked', true],
    ['connect ECONNREFUSED 10.0.0.1:5432', true],
    ['sh: 1: nope: not found', true],
    ['compiled with 0 errors', false],
    ['tests: 12, failed: 0', false],
    ['EVERYTHING is fine', false],
    ['listening on 8080', false],
  ])('the explaining lines when %j is one: %s', (line, telling) => {
    expect(tellingLines([line, ...around(0, [], 20)]).length === 2).toBe(telling);
  });
});

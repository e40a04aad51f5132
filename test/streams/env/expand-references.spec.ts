import { describe, expect, it } from 'vitest';
import { expand } from '../../../src/streams/env/expand-references.ts';

const VARS: Readonly<Record<string, string>> = { A: 'a', EMPTY: '', D: '$A ${A}' };
const lookup = (name: string): string | undefined => VARS[name];

describe('expansion of a value', () => {
  it.each([
    ['plain', 'plain'],
    ['${A}', 'a'],
    ['x${A}y${A}', 'xaya'],
    ['${EMPTY}', ''],
    ['${NONE:-d}', 'd'],
    ['${EMPTY:-d}', 'd'],
    ['${A:-d}', 'a'],
    ['${NONE:-}', ''],
    ['${NONE:-x ${A} y}', 'x a y'],
    ['${NONE:-${EMPTY:-z}}', 'z'],
    ['${A:?needed}', 'a'],
    ['$$', '$'],
    ['$${A}', '${A}'],
    ['$$$${A}', '$${A}'],
    ['$A $1 $(x) $', '$A $1 $(x) $'],
    ['${D}', '$A ${A}'],
  ])('expansion of %j gives %j', (text, expected) => {
    expect(expand(text, lookup)).toEqual({ tag: 'expanded', text: expected });
  });

  it.each([
    ['x ${NONE}', [{ tag: 'undefined', at: 2, name: 'NONE' }]],
    ['${NONE:?say so}', [{ tag: 'undefined', at: 0, name: 'NONE', message: 'say so' }]],
    ['${EMPTY:?say so}', [{ tag: 'undefined', at: 0, name: 'EMPTY', message: 'say so' }]],
    ['${NONE:-x${ALSO}}', [{ tag: 'undefined', at: 9, name: 'ALSO' }]],
    ['${A', [{ tag: 'malformed', at: 0, form: '${A' }]],
    ['${}', [{ tag: 'malformed', at: 0, form: '${}' }]],
    ['${1}', [{ tag: 'malformed', at: 0, form: '${1}' }]],
    ['${A-d}', [{ tag: 'malformed', at: 0, form: '${A-d}' }]],
    ['${A%%.*}', [{ tag: 'malformed', at: 0, form: '${A%%.*}' }]],
    [
      '${A} ${B} ${B} ${1} ${C:?say so}',
      [
        { tag: 'undefined', at: 5, name: 'B' },
        { tag: 'malformed', at: 15, form: '${1}' },
        { tag: 'undefined', at: 20, name: 'C', message: 'say so' },
      ],
    ],
  ])('expansion of %j fails', (text, faults) => {
    expect(expand(text, lookup)).toEqual({ tag: 'failed', faults });
  });

  it('expansion stops at 1 MiB', () => {
    const long = 'x'.repeat(600_000);
    expect(expand('${L}${L}', () => long)).toEqual({
      tag: 'failed',
      faults: [{ tag: 'too-long', at: 0 }],
    });
  });

  it('expansion stops at twenty nested defaults', () => {
    const nested = Array.from({ length: 50 }).reduce<string>((inner) => `\${N:-${inner}}`, 'x');
    expect(expand(nested, lookup)).toMatchObject({ faults: [{ tag: 'malformed' }] });
  });
});

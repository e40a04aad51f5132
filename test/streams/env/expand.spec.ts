import { describe, expect, it } from 'vitest';
import { expand } from '../../../src/streams/env/expand.ts';

const VARS: Readonly<Record<string, string>> = { A: 'a', EMPTY: '', D: '$A ${A}' };
const lookup = (name: string): string | undefined => VARS[name];

describe('expanding a value', () => {
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
  ])('%j gives %j', (text, expected) => {
    expect(expand(text, lookup)).toEqual({ tag: 'expanded', text: expected });
  });

  it.each([
    ['${NONE}', { tag: 'undefined', name: 'NONE' }],
    ['${NONE:?say so}', { tag: 'undefined', name: 'NONE', message: 'say so' }],
    ['${EMPTY:?say so}', { tag: 'undefined', name: 'EMPTY', message: 'say so' }],
    ['${NONE:-${ALSO}}', { tag: 'undefined', name: 'ALSO' }],
    ['${A', { tag: 'malformed', form: '${A' }],
    ['${}', { tag: 'malformed', form: '${}' }],
    ['${1}', { tag: 'malformed', form: '${1}' }],
    ['${A-d}', { tag: 'malformed', form: '${A-d}' }],
    ['${A%%.*}', { tag: 'malformed', form: '${A%%.*}' }],
  ])('%j does not', (text, expected) => {
    expect(expand(text, lookup)).toEqual(expected);
  });

  it('stops at 1 MiB', () => {
    const long = 'x'.repeat(600_000);
    expect(expand('${L}${L}', () => long)).toEqual({ tag: 'too-long' });
  });

  it('stops at twenty defaults inside one another', () => {
    const nested = Array.from({ length: 50 }).reduce<string>((inner) => `\${N:-${inner}}`, 'x');
    expect(expand(nested, lookup).tag).toBe('malformed');
  });
});

import { describe, expect, it } from 'vitest';
import { parseEnvFile } from '../../../src/streams/env/parse-file.ts';

describe('an env file', () => {
  it.each([
    ['A=1', { A: '1' }],
    ['A=', { A: '' }],
    ['export A=1', { A: '1' }],
    ['  A = 1  ', { A: '1' }],
    ['A=1\r\nB=2\r\n', { A: '1', B: '2' }],
    ['\uFEFFA=1', { A: '1' }],
    ['# a comment\n\n  # another\nA=1', { A: '1' }],
    ['A=1 # a comment', { A: '1' }],
    ['A=a#b', { A: 'a#b' }],
    ['A=a=b', { A: 'a=b' }],
    ['A=\'a # "b" $C \\n\'', { A: 'a # "b" $C \\n' }],
    ['A="a # b" # a comment', { A: 'a # b' }],
    ['A="a\\nb\\"c\\\\d\\$e"', { A: 'a\nb"c\\d$e' }],
    ['A="one\ntwo\n\nfour"\nB=1', { A: 'one\ntwo\n\nfour', B: '1' }],
    ['A=1\nA=2', { A: '2' }],
    ['A=${B}', { A: '${B}' }],
    ['__proto__=x', Object.fromEntries([['__proto__', 'x']])],
    ['# \0\nA=1', { A: '1' }],
    ['', {}],
  ])('%j is read', (text, vars) => {
    expect(parseEnvFile(text)).toMatchObject({ vars, faults: [] });
    expect([...parseEnvFile(text).lines.keys()]).toEqual(Object.keys(vars));
  });

  it.each([
    ['A=1\nnonsense', 2, 'not of the form KEY=value'],
    ['1A=x', 1, 'not of the form KEY=value'],
    ['A-B=x', 1, 'not of the form KEY=value'],
    ["A='open", 1, 'the single quote is not closed on its line'],
    ['A="open\nB=1', 1, 'the double quote is never closed'],
    ['A="x" y', 1, 'text follows the closing quote'],
    ["A='x'y", 1, 'text follows the closing quote'],
    ['A=1\nB=x\0y', 2, 'contains a NUL character'],
    ['A="one\ntwo\0"\nB=1', 2, 'contains a NUL character'],
  ])('%j is refused in its line', (text, line, message) => {
    expect(parseEnvFile(text).faults).toEqual([{ line, message }]);
  });

  it('has for each variable the line that counts', () => {
    const { lines } = parseEnvFile('A=1\nB="x\ny"\n\nC=1\nA=2');
    expect(Object.fromEntries(lines)).toEqual({ A: 6, B: 2, C: 5 });
  });

  it('is read in a moment also when it is long', () => {
    const text = Array.from({ length: 20_000 }, (_, n) => `V${n}="x"`).join('\n');
    expect(Object.keys(parseEnvFile(text).vars)).toHaveLength(20_000);
  });
});

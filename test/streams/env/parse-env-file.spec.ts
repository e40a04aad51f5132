import { describe, expect, it } from 'vitest';
import { parseEnvFile } from '../../../src/streams/env/parse-env-file.ts';

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
  ])('an env file may contain %j', (text, vars) => {
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
  ])('an env file with %j is refused, with the line', (text, line, message) => {
    expect(parseEnvFile(text).faults).toEqual([{ line, message }]);
  });

  it('an env file has for each variable the line of its value', () => {
    const { lines } = parseEnvFile('A=1\nB="x\ny"\n\nC=1\nA=2');
    expect(Object.fromEntries(lines)).toEqual({ A: 6, B: 2, C: 5 });
  });

  it.each([
    ['A="a\\\nb"\nB=1', { A: 'a\nb', B: '1' }],
    ['A="a\r\nb" # c\r\nB=1', { A: 'a\nb', B: '1' }],
    ['A="\n"\nA="\n\\"\n"', { A: '\n"\n' }],
    ['A=1 #a #b\u2028c', { A: '1' }],
  ])('an env file may also contain %j', (text, vars) => {
    expect(parseEnvFile(text)).toMatchObject({ vars, faults: [] });
  });

  it('an env file continues after a multiline value with trailing text', () => {
    expect(parseEnvFile('A="one\ntwo" three\nB=1')).toMatchObject({
      vars: { B: '1' },
      faults: [{ line: 1, message: 'text follows the closing quote' }],
    });
  });

  const MEBIBYTE = 1024 * 1024;

  // This would take minutes or hours if the parser read each line more than a few times.
  it.each([
    ['short values', 'A="x"\n', { A: 'x' }],
    ['values of two lines', 'A="\n"\n', { A: '\n' }],
    ['comments', ' #\n', {}],
  ])('an env file of the maximum size is parsed quickly: %s', (_, piece, vars) => {
    const text = piece.repeat(MEBIBYTE / piece.length);
    expect(parseEnvFile(text)).toMatchObject({ vars, faults: [] });
  });

  it('an env file of one long line is parsed quickly', () => {
    expect(parseEnvFile(`A=${' #'.repeat(MEBIBYTE / 2)}\u2028`).vars).toEqual({ A: '' });
    expect(parseEnvFile(`A="${'\\"'.repeat(MEBIBYTE / 2)}"`).vars['A']).toHaveLength(MEBIBYTE / 2);
  });
});

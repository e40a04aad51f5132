import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requiredTexts } from '../../../src/sources/logs/required-text.ts';
import { searchFor } from '../../../src/sources/logs/text-search.ts';

describe('texts that every match of a pattern contains', () => {
  it.each([
    ['19999999', ['19999999']],
    ['^error: .*failed', ['error: ']],
    ['time[0-9]+ms', ['time']],
    ['error|warning', ['error', 'warning']],
    ['a(?:bc|de)f', ['bc', 'de']],
    ['x(yz)w', ['xyzw']],
    ['colou?r', ['colo']],
    ['go+al', ['go']],
    ['ab{2}c', ['ab']],
    ['(?<level>fatal) at \\d+', ['fatal at ']],
    ['GET \\/api\\.json', ['GET /api.json']],
    ['(?=.*never)some', ['some']],
    ['größe', ['größe']],
  ])('%s needs %j', (source, expected) => {
    expect(requiredTexts(new RegExp(source))).toEqual(expected);
  });

  it.each([
    '',
    'a|',
    '(abc)?',
    '(abc)*x{0}',
    'abc|[0-9]+',
    '(?!abc)',
    '(a)\\1',
    '\\x41bc',
    '\\u0041bc',
    '[abc]def|.',
    '\\ufffd',
    '[^]]*',
  ])('nothing is known of the matches of %j', (source) => {
    expect(requiredTexts(new RegExp(source))).toBeUndefined();
  });

  it('without regard to case only letters of ASCII are known', () => {
    expect(requiredTexts(/Größe/i)).toEqual(['Gr']);
    const next = searchFor(/Error:/i)?.(Buffer.from('an eRRor: x'));
    expect([next?.(0), next?.(4)]).toEqual([3, -1]);
  });

  const piece = fc.constantFrom(
    ...[
      'a',
      'b',
      'ab',
      'ba',
      'é',
      '.',
      'a?',
      'b*',
      'a+',
      'b{2}',
      'a{0,1}',
      '[ab]',
      '[^a]',
      '(a|b)',
      '(?:ab|)',
    ],
    ...['(ab)+', '(ba)?', '(?=a)', '(?!b)', '^', '$', '\\b', '|', '\\.', '\\w', 'a??', '(b|é)', 'x{', '😀'],
  );

  it('a text that matches a pattern has a text that the pattern needs', () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
        fc.string({
          unit: fc.constantFrom('a', 'b', 'A', 'é', 'É', '.', 'x{', '😀', '\ufffd'),
          maxLength: 8,
        }),
        fc.constantFrom('', 'i'),
        (source, text, flags) => {
          const pattern = new RegExp(source, flags);
          const search = searchFor(pattern);
          if (pattern.test(text) && search !== undefined)
            expect(search(Buffer.from(text))(0)).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ELEMENTS, wholeNumber } from '../../../src/manifest/settings/elements.ts';
import { DEFAULT_SETTINGS } from '../../../src/streams/domain/declared/settings.ts';

/** Path, default and values of each row of the table. */
const documented = (): string[][] =>
  readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, 4)
        .map((cell) => cell.trim().replaceAll('`', '')),
    );

describe('the elements of the settings file', () => {
  it('the settings elements are documented, each with its default and its values', () => {
    expect(documented()).toEqual(
      ELEMENTS.map((element) => [element.path, String(element.default), element.rule]),
    );
  });

  it.each(ELEMENTS)(
    'the settings element $path accepts its default and sets its own field',
    ({ put, default: value, accepts }) => {
      expect(accepts(value)).toBe(true);
      expect(put(DEFAULT_SETTINGS, value)).toEqual(DEFAULT_SETTINGS);
      expect(put(DEFAULT_SETTINGS, value + 1)).not.toEqual(DEFAULT_SETTINGS);
    },
  );

  it.each([
    ['15', 15],
    [' -1\n', -1],
    ['0x10', undefined],
    ['1e3', undefined],
    ['1 000', undefined],
    ['', undefined],
    ['9'.repeat(30), undefined],
  ])('the settings elements read %j as %s', (text, value) => {
    expect(wholeNumber(text)).toBe(value);
  });
});

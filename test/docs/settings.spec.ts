// The files that docs/settings.md shows are read without a warning, and say what the page says of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ELEMENTS } from '../../src/manifest/settings/elements.ts';
import { peekSettings } from '../../src/manifest/settings/load-settings.ts';
import { DEFAULT_SETTINGS } from '../../src/streams/domain/declared/settings.ts';
import { directoryWith } from '../manifest/loading.ts';

const page = readFileSync('docs/settings.md', 'utf8');
const shown = [...page.matchAll(/```xml\n([^]*?)```/g)].map(([, text = '']) => text);
const [whole = '', part = ''] = shown;

const read = (text: string): ReturnType<typeof peekSettings> =>
  peekSettings(join(directoryWith({ 'supervisor.xml': text }), 'supervisor.xml'), {});

describe('the files of docs/settings.md', () => {
  it('docs/settings.md has two example files', () => {
    expect(shown).toHaveLength(2);
  });

  it('the first settings file has all elements with their defaults', () => {
    expect(read(whole)).toEqual({ settings: DEFAULT_SETTINGS, warnings: [] });
    for (const { path, default: value } of ELEMENTS) {
      const [, name = ''] = path.split('/');
      expect(whole).toContain(`<${name}>${value}</${name}>`);
    }
  });

  it('the second settings file has some other values, and defaults for the rest', () => {
    const { settings, warnings } = read(part);
    expect(warnings).toEqual([]);
    expect(settings).toEqual({
      ...DEFAULT_SETTINGS,
      startupStability: 2_000,
      startSettle: 900_000,
      maxConcurrent: 5,
    });
  });
});

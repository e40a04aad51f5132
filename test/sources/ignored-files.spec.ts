import { describe, expect, it } from 'vitest';
import { ignoring } from '../../src/sources/ignored-files.ts';

describe('ignored files', () => {
  it.each([
    ['node_modules/x/index.js', true],
    ['src/.git/HEAD', true],
    ['src/.app.js.swp', true],
    ['src/dist/a.js', true],
    ['src/distant.js', false],
    ['src/gen/a.js', true],
    ['lib/src/gen/a.js', false],
    ['a.log', true],
    ['a.logs', false],
    ['web/a/b/x.map', true],
    ['web/x.map', true],
    ['src/app.js', false],
  ])('the path %s is ignored: %s', (path, isIgnored) => {
    expect(ignoring(['dist', './src/gen/', '*.log', 'web/**/*.map'])(path)).toBe(isIgnored);
  });
});

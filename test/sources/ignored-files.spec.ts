import { join } from 'node:path';
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
    ['src/#app.js#', true],
    ['../shared/tmp/a', true],
    ['var/cache/a', true],
  ])('the path %s is ignored: %s', (path, isIgnored) => {
    const entries = ['dist/', './src/gen/', '*.log', 'web/**/*.map', '../shared/tmp', '/app/var/cache'];
    const isEntry = ignoring('/app', entries);
    // As a tree is read: a directory before what is in it.
    const parts = path.split('/').map((_, at, all) => join('/app', ...all.slice(0, at + 1)));
    expect(parts.some(isEntry)).toBe(isIgnored);
  });
});

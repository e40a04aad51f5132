// What `npm pack` puts into the package for npm.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';

interface Package {
  readonly files: readonly { readonly path: string }[];
}

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly [key: string]: unknown;
}

/** Every file of the package is one of these. */
const FILES = [
  /^(?:CHANGELOG\.md|LICENSE|README\.md|package\.json)$/,
  /^dist\/package\.json$/,
  /^dist\/client\.d\.ts$/,
  /^dist\/sup-guardian$/,
  /^dist\/[\w./-]+\.c?js$/,
  /^dist\/[\w./-]+\.LEGAL\.txt$/,
  /^dist\/dashboard\/(?:index\.html|page\.css|icon\.svg|licences\.txt)$/,
  /^dist\/man\/man[15]\/sup[\w.-]*\.[15]$/,
  /^prebuilds\/linux-(?:x64|arm64)\/(?:ffi|ref)-napi\.node(?:\.copy)?$/,
  /^docs\/(?:[\w-]+\/)*[\w-]+\.md$/,
  /^docs\/schemas\/[a-z-]+\.json$/,
  /^docs\/pictures\/[\w-]+\.(?:svg|png)$/,
  /^examples\/(?:[\w-]+\/)*[\w.-]+$/,
];

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;

const LIMIT_MS = 60_000;

let files: readonly string[];
beforeAll(() => {
  const printed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    encoding: 'utf8',
  });
  const [packed] = JSON.parse(printed) as readonly Package[];
  files = packed?.files.map(({ path }) => path) ?? [];
}, LIMIT_MS);

describe('the package for npm', () => {
  it('the npm package contains what a user needs, and nothing else', () => {
    expect(files.filter((name) => !FILES.some((known) => known.test(name)))).toEqual([]);
    const needed = [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'docs/index.md',
      'examples/shop/sup.yaml',
      'package.json',
    ];
    expect(files).toEqual(expect.arrayContaining(needed));
  });

  it('the npm package has the client library in all its parts', () => {
    const parts = files.filter((name) => /^dist\/client\b.*js$/.test(name));
    expect(parts.sort()).toEqual(['dist/client.core.js', 'dist/client.js', 'dist/client.rest.js']);
  });

  it('the npm package has no file that a build left for this machine only', () => {
    expect(files.filter((name) => /\.cache$|node_modules|^dist\/(?:docs|packages)\//.test(name))).toEqual([]);
  });

  it('the npm package can be published, and runs nothing when it is installed', () => {
    expect(manifest['private']).toBeUndefined();
    const scripts = Object.keys(manifest['scripts'] as object);
    expect(scripts.filter((name) => /^(?:pre|post)?install$/.test(name))).toEqual([]);
  });

  it('each file that package.json exports to others is in the package', () => {
    const exported = Object.values(manifest.exports).map((one) =>
      typeof one === 'string' ? one : one.default,
    );
    const beginnings = exported.map((path) => path.replace(/^\.\//, '').replace('*', ''));
    for (const beginning of beginnings) expect(files.some((name) => name.startsWith(beginning))).toBe(true);
    expect(Object.values(manifest.bin)).toEqual(['dist/sup.js']);
  });
});

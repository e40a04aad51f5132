import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { registeredPath } from '../../../src/client/manifests/manifest-paths.ts';
import type { Context } from '../../../src/cli/context.ts';

/** `app/sup.yaml` and `other/sup.yaml`, in a directory of their own. */
const place = (): string => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'sup-registered-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const name of ['app', 'other']) {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, 'sup.yaml'), '');
  }
  return directory;
};

const known = (directory: string, path: string, ...manifests: readonly string[]): string => {
  const registry = { schema: 'sup.registry/1', manifests: manifests.map((name) => join(directory, name)) };
  writeFileSync(join(directory, 'registry.json'), JSON.stringify(registry));
  // Nothing else of it is looked at.
  const context = { dataDir: directory, world: { directory } } as unknown as Context;
  return registeredPath(path, context).slice(directory.length + 1);
};

/** `app` has moved to `real`, and a link is in its place. */
const linked = (): string => {
  const directory = place();
  renameSync(join(directory, 'app'), join(directory, 'real'));
  symlinkSync('real', join(directory, 'app'));
  return directory;
};

describe('the path by which a manifest is known', () => {
  it('a manifest is known by its real path, registered or not', () => {
    const directory = linked();
    expect(known(directory, 'app/sup.yaml')).toBe('real/sup.yaml');
    expect(known(directory, 'app/sup.yaml', 'real/sup.yaml', 'other/sup.yaml')).toBe('real/sup.yaml');
    expect(known(directory, 'gone/sup.yaml', 'real/sup.yaml')).toBe('gone/sup.yaml');
  });

  it.each(['app/sup.yaml', 'real/sup.yaml'])(
    'a manifest is known by its registered path if a link has replaced it: %s',
    (path) => {
      expect(known(linked(), path, 'other/sup.yaml', 'app/sup.yaml')).toBe('app/sup.yaml');
    },
  );

  it.each(['app/sup.yaml', 'real/sup.yaml'])(
    'a manifest is known by its literal path if both are registered: %s',
    (path) => {
      expect(known(linked(), path, 'real/sup.yaml', 'app/sup.yaml')).toBe(path);
    },
  );
});

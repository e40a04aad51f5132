// The manifest a directory has without being told: `sup.yaml`, then `sup.yml` (`docs/commands.md`, "start").
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const NAMES = ['sup.yaml', 'sup.yml'];

export const findDefaultManifest = (directory: string): string | undefined =>
  NAMES.map((name) => join(directory, name)).find((path) => existsSync(path));

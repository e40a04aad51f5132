// The manifest a directory has without being told: `sup.yaml`, then `sup.yml` (`spec/gaps` §1).
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const NAMES = ['sup.yaml', 'sup.yml'];

export const findDefaultManifest = (directory: string): string | undefined =>
  NAMES.map((name) => join(directory, name)).find((path) => existsSync(path));

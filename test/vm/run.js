// `npm run vm`: bundles both halves into a temporary directory and starts the half that stays here; dist/ is what is tried.
import { build } from 'esbuild';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = await mkdtemp(join(tmpdir(), 'sup-vm-'));

const bundle = (entry, outfile) =>
  build({
    entryPoints: [join(root, 'test/vm', entry)],
    outfile: join(scratch, outfile),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });

try {
  await bundle('host/main.ts', 'host.js');
  await bundle('guest/main.ts', 'guest.js');
  const { main } = await import(pathToFileURL(join(scratch, 'host.js')).href);
  process.exitCode = await main({
    root,
    scratch,
    guest: join(scratch, 'guest.js'),
    line: process.argv.slice(2),
  });
} finally {
  await rm(scratch, { recursive: true, force: true });
}

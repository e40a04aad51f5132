// `npm run packages:test`: bundles test/packages/main.ts into a temporary directory, and runs it.
import { build } from 'esbuild';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = await mkdtemp(join(tmpdir(), 'sup-packages-'));

try {
  await build({
    entryPoints: [join(root, 'test/packages/main.ts')],
    outfile: join(scratch, 'main.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });
  process.chdir(root);
  const { main } = await import(pathToFileURL(join(scratch, 'main.js')).href);
  process.exitCode = await main(process.argv.slice(2));
} finally {
  await rm(scratch, { recursive: true, force: true });
}

// `npm run bench`: bundles bench/main.ts into a temporary directory and runs it there against a copy of
// dist/, so that a rebuild does not change the measured program.
import { build } from 'esbuild';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Node reads these certificates at each start, which takes longer than the start itself.
delete process.env.NODE_EXTRA_CA_CERTS;

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = await mkdtemp(join(tmpdir(), 'sup-bench-'));
// A FIFO holder that was just killed can still add a file.
const clear = () => rm(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });

try {
  await cp(join(root, 'dist'), join(scratch, 'dist'), { recursive: true });
  await cp(join(root, 'package.json'), join(scratch, 'package.json'));
  await symlink(join(root, 'node_modules'), join(scratch, 'node_modules'));
  await build({
    entryPoints: [join(root, 'bench/main.ts')],
    outfile: join(scratch, 'bench.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external: ['bufferutil', 'utf-8-validate', 'playwright-core'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  const { main, abandon } = await import(pathToFileURL(join(scratch, 'bench.js')).href);
  const stop = async () => {
    await abandon();
    await clear();
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop());
  process.exitCode = await main({ root, scratch, line: process.argv.slice(2) });
} finally {
  await clear();
}

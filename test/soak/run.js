// `npm run soak`: bundles test/soak/main.ts into a temporary directory, and runs it against a copy of dist/ made there, so
// that a rebuild meanwhile does not change what is being tried.
import { build } from 'esbuild';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = await mkdtemp(join(tmpdir(), 'sup-soak-'));

try {
  await cp(join(root, 'dist'), join(scratch, 'dist'), { recursive: true });
  await cp(join(root, 'package.json'), join(scratch, 'package.json'));
  await symlink(join(root, 'node_modules'), join(scratch, 'node_modules'));
  await build({
    entryPoints: [join(root, 'test/soak/main.ts')],
    outfile: join(scratch, 'soak.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    external: ['bufferutil', 'utf-8-validate', 'ffi-napi', 'ref-napi'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  process.chdir(root);
  process.env['SUP_UNDER_TEST'] = join(scratch, 'dist/sup.js');
  const { main } = await import(pathToFileURL(join(scratch, 'soak.js')).href);
  process.exitCode = await main(process.argv.slice(2));
} finally {
  await rm(scratch, { recursive: true, force: true });
}

// Loads a TypeScript module into a script, because Node 20 cannot.
import { build } from 'esbuild';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Bundles the module with all its imports, and resolves to its exports. */
export const bundled = async (entry) => {
  const scratch = await mkdtemp(join(tmpdir(), 'sup-script-'));
  const outfile = join(scratch, 'module.mjs');
  try {
    await build({
      entryPoints: [join(root, entry)],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};

// Writes the types of the client library, as one file: dist/client.d.ts.
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const place = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Resolves when the file is written. Rejects if a type cannot be found. */
export const writeTypes = async (file = place('dist/client.d.ts')) => {
  const types = await rollup({
    input: place('src/client/library.ts'),
    external: (name) => !name.startsWith('.') && !name.startsWith('/'),
    plugins: [dts({ tsconfig: place('tsconfig.base.json') })],
  });
  await types.write({ file });
};

if (argv[1] === fileURLToPath(import.meta.url)) await writeTypes();

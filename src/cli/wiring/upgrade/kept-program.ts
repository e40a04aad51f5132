// A copy of the program that is at work: what lies under its name may be a newer one by the time it is needed again
// (`docs/reliability.md`, "Upgrade"). One copy is kept, that of the program at work.
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What a bundle loads of the files beside it, at once or later. */
const PARTS = /(?:from|import)\s*\(?\s*"(\.\.?\/[^"]+\.js)"/g;
const BESIDE = ['launcher.cjs', 'resume.cjs', 'sup-guardian'];
const NATIVE = 'ffi-napi';

/** All files of the program, its own first. */
const filesOf = async (script: string): Promise<readonly string[]> => {
  const files = new Set([script]);
  for (const file of files)
    for (const [, part = ''] of (await readFile(file, 'utf8')).matchAll(PARTS))
      files.add(join(dirname(file), part));
  return [...files, ...BESIDE.map((name) => join(dirname(script), name))];
};

/** What is compiled for the machine stays where it is. */
const linkNative = async (script: string, place: string): Promise<void> => {
  const require = createRequire(script);
  const found = require.resolve.paths(NATIVE) ?? [];
  for (const directory of found) {
    const target = await realpath(join(directory, NATIVE)).catch(() => undefined);
    if (target === undefined) continue;
    await mkdir(join(place, 'node_modules'), { mode: 0o700 });
    return symlink(target, join(place, 'node_modules', NATIVE));
  }
};

/** Its owner's alone, as everything in the data directory. */
const copy = async (from: string, to: string): Promise<void> => {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await writeFile(to, await readFile(from), { mode: 0o600 });
};

/** Resolves to the path of the copy; to its own path where it is a copy already. Rejects when it cannot be made. */
export const keepProgram = async (script: string, programs: string): Promise<string> => {
  if (script.startsWith(`${programs}/`)) return script;
  const place = join(programs, randomBytes(6).toString('hex'));
  const root = dirname(script);
  for (const file of await filesOf(script)) await copy(file, join(place, file.slice(root.length + 1)));
  // It is a module wherever it lies.
  await copy(join(root, '../package.json'), join(place, 'package.json')).catch(() => undefined);
  await linkNative(script, place);
  const others = (await readdir(programs)).filter((name) => join(programs, name) !== place);
  await Promise.all(others.map((name) => rm(join(programs, name), { recursive: true, force: true })));
  return join(place, script.slice(root.length + 1));
};

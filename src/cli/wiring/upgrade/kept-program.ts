// A copy of the program that is at work: what lies under its name may be a newer one by the time it is needed again
// (`docs/reliability.md`, "Upgrade"). One copy is kept, that of the program at work. It is made in one turn, some 20 ms of
// it: a hundred files one after the other would each wait for a turn of a loop that may be busy.
import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What a bundle loads of the files beside it, at once or later. */
const PARTS = /(?:from|import)\s*\(?\s*"(\.\.?\/[^"]+\.js)"/g;
const BESIDE = ['launcher.cjs', 'resume.cjs', 'sup-guardian'];
const NATIVE = 'ffi-napi';

/** All files of the program, its own first. */
const filesOf = (script: string): readonly string[] => {
  const files = new Set([script]);
  for (const file of files)
    for (const [, part = ''] of readFileSync(file, 'utf8').matchAll(PARTS))
      files.add(join(dirname(file), part));
  return [...files, ...BESIDE.map((name) => join(dirname(script), name))];
};

const realPath = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};

/** What is compiled for the machine stays where it is. */
const linkNative = (script: string, place: string): void => {
  for (const directory of createRequire(script).resolve.paths(NATIVE) ?? []) {
    const target = realPath(join(directory, NATIVE));
    if (target === undefined) continue;
    mkdirSync(join(place, 'node_modules'), { mode: 0o700 });
    return symlinkSync(target, join(place, 'node_modules', NATIVE));
  }
};

/** Its owner's alone, as everything in the data directory. */
const copy = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  writeFileSync(to, readFileSync(from), { mode: 0o600 });
};

const fill = (place: string, script: string): void => {
  const root = dirname(script);
  for (const file of filesOf(script)) copy(file, join(place, file.slice(root.length + 1)));
  // It is a module wherever it lies.
  const about = join(root, '../package.json');
  if (realPath(about) !== undefined) copy(about, join(place, 'package.json'));
  linkNative(script, place);
};

/** Answers the path of the copy; its own path where it is a copy already. Throws when it cannot be made, and leaves none. */
export const keepProgram = (script: string, programs: string): string => {
  if (script.startsWith(`${programs}/`)) return script;
  const place = join(programs, randomBytes(6).toString('hex'));
  try {
    fill(place, script);
  } catch (error) {
    rmSync(place, { recursive: true, force: true });
    throw error;
  }
  for (const name of readdirSync(programs))
    if (join(programs, name) !== place) rmSync(join(programs, name), { recursive: true, force: true });
  return join(place, script.slice(dirname(script).length + 1));
};

// A copy of the program that is at work: what lies under its name may be a newer one by the time it is needed again
// (`docs/reliability.md`, "Upgrade"). One copy is kept, that of the program at work. It is made in one turn, a few ms of it: the
// files one after the other would each wait for a turn of a loop that may be busy.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** What is in it, what kind of module that is, and what it starts. */
const PARTS = ['supervisor.bundle.js', 'package.json', 'launcher.cjs', 'resume.cjs', 'sup-guardian'];
/** It begins more slowly without. */
const CODE_CACHE = 'supervisor.bundle.cache';
const NATIVE = 'ffi-napi';

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

const PIECE_BYTES = 256 * 1024;

/** Its owner's alone from the first moment, as everything in the data directory; piece by piece, since an idle process keeps what it once held. */
const copy = (from: string, to: string): void => {
  const source = openSync(from, 'r');
  try {
    const target = openSync(to, 'wx', 0o600);
    try {
      const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
      for (let length = readSync(source, piece); length > 0; length = readSync(source, piece))
        writeFileSync(target, piece.subarray(0, length));
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
};

const fill = (place: string, script: string): void => {
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const from = dirname(script);
  for (const name of [basename(script), ...PARTS]) copy(join(from, name), join(place, name));
  if (realPath(join(from, CODE_CACHE)) !== undefined) copy(join(from, CODE_CACHE), join(place, CODE_CACHE));
  linkNative(script, place);
};

const isWhole = (script: string): boolean =>
  [basename(script), ...PARTS].every((name) => realPath(join(dirname(script), name)) !== undefined);

const itself = (copied: string): string => {
  if (!isWhole(copied)) throw new Error(`the copy of the program at work is gone: ${dirname(copied)}`);
  return copied;
};

/** Answers the path of the copy; its own path where it is a copy already. Throws when it cannot be made, and leaves none. */
const keepProgram = (script: string, programs: string): string => {
  if (script.startsWith(`${programs}/`)) return itself(script);
  const place = join(programs, randomBytes(6).toString('hex'));
  try {
    fill(place, script);
  } catch (error) {
    rmSync(place, { recursive: true, force: true });
    throw error;
  }
  for (const name of readdirSync(programs))
    if (join(programs, name) !== place) rmSync(join(programs, name), { recursive: true, force: true });
  return join(place, basename(script));
};

/** The same for whoever asks, as long as nobody removes it: then it is made anew. What threw is tried again. */
export const programKeeper = (script: string, programs: string): (() => string) => {
  let made: string | undefined;
  return () => {
    if (made === undefined || !isWhole(made)) made = keepProgram(script, programs);
    return made;
  };
};

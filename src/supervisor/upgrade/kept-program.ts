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
import { makeDirectory } from '../../os/files/make-directory.ts';
import { filesOf, fingerprintOf } from '../loader/own-files.ts';
import { Refusal } from './refusal.ts';

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
  makeDirectory(place, 0o700);
  const from = dirname(script);
  for (const name of filesOf(script)) copy(join(from, name), join(place, name));
  if (realPath(join(from, CODE_CACHE)) !== undefined) copy(join(from, CODE_CACHE), join(place, CODE_CACHE));
  linkNative(script, place);
};

const isWhole = (script: string): boolean =>
  filesOf(script).every((name) => realPath(join(dirname(script), name)) !== undefined);

/** Whether a copy is at work itself: it was resumed, or brought back after that. */
export const isCopy = (script: string, programs: string): boolean => script.startsWith(`${programs}/`);

const itself = (copied: string): string => {
  if (!isWhole(copied)) throw new Error(`the copy of the program at work is gone: ${dirname(copied)}`);
  return copied;
};

/** The program at work: where it lies, and what lay there when it began (`fingerprintOf`). */
interface Own {
  readonly script: string;
  readonly fingerprint: string;
}

const replacedText = (place: string): string =>
  `the files in ${place} are not those any more that the supervisor was begun from, and there is no copy of them to be resumed`;

/** What lies there now would be resumed in the place of the program at work, and would fail as the one that replaces it. */
const refuseOther = ({ script, fingerprint }: Own): void => {
  if (fingerprintOf(script) !== fingerprint)
    throw new Refusal({ code: 'ERR0502', detail: replacedText(dirname(script)), why: 'replaced' });
};

/** Answers the path of the copy; its own path where it is a copy already. Throws when it cannot be made, and leaves none. */
const keepProgram = (own: Own, programs: string): string => {
  const { script } = own;
  if (isCopy(script, programs)) return itself(script);
  const place = join(programs, randomBytes(6).toString('hex'));
  refuseOther(own);
  try {
    fill(place, script);
    // Installed anew meanwhile.
    refuseOther(own);
  } catch (error) {
    rmSync(place, { recursive: true, force: true });
    throw error;
  }
  for (const name of readdirSync(programs))
    if (join(programs, name) !== place) rmSync(join(programs, name), { recursive: true, force: true });
  return join(place, basename(script));
};

/** The same for whoever asks, as long as nobody removes it: then it is made anew. What threw is tried again. */
export const programKeeper = (own: Own, programs: string): (() => string) => {
  let made: string | undefined;
  return () => {
    if (made === undefined || !isWhole(made)) made = keepProgram(own, programs);
    return made;
  };
};

// One copy of the running program, since the installed files may be newer when it is needed again
// (`docs/reliability.md`, "Upgrade"), and the record of the program that a guardian restarts
// (`sup-guardian`): after an upgrade that is no longer the one it was started with. The copy is made in
// one turn of a few ms. File by file, each would wait for a turn of a loop that may be busy.
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
import { makeDirectory } from '../../os/files/directories.ts';
import { writeAtOnce } from '../../os/files/own-file.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import { filesOf, fingerprintOf } from '../loader/program-files.ts';
import type { SupervisorOptions } from '../supervisor-options.ts';
import { ownProgram, type Program } from './program.ts';
import { UpgradeRefused } from './upgrade-refused.ts';
import { copyText } from '../../streams/upgrade/handover.ts';

/** Without it the program begins more slowly. */
const CODE_CACHE = 'supervisor.bundle.cache';
const NATIVE = 'ffi-napi';

const realPath = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};

/** Links the compiled addon, which stays where it is. */
const linkNative = (script: string, place: string): void => {
  for (const directory of createRequire(script).resolve.paths(NATIVE) ?? []) {
    const target = realPath(join(directory, NATIVE));
    if (target === undefined) continue;
    mkdirSync(join(place, 'node_modules'), { mode: 0o700 });
    return symlinkSync(target, join(place, 'node_modules', NATIVE));
  }
};

const PIECE_BYTES = 256 * 1024;

/**
 * Copies a file, private to its owner from the first moment. It works in pieces, since an idle process keeps
 * the memory it once used.
 */
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

/** True if a copy is running: it was resumed, or restarted after that. */
const isCopy = (script: string, programs: string): boolean => script.startsWith(`${programs}/`);

const itself = (copied: string): string => {
  if (!isWhole(copied)) throw new Error(`the copy of the program at work is gone: ${dirname(copied)}`);
  return copied;
};

/** The running program: its path, and what its files were when it began (`fingerprintOf`). */
interface Own {
  readonly script: string;
  readonly fingerprint: string;
}

const replacedText = (place: string): string =>
  `the files in ${place} are not those any more that the supervisor was begun from, and there is no copy of them to be resumed`;

/** Throws if the installed files have changed: when resumed, they would fail like the new program. */
const refuseOther = ({ script, fingerprint }: Own): void => {
  if (fingerprintOf(script) !== fingerprint)
    throw new UpgradeRefused({ code: 'ERR0502', detail: replacedText(dirname(script)), why: 'replaced' });
};

/** Returns the path of the copy, or its own if it is one. Throws if none can be made, and leaves none. */
const keepProgram = (own: Own, programs: string): string => {
  const { script } = own;
  if (isCopy(script, programs)) return itself(script);
  const place = join(programs, randomBytes(6).toString('hex'));
  refuseOther(own);
  try {
    fill(place, script);
    // The files may have been replaced meanwhile.
    refuseOther(own);
  } catch (error) {
    rmSync(place, { recursive: true, force: true });
    throw error;
  }
  for (const name of readdirSync(programs))
    if (join(programs, name) !== place) rmSync(join(programs, name), { recursive: true, force: true });
  return join(place, basename(script));
};

/** Returns a function that makes the copy once, and again if it was removed or could not be made. */
export const programKeeper = (own: Own, programs: string): (() => string) => {
  let made: string | undefined;
  return () => {
    if (made === undefined || !isWhole(made)) made = keepProgram(own, programs);
    return made;
  };
};

/** Records the program for the guardian. Does nothing without one: other parents know one program. */
export const rememberProgram = (
  { dataDir, guarded }: Pick<SupervisorOptions, 'dataDir' | 'guarded'>,
  { node, script }: Program,
): void => {
  if (guarded === undefined) return;
  try {
    writeAtOnce(layoutOf(dataDir).successor, `${node}\n${script}\n`);
  } catch {
    // On a full disk the guardian starts the program that it knows.
  }
};

/** Removes the record: a guardian's first supervisor is the program that it was given. */
export const forgetProgram = (dataDir: string): void => rmSync(layoutOf(dataDir).successor, { force: true });

/** Returns a warning for `status` if the installed program is not the running one. */
export const copyWarnings = (dataDir: string): readonly string[] => {
  const { script } = ownProgram();
  return isCopy(script, layoutOf(dataDir).programs) ? [copyText(script)] : [];
};

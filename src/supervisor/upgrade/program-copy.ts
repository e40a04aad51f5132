// Keeps one copy of the running program, because the installed files may be newer when the program must be
// executed again (`docs/reliability.md`, "Upgrade"). Also records the program that the guardian must restart
// (`sup-guardian`): after an upgrade it is not the program that the guardian was started with. The copy is
// made in one turn of a few ms. If each file were copied in its own turn, the copy would take long in a busy
// event loop.
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
import { prebuiltAddon } from '../../os/libc/addon.ts';
import { layoutOf } from '../../streams/wire/layout.ts';
import { filesOf, fingerprintOf } from '../loader/program-files.ts';
import type { SupervisorOptions } from '../supervisor-options.ts';
import type { Program } from './program.ts';
import { UpgradeRefused } from './upgrade-refused.ts';
import { copyText, replacedText } from '../../streams/upgrade/handover.ts';

/** The file with the code cache. A copy may lack this file: the program then starts more slowly. */
const CODE_CACHE = 'supervisor.bundle.cache';
const NATIVE = 'ffi-napi';

const realPath = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};

/** Links the compiled addon into the copy. The addon itself is not copied. */
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
 * Copies a file. From the first moment, only the owner can read the copy. The file is copied in pieces,
 * because Node would keep the memory of a large buffer while it is idle.
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

/** Copies the prebuilt addon for this machine, because an installation of another version replaces it. */
const copyPrebuilt = (script: string, place: string): void => {
  const addon = prebuiltAddon(dirname(script));
  if (addon === undefined) return;
  const from = dirname(addon);
  const to = join(place, 'prebuilds', basename(from));
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(from)) copy(join(from, name), join(to, name));
};

const fill = (place: string, script: string): void => {
  makeDirectory(place, 0o700);
  const from = dirname(script);
  for (const name of filesOf(script)) copy(join(from, name), join(place, name));
  if (realPath(join(from, CODE_CACHE)) !== undefined) copy(join(from, CODE_CACHE), join(place, CODE_CACHE));
  copyPrebuilt(script, place);
  linkNative(script, place);
};

const isWhole = (script: string): boolean =>
  filesOf(script).every((name) => realPath(join(dirname(script), name)) !== undefined);

/** True if this program runs from a copy: a failed upgrade resumed it, or the guardian restarted it later. */
const isCopy = (script: string, programs: string): boolean => script.startsWith(`${programs}/`);

const itself = (copied: string): string => {
  if (!isWhole(copied)) throw new Error(`the copy of the program at work is gone: ${dirname(copied)}`);
  return copied;
};

/** The running program: its path, and the state of its files when it was started (`fingerprintOf`). */
interface Own {
  readonly script: string;
  readonly fingerprint: string;
}

const changedText = (place: string): string =>
  `the files in ${place} are not those any more that the supervisor was begun from, and there is no copy of them to be resumed`;

/**
 * Throws if the installed files have changed. Their copy would then be a copy of the new program, which is
 * useless if the new program has failed.
 */
const refuseOther = ({ script, fingerprint }: Own): void => {
  if (fingerprintOf(script) !== fingerprint)
    throw new UpgradeRefused({ code: 'ERR0502', detail: changedText(dirname(script)), why: 'replaced' });
};

/**
 * Makes a copy and returns its path. If the program already runs from a copy, returns the path of the
 * program. If no copy can be made, throws and leaves no files.
 */
const keepProgram = (own: Own, programs: string): string => {
  const { script } = own;
  if (isCopy(script, programs)) return itself(script);
  const place = join(programs, randomBytes(6).toString('hex'));
  refuseOther(own);
  try {
    fill(place, script);
    // An installation may have replaced the files during the copy.
    refuseOther(own);
  } catch (error) {
    rmSync(place, { recursive: true, force: true });
    throw error;
  }
  for (const name of readdirSync(programs))
    if (join(programs, name) !== place) rmSync(join(programs, name), { recursive: true, force: true });
  return join(place, basename(script));
};

/**
 * Returns a function that returns the path of the copy. It makes the copy at the first call, and again if the
 * copy was removed or could not be made.
 */
export const programCopier = (own: Own, programs: string): (() => string) => {
  let made: string | undefined;
  return () => {
    if (made === undefined || !isWhole(made)) made = keepProgram(own, programs);
    return made;
  };
};

/**
 * Records the program that the guardian must restart. Does nothing if there is no guardian: other service
 * managers know which program to restart.
 */
export const rememberProgram = (
  { dataDir, guarded }: Pick<SupervisorOptions, 'dataDir' | 'guarded'>,
  { node, script }: Program,
): void => {
  if (guarded === undefined) return;
  try {
    writeAtOnce(layoutOf(dataDir).successor, `${node}\n${script}\n`);
  } catch {
    // If the record cannot be written, the guardian restarts the program that it was started with.
  }
};

/**
 * Removes the record of the program to restart. Without a record, a guardian restarts the program that it was
 * started with.
 */
export const forgetProgram = (dataDir: string): void => rmSync(layoutOf(dataDir).successor, { force: true });

/**
 * Returns a function that returns the warning for `status` if the supervisor does not run the installed
 * program: it runs from a copy, or the installed files were replaced since it started.
 */
export const programWarner = (own: Own, dataDir: string): (() => readonly string[]) => {
  const { script, fingerprint } = own;
  if (isCopy(script, layoutOf(dataDir).programs)) return () => [copyText(script)];
  return () => (fingerprintOf(script) === fingerprint ? [] : [replacedText(script)]);
};

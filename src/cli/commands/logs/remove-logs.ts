// `sup logs --prune` removes rotated files that are too old, then the oldest until all fit the limit. It
// never touches current files, so no output of a running service is lost.
//
// `sup logs --clear` truncates the current file of a service; the writer, which appends, notices within a
// second.
import { closeSync, constants } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { selectedPast } from './past-services.ts';
import type { Context } from '../../context.ts';
import type { Parsed } from '../../grammar/parsed-line.ts';
import { usageError } from '../../grammar/usage-error.ts';
import { requireOwn } from '../../directory-owner.ts';
import { printDocument, printLines } from '../../print.ts';
import { sizeText } from '../../render/age-and-size.ts';
import { confirmed } from '../../render/question.ts';
import { isEverything, selectionOf } from '../../selection.ts';
import { isMissing } from '../../../os/errno.ts';
import { openAtOnce } from '../../../os/files/own-file.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import { type ServiceId, shownId } from '../../../streams/domain/ids.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import { EXIT, type CommandStatus } from '../../../streams/wire/exit-status.ts';
import { layoutOf } from '../../../streams/wire/layout.ts';

export interface PruneLimits {
  /** Maximum age of a rotated file, ms. */
  readonly maxAge?: number;
  /** Maximum size of all files together, including current ones, in bytes. */
  readonly maxBytes?: number;
}

export interface StoredLog {
  readonly path: string;
  readonly bytes: number;
  /** Time of the last write, in milliseconds since 1970. */
  readonly at: number;
  readonly rotated: boolean;
}

/** Returns the rotated files that exceed the limits and must be removed, oldest first. */
export const pruned = (
  files: readonly StoredLog[],
  { maxAge = Infinity, maxBytes = Infinity }: PruneLimits,
  now: number,
): readonly StoredLog[] => {
  const rotated = files.filter((file) => file.rotated).toSorted((a, b) => a.at - b.at);
  let left = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return rotated.filter(({ at, bytes }) => {
    const goes = now - at > maxAge || left > maxBytes;
    if (goes) left -= bytes;
    return goes;
  });
};

const sizes = async (directory: string, isOurs: (name: string) => boolean): Promise<readonly StoredLog[]> => {
  const files: StoredLog[] = [];
  for (const name of (await readdir(directory)).filter(isOurs)) {
    const path = `${directory}/${name}`;
    const { size, mtimeMs } = await stat(path);
    files.push({ path, bytes: size, at: mtimeMs, rotated: /\.log\.\d+(?:\.gz)?$/.test(name) });
  }
  return files;
};

const logFilesOf = async (dataDir: string, service: ServiceId): Promise<readonly StoredLog[]> => {
  const active = layoutOf(dataDir).log(service);
  const slash = active.lastIndexOf('/');
  const own = active.slice(slash + 1);
  try {
    return await sizes(
      active.slice(0, slash),
      (name) =>
        name === own ||
        (name.startsWith(`${own}.`) && /^\d+(?:\.gz(?:\.tmp)?)?$/.test(name.slice(own.length + 1))),
    );
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** Removes the rotated files that exceed the limits and returns them. */
export const pruneLogs = async (
  dataDir: string,
  services: readonly ServiceId[],
  limits: PruneLimits,
): Promise<readonly StoredLog[]> => {
  const files = (await Promise.all(services.map((service) => logFilesOf(dataDir, service)))).flat();
  const gone = pruned(files, limits, Date.now());
  for (const { path } of gone) await rm(path, { force: true });
  return gone;
};

/** Returns the total size of the files in bytes. */
export const sizeOf = (files: readonly StoredLog[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

export const tellGone = (context: Context, gone: readonly StoredLog[], line: string): CommandStatus => {
  const files = gone.map(({ path, bytes }) => ({ path, bytes }));
  if (context.json) printDocument(context, { schema: 'sup.pruned/1', bytes: sizeOf(gone), files });
  else printLines(context, [line, ...files.map(({ path }) => `  ${path}`)]);
  return EXIT.done;
};

const empty = (path: string): void =>
  closeSync(openAtOnce(path, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW));

/** Removes a rotated file, or truncates a current one. Throws ERR0701 if that fails. */
const clearFile = async ({ path, rotated }: StoredLog): Promise<void> => {
  try {
    if (rotated) await rm(path, { force: true });
    else empty(path);
  } catch (error) {
    if (!isMissing(error)) throw failure({ code: 'ERR0701', file: path, detail: messageOf(error) });
  }
};

const filesOf = async (dataDir: string, services: readonly ServiceId[]): Promise<readonly StoredLog[]> =>
  (await Promise.all(services.map((service) => logFilesOf(dataDir, service)))).flat();

/** Returns the user's command line with `--yes` added, for a hint. */
const agreeing = ({ operands, values: { service = [], project = [], config = [] }, flags }: Parsed): string =>
  [
    'sup logs --clear',
    ...project.map((name) => `-p ${name}`),
    ...config.map((file) => `-c ${file}`),
    ...(flags.has('here') ? ['--here'] : []),
    ...[...operands, ...service],
    '--yes',
  ].join(' ');

const isAgreed = async (
  parsed: Parsed,
  context: Context,
  services: readonly ServiceId[],
): Promise<boolean> => {
  if (parsed.flags.has('yes')) return true;
  const about = services.map(async (id) => {
    const files = await logFilesOf(context.dataDir, id);
    return `  ${shownId(id)}: ${sizeText(sizeOf(files))} in ${files.length} ${files.length === 1 ? 'file' : 'files'}`;
  });
  return confirmed(context, {
    about: ['all that is in these logs would be gone:', ...(await Promise.all(about))],
    question: services.length === 1 ? 'Clear this log?' : `Clear these ${services.length} logs?`,
    yes: agreeing(parsed),
  });
};

/** `sup logs --clear`. Throws a usage error without a selection, or if the user cannot be asked. */
export const clear = async (parsed: Parsed, context: Context): Promise<CommandStatus> => {
  if (isEverything(selectionOf(parsed, context)))
    throw usageError('--clear needs to know which services', 'sup logs --clear <service>');
  const services = selectedPast(parsed, context);
  requireOwn(context);
  if (!(await isAgreed(parsed, context, services))) return EXIT.failed;
  const files = await filesOf(context.dataDir, services);
  for (const file of files) await clearFile(file);
  const logs = services.length === 1 ? '1 log' : `${services.length} logs`;
  return tellGone(context, files, `${logs} cleared, ${sizeText(sizeOf(files))} freed`);
};

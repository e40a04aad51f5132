// `sup logs --clear`: clears the log of a service. The current file is truncated, not removed, so no output
// is lost meanwhile. It is open for appending, and its writer notices within a second that it is shorter.
import { closeSync, constants } from 'node:fs';
import { rm } from 'node:fs/promises';
import { isMissing } from '../../../os/errno.ts';
import { openAtOnce } from '../../../os/files/own-file.ts';
import { shownId, type ServiceId } from '../../../streams/domain/ids.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import type { Context } from '../../context.ts';
import { failure } from '../../../streams/views/errors/failure.ts';
import { EXIT, type ExitStatus } from '../../../streams/wire/exit-status.ts';
import type { Parsed } from '../../grammar/parsed.ts';
import { usageError } from '../../grammar/usage.ts';
import { requireOwn } from '../../own-directory.ts';
import { sizeText } from '../../render/amount.ts';
import { confirmed } from '../../render/question.ts';
import { isEverything, selectionOf } from '../../selection/selection.ts';
import { logFilesOf } from './prune.ts';
import type { LogFile } from './pruned.ts';
import { selectedPast } from './selected.ts';
import { sizeOf, tellGone } from './tell-gone.ts';

const empty = (path: string): void =>
  closeSync(openAtOnce(path, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW));

/** Throws ERR0701 if a file cannot be changed. */
const clearFile = async ({ path, rotated }: LogFile): Promise<void> => {
  try {
    if (rotated) await rm(path, { force: true });
    else empty(path);
  } catch (error) {
    if (!isMissing(error)) throw failure({ code: 'ERR0701', file: path, detail: messageOf(error) });
  }
};

const filesOf = async (dataDir: string, services: readonly ServiceId[]): Promise<readonly LogFile[]> =>
  (await Promise.all(services.map((service) => logFilesOf(dataDir, service)))).flat();

/** The same command with `--yes`. */
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

/** Throws a usage error without a selection, or if it cannot ask. */
export const clear = async (parsed: Parsed, context: Context): Promise<ExitStatus> => {
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

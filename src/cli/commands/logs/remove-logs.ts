// `sup logs --prune` removes rotated files that are too old. If the logs still exceed the size limit, it
// removes the oldest rotated files too. It never touches current files, so no output of a running service is
// lost.
//
// `sup logs --clear` removes the rotated files of a service and truncates its current file. The process that
// writes the current file appends to it, and notices the truncation within a second.
import { closeSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { selectedPast } from '../../../client/past-services.ts';
import type { Context } from '../../context.ts';
import type { Parsed } from '../../grammar/parsed-line.ts';
import { usageError } from '../../grammar/usage-error.ts';
import { requireOwn } from '../../directory-owner.ts';
import { printDocument, printLines } from '../../print.ts';
import { sizeText } from '../../../streams/views/words/age-and-size.ts';
import { confirmed } from '../../render/question.ts';
import { isEverything, selectionOf } from '../../selection.ts';
import { isMissing } from '../../../os/errno.ts';
import { openAtOnce } from '../../../os/files/own-file.ts';
import { bytesOf, type LogFile, logFiles, logNames } from '../../../sinks/logs/file/find-log-files.ts';
import { exceeding, type LogLimits, removeLog } from '../../../sinks/logs/file/log-limits.ts';
import { messageOf } from '../../../streams/domain/errors/thrown.ts';
import { type ServiceId, shownId } from '../../../streams/domain/ids.ts';
import { failure } from '../../../streams/views/errors/command-failure.ts';
import { EXIT, type CommandStatus } from '../../../streams/wire/command-exit-status.ts';
import { layoutOf } from '../../../streams/wire/layout.ts';

/** Returns the files of the log of each service. Each directory is read once. */
const logsOf = async (
  dataDir: string,
  services: readonly ServiceId[],
): Promise<readonly (readonly LogFile[])[]> => {
  const paths = services.map(layoutOf(dataDir).log);
  const directories = [...new Set(paths.map((path) => dirname(path)))];
  const names = new Map((await Promise.all(directories.map(logNames))).flatMap((found) => [...found]));
  return Promise.all(paths.map((path) => logFiles(names.get(path))));
};

/** Removes the rotated files that exceed the limits and returns them. */
export const pruneLogs = async (
  dataDir: string,
  services: readonly ServiceId[],
  limits: LogLimits,
): Promise<readonly LogFile[]> => {
  const gone = exceeding(await logsOf(dataDir, services), limits, Date.now());
  gone.forEach(removeLog);
  return gone;
};

export const tellGone = (context: Context, gone: readonly LogFile[], line: string): CommandStatus => {
  const files = gone.map(({ path, bytes }) => ({ path, bytes }));
  if (context.json) printDocument(context, { schema: 'sup.pruned/1', bytes: bytesOf(gone), files });
  else printLines(context, [line, ...files.map(({ path }) => `  ${path}`)]);
  return EXIT.done;
};

const empty = (path: string): void =>
  closeSync(openAtOnce(path, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW));

/** Removes a rotated file, or truncates a current one. Throws ERR0701 if that fails. */
const clearFile = (file: LogFile): void => {
  const { path, kind } = file;
  try {
    if (kind === 'active') empty(path);
    else removeLog(file);
  } catch (error) {
    if (!isMissing(error)) throw failure({ code: 'ERR0701', file: path, detail: messageOf(error) });
  }
};

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
  const logs = await logsOf(context.dataDir, services);
  const about = services.map((id, at) => {
    const files = logs[at] ?? [];
    return `  ${shownId(id)}: ${sizeText(bytesOf(files))} in ${files.length} ${files.length === 1 ? 'file' : 'files'}`;
  });
  return confirmed(context, {
    about: ['all that is in these logs would be gone:', ...about],
    question: services.length === 1 ? 'Clear this log?' : `Clear these ${services.length} logs?`,
    yes: agreeing(parsed),
  });
};

/**
 * Carries out `sup logs --clear`. Throws a usage error if no service is selected, or if confirmation is
 * needed but cannot be asked for.
 */
export const clear = async (parsed: Parsed, context: Context): Promise<CommandStatus> => {
  if (isEverything(selectionOf(parsed, context)))
    throw usageError('--clear needs to know which services', 'sup logs --clear <service>');
  const services = selectedPast(selectionOf(parsed, context), context);
  requireOwn(context);
  if (!(await isAgreed(parsed, context, services))) return EXIT.failed;
  const files = (await logsOf(context.dataDir, services)).flat();
  files.forEach(clearFile);
  const logs = services.length === 1 ? '1 log' : `${services.length} logs`;
  return tellGone(context, files, `${logs} cleared, ${sizeText(bytesOf(files))} freed`);
};

// Translates those settings of a program of supervisord that need more code than a row of the table in
// `supervisord-table.ts`.
import { resolve } from 'node:path';
import { homedir } from 'node:os';
import type { ImportDeps } from '../import-format.ts';
import { isMarked, manifestValue, shellLine } from './percent-format.ts';
import { keyValuePairs, splitWords } from './python-words.ts';
import type { IniProgram } from './supervisord-programs.ts';
import { exitStatuses, logTarget, sizeIn, truth, valueText } from './supervisord-values.ts';
import type { Setting, Translation } from '../key-table.ts';
import { literalText, variableKeys } from '../manifest-text.ts';

export interface ProgramContext {
  readonly program: IniProgram;
  /** The directory of the configuration. */
  readonly from: string;
  readonly workingDir: ImportDeps['workingDir'];
  /**
   * The services that must start before this service: those of the same project with the next lower priority.
   */
  readonly after: readonly string[];
  /** Why the priority of the program cannot be kept; absent if it is kept. */
  readonly disorder?: string;
}

/** Returns a reader that passes the text of a setting to `read`. All values of this format are text. */
export const text =
  (read: (value: string, context: ProgramContext) => Translation) =>
  ({ value }: Setting, context: ProgramContext): Translation =>
    read(valueText(value), context);

export const valueOf = ({ program }: ProgramContext, key: string): string | undefined =>
  program.settings.find((setting) => setting.key === key)?.value;

export const commandOf = (line: string, { program }: ProgramContext): Translation => {
  const words = splitWords(line);
  if (words.length === 0) throw new RangeError('the command is empty');
  if (program.isFcgi) return { keys: { command: `exec ${shellLine(line)} 0<&3 3<&-` } };
  return isMarked(line) ? { keys: { command: `exec ${shellLine(line)}` } } : { keys: { exec: words } };
};

export const directoryOf = (path: string, { from, workingDir }: ProgramContext): Translation => {
  if (isMarked(path)) return { keys: { working_dir: manifestValue(path) } };
  const place = workingDir(resolve(from, path.replace(/^~(?=\/|$)/, homedir())));
  return place === undefined ? {} : { keys: { working_dir: literalText(place) } };
};

export const variablesOf = (list: string): Translation =>
  variableKeys(Object.entries(keyValuePairs(list)).map(([name, value]) => [name, manifestValue(value)]));

export const orderOf = ({ after, disorder }: ProgramContext): Translation => ({
  ...(after.length > 0 && { keys: { depends_on: after.map((service) => ({ service, required: false })) } }),
  ...(disorder !== undefined && { changed: disorder }),
});

export const exitCodesOf = (list: string): Translation => {
  const codes = exitStatuses(list);
  const others = codes.filter((code) => code !== 0);
  return {
    ...(others.length > 0 && { keys: { success_exit_codes: others } }),
    ...(!codes.includes(0) && { changed: 'exit status 0 is a success too, whatever the list says' }),
  };
};

const isRestarted = (context: ProgramContext): boolean => {
  const policy = valueOf(context, 'autorestart') ?? 'unexpected';
  return policy.toLowerCase() === 'unexpected' || truth(policy);
};

export const restartsOf = (retries: number, context: ProgramContext): Translation =>
  isRestarted(context) ? { keys: { max_restarts: retries } } : {};

export const logPathOf = (path: string, context: ProgramContext): Translation => {
  const target = logTarget(path);
  if (target === 'auto') return {};
  if (target === 'syslog') return { lost: 'sup writes nothing to syslog; sup logs shows the output' };
  if (target === 'path')
    return { changed: `the output is in the log of the service, which sup logs shows, and not in ${path}` };
  const isSilent = ['stdout', 'stderr'].every((stream) => {
    const other = logTarget(valueOf(context, `${stream}_logfile`) ?? 'auto') === 'none';
    return other || (stream === 'stderr' && truth(valueOf(context, 'redirect_stderr') ?? 'false'));
  });
  return isSilent
    ? { keys: { 'logs.sink': 'none' } }
    : { changed: 'sup keeps both streams or none; the output of this one is in the log too' };
};

/**
 * Returns a reader for a rotation setting of standard error. In `sup` standard output and standard error
 * share one log, which gets the rotation of standard output.
 */
export const rotationOf =
  (key: string, fallback: string) =>
  (value: string, context: ProgramContext): Translation => {
    const other = valueOf(context, `stdout_${key}`) ?? fallback;
    if (value === other || truth(valueOf(context, 'redirect_stderr') ?? 'false')) return {};
    return { changed: `both streams are in one log, for which stdout_${key} counts (${other})` };
  };

export const isSunk = (context: ProgramContext): boolean => logPathOf('none', context).keys !== undefined;

/** Returns the address at which a socket listens; `undefined` if the value has the name of a host. */
export const listenAddress = (value: string): string | undefined => {
  const [, path, host = '', port = ''] = /^(?:unix:\/\/(\/.*)|tcp:\/\/([^\s:]+):(\d+))$/.exec(value) ?? [];
  if (path !== undefined) return `unix:${path}`;
  if (port === '') throw new RangeError(`"${value}" is not unix:///path or tcp://host:port`);
  if (host === 'localhost') return `127.0.0.1:${port}`;
  return /^[\d.]+$/.test(host) ? `${host}:${port}` : undefined;
};

export const ifEnabled = (message: string) => text((value) => (truth(value) ? { lost: message } : {}));

export const captured = text((value) =>
  sizeIn(value) === 0 ? {} : { lost: 'sup has no events that processes write into their output' },
);

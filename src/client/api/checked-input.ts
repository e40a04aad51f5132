// Checks the arguments that a program passes to the library, because plain JavaScript does not check types.
// For a wrong argument the checks throw ERR0200, with the path of the argument, the rule that it breaks, and
// its value.
import { isAbsolute, resolve } from 'node:path';
import type { Count, Selection } from '../../streams/domain/command.ts';
import {
  checkFields,
  checkText,
  type Checked,
  isFields,
  shown,
} from '../../streams/wire/params/checked-fields.ts';
import { GOALS } from '../../streams/wire/documents/wait-document.ts';
import { checkSelection } from '../../streams/wire/params/request-params.ts';
import type { EventQuery, LogQuery } from '../line-feeds.ts';
import { type ClientFailure, failedWith } from '../client-failure.ts';

/**
 * Returns the error ERR0200 for a wrong value. `detail` names the argument, the broken rule and the value.
 */
export const wrong = (detail: string): ClientFailure => failedWith({ code: 'ERR0200', detail });

/** Returns the value of a successful check. Throws ERR0200 for a failed check. */
const accepted = <T>(result: Checked<T>): T => {
  if (result.ok) return result.value;
  throw wrong(result.problem);
};

/** Returns the absolute path of a file, as the supervisor needs it. `where` names the argument in errors. */
export type AbsolutePath = (path: string, where: string) => string;

/** Resolves a relative path against the working directory of this process. */
export const pathHere: AbsolutePath = (path) => resolve(path);

/**
 * Returns an absolute path of another machine. Throws ERR0200 if the path is relative, because the library
 * does not know a working directory there.
 */
export const pathThere: AbsolutePath = (path, where) => {
  if (isAbsolute(path)) return path;
  throw wrong(`${where}: ${shown(path)} is not an absolute path, as that of another machine must be`);
};

/** Returns the checked selection, with the path of its manifest made absolute. */
export const selected = (selection: Selection | undefined, absolute: AbsolutePath = pathHere): Selection => {
  const { manifest, ...rest } = accepted(checkSelection(selection, 'selection'));
  return { ...rest, ...(manifest !== undefined && { manifest: absolute(manifest, 'selection.manifest') }) };
};

/** Returns the checked selection. Throws ERR0200 if it is absent; `{}` selects all services. */
export const givenSelection = (
  selection: Selection | undefined,
  absolute: AbsolutePath = pathHere,
): Selection => {
  if (selection !== undefined) return selected(selection, absolute);
  throw wrong('selection: is missing; {} means all services');
};

/** Returns the number of instances of each service. The supervisor checks the names and numbers. */
export const countsOf = (counts: Readonly<Record<string, number>>): readonly Count[] => {
  if (!isFields(counts)) throw wrong(`counts: ${shown(counts)} is not an object`);
  return Object.entries(counts).map(([service, replicas]) => ({ service, replicas }));
};

/** Returns the text. Throws ERR0200 for a value that is not a possible name or path. */
export const textOf = (value: unknown, path: string): string => accepted(checkText(value, path));

/** A check of a value, and the words for an error if the value fails the check. */
interface Rule {
  readonly fits: (value: unknown) => boolean;
  readonly says: string;
}

const isText = (value: unknown): boolean => checkText(value, '').ok;
const isCount = (value: unknown): boolean =>
  value === Infinity || (Number.isInteger(value) && Number(value) >= 0);

const FLAG: Rule = { fits: (value) => typeof value === 'boolean', says: 'neither true nor false' };
const TEXT: Rule = { fits: isText, says: 'no text' };
const TEXTS: Rule = {
  fits: (value) => Array.isArray(value) && value.every(isText),
  says: 'no list of texts',
};
const LENGTH: Rule = {
  fits: (value) => typeof value === 'number' && value >= 0,
  says: 'no number of milliseconds',
};
const COUNT: Rule = { fits: isCount, says: 'no whole number from 0' };
const MOMENT: Rule = {
  fits: (value) => typeof value === 'string' || (value instanceof Date && !Number.isNaN(value.getTime())),
  says: 'neither a date nor a text',
};

/** The rule of each option. An option has the same rule in all calls that accept it. */
const RULES = {
  timeoutMs: LENGTH,
  windowMs: LENGTH,
  profiles: TEXTS,
  files: TEXTS,
  within: TEXTS,
  kinds: TEXTS,
  dataDir: TEXT,
  socket: TEXT,
  host: TEXT,
  program: TEXT,
  origin: TEXT,
  manifest: TEXT,
  project: TEXT,
  signal: TEXT,
  stream: TEXT,
  sys: FLAG,
  withDependents: FLAG,
  origins: FLAG,
  showValues: FLAG,
  unconfined: FLAG,
  follow: FLAG,
  lines: COUNT,
  last: COUNT,
  since: MOMENT,
  until: MOMENT,
  grep: { fits: (value: unknown) => value instanceof RegExp, says: 'no regular expression' },
  for: {
    fits: (value: unknown) => GOALS.some((goal) => goal === value),
    says: `none of ${GOALS.join(', ')}`,
  },
} as const satisfies Readonly<Record<string, Rule>>;

/** Returns the options. Throws ERR0200 for an unknown key or a wrong value. */
export const optionsOf = <O extends object>(
  given: O | undefined,
  ...keys: readonly (keyof O & keyof typeof RULES)[]
): Partial<O> => {
  const fields = accepted(checkFields(given ?? {}, 'options', keys));
  for (const key of keys) {
    const [value, { fits, says }] = [fields[key], RULES[key]];
    if (value !== undefined && !fits(value)) throw wrong(`options.${key}: ${shown(value)} is ${says}`);
  }
  return given ?? {};
};

export const logQuery = (query: LogQuery | undefined): LogQuery =>
  optionsOf(query, 'lines', 'grep', 'stream', 'follow', 'since', 'until');

export const eventQuery = (query: EventQuery | undefined): EventQuery =>
  optionsOf(query, 'kinds', 'last', 'since', 'until');

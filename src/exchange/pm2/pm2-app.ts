// Reads the settings of an app of an ecosystem file: finds them by PM2's names, and checks PM2's types.
import { failure } from '../../streams/views/errors/command-failure.ts';
import type { Plain, SourceLine, Setting } from '../key-table.ts';

export const PM2_TITLE = 'an ecosystem file of PM2';

/** Other spellings of keys that PM2 accepts. Each key may also be written in camelCase. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  script: ['exec', 'cmd', 'command'],
  exec_interpreter: ['interpreter'],
  node_args: ['interpreterArgs', 'interpreter_args'],
  out_file: ['out', 'output', 'out_log'],
  error_file: ['error', 'err', 'err_file', 'err_log'],
  log_file: ['log'],
  pid_file: ['pid'],
  cron_restart: ['cron'],
  merge_logs: ['combine_logs'],
  uid: ['user'],
};

/** Returns the other spellings of a key of PM2. */
export const spellingsOf = (name: string): readonly string[] => {
  const camel = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [...(OTHER_NAMES[name] ?? []), ...(camel === name ? [] : [camel])];
};

/** The context that the rows of the PM2 table get for an app. */
export interface Pm2App {
  /** The name of the service. */
  readonly service: string;
  readonly settings: readonly Setting[];
  /** The absolute directory that the app runs in. */
  readonly directory: string;
  /** The value of `PATH`: the directories in which programs are searched. */
  readonly path: string;
  /** The number of processors, which `instances: max` means. */
  readonly processors: number;
  /** Returns a path relative to `directory` as it must be written in the manifest. */
  readonly placed: (path: string) => string;
  /** The `working_dir` of the service; absent if it is the default. */
  readonly workingDir?: string;
}

type Settings = Pick<Pm2App, 'settings'>;

/**
 * Returns the setting with this name or another spelling of the name. If several spellings are set, the first
 * with a value that is not empty is returned.
 */
export const settingOf = ({ settings }: Settings, name: string): Setting | undefined => {
  const names = [name, ...spellingsOf(name)];
  const found = names.flatMap((one) => settings.filter(({ key }) => key === one));
  return found.find(({ value }) => Boolean(value)) ?? found[0];
};

export const valueOf = (app: Settings, name: string): Plain | undefined => settingOf(app, name)?.value;

const wrong = (key: string, { file, line }: SourceLine, expected: string): Error =>
  failure({ code: 'ERR0802', file, line, format: PM2_TITLE, detail: `${key} is not ${expected}` });

export const shownValue = (value: Plain | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

/** Returns the value as a number. As in PM2, it may be written as text. Throws ERR0802. */
export const numberIn = ({ key, value, place }: Setting): number => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw wrong(key, place, 'a number');
};

/** Returns the value as a flag. Throws ERR0802. */
export const flagIn = ({ key, value, place }: Setting): boolean => {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  if (value === null) return false;
  throw wrong(key, place, 'true or false');
};

export const flagOf = (app: Settings, name: string): boolean => {
  const setting = settingOf(app, name);
  return setting !== undefined && flagIn(setting);
};

export const numberOf = (app: Settings, name: string): number | undefined => {
  const setting = settingOf(app, name);
  return setting === undefined || setting.value === null ? undefined : numberIn(setting);
};

/** Returns the value as text. The value may be a text or a number. Throws ERR0802. */
export const textIn = ({ key, value, place }: Setting): string => {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw wrong(key, place, 'text');
};

export const textOf = (app: Settings, name: string): string | undefined => {
  const setting = settingOf(app, name);
  return setting === undefined || setting.value === null ? undefined : textIn(setting);
};

/** Returns the schedule of `cron_restart`; `undefined` if it is absent or 0. */
export const scheduleOf = (app: Settings): string | undefined => {
  const expression = textOf(app, 'cron_restart') ?? '0';
  return expression === '0' || expression === '' ? undefined : expression;
};

const WORD = /[^\s"'=]+="[^"]*"|[^\s"'=]+='[^']*'|"[^"]*"|'[^']*'|\S+/g;

/** Splits arguments as PM2 does. Quotes group words, and are removed except in `name="value"`. */
const wordsIn = (text: string): readonly string[] =>
  (text.match(WORD) ?? [])
    .map((word) => /^(?:"([^]*)"|'([^]*)')$/.exec(word)?.slice(1).join('') ?? word)
    .filter((word) => word.trim() !== '');

/** Returns the value as a list of words. A text is split into words. Throws ERR0802. */
export const wordsOf = (app: Settings, name: string): readonly string[] => {
  const setting = settingOf(app, name);
  if (setting === undefined || setting.value === null) return [];
  const { key, value, place } = setting;
  if (typeof value === 'string') return wordsIn(value);
  if (Array.isArray(value)) return value.map((word: Plain) => shownValue(word));
  throw wrong(key, place, 'text or a list');
};

const MULTIPLES: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Returns a time of PM2 in ms. It is a number of ms, or a number with `s`, `m` or `h`. Throws ERR0802. */
export const timeIn = ({ key, value, place }: Setting): number => {
  const [, amount, unit = ''] = /^(\d+)([smh])?$/.exec(shownValue(value)) ?? [];
  if (amount === undefined) throw wrong(key, place, 'a time as 500, 5s, 1m or 1h');
  return Number(amount) * (MULTIPLES[unit] ?? 1);
};

/** Returns a size of PM2: a number of bytes, or a text with `K`, `M` or `G`. Throws ERR0802. */
export const sizeIn = ({ key, value, place }: Setting): string | number => {
  const [, amount, unit = ''] = /^(\d+)([KMG])?$/.exec(shownValue(value)) ?? [];
  if (amount === undefined) throw wrong(key, place, 'a size as 1000000, 300K, 300M or 1G');
  return unit === '' ? Number(amount) : `${amount}${unit}`;
};

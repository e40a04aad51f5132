// Loads the settings from `supervisor.xml` and the environment. The first start creates the file. A file with
// several elements on one line is written again, indented. A file that cannot be used is not changed
// (`docs/settings.md`, "What happens to the file").
import { textIfThere } from '../../os/files/own-file.ts';
import type { CommandError } from '../../streams/domain/errors/error.ts';
import { errorSentence } from '../../streams/domain/errors/error-sentence.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../streams/domain/declared/settings.ts';
import { replaceFile } from '../../os/files/replace-file.ts';
import { ELEMENTS, type Ignored, readElements, ROOT, wholeNumber } from './elements.ts';
import { indented, parseXml } from './xml.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface LoadedSettings {
  readonly settings: Settings;
  /** Sentences about wrong settings, for `status` and the log. */
  readonly warnings: readonly string[];
}

/** Returns the settings, and creates or indents the file if necessary. Never throws. */
export const loadSettings = (path: string, environment: Environment): LoadedSettings =>
  withEnvironment(settingsIn(path), environment);

/** Returns the settings without writing the file, for a client. Never throws. */
export const peekSettings = (path: string, environment: Environment): LoadedSettings => {
  return withEnvironment(peekedIn(path, textIfThere(path)), environment);
};

const peekedIn = (path: string, text: string | Error | undefined): LoadedSettings => {
  if (text === undefined) return { settings: DEFAULT_SETTINGS, warnings: [] };
  return text instanceof Error ? unusable(path, text.message) : interpret(path, text);
};

/** The variable that overrides the time limit of `pre_start` in the file. */
const PRE_START_VARIABLE = 'SUP_PRE_START_TIMEOUT_SECS';
/** The most characters of a settings file. A longer file is ignored with a warning. */
const LONGEST_FILE = 1024 * 1024;

const settingsIn = (path: string): LoadedSettings => {
  const text = textIfThere(path);
  if (text === undefined) return { settings: DEFAULT_SETTINGS, warnings: writing(path, defaultFile()) };
  if (text instanceof Error) return unusable(path, text.message);
  const read = interpret(path, text);
  return read.ignored !== undefined && isCompact(text) ? reindent(path, text, read) : read;
};

interface Interpreted extends LoadedSettings {
  /** The parts of the file that are ignored. Absent if the file is not a settings file. */
  readonly ignored?: readonly Ignored[];
}

/** Returns a warning about the file. All these warnings have the code ERR0225. */
const warned = (detail: string): string => {
  const error: CommandError = { code: 'ERR0225', detail };
  return `${errorSentence(error)} (${error.code})`;
};

const unusable = (path: string, problem: string): Interpreted => ({
  settings: DEFAULT_SETTINGS,
  warnings: [warned(`${path} cannot be used, the defaults apply: ${problem}`)],
});

/** Returns the line and column of an offset, as `4:7`. */
const placeIn = (text: string, at: number): string => {
  const before = text.slice(0, at).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
};

const interpret = (path: string, text: string): Interpreted => {
  if (text.length > LONGEST_FILE) return unusable(path, `it is longer than ${LONGEST_FILE} characters`);
  const parsed = parseXml(text);
  if (!parsed.ok) return unusable(path, parsed.problem);
  const read = readElements(parsed.tree);
  if (read === undefined) return unusable(path, `the root element is not <${ROOT}>`);
  return {
    ...read,
    warnings: read.ignored.map(({ says, at }) => warned(`${path}:${placeIn(text, at)}: ${says}`)),
  };
};

/**
 * Returns the text without `<?…>` and `<!…>`. The text is split at each `>` first, so that searches stay
 * short.
 */
const withoutDeclarations = (text: string): string => {
  const pieces = text.split('>');
  const last = pieces.pop() ?? '';
  const kept = pieces.map((piece) => {
    const at = piece.search(/<[?!]/);
    return at < 0 ? `${piece}>` : piece.slice(0, at);
  });
  return kept.join('') + last;
};

/** True if two elements are on one line, so that the file should be indented. */
const isCompact = (text: string): boolean => /<\/?[^<>]+>[^\S\n]*<[^/!]/.test(withoutDeclarations(text));

/**
 * Indents the file, unless that would change its meaning. Returns the settings of the file as it is
 * afterwards.
 */
const reindent = (path: string, text: string, read: Interpreted): LoadedSettings => {
  const parsed = parseXml(text);
  if (!parsed.ok) return read;
  const form = indented(parsed.raw);
  const after = interpret(path, form);
  if (form === text || meaning(after) !== meaning(read)) return read;
  const refused = writing(path, form);
  return refused.length === 0 ? after : { ...read, warnings: [...read.warnings, ...refused] };
};

/**
 * Returns a text that is equal for two files with equal settings and equal warnings. The positions of the
 * settings and warnings in the files do not matter.
 */
const meaning = ({ settings, ignored = [] }: Interpreted): string =>
  JSON.stringify([settings, ignored.map(({ says }) => says)]);

const writing = (path: string, text: string): readonly string[] => {
  try {
    replaceFile(path, text, { backup: false, lasting: 'content' });
    return [];
  } catch (error) {
    return [warned(`${path} cannot be written: ${messageOf(error)}`)];
  }
};

const defaultFile = (): string => {
  const groups = [...new Set(ELEMENTS.map(({ path }) => path.split('/')[0] ?? ''))];
  const lines = groups.flatMap((group) => [
    `  <${group}>`,
    ...ELEMENTS.filter(({ path }) => path.startsWith(`${group}/`)).map((element) => {
      const name = element.path.slice(group.length + 1);
      return `    <${name}>${element.default}</${name}>`;
    }),
    `  </${group}>`,
  ]);
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<${ROOT}>`, ...lines, `</${ROOT}>`, ''].join('\n');
};

const withEnvironment = (
  { settings, warnings }: LoadedSettings,
  environment: Environment,
): LoadedSettings => {
  const text = environment[PRE_START_VARIABLE];
  const element = ELEMENTS.find(({ path }) => path === 'timeouts/pre_start_secs');
  if (text === undefined || text === '' || element === undefined) return { settings, warnings };
  const value = wholeNumber(text);
  if (value !== undefined && element.accepts(value))
    return { settings: element.put(settings, value), warnings };
  const ignored = warned(`${PRE_START_VARIABLE}: "${text}" is not ${element.rule}; it is ignored`);
  return { settings, warnings: [...warnings, ignored] };
};

// Reads an ecosystem file: JSON with comments, YAML, or the value that a file of JavaScript exports. Each
// setting keeps its line.
import { extname } from 'node:path';
import { childOf, type MapEntry, type Node } from '../../manifest/read/node.ts';
import { failure } from '../../streams/views/errors/command-failure.ts';
import type { SourceText } from '../source-texts.ts';
import { plainOf, readStructured, sourceLine } from '../structured-settings.ts';
import { PM2_TITLE } from './pm2-app.ts';
import { isPlainMap, type Plain, type Setting } from '../key-table.ts';

/** The settings of each app, and the settings of the file outside of the apps. */
export interface Ecosystem {
  readonly apps: readonly AppSettings[];
  readonly others: readonly Setting[];
}

export interface AppSettings {
  readonly settings: readonly Setting[];
  readonly line: number;
}

export const isScript = ({ path }: SourceText): boolean => /^\.[cm]?js$/.test(extname(path));

const broken = (path: string, detail: string, line?: number): Error =>
  failure({ code: 'ERR0802', file: path, format: PM2_TITLE, detail, ...(line !== undefined && { line }) });

interface Lines {
  /** Returns the line of a key in the app with this index. Without a key, returns the line of the app. */
  readonly ofApp: (index: number, key?: string) => number;
  /** Returns the line of a key outside of the apps. */
  readonly ofKey: (key: string) => number;
}

/** The keys that may have the list of apps, in the order in which PM2 tries them. */
const LISTS = ['apps', 'pm2'] as const;

const MOST_APPS = 1000;

const ecosystemOf = (value: Plain, path: string, lines: Lines): Ecosystem => {
  const list = isPlainMap(value) ? LISTS.find((key) => Boolean(value[key])) : undefined;
  const found = isPlainMap(value) && list !== undefined ? value[list] : value;
  const place = (line: number) => ({ file: path, line });
  const all = [found ?? []].flat();
  if (all.length > MOST_APPS) throw broken(path, `it has more than ${MOST_APPS} apps`);
  const apps = all.map((app: Plain, index): AppSettings => {
    if (!isPlainMap(app)) throw broken(path, 'an app is no map of settings', lines.ofApp(index));
    const settings = Object.entries(app).map(([key, each]) => ({
      ...{ key, value: each, place: place(lines.ofApp(index, key)) },
    }));
    return { settings, line: lines.ofApp(index) };
  });
  const beside = isPlainMap(value) && list !== undefined ? Object.entries(value) : [];
  const others = beside
    .filter(([key]) => key !== list)
    .map(([key, each]) => ({ key, value: each, place: place(lines.ofKey(key)) }));
  return { apps, others };
};

/** Returns functions that find lines in a tree of YAML or JSON. */
const linesIn = (root: Node): Lines => {
  const listed = LISTS.map((key) => childOf(root, key)?.value).find((node) => node !== undefined) ?? root;
  const lineOf = (entry: MapEntry | undefined, node: Node): number =>
    sourceLine(entry === undefined ? node : entry.keyAt).line;
  return {
    ofApp: (index, key) => {
      const app = (listed.tag === 'list' ? listed.items[index] : listed) ?? root;
      return lineOf(key === undefined ? undefined : childOf(app, key), app);
    },
    ofKey: (key) => lineOf(childOf(root, key), root),
  };
};

/**
 * Returns the index after the quoted text that begins at `from`. A text without a closing quote ends with its
 * line.
 */
const endOfQuotes = (text: string, from: number): number => {
  const quote = text[from];
  let at = from + 1;
  while (at < text.length && text[at] !== quote && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
};

/** Returns the index after the next `mark`, or the length of the text if there is none. */
const endBy = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
};

/**
 * Returns the index after the piece of JSON that begins at `at`, and whether the piece is a comment or a tab.
 */
const pieceAt = (text: string, at: number): readonly [end: number, isBlank: boolean] => {
  const pair = text.slice(at, at + 2);
  if (/^["']/.test(pair)) return [endOfQuotes(text, at), false];
  if (pair === '//') return [endBy(text, '\n', at), true];
  if (pair === '/*') return [endBy(text, '*/', at + 2), true];
  return [at + 1, pair.startsWith('\t')];
};

/**
 * Returns JSON with spaces in place of comments and tabs. PM2 permits comments, which the parser for YAML and
 * JSON refuses.
 */
const withoutComments = (text: string): string => {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const [end, isBlank] = pieceAt(text, at);
    const piece = text.slice(at, end);
    pieces.push(isBlank ? piece.replaceAll(/[^\n]/g, ' ') : piece);
    at = end;
  }
  return pieces.join('');
};

const isJson = ({ path, text }: SourceText): boolean =>
  extname(path) === '.json' || (!/^\.ya?ml$/.test(extname(path)) && /^\s*[[{]/.test(text));

/** Reads an ecosystem file in JSON or YAML. Throws ERR0802. */
export const declaredIn = (file: SourceText): Ecosystem => {
  const text = isJson(file) ? withoutComments(file.text) : file.text;
  const { root } = readStructured({ ...file, text }, { title: PM2_TITLE });
  return ecosystemOf(plainOf(root), file.path, linesIn(root));
};

const WORD = /[A-Za-z_]\w*|(?<=(['"`]))(?:(?!\1).)+(?=\1)/g;

/** Returns the lines of each word and of each quoted text. */
const wordLines = (text: string): ReadonlyMap<string, readonly number[]> => {
  const found = new Map<string, number[]>();
  text.split('\n').forEach((line, at) => {
    for (const [word] of line.slice(0, LONGEST_LINE).matchAll(WORD)) {
      const lines = found.get(word) ?? [];
      lines.push(at + 1);
      found.set(word, lines);
    }
  });
  return found;
};

/**
 * How many characters of each line are searched. The rest of a longer line is skipped, because in minified
 * JavaScript a line number would be of no use.
 */
const LONGEST_LINE = 400;

/** Guesses the line of a setting in JavaScript: the line in which its name is written. */
const guessedLines = (text: string, apps: readonly Plain[]): Lines => {
  const words = wordLines(text);
  const first = (word: string, from: number, to: number): number =>
    words.get(word)?.find((line) => line >= from && line < to) ?? from;
  const starts = apps.map((app) => {
    const name = isPlainMap(app) ? (app['name'] ?? app['script']) : undefined;
    return typeof name === 'string' ? first(name, 1, Infinity) : 1;
  });
  return {
    ofApp: (index, key) => {
      const start = starts[index] ?? 1;
      const next = starts[index + 1] ?? Infinity;
      return key === undefined ? start : first(key, start, next > start ? next : Infinity);
    },
    ofKey: (key) => first(key, 1, Infinity),
  };
};

/** Reads an ecosystem file in JavaScript, which exports `value`. Throws ERR0802. */
export const exportedBy = ({ path, text }: SourceText, value: Plain): Ecosystem => {
  const list = isPlainMap(value) ? LISTS.map((key) => value[key]).find(Boolean) : undefined;
  return ecosystemOf(value, path, guessedLines(text, [list ?? value].flat()));
};

// Reads an ecosystem file: JSON as PM2 takes it (with comments), YAML, or the value that JavaScript exports.
// Each setting keeps its line.
import { extname } from 'node:path';
import { childOf, type MapEntry, type Node } from '../../manifest/read/node.ts';
import { failure } from '../../streams/views/errors/command-failure.ts';
import type { SourceText } from '../source-texts.ts';
import { plainOf, readStructured, sourceLine } from '../structured-settings.ts';
import { PM2_TITLE } from './pm2-app.ts';
import { isPlainMap, type Plain, type Setting } from '../key-table.ts';

/** The settings of each app, and those of the file beside the apps. */
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
  /** Returns the line of a key of the app with this index; of the app itself without a key. */
  readonly ofApp: (index: number, key?: string) => number;
  /** Returns the line of a key beside the apps. */
  readonly ofKey: (key: string) => number;
}

/** The keys that have the list of apps, in the order in which PM2 looks. */
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

/** Returns the end of a text in quotes that begins here; at the latest that of the line. */
const endOfQuotes = (text: string, from: number): number => {
  const quote = text[from];
  let at = from + 1;
  while (at < text.length && text[at] !== quote && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
};

/** Returns the end of what ends with `mark`; that of the text without one. */
const endBy = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
};

/** Returns the end of the piece of JSON that begins here, and whether it is a comment or a tab. */
const pieceAt = (text: string, at: number): readonly [end: number, isBlank: boolean] => {
  const pair = text.slice(at, at + 2);
  if (/^["']/.test(pair)) return [endOfQuotes(text, at), false];
  if (pair === '//') return [endBy(text, '\n', at), true];
  if (pair === '/*') return [endBy(text, '*/', at + 2), true];
  return [at + 1, pair.startsWith('\t')];
};

/** Returns JSON with spaces instead of comments, which PM2 permits, and of tabs. */
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

/** Returns what a file of JSON or YAML has. Throws ERR0802. */
export const declaredIn = (file: SourceText): Ecosystem => {
  const text = isJson(file) ? withoutComments(file.text) : file.text;
  const { root } = readStructured({ ...file, text }, { title: PM2_TITLE });
  return ecosystemOf(plainOf(root), file.path, linesIn(root));
};

const WORD = /[A-Za-z_]\w*|(?<=(['"`]))(?:(?!\1).)+(?=\1)/g;

/** Returns the lines of all words and quoted texts. */
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

/** JavaScript in one long line has no lines to tell. */
const LONGEST_LINE = 400;

/** Guesses the lines of settings in JavaScript: where their names are written. */
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

/** Returns what the exported value of a file of JavaScript has. Throws ERR0802. */
export const exportedBy = ({ path, text }: SourceText, value: Plain): Ecosystem => {
  const list = isPlainMap(value) ? LISTS.map((key) => value[key]).find(Boolean) : undefined;
  return ecosystemOf(value, path, guessedLines(text, [list ?? value].flat()));
};

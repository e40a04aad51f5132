// The edits that move the services of a singular `project` below `projects.<id>`, by whole lines. Offsets of
// edits refer to the original text.
import { pairOf, type Singular, type ManifestSource } from './singular-project.ts';

export const newlineOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

const lineStart = (text: string, offset: number): number =>
  offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;

/** Returns the blanks between the start of the line and the offset; empty if there is anything else. */
export const marginAt = (text: string, offset: number): string =>
  /^ *$/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits, which must not overlap, in any order. */
export const applyEdits = (text: string, edits: readonly Edit[]): string => {
  const ordered = [...edits].sort((one, other) => one.start - other.start);
  let result = '';
  let at = 0;
  for (const edit of ordered) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
};

/**
 * Returns an edit for the lines of a top-level key. Its text is the present text, which the caller replaces.
 */
const block = ({ text, root }: ManifestSource, key: string): Edit | undefined => {
  const pair = pairOf(root, key);
  if (pair === undefined) return undefined;
  const start = lineStart(text, pair.start);
  const newline = text.indexOf('\n', Math.max(pair.start, pair.end - 1));
  const end = newline === -1 ? text.length : newline + 1;
  return { start, end, text: text.slice(start, end) };
};

/**
 * Matches quoted text. A double quote without an end matches up to the end of the text. Otherwise the search
 * would begin again at each later quote and run to the end each time.
 */
const QUOTED = /"(?:[^"\\]|\\.)*("?)|'[^']*'/g;

/** Returns the comments in lines that will be removed, because the comments are kept. */
const commentsOf = (lines: string): readonly string[] =>
  lines
    .replace(QUOTED, (found, close?: string) => (close === '' ? found : ''))
    .split(/\r?\n/)
    .flatMap((line) => /(?:^|\s)(#[^]*)$/.exec(line)?.[1] ?? []);

/** Indents each line. Only LF and CRLF end a line; other line separators belong to the text of the line. */
const indented = (text: string): string => text.replace(/(^|\n)(?=[^\r\n])/g, '$1    ');

const withNewline = (text: string, newline: string): string => (text.endsWith('\n') ? text : text + newline);

/**
 * Returns the edits that move the services into the project. The services keep their position in the file, so
 * that anchors stay before their aliases.
 */
export const moveIntoProjects = (source: ManifestSource, { id, name }: Singular): readonly Edit[] => {
  const singular = block(source, 'project');
  if (singular === undefined) return [];
  const newline = newlineOf(source.text);
  const margin = marginAt(singular.text, singular.text.search(/[^ ]/));
  const label = name === undefined ? [] : [`    name: ${name}`];
  const lines = [...commentsOf(singular.text), 'projects:', `  ${id}:`, ...label];
  const head = lines.map((line) => margin + line + newline).join('');
  const services = block(source, 'services');
  if (services === undefined) return [{ ...singular, text: `${head}${margin}    services: {}${newline}` }];
  return [
    { ...singular, text: '' },
    { ...services, text: head + withNewline(indented(services.text), newline) },
  ];
};

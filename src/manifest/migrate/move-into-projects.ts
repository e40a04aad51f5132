// The edits that put the services of a singular `project` under `projects.<id>`: whole lines are moved and indented.
import type { Edit } from './edits.ts';
import { pairOf, type Singular, type Source } from './legacy.ts';
import { lineStart, marginAt, newlineOf } from '../read/lines.ts';

/** The lines of a top-level entry. */
const block = ({ text, root }: Source, key: string): Edit | undefined => {
  const pair = pairOf(root, key);
  if (pair === undefined) return undefined;
  const start = lineStart(text, pair.start);
  const newline = text.indexOf('\n', Math.max(pair.start, pair.end - 1));
  const end = newline === -1 ? text.length : newline + 1;
  return { start, end, text: text.slice(start, end) };
};

/** Also a double quote that is not closed, with an empty group: else each one would be looked at to the end of the text. */
const QUOTED = /"(?:[^"\\]|\\.)*("?)|'[^']*'/g;

/** The comments of lines that are given up. */
const commentsOf = (lines: string): readonly string[] =>
  lines
    .replace(QUOTED, (found, close?: string) => (close === '' ? found : ''))
    .split(/\r?\n/)
    .flatMap((line) => /(?:^|\s)(#[^]*)$/.exec(line)?.[1] ?? []);

/** A line ends with LF or CRLF: what else breaks lines elsewhere is part of the text. */
const indented = (text: string): string => text.replace(/(^|\n)(?=[^\r\n])/g, '$1    ');

const withNewline = (text: string, newline: string): string => (text.endsWith('\n') ? text : text + newline);

/** The services keep their place in the file: what they use by alias stands before it. */
export const moveIntoProjects = (source: Source, { id, name }: Singular): readonly Edit[] => {
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

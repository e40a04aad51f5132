// The log in the live view: its last lines, which of them are shown, and a search in them. Lines are numbered
// from the first line that was read, so that a line keeps its number when the oldest lines are dropped.
import { shownOutput } from '../../../streams/views/words/foreign-text.ts';
import type { LogEntry } from '../../../streams/wire/log-line.ts';

export interface LogPane {
  /** The id of the row with the log that is shown. */
  readonly of: string | undefined;
  readonly entries: readonly LogEntry[];
  /** The number of the first line in `entries`. */
  readonly first: number;
  /** The number of the line at the bottom of the pane; `undefined` while the pane follows new lines. */
  readonly bottom: number | undefined;
  /** True if long lines continue on the next row; false if they are cut. */
  readonly wraps: boolean;
  readonly search: string;
  /** The numbers of the lines that match the search, ascending. */
  readonly hits: readonly number[];
  /** The number of the line of the current match. */
  readonly hit: number | undefined;
  /** True once the existing lines have arrived. */
  readonly isRead: boolean;
}

export const NO_LOG: LogPane = {
  ...{ of: undefined, entries: [], first: 0, bottom: undefined, wraps: false },
  ...{ search: '', hits: [], hit: undefined, isRead: false },
};

/** Maximum number of lines that are kept. */
const MOST_LOGGED = 5_000;

/** Returns the number of the last line. */
export const lastLine = ({ first, entries }: LogPane): number => first + entries.length - 1;

/** Returns the number of the line at the bottom of the pane. */
export const bottomOf = (log: LogPane): number => log.bottom ?? lastLine(log);

/**
 * Returns the matches of the search in the text: pairs of the start index and the index after the end. A
 * search without upper-case letters matches both cases.
 */
export const foundIn = (text: string, search: string): readonly (readonly [number, number])[] => {
  if (search === '') return [];
  const inText = search === search.toLowerCase() ? text.toLowerCase() : text;
  const found: [number, number][] = [];
  for (let at = inText.indexOf(search); at !== -1; at = inText.indexOf(search, at + search.length))
    found.push([at, at + search.length]);
  return found;
};

const hitsIn = (entries: readonly LogEntry[], first: number, search: string): readonly number[] =>
  search === ''
    ? []
    : entries.flatMap(({ text }, at) => (foundIn(shownOutput(text), search).length > 0 ? [first + at] : []));

/** Adds lines, and drops the oldest ones beyond `MOST_LOGGED`. */
export const withLines = (log: LogPane, added: readonly LogEntry[]): LogPane => {
  const all = [...log.entries, ...added];
  const first = log.first + Math.max(0, all.length - MOST_LOGGED);
  const entries = all.slice(-MOST_LOGGED);
  const begin = Math.max(first, lastLine(log) + 1);
  const newHits = hitsIn(entries.slice(begin - first), begin, log.search);
  const hits = newHits.length === 0 && first === log.first ? log.hits : [...log.hits, ...newHits];
  return {
    ...log,
    ...{ entries, first, isRead: true },
    hits: first === log.first ? hits : hits.filter((line) => line >= first),
    bottom: log.bottom === undefined ? undefined : Math.max(first, log.bottom),
  };
};

/** Scrolls by `step` lines. At the last line, new lines are followed again. */
export const scrolled = (log: LogPane, step: number): LogPane => {
  const bottom = Math.max(log.first, bottomOf(log) + step);
  return { ...log, bottom: bottom >= lastLine(log) ? undefined : bottom };
};

/** Shows the match in the middle of the pane, `rows` / 2 rows above the bottom. */
const showing = (log: LogPane, hit: number, rows: number): LogPane => ({
  ...scrolled({ ...log, bottom: hit }, Math.floor(rows / 2)),
  hit,
});

/** Stops following new lines. If they are not followed, follows them again. */
export const paused = (log: LogPane): LogPane => ({
  ...log,
  bottom: log.bottom === undefined ? Math.max(log.first, lastLine(log)) : undefined,
});

/**
 * Searches the lines for the text. Goes to the last match at or above the bottom of the pane, or if there is
 * none, to the first match. `rows`: height of the pane.
 */
export const searched = (log: LogPane, search: string, rows: number): LogPane => {
  const hits = hitsIn(log.entries, log.first, search);
  const from = bottomOf(log);
  const hit = hits.findLast((line) => line <= from) ?? hits[0];
  const next = { ...log, search, hits, hit };
  return hit === undefined ? next : showing(next, hit, rows);
};

/** Goes to the next (`step` 1) or previous (-1) match. Does nothing if there is no further match. */
export const searchedOn = (log: LogPane, step: 1 | -1, rows: number): LogPane => {
  const from = log.hit ?? bottomOf(log);
  const hit = step === 1 ? log.hits.find((line) => line > from) : log.hits.findLast((line) => line < from);
  return hit === undefined ? log : showing(log, hit, rows);
};

// The log lines that the page keeps, and which of them are shown.
import type { LogDocument } from '../../../streams/wire/documents/basic-documents.ts';
import { shownOutput } from '../../../streams/views/words/foreign-text.ts';

export interface KeptLine {
  /** The number of the line, counted over all lines that the page has received. */
  readonly key: number;
  readonly line: LogDocument;
  /** The text without colours, for search and copy. */
  readonly plain: string;
}

export interface LogBuffer {
  readonly lines: readonly KeptLine[];
  readonly received: number;
  /** Lines that the server left out because the page was too slow. */
  readonly missed: number;
}

export const NO_LOGS: LogBuffer = { lines: [], received: 0, missed: 0 };

/** The most lines that are kept, because the browser would be slow to draw more of them. */
const MOST_LINES = 2_000;

export const withLogs = (
  { lines, received, missed }: LogBuffer,
  added: readonly LogDocument[],
  missedNow: number,
): LogBuffer => ({
  lines: [
    ...lines,
    ...added.map((line, index) => ({ key: received + index, line, plain: shownOutput(line.text) })),
  ].slice(-MOST_LINES),
  received: received + added.length,
  missed: missed + missedNow,
});

export const streamsOf = ({ lines }: LogBuffer): readonly string[] =>
  [...new Set(lines.map(({ line }) => line.stream))].sort();

export interface LogChoice {
  /** The name of the only stream that is shown. If it is empty, all streams are shown. */
  readonly stream: string;
  readonly search: string;
  readonly onlyMatches: boolean;
}

export const isMatch = ({ plain }: KeptLine, search: string): boolean =>
  search !== '' && plain.toLowerCase().includes(search.toLowerCase());

export const chosenLines = (
  { lines }: LogBuffer,
  { stream, search, onlyMatches }: LogChoice,
): readonly KeptLine[] =>
  lines.filter(
    (kept) =>
      (stream === '' || kept.line.stream === stream) &&
      (!onlyMatches || search === '' || isMatch(kept, search)),
  );

/** Returns the local time of day with milliseconds, or an empty text if the time is not known. */
export const clockText = (at: string | null): string => {
  if (at === null) return '';
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${time}.${String(date.getMilliseconds()).padStart(3, '0')}`;
};

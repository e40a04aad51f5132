// A line of a service's log on disk: `2026-11-21T05:30:15.123456Z stdout text`, for writer and reader alike.
// Text longer than LONGEST_TEXT takes several lines; a `+` after the stream's name says that its next line
// continues the text.
// Rules: `docs/behaviour.md`, "Output", "A line".

/** The output streams of a service; `hook` is that of commands on its behalf. */
export type OutputStream = 'stdout' | 'stderr' | 'hook' | ChildStream;
type ChildStream = `child:${string}`;
/** The streams in a log; `sup` has the supervisor's own lines about dropped output. */
export type LogStream = OutputStream | 'sup';

export interface LogEntry {
  /** The time of the line, ISO 8601, UTC, µs; empty without a header. */
  readonly at: string;
  /** The name of the stream: a `LogStream`, if this version wrote the line. */
  readonly stream: string;
  readonly text: string;
  /** True if the next line of the same stream continues the text. */
  readonly continues: boolean;
}

/** Bytes of text in one log line; longer text takes several. */
export const LONGEST_TEXT = 64 * 1024;
/** Bytes of the timestamp at the start of a log line. */
export const STAMP_LENGTH = 27;
/** Bytes of the longest header (timestamp and stream name) of a log line. */
export const LONGEST_HEADER = 104;

const HEADER = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([a-z]+(?::[A-Za-z0-9_][A-Za-z0-9_.-]*)?)(\+?) /;

/** The header of a line at any place in a text. */
const HEADER_THERE = new RegExp(HEADER.source.slice(1), 'y');

/** Returns the stream name for the output of this child. */
export const childStream = (name: string): ChildStream => `child:${name}`;

/** Returns the timestamp for a line; sorted as text they are in order of time. */
export const stampOf = (at: Date): string => at.toISOString().replace('Z', '000Z');

/** Returns the header of a line with a whole text or its last part, with spaces for the timestamp. */
export const headerOf = (stream: LogStream): string => `${' '.repeat(STAMP_LENGTH)} ${stream} `;

/** Returns the header of a line that the next one continues, with spaces for the timestamp. */
export const partHeaderOf = (stream: LogStream): string => `${' '.repeat(STAMP_LENGTH)} ${stream}+ `;

/** Parses the header in the first LONGEST_HEADER bytes; `textAt` is where the text begins. */
export const readHeader = (
  line: string,
): Omit<LogEntry, 'text'> & {
  readonly textAt: number;
} => {
  const [header = '', at = '', stream = 'stdout', mark] = HEADER.exec(line) ?? [];
  return { at, stream, continues: mark === '+', textAt: header.length };
};

/** Returns where the text begins in the line that begins at `start`: at `start` itself without a header. */
export const textStart = (lines: string, start: number): number => {
  HEADER_THERE.lastIndex = start;
  const has = HEADER_THERE.test(lines) && HEADER_THERE.lastIndex - start <= LONGEST_HEADER;
  return has ? HEADER_THERE.lastIndex : start;
};

// One line of a service's log on disk: `2026-11-21T05:30:15.123456Z stdout text`. Writer and reader share
// this code, so that they cannot disagree. A text longer than LONGEST_TEXT is written as several lines. In
// each of them but the last, a `+` after the stream's name says that the next line of that stream continues
// the text.
// Rules: `docs/behaviour.md`, "Output", "A line".

/** The output streams of a service, of commands on its behalf (`hook`), and of its children. */
export type OutputStream = 'stdout' | 'stderr' | 'hook' | ChildStream;
/** The output stream of a child that the service requested. */
type ChildStream = `child:${string}`;
/** The streams in a log file. `sup` is for the supervisor's own lines about dropped output. */
export type LogStream = OutputStream | 'sup';

export interface LogEntry {
  /** The time in ISO 8601, UTC, with microseconds; empty if the line has no header. */
  readonly at: string;
  /** The name of the stream: a `LogStream` if this version wrote the line. */
  readonly stream: string;
  readonly text: string;
  /** True if the next line of the same stream continues the text of this line. */
  readonly continues: boolean;
}

/** The maximum length of the text of one line, in bytes; a longer text is written as several lines. */
export const LONGEST_TEXT = 64 * 1024;
/** The length of the timestamp at the start of a line, in bytes. */
export const STAMP_LENGTH = 27;
/** The length of the longest possible header (timestamp and stream name), in bytes. */
export const LONGEST_HEADER = 104;

const HEADER = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([a-z]+(?::[A-Za-z0-9_][A-Za-z0-9_.-]*)?)(\+?) /;

/** Returns the stream name for the output of the child with this name. */
export const childStream = (name: string): ChildStream => `child:${name}`;

/**
 * Returns the timestamp for the start of a line. Timestamps that are sorted as text are in the order of time.
 */
export const stampOf = (at: Date): string => at.toISOString().replace('Z', '000Z');

/**
 * Returns the header (timestamp and stream name) of a line with a whole text or its last part; spaces take
 * the place of the timestamp.
 */
export const headerOf = (stream: LogStream): string => `${' '.repeat(STAMP_LENGTH)} ${stream} `;

/**
 * Returns the header (timestamp and stream name) of a line that the next line continues; spaces take
 * the place of the timestamp.
 */
export const partHeaderOf = (stream: LogStream): string => `${' '.repeat(STAMP_LENGTH)} ${stream}+ `;

/**
 * Parses the header (timestamp and stream name) in the first LONGEST_HEADER bytes of a line; `textAt` is
 * where the text begins. A line without a header is all text.
 */
export const readHeader = (
  line: string,
): Omit<LogEntry, 'text'> & {
  readonly textAt: number;
} => {
  const [header = '', at = '', stream = 'stdout', mark] = HEADER.exec(line) ?? [];
  return { at, stream, continues: mark === '+', textAt: header.length };
};

// A line of a service's log on disk: `2026-11-21T05:30:15.123456Z stdout text`. Writer and reader both use
// this module. Text longer than LONGEST_TEXT is split into several lines. A `+` after the name of the stream
// says that the next line of this stream continues the text.
// Rules: `docs/behaviour.md`, "Output", "A line".

/** The output streams of a service. `hook` has the output of commands on its behalf. */
export type OutputStream = 'stdout' | 'stderr' | 'hook' | ChildStream;
type ChildStream = `child:${string}`;
/** The streams in a log. `sup` has the supervisor's own lines about dropped output. */
export type LogStream = OutputStream | 'sup';

export interface LogEntry {
  /** The time of the line, ISO 8601 in UTC with microseconds. Empty for a line without a header. */
  readonly at: string;
  /** The name of the stream. It is a `LogStream` if this version of `sup` wrote the line. */
  readonly stream: string;
  readonly text: string;
  /** True if the next line of the same stream continues the text. */
  readonly continues: boolean;
}

/** The maximum number of bytes of text in one log line. Longer text is split into several lines. */
export const LONGEST_TEXT = 64 * 1024;
/** The number of bytes of the timestamp at the start of a log line. */
export const STAMP_LENGTH = 27;
/** The number of bytes of the longest header (timestamp and stream name) of a log line. */
export const LONGEST_HEADER = 104;

const HEADER = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([a-z]+(?::[A-Za-z0-9_][A-Za-z0-9_.-]*)?)(\+?) /;

/** Matches a header at the position `lastIndex` of a text. */
const HEADER_THERE = new RegExp(HEADER.source.slice(1), 'y');

/** Returns the name of the stream for the output of this child. */
export const childStream = (name: string): ChildStream => `child:${name}`;

/** Returns the timestamp for a line. Timestamps sorted as text are in the order of time. */
export const stampOf = (at: Date): string => at.toISOString().replace('Z', '000Z');

/** Returns the header of a line with a whole text or its last part. Spaces stand for the timestamp. */
export const headerOf = (stream: LogStream): string => `${' '.repeat(STAMP_LENGTH)} ${stream} `;

/** Returns the header of a line that the next line continues. Spaces stand for the timestamp. */
export const partHeaderOf = (stream: LogStream): string => `${' '.repeat(STAMP_LENGTH)} ${stream}+ `;

/** Parses the header at the beginning of a line. `textAt`: where the text begins. */
export const readHeader = (
  line: string,
): Omit<LogEntry, 'text'> & {
  readonly textAt: number;
} => {
  const [header = '', at = '', stream = 'stdout', mark] = HEADER.exec(line) ?? [];
  return { at, stream, continues: mark === '+', textAt: header.length };
};

/** Returns where the text begins in the line at `start`. Without a header this is `start` itself. */
export const textStart = (lines: string, start: number): number => {
  HEADER_THERE.lastIndex = start;
  const has = HEADER_THERE.test(lines) && HEADER_THERE.lastIndex - start <= LONGEST_HEADER;
  return has ? HEADER_THERE.lastIndex : start;
};

// A line of a service's log on disk: `2026-11-21T05:30:15.123456Z stdout text`. The writer and the readers of
// logs use this module. Text longer than LONGEST_TEXT is split into several lines. A `+` after the name of
// the stream means that the next line of this stream continues the text.
// Rules: `docs/behaviour.md`, "Output", "A line".

/**
 * The output streams of a service. `hook`: the output of commands that run for the service, such as hooks.
 */
export type OutputStream = 'stdout' | 'stderr' | 'hook' | ChildStream;
type ChildStream = `child:${string}`;
/** The streams in a log. `sup`: lines of the supervisor about dropped output. */
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

/** Matches a header only at the position `lastIndex` of a text. */
const HEADER_THERE = new RegExp(HEADER.source.slice(1), 'y');

/** Returns the name of the stream for the output of this child. */
export const childStream = (name: string): ChildStream => `child:${name}`;

/** Returns the timestamp for a line. If timestamps are sorted as text, they are in the order of time. */
export const stampOf = (at: Date): string => at.toISOString().replace('Z', '000Z');

/**
 * Returns the header of a line that contains a whole text or the last part of a text. It has spaces in the
 * place of the timestamp.
 */
export const headerOf = (stream: LogStream): string => `${' '.repeat(STAMP_LENGTH)} ${stream} `;

/** Returns the header of a line that the next line continues. It has spaces in the place of the timestamp. */
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

/**
 * Returns the position of the text of the line that begins at `start`. If the line has no header, this is
 * `start`.
 */
export const textStart = (lines: string, start: number): number => {
  HEADER_THERE.lastIndex = start;
  const has = HEADER_THERE.test(lines) && HEADER_THERE.lastIndex - start <= LONGEST_HEADER;
  return has ? HEADER_THERE.lastIndex : start;
};

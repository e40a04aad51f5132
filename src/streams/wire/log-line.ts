// One line of a service's log on disk: `2026-11-21T05:30:15.123456Z stdout text`. Writer and reader share
// this code, so that they cannot disagree. A line longer than LONGEST_TEXT is written in parts. Each part but
// the last has a `+` after the stream's name: the next line of that stream continues it.
// Rules: `docs/behaviour.md`, "Output", "A line".

/** The output of a service, and of commands on its behalf. */
export type OutputStream = 'stdout' | 'stderr' | 'hook' | ChildStream;
/** The output of a child that the service requested. */
type ChildStream = `child:${string}`;
/** `sup` is the supervisor's own stream, for lines about dropped output. */
export type LogStream = OutputStream | 'sup';

export interface LogEntry {
  /** ISO 8601 in UTC with microseconds; empty if the line has no header of ours. */
  readonly at: string;
  /** A `LogStream`, if this version wrote it. */
  readonly stream: string;
  readonly text: string;
  /** The next line of the same stream continues this one. */
  readonly continues: boolean;
}

/** The maximum text of one line, in bytes. */
export const LONGEST_TEXT = 64 * 1024;
/** The length of the timestamp that opens a line; the whole header is ASCII. */
export const STAMP_LENGTH = 27;
/** The longest possible header, in bytes. */
export const LONGEST_HEADER = 104;

const HEADER = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([a-z]+(?::[A-Za-z0-9_][A-Za-z0-9_.-]*)?)(\+?) /;

/** Returns the stream name for the lines of that child. */
export const childStream = (name: string): ChildStream => `child:${name}`;

/** Returns the timestamp that opens a line. Timestamps compare as text in the order of time. */
export const stampOf = (at: Date): string => at.toISOString().replace('Z', '000Z');

/** Returns the header of a whole line, or of the last part of one; the timestamp is blank. */
export const headerOf = (stream: LogStream): string => `${' '.repeat(STAMP_LENGTH)} ${stream} `;

/** Returns the header of a part that the next line continues; the timestamp is blank. */
export const partHeaderOf = (stream: LogStream): string => `${' '.repeat(STAMP_LENGTH)} ${stream}+ `;

/**
 * Parses the first LONGEST_HEADER bytes of a line; `textAt` is where its text begins. A line without a header
 * is all text.
 */
export const readHeader = (
  line: string,
): Omit<LogEntry, 'text'> & {
  readonly textAt: number;
} => {
  const [header = '', at = '', stream = 'stdout', mark] = HEADER.exec(line) ?? [];
  return { at, stream, continues: mark === '+', textAt: header.length };
};

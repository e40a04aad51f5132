// One line of a service's log as it lies on disk: `2026-11-21T05:30:15.123456Z stdout text`. Who writes logs and who
// reads them back share it, so that they cannot disagree. A line that is longer than LONGEST_TEXT is written in parts,
// each but the last with a `+` behind the stream's name: the next line of that stream goes on where it ends.

/** What a service has to say, and the commands that are run on its behalf. */
export type OutputStream = 'stdout' | 'stderr' | 'hook' | ChildStream;
/** What a child prints that the service has asked for. */
type ChildStream = `child:${string}`;
/** `sup` is the supervisor's own word, about lines it had to drop. */
export type LogStream = OutputStream | 'sup';

export interface LogEntry {
  /** ISO 8601 in UTC with microseconds; empty when the line is not one of ours. */
  readonly at: string;
  /** A `LogStream`, if this version wrote it. */
  readonly stream: string;
  readonly text: string;
  /** The line goes on in the next one of its stream. */
  readonly continues: boolean;
}

/** The most text one line holds, in bytes. */
export const LONGEST_TEXT = 64 * 1024;
/** How long the moment is that opens a line; it is ASCII, as the whole header. */
export const STAMP_LENGTH = 27;
/** No header is longer. */
export const LONGEST_HEADER = 104;

const HEADER = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([a-z]+(?::[A-Za-z0-9_][A-Za-z0-9_.-]*)?)(\+?) /;

/** The name of the stream in which lines of that child stand. */
export const childStream = (name: string): ChildStream => `child:${name}`;

/** A moment as it opens a line. Comparing two of them as text compares time. */
export const stampOf = (at: Date): string => at.toISOString().replace('Z', '000Z');

/** What stands before the text of a whole line, or of the last part of one; its moment is left blank. */
export const headerOf = (stream: LogStream): string => `${' '.repeat(STAMP_LENGTH)} ${stream} `;

/** What stands before a part of a line that goes on; its moment is left blank. */
export const partHeaderOf = (stream: LogStream): string => `${' '.repeat(STAMP_LENGTH)} ${stream}+ `;

/** What a line's first LONGEST_HEADER bytes say, and where its text begins. A stranger's line is all text. */
export const readHeader = (
  line: string,
): Omit<LogEntry, 'text'> & {
  readonly textAt: number;
} => {
  const [header = '', at = '', stream = 'stdout', mark] = HEADER.exec(line) ?? [];
  return { at, stream, continues: mark === '+', textAt: header.length };
};

// A line of a service's log, read back: `2026-11-21T05:30:15.123456Z stdout text`. A `+` behind the stream's name marks
// a part of a long line: the next line of that stream goes on where it ends.

export interface LogEntry {
  /** ISO 8601 in UTC with microseconds; empty when the line is not one of ours. */
  readonly at: string;
  /** `stdout`, `stderr`, `hook`, or `sup` for what the supervisor has to say about the log. */
  readonly stream: string;
  readonly text: string;
  /** The line goes on in the next one of its stream. */
  readonly continues: boolean;
}

const HEADER = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ([a-z]+)(\+?) /;
/** The longest header there is, in bytes. */
const HEADER_BYTES = 40;

export const readEntry = (line: Buffer): LogEntry => {
  const [header = '', at = '', stream = 'stdout', mark] =
    HEADER.exec(line.toString('latin1', 0, HEADER_BYTES)) ?? [];
  return { at, stream, text: line.toString('utf8', header.length), continues: mark === '+' };
};

// Parses a line of a service's log.
import { LONGEST_HEADER, readHeader, type LogEntry } from '../../streams/wire/log-line.ts';

/** Bytes that are not UTF-8 become replacement characters. */
export const readEntry = (line: Buffer): LogEntry => {
  const { textAt, ...header } = readHeader(line.toString('latin1', 0, LONGEST_HEADER));
  return { ...header, text: line.toString('utf8', textAt) };
};

// The last lines of a run that explain its end: those around the first that looks like an error, since later
// ones often follow from it, and the very last ones.
import type { Evidence } from '../../domain/errors/error.ts';

const BEFORE = 1;
const AFTER = 3;
const LAST = 5;

const WORDS =
  /error|fatal|panic|exception|traceback|fail(?:ed|ure)|cannot|could not|unable to|refused|denied|not found|already in use|segmentation|out of memory/i;
/** `EADDRINUSE`, `ENOENT`, … */
const ERRNO =
  /\bE(?:ACCES|ADDR|AGAIN|BUSY|CONN|EXIST|HOST|INVAL|ISDIR|[MN]FILE|NO[A-Z]|PERM|PIPE|TIMEDOUT)[A-Z]*\b/;
/** Lines that report no error. */
const NONE = /\b(?:no|0) (?:errors?|failures?)\b|\b(?:errors?|failures?|failed)[:=] ?0\b/i;

const looksBad = (line: string): boolean => (WORDS.test(line) || ERRNO.test(line)) && !NONE.test(line);

/** One block of lines, or two with a gap between them. */
export const tellingLines = (evidence: Evidence): readonly Evidence[] => {
  const first = evidence.findIndex(looksBad);
  const end = Math.max(0, evidence.length - LAST);
  const from = Math.max(0, first - BEFORE);
  const to = first + AFTER + 1;
  if (first < 0 || from >= end) return [evidence.slice(end)];
  return to >= end ? [evidence.slice(from)] : [evidence.slice(from, to), evidence.slice(end)];
};

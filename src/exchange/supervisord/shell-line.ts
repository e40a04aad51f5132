// A command line that supervisord splits itself, as a line with the same words for `sh`.
import { type MarkedText, manifestValue } from './percent-format.ts';

const PART = /'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^]|[^'"\\]+/g;

/** Returns the part with a backslash before what `sh` would interpret and supervisord does not. */
const partForShell = (part: string): string => {
  if (part.startsWith("'")) return part;
  if (part.startsWith('"'))
    return part.replaceAll(/\\(["\\])|[\\$`]/g, (found, escaped?: string) =>
      escaped === undefined ? `\\${found}` : found,
    );
  if (part === '\\\n') return "'\n'";
  if (part.startsWith('\\')) return part;
  return part.replaceAll('\n', ' ').replaceAll(/[$`;&|<>()*?[\]~#!{}]/g, String.raw`\$&`);
};

/** Returns a `command` of a manifest. Marked variables are expanded before the shell splits the line. */
export const shellLine = (line: MarkedText): string =>
  manifestValue(line.trim().replaceAll(PART, partForShell));
